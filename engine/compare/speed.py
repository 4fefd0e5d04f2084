"""How fast a template renders a conversation, by several renderers in turn, and whether they agree on what comes out.

Warm input is the same objects again and again, as in a server that renders its one system prompt; new input is objects
and texts that nobody has seen before, made before the clock starts, so that no cache is mistaken for speed.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count

from .cases import ChatInput
from .chats import renew_chat
from .outcome import Outcome, Verdict, judge_outcomes
from .renderers import Renderer

__all__ = ["Check", "Entrant", "check_outcomes", "geometric_mean", "time_rounds"]

SECONDS = 0.002
"""One timing takes at least this long, by repetition."""

_NUMBERS = count(1)
"""Numbers of the conversations made so far: none is made twice in a process."""


@dataclass(frozen=True)
class Entrant:
    """A renderer on one kind of input."""

    name: str
    """What tables call the two together."""
    renderer: Renderer
    """Who renders."""
    is_new: bool = False
    """Whether every single call gets new objects with new texts."""


@dataclass(frozen=True)
class Check:
    """What the renderers made of one conversation."""

    chat: ChatInput
    """The conversation: the given one, or new texts in its place."""
    expected: Outcome
    """What the reference made of it."""
    outcomes: dict[str, Outcome]
    """What the others made of it, by their names."""
    verdicts: dict[str, Verdict]
    """How that compares."""


def check_outcomes(reference: Renderer, others: Sequence[Renderer], chat: ChatInput, template: str) -> list[Check]:
    """Render *chat*, and then new texts in its place, by all; one who is right in both may be timed."""
    return [_check_chat(reference, others, given, template) for given in (chat, renew_chat(chat, next(_NUMBERS)))]


def _check_chat(reference: Renderer, others: Sequence[Renderer], chat: ChatInput, template: str) -> Check:
    check = Check(chat, reference.outcome(chat, template), {}, {})
    for other in others:
        outcome = other.outcome(chat, template)
        check.outcomes[other.name] = outcome
        check.verdicts[other.name] = judge_outcomes(outcome, check.expected)
    return check


def time_rounds(entrants: Sequence[Entrant], chat: ChatInput, template: str, rounds: int) -> Iterator[dict[str, float]]:
    """Yield for each round the seconds of one call, by the names of *entrants*, who take turns."""
    for _ in range(rounds):
        yield {entrant.name: _time_entrant(entrant, chat, template) for entrant in entrants}


def _time_entrant(entrant: Entrant, chat: ChatInput, template: str) -> float:
    first = _time_calls(entrant, chat, template, 1)
    repeat = math.ceil(SECONDS / max(first, 1e-6))
    return first if repeat == 1 else _time_calls(entrant, chat, template, repeat)


def _time_calls(entrant: Entrant, chat: ChatInput, template: str, repeat: int) -> float:
    renderer = entrant.renderer
    if entrant.is_new:
        calls = [renderer.prepare(renew_chat(chat, next(_NUMBERS)), template) for _ in range(repeat)]
    else:
        calls = [renderer.prepare(chat, template)] * repeat
    return renderer.measure(calls) / repeat


def geometric_mean(values: Sequence[float]) -> float:
    """Return the mean that is right for ratios."""
    return math.exp(math.fsum(map(math.log, values)) / len(values))
