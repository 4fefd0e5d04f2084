"""Magistral: Mistral's calls, reasoning in ``[THINK]`` (2509) or ``<think>`` (2506, 2507)."""

from __future__ import annotations

from turnwire.wire.family import Family
from turnwire.wire.format import Reasoning, WireFormat
from turnwire.wire.shapes import MISTRAL_HEADER, MISTRAL_STOP, NAMED_TOOL_CALLS, TOOL_CALLS_ARRAY, UNMARKED_NAMED_CALL

FAMILY = Family(
    name="magistral",
    aliases=(),
    models=(
        "mistralai/Magistral-Small-2506",
        "mistralai/Magistral-Small-2507",
        "mistralai/Magistral-Small-2509",
    ),
    wire_format=WireFormat(
        header=MISTRAL_HEADER,
        reasoning=Reasoning(
            open=("[THINK]", "<think>"), close=("[/THINK]", "</think>"), trim=False, at_start_only=True, paired=True
        ),
        calls=(NAMED_TOOL_CALLS, TOOL_CALLS_ARRAY),
        stop=MISTRAL_STOP,
    ),
    response_template=None,
    links=(
        "https://huggingface.co/mistralai/Magistral-Small-2506",
        "https://huggingface.co/mistralai/Magistral-Small-2509",
    ),
    spellings=("`[CALL_ID]` behind the name: Mistral Small 3.2, on which Magistral builds",),
    unmarked=UNMARKED_NAMED_CALL,
    loss=(
        "ids of calls: the template does not write them",
        "an answer of the 2509 model that begins with `<think>` is taken for reasoning, as of the 2506 model",
    ),
)
