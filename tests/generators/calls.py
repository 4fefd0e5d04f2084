"""Random assistant messages with tool calls whose values are hard to write down, and the tools that they call.

Every value comes with the schema that says what it is, since formats that write arguments as text have the types from
nowhere else.
"""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from typing import Any, NamedTuple

__all__ = ["CallMessage", "Limits", "generate_message"]

NAMES = ("get_weather", "search", "f", "run_2", "list-files", "web.search", "SendMail")
KEYS = ("city", "query", "max_results", "is_ok", "x", "Größe", "kebab-key", "dotted.key", "name", "arguments", "id")
TEXTS = (
    "",
    " ",
    "plain words",
    "  indented\n",
    "two\n\nparagraphs",
    "a\ttab, a\r\nline",
    'say "hi"',
    "it's",
    "back\\slash",
    "\\n and \\u00e9 as they are",
    '"',
    "\\",
    "'",
    "{",
    "}]",
    "[1, 2]",
    '{"name": "f", "arguments": {"a": "b"}}',
    "null",
    "None",
    "true",
    "False",
    "7",
    "1e5",
    "007",
    "<b>bold</b> &amp; <i>",
    "a < b && c > d",
    "</",
    "{{ name }} {% if x %} {# note #}",
    "f(a='x', b=[1])",
    "x=1, y=2",
    "```json\n{}\n```",
    "# heading\n- item",
    "日本語とह",
    "é e\u0301 ß",
    "👩‍👩‍👧‍👦🏳️‍🌈",
    "العربية",
    "a\u2028b\u00a0c\ufeff",
    "\x01\x1f",
    "https://example.org/?a=b&c=%20#d",
    "C:\\new\\table",
    "SELECT * FROM t WHERE a = 'b';",
)
INTEGERS = (0, 1, -1, 7, 42, -300, 2**31, 2**53 + 1, 2**63 - 1, 2**63, -(2**63), 10**30)
FLOATS = (0.5, -1.25, 3.0, 1e-05, 1e21, 1.5e300, -0.1, 1 / 3)
PROSE = (
    "Here it comes.",
    "I'll look that up: two steps,\n\n1. search\n2. read",
    'It says "no" {really} [yes] (maybe).',
    "a < b, c > d & e",
    "Größe, 日本語, 👍🏽, العربية",
    "`code` and ```\nblocks\n```",
    "The answer is 42",
    "x = {'a': 1}",
)


class Limits(NamedTuple):
    """What a template or its format cannot carry."""

    null: bool = True
    """Arguments may be null."""
    nested_null: bool = True
    """So may what is inside of arrays and objects."""
    forbidden: str = ""
    """Regular expression that texts do not match anywhere; none where it is empty."""
    texts: tuple[str, ...] = TEXTS
    """What texts are made of, besides marks."""
    keys: tuple[str, ...] = KEYS
    names: tuple[str, ...] = NAMES
    outer_space: bool = True
    """Content and reasoning may begin and end in white space."""
    most_calls: int = 2
    content: bool = True
    """There may be content beside calls."""
    reasoning: bool = True
    without_arguments: bool = True
    """Calls may have no arguments."""
    most_arguments: int = 4
    always_content: bool = False
    """There is content beside every call."""
    no_kinds: tuple[str, ...] = ()
    """Kinds of values that do not occur, such as ``object``."""
    no_kinds_outside: tuple[str, ...] = ()
    """Kinds of values that occur inside of arrays and objects only."""


class CallMessage(NamedTuple):
    """A message, and what has to be offered for it."""

    calls: list[tuple[str, dict[str, Any]]]
    content: str
    reasoning: str
    tools: list[dict[str, Any]]


