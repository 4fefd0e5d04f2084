"""Values with brackets: finding their end while they arrive, and decoding them.

The end is found by counting brackets outside of strings, so that marks inside of strings are data; the whole is decoded
once it is there. Decoders take what the codec's writers are known to write and raise :class:`Undecodable` for the rest.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from .cursor import Cursor, Marks, Wait, peek_character, stream_until
from .literals import STRING_FOLLOWS, Undecodable, decode_functiongemma, decode_gemma, decode_python, finite_float

__all__ = ["CODECS", "Undecodable", "ValueCodec", "decode_json", "take_bracketed", "take_outside_strings"]


@dataclass(frozen=True)
class ValueCodec:
    """How bracketed values of one kind are written."""

    quotes: dict[str, tuple[re.Pattern[str], str]]
    """Opening quotation mark to a pattern for as much of a string's inside as is certain, and the closing mark."""
    decode: Callable[[str], Any]
    """Text to value; raises :class:`Undecodable`."""
    follows: re.Pattern[str] | None = None
    """What stands behind a closing mark; one without it is a part of the string. None: anything."""

    def ends_string(self, text: str, pos: int, *, ended: bool) -> bool | None:
        """Tell whether a closing mark in front of *pos* ends its string; None while that is open."""
        if self.follows is None:
            return True
        match = self.follows.match(text, pos)
        return None if match and match.end() == len(text) and not ended and not match.group().strip() else bool(match)

    def __post_init__(self) -> None:
        object.__setattr__(self, "stops", Marks([*"{}[]", *self.quotes]))

    stops: Marks = None  # type: ignore[assignment]  # made from the quotes


def take_bracketed(c: Cursor, codec: ValueCodec, write: Callable[[str], None] | None = None) -> Wait[str | None]:
    """Take one bracketed value and return its text; None where none begins here, or the text ends before it does.

    *write* gets the text as it comes, with raw control characters in strings escaped.
    """
    if (yield from peek_character(c)) not in ("{", "["):
        return None
    pieces: list[str] = []

    def put(text: str) -> None:
        """Take more of a string's inside."""
        if write is not None:
            write(_CONTROL.sub(_escape_control, text))
        pieces.append(text)

    depth = 0
    inside: tuple[re.Pattern[str], str] | None = None
    find, stops = codec.stops.find, codec.stops
    while True:
        text, pos, end = c.text, c.pos, len(c.text)
        while pos < end:
            if inside is not None:
                begin, pos = pos, inside[0].match(text, pos).end()  # type: ignore[union-attr]
                if write is not None:
                    write(text[c.pos : begin] + _CONTROL.sub(_escape_control, text[begin:pos]))
                    pieces.append(c.take(pos))
                if not text.startswith(inside[1], pos):
                    break
                ends = codec.ends_string(text, pos + len(inside[1]), ended=c.ended)
                if ends is None:
                    break
                pos += len(inside[1])
                inside = None if ends else inside
                continue
            match = find(text, pos)
            # What is found near the end may be the inside of a longer stop that is still to come.
            if match is None or (match.start() > end - stops.longest and stops.open_suffix(text, pos) < match.start()):
                pos = stops.open_suffix(text, pos)
                break
            pos = match.end()
            mark = match.group()
            if mark in codec.quotes:
                inside = codec.quotes[mark]
            elif mark in "{[":
                depth += 1
            else:
                depth -= 1
                if depth == 0:
                    if write is not None:
                        write(text[c.pos : pos])
                    pieces.append(c.take(pos))
                    return "".join(pieces)
        if c.ended:
            c.take(end)
            return None
        if pos > c.pos:
            if write is not None:
                write(text[c.pos : pos])
            pieces.append(c.take(pos))
        if inside is not None and pos == end:
            c.idle = (_MAY_END, put)
        yield
        c.idle = None


_CONTROL = re.compile(r"[\x00-\x1f]")
_MAY_END = re.compile(r"""["'\\<]""").search
"""Finds what may end a string of any codec, or escape its next character."""


def _escape_control(match: re.Match[str]) -> str:
    return f"\\u{ord(match.group()):04x}"


def take_outside_strings(c: Cursor, codec: ValueCodec, end: Marks) -> Wait[str | None]:
    """Take the text up to a mark of *end* that stands outside of strings, and the mark; return the text, or None."""
    pieces: list[str] = []
    inside: tuple[re.Pattern[str], str] | None = None
    stops = Marks([*end.marks, *codec.quotes])
    while True:
        if inside is None:
            mark = yield from stream_until(c, stops, pieces.append)
            if not mark or mark in end.marks:
                return "".join(pieces) if mark else None
            pieces.append(mark)
            inside = codec.quotes[mark]
        pos = inside[0].match(c.text, c.pos).end()  # type: ignore[union-attr]
        closed = c.text.startswith(inside[1], pos)
        ends = codec.ends_string(c.text, pos + len(inside[1]), ended=c.ended) if closed else None
        pieces.append(c.take(pos if ends is None else pos + len(inside[1])))
        if ends is not None:
            inside = None if ends else inside
        elif c.ended:
            return None
        else:
            yield


def decode_json(text: str) -> Any:
    """Decode JSON; NaN and infinities are no JSON, raw control characters in strings are taken as they are.

    A number beyond what a float holds, such as ``1e400``, stays text.
    """
    try:
        return _JSON.decode(text.strip())
    except (ValueError, RecursionError) as error:
        raise Undecodable(str(error)) from None


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")


_JSON = json.JSONDecoder(strict=False, parse_constant=_refuse_constant, parse_float=finite_float)

_DOUBLE = (re.compile(r'(?:[^"\\]+|\\.)*', re.DOTALL), '"')
_SINGLE = (re.compile(r"(?:[^'\\]+|\\.)*", re.DOTALL), "'")
# Stops in front of the closing mark and in front of anything at the end that may grow into it.
_GEMMA = (re.compile(r'(?:[^<]+|<(?!\|"\|>|\|"\|\Z|\|"\Z|\|\Z|\Z))*'), '<|"|>')
_FUNCTIONGEMMA = (re.compile(r"(?:[^<]+|<(?!escape>|escape\Z|escap\Z|esca\Z|esc\Z|es\Z|e\Z|\Z))*"), "<escape>")

CODECS = {
    "json": ValueCodec({'"': _DOUBLE}, decode_json),
    "python": ValueCodec({'"': _DOUBLE, "'": _SINGLE}, decode_python),
    "gemma": ValueCodec({'<|"|>': _GEMMA, '"': _DOUBLE}, decode_gemma),
    "functiongemma": ValueCodec({"<escape>": _FUNCTIONGEMMA, '"': _DOUBLE}, decode_functiongemma),
    "unescaped": ValueCodec({'"': _DOUBLE, "'": _SINGLE}, decode_python, re.compile(STRING_FOLLOWS)),
}
