"""Hunyuan 3: the name, then ``<arg_key>`` and ``<arg_value>`` in turns, each call in a section of several."""

from __future__ import annotations

from turnwire.wire.family import Family
from turnwire.wire.format import CallSyntax, Reasoning, TaggedBody, WireFormat


def section(suffix: str) -> CallSyntax:
    """Calls in tags that all end in *suffix*, which the released tokenizer puts behind their names."""
    key, end = f"<arg_key{suffix}>", f"</tool_call{suffix}>"
    return CallSyntax(
        open=(f"<tool_calls{suffix}>",),
        close=(f"</tool_calls{suffix}>",),
        call_open=(f"<tool_call{suffix}>",),
        call_close=(end,),
        confirm=rf"\s{{0,64}}<tool_call{suffix}>\s{{0,64}}[^\s<\[{{]",
        body=TaggedBody(
            name_until=(f"<tool_sep{suffix}>",),
            name_before=("\n", key, end),
            key_open=(key,),
            key_until=(f"</arg_key{suffix}>",),
            value_open=(f"<arg_value{suffix}>",),
            value_close=(f"</arg_value{suffix}>",),
            strict_close=True,
        ),
    )


FAMILY = Family(
    name="hy3",
    aliases=("hunyuan", "hy_v3"),
    models=("tencent/Hy3", "tencent/Hy3-preview", "tencent/Hy-MT2-30B-A3B"),
    wire_format=WireFormat(
        header=("<｜hy_Assistant:opensource｜>", "<｜hy_Assistant｜>"),
        reasoning=Reasoning(
            open=("<think>", "<think:opensource>"),
            close=("</think>", "</think:opensource>"),
            trim=False,
            at_start_only=True,
            paired=True,
        ),
        calls=(section(""), section(":opensource")),
        content_trim="calls",
        stop=("<｜hy_eos:opensource｜>", "<｜hy_eos｜>", "<eos:6124c78e>"),
    ),
    response_template=None,
    links=("https://huggingface.co/tencent/Hy3", "https://huggingface.co/tencent/Hy3-preview"),
    spellings=("no `<tool_sep>` behind the name: Hunyuan 4, SGLang's parser of the name hunyuan",),
    loss=(
        "values as text: types come from the tool's schema; without one they stay text, and the call says so",
        "a value that holds `</arg_value>` and then `<arg_key>` or `</tool_call>` reads as more than one",
        "ids of calls: the template does not write them",
        "white space between content and calls",
    ),
)
