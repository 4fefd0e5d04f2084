"""Hermes 4 (70B, 405B), Mi:dm 2 and rnj: Hermes' ``<tool_call>`` marks in the frame of Llama 3."""

from __future__ import annotations

from turnwire.wire.family import Family
from turnwire.wire.format import Reasoning, WireFormat
from turnwire.wire.shapes import LLAMA3_HEADER, LLAMA3_STOP, TOOL_CALL_JSON

FAMILY = Family(
    name="hermes_llama3",
    aliases=(),
    models=(
        "NousResearch/Hermes-4-70B",
        "NousResearch/Hermes-4-405B",
        "NousResearch/Hermes-4.3-36B",
        "K-intelligence/Midm-2.0-Mini-Instruct",
        "K-intelligence/Midm-2.0-Base-Instruct",
        "EssentialAI/rnj-1",
        "EssentialAI/rnj-1-instruct",
    ),
    wire_format=WireFormat(
        header=(*LLAMA3_HEADER, "<|start_header_id|>assistant<|end_header_id|>\n"),
        reasoning=Reasoning(at_start_only=True),
        calls=(TOOL_CALL_JSON,),
        content_trim="calls",
        stop=LLAMA3_STOP,
    ),
    response_template=None,
    links=(
        "https://huggingface.co/NousResearch/Hermes-4-70B",
        "https://huggingface.co/K-intelligence/Midm-2.0-Base-Instruct",
        "https://huggingface.co/EssentialAI/rnj-1-instruct",
    ),
    loss=(
        "ids of calls: the templates do not write them",
        "reasoning: the templates do not write it",
        "white space around content: the templates write line breaks of their own there",
    ),
)
