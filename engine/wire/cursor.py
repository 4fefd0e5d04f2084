"""Text that arrives in pieces, read forwards, once.

Law: readers are generators over a :class:`Cursor`. They ``yield`` when what follows could still turn out to be more
than one thing, and are resumed when more text is there or the text has ended. A reader takes what it has decided on, so
that the cursor holds no more than the longest mark and each character is looked at a bounded number of times, however
the text was cut.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Iterable
from functools import cache
from typing import Any, TypeVar

import regex

__all__ = [
    "Cursor",
    "Marks",
    "Wait",
    "matches_here",
    "peek_character",
    "peek_mark",
    "skip_space",
    "stream_until",
    "take_mark",
    "take_until",
]

T = TypeVar("T")
Wait = Generator[None, None, T]
"""A reader: yields while it waits for text, returns what it read."""


class Cursor:
    """A place in a text whose end may not be known yet."""

    __slots__ = ("ended", "pos", "record", "text")

    def __init__(self) -> None:
        self.text = ""
        """What has arrived and was not let go of yet."""
        self.pos = 0
        """Where the unread part of ``text`` begins."""
        self.ended = False
        """No more text will come."""
        self.record: list[str] | None = None
        """Collects whatever is taken while it is a list."""

    def feed(self, piece: str) -> None:
        """Append *piece*."""
        self.text = self.text[self.pos :] + piece
        self.pos = 0

    def take(self, end: int) -> str:
        """Return the text up to *end* and move there."""
        piece = self.text[self.pos : end]
        self.pos = end
        if self.record is not None:
            self.record.append(piece)
        return piece


class Marks:
    """A set of fixed strings to look for; where several begin at one place the longest counts."""

    __slots__ = ("find", "longest", "marks", "prefixes")

    def __init__(self, marks: Iterable[str]) -> None:
        self.marks = tuple(sorted(set(marks), key=len, reverse=True))
        self.find = re.compile("|".join(map(re.escape, self.marks)) or "(?!)").search
        self.prefixes = frozenset(mark[:length] for mark in self.marks for length in range(1, len(mark)))
        self.longest = max(map(len, self.marks), default=0)

    def open_suffix(self, text: str, pos: int) -> int:
        """Return where the longest end of *text* begins that may grow into a mark; its length if none does."""
        for start in range(max(pos, len(text) - self.longest + 1), len(text)):
            if text[start:] in self.prefixes:
                return start
        return len(text)


_SPACE = re.compile(r"\s*")


def skip_space(c: Cursor) -> Wait[None]:
    """Take white space up to something else."""
    while True:
        match = _SPACE.match(c.text, c.pos)
        c.take(match.end())  # type: ignore[union-attr]
        if c.pos < len(c.text) or c.ended:
            return
        yield


def peek_character(c: Cursor) -> Wait[str]:
    """Return the next character, or nothing at the end."""
    while c.pos >= len(c.text) and not c.ended:
        yield
    return c.text[c.pos : c.pos + 1]


def peek_mark(c: Cursor, marks: Marks) -> Wait[str]:
    """Return the mark that stands here, or nothing."""
    while True:
        rest = c.text[c.pos : c.pos + marks.longest]
        if (rest in marks.prefixes and not c.ended) or (not rest and not c.ended):
            yield
            continue
        for mark in marks.marks:
            if rest.startswith(mark):
                return mark
        return ""


def matches_here(c: Cursor, pattern: str) -> Wait[bool]:
    """Tell whether *pattern* matches here, as soon as that is certain; at the end a possible beginning is enough.

    The pattern is tried again on every piece, so the text it can match has to be of bounded length.
    """
    compiled = _compile_partial(pattern)
    while True:
        match = compiled.match(c.text, c.pos, partial=True)
        if match is None or not match.partial or c.ended:
            return match is not None
        yield


@cache
def _compile_partial(pattern: str) -> Any:
    return regex.compile(pattern)


def take_mark(c: Cursor, marks: Marks) -> Wait[str]:
    """Take the mark that stands here and return it, or nothing."""
    mark = yield from peek_mark(c, marks)
    c.take(c.pos + len(mark))
    return mark


def stream_until(c: Cursor, marks: Marks, write: Callable[[str], None], *, leave: bool = False) -> Wait[str]:
    """Hand the text up to the next mark to *write* as soon as it is certain; take the mark, or *leave* it; return it.

    At the end of the text nothing is returned, and what might have become a mark is left unread.
    """
    while True:
        text = c.text
        match = marks.find(text, c.pos)
        if match is None:
            held = marks.open_suffix(text, c.pos)
            if held > c.pos:
                write(c.take(held))
            if c.ended:
                return ""
        else:
            if match.start() > c.pos:
                write(c.take(match.start()))
            # A longer mark may begin here as well, so a match that reaches the end of what is known has to wait.
            if match.end() < len(text) or c.ended or match.group() not in marks.prefixes:
                return match.group() if leave else c.take(match.end())
        yield


def take_until(c: Cursor, marks: Marks, *, leave: bool = False) -> Wait[tuple[str, str]]:
    """Return the text up to the next mark, and the mark; take both, or *leave* the mark. At the end it is empty."""
    pieces: list[str] = []
    mark = yield from stream_until(c, marks, pieces.append, leave=leave)
    if not mark:
        pieces.append(c.take(len(c.text)))
    return "".join(pieces), mark
