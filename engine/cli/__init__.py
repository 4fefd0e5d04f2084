"""The command line: ``turnwire render``, ``diff``, ``bench`` and others."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Sequence

__all__ = ["main"]

BROKEN_PIPE = 128 + 13
"""Exit code, as shells have it, where whoever read the output went away."""
INTERRUPTED = 128 + 2
"""Exit code, as shells have it, where the user pressed Ctrl-C."""


def main(args: Sequence[str] | None = None) -> None:
    """Run the command line and exit: 0 for right, 1 for findings, 2 for misuse.

    Args:
        args: The words after ``turnwire``; those of the process where it is None.
    """
    try:
        import typer

        from .app import app
    except ModuleNotFoundError as error:
        package = (error.name or "").partition(".")[0]
        if package not in {"typer", "rich"}:
            raise
        print(f"turnwire: the command line needs {package}: pip install 'turnwire[cli]'", file=sys.stderr)
        sys.exit(2)
    words = list(sys.argv[1:] if args is None else args)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # Prompts are UTF-8 with bare newlines on every system; a lone surrogate, which JSON can hold, is shown.
            stream.reconfigure(encoding="utf-8", errors="backslashreplace", newline="\n")
    try:
        # Not standalone: typer's own handling would draw a box around a wrong option.
        code = app(args=words or ["--help"], prog_name="turnwire", standalone_mode=False)
        sys.stdout.flush()
    except typer.Abort:
        sys.exit(INTERRUPTED)
    except (SystemExit, BrokenPipeError):
        # Whoever read the output has gone, which typer takes for a reason to exit by itself, the only one it has here.
        _discard_output()
        sys.exit(BROKEN_PIPE)
    except OSError as error:
        _discard_output()
        print(f"turnwire: {error.strerror or error}", file=sys.stderr)
        sys.exit(2)
    except Exception as error:
        # typer's usage errors come from click, or from the copy of click inside newer versions of typer.
        usage_error = getattr(error, "format_message", None)
        if usage_error is None:
            raise
        context = getattr(error, "ctx", None)
        command = "turnwire" if context is None else context.command_path
        text = usage_error()
        end = "" if text.endswith((".", "?")) else "."
        print(f"{command}: {text}{end} See `{command} --help`.", file=sys.stderr)
        sys.exit(2)
    sys.exit(code if isinstance(code, int) else 0)


def _discard_output() -> None:
    # What could not be written is written again when the interpreter ends, which would then complain.
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
