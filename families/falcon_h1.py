"""Falcon H1: calls as JSON between ``<tool_call>`` marks; the tiny ones end their text before they call."""

from __future__ import annotations

from turnwire.wire.family import Family
from turnwire.wire.format import CallSyntax, JsonBody, Reasoning, WireFormat
from turnwire.wire.shapes import CHATML_HEADER, CHATML_STOP, JSON_BEGINS

FAMILY = Family(
    name="falcon_h1",
    aliases=(),
    models=(
        "tiiuae/Falcon-H1-0.5B-Instruct",
        "tiiuae/Falcon-H1-1.5B-Instruct",
        "tiiuae/Falcon-H1-1.5B-Deep-Instruct",
        "tiiuae/Falcon-H1-3B-Instruct",
        "tiiuae/Falcon-H1-7B-Instruct",
        "tiiuae/Falcon-H1-34B-Instruct",
        "tiiuae/Falcon-H1-Tiny-Tool-Calling-90M",
    ),
    wire_format=WireFormat(
        header=CHATML_HEADER,
        reasoning=Reasoning(at_start_only=True),
        calls=(
            CallSyntax(
                open=("<tool_call>", "<|im_end|><tool_call>"),
                close=("</tool_call>",),
                confirm=JSON_BEGINS,
                body=JsonBody(),
            ),
        ),
        content_trim="calls",
        stop=CHATML_STOP,
    ),
    response_template=None,
    links=(
        "https://huggingface.co/tiiuae/Falcon-H1-Tiny-Tool-Calling-90M",
        "https://huggingface.co/tiiuae/Falcon-H1-0.5B-Instruct",
    ),
    spellings=("calls of Falcon-H1-0.5B to 34B, whose template asks for them and writes none",),
    loss=(
        "calls without content beside them: the template writes nothing in front of them, not even the header",
        "calls, in the template of the larger models, and reasoning: the templates do not write them",
        "white space around content: the templates write line breaks of their own there",
    ),
)
