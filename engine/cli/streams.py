"""Where a command writes: results on stdout exactly as they are, messages on stderr, and how a command ends."""

from __future__ import annotations

import sys
from enum import Enum
from typing import NoReturn

import typer
from rich.console import Console

__all__ = ["FINDINGS", "MISUSE", "Color", "open_console", "stop_command", "write_result"]

FINDINGS = 1
"""Exit code: the command did its work and found something wrong, or the template refused the conversation."""
MISUSE = 2
"""Exit code: the command could not do its work as it was called."""


class Color(str, Enum):
    """When the output is coloured."""

    auto = "auto"
    always = "always"
    never = "never"


def stop_command(message: str, code: int) -> NoReturn:
    """Write *message* on stderr and end the command with the exit code *code*."""
    print(f"turnwire: {message}", file=sys.stderr)
    raise typer.Exit(code)


def open_console(color: Color = Color.auto) -> Console:
    """Return a console on stdout; ``auto`` colours on a terminal, unless the variable NO_COLOR is set."""
    if color is Color.always:
        return Console(force_terminal=True, color_system="standard", no_color=False, highlight=False)
    if color is Color.never:
        return Console(color_system=None, no_color=True, highlight=False)
    return Console(highlight=False)


def write_result(text: str) -> None:
    """Write *text* on stdout as it is; only on a terminal does a missing last newline get added."""
    sys.stdout.write(text)
    if sys.stdout.isatty() and not text.endswith("\n"):
        sys.stdout.write("\n")
