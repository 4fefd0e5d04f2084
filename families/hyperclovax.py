"""HyperCLOVA X SEED Think: a message of its own for reasoning, content and an array of calls as JSON."""

from __future__ import annotations

from turnwire.wire.family import Family
from turnwire.wire.format import CallSyntax, JsonBody, Reasoning, WireFormat

NEXT = "<|im_end|>\n<|im_start|>assistant"
CALL = " -> tool/function_call\n"

FAMILY = Family(
    name="hyperclovax",
    aliases=(),
    models=("naver-hyperclovax/HyperCLOVAX-SEED-Think-14B",),
    wire_format=WireFormat(
        header=("<|im_start|>assistant",),
        lead=("\n",),
        reasoning=Reasoning(open=("/think\n",), close=(f"{NEXT}\n", NEXT), at_start_only=True),
        calls=(CallSyntax(open=(f"{NEXT}{CALL}", CALL), confirm=r"\s{0,64}\[", body=JsonBody(shape="array")),),
        content_trim="calls",
        dropped=(f"{NEXT}\n", NEXT),
        stop=("<|stop|>", "<|endofturn|>", "<|im_end|>"),
    ),
    response_template=None,
    links=("https://huggingface.co/naver-hyperclovax/HyperCLOVAX-SEED-Think-14B",),
    loss=(
        "ids of calls: the template does not write them",
        "white space around content and reasoning: the template writes line breaks of its own there",
    ),
)
