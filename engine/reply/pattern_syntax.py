"""The syntax of plain patterns: from a pattern's source to a tree, and what the tree says about how matches begin.

Plain is what a delimiter needs: characters, classes, groups, alternatives and repeats, with neither assertions nor
references nor flags.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import regex

__all__ = ["END", "Node", "NotPlain", "find_heads", "is_nullable", "literal_lookahead", "read_pattern"]

MOST_HEADS = 16

# A node of the syntax tree is a tuple: its kind, then
#   char   the source of one character or class     cat, alt   nodes
#   repeat node, least, most or None, greedy        end        (nothing: the assertion $)
Node = tuple[Any, ...]


class NotPlain(Exception):
    """The pattern has something that no program is made of."""


END: Node = ("cat", ("end",))
"""The branch ``$`` of alternatives."""


def read_pattern(source: str) -> Node:
    """Return the tree of a pattern that regex compiles.

    Raises:
        NotPlain: the pattern has something else than what plain ones have.
    """
    reader = _Reader(source)
    node = reader.read_alternatives()
    if reader.pos != len(source):
        raise NotPlain
    return node


LOOKAHEAD = regex.compile(r"\(\?=(?:\[\\s\\S\]|\.)\*\??(.*)\)", regex.DOTALL)


def literal_lookahead(pattern: str) -> str | None:
    """Return the text that *pattern* asks to come somewhere further on, if that is all it asks."""
    if (asked := LOOKAHEAD.fullmatch(pattern)) is None:
        return None
    try:
        node = read_pattern(asked[1])
    except NotPlain:
        return None
    heads = find_heads(node)
    return heads[0][0] if len(heads) == 1 and heads[0][1] and heads[0][0] else None


QUANTIFIER = regex.compile(r"(?:([*+?])|\{([0-9]+)\}|\{([0-9]*),([0-9]*)\})(\??)(?![*+?{])")
GROUP = regex.compile(r"\((?!\?)|\(\?:|\(\?P?<\w+>")
CLASS = regex.compile(r"\[\^?\]?(?:[^\]\\\[]|\\[^a-zA-Z0-9]|\\[nrtfvsSwWdD])*\]")
CHARACTER = regex.compile(r"\.|\\[nrtfvsSwWdD]|\\\W|[^\\.^$*+?(){\[|]", regex.DOTALL)


class _Reader:
    """Reads the source of a pattern into a tree."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.pos = 0

    def take(self, what: regex.Pattern[str]) -> regex.Match[str] | None:
        if (found := what.match(self.source, self.pos)) is not None:
            self.pos = found.end()
        return found

    def read_alternatives(self) -> Node:
        branches = [self.read_branch()]
        while self.source.startswith("|", self.pos):
            self.pos += 1
            branches.append(self.read_branch())
        return branches[0] if len(branches) == 1 else ("alt", *branches)

    def read_branch(self) -> Node:
        parts: list[Node] = []
        while self.pos < len(self.source) and self.source[self.pos] not in "|)":
            parts.append(self.read_repeat())
        return ("cat", *parts)

    def read_repeat(self) -> Node:
        node = self.read_one()
        if (quantifier := self.take(QUANTIFIER)) is None:
            return node
        sign, exactly, least, most, lazy = quantifier.groups()
        if sign is not None:
            bounds: tuple[int, int | None] = {"*": (0, None), "+": (1, None), "?": (0, 1)}[sign]
        elif exactly is not None:
            bounds = (int(exactly), int(exactly))
        else:
            bounds = (int(least or 0), int(most) if most else None)
        # What regex makes of an empty round of a repeat is its own affair.
        if is_nullable(node):
            raise NotPlain
        return ("repeat", node, *bounds, not lazy)

    def read_one(self) -> Node:
        if self.take(GROUP):
            node = self.read_alternatives()
            if not self.source.startswith(")", self.pos):
                raise NotPlain
            self.pos += 1
            return node
        if self.source.startswith("$", self.pos):
            self.pos += 1
            return ("end",)
        if (one := self.take(CLASS) or self.take(CHARACTER)) is None:
            raise NotPlain
        return ("char", one[0])


def is_nullable(node: Node) -> bool:
    """Return whether *node* matches the empty text."""
    kind, *parts = node
    if kind == "char":
        return False
    if kind == "repeat":
        return bool(parts[1] == 0)
    return {"cat": all, "alt": any, "end": all}[kind](map(is_nullable, parts))


def find_heads(node: Node) -> list[tuple[str, bool]]:
    """Return texts with one of which every match of *node* starts, and for each whether it is all of the match."""
    kind, *parts = node
    if kind == "char":
        source = str(parts[0])
        if len(source) == 1 and source != ".":
            return [(source, True)]
        if len(source) == 2 and source[0] == "\\":
            if not source[1].isalnum():
                return [(source[1], True)]
            if source[1] in "nrtfv":
                return [({"n": "\n", "r": "\r", "t": "\t", "f": "\f", "v": "\v"}[source[1]], True)]
        return [("", False)]
    if kind == "alt":
        return [head for part in parts for head in find_heads(part)]
    if kind == "repeat":
        repeated, least, most, _ = parts
        heads = find_heads(repeated) if least else [("", False)]
        return heads if (least, most) == (1, 1) else [(text, False) for text, _ in heads]
    return _join_heads(parts)


def _join_heads(parts: Iterable[Node]) -> list[tuple[str, bool]]:
    heads = [("", True)]
    for part in parts:
        if not any(whole for _, whole in heads):
            break
        more = find_heads(part)
        joined = [
            (text + tail, still_whole)
            for text, whole in heads
            for tail, still_whole in (more if whole else [("", False)])
        ]
        if len(joined) > MOST_HEADS:
            return [(text, False) for text, _ in heads]
        heads = joined
    return heads
