"""K2 Horizon: keys and values in turns, perhaps with a type between them, or JSON, in tags of the space ``ifm``."""

from __future__ import annotations

from turnwire.wire.family import Family
from turnwire.wire.format import CallSyntax, JsonBody, Reasoning, TaggedBody, WireFormat
from turnwire.wire.shapes import json_in

OPEN, CLOSE, KEY = "<ifm|tool_call>", "</ifm|tool_call>", "<ifm|arg_key>"
LEVELS = ("think", "think_fast", "think_faster")

FAMILY = Family(
    name="k2_horizon",
    aliases=(),
    models=(),
    wire_format=WireFormat(
        reasoning=Reasoning(
            open=tuple(f"<ifm|{level}>" for level in LEVELS),
            close=tuple(f"</ifm|{level}>" for level in LEVELS),
            ends_at_call=True,
            at_start_only=True,
            paired=True,
        ),
        calls=(
            json_in(OPEN, CLOSE, JsonBody()),
            CallSyntax(
                open=(OPEN,),
                close=(CLOSE,),
                confirm=r"\s{0,64}[^\s<]{1,256}\s{0,64}(?:<ifm\|arg_key>|</ifm\|tool_call>)",
                body=TaggedBody(
                    name_until=(),
                    name_before=(KEY, CLOSE),
                    key_open=(KEY,),
                    key_until=("<ifm|arg_value>",),
                    key_pattern=r"\s*(?P<key>[^<\s](?:[^<]*[^<\s])?)\s*</ifm\|arg_key>\s*"
                    r"(?:<ifm\|arg_type>(?:\s*(?P<type>string|integer|number|boolean|null|array|object)\s*|[^<]*)"
                    r"</ifm\|arg_type>\s*)?",
                    value_close=("</ifm|arg_value>",),
                    strict_close=True,
                ),
            ),
        ),
        content_trim="calls",
        dropped=("<ifm|tool_calls>", "</ifm|tool_calls>"),
    ),
    response_template=None,
    links=("https://github.com/sgl-project/sglang",),
    spellings=(
        "the whole format: SGLang's parser of this name; no template that writes it was seen, nor what begins and ends "
        "a turn",
    ),
    loss=(
        "values as text, where no type is written: types come from the tool's schema; without one they stay text",
        "a value that holds `</ifm|arg_value>` and then another mark of the format reads as more than one",
    ),
)
