"""Laguna: GLM's keys and values in turns, between ``<tool_call>`` marks, in an ``<assistant>`` element."""

from __future__ import annotations

from turnwire.wire.family import Family
from turnwire.wire.format import Reasoning, WireFormat
from turnwire.wire.shapes import argument_pairs

THINKING = ("poolside/Laguna-S-2.1", "unsloth/Laguna-S-2.1")

FAMILY = Family(
    name="laguna",
    aliases=("poolside_v1",),
    models=("poolside/Laguna-XS-2.1", *THINKING),
    wire_format=WireFormat(
        header=("<assistant>\n", "<assistant>"),
        prefill="</think>",
        reasoning=Reasoning(at_start_only=True),
        calls=(argument_pairs("<tool_call>", "</tool_call>", recover_at_end=False),),
        content_trim="calls",
        stop=("</assistant>",),
    ),
    response_template=None,
    links=("https://huggingface.co/poolside/Laguna-S-2.1", "https://huggingface.co/poolside/Laguna-XS-2.1"),
    loss=(
        "values as text: types come from the tool's schema; without one they stay text, and the call says so",
        "a value that holds `</arg_value>` and then `<arg_key>` or `</tool_call>` reads as more than one",
        "ids of calls: the templates do not write them",
        "white space around content and reasoning: some of the templates write line breaks of their own there",
    ),
    prefilled={"<think>": THINKING},
)
