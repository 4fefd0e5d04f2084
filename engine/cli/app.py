"""The typer application: which commands there are."""

from __future__ import annotations

from importlib.metadata import version
from typing import Annotated

import typer

from .bench import bench_command
from .demo import demo_command
from .diff import diff_command
from .families import families_command
from .read import read_command
from .render import render_command
from .schema import schema_command

__all__ = ["app"]

app = typer.Typer(
    name="turnwire",
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("render")(render_command)
app.command("schema")(schema_command)
app.command("read")(read_command)
app.command("families")(families_command)
app.command("diff")(diff_command)
app.command("bench")(bench_command)
app.command("demo")(demo_command)


def _print_version(wanted: bool) -> None:
    if wanted:
        print(f"turnwire {version('turnwire')}")
        raise typer.Exit


@app.callback()
def _turnwire(
    show_version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Turn chat messages into the exact text a language model was trained on, and its output back into messages.

    Exit codes: 0 right, 1 findings or a template that refuses the conversation, 2 misuse.
    """
