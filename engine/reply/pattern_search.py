"""The search for a plain pattern in a text that is still growing.

Law: after any number of characters a :class:`Search` knows what regex's search would find in the text so far: the match
and, where there is none, how far back one may have begun. It looks at each character once.
"""

from __future__ import annotations

from collections.abc import Iterator

import regex

from .pattern_machine import NEW, Machine, build_machine

__all__ = ["Search", "find_all"]

SHORT = 24
"""Characters that are sooner looked at one by one than searched."""


class Search:
    """One search; positions count from the start of the stream, of which the caller may have let go the first part."""

    __slots__ = ("machine", "match", "pos", "starts", "state")

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.match: tuple[int, int] | None = None
        """What regex would find from where the search began, as far as the text has been looked at."""
        self.pos = 0
        """Up to where the text has been looked at: as far as it goes, or as it takes to be sure of ``match``."""
        self.starts: tuple[int, ...] = ()
        """Where matches start that may still be going on, in rising order; all are preferred to ``match``."""
        self.state = machine.idle

    def begin_at(self, pos: int) -> None:
        """Make this a search from *pos* on, and keep what it has seen where that comes to the same."""
        if self.pos < pos or (self.match and self.match[0] < pos) or (self.starts and self.starts[0] < pos):
            self.match = None
            self.pos = pos
            self.starts = ()
            self.state = self.machine.idle

    def advance(self, text: str, base: int, end: int) -> None:
        """Look at the text up to *end*; *text* is the stream from *base* on."""
        state, starts, machine = self.state, self.starts, self.machine
        pos = self.pos - base
        stop = end - base
        while pos < stop:
            if not starts:
                if not state.starting:
                    break
                if stop - pos > SHORT:
                    pos = self.skip(text, pos, stop)
            move = state.moves.get(text[pos]) or machine.move(state, text[pos])
            if move.stays:
                pos += 1
                if stop - pos > SHORT and (run_end := machine.find_run_end(state)) is not None:
                    pos = run_end(text, pos, stop)
                continue
            if move.accepted is not None:
                self.match = (pos + base if move.accepted == NEW else starts[move.accepted], pos + base + 1)
            if move.starts is not None:
                starts = tuple(pos + base if rank == NEW else starts[rank] for rank in move.starts)
            state = move.state
            pos += 1
        self.state, self.starts = state, starts
        self.pos = pos + base

    def accepts(self, char: str) -> bool:
        """Say whether *char* coming next would make another match of it."""
        return self.machine.move(self.state, char).accepted is not None

    def skip(self, text: str, pos: int, stop: int) -> int:
        """Return a position before *stop* that no match going on at *stop*, or matched by then, starts in front of."""
        program = self.machine.program
        if program.heads is None:
            return pos
        head = program.heads.search(text, pos, stop)
        # A longer head may have begun that the part of the text cuts short.
        target = min(stop if head is None else head.start(), max(pos, stop - program.longest_head + 1), stop - 1)
        if program.lead is not None:
            while target > pos and program.lead(text[target - 1]):
                target -= 1
        return target


def find_all(pattern: str, text: str) -> Iterator[regex.Match[str]]:
    """Yield the matches of *pattern* in *text* as regex's ``finditer`` does, ``.`` taking line ends as well."""
    machine = build_machine(pattern) if isinstance(pattern, str) else None
    if machine is None or machine.program.or_end:
        yield from regex.finditer(pattern, text, flags=regex.DOTALL)
        return
    compiled = regex.compile(pattern, regex.DOTALL)
    search = Search(machine)
    search.advance(text, 0, len(text))
    while search.match is not None:
        start, end = search.match
        match = compiled.match(text, start, end)
        assert match is not None  # the search has seen it
        yield match
        search.begin_at(end)
        search.advance(text, 0, len(text))
