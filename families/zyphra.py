"""Zyphra: ``<function=NAME>`` with ``<parameter=KEY>`` inside, between ``<zyphra_tool_call>`` marks."""

from __future__ import annotations

from turnwire.wire.family import Family
from turnwire.wire.format import Reasoning, WireFormat
from turnwire.wire.shapes import CHATML_HEADER, CHATML_STOP, function_tags

FAMILY = Family(
    name="zyphra",
    aliases=(),
    models=("OsaurusAI/Osaurus-AppleScript-8B-JANG_6M",),
    wire_format=WireFormat(
        header=CHATML_HEADER,
        prefill="<think>\n",
        reasoning=Reasoning(at_start_only=True),
        calls=(function_tags("<zyphra_tool_call>", "</zyphra_tool_call>"),),
        content_trim="calls",
        stop=CHATML_STOP,
    ),
    response_template=None,
    links=("https://huggingface.co/OsaurusAI/Osaurus-AppleScript-8B-JANG_6M",),
    spellings=("`True`, `False` and `None`: the template writes them so",),
    loss=(
        "values as text: types come from the tool's schema; without one they stay text, and the call says so",
        "a value that holds `</parameter>` and then `<parameter=` or `</function>` reads as more than one",
        "a value in which a line begins with `<parameter=`, or with `</function>` and the end of a call, ends there",
        "ids of calls: the template does not write them",
        "white space around content and reasoning: the template writes line breaks of its own there",
    ),
)
