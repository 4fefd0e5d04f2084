"""From ids to text, one id at a time: never half a character, and together what decoding them all at once gives."""

from __future__ import annotations

from collections.abc import Callable, Sequence

__all__ = ["Detokenizer"]

REPLACEMENT = "\ufffd"
MAX_HELD = 8
"""Ids held back for the rest of a character; a character has four bytes, so what lasts longer is no character."""


class Detokenizer:
    """Decodes a growing list of ids.

    What an id adds depends on those before it (a decoder may drop the first space, or join the bytes of a character),
    so the last ids that gave text are decoded again along with the new ones, and the difference counts.
    """

    __slots__ = ("_context", "_decode", "_held")

    def __init__(self, decode: Callable[[Sequence[int]], str]) -> None:
        self._decode = decode
        self._context: list[int] = []
        self._held: list[int] = []

    def feed(self, id: int) -> str:
        """Take one id and return the text that is certain now."""
        self._held.append(id)
        text = self._added_text()
        if text.endswith(REPLACEMENT) and len(self._held) < MAX_HELD:
            return ""
        return self._release(text)

    def flush(self) -> str:
        """Return what was held back: bytes that never became a character, as replacement characters."""
        return self._release(self._added_text()) if self._held else ""

    def note_token(self, id: int) -> None:
        """Take an id whose text the caller knows, as context for the next ones."""
        self._context = [id]

    def _added_text(self) -> str:
        known = self._decode(self._context) if self._context else ""
        return self._decode([*self._context, *self._held])[len(known) :]

    def _release(self, text: str) -> str:
        self._context = self._held
        self._held = []
        return text
