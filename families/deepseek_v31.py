"""DeepSeek V3.1: the name in front of JSON arguments, between the family's own bars."""

from __future__ import annotations

from turnwire.wire.family import Family
from turnwire.wire.format import HeadBody, WireFormat
from turnwire.wire.shapes import DEEPSEEK_HEADER, DEEPSEEK_STOP, VERBATIM_THINKING, deepseek_calls

FAMILY = Family(
    name="deepseek_v31",
    aliases=("deepseekv31",),
    models=("deepseek-ai/DeepSeek-V3.1", "deepseek-ai/DeepSeek-V3.1-Terminus", "tencent/DeepSeek-V3.1-Terminus-W4AFP8"),
    wire_format=WireFormat(
        header=DEEPSEEK_HEADER,
        prefill="</think>",
        reasoning=VERBATIM_THINKING,
        calls=(deepseek_calls(HeadBody(until=("<｜tool▁sep｜>",))),),
        stop=DEEPSEEK_STOP,
    ),
    response_template=None,
    links=("https://huggingface.co/deepseek-ai/DeepSeek-V3.1",),
    loss=("ids of calls: the template does not write them",),
)
