"""Reka Edge: calls as JSON between ``<tool_call>`` marks."""

from __future__ import annotations

from turnwire.wire.family import Family
from turnwire.wire.format import Reasoning, WireFormat
from turnwire.wire.shapes import TOOL_CALL_JSON

FAMILY = Family(
    name="reka",
    aliases=(),
    models=("RekaAI/reka-edge-2603",),
    wire_format=WireFormat(
        header=("<sep>assistant:",),
        lead=(" ",),
        reasoning=Reasoning(at_start_only=True),
        calls=(TOOL_CALL_JSON,),
        content_trim="calls",
        stop=("<sep>", "<|endoftext|>"),
    ),
    response_template=None,
    links=("https://huggingface.co/RekaAI/reka-edge-2603",),
    loss=(
        "ids of calls, and reasoning: the template does not write them",
        "white space around content: the template writes line breaks of its own there",
    ),
)
