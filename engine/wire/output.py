"""The grammar that every format shares: content with reasoning and calls in it, to the end of the turn.

This module decides what stands where; ``bodies.py`` reads the inside of a call, ``emitter.py`` says what comes of it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable

from .bodies import CallEnd, ReadContext, marks_of, read_body
from .cursor import Cursor, Marks, Wait, matches_here, skip_space, stream_until, take_mark, take_until
from .cut_calls import save_calls
from .emitter import Emitter
from .format import CallSyntax, Reasoning, WireFormat

__all__ = ["read_output", "read_rest"]


def read_output(c: Cursor, f: WireFormat, out: Emitter, context: ReadContext) -> Wait[None]:
    """Read a whole output."""
    reasoning = f.reasoning or Reasoning(open=(), close=())
    openers = _index_openers(f.calls)
    strays = marks_of(*((*syntax.close, *syntax.call_close) for syntax in f.calls))
    closers = tuple(mark for mark in reasoning.close if not mark[0].isspace())
    marks = marks_of(reasoning.open, closers, tuple(openers), f.dropped, f.stop)
    common = {mark for mark, syntaxes in openers.items() if all(syntax.tentative for syntax in syntaxes)}
    rare = marks_of(tuple(mark for mark in marks.marks if mark not in common))
    if f.lead:
        yield from take_mark(c, marks_of(f.lead))
    while True:
        for syntax in f.calls:
            if not syntax.open and not out.has_content:
                yield from _read_bare(c, syntax, out, context)
        mark = yield from stream_until(c, marks, out.content)
        if mark in reasoning.open and not (reasoning.at_start_only and out.has_text):
            out.open_reasoning()
            mark = yield from _read_reasoning(c, reasoning, mark, openers, f.stop, out, context)
            out.close_reasoning(skip=f.content_trim != "none")
            if mark in reasoning.close:
                continue
            if not mark:
                out.complete = False
                read_rest(c, out.reasoning, out, context)
                return
        if not mark:
            read_rest(c, out.content, out, context, rare)
            return
        if mark in closers and not out.has_text:  # there was nothing to end: the prompt had ended it
            out.close_reasoning(skip=f.content_trim != "none")
            continue
        if mark in f.stop:
            return
        chosen = yield from _choose_syntax(c, openers.get(mark, ()), mark)
        if chosen is not None:
            if (yield from _read_calls(c, chosen, mark, out, out.content, context)):
                yield from _skip_strays(c, strays, context, spaces=f.content_trim == "calls")
        elif mark not in f.dropped:
            out.content(mark)


def read_rest(
    c: Cursor, write: Callable[[str], None], out: Emitter, context: ReadContext, marks: Marks | None = None
) -> None:
    """Take what the end of the text left undecided: half a mark where the model was cut off, text otherwise.

    Half of one of *marks* makes the reply incomplete, half of any where they are None.
    """
    rest = c.take(len(c.text))
    half = len(rest.strip()) > 1 and (marks is None or rest in marks.prefixes)
    if c.doubtful or half:  # a sentence may well end in "<" or a line break
        out.complete = False
    if rest and not context.truncated:
        write(rest)


Openers = dict[str, tuple[CallSyntax, ...]]
"""Opening marks, and the ways to write calls that begin with each of them."""


def _index_openers(calls: tuple[CallSyntax, ...]) -> Openers:
    openers: Openers = {}
    for syntax in calls:
        for mark in (*syntax.open, *(syntax.call_open if syntax.bare_confirm else ())):
            openers[mark] = (*openers.get(mark, ()), syntax)
    return openers


def _choose_syntax(c: Cursor, candidates: tuple[CallSyntax, ...], mark: str) -> Wait[CallSyntax | None]:
    """Return how the calls behind the *mark* that was just taken are written; None where it is only talked about."""
    for syntax in candidates:
        if (yield from matches_here(c, syntax.confirm if mark in syntax.open else syntax.bare_confirm)):
            return syntax
    return None


def _read_reasoning(
    c: Cursor,
    reasoning: Reasoning,
    begin: str,
    openers: Openers,
    stop: tuple[str, ...],
    out: Emitter,
    context: ReadContext,
) -> Wait[str]:
    """Read up to the end of the reasoning and return the mark that ended it, nothing at the end of the text."""
    close = (reasoning.close[reasoning.open.index(begin)],) if reasoning.paired else reasoning.close
    marks = marks_of(close, tuple(openers) if reasoning.ends_at_call or context.calls_in_reasoning else (), stop)
    while True:
        mark = yield from stream_until(c, marks, out.reasoning)
        if mark not in openers:
            return mark
        syntax = yield from _choose_syntax(c, openers[mark], mark)
        if syntax is None:
            out.reasoning(mark)
        elif reasoning.ends_at_call:
            return mark
        else:
            yield from _read_calls(c, syntax, mark, out, out.reasoning, context)


def _read_bare(c: Cursor, syntax: CallSyntax, out: Emitter, context: ReadContext) -> Wait[None]:
    """Read calls that no mark announces, if the text begins with them; text that only looks so becomes content."""
    separators = marks_of(syntax.separators)
    pattern = syntax.confirm
    while (yield from matches_here(c, pattern)):
        c.record = []
        if pattern != syntax.confirm:
            yield from skip_space(c)
            yield from take_mark(c, separators)
        begin = sum(map(len, c.record))
        calls = yield from read_body(c, syntax.body, CallEnd(marks_of(syntax.close), marks_of()), context)
        raw = "".join(c.record)
        c.record = None
        if not calls:
            _give_up_bare(c, syntax, raw, begin, out, context)
            return
        out.add_calls(calls, raw, c.taken, context)
        out.after_calls()
        pattern = _next_call(syntax)


def _next_call(syntax: CallSyntax) -> str:
    """Return a pattern for the beginning of a call that follows another."""
    return rf"\s{{0,64}}(?:{'|'.join(map(re.escape, syntax.separators))})?{syntax.confirm}"


def _give_up_bare(c: Cursor, syntax: CallSyntax, raw: str, begin: int, out: Emitter, context: ReadContext) -> None:
    if not raw.strip():
        if not context.truncated:
            out.content(raw)
        return
    out.complete = out.complete and not c.ended
    if context.truncated:
        _drop_cut_call(c, syntax, raw, begin, out, context)
    elif out.has_open_call:
        out.drop_call(raw, c.taken, truncated=False)
    else:
        out.content(raw)


def _read_calls(
    c: Cursor, syntax: CallSyntax, mark: str, out: Emitter, write: Callable[[str], None], context: ReadContext
) -> Wait[bool]:
    """Read the calls behind the opening *mark*, up to and with the mark that closes them.

    Tell whether there were any; where not, their text went to *write* if the syntax is tentative.
    """
    if not syntax.tentative:
        out.before_calls()
    close = marks_of(syntax.close)
    found = True
    if not syntax.call_open:
        end = CallEnd(close, marks_of())
        found = yield from _read_call(c, syntax, mark, end, out, write, context)
        while syntax.separators and (yield from matches_here(c, _next_call(syntax))):
            if not c.text[c.pos :].strip():
                break
            yield from skip_space(c)
            yield from take_mark(c, marks_of(syntax.separators))
            yield from _read_call(c, syntax, "", end, out, write, context)
    elif mark in syntax.call_open:
        yield from _read_call(c, syntax, mark, CallEnd(marks_of(syntax.call_close), close), out, write, context)
    else:
        inner = marks_of(syntax.call_open, syntax.close)
        end = CallEnd(marks_of(syntax.call_close), close)
        begun = mark
        while True:
            rest, mark = yield from take_until(c, inner)
            if mark not in syntax.call_open:
                out.complete = out.complete and bool(mark)
                if begun and not mark:
                    out.drop_call(begun + rest, c.taken, truncated=context.truncated)
                break
            begun = ""
            yield from _read_call(c, syntax, mark, end, out, write, context)
    if found:
        out.after_calls()
    return found


def _read_call(
    c: Cursor,
    syntax: CallSyntax,
    mark: str,
    end: CallEnd,
    out: Emitter,
    write: Callable[[str], None],
    context: ReadContext,
) -> Wait[bool]:
    c.record = [mark]
    begin = context.begin
    if syntax.tentative:  # what was announced could not be taken back
        context.begin = None
    calls = yield from read_body(c, syntax.body, end, context)
    context.begin = begin
    raw = "".join(c.record)
    c.record = None
    if calls is not None:
        if syntax.tentative:
            out.before_calls()
        out.add_calls(calls, raw, c.taken, context)
        return True
    if syntax.tentative and not context.truncated:
        out.complete = out.complete and not c.ended
        write(raw)
        return False
    # Not a call after all. Its text is of no use as content either; what follows its end is.
    start = len(mark)
    ends = not c.ended
    if end.marks.marks or end.section.marks:
        own = bool(end.marks.marks)
        rest, mark = yield from take_until(c, end.marks if own else end.section, leave=not own)
        raw += rest + (mark if own else "")
        ends = bool(mark)
    out.complete = out.complete and ends
    if context.truncated and not ends and not syntax.tentative:
        _drop_cut_call(c, syntax, raw, start, out, context)
    else:
        out.drop_call(raw, c.taken, truncated=context.truncated)
    return True


def _drop_cut_call(c: Cursor, syntax: CallSyntax, raw: str, begin: int, out: Emitter, context: ReadContext) -> None:
    """Drop what was cut off in a call, whose body begins at *begin*; what there is of a list is kept if wanted."""
    if context.keep_partial and not out.has_open_call:
        whole, cut = save_calls(raw[begin:], syntax.body)
        out.add_calls(whole, raw, c.taken, context)
        if cut is not None:
            out.begin_call(cut.name, cut.id)(json.dumps(cut.arguments, ensure_ascii=False))
    out.drop_call(raw, c.taken, truncated=True)


def _skip_strays(c: Cursor, strays: Marks, context: ReadContext, *, spaces: bool) -> Wait[None]:
    """Drop closing marks behind a call that needed none, where *spaces* belong to the marks with those between."""
    mark = "any" if strays.marks else ""
    while mark:
        if spaces:
            yield from skip_space(c)
        mark = yield from take_mark(c, strays)
    if context.truncated and c.text[c.pos :] in strays.under(c.special).prefixes:
        c.take(len(c.text))
