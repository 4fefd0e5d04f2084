"""Tokens with their ids and masks, and the spans of generation blocks, as lines to read."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from rich.console import Console
from rich.segment import Segment, Segments
from rich.style import Style

from ..template.render import RenderedChat
from .highlight import STYLES, show_signs

__all__ = ["print_spans", "print_tokens"]

_TRAINED = Style.parse("green")
_HEADER = Style.parse("bold")


def print_tokens(
    console: Console,
    text: str,
    ids: Sequence[int],
    offsets: Sequence[tuple[int, int]],
    masks: Sequence[int] | None,
    marks: Collection[str],
) -> None:
    """Write one line a token: its id, its mask where *masks* are given, and its part of *text*.

    Tokens that are bytes of one character share its place; the character stands in the line of the first. In colour are
    the tokens that are trained on, or where there are no masks the control tokens, *marks*.
    """
    lines = [(f"{'id':>8}  {'mask  ' if masks is not None else ''}token", _HEADER)]
    before = None
    for number, (id_, span) in enumerate(zip(ids, offsets, strict=True)):
        piece = text[span[0] : span[1]]
        mask = "" if masks is None else f"{masks[number]:>4}  "
        style = STYLES["mark" if masks is None and piece in marks else "text"]
        style = _TRAINED if masks is not None and masks[number] else style
        lines.append((f"{id_:>8}  {mask}{'…' if span == before else _draw_text(piece)}", style))
        before = span
    _print_lines(console, lines)


def print_spans(console: Console, rendered: RenderedChat) -> None:
    """Write one line a generation block: where it starts and ends in the text, and its text."""
    lines = [(f"{'start':>8}  {'end':>8}  text", _HEADER)]
    lines += [
        (f"{start:>8}  {end:>8}  {_draw_text(rendered.text[start:end])}", _TRAINED) for start, end in rendered.spans
    ]
    _print_lines(console, lines)


def _draw_text(text: str) -> str:
    # On one line: of the sign for a line end and the line end itself, the sign alone.
    return "".join(piece.rstrip("\n\t") for piece, _ in show_signs(text, white_space=True))


def _print_lines(console: Console, lines: Iterable[tuple[str, Style]]) -> None:
    segments = [segment for line, style in lines for segment in (Segment(line, style), Segment.line())]
    console.print(Segments(segments), soft_wrap=True, end="")
