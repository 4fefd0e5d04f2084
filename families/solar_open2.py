"""Solar Open 2: the name, then each argument in ``<|tool_arg:start|>`` marks of its own."""

from __future__ import annotations

from turnwire.wire.family import Family
from turnwire.wire.format import CallSyntax, Reasoning, TaggedBody, WireFormat

FAMILY = Family(
    name="solar_open2",
    aliases=(),
    models=("upstage/Solar-Open2-250B",),
    wire_format=WireFormat(
        header=("<|im:start|>assistant<|im:content|>",),
        prefill="<|think:start|>",
        reasoning=Reasoning(open=("<|think:start|>",), close=("<|think:end|>",), trim=False, at_start_only=True),
        calls=(
            CallSyntax(
                open=("<|tool_call:start|>",),
                close=("<|tool_call:end|>",),
                confirm=r"[^\s<]{1,256}\s{0,64}<\|tool_(?:arg:start|call:end)\|>",
                body=TaggedBody(
                    name_until=("\n",),
                    key_open=("<|tool_arg:start|>",),
                    key_until=("<|tool_arg:value|>",),
                    value_close=("<|tool_arg:end|>",),
                    strict_close=True,
                ),
            ),
        ),
        content_trim="calls",
        stop=("<|im:end|>",),
    ),
    response_template=None,
    links=("https://huggingface.co/upstage/Solar-Open2-250B",),
    loss=(
        "values as text: types come from the tool's schema; without one they stay text, and the call says so",
        "a value that holds `<|tool_arg:end|>` and then another mark of the format reads as more than one",
        "ids of calls: the template does not write them",
        "white space between content and calls",
    ),
)
