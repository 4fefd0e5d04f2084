"""DeepSeek V4.1: DSML with a space behind the bar of every tag."""

from __future__ import annotations

from turnwire.wire.family import Family
from turnwire.wire.format import WireFormat
from turnwire.wire.shapes import DEEPSEEK_HEADER, DEEPSEEK_STOP, VERBATIM_THINKING, dsml_calls

FAMILY = Family(
    name="deepseek_v41",
    aliases=(),
    models=("deepseek-ai/DeepSeek-V4.1-Flash",),
    wire_format=WireFormat(
        header=DEEPSEEK_HEADER,
        prefill="</think>",
        reasoning=VERBATIM_THINKING,
        calls=(dsml_calls("calls", space=" "),),
        stop=DEEPSEEK_STOP,
    ),
    response_template=None,
    links=("https://huggingface.co/deepseek-ai/DeepSeek-V4.1-Flash",),
    loss=(
        "ids of calls: the template does not write them",
        "a value that holds `</｜DSML｜ parameter>` and then another mark of the format reads as more than one",
    ),
)
