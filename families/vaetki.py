"""VAETKI: calls as JSON between ``<tool_call>`` marks."""

from __future__ import annotations

from turnwire.wire.family import Family
from turnwire.wire.format import Reasoning, WireFormat
from turnwire.wire.shapes import TOOL_CALL_JSON

FAMILY = Family(
    name="vaetki",
    aliases=(),
    models=("nc-ai-consortium/VAETKI-20B-A2B",),
    wire_format=WireFormat(
        header=("<|role_start|>assistant<|role_end|>\n\n",),
        prefill="<think>\n",
        reasoning=Reasoning(at_start_only=True),
        calls=(TOOL_CALL_JSON,),
        content_trim="calls",
        stop=("<|END|>",),
    ),
    response_template=None,
    links=("https://huggingface.co/nc-ai-consortium/VAETKI-20B-A2B",),
    loss=(
        "ids of calls: the template does not write them",
        "white space around content and reasoning: the template writes line breaks of its own there",
    ),
)
