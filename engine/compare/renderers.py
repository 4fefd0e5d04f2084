"""Who renders where speed is compared: turnwire on both of its paths, Transformers, and minijinja where it is there.

A renderer prepares a call, and only the call is timed: what each side needs, such as arguments under its own names, is
put together before the clock starts, templates are compiled, and what an entry point of Transformers would do on top of
``render_jinja_template`` is done for it.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from importlib import import_module
from importlib.metadata import version
from importlib.util import find_spec
from typing import Any

from ..errors import PackageMissing
from ..template.render import render_chat
from .cases import CLOCK, ChatInput
from .outcome import Outcome, capture_outcome
from .reference import pin_reference_clock, prepare_reference, reference_version

__all__ = ["OWN", "PLAIN", "Call", "Renderer", "find_minijinja", "make_reference", "time_calls"]

Call = Callable[[], str]
"""A render that is ready to run, any number of times."""

read_clock = time.perf_counter if sys.platform == "win32" else time.process_time
"""Processor time, which other programs do not disturb; on Windows its ticks are too long."""


def time_calls(calls: Sequence[Call]) -> float:
    """Run *calls* one after the other and return the seconds they took together."""
    start = read_clock()
    for call in calls:
        call()
    return read_clock() - start


@dataclass(frozen=True)
class Renderer:
    """An implementation of chat templates."""

    name: str
    """What tables call it."""
    prepare: Callable[[ChatInput, str], Call]
    """Make ready the render of a conversation, whose variables are all there are, with a template's text."""
    measure: Callable[[Sequence[Any]], float] = time_calls
    """Run calls that *prepare* made, and return the seconds they took together."""

    prepare_stopped: Callable[[ChatInput, str], Call] | None = None
    """The same with the clock stopped at ``CLOCK``, where *prepare* lets templates see the real one."""

    has_own_errors: bool = False
    """Whether its errors are in words of its own, so that it is right to raise any where the reference raises."""

    def outcome(self, chat: ChatInput, template: str) -> Outcome:
        """Render once, with a stopped clock, and return what came of it."""
        prepare = self.prepare_stopped or self.prepare
        return capture_outcome(lambda: prepare(chat, template)())


def _prepare_own(chat: ChatInput, template: str, **options: Any) -> Call:
    return partial(
        render_chat,
        chat.conversation,
        template,
        tools=chat.tools,
        documents=chat.documents,
        add_generation_prompt=bool(chat.add_generation_prompt),
        continue_final_message=chat.continue_final_message,
        **options,
        **chat.variables,
    )


OWN = Renderer("turnwire", _prepare_own, prepare_stopped=partial(_prepare_own, now=CLOCK))
PLAIN = Renderer(
    "plain Jinja",
    partial(_prepare_own, engine="plain"),
    prepare_stopped=partial(_prepare_own, engine="plain", now=CLOCK),
)
"""turnwire without its compiler: everything else is the same."""


def make_reference() -> Renderer:
    """Return the installed Transformers as a renderer.

    Raises:
        PackageMissing: it is not installed.
    """
    reference_version()
    return Renderer("Transformers", prepare_reference, prepare_stopped=_prepare_stopped_reference)


def _prepare_stopped_reference(chat: ChatInput, template: str) -> Call:
    call = prepare_reference(chat, template)

    def render_once() -> str:
        with pin_reference_clock(CLOCK):
            return call()

    return render_once


# --- minijinja --------------------------------------------------------------------------------------------------------


def find_minijinja() -> Renderer:
    """Return minijinja (Rust, with a Python binding) as a renderer, set up as for chat templates.

    Raises:
        PackageMissing: it is not installed.
    """
    if find_spec("minijinja") is None:
        raise PackageMissing("minijinja is not installed: pip install minijinja")
    return Renderer(f"minijinja {version('minijinja')}", _prepare_minijinja, has_own_errors=True)


def _prepare_minijinja(chat: ChatInput, template: str) -> Call:
    if chat.continue_final_message:
        raise ValueError("minijinja knows nothing of open messages")
    return partial(
        _minijinja_environment(template).render_template,
        "chat",
        messages=chat.conversation,
        tools=chat.tools,
        documents=chat.documents,
        add_generation_prompt=bool(chat.add_generation_prompt),
        **chat.variables,
    )


@lru_cache(maxsize=16)
def _minijinja_environment(template: str) -> Any:
    # Methods of Python's str and dict are on by default.
    return import_module("minijinja").Environment(
        templates={"chat": template},
        trim_blocks=True,
        lstrip_blocks=True,
        filters={"tojson": _write_json},
        globals={"raise_exception": _raise_exception, "strftime_now": CLOCK.strftime},
    )


def _write_json(value: Any, ensure_ascii: bool = False, **options: Any) -> str:
    return json.dumps(value, ensure_ascii=ensure_ascii, **options)


def _raise_exception(message: str) -> None:
    raise ValueError(message)
