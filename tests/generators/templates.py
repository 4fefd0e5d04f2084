"""Random templates with something for them to read; the same seed gives the same case everywhere."""

from __future__ import annotations

import random
import re
from typing import Any

from turnwire.compare.cases import Aspect, Case, ChatInput, NamedTemplate

from .mistakes import break_syntax
from .statements import StatementWriter
from .vocabulary import WORDS

__all__ = ["generate_template_case"]

_INPUT_KINDS = {
    "messages": "rows",
    "text": "text",
    "name": "text",
    "n": "small",
    "ratio": "number",
    "big": "number",
    "flag": "bool",
    "add_generation_prompt": "bool",
    "names": "list",
    "tree": "rows",
    "rows": "rows",
    "pairs": "pairs",
    "table": "dict",
    "nothing": "any",
    "anything": "any",
    "tools": "any",
    "documents": "any",
}

# The text of such an object tells the module that it is from. A comparison forgets that, but the spans after it stand
# as far off as the name is long.
_NAMES_OWN_OBJECT = re.compile(r"\b(?:dict|namespace|raise_exception|strftime_now)\b(?![(.])")


def generate_template_case(seed: int, variant: int = 0) -> Case:
    """Make the template of this seed, with one of the inputs for it.

    Half of the templates are written to succeed; the others hold more and more expressions that are wrong. One in
    eight tries what the sandbox refuses, and some are broken in their syntax. Those with a ``{% generation %}`` block
    are mostly asked for their spans.
    """
    rng = random.Random(f"template {seed}")
    daring = rng.choice((0.0, 0.0, 0.0, 0.02, 0.05, 0.2))
    hostility = rng.choice((0.0,) * 7 + (0.3,))
    writer = StatementWriter(rng, daring, rng.choice((4, 8, 14, 25)), hostility)
    writer.scopes[0].update(_INPUT_KINDS)
    source = "".join(writer.statement(rng.choice((2, 3, 4))) for _ in range(rng.choice((1, 2, 3, 4, 6))))
    if rng.random() < 0.06:
        source = break_syntax(source, rng)
    tracks = "endgeneration" in source and not _NAMES_OWN_OBJECT.search(source)
    aspect: Aspect = "spans" if tracks and rng.random() < 0.8 else "prompt"
    name = f"template seed {seed}"
    inputs = random.Random(f"input {seed} {variant}")
    chat = _generate_input(inputs, f"input seed {seed} {variant}")
    return Case(NamedTemplate(name, source), chat, inputs.random() < 0.5, aspect)


def _generate_input(rng: random.Random, name: str) -> ChatInput:
    def word() -> str:
        return rng.choice(WORDS)

    tool = {"type": "function", "function": {"name": word(), "parameters": {"type": "object", "properties": {}}}}
    keys = ("a", "b", "name", "items", "_x", "x y", 1, word())
    values = (1, None, word(), [1, 2], {"z": 1, "a": True})
    oddities: tuple[Any, ...] = (0, "", word(), None, [], {}, (1, "t"), 1.5, {1: 2, None: "n"}, [[1], {"a": []}], True)
    variables = {
        "text": word(),
        "name": word(),
        "n": rng.randint(0, 6),
        "ratio": rng.choice((0.5, -1.5, 3.0, 1e16, 0.1, float("inf"))),
        "big": rng.choice((2**63, -(10**20), 10**30)),
        "flag": rng.random() < 0.5,
        "names": [word() for _ in range(rng.randint(0, 4))],
        "tree": [_node(rng, 2) for _ in range(rng.randint(0, 2))],
        "rows": [_row(rng) for _ in range(rng.randint(0, 4))],
        "pairs": [[word(), rng.randint(0, 9)] for _ in range(rng.randint(0, 3))],
        "table": {rng.choice(keys): rng.choice(values) for _ in range(rng.randint(0, 4))},
        "nothing": None,
        "anything": rng.choice(oddities),
    }
    return ChatInput(
        name,
        [_message(rng) for _ in range(rng.randint(1, 4))],
        tools=[tool] * rng.randint(0, 2) if rng.random() < 0.5 else None,
        documents=[{"title": word(), "text": word()}] if rng.random() < 0.3 else None,
        # A variable that is missing is undefined, which is a value as well.
        variables={name: value for name, value in variables.items() if rng.random() > 0.015},
    )


def _message(rng: random.Random) -> dict[str, Any]:
    message: dict[str, Any] = {
        "role": rng.choice(("user", "assistant", "system", "tool")),
        "content": rng.choice(WORDS) if rng.random() < 0.85 else [{"type": "text", "text": rng.choice(WORDS)}],
    }
    if rng.random() < 0.3:
        message |= {"name": rng.choice(WORDS), "score": rng.choice((1, 2, 2.5, 0))}
    if rng.random() < 0.15:
        message["tool_calls"] = [{"function": {"name": "f", "arguments": {"a": 1, "b": rng.choice(WORDS)}}}]
    return message


def _row(rng: random.Random) -> dict[str, Any]:
    return {
        "name": rng.choice("abcA"),
        "score": rng.randint(0, 3),
        "role": "user",
        "content": rng.choice(WORDS),
        "tags": [rng.choice(WORDS)],
        "ok": rng.random() < 0.5,
    }


def _node(rng: random.Random, depth: int) -> dict[str, Any]:
    node: dict[str, Any] = {"name": rng.choice("abc"), "score": depth}
    if depth:
        node["children"] = [_node(rng, depth - 1) for _ in range(rng.randint(0, 2))]
    return node
