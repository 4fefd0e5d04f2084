"""EXAONE 4 and K-EXAONE: calls as JSON between ``<tool_call>`` marks."""

from __future__ import annotations

from turnwire.wire.family import Family
from turnwire.wire.format import Reasoning, WireFormat
from turnwire.wire.shapes import TOOL_CALL_JSON

THINKING = ("LGAI-EXAONE/EXAONE-4.5-33B", "LGAI-EXAONE/K-EXAONE-236B-A23B")
NOT_THINKING = ("LGAI-EXAONE/EXAONE-4.0-1.2B", "LGAI-EXAONE/EXAONE-4.0-32B", "LGAI-EXAONE/EXAONE-4.0.1-32B")

FAMILY = Family(
    name="exaone4",
    aliases=(),
    models=(*NOT_THINKING, *THINKING),
    wire_format=WireFormat(
        header=("[|assistant|]\n", "<|assistant|>\n"),
        reasoning=Reasoning(at_start_only=True),
        calls=(TOOL_CALL_JSON,),
        content_trim="calls",
        stop=("[|endofturn|]", "<|endofturn|>"),
    ),
    response_template=None,
    links=(
        "https://huggingface.co/LGAI-EXAONE/EXAONE-4.0-32B",
        "https://huggingface.co/LGAI-EXAONE/K-EXAONE-236B-A23B",
    ),
    loss=(
        "ids of calls: the templates do not write them",
        "reasoning: the template of EXAONE 4.0 does not write it",
        "white space around content and reasoning: the templates write line breaks of their own there",
    ),
    prefilled={"<think>\n": THINKING, "<think>\n\n</think>\n\n": NOT_THINKING},
)
