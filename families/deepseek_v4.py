"""DeepSeek V4: DSML as in V3.2, under another name for the section."""

from __future__ import annotations

from turnwire.wire.family import Family
from turnwire.wire.format import WireFormat
from turnwire.wire.shapes import DEEPSEEK_HEADER, DEEPSEEK_STOP, VERBATIM_THINKING, dsml_calls

FAMILY = Family(
    name="deepseek_v4",
    aliases=("deepseekv4",),
    models=("deepseek-ai/DeepSeek-V4-Flash", "deepseek-ai/DeepSeek-V4-Pro", "unsloth/DeepSeek-V4-Flash"),
    wire_format=WireFormat(
        header=DEEPSEEK_HEADER,
        prefill="</think>",
        reasoning=VERBATIM_THINKING,
        calls=(dsml_calls("tool_calls"),),
        stop=DEEPSEEK_STOP,
    ),
    response_template=None,
    links=("https://huggingface.co/deepseek-ai/DeepSeek-V4-Flash",),
    spellings=('`<｜DSML｜invoke name="N"/>` for a call without arguments: canitoolcall\'s deepseek fixtures',),
    loss=(
        "ids of calls: the template does not write them",
        "a value that holds `</｜DSML｜parameter>` and then another mark of the format reads as more than one",
    ),
)
