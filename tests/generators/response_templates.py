"""Random response templates over the whole of their language, the replies for them, and the pieces they come in.

One in six breaks a rule of the language. The same seed gives the same case everywhere.
"""

from __future__ import annotations

import copy
import random
from dataclasses import dataclass
from typing import Any

from .response_patterns import ANCHORED, FAMILIAR, LETTERS, invent_pattern, write_match
from .response_words import (
    CALL_FIELDS,
    CONTENTS,
    DEFAULTS,
    LITERALS,
    MISTAKES,
    STRING_DELIMITERS,
    TAG_PATTERNS,
    TEMPLATE_MISTAKES,
    TOOLS,
    TRANSFORMS,
    VALUE_PARSERS,
)

__all__ = ["Case", "generate_case"]


@dataclass(frozen=True)
class Case:
    """A template, what is passed along with it, and a reply in pieces."""

    template: Any
    """The response template."""
    prefix: Any
    """The prompt."""
    tools: Any
    """The tools."""
    pieces: tuple[str, ...]
    """The reply."""


Texts = tuple[str, ...]
Region = tuple[Texts, Texts, Texts]
"""Texts for the delimiter that opens a region, for its content, and for the delimiter that closes it."""


def generate_case(seed: int) -> Case:
    """Return the case of this seed."""
    rng = random.Random(f"response template {seed}")
    regions: list[Region] = []
    template = _invent_template(rng, regions)
    text = _invent_text(rng, regions)
    prefix: Any = ""
    if rng.random() < 0.25:
        reply = _invent_text(rng, regions)
        prefix = rng.choice((None, "no anchor", reply, "<|a|>", f"x<|a|>{reply}"))
    tools = rng.choice(TOOLS)
    return Case(template, prefix, tools, _cut(rng, text))


def _invent_template(rng: random.Random, regions: list[Region]) -> Any:
    names = rng.sample(("content", "reasoning", "tool_calls", "x"), rng.choice((1, 2, 2, 3, 3, 4)))
    implicit = rng.choice((*names, *names, None))
    template: dict[str, Any] = {}
    if rng.random() < 0.9:
        template["defaults"] = rng.choice(DEFAULTS[:-2])
    template["fields"] = {name: _invent_field(rng, regions, name != implicit) for name in names}
    anchors = _add_delimiter(rng, template, "start_anchor", allow_groups=True)
    regions.append((anchors, ("",), ("",)))
    if rng.random() < 0.06:
        key, value = rng.choice(TEMPLATE_MISTAKES)
        template[key] = value
    return template if rng.random() < 0.995 else rng.choice((None, [], "x"))


def _invent_field(rng: random.Random, regions: list[Region], opens: bool) -> Any:
    if opens and rng.random() < 0.15:
        known, *texts = rng.choice(CALL_FIELDS)
        regions += [(texts[0], texts[1], texts[2])] * 3
        return copy.deepcopy(known)
    field: dict[str, Any] = {}
    with_transform = rng.random() < 0.45
    opening = _add_delimiter(rng, field, "open", with_transform) if opens else ("",)
    closing = _add_delimiter(rng, field, "close", with_transform) if rng.random() < 0.85 else ("",)
    content = rng.choice(("text", "text", "text", *CONTENTS))
    if content != "text" or rng.random() < 0.5:
        field["content"] = content
    regions.append((opening, CONTENTS[content], closing))
    if args := _invent_args(rng, content):
        field["content_args"] = args
    if rng.random() < 0.4:
        field["repeats"] = True
        if rng.random() < 0.4:
            field["join"] = rng.choice(("", "\n", "+"))
    if rng.random() < 0.1:
        field["optional"] = rng.choice((True, False))
    if with_transform:
        field["transform"] = rng.choice(TRANSFORMS)
        if rng.random() < 0.3:
            field["transform_each"] = rng.choice((True, True, False))
    if rng.random() < 0.05:
        key, value = rng.choice(MISTAKES)
        field[key] = value
    return field if rng.random() < 0.998 else rng.choice((None, [], "x"))


def _invent_args(rng: random.Random, content: str) -> dict[str, Any]:
    args: dict[str, Any] = {}
    if content == "json":
        if rng.random() < 0.5:
            args["unquoted_keys"] = True
        if rng.random() < 0.5:
            args["string_delims"] = rng.choice(STRING_DELIMITERS)
        if rng.random() < 0.3:
            args["allow_non_json"] = rng.choice((True, False))
    elif content == "xml-inline":
        if rng.random() < 0.97:
            args["tag_pattern"] = rng.choice(TAG_PATTERNS[:-2] * 4 + TAG_PATTERNS)
        if rng.random() < 0.6:
            args["value_parser"] = rng.choice(VALUE_PARSERS)
        if rng.random() < 0.3:
            args["merge_duplicates"] = True
    elif content == "kv-lines":
        if rng.random() < 0.4:
            args["line_sep"] = rng.choice(("\n", ";", "", 5))
        if rng.random() < 0.4:
            args["kv_sep"] = rng.choice((":", "=", "", " "))
        if rng.random() < 0.4:
            args["value_parser"] = rng.choice(VALUE_PARSERS)
    if rng.random() < 0.15:
        args["strip"] = rng.choice((False, False, True))
    return args


def _add_delimiter(rng: random.Random, spec: dict[str, Any], key: str, allow_groups: bool) -> Texts:
    """Put a delimiter into *spec* and return texts for it."""
    kind = rng.random()
    if kind < 0.35:
        literals = (rng.choice(LITERALS), *rng.sample(LITERALS, rng.choice((0,) * 8 + (1, 2, 3))))
        spec[key] = literals[0] if len(literals) == 1 and rng.random() < 0.9 else list(literals)
        return literals
    if kind < 0.8:
        pattern, texts = rng.choice(list((FAMILIAR if kind < 0.7 else ANCHORED).items()))
    else:
        pattern, texts = invent_pattern(rng), tuple(LETTERS)
    if not allow_groups and rng.random() < 0.95:
        pattern = pattern.replace("(?P<name>", "(").replace("(?P<key>", "(").replace("(?P<k>", "(")
    spec[f"{key}_pattern"] = pattern
    return texts


def _invent_text(rng: random.Random, regions: list[Region]) -> str:
    pieces = []
    for _ in range(rng.choice((0, 1, 2, 3, 4, 6, 9))):
        kind = rng.random()
        if kind < 0.45:
            opening, content, closing = rng.choice(regions)
            pieces += (rng.choice(opening[:2]), rng.choice(content), rng.choice(closing[:2]))
        elif kind < 0.8:
            pieces.append(write_match(rng, rng.choice(rng.choice(regions))))
        else:
            pieces.append("".join(rng.choice(LETTERS) for _ in range(rng.choice((1, 1, 2, 3, 6)))))
    return "".join(pieces)


def _cut(rng: random.Random, text: str) -> tuple[str, ...]:
    kind = rng.random()
    if kind < 0.15:
        return (text,)
    if kind < 0.5:
        return tuple(text)
    if kind < 0.65:
        place = rng.randint(0, len(text))
        return text[:place], text[place:]
    pieces = []
    while text:
        size = rng.choice((0, 1, 1, 2, 3, 5, 8))
        pieces.append(text[:size])
        text = text[size:]
    return tuple(pieces)
