"""Phi 4 mini and multimodal: an array of calls as JSON between ``<|tool_call|>`` marks, or behind ``functools``."""

from __future__ import annotations

from turnwire.wire.family import Family
from turnwire.wire.format import JsonBody, WireFormat
from turnwire.wire.shapes import FUNCTOOLS, json_in

FAMILY = Family(
    name="phi4_mini",
    aliases=("phi4_mini_json",),
    models=("microsoft/Phi-4-mini-instruct", "microsoft/Phi-4-multimodal-instruct"),
    wire_format=WireFormat(
        header=("<|assistant|>",),
        calls=(json_in("<|tool_call|>", "<|/tool_call|>", JsonBody()), FUNCTOOLS),
        content_trim="calls",
        stop=("<|end|>", "<|endoftext|>"),
    ),
    response_template=None,
    links=(
        "https://huggingface.co/microsoft/Phi-4-mini-instruct",
        "https://huggingface.co/microsoft/Phi-4-multimodal-instruct",
    ),
    spellings=(
        "`functools[…]`: vLLM's parser of the name phi4_mini_json; the model cards show the `<|tool_call|>` marks",
    ),
    loss=("calls: the template does not write them",),
)
