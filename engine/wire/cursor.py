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
    "SPECIAL",
    "Cursor",
    "Marks",
    "Wait",
    "mark_tokens",
    "matches_here",
    "peek_character",
    "peek_mark",
    "skip_space",
    "stream_until",
    "take_mark",
    "take_until",
]

SPECIAL = "\ufdd0"
"""A noncharacter: stands in front of the text of a token that arrived as a token."""

T = TypeVar("T")
Wait = Generator[None, None, T]
"""A reader: yields while it waits for text, returns what it read."""


class Cursor:
    """A place in a text whose end may not be known yet."""

    __slots__ = ("cut_off", "doubtful", "ended", "idle", "pos", "record", "special", "taken", "text")

    def __init__(self, special: frozenset[str] = frozenset()) -> None:
        self.special = special
        """Texts of tokens that are known to arrive as tokens: there SPECIAL stands in front of them, and the same
        letters without it are ordinary text. Empty where the reader is fed text."""
        self.text = ""
        """What has arrived and was not let go of yet."""
        self.pos = 0
        """Where the unread part of ``text`` begins."""
        self.ended = False
        """No more text will come."""
        self.cut_off = False
        """There would have been more text, had it not been cut off."""
        self.doubtful = False
        """What stood at the end was taken for text, although it might have been the beginning of something else."""
        self.taken = 0
        """How many characters were taken so far."""
        self.idle: tuple[Callable[[str], object], Callable[[str], None]] | None = None
        """While a reader waits for a mark and has taken all there is: what finds the first character of a mark, and
        what takes text without one."""
        self.record: list[str] | None = None
        """Collects whatever is taken while it is a list."""

    def feed(self, piece: str) -> None:
        """Append *piece*."""
        self.text = self.text[self.pos :] + piece
        self.pos = 0

    def pass_by(self, text: str) -> bool:
        """Hand *text* straight to the reader that waits for a mark, if none can begin in it; tell whether that was so.

        Most pieces of a reply are such text, and waking the readers up for each costs more than reading it.
        """
        if self.idle is None or self.idle[0](text):
            return False
        if self.special:
            text = text.replace(SPECIAL, "")
        self.taken += len(text)
        if self.record is not None:
            self.record.append(text)
        self.idle[1](text)
        return True

    def take(self, end: int) -> str:
        """Return the text up to *end* and move there."""
        piece = self.text[self.pos : end]
        self.pos = end
        if self.special:
            piece = piece.replace(SPECIAL, "")
        self.taken += len(piece)
        if self.record is not None:
            self.record.append(piece)
        return piece


class Marks:
    """A set of fixed strings to look for; where several begin at one place the longest counts."""

    __slots__ = ("_under", "begins", "find", "longest", "marks", "prefixes")

    def __init__(self, marks: Iterable[str]) -> None:
        self._under: dict[frozenset[str], Marks] = {}
        self.marks = tuple(sorted(set(marks), key=len, reverse=True))
        self.find = re.compile("|".join(map(re.escape, self.marks)) or "(?!)").search
        first = "".join(sorted({mark[0] for mark in self.marks}))
        self.begins = re.compile(f"[{re.escape(first)}]" if first else "(?!)").search
        self.prefixes = frozenset(mark[:length] for mark in self.marks for length in range(1, len(mark)))
        self.longest = max(map(len, self.marks), default=0)

    def under(self, special: frozenset[str]) -> Marks:
        """Return the marks as they look where the tokens of *special* arrive as tokens."""
        if not special:
            return self
        found = self._under.get(special)
        if found is None:
            found = self._under[special] = Marks(mark_tokens(mark, special) for mark in self.marks)
        return found

    def open_suffix(self, text: str, pos: int) -> int:
        """Return where the longest end of *text* begins that may grow into a mark; its length if none does."""
        for start in range(max(pos, len(text) - self.longest + 1), len(text)):
            if text[start:] in self.prefixes:
                return start
        return len(text)


def mark_tokens(text: str, special: frozenset[str]) -> str:
    """Return *text*, whose tokens of *special* arrived as tokens."""
    return re.sub("|".join(map(re.escape, sorted(special, key=len, reverse=True))) or "(?!)", rf"{SPECIAL}\g<0>", text)


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
    mark = yield from _find_here(c, marks)
    return mark.replace(SPECIAL, "")


def take_mark(c: Cursor, marks: Marks) -> Wait[str]:
    """Take the mark that stands here and return it, or nothing."""
    mark = yield from _find_here(c, marks)
    return c.take(c.pos + len(mark)) if mark else ""


def _find_here(c: Cursor, marks: Marks) -> Wait[str]:
    marks = marks.under(c.special)
    while True:
        rest = c.text[c.pos : c.pos + marks.longest]
        if c.ended or (rest and rest not in marks.prefixes):
            return next((mark for mark in marks.marks if rest.startswith(mark)), "")
        yield


def matches_here(c: Cursor, pattern: str) -> Wait[bool]:
    """Tell whether *pattern* matches here, as soon as that is certain.

    Where the text was cut off a possible beginning is enough; at its own end only if nothing stands here.
    The pattern is tried again on every piece, so the text it can match has to be of bounded length.
    """
    compiled = _compile_partial(pattern)
    while True:
        # Patterns speak of letters; their bounded length makes it cheap to take the marks of tokens out.
        text, pos = (c.text[c.pos : c.pos + 1024].replace(SPECIAL, ""), 0) if c.special else (c.text, c.pos)
        match = compiled.match(text, pos, partial=True)
        if match is None or not match.partial or c.ended:
            if match is None or not match.partial or c.cut_off or not text[pos:].strip():
                return match is not None
            c.doubtful = True
            return False
        yield


@cache
def _compile_partial(pattern: str) -> Any:
    return regex.compile(pattern)


def stream_until(c: Cursor, marks: Marks, write: Callable[[str], None], *, leave: bool = False) -> Wait[str]:
    """Hand the text up to the next mark to *write* as soon as it is certain; take the mark, or *leave* it; return it.

    At the end of the text nothing is returned, and what might have become a mark is left unread.
    """
    marks = marks.under(c.special)
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
            # A longer mark may begin here as well, so what is known has to tell them apart.
            if c.ended or text[match.start() : match.start() + marks.longest] not in marks.prefixes:
                if not leave:
                    c.take(match.end())
                return match.group().replace(SPECIAL, "") if c.special else match.group()
        if c.pos == len(text):
            c.idle = (marks.begins, write)
        yield
        c.idle = None


def take_until(c: Cursor, marks: Marks, *, leave: bool = False) -> Wait[tuple[str, str]]:
    """Return the text up to the next mark, and the mark; take both, or *leave* the mark. At the end it is empty."""
    pieces: list[str] = []
    mark = yield from stream_until(c, marks, pieces.append, leave=leave)
    if not mark:
        pieces.append(c.take(len(c.text)))
    return "".join(pieces), mark
