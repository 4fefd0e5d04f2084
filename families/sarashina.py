"""Sarashina 2.2: a list of calls as Python writes its objects, behind ``<|tool_calls|>``."""

from __future__ import annotations

from turnwire.wire.family import Family
from turnwire.wire.format import CallSyntax, JsonBody, WireFormat

FAMILY = Family(
    name="sarashina",
    aliases=(),
    models=("sbintuitions/sarashina2.2-3b-instruct-v0.1", "sbintuitions/sarashina2.2-0.5b-instruct-v0.1"),
    wire_format=WireFormat(
        header=("<|assistant|>",),
        calls=(
            CallSyntax(
                open=("<|tool_calls|>",),
                confirm=r"\s{0,64}\[",
                body=JsonBody(shape="array", wrapper=None, codec="python"),
            ),
        ),
        stop=("</s>", "<|user|>", "<|tool|>"),
    ),
    response_template=None,
    links=("https://huggingface.co/sbintuitions/sarashina2.2-3b-instruct-v0.1",),
    spellings=("no comma between two calls: the template",),
    loss=(
        "calls as OpenAI's API has them: the template takes name and arguments beside the id, not inside of `function`",
        "reasoning: the template does not write it",
    ),
)
