"""What the package asks of a library that cuts text into tokens: the seam at which engines are exchanged.

Law: all engines give the same ids. One that is faster than :class:`LibraryEngine` may answer some of these methods
itself and hand the others to it; ``encode_ids`` is where the time of a chat goes, and a library without offsets has no
use for the rest.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

if TYPE_CHECKING:
    import tokenizers
    from tokenizers import Encoding

__all__ = ["Filling", "TokenEngine", "Truncation"]


class Truncation(NamedTuple):
    """How long texts are cut."""

    max_length: int
    stride: int
    strategy: str
    direction: str


class Filling(NamedTuple):
    """How short rows are filled up."""

    length: int | None
    """None for that of the longest row."""
    direction: str
    pad_id: int
    pad_token: str
    pad_type_id: int
    pad_to_multiple_of: int | None


class TokenEngine(Protocol):
    """Encodes for any number of threads at once, and never changes."""

    @property
    def backend(self) -> tokenizers.Tokenizer:
        """The Rust tokenizer it answers for, with vocabulary, added tokens and decoding; read it, never change it."""

    def encode_ids(self, text: str) -> list[int]:
        """Return the ids of *text*, with added tokens recognised and nothing added, cut or filled up.

        Raises:
            TypeError: it is not text that UTF-8 can hold.
        """

    def encode_offsets(self, text: str) -> tuple[list[int], list[tuple[int, int]]]:
        """Return the same ids, and for each the half-open range of characters that it stands for."""

    def encode_batch(
        self,
        batch: Sequence[Any],
        *,
        add_special_tokens: bool,
        is_split_into_words: bool,
        split_special_tokens: bool,
        truncation: Truncation | None,
        filling: Filling | None,
    ) -> list[Encoding]:
        """Encode each item of *batch*: a text, a pair of texts, or either of them as a list of words.

        Raises:
            TypeError, ValueError, OverflowError: an item, or one of the settings, is not what the library takes.
        """

    def refuse_settings(self, truncation: Truncation | None, filling: Filling | None) -> None:
        """Raise what :meth:`encode_batch` would raise for settings that make no sense."""
