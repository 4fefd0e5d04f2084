"""The two ends of an encoding call: what the caller may pass, and the rows that the encodings become."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .encoding import BatchEncoding
from .prompt_cache import EncodedPrompt
from .strategies import TensorType

if TYPE_CHECKING:
    from tokenizers import Encoding

__all__ = ["WantedRows", "collect_batch", "collect_prompt", "collect_rows"]

_NOT_TEXT = (
    "text input must be of type `str` (single example), `list[str]` (batch or single pretokenized example) "
    "or `list[list[str]]` (batch of pretokenized examples) or `list[tuple[list[str], list[str]]]` (batch of "
    "pretokenized sequence pairs)."
)


def collect_batch(text: Any, text_pair: Any, *, is_split_into_words: bool) -> tuple[Sequence[Any], bool]:
    """Return what was passed as a batch, and whether it was one.

    Raises:
        ValueError, TypeError: it is not text, or the two batches do not go together.
    """
    if not _is_text(text) or (text_pair is not None and not _is_text(text_pair)):
        raise ValueError(_NOT_TEXT)
    is_batched = isinstance(text, (list, tuple))
    if is_split_into_words:
        is_batched = is_batched and len(text) > 0 and isinstance(text[0], (list, tuple))
    if not is_batched:
        return [(text, text_pair)] if text_pair else [text], False
    if isinstance(text_pair, str):
        raise TypeError(
            "when tokenizing batches of text, `text_pair` must be a list or tuple with the same length as `text`."
        )
    if text_pair is None:
        return text, True
    if len(text) != len(text_pair):
        raise ValueError(
            f"batch length of `text`: {len(text)} does not match batch length of `text_pair`: {len(text_pair)}."
        )
    return list(zip(text, text_pair)), True  # noqa: B905 - the lengths were just compared


def _is_text(value: Any, depth: int = 3) -> bool:
    """Tell whether *value* is text, or lists up to *depth* deep whose first items lead to text or to nothing."""
    if isinstance(value, str):
        return True
    return depth > 0 and isinstance(value, (list, tuple)) and (len(value) == 0 or _is_text(value[0], depth - 1))


@dataclass(frozen=True)
class WantedRows:
    """Which rows a call returns besides ``input_ids``."""

    token_type_ids: bool
    attention_mask: bool
    special_tokens_mask: bool = False
    offset_mapping: bool = False
    length: bool = False
    overflowing: bool = False
    """Whether the parts that were cut off become rows of their own."""

    @property
    def need_encodings(self) -> bool:
        """Whether ids and offsets are not enough to make them."""
        return self.token_type_ids or self.special_tokens_mask or self.overflowing


def collect_rows(
    encodings: Sequence[Encoding], wanted: WantedRows, *, is_batched: bool, tensor_type: str | TensorType | None
) -> BatchEncoding:
    """Turn encodings into rows by name; those of a single text stand alone, unless they are arrays or overflow."""
    samples = []
    flat = []
    for number, encoding in enumerate(encodings):
        parts = [encoding, *encoding.overflowing] if wanted.overflowing else [encoding]
        flat += parts
        samples += [number] * len(parts)

    if not flat:
        raise IndexError("list index out of range")  # what an empty batch comes to in Transformers

    rows: dict[str, Any] = {"input_ids": [encoding.ids for encoding in flat]}
    if wanted.token_type_ids:
        rows["token_type_ids"] = [encoding.type_ids for encoding in flat]
    if wanted.attention_mask:
        rows["attention_mask"] = [encoding.attention_mask for encoding in flat]
    if wanted.special_tokens_mask:
        rows["special_tokens_mask"] = [encoding.special_tokens_mask for encoding in flat]
    if wanted.offset_mapping:
        rows["offset_mapping"] = [encoding.offsets for encoding in flat]
    if wanted.length:
        rows["length"] = [len(ids) for ids in rows["input_ids"]]
    if wanted.overflowing:
        rows["overflow_to_sample_mapping"] = samples
    if not is_batched and tensor_type is None and not wanted.overflowing:
        rows = {name: row[0] if isinstance(row[0], list) else row for name, row in rows.items()}
    return BatchEncoding(rows, flat, tensor_type=tensor_type)


def collect_prompt(
    prompt: EncodedPrompt,
    wanted: WantedRows,
    encode: Callable[[], Sequence[Encoding]],
    *,
    tensor_type: str | TensorType | None,
) -> BatchEncoding:
    """Turn a single prompt into the rows that :func:`collect_rows` makes; *encode* makes the encodings on demand.

    *wanted* names nothing that ids and offsets do not tell.
    """
    rows: dict[str, Any] = {"input_ids": prompt.ids.copy()}
    if wanted.attention_mask:
        rows["attention_mask"] = [1] * len(prompt.ids)
    if wanted.offset_mapping:
        rows["offset_mapping"] = list(prompt.offsets or ())
    if tensor_type is not None:
        rows = {name: [row] for name, row in rows.items()}
    if wanted.length:
        rows["length"] = [len(prompt.ids)]  # which never stands alone
    offsets = None if prompt.offsets is None else [prompt.offsets]
    return BatchEncoding(rows, encode, tensor_type=tensor_type, n_sequences=1, offsets=offsets)
