"""Nemotron built on Llama, and Nemotron Nano 2: an array of calls as JSON between ``<TOOLCALL>`` marks."""

from __future__ import annotations

from turnwire.wire.family import Family
from turnwire.wire.format import JsonBody, Reasoning, WireFormat
from turnwire.wire.shapes import json_in

NANO = (
    "nvidia/NVIDIA-Nemotron-Nano-9B-v2",
    "nvidia/NVIDIA-Nemotron-Nano-12B-v2",
    "nvidia/NVIDIA-Nemotron-Nano-9B-v2-Japanese",
)

FAMILY = Family(
    name="nemotron_json",
    aliases=("llama_nemotron_json", "nemotron"),
    models=(
        "nvidia/Llama-3.1-Nemotron-Nano-8B-v1",
        "nvidia/Llama-3_3-Nemotron-Super-49B-v1_5",
        *NANO,
    ),
    wire_format=WireFormat(
        header=("<|start_header_id|>assistant<|end_header_id|>\n\n", "<SPECIAL_11>Assistant\n"),
        reasoning=Reasoning(at_start_only=True),
        calls=(json_in("<TOOLCALL>", "</TOOLCALL>", JsonBody(shape="array")),),
        content_trim="calls",
        stop=("<|eot_id|>", "<|end_of_text|>", "\n<SPECIAL_12>", "<SPECIAL_12>"),
    ),
    response_template=None,
    links=(
        "https://huggingface.co/nvidia/Llama-3_3-Nemotron-Super-49B-v1_5",
        "https://huggingface.co/nvidia/NVIDIA-Nemotron-Nano-12B-v2",
    ),
    loss=(
        "ids of calls: the templates do not write them",
        "reasoning of earlier turns: the templates cut it out of what they write",
        "content beside calls: the template of Llama-3.1-Nemotron-Nano-8B-v1 does not write it",
        "content beside the calls of a last message: the template of Nemotron Nano 2 writes it as a turn of its own",
        "white space around content and reasoning: the templates write line breaks of their own there",
    ),
    prefilled={"<think>\n": NANO},
)