def generate_message(rng: random.Random, marks: Sequence[str], limits: Limits) -> CallMessage:
    """Return a random message; *marks* are the format's own, which texts are made of as well."""
    schemas: dict[str, dict[str, Any]] = {}
    calls = []
    for name in rng.sample(limits.names, rng.randint(1, limits.most_calls)):
        arguments = {}
        schemas[name] = {}
        for key in rng.sample(limits.keys, rng.randint(0 if limits.without_arguments else 1, limits.most_arguments)):
            arguments[key], schemas[name][key] = _generate_value(rng, marks, limits, depth=0)
        calls.append((name, arguments))
    content = _generate_prose(rng, limits) if limits.content and (rng.random() < 0.6 or limits.always_content) else ""
    reasoning = _generate_prose(rng, limits) if limits.reasoning and rng.random() < 0.6 else ""
    return CallMessage(calls, content, reasoning, [_make_tool(name, schemas[name]) for name in schemas])


def _generate_value(rng: random.Random, marks: Sequence[str], limits: Limits, depth: int) -> tuple[Any, dict[str, Any]]:
    kinds = ["text"] * 9 + ["integer"] * 3 + ["number"] * 2 + ["boolean"] * 2
    if limits.null if depth == 0 else limits.nested_null:
        kinds.append("null")
    if depth < 3:
        kinds += ["array", "object"] * 2
    banned = limits.no_kinds if depth else (*limits.no_kinds, *limits.no_kinds_outside)
    kind = rng.choice([kind for kind in kinds if kind not in banned])
    if kind == "text":
        return _generate_text(rng, marks, limits), {"type": "string", "description": "A text."}
    if kind == "integer":
        return rng.choice(INTEGERS), {"type": "integer", "description": "A number."}
    if kind == "number":
        return rng.choice(FLOATS), {"type": "number", "description": "A number."}
    if kind == "boolean":
        return rng.random() < 0.5, {"type": "boolean", "description": "Yes or no."}
    if kind == "null":
        return None, {"type": "integer", "nullable": True, "description": "A number or nothing."}
    if kind == "array":
        return _generate_array(rng, marks, limits, depth)
    members = {
        key: _generate_value(rng, marks, limits, depth + 1) for key in rng.sample(limits.keys, rng.randint(0, 3))
    }
    return (
        {key: value for key, (value, _) in members.items()},
        {
            "type": "object",
            "description": "Some members.",
            "properties": {key: schema for key, (_, schema) in members.items()},
        },
    )


def _generate_array(rng: random.Random, marks: Sequence[str], limits: Limits, depth: int) -> tuple[Any, dict[str, Any]]:
    """Return an array whose elements are all of one type, since a schema says no more than that about them."""
    first, schema = _generate_value(rng, marks, limits, depth + 1)
    items = [first] * rng.randint(0, 3)
    if schema["type"] == "string":
        items = [_generate_text(rng, marks, limits) for _ in items]
    return items, {"type": "array", "description": "Some items.", "items": schema}


def _generate_text(rng: random.Random, marks: Sequence[str], limits: Limits) -> str:
    while True:
        pieces = [rng.choice(marks) if marks and rng.random() < 0.2 else rng.choice(limits.texts)]
        while rng.random() < 0.3:
            pieces.append(rng.choice((*limits.texts, *marks)))
        text = "".join(pieces)
        if not limits.forbidden or not re.search(limits.forbidden, text, re.MULTILINE):
            return text


def _generate_prose(rng: random.Random, limits: Limits) -> str:
    prose = " ".join(rng.sample(PROSE, rng.randint(1, 2)))
    if limits.outer_space and rng.random() < 0.3:
        return rng.choice(("\n", "  ", "\n\n", "")) + prose + rng.choice(("\n", " ", "\n\n", ""))
    return prose


def _make_tool(name: str, properties: dict[str, dict[str, Any]]) -> dict[str, Any]:
    return {
        "type": "function",
        "function": {
            "name": name,
            "description": "Does what is asked.",
            "parameters": {"type": "object", "properties": properties, "required": []},
        },
    }
