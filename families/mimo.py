"""MiMo: ``<function=NAME>`` with ``<parameter=KEY>`` inside, values with no line break of the format's around them."""

from __future__ import annotations

from turnwire.wire.family import Family
from turnwire.wire.format import Reasoning, WireFormat
from turnwire.wire.shapes import CHATML_HEADER, CHATML_STOP, function_tags

FAMILY = Family(
    name="mimo",
    aliases=(),
    models=("XiaomiMiMo/MiMo-V2-Flash", "XiaomiMiMo/MiMo-V2.5", "XiaomiMiMo/MiMo-V2.5-Pro"),
    wire_format=WireFormat(
        header=CHATML_HEADER,
        reasoning=Reasoning(ends_at_call=True, at_start_only=True),
        calls=(function_tags("<tool_call>", "</tool_call>", trim="none"),),
        content_trim="calls",
        stop=CHATML_STOP,
    ),
    response_template=None,
    links=("https://huggingface.co/XiaomiMiMo/MiMo-V2-Flash", "https://huggingface.co/XiaomiMiMo/MiMo-V2.5"),
    spellings=("`True`, `False` and `None`: the templates write them so",),
    loss=(
        "values as text: types come from the tool's schema; without one they stay text, and the call says so",
        "a type like string or integer: the first that fits is taken, in the schema's order, text last",
        "a value that holds `</parameter>` and then `<parameter=` or `</function>` reads as more than one",
        "a value in which a line begins with `<parameter=`, or with `</function>` and `</tool_call>`, ends there",
        "ids of calls: the template does not write them",
        "white space around content and reasoning",
    ),
    prefilled={"<think></think>": ("XiaomiMiMo/MiMo-V2-Flash",)},
)
