"""Ling, Ring, Ming and LLaDA: calls between ``<tool_call>`` marks, as JSON or as GLM's keys and values in turns."""

from __future__ import annotations

from turnwire.wire.family import Family
from turnwire.wire.format import Reasoning, WireFormat
from turnwire.wire.shapes import TOOL_CALL_JSON, argument_pairs

LINEAR = ("inclusionAI/Ring-mini-linear-2.0", "inclusionAI/Ring-flash-linear-2.0")

FAMILY = Family(
    name="ling",
    aliases=("ling3",),
    models=(
        "inclusionAI/Ling-mini-2.0",
        "inclusionAI/Ling-flash-2.0",
        "inclusionAI/Ling-1T",
        "inclusionAI/Ling-2.5-1T",
        "inclusionAI/Ling-2.6-1T",
        "inclusionAI/Ling-2.6-flash",
        "inclusionAI/Ring-1T",
        "inclusionAI/Ring-2.5-1T",
        "inclusionAI/Ring-2.6-1T",
        "inclusionAI/Ming-flash-omni-Preview",
        "inclusionAI/LLaDA2.0-mini",
        "inclusionAI/LLaDA2.0-flash",
        *LINEAR,
    ),
    wire_format=WireFormat(
        header=("<role>ASSISTANT</role>",),
        lead=("\n",),
        reasoning=Reasoning(at_start_only=True),
        calls=(TOOL_CALL_JSON, argument_pairs("<tool_call>", "</tool_call>", recover_at_end=False)),
        content_trim="calls",
        stop=("<|role_end|>", "<|endoftext|>"),
    ),
    response_template=None,
    links=(
        "https://huggingface.co/inclusionAI/Ling-2.6-flash",
        "https://huggingface.co/inclusionAI/Ring-2.6-1T",
    ),
    spellings=("no line break behind a call's name: Ling 3, SGLang's parser of the name ling3",),
    loss=(
        "values as text (Ring 2.6): types come from the tool's schema; without one they stay text",
        "a value that holds `</arg_value>` and then `<arg_key>` or `</tool_call>` reads as more than one",
        "ids of calls: the templates do not write them",
        "white space around content and reasoning: the templates write line breaks of their own there",
    ),
    prefilled={"<think>\n": LINEAR},
)
