"""Does a text look like a tool call, in any known format? The guard against calls that pass unseen."""

from __future__ import annotations

import re
from functools import lru_cache

from .format import CallSyntax
from .reader import read_reply
from .registry import load_families

__all__ = ["find_calls"]


def find_calls(text: str) -> list[str]:
    """Name the families that would take something in *text* for a call, or for a call that is broken.

    Every family reads the text, so the answer rests on the formats themselves. A text without any of their marks is
    told apart by one search.
    """
    if not _any_mark().search(text):
        return []
    found = []
    for family in load_families():
        reply = read_reply(text, family.wire_format, prompt="")
        if reply.tool_calls or reply.unread:
            found.append(family.name)
    return found


@lru_cache(maxsize=1)
def _any_mark() -> re.Pattern[str]:
    syntaxes = {syntax for family in load_families() for syntax in family.wire_format.calls}
    marks = {mark for syntax in syntaxes for mark in _marks(syntax)} | {"<|channel|>", " to=functions."}
    bare = sorted({syntax.confirm for syntax in syntaxes if not syntax.open})
    literal = "|".join(map(re.escape, sorted(marks, key=len, reverse=True)))
    return re.compile("|".join([literal, *(rf"\A(?:{pattern})" for pattern in bare)]))


def _marks(syntax: CallSyntax) -> tuple[str, ...]:
    return (*syntax.open, *syntax.call_open)
