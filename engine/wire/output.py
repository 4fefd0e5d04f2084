"""The grammar that every format shares: content with reasoning and calls in it, to the end of the turn.

This module decides what stands where; ``bodies.py`` reads the inside of a call, ``emitter.py`` says what comes of it.
"""

from __future__ import annotations

from collections.abc import Callable

from .bodies import CallEnd, ReadContext, marks_of, read_body
from .cursor import Cursor, Marks, Wait, matches_here, skip_space, stream_until, take_mark, take_until
from .emitter import Emitter
from .format import CallSyntax, Reasoning, WireFormat

__all__ = ["read_output", "read_rest"]


def read_output(c: Cursor, f: WireFormat, out: Emitter, context: ReadContext) -> Wait[None]:
    """Read a whole output."""
    reasoning = f.reasoning or Reasoning(open=(), close=())
    openers = {mark: syntax for syntax in f.calls for mark in _opening_marks(syntax)}
    strays = marks_of(*((*syntax.close, *syntax.call_close) for syntax in f.calls))
    marks = marks_of(reasoning.open, tuple(openers), f.dropped, f.stop)
    may_reason = True
    while True:
        for syntax in f.calls:
            if not syntax.open and not out.has_content:
                yield from _read_bare(c, syntax, out, context)
        mark = yield from stream_until(c, marks, out.content)
        if mark in reasoning.open and may_reason:
            may_reason = not reasoning.at_start_only
            out.open_reasoning()
            mark = yield from _read_reasoning(c, reasoning, openers, f.stop, out)
            out.close_reasoning(skip=f.content_trim != "none")
            if mark in reasoning.close:
                continue
            if not mark:
                out.complete = False
                read_rest(c, out.reasoning, out, context)
                return
        if not mark:
            read_rest(c, out.content, out, context)
            return
        if mark in f.stop:
            return
        if mark in openers:
            if (yield from _is_call(c, openers[mark], mark)):
                yield from _read_calls(c, openers[mark], mark, out, context)
                yield from _skip_strays(c, strays, context, spaces=f.content_trim == "calls")
            else:
                out.content(mark)
        elif mark in reasoning.open:
            out.content(mark)


def read_rest(c: Cursor, write: Callable[[str], None], out: Emitter, context: ReadContext) -> None:
    """Take what the end of the text left undecided: half a mark where the model was cut off, text otherwise."""
    rest = c.take(len(c.text))
    if context.truncated:
        out.complete = False
    elif rest:
        write(rest)


def _opening_marks(syntax: CallSyntax) -> tuple[str, ...]:
    return (*syntax.open, *(syntax.call_open if syntax.bare_open else ()))


def _is_call(c: Cursor, syntax: CallSyntax, mark: str) -> Wait[bool]:
    """Tell whether the opening *mark* that was just taken begins calls, or is talked about."""
    if mark in syntax.open and syntax.confirm:
        return (yield from matches_here(c, syntax.confirm))
    return True


def _read_reasoning(
    c: Cursor, reasoning: Reasoning, openers: dict[str, CallSyntax], stop: tuple[str, ...], out: Emitter
) -> Wait[str]:
    """Read up to the end of the reasoning and return the mark that ended it, nothing at the end of the text."""
    marks = marks_of(reasoning.close, tuple(openers) if reasoning.ends_at_call else (), stop)
    while True:
        mark = yield from stream_until(c, marks, out.reasoning)
        if mark not in openers or (yield from _is_call(c, openers[mark], mark)):
            return mark
        out.reasoning(mark)


def _read_bare(c: Cursor, syntax: CallSyntax, out: Emitter, context: ReadContext) -> Wait[None]:
    """Read calls that no mark announces, if the text begins with them; text that only looks so becomes content."""
    if not (yield from matches_here(c, syntax.confirm)):
        return
    c.record = []
    calls = yield from read_body(c, syntax.body, CallEnd(marks_of(syntax.close), marks_of()), context)
    raw = "".join(c.record)
    c.record = None
    if calls:
        out.add_calls(calls, raw)
        out.after_calls()
    elif context.truncated or out.has_open_call:
        out.complete = False
        out.drop_call(raw, truncated=context.truncated)
    else:
        out.content(raw)


def _read_calls(c: Cursor, syntax: CallSyntax, mark: str, out: Emitter, context: ReadContext) -> Wait[None]:
    """Read the calls behind the opening *mark*, up to and with the mark that closes them."""
    out.before_calls()
    close = marks_of(syntax.close)
    if not syntax.call_open:
        yield from _read_call(c, syntax, mark, CallEnd(close, marks_of()), out, context)
    elif mark in syntax.call_open:
        yield from _read_call(c, syntax, mark, CallEnd(marks_of(syntax.call_close), close), out, context)
    else:
        inner = marks_of(syntax.call_open, syntax.close)
        end = CallEnd(marks_of(syntax.call_close), close)
        while True:
            _, mark = yield from take_until(c, inner)
            if mark not in syntax.call_open:
                out.complete = out.complete and bool(mark)
                break
            yield from _read_call(c, syntax, mark, end, out, context)
    out.after_calls()


def _read_call(
    c: Cursor, syntax: CallSyntax, mark: str, end: CallEnd, out: Emitter, context: ReadContext
) -> Wait[None]:
    c.record = [mark]
    calls = yield from read_body(c, syntax.body, end, context)
    raw = "".join(c.record)
    c.record = None
    if calls is not None:
        out.add_calls(calls, raw)
        return
    if not c.ended or c.pos < len(c.text):
        # Not a call after all. Its text is of no use as content either; what follows its end is.
        rest, _ = yield from take_until(c, end.marks, leave=bool(end.section.marks) and not end.marks.marks)
        raw += rest
    out.complete = out.complete and not c.ended
    out.drop_call(raw, truncated=context.truncated)


def _skip_strays(c: Cursor, strays: Marks, context: ReadContext, *, spaces: bool) -> Wait[None]:
    """Drop closing marks behind a call that needed none, where *spaces* belong to the marks with those between."""
    mark = "any" if strays.marks else ""
    while mark:
        if spaces:
            yield from skip_space(c)
        mark = yield from take_mark(c, strays)
    if context.truncated and c.text[c.pos :] in strays.under(c.special).prefixes:
        c.take(len(c.text))
