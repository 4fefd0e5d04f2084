"""Which family reads what a template's model writes? Decided by rendering calls and reading them back, never by text.

A template is shown messages with calls in them; the family whose reader gives every one of them back is the one. Where
several do, the one that also gives back the reasoning and the content and whose header the template writes wins, then
the one that takes the least besides. Where none does, the calls are passed in other ways that the template takes.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any

from ..messages import tool_call, tool_result
from ..reply.reply import Reply
from ..template.render import render_conversations
from .family import Family
from .reader import ReplyReader
from .registry import load_families

__all__ = ["FamilyChoice", "choose_family"]

TOOLS = [
    {
        "type": "function",
        "function": {
            "name": name,
            "description": "Does what is asked.",
            "parameters": {
                "type": "object",
                "properties": {
                    "text": {"type": "string", "description": "A text."},
                    "count": {"type": "integer", "description": "A number."},
                    "flag": {"type": "boolean", "description": "Yes or no."},
                    "items": {"type": "array", "items": {"type": "string"}, "description": "Texts."},
                },
                "required": ["text"],
            },
        },
    }
    for name in ("probe_one", "probe_two")
]
QUESTION = {"role": "user", "content": "Use the tool."}
CONTENT = "Here it comes."
REASONING = "It is asked for."
CALLS = (
    (("probe_one", {"text": "plain words", "count": 7}),),
    (("probe_two", {"text": 'some "quoted" {text}, <b>\n', "flag": True, "items": ["x", "y"]}),),
    (("probe_one", {"text": "the first"}), ("probe_two", {"text": "the second", "count": -2})),
)
ID_STYLES = ("call{number:02}{position:03}", "functions.{name}:{position}")
"""Nine letters and digits, which Mistral's templates demand; and Kimi's, whose templates take the name from the id."""


@dataclass(frozen=True)
class _Way:
    """How calls are passed to a template if it takes them so."""

    words: str = ""
    """The same for a reader, behind a statement."""
    answered: bool = False
    """The results follow."""
    as_text: bool = False
    """Arguments are JSON text."""


WAYS = (
    _Way(),
    _Way(" where their results follow", answered=True),
    _Way(" where arguments are passed as JSON text", as_text=True),
)


@dataclass(frozen=True)
class FamilyChoice:
    """A family, and what speaks for it."""

    family: Family | None
    """None where no family reads what the template writes."""
    reason: str
    """In one sentence."""
    considered: tuple[tuple[str, str], ...]
    """Every family that read something, best first, and what it read."""


@dataclass(frozen=True)
class _Sample:
    """One message that was rendered."""

    text: str
    """The conversation with it."""
    calls: tuple[tuple[str, dict[str, Any]], ...]
    content: str | None = None
    reasoning: str | None = None


def choose_family(chat_template: str, **variables: Any) -> FamilyChoice:
    """Find the family whose reader inverts *chat_template*.

    *variables* are what the template reads besides, such as ``bos_token="<s>"``.
    """
    choices = []
    for way in WAYS:
        samples = list(_render_samples(chat_template, variables, way))
        if not samples:
            break
        choices.append(_choose(samples, way))
        if choices[-1].family is not None:
            return choices[-1]
    if choices:
        return choices[0]
    return FamilyChoice(None, "the template writes no calls, so nothing tells how its model would write them", ())


def _choose(samples: list[_Sample], way: _Way) -> FamilyChoice:
    scores = [(_score(family, samples), family) for family in load_families()]
    scores.sort(key=lambda pair: (-pair[0][0], -pair[0][1], _count_marks(pair[1]), -len(pair[1].models)))
    best = [(score, family) for score, family in scores if score[0]]
    considered = tuple(
        (family.name, f"{score[0]} of {len(samples)} calls, {score[1]} of {2 * len(samples)} marks of agreement")
        for score, family in best
    )
    if not best or best[0][0][0] < len(samples):
        return FamilyChoice(None, "no family reads back every call that the template writes", considered)
    highest, family = best[0]
    rivals = [other.name for score, other in best[1:] if score == highest]
    reason = f"{family.name} reads back all {len(samples)} messages with calls{way.words}"
    if rivals:
        reason += f"; so do {', '.join(rivals)}, which nothing here tells apart"
    return FamilyChoice(family, reason, considered)


def _render_samples(chat_template: str, variables: dict[str, Any], way: _Way) -> Iterator[_Sample]:
    """Yield what the template makes of calls in the first way of passing them that it takes, *way* if it does."""
    for number, calls in enumerate(CALLS):
        for flat, answered, empty, id_style, as_text in product(
            (False, True), (way.answered, not way.answered), ("", None), ID_STYLES, (way.as_text, not way.as_text)
        ):
            message = _call_message(calls, number, id_style, as_text=as_text, flat=flat)
            results = [tool_result("done", tool_call_id=call["id"]) for call in message["tool_calls"] if answered]
            bare, full = (
                _render([QUESTION, {**message, **more}, *results], chat_template, variables)
                for more in ({"content": empty}, {"content": CONTENT, "reasoning_content": REASONING})
            )
            if not _has_calls(bare, calls):
                continue
            yield _Sample(bare, calls)
            if _has_calls(full, calls) and CONTENT in full:
                yield _Sample(full, calls, CONTENT, REASONING if REASONING in full else None)
            break


def _call_message(calls: Any, number: int, id_style: str, *, as_text: bool, flat: bool) -> dict[str, Any]:
    built = []
    for position, (name, arguments) in enumerate(calls):
        call = tool_call(name, arguments, id=id_style.format(number=number, position=position, name=name))
        if as_text:
            call["function"]["arguments"] = json.dumps(arguments)
        built.append({"id": call["id"], **call["function"]} if flat else call)
    return {"role": "assistant", "tool_calls": built}


def _has_calls(text: str, calls: Any) -> bool:
    """Tell whether the calls are in *text*; their names stand in the tools as well, behind the question they do not."""
    turn = text.rpartition(str(QUESTION["content"]))[2]
    return all(name in turn and str(arguments["text"])[:5] in turn for name, arguments in calls)


def _render(messages: list[Any], chat_template: str, variables: dict[str, Any]) -> str:
    """Return the text, nothing where the template refuses the messages with and without tools."""
    for tools in (TOOLS, None):
        try:
            # Unlike the public functions this one leaves content that is None in its place, as some templates want it.
            return render_conversations([messages], chat_template, tools=tools, variables=variables)[0].text
        except Exception:
            continue
    return ""


def _score(family: Family, samples: list[_Sample]) -> tuple[int, int]:
    """Return how many samples' calls the family reads back, and how much of the rest."""
    exact = agreeing = 0
    for sample in samples:
        turn = sample.text.rpartition(str(QUESTION["content"]))[2]
        header = next((header for header in family.wire_format.header if header in turn), None)
        turn = turn.partition(header)[2] if header else turn
        reader = ReplyReader(family.wire_format, prompt="", tools=TOOLS)
        reader.feed(turn)
        reader.finish()
        reply = reader.reply
        if _calls_of(reply) == [(name, arguments) for name, arguments in sample.calls]:
            exact += 1
            agreeing += (header is not None) + (reply.content == sample.content and reply.reasoning == sample.reasoning)
    return exact, agreeing


def _calls_of(reply: Reply) -> list[tuple[str, dict[str, Any]]]:
    return [(call.name, call.arguments) for call in reply.tool_calls]


def _count_marks(family: Family) -> int:
    """Return in how many ways a family's calls and reasoning may begin: the fewer, the more it says that they fit."""
    reasoning = family.wire_format.reasoning
    return sum(len(syntax.open) or 1 for syntax in family.wire_format.calls) + len(reasoning.open if reasoning else ())
