"""JSON read while it arrives: the name and the arguments of a call as soon as they are certain; values cut short.

The fast path of ``bodies.py`` takes an object whole; this module is for callers who want arguments before their end.
"""

from __future__ import annotations

import json
import re
from collections import deque
from collections.abc import Callable
from typing import Any

from .cursor import Cursor, Marks, Wait, peek_character, skip_space
from .format import JsonBody
from .literals import MAX_DEPTH
from .values import CODECS, Undecodable, ValueCodec, decode_json, take_bracketed

__all__ = ["read_call_object", "repair_text", "repair_value"]

_SCALAR = re.compile(r"[^\s,{}\[\]]*")

Begin = Callable[[str, "str | None"], Callable[[str], None]]
"""Takes a call's name and id, returns what takes the pieces of its arguments."""


def read_call_object(c: Cursor, body: JsonBody, begin: Begin) -> Wait[dict[str, Any] | None]:
    """Read one object, announce the call once its name is known, and pass its arguments on as they come.

    Arguments that stand in front of the name are passed on when the name comes. Returns the object, or None.
    """
    fields: dict[str, Any] = {}
    announced: list[Callable[[str], None]] = []
    whole = yield from _read_object(c, body, begin, fields, announced)
    return fields if whole else None


def _read_object(
    c: Cursor, body: JsonBody, begin: Begin, fields: dict[str, Any], announced: list[Callable[[str], None]]
) -> Wait[bool]:
    c.take(c.pos + 1)
    while True:
        yield from skip_space(c)
        character = yield from peek_character(c)
        if character == "}":
            c.take(c.pos + 1)
            return True
        if character == ",":
            c.take(c.pos + 1)
            continue
        key = yield from _take_string(c)
        yield from skip_space(c)
        if key is None or (yield from peek_character(c)) != ":":
            return False
        c.take(c.pos + 1)
        yield from skip_space(c)
        key = str(decode_json(key))
        if key == body.wrapper and (yield from peek_character(c)) == "{":
            inner: dict[str, Any] = {}
            fields[key] = inner
            if not (yield from _read_object(c, body, begin, inner, announced)):
                return False
            continue
        write = announced[0] if announced and key in body.argument_keys else None
        text = yield from _take_value(c, write)
        if text is None:
            return False
        fields[key] = decode_json(text)
        if key in body.name_keys and isinstance(fields[key], str) and not announced:
            id = next((str(fields[name]) for name in body.id_keys if fields.get(name) is not None), None)
            announced.append(begin(fields[key], id))
            early = next((fields[name] for name in body.argument_keys if name in fields), None)
            if early is not None:
                announced[0](json.dumps(early, ensure_ascii=False))


def _take_value(c: Cursor, write: Callable[[str], None] | None) -> Wait[str | None]:
    character = yield from peek_character(c)
    if character in ("{", "["):
        return (yield from take_bracketed(c, CODECS["json"], write))
    text: str | None
    if character == '"':
        text = yield from _take_string(c)
    else:
        pieces: list[str] = []
        while True:
            pieces.append(c.take(_SCALAR.match(c.text, c.pos).end()))  # type: ignore[union-attr]
            if c.pos < len(c.text) or c.ended:
                break
            yield
        text = "".join(pieces) or None
    if write is not None and text is not None:  # arguments that are no object: encoded twice, or null
        value = decode_json(text)
        write(value if isinstance(value, str) else "{}")
    return text


def _take_string(c: Cursor) -> Wait[str | None]:
    if (yield from peek_character(c)) != '"':
        return None
    pieces = [c.take(c.pos + 1)]
    inside, close = CODECS["json"].quotes['"']
    while True:
        pieces.append(c.take(inside.match(c.text, c.pos).end()))  # type: ignore[union-attr]
        if c.text.startswith(close, c.pos):
            pieces.append(c.take(c.pos + 1))
            return "".join(pieces)
        if c.ended:
            return None
        yield


def repair_value(text: str, codec: ValueCodec) -> Any:
    """Decode a bracketed value that was cut off: what is complete is kept, strings and brackets are closed.

    Raises:
        Undecodable: not even the beginning is such a value.
    """
    return repair_text(text, codec)[0]


def repair_text(text: str, codec: ValueCodec, *, keep_open_text: bool = True) -> tuple[Any, str]:
    """Decode the same, and return with the value what had to follow the text to close it.

    Without *keep_open_text* a string that is still open is left out, and all that hangs on it.
    """
    find = Marks([*"{}[](),", *codec.quotes]).find
    closers: list[str] = []
    cuts: deque[tuple[int, str]] = deque(maxlen=6)  # where a value may have ended, and what would have to follow there
    pos = 0
    while (match := find(text, pos)) is not None:
        mark, pos = match.group(), match.end()
        if mark in codec.quotes:
            inside, close = codec.quotes[mark]
            end = inside.match(text, pos).end()  # type: ignore[union-attr]
            while text.startswith(close, end) and not codec.ends_string(text, end + len(close), ended=True):
                end = inside.match(text, end + len(close)).end()  # type: ignore[union-attr]
            if not text.startswith(close, end):
                if not keep_open_text:
                    text = text[: match.start()]
                    break
                text = (_HALF_ESCAPE.sub(r"\1", text[:end]) if close in "\"'" else text[:end]) + close
            pos = end + len(close)
            continue
        if mark in _CLOSERS:
            closers.append(_CLOSERS[mark])
        elif mark in "}])" and closers:
            closers.pop()
        if len(closers) <= MAX_DEPTH:
            cuts.append((match.start() if mark == "," else pos, "".join(reversed(closers))))
    for cut, tail in [(len(text), "".join(reversed(closers))), *reversed(cuts)]:
        try:
            return codec.decode(text[:cut] + tail), tail
        except Undecodable:
            continue
    raise Undecodable("nothing of it is such a value")


_CLOSERS = {"{": "}", "[": "]", "(": ")"}

# A backslash that escapes nothing yet, digits that are not all there, and half of a pair of surrogates.
_HALF_ESCAPE = re.compile(r"(?<!\\)((?:\\\\)*)(?:\\u[dD][89abAB][0-9a-fA-F]{2})?(?:\\(?:u[0-9a-fA-F]{0,3})?)?\Z")
