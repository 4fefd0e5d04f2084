"""GigaChat 3: one call as JSON behind ``<|function_call|>`` (3.1), or in a message of its own (3.0)."""

from __future__ import annotations

from turnwire.wire.family import Family
from turnwire.wire.format import CallSyntax, JsonBody, WireFormat

FAMILY = Family(
    name="gigachat3",
    aliases=(),
    models=("ai-sage/GigaChat3.1-10B-A1.8B", "ai-sage/GigaChat3.1-Audio-10B-A1.8B"),
    wire_format=WireFormat(
        header=("assistant<|role_sep|>\n",),
        calls=(
            CallSyntax(
                open=("<|function_call|>", "<|message_sep|>\n\nfunction call<|role_sep|>\n"),
                confirm=r"\s{0,64}\{",
                body=JsonBody(shape="object", wrapper=None),
            ),
        ),
        stop=("<|message_sep|>", "</s>"),
    ),
    response_template=None,
    links=(
        "https://huggingface.co/ai-sage/GigaChat3.1-10B-A1.8B",
        "https://huggingface.co/ai-sage/GigaChat3.1-Audio-10B-A1.8B",
    ),
    loss=("ids of calls, reasoning, and more than one call: the templates write one call, and the first alone",),
)
