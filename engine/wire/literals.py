"""Decoders for what is almost JSON: Python literals and calls, and the dialects of Gemma and FunctionGemma.

One table of tokens and one recursion read all of them. Python: ``True``, ``None``, single quotes, tuples, ``f(a=1)``.
Gemma: keys without quotes, ``<|"|>`` around strings in which nothing is escaped; FunctionGemma has ``<escape>`` there.
All take JSON's constants too, since models mix them.
"""

from __future__ import annotations

import json
import math
import re
from typing import Any, NamedTuple

__all__ = [
    "PythonCall",
    "Undecodable",
    "decode_functiongemma",
    "decode_gemma",
    "decode_python",
    "decode_python_calls",
    "decode_unescaped_calls",
    "finite_float",
]


class Undecodable(Exception):
    """The text is not a value of its codec. Never leaves this package."""


class PythonCall(NamedTuple):
    """A call such as ``f(a=1)``."""

    name: str
    arguments: dict[str, Any]


CONSTANTS = {"true": True, "false": False, "null": None, "True": True, "False": False, "None": None}
MAX_DEPTH = 200

_SPACE = re.compile(r"\s*")
_NUMBER = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?(?![\w.])")
_WORD = re.compile(r"[^\W\d][\w.\-]*")
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"|\'(?:[^\'\\]|\\.)*\'', re.DOTALL)
STRING_FOLLOWS = r"\s{0,64}(?:[,)\]}:]|\Z)"
"""What stands behind a string, or may."""
_UNESCAPED_STRING = re.compile(
    "|".join(rf"{q}(?:[^{q}\\]|\\.|{q}(?!{STRING_FOLLOWS}))*{q}(?={STRING_FOLLOWS})" for q in "\"'"), re.DOTALL
)
_BARE_KEY = re.compile(r"[^:{}\[\],<]+?(?=\s*:)")
_ESCAPE = re.compile(
    r"\\(u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|x[0-9a-fA-F]{2}|\n|.)",
    re.DOTALL,
)
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "a": "\a", "v": "\v", "0": "\0", "\n": ""}


class _Dialect(NamedTuple):
    """What tells one kind of literal from another."""

    string: re.Pattern[str] = _STRING
    """A string in quotation marks."""
    mark: str = ""
    """What stands around strings in which nothing is escaped; where there is one, keys need no quotation marks."""


PYTHON = _Dialect()
UNESCAPED = _Dialect(string=_UNESCAPED_STRING)
GEMMA = _Dialect(mark='<|"|>')
FUNCTIONGEMMA = _Dialect(mark="<escape>")


def decode_python(text: str) -> Any:
    """Decode one Python literal."""
    return _decode(text, PYTHON)


def decode_gemma(text: str) -> Any:
    """Decode one value of Gemma's dialect."""
    return _decode(text, GEMMA)


def decode_functiongemma(text: str) -> Any:
    """Decode one value of FunctionGemma's dialect."""
    return _decode(text, FUNCTIONGEMMA)


def decode_python_calls(text: str) -> list[PythonCall]:
    """Decode ``f(a=1)``, or several with commas or lines between them, with or without brackets around them all."""
    return _decode_calls(text, PYTHON)


def decode_unescaped_calls(text: str) -> list[PythonCall]:
    """Decode the same where strings may hold their own quotation mark, without a backslash in front of it."""
    return _decode_calls(text, UNESCAPED)


def _decode_calls(text: str, dialect: _Dialect) -> list[PythonCall]:
    reader = _Reader(text, dialect)
    reader.skip()
    bracketed = reader.take("[")
    calls = [] if bracketed and reader.peek("]") else [reader.call()]
    while reader.take(",") or (not bracketed and reader.pos < len(text)):
        if reader.peek("]"):
            break
        calls.append(reader.call())
    if bracketed and not reader.take("]"):
        raise Undecodable("the list of calls is not closed")
    reader.finish()
    return calls


def _decode(text: str, dialect: _Dialect) -> Any:
    reader = _Reader(text, dialect)
    reader.skip()
    value = reader.value(0)
    reader.finish()
    return value


