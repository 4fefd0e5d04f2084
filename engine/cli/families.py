"""``turnwire families``: the families whose output can be read, and which of them reads a template's."""

from __future__ import annotations

import json
from typing import Annotated

import typer
from rich.table import Table

from ..errors import TurnwireError
from ..wire.choose import choose_family
from ..wire.registry import load_families
from .source import open_source
from .streams import FINDINGS, MISUSE, Color, open_console, stop_command, write_result

__all__ = ["families_command"]


def families_command(
    source: Annotated[
        str | None,
        typer.Argument(
            metavar="[MODEL_OR_TEMPLATE]", help="Say which family reads what this writes, and what else was considered."
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    color: Annotated[Color, typer.Option(help="When to colour.")] = Color.auto,
) -> None:
    """List the families, or choose the one that reads a model's output by rendering calls and reading them back.

    Exit code 1: no family reads back what the template writes.
    """
    if source is None:
        _list_families(as_json, color)
        return
    try:
        opened = open_source(source)
        choice = choose_family(opened.read_template([]), **opened.special_tokens())
    except (TurnwireError, ValueError) as error:
        stop_command(str(error), MISUSE)
    name = choice.family.name if choice.family else None
    if as_json:
        write_result(json.dumps({"family": name, "reason": choice.reason, "considered": choice.considered}) + "\n")
    else:
        write_result(f"{name or 'none'}: {choice.reason}\n")
        for other, finding in choice.considered:
            write_result(f"  {other}: {finding}\n")
    if name is None:
        raise typer.Exit(FINDINGS)


def _list_families(as_json: bool, color: Color) -> None:
    families = load_families()
    if as_json:
        rows = [{"name": f.name, "aliases": f.aliases, "models": f.models, "loss": f.loss} for f in families]
        write_result(json.dumps(rows, ensure_ascii=False, indent=1) + "\n")
        return
    table = Table("family", "also known as", "models, such as")
    for family in families:
        table.add_row(family.name, ", ".join(family.aliases), ", ".join(family.models[:2]))
    open_console(color).print(table)
