"""Building blocks that several families share; a family imports these, never another family."""

from __future__ import annotations

import re
from typing import Literal

from .format import CallSyntax, HeadBody, JsonBody, Reasoning, TaggedBody

__all__ = [
    "CHATML_HEADER",
    "CHATML_STOP",
    "DEEPSEEK_HEADER",
    "DEEPSEEK_STOP",
    "FUNCTION_TAGS",
    "FUNCTOOLS",
    "JSON_BEGINS",
    "LLAMA3_HEADER",
    "LLAMA3_STOP",
    "MISTRAL_HEADER",
    "MISTRAL_STOP",
    "NAMED_TOOL_CALLS",
    "TOOL_CALLS_ARRAY",
    "TOOL_CALL_JSON",
    "UNMARKED_NAMED_CALL",
    "VERBATIM_THINKING",
    "argument_pairs",
    "deepseek_calls",
    "dsml_calls",
    "function_tags",
    "json_in",
]

CHATML_HEADER = ("<|im_start|>assistant\n",)
CHATML_STOP = ("<|im_end|>", "<|endoftext|>")

LLAMA3_HEADER = ("<|start_header_id|>assistant<|end_header_id|>\n\n",)
LLAMA3_STOP = ("<|eot_id|>", "<|eom_id|>", "<|end_of_text|>")

JSON_BEGINS = r"\s{0,64}[\[{]"
"""What has to follow an opening mark that models also talk about."""


def json_in(open: str, close: str, body: JsonBody | HeadBody = JsonBody()) -> CallSyntax:  # noqa: B008  (frozen)
    """Calls as JSON between two marks."""
    return CallSyntax(open=(open,), close=(close,), body=body, confirm=JSON_BEGINS)


TOOL_CALL_JSON = json_in("<tool_call>", "</tool_call>")
"""``<tool_call>{"name": …, "arguments": {…}}</tool_call>``, the most common way to write a call."""


def function_tags(open: str, close: str, *, trim: Literal["none", "newline"] = "newline") -> CallSyntax:
    """Calls as ``<function=NAME><parameter=KEY>VALUE</parameter></function>``, one between two marks."""
    return CallSyntax(
        open=(open,),
        close=(close,),
        call_open=("<function=",),
        call_close=("</function>",),
        confirm=r"\s{0,64}<function=",
        bare_confirm=r"[\w.\-]{1,128}>\s{0,64}<(?:parameter=|/function>)",
        body=TaggedBody(
            name_until=(">",),
            key_open=("<parameter=",),
            key_until=(">",),
            value_close=("</parameter>",),
            trim=trim,
            strict_close=True,
            recover=True,
        ),
    )


FUNCTION_TAGS = function_tags("<tool_call>", "</tool_call>")
"""``<tool_call><function=NAME><parameter=KEY>VALUE</parameter></function></tool_call>``."""


def argument_pairs(open: str, close: str, prefix: str = "", *, recover_at_end: bool = True) -> CallSyntax:
    """Calls as ``NAME<arg_key>KEY</arg_key><arg_value>VALUE</arg_value>`` between two marks."""
    key = f"<{prefix}arg_key>"
    return CallSyntax(
        open=(open,),
        close=(close,),
        confirm=rf"\s{{0,64}}[^\s<]{{1,256}}\s{{0,64}}(?:{re.escape(key)}|{re.escape(close)})",
        body=TaggedBody(
            name_until=(),
            name_before=("\n", key, close),
            key_open=(key,),
            key_until=(f"</{prefix}arg_key>",),
            value_open=(f"<{prefix}arg_value>",),
            value_close=(f"</{prefix}arg_value>",),
            strict_close=True,
            recover_at_end=recover_at_end,
        ),
    )


VERBATIM_THINKING = Reasoning(trim=False, at_start_only=True)
"""``<think>…</think>`` in front of everything else, white space kept."""

DEEPSEEK_HEADER = ("<｜Assistant｜>", "<｜tool▁outputs▁end｜>")
DEEPSEEK_STOP = ("<｜end▁of▁sentence｜>",)


def deepseek_calls(body: HeadBody) -> CallSyntax:
    """Calls between the bars that DeepSeek wrote up to V3.1."""
    return CallSyntax(
        open=("<｜tool▁calls▁begin｜>",),
        close=("<｜tool▁calls▁end｜>",),
        call_open=("<｜tool▁call▁begin｜>",),
        call_close=("<｜tool▁call▁end｜>",),
        confirm=r"\s{0,64}<｜tool▁call▁begin｜>",
        body=body,
    )


def dsml_calls(section: str, space: str = "", language: str = "DSML") -> CallSyntax:
    """Calls in DSML, DeepSeek's tags, or its like; *space* stands between the bar and a tag's name."""
    opening, closing = f"<｜{language}｜{space}", f"</｜{language}｜{space}"
    return CallSyntax(
        # The empty line in front of the section belongs to it.
        open=(f"{opening}{section}>", f"\n\n{opening}{section}>"),
        close=(f"{closing}{section}>",),
        call_open=(f"{opening}invoke",),
        call_close=(f"{closing}invoke>",),
        confirm=rf"\s{{0,64}}{opening}invoke",
        body=TaggedBody(
            name_until=(">",),
            self_close=("/>",),
            name_pattern=r'\s+name="(?P<name>[^"]*)"\s*',
            key_open=(f"{opening}parameter",),
            key_until=(">",),
            key_pattern=r'\s+name="(?P<key>[^"]*)"(?:\s+string="(?P<type>true|false)")?\s*',
            value_close=(f"{closing}parameter>",),
            strict_close=True,
        ),
    )


FUNCTOOLS = CallSyntax(
    open=("functools",), confirm=r"\s{0,4}\[\s{0,64}\{", body=JsonBody(shape="array"), tentative=True
)
"""``functools[{"name": …, "arguments": {…}}]``."""

MISTRAL_HEADER = ("[/INST]", "[/TOOL_RESULTS]")
MISTRAL_STOP = ("</s>",)

TOOL_CALLS_ARRAY = CallSyntax(open=("[TOOL_CALLS]",), confirm=r"\s{0,64}\[", body=JsonBody(shape="array", wrapper=None))
"""``[TOOL_CALLS] [{"name": …, "arguments": {…}, "id": …}]``."""

NAMED_TOOL_CALLS = CallSyntax(
    open=("[TOOL_CALLS]",),
    confirm=r"\s{0,64}[^\s\[]{1,256}\s{0,64}(?:\[CALL_ID\]|\[ARGS\])",
    body=HeadBody(until=("[ARGS]",), pattern=r"\s*(?P<name>[^\[\s]+)(?:\s*\[CALL_ID\]\s*(?P<id>\S*))?\s*"),
)
"""``[TOOL_CALLS]NAME[CALL_ID]ID[ARGS]{…}`` for each call; the id may be absent."""

UNMARKED_NAMED_CALL = r'\A\s{0,64}[\w.\-]{1,128}(?:\[ARGS\])?\{(?:\}|\s{0,8}"[^"]{0,128}"\s{0,8}:)'
"""What is left of such a call where the marks are gone, at the start of a reply: anywhere else it may be code."""
