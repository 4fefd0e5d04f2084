"""Functionary 3.1 and Kanana 1.5: ``<function=NAME>{…}</function>``, JSON arguments behind the name."""

from __future__ import annotations

from turnwire.wire.family import Family
from turnwire.wire.format import CallSyntax, HeadBody, WireFormat
from turnwire.wire.shapes import LLAMA3_HEADER, LLAMA3_STOP

FAMILY = Family(
    name="functionary_v31",
    aliases=("kanana",),
    models=(
        "kakaocorp/kanana-1.5-2.1b-instruct-2505",
        "kakaocorp/kanana-1.5-8b-instruct-2505",
        "kakaocorp/kanana-1.5-15.7b-a3b-instruct",
    ),
    wire_format=WireFormat(
        header=LLAMA3_HEADER,
        calls=(
            CallSyntax(
                open=("<function=",),
                close=("</function>",),
                confirm=r"[^\s<>]{1,256}>\s{0,64}\{",
                body=HeadBody(until=(">",)),
            ),
        ),
        stop=LLAMA3_STOP,
    ),
    response_template=None,
    links=(
        "https://huggingface.co/meetkai/functionary-medium-v3.1",
        "https://huggingface.co/kakaocorp/kanana-1.5-8b-instruct-2505",
    ),
    loss=(
        "ids of calls, and reasoning: the templates do not write them",
        "code for an interpreter, which follows `<|python_tag|>`: it stays content",
    ),
)
