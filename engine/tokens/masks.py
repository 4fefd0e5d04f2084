"""Which tokens a model is trained on: those that overlap the text of ``{% generation %}`` blocks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

__all__ = ["assistant_mask"]


def assistant_mask(spans: Sequence[tuple[int, int]], offsets: Iterable[tuple[int, int]]) -> list[int]:
    """Return 1 for each token that overlaps one of *spans*, else 0.

    Both are half-open character ranges of the same text. One pass is made, which takes both to be in order: where they
    are not (nested blocks, or padding on the left, whose offsets are all zero), the answer is that of the pass.
    """
    mask = []
    current = 0
    for start, end in offsets:
        while current < len(spans) and start >= spans[current][1]:
            current += 1
        mask.append(int(current < len(spans) and end > spans[current][0]))
    return mask