class _Reader:
    """Recursive descent over a complete text."""

    def __init__(self, text: str, dialect: _Dialect) -> None:
        self.text = text
        self.pos = 0
        self.dialect = dialect

    def skip(self) -> None:
        self.pos = _SPACE.match(self.text, self.pos).end()  # type: ignore[union-attr]

    def peek(self, mark: str) -> bool:
        return self.text.startswith(mark, self.pos)

    def take(self, mark: str) -> bool:
        if not self.text.startswith(mark, self.pos):
            return False
        self.pos += len(mark)
        self.skip()
        return True

    def finish(self) -> None:
        if self.pos < len(self.text):
            raise Undecodable(f"unexpected text at {self.pos}")

    def match(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        found = pattern.match(self.text, self.pos)
        if found is not None:
            self.pos = found.end()
            self.skip()
        return found

    def marked(self) -> str | None:
        """Take a string between the dialect's marks."""
        mark = self.dialect.mark
        if not mark or not self.peek(mark):
            return None
        end = self.text.find(mark, self.pos + len(mark))
        if end < 0:
            raise Undecodable(f"{mark} is not closed")
        text, self.pos = self.text[self.pos + len(mark) : end], end + len(mark)
        self.skip()
        return text

    def value(self, depth: int) -> Any:
        if depth > MAX_DEPTH:
            raise Undecodable("nested too deep")
        if self.take("{"):
            return self.mapping(depth)
        if self.take("["):
            return self.items("]", depth)
        if not self.dialect.mark and self.take("("):
            return self.items(")", depth)
        if (marked := self.marked()) is not None:
            return marked
        if found := self.match(self.dialect.string):
            return _unquote(found.group())
        if found := self.match(_NUMBER):
            return _number(found.group())
        if (found := self.match(_WORD)) and found.group() in CONSTANTS:
            return CONSTANTS[found.group()]
        raise Undecodable(f"no value at {self.pos}")

    def items(self, close: str, depth: int) -> list[Any]:
        items: list[Any] = []
        while not self.take(close):
            items.append(self.value(depth + 1))
            if not self.take(",") and not self.peek("{"):  # between objects the comma may be missing
                if not self.take(close):
                    raise Undecodable(f"{close!r} expected at {self.pos}")
                break
        return items

    def mapping(self, depth: int) -> dict[str, Any]:
        items: dict[str, Any] = {}
        while not self.take("}"):
            key = self.key()
            if not self.take(":"):
                raise Undecodable(f"':' expected at {self.pos}")
            items[key] = self.value(depth + 1)
            if not self.take(","):
                if not self.take("}"):
                    raise Undecodable(f"'}}' expected at {self.pos}")
                break
        return items

    def key(self) -> str:
        if (marked := self.marked()) is not None:
            return marked
        if found := self.match(self.dialect.string):
            return _unquote(found.group())
        if self.dialect.mark and (found := self.match(_BARE_KEY)):
            return found.group().strip()
        raise Undecodable(f"no key at {self.pos}")

    def call(self) -> PythonCall:
        name = self.match(_WORD)
        if name is None or not self.take("("):
            raise Undecodable(f"no call at {self.pos}")
        arguments: dict[str, Any] = {}
        while not self.take(")"):
            key = self.match(_WORD)
            if key is None or not self.take("="):
                raise Undecodable(f"no argument at {self.pos}")
            arguments[key.group()] = self.value(0)
            if not self.take(","):
                if not self.take(")"):
                    raise Undecodable(f"')' expected at {self.pos}")
                break
        return PythonCall(name.group(), arguments)


def _number(text: str) -> int | float | str:
    try:
        return int(text)
    except ValueError:
        return finite_float(text)


def finite_float(text: str) -> float | str:
    """Return the number, or its text where it is beyond what a float holds: JSON has no infinity to write it as."""
    value = float(text)
    return value if math.isfinite(value) else text


def _unquote(text: str) -> str:
    body = text[1:-1]
    return _ESCAPE.sub(_unescape, body) if "\\" in body else body


def _unescape(match: re.Match[str]) -> str:
    code = match.group(1)
    if len(code) > 10:  # JSON writes one character beyond the first 65,536 as two
        return str(json.loads(f'"\\{code}"'))
    if code[0] in "uUx" and len(code) > 1:
        return chr(int(code[1:], 16)) if int(code[1:], 16) < 0x110000 else match.group()
    return _ESCAPED.get(code, code if code in "\\'\"/" else match.group())
