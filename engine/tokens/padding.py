"""Fills rows that are already encoded up to one length, as a data loader does with the examples of a batch."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sized
from dataclasses import dataclass
from typing import Any

from .arrays import is_instance_of, to_lists
from .encoding import BatchEncoding
from .strategies import Limits, PaddingStrategy, TensorType

__all__ = ["Pad", "check_rows", "merge_examples", "pad_rows"]


@dataclass(frozen=True)
class Pad:
    """What rows are filled with."""

    input_name: str
    """The row whose length counts; ``input_ids`` for every chat model."""
    token_id: Any
    token_type_id: int
    side: str
    with_attention_mask: bool
    """Whether a mask is made where the rows have none."""


def merge_examples(rows: Any) -> Any:
    """Return a list of encodings as one mapping of lists; anything else as it is."""
    if isinstance(rows, (list, tuple)) and len(rows) > 0 and isinstance(rows[0], Mapping):
        return {key: [example[key] for example in rows] for key in rows[0].keys()}  # noqa: SIM118 - as TensorDict needs
    return rows


def check_rows(rows: Any, input_name: str) -> bool:
    """Tell whether there is anything to pad.

    Raises:
        ValueError: the rows lack the one whose length counts.
    """
    if input_name not in rows:
        raise ValueError(
            "You should supply an encoding or a list of encodings to this method "
            f"that includes {input_name}, but you provided {list(rows.keys())}"
        )
    required = rows[input_name]
    return not (required is None or (isinstance(required, Sized) and len(required) == 0))


def pad_rows(
    rows: Any,
    choose_limits: Callable[[], Limits],
    pad: Pad,
    pad_to_multiple_of: int | None,
    tensor_type: str | TensorType | None,
) -> BatchEncoding:
    """Fill up one row, or a batch of rows, and return them as *tensor_type* or as what they came in.

    *choose_limits* is called once the rows are known to be rows; it may raise.
    """
    mask = rows.get("attention_mask")
    stacked = None
    if isinstance(mask, list) and mask and getattr(mask[0], "ndim", 0) > 1:
        stacked = rows.pop("attention_mask")  # masks of more dimensions are not filled, only stacked

    tensor_type = _unpack_arrays(rows, pad.input_name, tensor_type)
    limits = choose_limits()
    required = rows[pad.input_name]
    max_length = limits.max_length
    if required and not isinstance(required[0], (list, tuple)):
        return BatchEncoding(
            _pad_row(rows, limits.padding, max_length, pad, pad_to_multiple_of), tensor_type=tensor_type
        )

    size = len(required)
    assert all(len(value) == size for value in rows.values()), (
        "Some items in the output dictionary have a different batch size than others."
    )
    strategy = limits.padding
    if strategy is PaddingStrategy.LONGEST:
        max_length = max(len(row) for row in required)
        strategy = PaddingStrategy.MAX_LENGTH
    batch: dict[str, Any] = {}
    for number in range(size):
        example = {key: value[number] for key, value in rows.items()}
        for key, value in _pad_row(example, strategy, max_length, pad, pad_to_multiple_of).items():
            batch.setdefault(key, []).append(value)
    if stacked is not None:
        batch["attention_mask"] = _stack(stacked)
    return BatchEncoding(batch, tensor_type=tensor_type)


def _unpack_arrays(rows: Any, input_name: str, tensor_type: Any) -> Any:
    """Turn arrays into lists, in place, and return the type to turn the result back into."""
    required = rows[input_name]
    first = required[0]
    if isinstance(first, (list, tuple)):
        first = next((row[0] for row in required if len(row) != 0), first)
    if isinstance(first, (int, list, tuple)):
        return tensor_type
    if is_instance_of(first, "torch", "Tensor"):
        tensor_type = "pt" if tensor_type is None else tensor_type
    elif is_instance_of(first, "numpy", "ndarray"):
        tensor_type = "np" if tensor_type is None else tensor_type
    else:
        raise ValueError(
            f"type of {first} unknown: {type(first)}. Should be one of a python, numpy, or pytorch object."
        )
    for key, value in rows.items():
        rows[key] = to_lists(value)
    return tensor_type


def _pad_row(
    row: Any, strategy: PaddingStrategy, max_length: int | None, pad: Pad, pad_to_multiple_of: int | None
) -> Any:
    required = row[pad.input_name]
    if strategy is PaddingStrategy.LONGEST:
        max_length = len(required)
    if max_length is not None and pad_to_multiple_of is not None and max_length % pad_to_multiple_of != 0:
        max_length = (max_length // pad_to_multiple_of + 1) * pad_to_multiple_of
    if pad.with_attention_mask and "attention_mask" not in row:
        row["attention_mask"] = [1] * len(required)
    if strategy is PaddingStrategy.DO_NOT_PAD or len(required) == max_length:
        return row

    missing = (max_length or 0) - len(required)
    fillers = {"token_type_ids": pad.token_type_id, "special_tokens_mask": 1, pad.input_name: pad.token_id}
    if pad.with_attention_mask:
        fillers = {"attention_mask": 0, **fillers}
    if pad.side not in ("left", "right"):
        raise ValueError(f"Invalid padding strategy:{pad.side}")
    for key, filler in fillers.items():
        if key in row:
            row[key] = row[key] + [filler] * missing if pad.side == "right" else [filler] * missing + row[key]
    return row


def _stack(masks: list[Any]) -> Any:
    if is_instance_of(masks[0], "torch", "Tensor"):
        import torch

        return torch.stack(masks)
    import numpy

    return numpy.stack(masks) if isinstance(masks[0], numpy.ndarray) else numpy.array(masks)
