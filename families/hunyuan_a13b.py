"""Hunyuan A13B and the small Hunyuan models: the name in front of a JSON code block, or an array of calls as JSON."""

from __future__ import annotations

from turnwire.wire.family import Family
from turnwire.wire.format import CallSyntax, HeadBody, JsonBody, Reasoning, WireFormat

EMBODIED = (
    "tencent/HY-Embodied-0.5",
    "tencent/HY-Embodied-0.5-X",
    "tencent/Hy-Embodied-RxBrain-1.0",
    "tencent/Hy-Embodied-0.5-VLA-UMI",
    "tencent/Hy-Embodied-0.5-VLA-RoboTwin",
)

FAMILY = Family(
    name="hunyuan_a13b",
    aliases=(),
    models=(
        "tencent/Hunyuan-A13B-Instruct",
        "tencent/Hunyuan-7B-Instruct",
        "tencent/Hunyuan-0.5B-Instruct",
        "tencent/Hunyuan-1.8B-Instruct",
        "tencent/Hunyuan-4B-Instruct",
        "tencent/Hunyuan-0.5B-Pretrain",
        "tencent/Hunyuan-1.8B-Pretrain",
        "tencent/Hunyuan-4B-Pretrain",
        "tencent/Hunyuan-7B-Pretrain",
        *EMBODIED,
    ),
    wire_format=WireFormat(
        header=("<｜hy_Assistant｜>", "<|extra_0|>"),
        reasoning=Reasoning(at_start_only=True),
        calls=(
            CallSyntax(
                open=("<tool_calls>",),
                close=("</tool_calls>",),
                call_open=("<tool_call>",),
                call_close=("</tool_call>",),
                confirm=r"\s{0,64}<tool_call>",
                body=HeadBody(until=("```json\n",), tail=("```",)),
            ),
            CallSyntax(
                open=("<tool_calls>",),
                close=("</tool_calls>",),
                confirm=r"\s{0,64}\[",
                body=JsonBody(shape="array"),
            ),
        ),
        content_trim="calls",
        dropped=("<answer>\n", "\n</answer>", "<answer>", "</answer>"),
        stop=("<｜hy_place▁holder▁no▁2｜>", "<|eos|>"),
    ),
    response_template=None,
    links=(
        "https://huggingface.co/tencent/Hunyuan-0.5B-Pretrain",
        "https://huggingface.co/tencent/Hunyuan-A13B-Instruct",
    ),
    spellings=(
        "an array of calls as JSON: Hunyuan-A13B-Instruct, whose template writes no calls at all; vLLM's parser of the "
        "same name reads it",
        "`<answer>` around what follows the reasoning: Hunyuan-A13B-Instruct",
    ),
    loss=(
        "ids of calls, and reasoning: the templates do not write them",
        "white space around content and reasoning",
    ),
)
