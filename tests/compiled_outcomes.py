"""What compiled code makes of a case by itself, before plain Jinja has its say, beside what plain Jinja makes of it.

Where compiled code raises, plain Jinja decides, so that no difference can show; where it returns, its text and spans
have to be plain Jinja's, and the input as it was.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any, Literal, NamedTuple

from turnwire.compare.cases import Case
from turnwire.compare.outcome import Outcome, capture_outcome
from turnwire.messages import add_reasoning_names, copy_plain, normalize_messages, to_plain
from turnwire.template.generation import track_spans
from turnwire.template.program import Program

__all__ = ["Comparison", "compare_compiled", "values_of"]


class Comparison(NamedTuple):
    """Both outcomes of a case."""

    verdict: Literal["not compiled", "rendered", "raised", "retreated", "different"]
    """``retreated`` where compiled code alone raises."""
    compiled: Outcome
    plain: Outcome


def compare_compiled(case: Case) -> Comparison:
    """Render *case* by compiled code and by plain Jinja."""
    nothing = Outcome("", raised=True)
    try:
        program = Program(case.template.text)
    except Exception:
        return Comparison("not compiled", nothing, nothing)
    if program.root is None:
        return Comparison("not compiled", nothing, nothing)
    root, values = program.root, values_of(case)
    given = repr(values)
    compiled = _render(lambda pieces: root(values, pieces))
    if repr(values) != given:
        return Comparison("different", Outcome("changed its input"), Outcome(given))
    plain = _render(lambda pieces: _render_plain(program, values, pieces))
    if compiled.raised:
        return Comparison("raised" if plain.raised else "retreated", compiled, plain)
    return Comparison("rendered" if compiled == plain else "different", compiled, plain)


def values_of(case: Case) -> dict[str, Any]:
    """Return what a template is given in *case*, plain."""
    chat = case.chat
    return {
        "messages": add_reasoning_names(to_plain(normalize_messages(chat.conversation))),
        "tools": to_plain(chat.tools),
        "documents": to_plain(chat.documents),
        "add_generation_prompt": case.add_generation_prompt,
        **to_plain(chat.template_variables()),
    }


def _render(put_out: Callable[[list[str]], object]) -> Outcome:
    random.seed(0)
    return capture_outcome(lambda: "{1}\n{0}".format(*track_spans(put_out)))


def _render_plain(program: Program, values: dict[str, Any], pieces: list[str]) -> None:
    for piece in program.plain.generate(copy_plain(values)):
        pieces.append(piece)
