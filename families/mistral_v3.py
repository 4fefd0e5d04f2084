"""Mistral's v3 tokenizer (7B v0.3, Nemo, Mixtral 8x22B): an array of calls behind ``[TOOL_CALLS]``."""

from __future__ import annotations

from turnwire.wire.family import Family
from turnwire.wire.format import WireFormat
from turnwire.wire.shapes import MISTRAL_HEADER, MISTRAL_STOP, TOOL_CALLS_ARRAY

FAMILY = Family(
    name="mistral_v3",
    aliases=(),
    models=(
        "mistralai/Mistral-7B-Instruct-v0.3",
        "mistralai/Mistral-Nemo-Instruct-2407",
        "mistralai/Mistral-Small-Instruct-2409",
        "mistralai/Ministral-8B-Instruct-2410",
        "mistralai/Mixtral-8x22B-Instruct-v0.1",
        "unsloth/mistral-7b-instruct-v0.3",
    ),
    wire_format=WireFormat(header=MISTRAL_HEADER, calls=(TOOL_CALLS_ARRAY,), stop=MISTRAL_STOP),
    response_template=None,
    links=("https://huggingface.co/mistralai/Mistral-7B-Instruct-v0.3",),
    spellings=("`arguments` in front of `name`, no space behind the mark: canitoolcall's mistral fixtures",),
    loss=("content beside calls: the template writes either the one or the other",),
)
