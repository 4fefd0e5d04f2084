"""Seed-OSS: ``<function=NAME>`` with ``<parameter=KEY>`` inside, between ``<seed:tool_call>`` marks."""

from __future__ import annotations

from turnwire.wire.family import Family
from turnwire.wire.format import Reasoning, WireFormat
from turnwire.wire.shapes import function_tags

FAMILY = Family(
    name="seed_oss",
    aliases=(),
    models=(
        "ByteDance-Seed/Seed-OSS-36B-Instruct",
        "ByteDance-Seed/Seed-OSS-36B-Base",
        "ByteDance-Seed/Seed-OSS-36B-Base-woSyn",
        "praxisresearch/hf_seed_36b_sgtr_benign_0",
    ),
    wire_format=WireFormat(
        header=("<seed:bos>assistant\n",),
        reasoning=Reasoning(open=("<seed:think>",), close=("</seed:think>",), at_start_only=True),
        calls=(function_tags("<seed:tool_call>", "</seed:tool_call>", trim="none"),),
        content_trim="calls",
        stop=("<seed:eos>",),
    ),
    response_template=None,
    links=("https://huggingface.co/ByteDance-Seed/Seed-OSS-36B-Instruct",),
    spellings=("`True`, `False` and `None`, and Python literals: the template writes them so",),
    loss=(
        "values as text: types come from the tool's schema; without one they stay text, and the call says so",
        "a value that holds `</parameter>` and then `<parameter=` or `</function>` reads as more than one",
        "a value in which a line begins with `<parameter=`, or with `</function>` and the end of a call, ends there",
        "ids of calls: the template does not write them",
        "white space around content and reasoning: the template writes line breaks of its own there",
    ),
)
