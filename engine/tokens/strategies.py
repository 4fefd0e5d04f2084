"""How much is cut and how much is filled: Transformers' strategies, and the rules by which arguments choose them."""

from __future__ import annotations

import warnings
from enum import Enum
from typing import Any, NamedTuple

__all__ = [
    "LARGE_INTEGER",
    "UNLIMITED",
    "Limits",
    "PaddingStrategy",
    "TensorType",
    "TruncationStrategy",
    "choose_strategies",
]

UNLIMITED = int(1e30)
"""``model_max_length`` of a model that names none."""
LARGE_INTEGER = int(1e20)
"""A ``model_max_length`` above this is no limit at all."""


class _Choice(str, Enum):
    @classmethod
    def _missing_(cls, value: object) -> Any:
        raise ValueError(
            f"{value} is not a valid {cls.__name__}, please select one of {list(cls._value2member_map_.keys())}"
        )


class PaddingStrategy(_Choice):
    """What rows are filled up to."""

    LONGEST = "longest"
    MAX_LENGTH = "max_length"
    DO_NOT_PAD = "do_not_pad"


class TruncationStrategy(_Choice):
    """Which of two texts is cut."""

    ONLY_FIRST = "only_first"
    ONLY_SECOND = "only_second"
    LONGEST_FIRST = "longest_first"
    DO_NOT_TRUNCATE = "do_not_truncate"


class TensorType(_Choice):
    """The library whose arrays are returned."""

    PYTORCH = "pt"
    NUMPY = "np"
    MLX = "mlx"


class Limits(NamedTuple):
    """What the arguments of one call came to."""

    padding: PaddingStrategy
    truncation: TruncationStrategy
    max_length: int | None
    """Tokens; None where neither padding nor truncation needs it."""


def choose_strategies(
    padding: Any,
    truncation: Any,
    max_length: int | None,
    pad_to_multiple_of: int | None,
    *,
    verbose: bool,
    model_max_length: int,
    can_pad: Any,
) -> Limits:
    """Return the strategies that the arguments ask for.

    *can_pad* is called only if there is something to pad, and tells whether there is a padding token.

    Raises:
        ValueError: a strategy has an unknown name, there is no padding token, or the two lengths do not fit together.
    """
    if max_length is not None and padding is False and truncation is None:
        truncation = "longest_first"  # a length alone asks for truncation

    padding_strategy = PaddingStrategy.DO_NOT_PAD
    if padding is True:
        if verbose and max_length is not None and truncation in (None, False, "do_not_truncate"):
            warnings.warn(
                "`max_length` is ignored when `padding`=`True` and there is no truncation strategy. "
                "To pad to max length, use `padding='max_length'`.",
                stacklevel=2,
            )
        padding_strategy = PaddingStrategy.LONGEST
    elif padding is not False:
        padding_strategy = PaddingStrategy(padding)

    truncation_strategy = TruncationStrategy.DO_NOT_TRUNCATE
    if truncation is True:
        truncation_strategy = TruncationStrategy.LONGEST_FIRST
    elif truncation is not False and truncation is not None:
        truncation_strategy = TruncationStrategy(truncation)

    if max_length is None:
        limit = model_max_length if model_max_length <= LARGE_INTEGER else None
        if padding_strategy is PaddingStrategy.MAX_LENGTH:
            max_length = limit
            if limit is None:
                padding_strategy = PaddingStrategy.DO_NOT_PAD
        if truncation_strategy is not TruncationStrategy.DO_NOT_TRUNCATE:
            max_length = limit
            if limit is None:
                truncation_strategy = TruncationStrategy.DO_NOT_TRUNCATE

    if padding_strategy is not PaddingStrategy.DO_NOT_PAD and not can_pad():
        raise ValueError(
            "Asking to pad but the tokenizer does not have a padding token. "
            "Please select a token to use as `pad_token` `(tokenizer.pad_token = tokenizer.eos_token e.g.)` "
            "or add a new pad token via `tokenizer.add_special_tokens({'pad_token': '[PAD]'})`."
        )
    if (
        truncation_strategy is not TruncationStrategy.DO_NOT_TRUNCATE
        and padding_strategy is not PaddingStrategy.DO_NOT_PAD
        and pad_to_multiple_of is not None
        and max_length is not None
        and max_length % pad_to_multiple_of != 0
    ):
        raise ValueError(
            "Truncation and padding are both activated but "
            f"truncation length ({max_length}) is not a multiple of pad_to_multiple_of ({pad_to_multiple_of})."
        )
    return Limits(padding_strategy, truncation_strategy, max_length)
