"""LongCat: calls as JSON (Flash Chat) or as keys and values in turns (Flash Lite, 2.0), in tags of its own."""

from __future__ import annotations

from turnwire.wire.family import Family
from turnwire.wire.format import Reasoning, WireFormat
from turnwire.wire.shapes import argument_pairs, json_in

OPEN, CLOSE = "<longcat_tool_call>", "</longcat_tool_call>"

FAMILY = Family(
    name="longcat",
    aliases=(),
    models=(
        "meituan-longcat/LongCat-Flash-Chat",
        "meituan-longcat/LongCat-Flash-Lite",
        "meituan-longcat/LongCat-2.0",
    ),
    wire_format=WireFormat(
        header=("<longcat_assistant>", " ASSISTANT:"),
        reasoning=Reasoning(open=("<longcat_think>",), close=("</longcat_think>",), at_start_only=True),
        calls=(json_in(OPEN, CLOSE), argument_pairs(OPEN, CLOSE, "longcat_")),
        content_trim="calls",
        stop=("</longcat_s>",),
    ),
    response_template=None,
    links=(
        "https://huggingface.co/meituan-longcat/LongCat-Flash-Chat",
        "https://huggingface.co/meituan-longcat/LongCat-2.0",
    ),
    loss=(
        "values as text (Flash Lite, 2.0): types come from the tool's schema; without one they stay text",
        "a value that holds `</longcat_arg_value>` and then another mark of the format reads as more than one",
        "a value that holds `</longcat_tool_call>` and then a mark that ends the turn: it ends there as well",
        "ids of calls: the templates do not write them",
        "white space around content and reasoning: the templates write line breaks of their own there",
    ),
    prefilled={"<longcat_think>": ("meituan-longcat/LongCat-2.0",)},
)
