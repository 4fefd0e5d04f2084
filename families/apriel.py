"""Apriel: an array of calls between ``<tool_calls>`` marks, arguments as JSON or as Python writes them."""

from __future__ import annotations

from turnwire.wire.family import Family
from turnwire.wire.format import CallSyntax, JsonBody, Reasoning, WireFormat

BEGIN, FINAL = "Here are my reasoning steps:\n", "[BEGIN FINAL RESPONSE]"
PREFILLED = (
    "ServiceNow-AI/Apriel-Nemotron-15b-Thinker",
    "ServiceNow-AI/Apriel-H1-15b-Thinker-SFT",
    "ServiceNow-AI/Apriel-1.6-15b-Thinker",
)

FAMILY = Family(
    name="apriel",
    aliases=(),
    models=("ServiceNow-AI/Apriel-1.5-15b-Thinker", *PREFILLED),
    wire_format=WireFormat(
        header=("<|assistant|>\n", "<|begin_assistant|>\n"),
        reasoning=Reasoning(open=(BEGIN,), close=(FINAL,), at_start_only=True),
        calls=(
            CallSyntax(
                open=("<tool_calls>",),
                close=("</tool_calls>",),
                confirm=r"\s{0,64}\[",
                body=JsonBody(shape="array", codec="python"),
            ),
        ),
        content_trim="calls",
        dropped=("[END FINAL RESPONSE]",),
        stop=("<|end|>", "</s>"),
    ),
    response_template=None,
    links=(
        "https://huggingface.co/ServiceNow-AI/Apriel-1.5-15b-Thinker",
        "https://huggingface.co/ServiceNow-AI/Apriel-1.6-15b-Thinker",
    ),
    spellings=("arguments as JSON: the mended templates of unsloth/Apriel-1.5 and of Apriel 1.6",),
    loss=(
        "ids of calls: the templates do not write them",
        "reasoning: the templates do not write it, or without the words that begin it, which the prompt ends in",
        "white space around content and reasoning: the templates write line breaks of their own there",
    ),
    prefilled={BEGIN: PREFILLED},
)
