"""Solar Open: a message of its own for reasoning, content, and a section of calls with ids and JSON arguments."""

from __future__ import annotations

from turnwire.wire.family import Family
from turnwire.wire.format import CallSyntax, HeadBody, Reasoning, WireFormat

NEXT = "<|begin|>assistant"

FAMILY = Family(
    name="solar_open",
    aliases=(),
    models=("upstage/Solar-Open-100B",),
    wire_format=WireFormat(
        header=(NEXT,),
        reasoning=Reasoning(open=("<|think|>", f"{NEXT}<|think|>"), close=("<|end|>",), trim=False),
        calls=(
            CallSyntax(
                open=("<|tool_call:begin|>",),
                close=("<|tool_call:end|>",),
                confirm=r"[^<]{0,256}<\|tool_call:name\|>",
                body=HeadBody(
                    until=("<|tool_call:args|>",),
                    pattern=r"\s*(?P<id>[^<]*)<\|tool_call:name\|>\s*(?P<name>\S(?:.*\S)?)\s*",
                ),
            ),
        ),
        dropped=(NEXT, *(before + mark for before in ("", NEXT) for mark in ("<|content|>", "<|tool_calls|>"))),
        stop=("<|end|>", "<|calls|>", "<|flush|>"),
    ),
    response_template=None,
    links=("https://huggingface.co/upstage/Solar-Open-100B",),
    loss=(
        "content beside calls: the template writes either the one or the other",
        "reasoning: the template takes it from a key `reasoning` alone",
    ),
)
