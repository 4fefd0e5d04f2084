"""Building blocks that several families share; a family imports these, never another family."""

from __future__ import annotations

from .format import CallSyntax, HeadBody, JsonBody, TaggedBody

__all__ = [
    "CHATML_HEADER",
    "CHATML_STOP",
    "FUNCTION_TAGS",
    "JSON_BEGINS",
    "TOOL_CALL_JSON",
    "argument_pairs",
    "json_in",
]

CHATML_HEADER = ("<|im_start|>assistant\n",)
CHATML_STOP = ("<|im_end|>", "<|endoftext|>")

JSON_BEGINS = r"\s{0,64}[\[{]"
"""What has to follow an opening mark that models also talk about."""


def json_in(open: str, close: str, body: JsonBody | HeadBody = JsonBody()) -> CallSyntax:  # noqa: B008  (frozen)
    """Calls as JSON between two marks."""
    return CallSyntax(open=(open,), close=(close,), body=body, confirm=JSON_BEGINS)


TOOL_CALL_JSON = json_in("<tool_call>", "</tool_call>")
"""``<tool_call>{"name": …, "arguments": {…}}</tool_call>``, the most common way to write a call."""

FUNCTION_TAGS = CallSyntax(
    open=("<tool_call>",),
    close=("</tool_call>",),
    call_open=("<function=",),
    call_close=("</function>",),
    bare_open=True,
    confirm=r"\s{0,64}<function=",
    body=TaggedBody(
        name_until=(">",),
        key_open=("<parameter=",),
        key_until=(">",),
        value_close=("</parameter>",),
        trim="newline",
        strict_close=True,
        recover=True,
    ),
)
"""``<tool_call><function=NAME><parameter=KEY>VALUE</parameter></function></tool_call>``."""


def argument_pairs(open: str, close: str) -> CallSyntax:
    """Calls as ``NAME<arg_key>KEY</arg_key><arg_value>VALUE</arg_value>`` between two marks."""
    return CallSyntax(
        open=(open,),
        close=(close,),
        body=TaggedBody(
            name_until=(),
            name_before=("\n", "<arg_key>", close),
            key_open=("<arg_key>",),
            key_until=("</arg_key>",),
            value_open=("<arg_value>",),
            value_close=("</arg_value>",),
            recover_at_end=True,
        ),
    )
