"""What a call to the tokenizer returns: rows of numbers by name, and the library's encodings behind them."""

from __future__ import annotations

from collections import UserDict
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from ..log import logger
from .arrays import array_maker, is_instance_of
from .strategies import TensorType

if TYPE_CHECKING:
    from tokenizers import Encoding

    _Base = UserDict[str, Any]
else:
    _Base = UserDict

__all__ = ["BatchEncoding", "CharSpan", "TokenSpan"]


_NEVER_NEGATIVE = frozenset({"token_to_sequence", "token_to_word", "word_to_tokens"})


class CharSpan(NamedTuple):
    """Half-open range of characters of the text."""

    start: int
    end: int


class TokenSpan(NamedTuple):
    """Half-open range of tokens of the encoding."""

    start: int
    end: int


class BatchEncoding(_Base):
    """The rows by name (``input_ids``, ``attention_mask`` …), also as attributes.

    An integer index gives the ``tokenizers.Encoding`` of a row. The methods that map between characters, words and
    tokens take the row first and default to the only one, as in Transformers' class of this name.
    """

    def __init__(
        self,
        data: Any = None,
        encoding: Encoding | Sequence[Encoding] | Callable[[], Sequence[Encoding]] | None = None,
        tensor_type: str | TensorType | None = None,
        prepend_batch_axis: bool = False,
        n_sequences: int | None = None,
        offsets: Sequence[Sequence[tuple[int, int]]] | None = None,
    ) -> None:
        """Hold the rows; a function in place of the encodings makes them when they are asked for, as *offsets* may."""
        super().__init__(data)
        is_one = not (encoding is None or isinstance(encoding, (list, tuple)) or callable(encoding))
        self._source = cast(
            "Sequence[Encoding] | Callable[[], Sequence[Encoding]] | None", [encoding] if is_one else encoding
        )
        self._offsets = offsets
        self._n_sequences = n_sequences
        if n_sequences is None and self._encodings:
            self._n_sequences = self._encodings[0].n_sequences
        self.convert_to_tensors(tensor_type, prepend_batch_axis)

    def __getitem__(self, item: Any) -> Any:
        if isinstance(item, str):
            return self.data[item]
        if self._encodings is not None:
            return self._encodings[item]
        if isinstance(item, slice):
            return {key: self.data[key][item] for key in self.data}
        raise KeyError(
            "Invalid key. Only three types of key are available: "
            "(1) string, (2) integers for backend Encoding, and (3) slices for data subsetting."
        )

    def __getattr__(self, item: str) -> Any:
        # Not there yet while an instance is unpickled.
        if item == "data" or item not in self.data:
            raise AttributeError
        return self.data[item]

    def __getstate__(self) -> dict[str, Any]:
        return {"data": self.data, "encodings": self._encodings}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.data = state["data"]
        self._source = state["encodings"]
        self._offsets = None

    @property
    def _encodings(self) -> Sequence[Encoding] | None:
        if callable(self._source):
            self._source = self._source()
        return self._source

    @property
    def n_sequences(self) -> int | None:
        """How many texts each row holds: 1, or 2 for pairs; None if that is not known."""
        return self._n_sequences

    @property
    def is_fast(self) -> bool:
        """Whether the library's encodings are there."""
        return self._source is not None

    @property
    def encodings(self) -> Any:
        """The library's encodings, one a row; None for rows that were only padded."""
        return self._encodings

    def row_offsets(self, row: int) -> Sequence[tuple[int, int]]:
        """Return the range of characters of each token of a row, without making the encodings where that is known."""
        return self._rows_for("offsets")[row].offsets if self._offsets is None else self._offsets[row]

    def tokens(self, batch_index: int = 0) -> list[str]:
        """Return the tokens of a row as they stand in the vocabulary."""
        return self._rows_for("tokens")[batch_index].tokens

    def sequence_ids(self, batch_index: int = 0) -> list[int | None]:
        """Return for each token whether it comes from the first text (0) or the second (1); None if it was added."""
        return self._rows_for("sequence_ids")[batch_index].sequence_ids

    def word_ids(self, batch_index: int = 0) -> list[int | None]:
        """Return for each token the number of its word; None if it was added."""
        return self._rows_for("word_ids")[batch_index].word_ids

    def token_to_sequence(self, batch_or_token_index: int, token_index: int | None = None) -> int | None:
        """Return the number of the text that a token comes from."""
        row, token = self._locate("token_to_sequence", batch_or_token_index, token_index)
        return row.token_to_sequence(token)

    def token_to_word(self, batch_or_token_index: int, token_index: int | None = None) -> int | None:
        """Return the number of the word that a token belongs to."""
        row, token = self._locate("token_to_word", batch_or_token_index, token_index)
        return row.token_to_word(token)

    def word_to_tokens(
        self, batch_or_word_index: int, word_index: int | None = None, sequence_index: int = 0
    ) -> TokenSpan | None:
        """Return the tokens of a word."""
        row, word = self._locate("word_to_tokens", batch_or_word_index, word_index)
        span = row.word_to_tokens(word, sequence_index)
        return None if span is None else TokenSpan(*span)

    def token_to_chars(self, batch_or_token_index: int, token_index: int | None = None) -> CharSpan | None:
        """Return the characters of a token; None if it was added."""
        row, token = self._locate("token_to_chars", batch_or_token_index, token_index)
        span = row.token_to_chars(token)
        return None if span is None else CharSpan(*span)

    def char_to_token(
        self, batch_or_char_index: int, char_index: int | None = None, sequence_index: int = 0
    ) -> int | None:
        """Return the token that holds a character; None if none does."""
        row, char = self._locate("char_to_token", batch_or_char_index, char_index)
        return row.char_to_token(char, sequence_index)

    def word_to_chars(
        self, batch_or_word_index: int, word_index: int | None = None, sequence_index: int = 0
    ) -> CharSpan:
        """Return the characters of a word."""
        row, word = self._locate("word_to_chars", batch_or_word_index, word_index)
        return CharSpan(*row.word_to_chars(word, sequence_index))  # type: ignore[misc]

    def char_to_word(
        self, batch_or_char_index: int, char_index: int | None = None, sequence_index: int = 0
    ) -> int | None:
        """Return the number of the word that holds a character; None if none does."""
        row, char = self._locate("char_to_word", batch_or_char_index, char_index)
        return row.char_to_word(char, sequence_index)

    def _rows_for(self, method: str) -> Sequence[Encoding]:
        if not self._encodings:
            raise ValueError(f"{method}() is not available when using Python based tokenizers")
        return self._encodings

    def _locate(self, method: str, first: int, second: int | None) -> tuple[Encoding, int]:
        """Return the row and the position in it, where the row may have been left out."""
        row, pos = (0, first) if second is None else (first, second)
        if method in _NEVER_NEGATIVE and (row < 0 or pos < 0):
            raise AttributeError  # as in Transformers, where counting from the end was meant to work here
        return self._rows_for(method)[row], pos

    def convert_to_tensors(
        self, tensor_type: str | TensorType | None = None, prepend_batch_axis: bool = False
    ) -> BatchEncoding:
        """Turn the rows into arrays, in place: ``"np"`` or ``"pt"``; nothing for None.

        Raises:
            ValueError: the rows differ in length, or the type is unknown.
            ImportError: the library is not installed.
        """
        if tensor_type is None:
            return self
        make, is_array = array_maker(TensorType(tensor_type))
        for key, value in self.items():
            try:
                if prepend_batch_axis:
                    value = [value]
                if not is_array(value):
                    self[key] = make(value)
            except Exception as error:
                if key == "overflowing_tokens":
                    raise ValueError(
                        "Unable to create tensor returning overflowing tokens of different lengths. "
                        "Please see if a fast version of this tokenizer is available to have this feature available."
                    ) from error
                raise ValueError(
                    "Unable to create tensor, you should probably activate truncation and/or padding with"
                    " 'padding=True' 'truncation=True' to have batched tensors with the same length. Perhaps your"
                    f" features (`{key}` in this case) have excessive nesting (inputs type `list` where type `int` is"
                    " expected)."
                ) from error
        return self

    def to(self, device: Any, *, non_blocking: bool = False) -> BatchEncoding:
        """Move the PyTorch tensors to *device*, in place.

        Raises:
            ImportError: PyTorch is not installed.
        """
        import torch  # noqa: F401 - says what is missing before anything is looked at

        if isinstance(device, (str, int)) or is_instance_of(device, "torch", "device"):
            self.data = {
                key: value.to(device=device, non_blocking=non_blocking)
                if callable(getattr(value, "to", None))
                else value
                for key, value in self.data.items()
            }
        else:
            logger.warning(f"Attempting to cast a BatchEncoding to type {device!s}. This is not supported.")
        return self
