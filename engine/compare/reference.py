"""The installed Transformers, called the way turnwire is called; the only module that imports it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, tzinfo
from typing import Any

from ..errors import PackageMissing

__all__ = ["pin_reference_clock", "reference_tokenizer", "reference_version", "render_reference"]


def reference_version() -> str:
    """Return the version of the installed Transformers.

    Raises:
        PackageMissing: there is none.
    """
    try:
        import transformers
    except ImportError as error:
        raise PackageMissing(
            f"comparing needs Transformers, which does not import here ({error}): pip install 'transformers==5.24.0'"
        ) from error
    return str(transformers.__version__)


def reference_tokenizer() -> Any:
    """Return a Transformers tokenizer with no vocabulary to speak of, whose ``apply_chat_template`` renders text."""
    reference_version()
    from tokenizers import Tokenizer, models
    from transformers import PreTrainedTokenizerFast

    return PreTrainedTokenizerFast(tokenizer_object=Tokenizer(models.BPE()))


def render_reference(tokenizer: Any, messages: Any, chat_template: str, **arguments: Any) -> str:
    """Render one conversation as :func:`turnwire.render_chat` does, by Transformers."""
    text = tokenizer.apply_chat_template(messages, chat_template=chat_template, tokenize=False, **arguments)
    if not isinstance(text, str):
        raise TypeError("this is a list of conversations: render them one by one")
    return text


@contextmanager
def pin_reference_clock(now: datetime) -> Iterator[None]:
    """Let Transformers' ``strftime_now`` tell the time *now* meanwhile."""
    from transformers.utils import chat_template_utils

    class StoppedClock(datetime):
        @classmethod
        def now(cls, tz: tzinfo | None = None) -> Any:
            return now

    original = chat_template_utils.datetime
    chat_template_utils.datetime = StoppedClock
    try:
        yield
    finally:
        chat_template_utils.datetime = original
