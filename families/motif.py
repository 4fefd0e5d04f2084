"""Motif 2 and 3: calls as JSON between ``<tool_call>`` marks."""

from __future__ import annotations

from turnwire.wire.family import Family
from turnwire.wire.format import Reasoning, WireFormat
from turnwire.wire.shapes import TOOL_CALL_JSON

FAMILY = Family(
    name="motif",
    aliases=(),
    models=(
        "Motif-Technologies/Motif-2-12.7B-Instruct",
        "Motif-Technologies/Motif-2-12.7B-Reasoning",
        "Motif-Technologies/Motif-3-Beta",
    ),
    wire_format=WireFormat(
        header=("<|assistant|>",),
        reasoning=Reasoning(at_start_only=True),
        calls=(TOOL_CALL_JSON,),
        content_trim="calls",
        stop=("<|endofturn|>", "<|endoftext|>"),
    ),
    response_template=None,
    links=(
        "https://huggingface.co/Motif-Technologies/Motif-3-Beta",
        "https://huggingface.co/Motif-Technologies/Motif-2-12.7B-Reasoning",
    ),
    loss=(
        "calls without arguments: the template of Motif 3 writes nothing where they should be",
        "the place of calls: the templates of Motif 2 write them in front of reasoning and content",
        "ids of calls: the templates do not write them",
        "white space around content and reasoning: the templates write line breaks of their own there",
    ),
    prefilled={
        "<think>": ("Motif-Technologies/Motif-3-Beta",),
        "<think>\n": ("Motif-Technologies/Motif-2-12.7B-Reasoning",),
    },
)
