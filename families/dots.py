"""dots: ``<invoke name="NAME">`` with ``<parameter name="KEY">`` inside, or JSON, in a section of calls."""

from __future__ import annotations

from turnwire.wire.family import Family
from turnwire.wire.format import CallSyntax, Reasoning, TaggedBody, WireFormat
from turnwire.wire.shapes import json_in

OPEN, CLOSE = "<dots_function_call>", "</dots_function_call>"

FAMILY = Family(
    name="dots",
    aliases=(),
    models=(),
    wire_format=WireFormat(
        header=("<|response|>",),
        reasoning=Reasoning(at_start_only=True),
        calls=(
            CallSyntax(
                open=(OPEN,),
                close=(CLOSE,),
                call_open=("<invoke name=",),
                call_close=("</invoke>",),
                confirm=r"\s{0,64}<invoke name=",
                body=TaggedBody(
                    name_until=(">",),
                    name_pattern=r"""\s*["']?(?P<name>[^"'\s](?:[^"']*[^"'\s])?)["']?\s*""",
                    key_open=("<parameter name=",),
                    key_until=(">",),
                    key_pattern=r"""\s*["']?(?P<key>[^"'\s](?:[^"']*[^"'\s])?)["']?\s*""",
                    value_close=("</parameter>",),
                    strict_close=True,
                ),
            ),
            json_in(OPEN, CLOSE),
        ),
        content_trim="calls",
        stop=("<|endofresponse|>",),
    ),
    response_template=None,
    links=("https://github.com/sgl-project/sglang", "https://huggingface.co/dots-studio/dots.llm1.inst"),
    spellings=(
        "the whole call, as JSON too, and names without quotation marks: SGLang's parser of this name; no template "
        "that writes calls was seen",
    ),
    loss=(
        "values as text: types come from the tool's schema; without one they stay text, and the call says so",
        "a value that holds `</parameter>` and then `<parameter name=` or `</invoke>` reads as more than one",
    ),
)
