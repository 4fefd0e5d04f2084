"""``turnwire read``: what a model wrote, taken apart; ``--stream`` shows it as it comes."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from ..compare.cases import read_text
from ..errors import TurnwireError, UnparsedToolCall
from ..model import load
from ..reply.reply import CallDelta, ContentDelta, Event, ReasoningDelta, Reply
from ..wire.reading import guard_reply, open_reader, read_reply
from .highlight import show_signs
from .inputs import read_objects
from .streams import FINDINGS, MISUSE, Color, open_console, stop_command, write_result

__all__ = ["read_command"]

PIECE = 16
"""Characters that ``--stream`` takes at a time from a file; a pipe gives what it has."""


def read_command(
    reply: Annotated[str, typer.Argument(metavar="REPLY", help="A text file with the model's output, or - for stdin.")],
    family: Annotated[
        str | None, typer.Option(help="The family that reads it: a name, an alias or a model's Hub id.")
    ] = None,
    model: Annotated[
        str | None, typer.Option(help="A model folder or Hub id: its response template or its template's family reads.")
    ] = None,
    prompt: Annotated[
        str | None, typer.Option(help="A text file with the prompt, which may have written part of the reply.")
    ] = None,
    tools: Annotated[str | None, typer.Option(help="A JSON file with the tools that were offered.")] = None,
    truncated: Annotated[bool, typer.Option("--truncated", help="The model was cut off.")] = False,
    stream: Annotated[bool, typer.Option("--stream", help="Show the reply as it comes.")] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print the reply, or with --stream each event, as JSON.")
    ] = False,
    color: Annotated[Color, typer.Option(help="When to colour.")] = Color.auto,
) -> None:
    """Read a model's output back into reasoning, content and tool calls.

    Exit code 1: text that looks like a call could not be read as one.
    """
    if (family is None) == (model is None):
        stop_command("name the reader by --family or by --model", MISUSE)
    finish_reason = "length" if truncated else None
    try:
        arguments: dict[str, Any] = {
            "prompt": read_text(Path(prompt), prompt) if prompt is not None else None,
            "tools": read_objects(tools, "tools") if tools is not None else None,
        }
        if stream:
            reader = open_reader(family, **arguments) if family else load(model or "").reply_reader(**arguments)
            show = _print_json if as_json else _StreamPrinter(open_console(color))
            seen = []
            for piece in _pieces(reply):
                seen.append(piece)
                for event in reader.feed(piece):
                    show(event)
            for event in reader.finish(finish_reason):
                show(event)
            if not as_json:
                write_result("\n")
            result = guard_reply("".join(seen), reader.reply, family or model or "")
        else:
            text = sys.stdin.read() if reply == "-" else read_text(Path(reply), reply)
            if family:
                result = read_reply(text, family, finish_reason=finish_reason, **arguments)
            else:
                result = load(model or "").read_reply(text, finish_reason=finish_reason, **arguments)
            if as_json:
                write_result(json.dumps(asdict(result), ensure_ascii=False) + "\n")
            else:
                _print_reply(open_console(color), result)
    except (TurnwireError, ValueError) as error:
        stop_command(str(error), FINDINGS if isinstance(error, UnparsedToolCall) else MISUSE)
    for warning in result.warnings:
        print(f"turnwire: {warning}", file=sys.stderr)
    if result.unread or (result.warnings and not result.tool_calls):
        raise typer.Exit(FINDINGS)


def _pieces(source: str) -> Iterator[str]:
    if source == "-":
        while piece := sys.stdin.readline():
            yield piece
    else:
        text = read_text(Path(source), source)
        yield from (text[start : start + PIECE] for start in range(0, len(text), PIECE))


def _print_json(event: Event) -> None:
    write_result(json.dumps({"type": type(event).__name__, **asdict(event)}, ensure_ascii=False) + "\n")
    sys.stdout.flush()


class _StreamPrinter:
    """Prints events as they come, each kind in its colour."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._kind: type | None = None

    def __call__(self, event: Event) -> None:
        if self._kind is not type(event) or (isinstance(event, CallDelta) and event.name):
            self._console.print("" if self._kind is None else "\n", end="")
            self._console.print(_TITLES[type(event)], style="bold")
        self._kind = type(event)
        text = event.arguments if isinstance(event, CallDelta) else event.text
        text = "".join(piece for piece, _ in show_signs(text, white_space=False))  # nothing that moves the cursor
        if isinstance(event, CallDelta) and event.name:
            self._console.print(repr(event.name)[1:-1], style="green", end=" ", markup=False)
        self._console.print(text, style=_STYLES[type(event)], end="", markup=False, soft_wrap=True)


_TITLES = {ReasoningDelta: "reasoning", ContentDelta: "content", CallDelta: "call"}
_STYLES = {ReasoningDelta: "dim", ContentDelta: "", CallDelta: "cyan"}


def _print_reply(console: Console, reply: Reply) -> None:
    printer = _StreamPrinter(console)
    if reply.reasoning is not None:
        printer(ReasoningDelta(reply.reasoning))
    if reply.content is not None:
        printer(ContentDelta(reply.content))
    for index, call in enumerate(reply.tool_calls):
        printer(CallDelta(index, call.id, call.name, call.arguments_text))
    console.print("" if reply.complete else "\n(incomplete)", style="yellow")
