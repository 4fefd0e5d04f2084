"""Granite 4: calls as JSON between ``<tool_call>`` marks."""

from __future__ import annotations

from turnwire.wire.family import Family
from turnwire.wire.format import Reasoning, WireFormat
from turnwire.wire.shapes import TOOL_CALL_JSON

FAMILY = Family(
    name="granite4",
    aliases=(),
    models=(
        "ibm-granite/granite-4.0-350m",
        "ibm-granite/granite-4.0-1b",
        "ibm-granite/granite-4.0-micro",
        "ibm-granite/granite-4.0-h-350m",
        "ibm-granite/granite-4.0-h-1b",
        "ibm-granite/granite-4.0-h-micro",
        "ibm-granite/granite-4.0-h-tiny",
        "ibm-granite/granite-4.0-h-small",
        "ibm-granite/granite-4.0-3b-vision",
        "ibm-granite/granite-4.1-3b",
        "ibm-granite/granite-4.1-8b",
        "ibm-granite/granite-4.1-30b",
        "ibm-granite/granite-vision-4.1-4b",
        "ibm-granite/granite-speech-4.1-2b-plus",
        "ibm-granite/granite-switch-4.1-3b-preview",
    ),
    wire_format=WireFormat(
        header=("<|start_of_role|>assistant<|end_of_role|>",),
        reasoning=Reasoning(at_start_only=True),
        calls=(TOOL_CALL_JSON,),
        content_trim="calls",
        stop=("<|end_of_text|>",),
    ),
    response_template=None,
    links=(
        "https://huggingface.co/ibm-granite/granite-4.0-h-small",
        "https://huggingface.co/ibm-granite/granite-4.1-8b",
    ),
    spellings=("reasoning between `<think>` marks: Granite 4.2, SGLang's granite_thinking_parser",),
    loss=(
        "ids of calls, and reasoning: the templates do not write them",
        "white space around content: the templates write line breaks and spaces of their own there",
    ),
)
