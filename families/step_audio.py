"""Step-Audio R1.1: the name on a line of its own, then JSON arguments, between ``<|CALL_START|>`` and its end."""

from __future__ import annotations

from turnwire.wire.family import Family
from turnwire.wire.format import CallSyntax, HeadBody, Reasoning, WireFormat

FAMILY = Family(
    name="step_audio",
    aliases=(),
    models=("stepfun-ai/Step-Audio-R1.1",),
    wire_format=WireFormat(
        header=("<|BOT|>assistant\n",),
        prefill="<think>\n",
        reasoning=Reasoning(at_start_only=True),
        calls=(
            CallSyntax(
                open=("<|CALL_START|>",),
                close=("<|CALL_END|>",),
                confirm=r"\s{0,64}function\n",
                body=HeadBody(until=("{",), keeps_mark=True, pattern=r"\s*function\n\s*(?P<name>[^\n]*[^\n\s])\s*"),
            ),
        ),
        content_trim="after_reasoning",
        stop=("<|EOT|>",),
    ),
    response_template=None,
    links=("https://huggingface.co/stepfun-ai/Step-Audio-R1.1",),
    loss=(
        "ids of calls: the template does not write them",
        "reasoning of earlier turns: the template cuts it out of what it writes",
    ),
)
