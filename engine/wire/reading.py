"""Reading replies by the name of a family, and the guard against calls that pass unseen."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache
from typing import Any

from ..errors import UnparsedToolCall
from ..reply.reply import Reply
from .family import Family
from .format import CallSyntax, WireFormat
from .reader import ReplyReader
from .registry import load_families, load_family

__all__ = ["find_calls", "guard_reply", "open_reader", "read_reply"]


def open_reader(family_or_format: str | Family | WireFormat, **arguments: Any) -> ReplyReader:
    """Return a :class:`ReplyReader` for a family's name, alias or model, a family, or a wire format.

    Raises:
        FamilyError: there is no such family.
    """
    if isinstance(family_or_format, str):
        family_or_format = load_family(family_or_format)
    wire_format = family_or_format.wire_format if isinstance(family_or_format, Family) else family_or_format
    return ReplyReader(wire_format, **arguments)


def read_reply(
    text: str,
    family_or_format: str | Family | WireFormat,
    *,
    prompt: str | None = None,
    tools: Iterable[Any] | None = None,
    finish_reason: str | None = None,
    strict: bool = False,
    **options: Any,
) -> Reply:
    """Read a model's whole output.

    Args:
        text: What the model wrote, with or without the token that ended it.
        family_or_format: A family's name, one of its aliases or models, a family, or a wire format.
        prompt: What the model was given, so that prefilled text such as an open ``<think>`` counts; None takes what
            the family's templates usually prefill.
        tools: The tools that were offered; formats that write every argument as text take the types from them.
        finish_reason: Why the model stopped; ``length`` says that it was cut off.
        strict: Raise where no call was read and the text looks like one. Otherwise the reply's warnings say so.
        options: Options of :class:`ReplyReader`.

    Raises:
        FamilyError: there is no such family.
        UnparsedToolCall: see *strict*.
    """
    reader = open_reader(family_or_format, prompt=prompt, tools=tools, **options)
    reader.feed(text)
    reader.finish(finish_reason)
    name = family_or_format if isinstance(family_or_format, str) else getattr(family_or_format, "name", "this format")
    return guard_reply(text, reader.reply, name, strict=strict)


def guard_reply(text: str, reply: Reply, reader_name: str, *, strict: bool = False) -> Reply:
    """Return *reply*, with a warning if no call was read from *text* although it looks like one.

    Raises:
        UnparsedToolCall: with *strict*, instead of the warning.
    """
    if reply.tool_calls:
        return reply
    if found := find_calls(text):
        looks_like = f"one (of {', '.join(found)})"
    elif found := _find_unmarked_calls(text):
        looks_like = f"one without its special tokens (of {', '.join(found)}): decode with skip_special_tokens=False"
    else:
        return reply
    warning = f"{reader_name} found no call in text that looks like {looks_like}"
    if strict:
        raise UnparsedToolCall(warning)
    return replace(reply, warnings=(*reply.warnings, warning))


def find_calls(text: str) -> list[str]:
    """Name the families that would take something in *text* for a call, or for a call that is broken.

    Every family reads the text, so the answer rests on the formats themselves; a text that holds none of their marks
    is told apart by one search.
    """
    if not _any_mark().search(text):
        return []
    found = []
    for family in load_families():
        reader = ReplyReader(family.wire_format, prompt="")
        reader.feed(text)
        reader.finish()
        if reader.reply.tool_calls or reader.reply.unread:
            found.append(family.name)
    return found


def _find_unmarked_calls(text: str) -> list[str]:
    return [family.name for family in load_families() if family.unmarked and re.search(family.unmarked, text)]


@lru_cache(maxsize=1)
def _any_mark() -> re.Pattern[str]:
    syntaxes = {syntax for family in load_families() for syntax in family.wire_format.calls}
    marks = {mark for syntax in syntaxes for mark in _marks(syntax)} | {"<|channel|>", "to=functions."}
    bare = sorted({syntax.confirm for syntax in syntaxes if not syntax.open})
    literal = "|".join(map(re.escape, sorted(marks, key=len, reverse=True)))
    return re.compile("|".join([literal, *(rf"\A(?:{pattern})" for pattern in bare)]))


def _marks(syntax: CallSyntax) -> tuple[str, ...]:
    return (*syntax.open, *syntax.call_open)
