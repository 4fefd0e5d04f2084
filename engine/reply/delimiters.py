"""Where regions open and close: delimiters as templates declare them, and the watch for one in a growing text.

Law: what a watch says is what regex's search says in the text from the region's last boundary on: the first match, and
while the stream goes on, regex's partial matching where there is none. A match that more text could change is not yet
one.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Protocol

import regex

from .pattern_machine import Machine, build_machine
from .pattern_search import Search
from .pattern_syntax import literal_lookahead

__all__ = ["Delimiter", "Watch", "compile_delimiter"]

Span = tuple[int, int]


@dataclass(frozen=True)
class Delimiter:
    """A delimiter as a template declares it."""

    pattern: regex.Pattern[str]
    """What matches it."""
    literals: tuple[str, ...] | None = None
    """The texts it consists in; None where the template gives a pattern."""

    @property
    def may_extend(self) -> bool:
        """Whether one of the literals goes on where another one ends."""
        literals = self.literals or ()
        return any(long != short and long.startswith(short) for long in literals for short in literals)

    def watch(self) -> Watch:
        """Return a fresh watch for this delimiter."""
        source = self.pattern.pattern
        if isinstance(source, str):
            if (machine := build_machine(source)) is not None:
                return PlainWatch(self, machine)
            if (literal := literal_lookahead(source)) is not None:
                return LookaheadWatch(literal)
        return RegexWatch(self)


def compile_delimiter(scope: str, spec: dict[str, Any], literal_key: str, pattern_key: str) -> Delimiter | None:
    """Return the delimiter that *spec* has under one of two keys; None where it has neither.

    Raises:
        ValueError: it is not one or several non-empty texts, or not a pattern, or both are there.
    """
    if literal_key not in spec:
        if pattern_key not in spec:
            return None
        try:
            return Delimiter(regex.compile(spec[pattern_key], regex.DOTALL))
        except regex.error as error:
            raise ValueError(f"{scope}: invalid {pattern_key} regex: {error}") from error
    if pattern_key in spec:
        raise ValueError(f"{scope}: cannot specify both '{literal_key}' and '{pattern_key}'")
    literals = spec[literal_key]
    if isinstance(literals, str):
        literals = [literals]
    elif not isinstance(literals, list):
        raise ValueError(f"{scope}: '{literal_key}' must be a string or list of strings, got {type(literals).__name__}")
    if not literals:
        raise ValueError(f"{scope}: '{literal_key}' list must contain at least one literal")
    if not all(isinstance(literal, str) for literal in literals):
        raise ValueError(f"{scope}: '{literal_key}' list must contain only strings")
    if "" in literals:
        raise ValueError(f"{scope}: '{literal_key}' literals cannot be empty strings")
    return Delimiter(_literal_pattern(tuple(literals)), tuple(literals))


@lru_cache(maxsize=1024)
def _literal_pattern(literals: tuple[str, ...]) -> regex.Pattern[str]:
    """Return a pattern that takes the longest literal that stands at a place."""
    longest_first = sorted(dict.fromkeys(literals), key=len, reverse=True)
    return regex.compile("|".join(map(regex.escape, longest_first)), regex.DOTALL)


# --- watching ---------------------------------------------------------------------------------------------------------


class Watch(Protocol):
    """The watch for one delimiter. Positions count from the stream's start; *text* is the stream from *base* on."""

    looks_back: bool
    """Whether what it finds may depend on text before the position it looks from."""
    match: Span | None
    """What has been found so far."""
    pending: int | None
    """Where a match starts that is still going on and would come before ``match``."""

    def advance(self, text: str, base: int, pos: int, end: int, final: bool) -> None:
        """Look for the delimiter from *pos* on, in the text up to *end* at least; *final*: no more text will come."""
        ...

    def settle(self, text: str, base: int, pos: int, final: bool) -> tuple[Span | None, int | None]:
        """Say, once all the text is looked at, what can be relied on: a match, or else from where more text decides."""
        ...

    def captures(self, text: str, base: int, match: Span) -> dict[str, str]:
        """Return the named groups that took part in *match*."""
        ...

    def passes(self, char: str) -> bool:
        """Say whether *char*, while nothing is pending, neither is nor begins a match."""
        ...


def _named_groups(match: regex.Match[str] | None) -> dict[str, str]:
    return {} if match is None else {name: value for name, value in match.groupdict().items() if value is not None}


