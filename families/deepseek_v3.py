"""DeepSeek V3 and R1: the name in front of a JSON code block, between the family's own bars."""

from __future__ import annotations

from turnwire.wire.family import Family
from turnwire.wire.format import HeadBody, WireFormat
from turnwire.wire.shapes import DEEPSEEK_HEADER, DEEPSEEK_STOP, VERBATIM_THINKING, deepseek_calls

R1 = (
    "deepseek-ai/DeepSeek-R1",
    "deepseek-ai/DeepSeek-R1-Distill-Qwen-1.5B",
    "deepseek-ai/DeepSeek-R1-Distill-Qwen-7B",
    "deepseek-ai/DeepSeek-R1-Distill-Qwen-14B",
    "deepseek-ai/DeepSeek-R1-Distill-Qwen-32B",
    "deepseek-ai/DeepSeek-R1-Distill-Llama-8B",
    "deepseek-ai/DeepSeek-R1-Distill-Llama-70B",
    "microsoft/MAI-DS-R1",
)

FAMILY = Family(
    name="deepseek_v3",
    aliases=("deepseekv3", "deepseek_r1", "deepseek-r1"),
    models=(
        "deepseek-ai/DeepSeek-V3",
        "deepseek-ai/DeepSeek-V3-0324",
        "deepseek-ai/DeepSeek-R1-0528",
        "deepseek-ai/DeepSeek-V2.5",
        "deepseek-ai/DeepSeek-V2.5-1210",
        "deepseek-ai/DeepSeek-Coder-V2-Instruct-0724",
        *R1,
    ),
    wire_format=WireFormat(
        header=DEEPSEEK_HEADER,
        reasoning=VERBATIM_THINKING,
        calls=(
            deepseek_calls(
                HeadBody(until=("```json\n",), pattern=r"\s*\w+<｜tool▁sep｜>(?P<name>[^\n]+)\n", tail=("```",))
            ),
        ),
        stop=DEEPSEEK_STOP,
    ),
    response_template=None,
    links=("https://huggingface.co/deepseek-ai/DeepSeek-V3-0324", "https://huggingface.co/deepseek-ai/DeepSeek-R1"),
    spellings=("calls with a line break between them, or none: canitoolcall's deepseek fixtures",),
    loss=(
        "ids of calls: the template does not write them",
        "content beside calls: the templates of V2.5 and R1 write either the one or the other",
        "reasoning of earlier turns: the templates cut it out of what they write",
    ),
    prefilled={"<think>\n": ("deepseek_r1", "deepseek-r1", *R1)},
)
