"""What a tokenizer is and does, as plain data, so that ours and Transformers' can be compared by ``==``."""

from __future__ import annotations

import json
import logging
import random
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import transformers
from transformers.models.auto.tokenization_auto import AutoTokenizer

from turnwire.loading.files import read_model_files
from turnwire.tokens.tokenizer import Tokenizer, load_tokenizer

__all__ = [
    "CALLS",
    "capture",
    "describe_call",
    "describe_state",
    "generate_call",
    "load_both",
    "plain",
    "warned_texts",
]

transformers.logging.disable_progress_bar()


def load_both(folder: Path) -> tuple[Tokenizer, Any]:
    """Return our tokenizer of the model and Transformers'."""
    return load_tokenizer(read_model_files(folder)), AutoTokenizer.from_pretrained(folder)


def capture(call: Callable[[], Any]) -> Any:
    """Return what *call* returns, or its error as a pair of type and text."""
    try:
        return call()
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # a panic of the Rust library is no Exception
        return (type(error).__name__, str(error))


def describe_state(tokenizer: Any) -> dict[str, Any]:
    """Return everything about a loaded tokenizer that a caller can see, its whole Rust side included."""
    backend = tokenizer.backend if isinstance(tokenizer, Tokenizer) else tokenizer.backend_tokenizer
    pipeline = json.loads(backend.to_str())
    # Transformers keeps these switched on between calls; ours sets them for each call.
    pipeline["padding"] = pipeline["truncation"] = None
    names = ("bos_token", "eos_token", "unk_token", "pad_token", "sep_token", "cls_token", "mask_token")
    return {
        "class": tokenizer.class_name if isinstance(tokenizer, Tokenizer) else type(tokenizer).__name__,
        "pipeline": pipeline,
        "special_tokens_map": list(tokenizer.special_tokens_map.items()),
        "extra": tokenizer.extra_special_tokens,
        "extra_ids": tokenizer.extra_special_tokens_ids,
        "all_special": (tokenizer.all_special_tokens, tokenizer.all_special_ids),
        "named": [(getattr(tokenizer, name), getattr(tokenizer, name + "_id")) for name in names],
        "own": [(getattr(tokenizer, name), getattr(tokenizer, name + "_id")) for name in tokenizer.special_tokens_map],
        "added_decoder": [(place, repr(token)) for place, token in tokenizer.added_tokens_decoder.items()],
        "added_encoder": list(tokenizer.added_tokens_encoder.items()),
        "sides": (tokenizer.padding_side, tokenizer.truncation_side),
        "limits": (tokenizer.model_max_length, tokenizer.model_input_names, tokenizer.pad_token_type_id),
        "flags": (tokenizer.clean_up_tokenization_spaces, tokenizer.split_special_tokens),
        "sizes": (len(tokenizer), tokenizer.vocab_size),
        "chat": (tokenizer.chat_control_tokens, tokenizer.response_template),
        "adds": [tokenizer.num_special_tokens_to_add(pair) for pair in (False, True)],
    }


