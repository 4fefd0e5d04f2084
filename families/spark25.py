"""Spark 2.5: GLM's keys and values in turns, between ``<tool_call>`` marks."""

from __future__ import annotations

from turnwire.wire.family import Family
from turnwire.wire.format import WireFormat
from turnwire.wire.shapes import argument_pairs

FAMILY = Family(
    name="spark25",
    aliases=(),
    models=(),
    wire_format=WireFormat(
        calls=(argument_pairs("<tool_call>", "</tool_call>", recover_at_end=False),), content_trim="calls"
    ),
    response_template=None,
    links=("https://github.com/sgl-project/sglang",),
    spellings=(
        "the whole format: SGLang's parser of this name; no template that writes it was seen, nor what begins and ends "
        "a turn",
    ),
    loss=(
        "values as text: types come from the tool's schema; without one they stay text, and the call says so",
        "a value that holds `</arg_value>` and then `<arg_key>` or `</tool_call>` reads as more than one",
    ),
)
