"""Nemotron Mini: calls as JSON between ``<toolcall>`` marks."""

from __future__ import annotations

from turnwire.wire.family import Family
from turnwire.wire.format import WireFormat
from turnwire.wire.shapes import json_in

FAMILY = Family(
    name="nemotron_mini",
    aliases=(),
    models=("nvidia/Nemotron-Mini-4B-Instruct",),
    wire_format=WireFormat(
        header=("<extra_id_1>Assistant\n",),
        calls=(json_in("<toolcall>", "</toolcall>"),),
        content_trim="calls",
        stop=("<extra_id_1>",),
    ),
    response_template=None,
    links=("https://huggingface.co/nvidia/Nemotron-Mini-4B-Instruct",),
    spellings=("the whole call: the model card; the template does not write it",),
    loss=("calls, and reasoning: the template does not write them",),
)
