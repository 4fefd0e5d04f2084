"""``python-call-list``: ``[get_weather(city="Paris", days=3)]`` into names and arguments.

A strict grammar of Transformers' own, neither Python nor JSON: keyword arguments only, no trailing commas, names with
``-`` and ``.``, JSON's escapes in strings of either quote, integers that a double holds exactly.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import Any, TypeVar

__all__ = ["parse_call_list"]

T = TypeVar("T")
Scanned = tuple[int, T]

SPACE = re.compile(r"[ \t\n\r]*")
NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(?:[-.][A-Za-z0-9_]+)*")
NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)((?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)")
STRINGS = {
    "'": re.compile(r"'([^'\\\n\r]*(?:\\.[^'\\\n\r]*)*)'", re.DOTALL),
    '"': re.compile(r'"([^"\\\n\r]*(?:\\.[^"\\\n\r]*)*)"', re.DOTALL),
}
SURROGATE = re.compile("[\ud800-\udfff]")
ESCAPE = re.compile(
    r"\\(?:(?P<simple>[\\'\"/bfnrt])"
    r"|u(?P<high>[dD][89abAB][0-9a-fA-F]{2})\\u(?P<low>[dD][c-fC-F][0-9a-fA-F]{2})"
    r"|u(?P<code>[0-9a-fA-F]{4})"
    r"|(?P<other>.))",
    re.DOTALL,
)
SIMPLE_ESCAPES = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
CONSTANTS = {"True": True, "true": True, "False": False, "false": False, "None": None, "null": None}
LARGEST_INTEGER = 2**53 - 1
DEEPEST = 100


class _Refused(Exception):
    """The text breaks the grammar at a position."""

    def __init__(self, problem: str, pos: int) -> None:
        self.problem = problem
        self.pos = pos


def parse_call_list(text: str) -> list[dict[str, Any]]:
    """Return the calls of *text* as dicts of ``name`` and ``arguments``.

    Raises:
        ValueError: the text is not a list of calls; the error says where.
    """
    try:
        pos, calls = _scan_items(text, _expect(text, 0, "["), "]", _scan_call)
        pos = _skip_space(text, pos)
        if pos != len(text):
            raise _Refused("unexpected content after the closing ']'", pos)
    except _Refused as refused:
        problem, pos = refused.problem, refused.pos
    else:
        return calls
    raise ValueError(f"python-call-list: {problem} at position {pos}.\nContent: {text!r}")


def _scan_call(text: str, pos: int) -> Scanned[dict[str, Any]]:
    pos, name = _scan_name(text, pos, "a function name")
    pos, arguments = _scan_items(text, _expect(text, pos, "("), ")", _scan_argument)
    return pos, {"name": name, "arguments": _to_dict(arguments, pos)}


def _scan_argument(text: str, pos: int) -> Scanned[tuple[str, Any]]:
    pos, name = _scan_name(text, pos, "a keyword argument (positional arguments and trailing commas are not supported)")
    pos = _skip_space(text, pos)
    if not text.startswith("=", pos):
        raise _Refused("expected '=' (positional arguments are not supported)", pos)
    pos, value = _scan_value(text, pos + 1, 0)
    return pos, (name, value)


def _scan_name(text: str, pos: int, what: str) -> Scanned[str]:
    pos = _skip_space(text, pos)
    if (name := NAME.match(text, pos)) is None:
        raise _Refused(f"expected {what}", pos)
    return name.end(), name[0]


def _scan_value(text: str, pos: int, depth: int) -> Scanned[Any]:
    """Scan a value that *depth* lists and dicts enclose."""
    pos = _skip_space(text, pos)
    char = text[pos : pos + 1]
    if char in STRINGS:
        return _scan_string(text, pos)
    if char in ("[", "{"):
        if depth >= DEEPEST:
            raise _Refused(f"lists and dicts nested more than {DEEPEST} levels deep", pos)
        if char == "[":
            return _scan_items(text, pos + 1, "]", lambda text, pos: _scan_value(text, pos, depth + 1))
        pos, pairs = _scan_items(text, pos + 1, "}", lambda text, pos: _scan_pair(text, pos, depth + 1))
        return pos, _to_dict(pairs, pos)
    if (number := NUMBER.match(text, pos)) is not None:
        return number.end(), _read_number(number)
    if (name := NAME.match(text, pos)) is not None and name[0] in CONSTANTS:
        return name.end(), CONSTANTS[name[0]]
    raise _Refused("expected a string, number, list, dict, True, False or None", pos)


def _read_number(number: re.Match[str]) -> int | float:
    digits = number[0]
    if not number[1]:
        # Counted first: int() takes quadratic time, and refuses thousands of digits in words of its own.
        if len(digits) > 17 or abs(int(digits)) > LARGEST_INTEGER:
            raise _Refused("integer outside the range of -(2^53 - 1) to 2^53 - 1", number.start())
        return int(digits)
    value = float(digits)
    if math.isinf(value):
        raise _Refused("number too large", number.start())
    return value


def _scan_pair(text: str, pos: int, depth: int) -> Scanned[tuple[str, Any]]:
    pos = _skip_space(text, pos)
    if text[pos : pos + 1] not in STRINGS:
        raise _Refused("dict keys must be strings", pos)
    pos, key = _scan_string(text, pos)
    pos, value = _scan_value(text, _expect(text, pos, ":"), depth)
    return pos, (key, value)


def _scan_string(text: str, pos: int) -> Scanned[str]:
    if (string := STRINGS[text[pos]].match(text, pos)) is None:
        raise _Refused("invalid string", pos)
    if SURROGATE.search(string[1]) is not None:
        raise _Refused("lone surrogate in the string starting", pos)
    return string.end(), ESCAPE.sub(lambda escape: _read_escape(escape, pos), string[1])


def _read_escape(escape: re.Match[str], string_pos: int) -> str:
    if (simple := escape["simple"]) is not None:
        return SIMPLE_ESCAPES.get(simple, simple)
    if escape["high"] is not None:
        return chr(0x10000 + ((int(escape["high"], 16) - 0xD800) << 10) + (int(escape["low"], 16) - 0xDC00))
    if escape["other"] is not None:
        raise _Refused(f"unsupported escape {escape[0]!r} in the string starting", string_pos)
    code = int(escape["code"], 16)
    if 0xD800 <= code <= 0xDFFF:
        raise _Refused("lone surrogate escape in the string starting", string_pos)
    return chr(code)


def _scan_items(text: str, pos: int, close: str, scan_item: Callable[[str, int], Scanned[T]]) -> Scanned[list[T]]:
    """Scan what stands between an opening bracket, just passed, and *close*: items with commas between them."""
    items: list[T] = []
    pos = _skip_space(text, pos)
    while not text.startswith(close, pos):
        pos, item = scan_item(text, _expect(text, pos, ",") if items else pos)
        items.append(item)
        pos = _skip_space(text, pos)
    return pos + 1, items


def _to_dict(pairs: list[tuple[str, Any]], pos: int) -> dict[str, Any]:
    """Return *pairs*, which ended before *pos*, as a dict."""
    values: dict[str, Any] = {}
    for key, value in pairs:
        if key in values:
            raise _Refused(f"repeated name {key!r}", pos)
        values[key] = value
    return values


def _expect(text: str, pos: int, char: str) -> int:
    pos = _skip_space(text, pos)
    if not text.startswith(char, pos):
        raise _Refused(f"expected {char!r}", pos)
    return pos + 1


def _skip_space(text: str, pos: int) -> int:
    space = SPACE.match(text, pos)
    assert space is not None  # it matches nothing as well
    return space.end()
