"""Grug: calls as JSON between ``<|tool_call|>`` and ``<|tool_call_end|>``."""

from __future__ import annotations

from turnwire.wire.family import Family
from turnwire.wire.format import Reasoning, WireFormat
from turnwire.wire.shapes import LLAMA3_HEADER, LLAMA3_STOP, json_in

FAMILY = Family(
    name="grug",
    aliases=(),
    models=("penfever/grug-67b-a2b-sft-s2-thinking-step630", "penfever/grug-67b-a2b-sft-s1-wildchat-step257"),
    wire_format=WireFormat(
        header=LLAMA3_HEADER,
        prefill="<|start_think|>\n",
        reasoning=Reasoning(open=("<|start_think|>",), close=("<|end_think|>",), at_start_only=True),
        calls=(json_in("<|tool_call|>", "<|tool_call_end|>"),),
        content_trim="calls",
        stop=LLAMA3_STOP,
    ),
    response_template=None,
    links=("https://huggingface.co/penfever/grug-67b-a2b-sft-s2-thinking-step630",),
    loss=(
        "ids of calls: the template does not write them",
        "white space around content and reasoning: the template writes line breaks of its own there",
    ),
)
