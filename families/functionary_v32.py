"""Functionary 3.2: ``>>>NAME`` with JSON arguments on the next line; content is for ``>>>all``."""

from __future__ import annotations

from turnwire.wire.family import Family
from turnwire.wire.format import CallSyntax, HeadBody, WireFormat
from turnwire.wire.shapes import LLAMA3_HEADER, LLAMA3_STOP

FAMILY = Family(
    name="functionary_v32",
    aliases=(),
    models=(),
    wire_format=WireFormat(
        header=LLAMA3_HEADER,
        prefill=">>>",
        calls=(
            CallSyntax(
                open=(">>>",),
                confirm=r"(?!all\n)[^\s>]{1,256}\n\s{0,64}\{",
                body=HeadBody(until=("\n",)),
                tentative=True,
            ),
        ),
        dropped=(">>>all\n",),
        stop=LLAMA3_STOP,
    ),
    response_template=None,
    links=("https://huggingface.co/meetkai/functionary-medium-v3.2",),
    loss=(
        "ids of calls, and reasoning: the template does not write them",
        "code for an interpreter, which follows `>>>python`: it stays content",
    ),
)
