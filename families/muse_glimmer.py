"""Muse Glimmer: messages with a recipient, as in Harmony, and calls in tags with a name space."""

from __future__ import annotations

from turnwire.wire.family import Family
from turnwire.wire.format import CallSyntax, Reasoning, TaggedBody, WireFormat

NEXT = "<|start|>assistant"


def heads(recipient: str) -> tuple[str, str]:
    """How a message to *recipient* begins: behind the prompt, and behind another message."""
    return f" to={recipient}<|message|>", f"{NEXT} to={recipient}<|message|>"


FAMILY = Family(
    name="muse_glimmer",
    aliases=("muse",),
    models=(),
    wire_format=WireFormat(
        header=(NEXT,),
        reasoning=Reasoning(open=heads("self"), close=("<|eom|>",), trim=False),
        calls=(
            CallSyntax(
                open=(" to=", f"{NEXT} to="),
                close=("</atem:function_calls>", "<|eom|>", "<|eot|>"),
                call_open=('<atem:invoke name="',),
                call_close=("</atem:invoke>",),
                # What is sent to the user, or to the model itself, may talk about calls, and is none.
                confirm=r"(?!(?:user|self|commentary)<)[^\s<]{1,128}<\|message\|>\s{0,64}<atem:",
                body=TaggedBody(
                    name_until=('">',),
                    name_pattern=r"(?:(?P<space>[^.]+)\.(?=(?P=space)\Z))?(?P<name>.+)",
                    key_open=('<atem:parameter name="',),
                    key_until=('">',),
                    value_close=("</atem:parameter>",),
                    strict_close=True,
                ),
            ),
        ),
        dropped=(*heads("user"), *heads("commentary"), "<|message|>", f"{NEXT}<|message|>", "<|eom|>"),
        stop=("<|eot|>",),
    ),
    response_template=None,
    links=("https://github.com/sgl-project/sglang",),
    spellings=(
        "the whole format: SGLang's parser of the name muse; no template that writes it was seen",
        "`NAME.NAME` for the name: the same",
    ),
    loss=(
        "values as text: types come from the tool's schema; without one they stay text, and the call says so",
        "a value that holds `</atem:parameter>` and then another mark of the format reads as more than one",
    ),
)
