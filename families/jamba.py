"""Jamba 1.5 and 1.6: an array of calls as JSON between ``<tool_calls>`` marks."""

from __future__ import annotations

from turnwire.wire.family import Family
from turnwire.wire.format import JsonBody, WireFormat
from turnwire.wire.shapes import json_in

FAMILY = Family(
    name="jamba",
    aliases=(),
    models=("ai21labs/Jamba-tiny-dev", "ai21labs/Jamba-tiny-reward-dev"),
    wire_format=WireFormat(
        header=("<|bom|><|assistant|>",),
        lead=(" ",),
        calls=(json_in("<tool_calls>", "</tool_calls>", JsonBody(shape="array")),),
        content_trim="calls",
        stop=("<|eom|>", "<|endoftext|>"),
    ),
    response_template=None,
    links=("https://huggingface.co/ai21labs/Jamba-tiny-dev",),
    loss=(
        "ids of calls: the template does not write them",
        "reasoning: the template does not write it",
        "white space between content and calls",
    ),
)
