"""Runs cases on one side or on both, template by template, in as many processes as asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from typing import TypeVar

from ..template.render import RenderedChat, render_conversation
from .cases import CLOCK, Case, ChatInput, NamedTemplate, list_cases
from .outcome import Outcome, capture_outcome, join_texts, judge_outcomes
from .reference import reference_outcome
from .report import Comparison, describe_finding

__all__ = ["Side", "compare_cases", "compare_templates", "map_templates", "own_outcome"]

Side = Callable[[Case], Outcome]
"""One of the two implementations."""

T = TypeVar("T")


def own_outcome(case: Case) -> Outcome:
    """Return what turnwire makes of *case*."""
    return capture_outcome(lambda: _render_prompt(case) if case.aspect == "prompt" else _render_spans(case))


def _render_prompt(case: Case) -> str:
    rendered = _render(case, track_spans=False)
    return join_texts([text for text, _ in rendered])


def _render_spans(case: Case) -> str:
    return join_texts([f"{spans}\n{text}" for text, spans in _render(case, track_spans=True)])


def _render(case: Case, *, track_spans: bool) -> list[RenderedChat]:
    chat = case.chat
    rendered, _ = render_conversation(
        chat.conversation,
        case.template.text,
        tools=chat.tools,
        documents=chat.documents,
        add_generation_prompt=case.add_generation_prompt,
        continue_final_message=chat.continue_final_message,
        track_spans=track_spans,
        now=CLOCK,
        variables=chat.template_variables(),
    )
    return rendered


def compare_cases(cases: Iterable[Case], own: Side = own_outcome, reference: Side = reference_outcome) -> Comparison:
    """Run *cases* on both sides."""
    result = Comparison()
    for case in cases:
        ours, theirs = own(case), reference(case)
        verdict = judge_outcomes(ours, theirs)
        result.count(verdict, ours)
        if verdict != "identical":
            result.findings.append(describe_finding(case, verdict, ours, theirs))
    return result


def compare_templates(
    templates: Iterable[NamedTemplate], chats: Sequence[ChatInput], jobs: int = 1
) -> Iterator[Comparison]:
    """Compare *templates* with the installed Transformers and yield what each one came to, in their order."""
    return map_templates(partial(_compare_template, chats), templates, jobs)


def _compare_template(chats: Sequence[ChatInput], template: NamedTemplate) -> Comparison:
    return compare_cases(list_cases(template, chats))


def map_templates(work: Callable[[NamedTemplate], T], templates: Iterable[NamedTemplate], jobs: int) -> Iterator[T]:
    """Yield what *work* makes of each template, in order, from *jobs* processes.

    A template goes to one process whole, so that it is compiled once there. *work* must be picklable.
    """
    if jobs == 1:
        yield from map(work, templates)
        return
    # Spawned and not forked: the tokenizers library has threads, which do not live through a fork.
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        yield from pool.map(work, templates)
