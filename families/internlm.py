"""InternLM 2.5 and Intern-S1: a call as JSON between ``<|action_start|><|plugin|>`` and ``<|action_end|>``."""

from __future__ import annotations

from turnwire.wire.family import Family
from turnwire.wire.format import CallSyntax, JsonBody, Reasoning, WireFormat
from turnwire.wire.shapes import CHATML_HEADER, CHATML_STOP, JSON_BEGINS

S1 = ("internlm/Intern-S1-mini", "internlm/Intern-S1")

FAMILY = Family(
    name="internlm",
    aliases=("intern_s1", "interns1"),
    models=("internlm/internlm2_5-7b-chat", *S1),
    wire_format=WireFormat(
        header=CHATML_HEADER,
        reasoning=Reasoning(at_start_only=True),
        calls=(
            CallSyntax(
                open=("<|action_start|><|plugin|>", "<|action_start|> <|plugin|>"),
                close=("<|action_end|>",),
                confirm=JSON_BEGINS,
                body=JsonBody(),
            ),
        ),
        content_trim="calls",
        stop=CHATML_STOP,
    ),
    response_template=None,
    links=("https://huggingface.co/internlm/Intern-S1-mini", "https://huggingface.co/internlm/internlm2_5-7b-chat"),
    spellings=(
        "a space between the two marks, `arguments` for `parameters`: SGLang's parser of the name interns1",
        "calls of internlm2_5-7b-chat, whose template writes none: vLLM's parser of this name",
    ),
    loss=(
        "ids of calls: the template does not write them",
        "white space around content and reasoning: the template writes line breaks of its own there",
        "code for an interpreter, which follows `<|action_start|><|interpreter|>`: it stays content",
    ),
    prefilled={"<think>": ("intern_s1", "interns1", *S1)},
)
