"""Kimi K3: channels for reasoning, response and tools, typed arguments in tags made of control tokens."""

from __future__ import annotations

from turnwire.wire.family import Family
from turnwire.wire.format import CallSyntax, Reasoning, TaggedBody, WireFormat

FAMILY = Family(
    name="kimi_k3",
    aliases=(),
    models=("moonshotai/Kimi-K3",),
    wire_format=WireFormat(
        header=('<|open|>message role="assistant"<|sep|>',),
        prefill="<|open|>think<|sep|>",
        # A response that begins while the thoughts are open has ended them.
        reasoning=Reasoning(
            open=("<|open|>think<|sep|>",), close=("<|close|>think<|sep|>", "<|open|>response<|sep|>"), trim=False
        ),
        calls=(
            CallSyntax(
                open=("<|open|>tools<|sep|>",),
                close=("<|close|>tools<|sep|>",),
                call_open=("<|open|>call ",),
                call_close=("<|close|>call<|sep|>",),
                confirm=r"\s{0,64}<\|open\|>call ",
                body=TaggedBody(
                    name_until=("<|sep|>",),
                    name_pattern=r'tool="(?P<name>[^"]*)".*',
                    key_open=("<|open|>argument ",),
                    key_until=("<|sep|>",),
                    key_pattern=r'key="(?P<key>[^"]*)"(?: type="(?P<type>\w+)")?\s*',
                    value_close=("<|close|>argument<|sep|>",),
                    strict_close=True,
                    unescape=True,
                ),
            ),
        ),
        dropped=("<|open|>response<|sep|>", "<|close|>response<|sep|>", "<|close|>message<|sep|>"),
        stop=("<|end_of_msg|>",),
    ),
    response_template=None,
    links=("https://huggingface.co/moonshotai/Kimi-K3",),
    spellings=(
        "a response that is not closed, and one that begins while the thoughts are open: canitoolcall's kimi fixtures",
    ),
    loss=("ids of calls: the template writes their index",),
)
