"""Apertus: an array of ``{NAME: ARGUMENTS}`` between ``<|tools_prefix|>`` and ``<|tools_suffix|>``."""

from __future__ import annotations

from turnwire.wire.family import Family
from turnwire.wire.format import CallSyntax, JsonBody, Reasoning, WireFormat

FAMILY = Family(
    name="apertus",
    aliases=("apertus2509",),
    models=(
        "swiss-ai/Apertus-8B-Instruct-2509",
        "swiss-ai/Apertus-70B-Instruct-2509",
        "EPFLiGHT/Apertus-70B-MeditronFO",
        "danish-foundation-models/croco-munin-apertus-8b-da-simpo-full-50k",
    ),
    wire_format=WireFormat(
        header=("<|assistant_start|>",),
        # A call that is made while the thoughts are open does not end them for good, but nothing else marks it.
        reasoning=Reasoning(
            open=("<|inner_prefix|>",),
            close=("<|inner_suffix|>",),
            trim=False,
            ends_at_call=True,
        ),
        calls=(
            CallSyntax(
                open=("<|tools_prefix|>",),
                close=("<|tools_suffix|>",),
                confirm=r"\s{0,64}\[",
                body=JsonBody(shape="array", name_is_key=True),
            ),
        ),
        stop=("<|assistant_end|>",),
    ),
    response_template=None,
    links=("https://huggingface.co/swiss-ai/Apertus-8B-Instruct-2509",),
    loss=(
        "ids of calls: the template does not write them",
        "reasoning: the template takes it as a block of the content alone, not as a field of its own",
    ),
)
