"""GigaChat 3.5: GCML, tags with a bar in front of their names and the kind of each value."""

from __future__ import annotations

from turnwire.wire.family import Family
from turnwire.wire.format import Reasoning, WireFormat
from turnwire.wire.shapes import dsml_calls

FAMILY = Family(
    name="gigachat35",
    aliases=(),
    models=(),
    wire_format=WireFormat(
        header=("assistant<|role_sep|>\n",),
        reasoning=Reasoning(at_start_only=True),
        calls=(dsml_calls("tool_calls", language="GCML"),),
        content_trim="calls",
        stop=("<|message_sep|>", "</s>"),
    ),
    response_template=None,
    links=("https://github.com/sgl-project/sglang",),
    spellings=("the whole format: SGLang's parser of this name; no template that writes it was seen",),
    loss=("a value that holds `</｜GCML｜parameter>` and then another mark of the format reads as more than one",),
)
