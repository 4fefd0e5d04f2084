"""Olmo 3: calls as Python writes them, one a line, between ``<function_calls>`` marks."""

from __future__ import annotations

from turnwire.wire.family import Family
from turnwire.wire.format import CallSyntax, PythonBody, Reasoning, WireFormat
from turnwire.wire.shapes import CHATML_HEADER

THINKING = (
    "allenai/Olmo-3-7B-Think",
    "allenai/Olmo-3-7B-Think-DPO",
    "allenai/Olmo-3-7B-Think-SFT",
    "allenai/Olmo-3-32B-Think",
    "allenai/Olmo-3.1-32B-Think",
    "allenai/Olmo-Hybrid-Think-SFT-7B",
)

FAMILY = Family(
    name="olmo3",
    aliases=(),
    models=(
        "allenai/Olmo-3-7B-Instruct",
        "allenai/Olmo-3-7B-Instruct-SFT",
        "allenai/Olmo-3-7B-Instruct-DPO",
        "allenai/Olmo-3.1-32B-Instruct",
        "allenai/Olmo-3.1-32B-Instruct-SFT",
        "allenai/Olmo-3.1-32B-Instruct-DPO",
        "allenai/Olmo-Hybrid-Instruct-SFT-7B",
        "allenai/Olmo-Hybrid-Instruct-DPO-7B",
        *THINKING,
    ),
    wire_format=WireFormat(
        header=CHATML_HEADER,
        reasoning=Reasoning(at_start_only=True),
        calls=(
            CallSyntax(
                open=("<function_calls>",),
                close=("</function_calls>",),
                confirm=r"\s{0,64}\[?\s{0,64}[A-Za-z_][\w.\-]{0,128}\(",
                body=PythonBody(),
            ),
        ),
        content_trim="calls",
        stop=("<|endoftext|>", "<|im_end|>"),
    ),
    response_template=None,
    links=(
        "https://huggingface.co/allenai/Olmo-3-7B-Instruct",
        "https://huggingface.co/allenai/Olmo-Hybrid-Think-SFT-7B",
    ),
    spellings=("`true`, `false` and `null`: the templates write values as JSON",),
    loss=(
        "ids of calls, and reasoning: the templates do not write them",
        "names of tools and arguments that Python would not take",
        "white space between content and calls",
    ),
    prefilled={"<think>": THINKING},
)
