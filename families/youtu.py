"""Youtu-LLM: calls as JSON between ``<tool_call>`` marks."""

from __future__ import annotations

from turnwire.wire.family import Family
from turnwire.wire.format import Reasoning, WireFormat
from turnwire.wire.shapes import TOOL_CALL_JSON

FAMILY = Family(
    name="youtu",
    aliases=(),
    models=("tencent/Youtu-LLM-2B", "tencent/Youtu-HiChunk"),
    wire_format=WireFormat(
        header=("<|Assistant|>",),
        reasoning=Reasoning(at_start_only=True),
        calls=(TOOL_CALL_JSON,),
        content_trim="calls",
        stop=("<|end_of_text|>",),
    ),
    response_template=None,
    links=("https://huggingface.co/tencent/Youtu-LLM-2B",),
    loss=(
        "ids of calls: the template does not write them",
        "white space around content and reasoning: the template writes line breaks of its own there",
    ),
)
