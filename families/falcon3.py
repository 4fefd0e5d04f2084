"""Falcon 3: an array of calls as OpenAI's API has them, between ``<tool_call>`` marks."""

from __future__ import annotations

from turnwire.wire.family import Family
from turnwire.wire.format import WireFormat
from turnwire.wire.shapes import TOOL_CALL_JSON

FAMILY = Family(
    name="falcon3",
    aliases=(),
    models=(
        "tiiuae/Falcon3-1B-Instruct",
        "tiiuae/Falcon3-3B-Instruct",
        "tiiuae/Falcon3-7B-Instruct",
        "tiiuae/Falcon3-10B-Instruct",
        "tiiuae/Falcon3-1B-Instruct-1.58bit",
        "tiiuae/Falcon3-3B-Instruct-1.58bit",
        "tiiuae/Falcon3-7B-Instruct-1.58bit",
        "tiiuae/Falcon3-10B-Instruct-1.58bit",
    ),
    wire_format=WireFormat(
        header=("<|assistant|>\n",),
        calls=(TOOL_CALL_JSON,),
        content_trim="calls",
        stop=("<|endoftext|>",),
    ),
    response_template=None,
    links=("https://huggingface.co/tiiuae/Falcon3-7B-Instruct",),
    spellings=("one object with a name and arguments: the template's system prompt asks for it",),
    loss=(
        "calls without content beside them: the template writes nothing in front of them, not even the header",
        "reasoning: the template does not write it",
        "white space between content and calls",
    ),
)
