"""The ``{% generation %}`` tag: marks the text that the model wrote, and reports where it stands in the output.

A block's span starts at the length of everything the template has put out before it. Inside ``{% set %}``, a filter or
a macro that text has not been put out yet, so the span is off there exactly as in Transformers.
"""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar

import jinja2
from jinja2 import nodes
from jinja2.ext import Extension
from jinja2.nodes import EvalContext
from jinja2.parser import Parser

__all__ = ["GenerationTag", "Span", "exclude_prompt", "note_span", "track_spans"]

Span = tuple[int, int]
"""Half-open range of characters of the rendered text."""


class _Tracker:
    """What one render has put out, and the spans it has seen."""

    __slots__ = ("_length", "_measured", "pieces", "spans")

    def __init__(self) -> None:
        self.pieces: list[str] = []
        self.spans: list[Span] = []
        self._measured = 0
        self._length = 0

    def measure_output(self) -> int:
        """Return the length of the text so far; each piece is looked at once.

        Raises:
            TypeError: a piece is not text, which is what ``{% filter wordcount %}`` puts out.
        """
        try:
            self._length += len("".join(self.pieces[self._measured :]))
        except TypeError:
            "".join(self.pieces)  # Raises as well, and names the piece by its place among all of them.
            raise
        self._measured = len(self.pieces)
        return self._length


# A context variable and not an attribute: one compiled template serves many threads at once.
_active: ContextVar[_Tracker | None] = ContextVar("turnwire_generation_tracker", default=None)


class GenerationTag(Extension):
    """Parses ``{% generation %}…{% endgeneration %}`` into a call block, which gives its body a scope of its own."""

    tags = {"generation"}  # noqa: RUF012  (jinja2 declares it this way)

    def parse(self, parser: Parser) -> nodes.Node:
        """Parse one block."""
        lineno = next(parser.stream).lineno
        body = parser.parse_statements(("name:endgeneration",), drop_needle=True)
        return nodes.CallBlock(self.call_method("_note_span"), [], [], body).set_lineno(lineno)

    @jinja2.pass_eval_context
    def _note_span(self, _: EvalContext, caller: Callable[[], str]) -> str:
        return note_span(caller)


def note_span(write_body: Callable[[], str]) -> str:
    """Return the text of a generation block, and note where it will stand if someone asks."""
    text = write_body()
    if (tracker := _active.get()) is not None:
        start = tracker.measure_output()
        tracker.spans.append((start, start + len(text)))
    return text


def track_spans(put_out: Callable[[list[str]], object]) -> tuple[str, list[Span]]:
    """Let *put_out* append a render's pieces to a list; return the text and the spans of its generation blocks.

    The spans come in the order in which the blocks ended.
    """
    tracker = _Tracker()
    token = _active.set(tracker)
    try:
        put_out(tracker.pieces)
    finally:
        _active.reset(token)
    return "".join(tracker.pieces), tracker.spans


def exclude_prompt(text: str, spans: list[Span], prompt: str) -> list[Span]:
    """Return *spans* of *text*, each without what *prompt*, from the turn's header on, covers of its beginning."""
    cut = []
    for start, end in spans:
        # The prompt begins before the span, as the header does, and ends inside of it.
        at = text.rfind(prompt, max(0, start - len(prompt) + 1), min(end, start + len(prompt))) if prompt else -1
        cut.append((start if at < 0 else at + len(prompt), end))
    return cut
