"""How fast a template renders a conversation, by several renderers in turn, and whether they agree on what comes out.

Warm input is the same objects again and again; new input is objects and texts that nobody has seen before, made before
the clock starts, so that no cache is mistaken for speed. Law: no figure stands for wrong output. Whoever differs from
the reference, on the conversation or on new texts in its place, is not timed.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import count

from .cases import Case, ChatInput, NamedTemplate
from .chats import renew_chat
from .outcome import judge_outcomes
from .renderers import Renderer
from .report import Finding, describe_finding

__all__ = ["ChatSpeed", "Entrant", "compare_speed", "geometric_mean"]

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


@dataclass
class ChatSpeed:
    """What came of one conversation."""

    chat: ChatInput
    """The conversation."""
    refusal: str | None = None
    """The error with which the reference refuses it; then nobody is timed."""
    findings: dict[str, Finding] = field(default_factory=dict)
    """The first difference of each renderer that is not as the reference is, by the renderer's name."""
    seconds: dict[str, list[float]] = field(default_factory=dict)
    """For each entrant, by name, the seconds of one call in each round."""
    characters: int = 0
    """Length of the prompt."""


def compare_speed(
    template: NamedTemplate,
    chat: ChatInput,
    reference: Renderer,
    entrants: Sequence[Entrant],
    rounds: int,
    note_round: Callable[[], None] = lambda: None,
) -> ChatSpeed:
    """Compare what *entrants* make of *chat* with what *reference* makes of it, and time those who are right.

    The variables of *chat* are all there are. *note_round* is called after each of the rounds.
    """
    speed = ChatSpeed(chat)
    renderers = {entrant.renderer.name: entrant.renderer for entrant in entrants if entrant.renderer != reference}
    for given in (renew_chat(chat, next(_NUMBERS)), chat):
        case = Case(template, given, bool(given.add_generation_prompt), "prompt")
        expected = reference.outcome(given, template.text)
        if expected.raised:
            speed.refusal = expected.text
        speed.characters = len(expected.text)
        for name, renderer in renderers.items():
            outcome = renderer.outcome(given, template.text)
            verdict = judge_outcomes(outcome, expected)
            both_raise = outcome.raised and expected.raised
            if verdict != "identical" and not (both_raise and renderer.has_own_errors):
                speed.findings[name] = describe_finding(case, verdict, outcome, expected)
    right = [] if speed.refusal else [one for one in entrants if one.renderer.name not in speed.findings]
    speed.seconds = {entrant.name: [] for entrant in right}
    for _ in range(rounds):
        for entrant in right:
            speed.seconds[entrant.name].append(_time_entrant(entrant, chat, template.text))
        note_round()
    return speed


def _time_entrant(entrant: Entrant, chat: ChatInput, template: str) -> float:
    """Return the seconds of one call."""
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
