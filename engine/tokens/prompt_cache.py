"""Prompts that were encoded lately: of the next one, only what is new after the last shared anchor is encoded.

Law: the ids and offsets are those of a full encode, whatever was encoded before and by however many threads; see
:mod:`.anchors` for the proof. What is kept is bounded in number and in characters.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from threading import Lock

from .anchors import Anchor, AnchorTokens
from .engine import TokenEngine

__all__ = ["EncodedPrompt", "PromptCache", "count_shared"]


@dataclass
class EncodedPrompt:
    """An encoded prompt, to be read only: later ones are built of it."""

    text: str
    ids: list[int]
    offsets: list[tuple[int, int]] | None
    """Half-open ranges of characters; None if nobody asked for them."""
    anchors: list[Anchor] | None = None
    """None until a later prompt needs them, which most texts never see."""


class PromptCache:
    """Encodes prompts; any number of threads may use one."""

    def __init__(
        self,
        engine: TokenEngine,
        anchors: AnchorTokens,
        *,
        max_prompts: int = 16,
        max_characters: int = 1_000_000,
        min_characters: int = 500,
    ) -> None:
        """Keep up to *max_prompts* of them, *max_characters* in all, each of at least *min_characters*."""
        self._engine = engine
        self._anchors = anchors
        self._max_prompts = max_prompts
        self._max_characters = max_characters
        self._min_characters = min_characters
        # The last used first. Replaced as a whole, so that reading needs no lock.
        self._prompts: tuple[EncodedPrompt, ...] = ()
        self._lock = Lock()

    def encode_prompt(self, text: str, *, with_offsets: bool) -> EncodedPrompt:
        """Return the prompt with its ids, and with its offsets if these are wanted.

        Raises:
            TypeError: as :meth:`TokenEngine.encode_ids`.
        """
        if len(text) < self._min_characters:
            # Done sooner than an earlier prompt like it is found.
            return self._encode_whole(text, with_offsets=with_offsets)
        known, shared = self._find_closest(text, with_offsets=with_offsets)
        if known is not None and known.text == text:
            self._keep(known, instead_of=known)
            return known
        prompt = None
        has_grown = False
        if known is not None:
            if known.anchors is None:  # threads that meet here find the same
                known.anchors = self._anchors.locate_anchors(known.text, known.ids)
            place = bisect_right(known.anchors, shared, key=_end_of) - 1
            if place >= 0:
                prompt = self._extend(known, known.anchors, place, text, with_offsets=with_offsets)
            # Of a chat that only grew, the earlier prompt is of no more use.
            has_grown = place == len(known.anchors) - 1 and with_offsets == (known.offsets is not None)
        if prompt is None:
            prompt = self._encode_whole(text, with_offsets=with_offsets)
        self._keep(prompt, instead_of=known if has_grown else None)
        return prompt

    def _find_closest(self, text: str, *, with_offsets: bool) -> tuple[EncodedPrompt | None, int]:
        """Return the prompt that shares the most characters with *text*, and how many; None for less than is kept."""
        closest, most = None, max(self._min_characters - 1, 0)
        for prompt in self._prompts:
            if (prompt.offsets is not None or not with_offsets) and text[most : most + 1] == prompt.text[
                most : most + 1
            ]:
                shared = count_shared(prompt.text, text)
                if shared > most:
                    closest, most = prompt, shared
        return closest, most

    def _encode_whole(self, text: str, *, with_offsets: bool) -> EncodedPrompt:
        if with_offsets:
            return EncodedPrompt(text, *self._engine.encode_offsets(text))
        return EncodedPrompt(text, self._engine.encode_ids(text), None)

    def _extend(
        self, known: EncodedPrompt, anchors: list[Anchor], place: int, text: str, *, with_offsets: bool
    ) -> EncodedPrompt | None:
        """Return what *known* becomes up to its anchor at *place*, and *text* from there on; None if that fails."""
        _, start, before = anchors[place]
        rest = self._encode_whole(text[start:], with_offsets=with_offsets)
        offsets = None
        if rest.offsets is not None and known.offsets is not None:
            # For a token behind the last character, should there be one, the library counts bytes, not characters.
            if not text.isascii() and any(first >= len(rest.text) for first, _ in rest.offsets):
                return None
            offsets = known.offsets[:before] + [(first + start, last + start) for first, last in rest.offsets]
        moved = [
            Anchor(end + start, first + start, count + before)
            for end, first, count in self._anchors.locate_anchors(rest.text, rest.ids)
        ]
        ids = known.ids[:before]
        ids += rest.ids
        return EncodedPrompt(text, ids, offsets, anchors[:place] + moved)

    def _keep(self, prompt: EncodedPrompt, *, instead_of: EncodedPrompt | None) -> None:
        if len(prompt.text) > self._max_characters:
            return
        with self._lock:
            others = [other for other in self._prompts if other is not instead_of and other is not prompt]
            kept = [prompt]
            room = self._max_characters - len(prompt.text)
            for other in others[: self._max_prompts - 1]:
                room -= len(other.text)
                if room < 0:
                    break
                kept.append(other)
            self._prompts = tuple(kept)


def _end_of(anchor: Anchor) -> int:
    return anchor.end


def count_shared(one: Sequence[object], other: Sequence[object]) -> int:
    """Return how many leading items *one* and *other* share, comparing slices, which is far quicker than items."""
    low, high = 0, min(len(one), len(other))
    if one[:high] == other[:high]:
        return high
    while high - low > 1:
        middle = (low + high) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle
    return low
