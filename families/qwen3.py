"""Qwen 2.5 and 3, Hermes, SmolLM 3: calls as JSON in ``<tool_call>`` marks, reasoning in ``<think>`` marks."""

from __future__ import annotations

from turnwire.wire.family import Family
from turnwire.wire.format import Reasoning, WireFormat
from turnwire.wire.shapes import CHATML_HEADER, CHATML_STOP, TOOL_CALL_JSON

QWEN25 = (
    "Qwen/Qwen2.5-0.5B-Instruct",
    "Qwen/Qwen2.5-1.5B-Instruct",
    "Qwen/Qwen2.5-3B-Instruct",
    "Qwen/Qwen2.5-7B-Instruct",
    "Qwen/Qwen2.5-14B-Instruct",
    "Qwen/Qwen2.5-32B-Instruct",
    "Qwen/Qwen2.5-72B-Instruct",
    "Qwen/Qwen2.5-7B-Instruct-1M",
    "Qwen/Qwen2.5-14B-Instruct-1M",
)
HYBRID = (
    "Qwen/Qwen3-0.6B",
    "Qwen/Qwen3-1.7B",
    "Qwen/Qwen3-4B",
    "Qwen/Qwen3-8B",
    "Qwen/Qwen3-14B",
    "Qwen/Qwen3-32B",
    "Qwen/Qwen3-30B-A3B",
    "Qwen/Qwen3-235B-A22B",
)
INSTRUCT = (
    "Qwen/Qwen3-4B-Instruct-2507",
    "Qwen/Qwen3-30B-A3B-Instruct-2507",
    "Qwen/Qwen3-235B-A22B-Instruct-2507",
    "Qwen/Qwen3-Next-80B-A3B-Instruct",
    "Qwen/Qwen3-VL-2B-Instruct",
    "Qwen/Qwen3-VL-4B-Instruct",
    "Qwen/Qwen3-VL-8B-Instruct",
    "Qwen/Qwen3-VL-30B-A3B-Instruct",
    "Qwen/Qwen3-VL-32B-Instruct",
    "Qwen/Qwen3-VL-235B-A22B-Instruct",
    "Qwen/Qwen3-Omni-30B-A3B-Instruct",
    "NousResearch/Hermes-4-14B",
)
THINKING = (
    "Qwen/QwQ-32B",
    "Qwen/Qwen3-4B-Thinking-2507",
    "Qwen/Qwen3-30B-A3B-Thinking-2507",
    "Qwen/Qwen3-235B-A22B-Thinking-2507",
    "Qwen/Qwen3-Next-80B-A3B-Thinking",
    "Qwen/Qwen3-VL-2B-Thinking",
    "Qwen/Qwen3-VL-4B-Thinking",
    "Qwen/Qwen3-VL-8B-Thinking",
    "Qwen/Qwen3-VL-30B-A3B-Thinking",
    "Qwen/Qwen3-VL-32B-Thinking",
    "Qwen/Qwen3-VL-235B-A22B-Thinking",
)
UNWRITTEN = (
    "HuggingFaceTB/SmolLM3-3B",
    "NousResearch/Hermes-2-Pro-Llama-3-8B",
    "NousResearch/Hermes-2-Pro-Mistral-7B",
    "NousResearch/Hermes-3-Llama-3.1-8B",
    "NousResearch/Hermes-3-Llama-3.1-70B",
    "NousResearch/Hermes-3-Llama-3.1-405B",
)

FAMILY = Family(
    name="qwen3",
    aliases=("hermes", "qwen", "qwen25", "qwen3-thinking"),
    models=(*QWEN25, *HYBRID, *INSTRUCT, *THINKING, *UNWRITTEN),
    wire_format=WireFormat(
        header=CHATML_HEADER,
        reasoning=Reasoning(at_start_only=True),
        calls=(TOOL_CALL_JSON,),
        content_trim="calls",
        stop=CHATML_STOP,
    ),
    response_template=None,
    links=(
        "https://huggingface.co/Qwen/Qwen3-0.6B",
        "https://huggingface.co/Qwen/Qwen2.5-7B-Instruct",
        "https://huggingface.co/NousResearch/Hermes-4-14B",
        "https://huggingface.co/HuggingFaceTB/SmolLM3-3B",
    ),
    spellings=(
        "`parameters` for `arguments`, arguments that are JSON text inside of JSON, several calls in one array: "
        "Hermes and Qwen 2.5, canitoolcall's qwen3-hermes fixtures",
        "no line breaks inside the marks, none between calls: canitoolcall's qwen3-hermes fixtures",
        "the whole call of SmolLM 3, Hermes 2 Pro and Hermes 3: their templates ask for it, or the model cards do",
        "reasoning without its opening mark, which the prompt has written: Qwen3-4B-Thinking-2507",
    ),
    loss=(
        "ids of calls: the template does not write them",
        "calls of SmolLM 3, Hermes 2 Pro and Hermes 3: their templates do not write them",
        "arguments that are passed as dicts to NightPrince/Muslim-6B-PRO: its template prints them as Python, not JSON",
        "Python code between `<code>` marks, for which SmolLM 3 may be asked: it stays content",
        "white space around content and reasoning: the template writes line breaks of its own there",
        "text that quotes a whole call, marks and all, is a call; only token ids tell them apart",
    ),
    prefilled={"<think>\n": ("qwen3-thinking", *THINKING)},
)
