"""The scanner for Harmony, gpt-oss's format, in which a message's header says what its body is.

``[ to=RECIPIENT]<|channel|>CHANNEL[ to=RECIPIENT][ <|constrain|>json]<|message|>BODY<|end|>``, the next message behind
``<|start|>assistant``. A recipient ``functions.NAME`` makes the body a call, on whatever channel; ``analysis`` is
reasoning, the other channels are content. Headers that make no sense are skipped with their message.
"""

from __future__ import annotations

import re

from .bodies import ParsedCall, ReadContext
from .cursor import Cursor, Marks, Wait, matches_here, peek_character, peek_mark, skip_space, stream_until, take_until
from .emitter import Emitter
from .format import WireFormat
from .output import read_rest
from .values import CODECS, Undecodable, take_bracketed

__all__ = ["read_harmony"]

_BODY = "<|message|>"
_START = "<|start|>"
_RETURN = "<|return|>"
_HEADER_ENDS = Marks([_BODY, _START, "<|end|>", "<|call|>", _RETURN])
_HEADER_END = Marks([_BODY])
_NEXT = Marks([_START])
_BODY_ENDS = Marks(["<|end|>", "<|call|>", _RETURN])
_REASONING_ENDS = Marks(["<|end|>"])  # models quote the other marks while they reason about the format
_HEADER_BEGINS = r"\s{0,16}(?:<\|(?:channel|start|message|end|call|return)\|>|to=)"
_PLAIN_ENDS = Marks([_START, "<|channel|>"])
_HEADER = re.compile(
    r"\s*(?:assistant)?(?:\s*to=\S+?)?\s*(?:<\|channel\|>\s*\w*(?:\s+to=[^\s<]+)?\s*(?:<\|constrain\|>)?\s*\w*\s*)?"
)
_RECIPIENT = re.compile(r"\bto=([^\s<]+)")
_FUNCTION = r"to=functions\.[^\s<]{1,128}"
_CHANNEL_CALL = rf"\s{{0,4}}\w{{1,32}}\s{{1,4}}{_FUNCTION}"
_CALL_BODY = r"\s{0,4}(?:<\|constrain\|>)?\s{0,4}\w{0,16}\s{0,4}<\|message\|>\s{0,16}\{"
_CALL_HEADERS = {
    "<|channel|>": _CHANNEL_CALL + _CALL_BODY,
    _START: rf"assistant\s{{0,4}}(?:<\|channel\|>{_CHANNEL_CALL}"
    rf"|{_FUNCTION}\s{{0,4}}(?:<\|channel\|>\s{{0,4}}\w{{1,32}})?){_CALL_BODY}",
}
"""Marks that may begin a call inside of reasoning, and what has to follow them."""
_REASONING_MARKS = Marks([*_REASONING_ENDS.marks, *_CALL_HEADERS])


def read_harmony(c: Cursor, f: WireFormat, out: Emitter, context: ReadContext) -> Wait[None]:
    """Read a whole output."""
    mark = ""
    while True:
        in_turn = mark == _START or (yield from matches_here(c, _HEADER_BEGINS))
        # Text where a header should be is an answer of a model that does without the format.
        if not in_turn and not (yield from stream_until(c, _PLAIN_ENDS, out.content, leave=True)):
            read_rest(c, out.content, out, context)
            return
        record = c.record = []
        header, mark = yield from take_until(c, _HEADER_ENDS)
        if not mark:
            c.record = None
            out.complete = out.complete and not header.strip()
            return
        if mark == _BODY:
            mark = yield from _read_message(c, header, out, context, record)
        elif header.strip() and header.strip() != "assistant":
            out.warnings.append(f"this message has no body: {header}{mark}")
        c.record = None
        if not mark or mark == _RETURN:
            return


def _read_message(c: Cursor, header: str, out: Emitter, context: ReadContext, record: list[str]) -> Wait[str]:
    """Read one body and return the mark that ended it, nothing at the end of the text."""
    if not _HEADER.fullmatch(header):
        out.warnings.append(f"this header is malformed: {header}")
    role, *channels = header.split("<|channel|>")
    channel = re.match(r"\s*([\w-]*)", channels[-1] if channels else "final")[1]  # type: ignore[index]
    recipient = _RECIPIENT.search(channels[-1] if channels else "") or _RECIPIENT.search(role)
    name = recipient[1] if recipient else "assistant"
    if name.startswith("functions."):
        yield from _read_call(c, name.removeprefix("functions."), out, context, record)
    elif name == "assistant" and channel == "analysis":
        c.record = None
        return (yield from _read_reasoning(c, out, context))
    elif name == "assistant" and channel in ("final", "commentary"):
        c.record = None
        mark = yield from stream_until(c, _BODY_ENDS, out.content)
        if not mark:
            read_rest(c, out.content, out, context)
        return mark
    _, mark = yield from take_until(c, _BODY_ENDS)
    if not name.startswith("functions.") and (name != "assistant" or channel):
        out.warnings.append(f"this message is for nobody here: {''.join(record).removesuffix(mark)}")
    return mark


def _read_reasoning(c: Cursor, out: Emitter, context: ReadContext) -> Wait[str]:
    marks = _REASONING_MARKS if context.calls_in_reasoning else _REASONING_ENDS
    while True:
        mark = yield from stream_until(c, marks, out.reasoning)
        if not mark:
            out.complete = False
            read_rest(c, out.reasoning, out, context)
        if mark not in _CALL_HEADERS:
            return mark
        if not (yield from matches_here(c, _CALL_HEADERS[mark])):
            out.reasoning(mark)
            continue
        record = c.record = [mark]
        header, _ = yield from take_until(c, _HEADER_END)
        recipient = _RECIPIENT.search(header)
        yield from _read_call(c, recipient[1].removeprefix("functions.") if recipient else "", out, context, record)
        c.record = None
        _, mark = yield from take_until(c, _BODY_ENDS)
        # A call is a message, so that the reasoning is over if another message follows, or nothing.
        if not mark or (yield from peek_mark(c, _NEXT)) or c.pos >= len(c.text):
            return mark


def _read_call(c: Cursor, name: str, out: Emitter, context: ReadContext, record: list[str]) -> Wait[None]:
    yield from skip_space(c)
    begun = (yield from peek_character(c)) in ("{", "[")
    write = context.begin(name, None) if context.begin and begun else None
    text = yield from take_bracketed(c, CODECS["json"], write)
    raw = "".join(record)
    try:
        arguments = CODECS["json"].decode(text) if text is not None else None
    except Undecodable:
        arguments = None
    if isinstance(arguments, dict):
        out.add_calls([ParsedCall(name, arguments)], raw, c.taken, context)
    else:
        out.complete = out.complete and not c.ended
        out.drop_call(raw, c.taken, truncated=context.truncated)
