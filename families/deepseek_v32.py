"""DeepSeek V3.2: DSML, tags with a bar in front of their names and the kind of each value."""

from __future__ import annotations

from turnwire.wire.family import Family
from turnwire.wire.format import WireFormat
from turnwire.wire.shapes import DEEPSEEK_HEADER, DEEPSEEK_STOP, VERBATIM_THINKING, dsml_calls

FAMILY = Family(
    name="deepseek_v32",
    aliases=("deepseekv32",),
    models=("deepseek-ai/DeepSeek-V3.2",),
    wire_format=WireFormat(
        header=(*DEEPSEEK_HEADER, "</function_results>\n\n"),
        prefill="</think>",
        reasoning=VERBATIM_THINKING,
        calls=(dsml_calls("function_calls"),),
        stop=DEEPSEEK_STOP,
    ),
    response_template=None,
    links=("https://huggingface.co/deepseek-ai/DeepSeek-V3.2",),
    spellings=("no line break for a call without arguments: canitoolcall's deepseek fixtures",),
    loss=(
        "ids of calls: the template does not write them",
        "a value that holds `</｜DSML｜parameter>` and then another mark of the format reads as more than one",
    ),
)
