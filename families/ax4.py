"""A.X 4: calls as JSON between ``<tool_call>`` marks, without a line break around anything."""

from __future__ import annotations

from turnwire.wire.family import Family
from turnwire.wire.format import Reasoning, WireFormat
from turnwire.wire.shapes import CHATML_STOP, TOOL_CALL_JSON

FAMILY = Family(
    name="ax4",
    aliases=(),
    models=("skt/A.X-4.0-Light",),
    wire_format=WireFormat(
        header=("<|im_start|><|assistant|>",),
        reasoning=Reasoning(at_start_only=True),
        calls=(TOOL_CALL_JSON,),
        content_trim="calls",
        stop=CHATML_STOP,
    ),
    response_template=None,
    links=("https://huggingface.co/skt/A.X-4.0-Light",),
    loss=(
        "ids of calls, and reasoning: the template does not write them",
        "white space between content and calls",
    ),
)
