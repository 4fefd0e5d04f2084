"""HyperCLOVA X SEED 32B and Omni: GLM's keys and values in turns, in ChatML."""

from __future__ import annotations

from turnwire.wire.family import Family
from turnwire.wire.format import Reasoning, WireFormat
from turnwire.wire.shapes import CHATML_HEADER, CHATML_STOP, argument_pairs

FAMILY = Family(
    name="hyperclovax_pairs",
    aliases=(),
    models=("naver-hyperclovax/HyperCLOVAX-SEED-Think-32B", "naver-hyperclovax/HyperCLOVAX-SEED-Omni-8B"),
    wire_format=WireFormat(
        header=CHATML_HEADER,
        reasoning=Reasoning(at_start_only=True),
        calls=(argument_pairs("<tool_call>", "</tool_call>"),),
        content_trim="calls",
        stop=CHATML_STOP,
    ),
    response_template=None,
    links=(
        "https://huggingface.co/naver-hyperclovax/HyperCLOVAX-SEED-Think-32B",
        "https://huggingface.co/naver-hyperclovax/HyperCLOVAX-SEED-Omni-8B",
    ),
    loss=(
        "values as text: types come from the tool's schema; without one they stay text, and the call says so",
        "a value that holds `</arg_value>` and then `<arg_key>` or `</tool_call>` reads as more than one",
        "a value that holds `</tool_call>` and then a mark that ends the turn: it ends there as well",
        "ids of calls: the template does not write them",
        "white space around content and reasoning: the template writes line breaks of its own there",
    ),
    prefilled={
        "<think>\n\n</think>\n\n": ("naver-hyperclovax/HyperCLOVAX-SEED-Think-32B",),
        "<think>\n": ("naver-hyperclovax/HyperCLOVAX-SEED-Omni-8B",),
    },
)