class PlainWatch:
    """Watches for literals and plain patterns, looking at each character once."""

    looks_back = False

    def __init__(self, delimiter: Delimiter, machine: Machine) -> None:
        self.delimiter = delimiter
        self.search = Search(machine)
        self.match: Span | None = None
        self.pending: int | None = None
        self.asked: tuple[int, int] | None = None
        """Up to where regex was asked for the beginning of a match, and where that is."""

    def advance(self, text: str, base: int, pos: int, end: int, final: bool) -> None:
        search = self.search
        if final and search.match is None and search.pos >= base + len(text):
            self.match = self.pending = None  # nor can there be one from a later position on
            return
        search.begin_at(pos)
        search.advance(text, base, end)
        self.match = search.match
        self.pending = search.starts[0] if search.starts else None
        if self.match is None and self.pending != pos and search.machine.program.lazy and not final:
            known = self.known_beginning(pos, base + len(text))
            self.pending = pos if known is None else known

    def settle(self, text: str, base: int, pos: int, final: bool) -> tuple[Span | None, int | None]:
        end = base + len(text)
        program = self.search.machine.program
        if (match := self.match) is None:
            if program.or_end:
                # `$` also holds in front of a last line end, and there as long as nothing follows it.
                place = end - 1 if end > pos and text.endswith("\n") else end
                return ((place, place), None) if final else (None, place)
            if final:
                return None, None
            if program.lazy and self.search.starts[:1] != (pos,) and self.known_beginning(pos, end) is None:
                beginning = self.delimiter.pattern.search(text, pos - base, partial=True)
                self.asked = end, end if beginning is None else base + beginning.start()
                self.pending = self.asked[1]
            return None, self.pending
        if final:
            return match, None
        if match[1] == end:
            undecided = self.delimiter.literals is None or self.delimiter.may_extend
        else:
            undecided = self.delimiter.literals is None and self.pending is not None and self.changes(text, base, match)
        return (None, match[0]) if undecided else (match, None)

    def known_beginning(self, pos: int, end: int) -> int | None:
        """Return where a match begins that is still going on, as regex saw it in the text up to *end*, if it was asked.

        Behind a lazy repeat regex takes what cannot become a match any more for the beginning of one.
        """
        if self.asked is None or self.asked[0] != end or self.asked[1] < pos:
            return None
        return self.asked[1]

    def changes(self, text: str, base: int, match: Span) -> bool:
        """Say whether the match would be another one if a NUL followed the text, which is how Transformers decides."""
        if self.search.starts == (match[0],):
            return self.search.accepts("\0")
        longer = self.delimiter.pattern.match(text[match[0] - base :] + "\0")
        return longer is None or longer.end() != match[1] - match[0]

    def captures(self, text: str, base: int, match: Span) -> dict[str, str]:
        if not self.delimiter.pattern.groupindex:
            return {}
        return _named_groups(self.delimiter.pattern.match(text, match[0] - base, match[1] - base))

    def passes(self, char: str) -> bool:
        machine = self.search.machine
        if (machine.program.lazy and machine.program.heads is None) or (machine.program.or_end and char == "\n"):
            return False
        return (machine.idle.moves.get(char) or machine.move(machine.idle, char)).stays


class LookaheadWatch:
    """Watches for a place after which a text comes somewhere: any place, once that text is there."""

    looks_back = False

    def __init__(self, literal: str) -> None:
        self.literal = literal
        self.place = -1
        """Where the literal was last found."""
        self.end = 0
        """Up to where it was looked for."""
        self.match: Span | None = None
        self.pending: int | None = None

    def advance(self, text: str, base: int, pos: int, end: int, final: bool) -> None:
        if self.place < pos:
            unseen = max(pos, self.end - len(self.literal) + 1)
            found = text.find(self.literal, unseen - base)
            self.place = -1 if found < 0 else base + found
            self.end = base + (len(text) if found < 0 else found + len(self.literal))
        self.match, self.pending = (None, pos) if self.place < 0 else ((pos, pos), None)

    def settle(self, text: str, base: int, pos: int, final: bool) -> tuple[Span | None, int | None]:
        return self.match, None if final else self.pending

    def captures(self, text: str, base: int, match: Span) -> dict[str, str]:
        return {}

    def passes(self, char: str) -> bool:
        return False


class RegexWatch:
    """Watches for any other pattern, the whole text since the last boundary each time."""

    looks_back = True

    def __init__(self, delimiter: Delimiter) -> None:
        self.delimiter = delimiter
        self.match: Span | None = None
        self.pending: int | None = None
        self.found: regex.Match[str] | None = None

    def advance(self, text: str, base: int, pos: int, end: int, final: bool) -> None:
        pass

    def settle(self, text: str, base: int, pos: int, final: bool) -> tuple[Span | None, int | None]:
        found = self.delimiter.pattern.search(text, pos - base, partial=not final)
        if found is None:
            return None, None
        if not final and (found.partial or self.changes(text, found)):
            return None, base + found.start()
        self.found = found
        return (base + found.start(), base + found.end()), None

    def changes(self, text: str, found: regex.Match[str]) -> bool:
        """Say whether more text could change *found*; a pattern's match at the end may, be it only by growing."""
        literals = self.delimiter.literals is not None
        if found.end() == len(text):
            return not literals or self.delimiter.may_extend
        if literals:
            return False
        longer = self.delimiter.pattern.match(text + "\0", found.start())
        return longer is None or longer.span() != found.span() or longer.groupdict() != found.groupdict()

    def captures(self, text: str, base: int, match: Span) -> dict[str, str]:
        return _named_groups(self.found)

    def passes(self, char: str) -> bool:
        return False
