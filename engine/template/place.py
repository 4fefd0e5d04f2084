"""Where in a template's text an error came from, and how such a place is drawn.

jinja2 knows the line of an error, and many chat templates are one line. So the failed render is done once more with a
line break before every word inside the tags, where white space means nothing: then the line that jinja2 reports tells
the word.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable
from typing import NamedTuple

from jinja2 import TemplateSyntaxError

from .environment import ChatEnvironment

__all__ = ["comes_from_template", "draw_place", "find_error_span"]

Span = tuple[int, int]

WIDTH = 100
"""Characters of a long line that are drawn."""


def comes_from_template(error: BaseException) -> bool:
    """Tell whether the template's own code raised *error*, or jinja2 when it read the template."""
    return _find_line(error) is not None


def find_error_span(error: BaseException, chat_template: str, render: Callable[[str], object]) -> Span | None:
    r"""Return the half-open range of *chat_template* that raised *error*: a tag, a word of one, or a line.

    *render* renders the same conversation with the template text it is given. Positions count in the text with its
    line ends made ``\n``, as jinja2 and :func:`draw_place` have it. None where the error is not the template's.
    """
    line = _find_line(error)
    if line is None:
        return None
    text = _unify_line_ends(chat_template)
    try:
        spread = _spread_words(text)
    except TemplateSyntaxError as unread:
        # The words cannot be told apart: the lexer itself has failed, and says where.
        at = re.search(r" at (\d+)$", unread.message or "")
        return (int(at[1]), int(at[1]) + 1) if at else _trim_line(text, line)
    try:
        render(spread.text)
    except Exception as again:
        found = _find_line(again)
        if found is not None and type(again) is type(error) and str(again) == str(error):
            number = bisect_right(spread.lines, found) - 1
            return (spread.words if isinstance(error, TemplateSyntaxError) else spread.tags)[number]
    return _trim_line(text, line)


def draw_place(name: str, text: str, span: Span) -> str:
    """Draw the line of *text* where *span* begins, under ``name:line:column``, with carets under the span."""
    text = _unify_line_ends(text)
    start, end = span
    line_start = text.rfind("\n", 0, start) + 1
    line_end = text.find("\n", start)
    line = text[line_start : len(text) if line_end < 0 else line_end]
    column = start - line_start
    length = max(1, min(end, line_start + len(line)) - start)
    # A window on the line that has the span in it, near its left end if the span is long.
    left = max(0, min(column - 20, len(line) - WIDTH))
    shown = line[left : left + WIDTH].replace("\t", " ")
    before, after = "…" if left else "", "…" if left + WIDTH < len(line) else ""
    carets = " " * (len(before) + column - left) + "^" * min(length, WIDTH - (column - left))
    number = text.count("\n", 0, start) + 1
    return f"{name}:{number}:{column + 1}\n  {before}{shown}{after}\n  {carets}"


def _find_line(error: BaseException) -> int | None:
    """Return the line of the template that jinja2 blames for *error*."""
    if isinstance(error, TemplateSyntaxError):
        return error.lineno
    line = None
    trace = error.__traceback__
    while trace is not None:
        # jinja2 replaces the frames of compiled templates by such as have the template's own line numbers.
        if trace.tb_frame.f_code.co_filename == "<template>":
            line = trace.tb_lineno
        trace = trace.tb_next
    return line


class _Spread(NamedTuple):
    """A template with a line break before every word inside its tags, and what is on its lines."""

    text: str
    lines: list[int]  # the line on which each word begins, ascending
    words: list[Span]  # where each word stands in the original
    tags: list[Span]  # where the tag stands that the word is in; the word's own place outside of tags


def _spread_words(text: str) -> _Spread:
    pieces: list[str] = []
    lines: list[int] = []
    words: list[Span] = []
    tags: list[Span] = []
    line, pos, tag_start, first_of_tag = 1, 0, None, 0
    for _, kind, value in ChatEnvironment().lexer.tokeniter(text, None):
        # jinja2 leaves out white space that the tags strip, so the next value may stand further on.
        pos = text.index(value, pos)
        span = (pos, pos + len(value.rstrip() or value))
        if kind != "whitespace":
            if tag_start is not None:
                pieces.append("\n")
                line += 1
            elif kind in ("variable_begin", "block_begin"):
                tag_start, first_of_tag = pos, len(words)
            lines.append(line)
            words.append(span)
            tags.append(span)
            if kind in ("variable_end", "block_end") and tag_start is not None:
                tags[first_of_tag:] = [(tag_start, span[1])] * (len(words) - first_of_tag)
                tag_start = None
        pieces.append(value)
        line += value.count("\n")
        pos += len(value)
    return _Spread("".join(pieces), lines, words, tags)


def _unify_line_ends(text: str) -> str:
    return re.sub(r"\r\n|\r", "\n", text)


def _trim_line(text: str, line: int) -> Span:
    """Return the range of the *line*-th line of *text* without the white space around it."""
    lines = text.split("\n")
    number = min(line, len(lines)) - 1
    start = sum(len(other) + 1 for other in lines[:number])
    bare = lines[number].strip()
    start += lines[number].index(bare)
    return start, start + len(bare)
