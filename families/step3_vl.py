"""Step 3 VL: calls as JSON between ``<tool_call>`` marks, in a section of calls."""

from __future__ import annotations

from turnwire.wire.family import Family
from turnwire.wire.format import CallSyntax, JsonBody, Reasoning, WireFormat
from turnwire.wire.shapes import CHATML_HEADER, CHATML_STOP

FAMILY = Family(
    name="step3_vl",
    aliases=(),
    models=("stepfun-ai/Step3-VL-10B",),
    wire_format=WireFormat(
        header=CHATML_HEADER,
        prefill="<think>\n",
        reasoning=Reasoning(at_start_only=True),
        calls=(
            CallSyntax(
                open=("<tool_calls>",),
                close=("</tool_calls>",),
                call_open=("<tool_call>",),
                call_close=("</tool_call>",),
                confirm=r"\s{0,64}<tool_call>\s{0,64}\{",
                body=JsonBody(shape="object"),
            ),
        ),
        content_trim="calls",
        stop=CHATML_STOP,
    ),
    response_template=None,
    links=("https://huggingface.co/stepfun-ai/Step3-VL-10B",),
    loss=(
        "ids of calls: the template does not write them",
        "white space around content and reasoning: the template writes line breaks of its own there",
    ),
)
