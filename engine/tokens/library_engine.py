"""The engine that every tokenizer has: the ``tokenizers`` library.

Law: an engine never changes after it was built. What a call asks for beyond plain encoding (cutting, filling, special
tokens taken as text) happens on the encodings, or in a copy that shares the vocabulary and belongs to that setting.
"""

from __future__ import annotations

from collections.abc import Sequence
from threading import Lock
from typing import TYPE_CHECKING, Any

from .engine import Filling, Truncation

if TYPE_CHECKING:
    import tokenizers
    from tokenizers import Encoding

__all__ = ["LibraryEngine"]


class LibraryEngine:
    """Encodes with the ``tokenizers`` library; any number of threads may use one."""

    def __init__(self, backend: tokenizers.Tokenizer) -> None:
        self.backend = backend
        """The Rust tokenizer; read it, never change it."""
        self._copies: dict[tuple[bool, bool], tokenizers.Tokenizer] = {(False, True): backend}
        self._lock = Lock()

    def encode_ids(self, text: str) -> list[int]:
        """Return the ids of *text*."""
        # A batch of one raises what a batch raises, and this variant keeps no offsets, which saves a seventh.
        return self.backend.encode_batch_fast([text], add_special_tokens=False)[0].ids

    def encode_offsets(self, text: str) -> tuple[list[int], list[tuple[int, int]]]:
        """Return the ids of *text* and the range of characters of each."""
        encoding = self.backend.encode_batch([text], add_special_tokens=False)[0]
        return encoding.ids, encoding.offsets

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
        backend = self._copy_for(bool(split_special_tokens), with_post_processor=True)
        finisher = self._make_finisher(truncation, filling)
        if truncation is None:
            encodings = backend.encode_batch(
                batch, is_pretokenized=is_split_into_words, add_special_tokens=add_special_tokens
            )
        elif is_split_into_words or not all(isinstance(item, str) for item in batch):
            # Pairs have to be cut together, before they become one encoding, which only the library itself can do.
            own = _copy_backend(backend, with_post_processor=True, split_special_tokens=bool(split_special_tokens))
            own.enable_truncation(**truncation._asdict())
            encodings = own.encode_batch(
                batch, is_pretokenized=is_split_into_words, add_special_tokens=add_special_tokens
            )
        else:
            raw = self._copy_for(bool(split_special_tokens), with_post_processor=False)
            encodings = [
                finisher.post_process(encoding, None, add_special_tokens)
                for encoding in raw.encode_batch(batch, add_special_tokens=False)
            ]
        if filling is not None and encodings:
            _fill_up(encodings, filling)
        return encodings

    def refuse_settings(self, truncation: Truncation | None, filling: Filling | None) -> None:
        """Raise what :meth:`encode_batch` would raise for settings that make no sense."""
        self._make_finisher(truncation, filling)

    def _make_finisher(self, truncation: Truncation | None, filling: Filling | None) -> tokenizers.Tokenizer:
        """Return a tokenizer that cuts, adds special tokens and fills, but knows no words; making one costs little."""
        from tokenizers import Tokenizer, models

        finisher = Tokenizer(models.BPE())
        if self.backend.post_processor is not None:
            finisher.post_processor = self.backend.post_processor
        if truncation is not None:
            finisher.enable_truncation(**truncation._asdict())
        if filling is not None:
            finisher.enable_padding(**filling._asdict())
        return finisher

    def _copy_for(self, split_special_tokens: bool, *, with_post_processor: bool) -> tokenizers.Tokenizer:
        key = (split_special_tokens, with_post_processor)
        if (found := self._copies.get(key)) is None:
            with self._lock:
                if (found := self._copies.get(key)) is None:
                    found = self._copies[key] = _copy_backend(
                        self.backend,
                        with_post_processor=with_post_processor,
                        split_special_tokens=split_special_tokens,
                    )
        return found


def _copy_backend(
    backend: tokenizers.Tokenizer, *, with_post_processor: bool, split_special_tokens: bool
) -> tokenizers.Tokenizer:
    """Return a tokenizer that shares the vocabulary of *backend*, which is the costly part."""
    from tokenizers import Tokenizer

    copy = Tokenizer(backend.model)
    for part in ("normalizer", "pre_tokenizer", "decoder", *(["post_processor"] if with_post_processor else [])):
        if (value := getattr(backend, part)) is not None:
            setattr(copy, part, value)
    # In the order of their ids, so that those outside the vocabulary get the same ones again.
    copy.add_tokens([token for _, token in sorted(backend.get_added_tokens_decoder().items())])
    copy.encode_special_tokens = split_special_tokens
    return copy


def _fill_up(encodings: list[Encoding], filling: Filling) -> None:
    length = filling.length if filling.length is not None else max(len(encoding) for encoding in encodings)
    multiple = filling.pad_to_multiple_of
    if multiple and length % multiple:
        length += multiple - length % multiple
    for encoding in encodings:
        encoding.pad(
            length,
            direction=filling.direction,
            pad_id=filling.pad_id,
            pad_type_id=filling.pad_type_id,
            pad_token=filling.pad_token,
        )