CALLS: tuple[dict[str, Any], ...] = (
    {},
    {"add_special_tokens": False},
    {"split_special_tokens": True},
    {"return_token_type_ids": True, "return_special_tokens_mask": True, "return_length": True},
    {"return_offsets_mapping": True, "return_attention_mask": False},
    {"padding": True},
    {"padding": "longest", "pad_to_multiple_of": 8, "padding_side": "left", "return_special_tokens_mask": True},
    {"padding": "max_length"},
    {"padding": "max_length", "max_length": 12},
    {"padding": "max_length", "max_length": 7, "truncation": True},
    {"padding": True, "max_length": 7},
    {"truncation": True},
    {"max_length": 5},
    {"truncation": True, "max_length": 4, "return_offsets_mapping": True},
    {"truncation": "only_first", "max_length": 6},
    {"truncation": "only_second", "max_length": 6},
    {"truncation": "longest_first", "max_length": 5, "stride": 2, "return_overflowing_tokens": True},
    {
        "truncation": True,
        "max_length": 6,
        "stride": 1,
        "return_overflowing_tokens": True,
        "padding": "max_length",
        "return_offsets_mapping": True,
        "return_special_tokens_mask": True,
        "return_length": True,
    },
    {"truncation": True, "max_length": 0},
    {"truncation": True, "max_length": 1},
    {"truncation": True, "max_length": 3, "stride": 9},
    {"truncation": True, "max_length": -1},
    {"truncation": True, "max_length": 6, "padding": True, "pad_to_multiple_of": 4},
    {"truncation": "sideways"},
    {"padding": "wide"},
    {"padding": True, "padding_side": "up"},
    {"return_tensors": "np"},
    {"return_tensors": "np", "padding": True},
    {"return_tensors": "pt", "padding": True, "truncation": True, "max_length": 9},
    {"return_tensors": "tf"},
    {"tokenizer_kwargs": {"max_length": 3, "truncation": True}, "padding": False},
    {"text_target": "hello world"},
    {"verbose": False},
)
"""Arguments of a call to a tokenizer, right and wrong."""


def generate_call(rng: random.Random) -> dict[str, Any]:
    """Return random arguments."""
    options: dict[str, list[Any]] = {
        "add_special_tokens": [True, False],
        "padding": [True, False, "longest", "max_length", "do_not_pad"],
        "truncation": [None, True, False, "longest_first", "only_first", "do_not_truncate"],
        "max_length": [None, 1, 2, 3, 5, 8, 13, 21, 64],
        "stride": [0, 0, 1, 2],
        "pad_to_multiple_of": [None, None, 1, 4],
        "padding_side": [None, "left", "right"],
        "return_token_type_ids": [None, True, False],
        "return_attention_mask": [None, True, False],
        "return_overflowing_tokens": [False, True],
        "return_special_tokens_mask": [False, True],
        "return_offsets_mapping": [False, True],
        "return_length": [False, True],
        "split_special_tokens": [False, True],
    }
    chosen = rng.sample(sorted(options), rng.randint(0, 6))
    return {name: rng.choice(options[name]) for name in chosen}


def describe_call(tokenizer: Any, *texts: Any, **arguments: Any) -> Any:
    """Return all that a call gives: rows, warnings, and what each encoding holds; or its error."""

    def call() -> Any:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            result = tokenizer(*texts, **arguments)
        rows = {name: plain(value) for name, value in result.items()}
        encodings = [
            (
                *(encoding.ids, encoding.type_ids, encoding.tokens, encoding.offsets, encoding.attention_mask),
                *(encoding.special_tokens_mask, encoding.word_ids, encoding.sequence_ids, len(encoding.overflowing)),
            )
            for encoding in result.encodings or ()
        ]
        return {
            "rows": list(rows.items()),
            "encodings": encodings,
            "n_sequences": result.n_sequences,
            "warnings": [str(warning.message) for warning in caught],
        }

    return capture(call)


def plain(value: Any) -> Any:
    if hasattr(value, "tolist"):
        return (type(value).__name__, str(value.dtype), plain(value.tolist()))
    return [plain(item) for item in value] if isinstance(value, list) else value


@contextmanager
def warned_texts(logger_name: str) -> Iterator[list[str]]:
    """Collect the warnings that a logger gets meanwhile."""
    logger = logging.getLogger(logger_name)
    texts: list[str] = []

    class Collector(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            texts.append(record.getMessage())

    handler = Collector(logging.WARNING)
    logger.addHandler(handler)
    try:
        yield texts
    finally:
        logger.removeHandler(handler)


def differing(keys: Iterable[str], ours: dict[str, Any], theirs: dict[str, Any]) -> list[str]:
    """Return the keys under which two descriptions differ."""
    return [key for key in keys if ours[key] != theirs[key]]
