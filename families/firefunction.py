"""FireFunction 2: an array of calls as JSON behind ``functools``."""

from __future__ import annotations

from turnwire.wire.family import Family
from turnwire.wire.format import WireFormat
from turnwire.wire.shapes import FUNCTOOLS, LLAMA3_HEADER, LLAMA3_STOP

FAMILY = Family(
    name="firefunction",
    aliases=(),
    models=(),
    wire_format=WireFormat(header=LLAMA3_HEADER, calls=(FUNCTOOLS,), content_trim="calls", stop=LLAMA3_STOP),
    response_template=None,
    links=("https://huggingface.co/fireworks-ai/llama-3-firefunction-v2",),
    loss=(
        "ids of calls, and reasoning: the template does not write them",
        "white space around content: the template strips it, and writes a space of its own in front of calls",
    ),
)
