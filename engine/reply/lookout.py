"""The lookout for the next boundary of a region, among all delimiters that may come.

Law: the first to start is the next, then the longest, one that opens a region, the first by name; and none is taken
while more text might yet make one that starts no later.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from operator import itemgetter

from .delimiters import Delimiter, Span, Watch
from .response_template import ResponseField, ResponseTemplate

__all__ = ["Lookout", "Watched", "watch_fields"]

STRIDE = 4096
"""Characters in which all delimiters are looked for before the first one found is taken."""
SHORT = 24
"""Characters of a text that is worth learning from."""
MOST_QUIET = 5000

Rank = tuple[int, int, int, str]


@dataclass(frozen=True)
class Watched:
    """A delimiter that is looked for."""

    field: ResponseField
    """The field whose region it bounds."""
    opens: bool
    """Whether the region opens there, rather than closes."""
    delimiter: Delimiter
    """The delimiter."""
    watch: Watch
    """The watch for it."""

    def rank(self, span: Span) -> Rank:
        """Return what the lowest of is taken."""
        start, end = span
        return start, start - end, 0 if self.opens else 1, self.field.name


def watch_fields(template: ResponseTemplate) -> list[Watched]:
    """Return fresh watches for all delimiters of *template*, the opening ones first."""
    return [
        Watched(field, opens, delimiter, delimiter.watch())
        for opens in (True, False)
        for field in template.fields.values()
        if (delimiter := field.open if opens else field.close) is not None
    ]


class Lookout:
    """Looks for several delimiters at the same time; positions count from the start of the stream."""

    def __init__(self, watched: Sequence[Watched]) -> None:
        self.watched = watched
        self.quiet = _quiet_characters(tuple(one.delimiter for one in watched))
        """Characters that are no delimiter and begin none, as far as they have been met. Parsers share it."""
        self.looked = 0
        """Up to where nothing was found when all that there was had been looked at."""
        # What looks back, or asks regex each time, gains nothing from a text in parts.
        self.in_strides = not any(one.watch.looks_back for one in watched)

    def find(self, text: str, base: int, pos: int, final: bool) -> tuple[tuple[Watched, Span] | None, int]:
        """Return the next boundary, if there is one that can be relied on, and up to where text belongs to none.

        *text* is the stream from *base* on, all that comes before *pos* has been dealt with, *final* says that no more
        text will come.
        """
        end = hold = base + len(text)
        # A long text is not searched to its end for one delimiter while another one stands close by.
        strides = range(max(pos, self.looked) + STRIDE, end, STRIDE) if self.in_strides else ()
        for upto in (*strides, end):
            hold = upto
            found: list[tuple[Rank, Watched, Span]] = []
            for watched in self.watched:
                watch = watched.watch
                watch.advance(text, base, pos, upto, final)
                if upto == end:
                    span, undecided = watch.settle(text, base, pos, final)
                else:
                    span, undecided = watch.match, watch.pending
                    if span is not None and span[1] == end:
                        # Seen when all the text was looked at, and to be judged when it is again.
                        undecided, span = span[0], None
                if span is not None:
                    found.append((watched.rank(span), watched, span))
                if undecided is not None and undecided < hold:
                    hold = undecided
            if found:
                _, watched, span = min(found, key=itemgetter(0))
                # Nothing is found at the very end of the text, be it final or not.
                if span[0] < hold:
                    return (watched, span), hold
        self.looked = end
        return None, hold

    def learn(self, text: str) -> None:
        """Take note of the quiet characters of a *text* in which nothing was found and nothing is pending."""
        if len(text) > SHORT:
            return
        if len(self.quiet) > MOST_QUIET:
            self.quiet.clear()
        unknown = set(text) - self.quiet
        self.quiet.update(char for char in unknown if all(watched.watch.passes(char) for watched in self.watched))


@lru_cache(maxsize=1024)
def _quiet_characters(delimiters: tuple[Delimiter, ...]) -> set[str]:
    """Return the set in which the quiet characters of these delimiters are gathered."""
    return set()
