r"""Control tokens that came in with a conversation are encoded as ordinary text.

Before the render they are wrapped in two private-use characters, so that afterwards they can be told from the ones that
the template wrote itself. Law: no marker of the caller's own making survives, so none can be forged.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from ..template.inspect import literal_text

if TYPE_CHECKING:
    from .tokenizer import Tokenizer

__all__ = ["control_tokens", "encode_marked_chat", "mark_control_tokens"]

_START = "\U000f0000"
_END = "\U000f0001"


def control_tokens(tokenizer: Tokenizer, chat_template: str) -> tuple[str, ...]:
    """Return the tokens that a caller's text must not smuggle in.

    These are the special tokens, and of the other added tokens those that the model declares in
    ``chat_control_tokens`` or, where it declares none, those that stand in the template's text (whitespace apart).
    """
    declared = tokenizer.chat_control_tokens
    added = tokenizer.added_tokens_decoder.values()
    if declared is not None:
        return tuple(token.content for token in added if token.special or token.content in set(declared))
    text = literal_text(chat_template)
    return tuple(
        token.content for token in added if token.special or (token.content in text and not token.content.isspace())
    )


def mark_control_tokens(value: Any, tokens: tuple[str, ...]) -> Any:
    """Return *value* with each of *tokens* wrapped in markers, in every text at any depth; keys of dicts stay."""
    return _mark(value, _patterns(tokens)[0])


def _mark(value: Any, pattern: re.Pattern[str]) -> Any:
    if isinstance(value, str):
        return pattern.sub(rf"{_START}\g<0>{_END}", value.replace(_START, "").replace(_END, ""))
    if isinstance(value, dict):
        return {key: _mark(item, pattern) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_mark(item, pattern) for item in value]
    return value


@lru_cache(maxsize=64)
def _patterns(tokens: tuple[str, ...]) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Return what finds one of *tokens*, and what finds a marked one or a marker that lost its partner."""
    longest_first = sorted(tokens, key=len, reverse=True)
    either = "|".join(map(re.escape, longest_first)) or "(?!)"
    return re.compile(either), re.compile(f"{_START}({either}){_END}|[{_START}{_END}]")


def encode_marked_chat(tokenizer: Tokenizer, chat: str) -> list[int]:
    """Return the ids of a rendered chat, marked tokens as text and the template's own as tokens.

    A marker that lost its partner, say because the template split the text, is dropped but still parts the text, so
    that what stands on its two sides cannot join into a control token.

    Raises:
        ValueError: the tokenizer makes the control token even out of plain text.
    """
    pieces = _patterns(tokenizer.added_texts)[1].split(chat)
    newline = tokenizer.encode("\n", add_special_tokens=False)

    def as_tokens(text: str) -> list[int]:
        ids: list[int] = tokenizer.encode(text, add_special_tokens=False)
        return ids

    ids = as_tokens(pieces[0])
    for number, piece in enumerate(pieces[1:], start=1):
        if not piece:
            continue
        is_marked = number % 2 == 1
        encode = tokenizer.encode_without_added_tokens if is_marked else as_tokens
        piece_ids = _encode_inside(encode, piece, newline)
        if is_marked and tokenizer.convert_tokens_to_ids(piece) in piece_ids:
            raise ValueError(f"Can't sanitize {piece!r}: the tokenizer produces it from plain text")
        ids += piece_ids
    return ids


def _encode_inside(encode: Callable[[str], list[int]], piece: str, newline: list[int]) -> list[int]:
    """Encode a piece that does not start the text: a tokenizer that adds a space at the start must not add one here."""
    ids = encode("\n" + piece)
    return ids[len(newline) :] if ids[: len(newline)] == newline else encode(piece)
