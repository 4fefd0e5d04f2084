"""The installed Transformers, called the way turnwire is called; the only module that imports it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime, tzinfo
from functools import lru_cache
from importlib import import_module
from typing import Any

from ..errors import PackageMissing
from ..template.render import prepare_conversations
from .cases import CLOCK, Case, ChatInput
from .outcome import Outcome, capture_outcome, join_texts

__all__ = [
    "pin_reference_clock",
    "prepare_reference",
    "reference_outcome",
    "reference_tokenizer",
    "reference_version",
    "render_reference",
]

_INTERNALS = "transformers.utils.chat_template_utils"


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

    return import_module("transformers").PreTrainedTokenizerFast(tokenizer_object=Tokenizer(models.BPE()))


def render_reference(tokenizer: Any, messages: Any, chat_template: str, **arguments: Any) -> str:
    """Render one conversation as :func:`turnwire.render_chat` does, by Transformers."""
    text = tokenizer.apply_chat_template(messages, chat_template=chat_template, tokenize=False, **arguments)
    if not isinstance(text, str):
        raise TypeError("this is a list of conversations: render them one by one")
    return text


def prepare_reference(chat: ChatInput, chat_template: str) -> Callable[[], str]:
    """Return what renders *chat* by the function below ``apply_chat_template``, which has less to do.

    Variables are those of *chat* alone. What the public method does to messages beforehand is done here.
    """
    render = import_module(_INTERNALS).render_jinja_template
    conversations, _ = prepare_conversations(
        chat.conversation,
        add_generation_prompt=bool(chat.add_generation_prompt),
        continue_final_message=chat.continue_final_message,
    )
    arguments = {
        "conversations": conversations,
        "tools": chat.tools,
        "documents": chat.documents,
        "chat_template": chat_template,
        "add_generation_prompt": bool(chat.add_generation_prompt),
        "continue_final_message": chat.continue_final_message,
        **chat.variables,
    }

    def render_once() -> str:
        text: str = render(**arguments)[0][0]
        return text

    return render_once


def reference_outcome(case: Case) -> Outcome:
    """Return what Transformers makes of *case*."""
    with pin_reference_clock(CLOCK):
        return capture_outcome(lambda: _render_prompt(case) if case.aspect == "prompt" else _render_spans(case))


_one_tokenizer = lru_cache(maxsize=1)(reference_tokenizer)


def _render_prompt(case: Case) -> str:
    rendered = _one_tokenizer().apply_chat_template(
        case.chat.conversation,
        tools=case.chat.tools,
        documents=case.chat.documents,
        chat_template=case.template.text,
        add_generation_prompt=case.add_generation_prompt,
        continue_final_message=case.chat.continue_final_message,
        tokenize=False,
        **case.chat.template_variables(),
    )
    return rendered if isinstance(rendered, str) else join_texts(rendered)


def _render_spans(case: Case) -> str:
    # Only the masks come out of the public method, not the spans they are made of, so this enters one floor below,
    # where the messages are plain already.
    conversations, _ = prepare_conversations(case.chat.conversation)
    texts, spans = import_module(_INTERNALS).render_jinja_template(
        conversations=conversations,
        tools=case.chat.tools,
        documents=case.chat.documents,
        chat_template=case.template.text,
        return_assistant_tokens_mask=True,
        add_generation_prompt=case.add_generation_prompt,
        **case.chat.template_variables(),
    )
    return join_texts([f"{span}\n{text}" for text, span in zip(texts, spans, strict=True)])


@contextmanager
def pin_reference_clock(now: datetime) -> Iterator[None]:
    """Let Transformers' ``strftime_now`` tell the time *now* meanwhile."""
    internals: Any = import_module(_INTERNALS)

    class StoppedClock(datetime):
        @classmethod
        def now(cls, tz: tzinfo | None = None) -> Any:
            return now

    original = internals.datetime
    internals.datetime = StoppedClock
    try:
        yield
    finally:
        internals.datetime = original
