"""Patterns plain enough to be searched for in linear time, as programs for :mod:`.pattern_search`.

Plain is what a delimiter needs: characters, classes, groups, alternatives and repeats, with neither assertions nor
references nor flags. There a match depends on its own characters alone, so that a search can be carried on where it
stopped. Whatever else a pattern has, regex searches for it.

Law: a program prefers what regex prefers (the leftmost start; then the first alternative, the longer of a greedy
repeat, the shorter of a lazy one).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import regex

__all__ = ["ACCEPT", "Program", "compile_program", "literal_lookahead"]

ACCEPT = -1
"""In the place of a step: the match is complete."""
MOST_STEPS = 1000
MOST_HEADS = 16

# A node of the syntax tree is a tuple: its kind, then
#   char   the source of one character or class     cat, alt   nodes
#   repeat node, least, most or None, greedy        end        (nothing: the assertion $)
Node = tuple[Any, ...]


class NotPlain(Exception):
    """The pattern has something that no program is made of."""


@dataclass(frozen=True)
class Program:
    """What to look for, as steps that each take one character."""

    tests: tuple[Callable[[str], object], ...]
    """For each step, whether it takes a character."""
    sources: tuple[str, ...]
    """For each step, the pattern of the characters it takes."""
    after: tuple[tuple[int, ...], ...]
    """For each step, the steps that may follow, most preferred first; nothing follows ACCEPT."""
    first: tuple[int, ...]
    """The steps that may come first."""
    heads: regex.Pattern[str] | None
    """Finds texts of which one opens every match, apart from its lead; None where there is no such set."""
    longest_head: int
    """Characters."""
    lead: Callable[[str], object] | None
    """Whether a character may stand, any number of times, before the head; a head does not start with one of them."""
    lazy: bool
    """Whether it has lazy repeats. What regex takes for the beginning of a match is then more than can become one."""
    or_end: bool = False
    """Whether the end of the text, as ``$`` has it, will do where there is no match."""


@lru_cache(maxsize=1024)
def compile_program(pattern: str) -> Program | None:
    """Return the program for *pattern*, or None where it is not plain or matches the empty text."""
    try:
        node = _Reader(pattern).read()
        or_end = node[0] == "alt" and node[-1] == ("cat", ("end",))
        if or_end:
            node = ("alt", *node[1:-1])
        writer = _Writer()
        writer.write(node)
        first = writer.closure(0)
    except NotPlain:
        return None
    if ACCEPT in first:
        return None
    lead, heads = _split_lead(node)
    return Program(
        tests=tuple(_test(source) for source in writer.chars.values()),
        sources=tuple(writer.chars.values()),
        after=tuple(writer.closure(place + 1) for place in writer.chars),
        first=first,
        heads=regex.compile("|".join(map(regex.escape, heads))) if heads else None,
        longest_head=max(map(len, heads), default=0),
        lead=lead,
        lazy=writer.lazy,
        or_end=or_end,
    )


LOOKAHEAD = regex.compile(r"\(\?=(?:\[\\s\\S\]|\.)\*\??(.*)\)", regex.DOTALL)


def literal_lookahead(pattern: str) -> str | None:
    """Return the text that *pattern* asks to come somewhere further on, if that is all it asks."""
    if (asked := LOOKAHEAD.fullmatch(pattern)) is None:
        return None
    try:
        node = _Reader(asked[1]).read()
    except NotPlain:
        return None
    heads = _heads(node)
    return heads[0][0] if len(heads) == 1 and heads[0][1] and heads[0][0] else None


# --- reading ----------------------------------------------------------------------------------------------------------

QUANTIFIER = regex.compile(r"(?:([*+?])|\{([0-9]+)\}|\{([0-9]*),([0-9]*)\})(\??)(?![*+?{])")
GROUP = regex.compile(r"\((?!\?)|\(\?:|\(\?P?<\w+>")
CLASS = regex.compile(r"\[\^?\]?(?:[^\]\\\[]|\\[^a-zA-Z0-9]|\\[nrtfvsSwWdD])*\]")
CHARACTER = regex.compile(r"\.|\\[nrtfvsSwWdD]|\\\W|[^\\.^$*+?(){\[|]", regex.DOTALL)


class _Reader:
    """Reads the source of a pattern into a tree."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.pos = 0

    def read(self) -> Node:
        node = self.read_alternatives()
        if self.pos != len(self.source):
            raise NotPlain
        return node

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
        if _is_nullable(node):
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


def _is_nullable(node: Node) -> bool:
    kind, *parts = node
    if kind == "char":
        return False
    if kind == "repeat":
        return bool(parts[1] == 0)
    return {"cat": all, "alt": any, "end": all}[kind](map(_is_nullable, parts))


# --- writing ----------------------------------------------------------------------------------------------------------


class _Writer:
    """Writes a tree as numbered places: a character to take, or where to go on, most preferred first."""

    def __init__(self) -> None:
        self.chars: dict[int, str] = {}
        self.jumps: dict[int, list[int]] = {}
        self.size = 0
        self.lazy = False

    def write(self, node: Node) -> None:
        kind, *parts = node
        if kind == "char":
            self.chars[self.place()] = str(parts[0])
        elif kind == "cat":
            for part in parts:
                self.write(part)
        elif kind == "alt":
            self.write_alternatives(parts)
        elif kind == "repeat":
            self.write_repeat(*parts)
        else:
            raise NotPlain

    def place(self, *targets: int) -> int:
        if len(self.chars) > MOST_STEPS:
            raise NotPlain
        if targets:
            self.jumps[self.size] = list(targets)
        self.size += 1
        return self.size - 1

    def write_alternatives(self, branches: list[Node]) -> None:
        fork = self.place(0)
        self.jumps[fork] = []
        exits = []
        for branch in branches:
            self.jumps[fork].append(self.size)
            self.write(branch)
            exits.append(self.place(0))
        for place in exits:
            self.jumps[place] = [self.size]

    def write_repeat(self, node: Node, least: int, most: int | None, greedy: bool) -> None:
        self.lazy |= not greedy
        for _ in range(least):
            self.write(node)
        forks = []
        for _ in range(1 if most is None else most - least):
            forks.append(self.place(0))
            self.write(node)
            if most is None:
                self.place(forks[0])
        for fork in forks:
            self.jumps[fork] = [fork + 1, self.size] if greedy else [self.size, fork + 1]

    def closure(self, start: int) -> tuple[int, ...]:
        """Return the steps to which one gets from a place without taking a character."""
        steps = {place: step for step, place in enumerate(self.chars)}
        found: list[int] = []
        seen: set[int] = set()
        todo = [start]
        while todo:
            place = todo.pop()
            if place in seen:
                continue
            seen.add(place)
            if place == self.size:
                found.append(ACCEPT)
                break
            if place in steps:
                found.append(steps[place])
            else:
                todo.extend(reversed(self.jumps[place]))
        return tuple(found)


def _test(source: str) -> Callable[[str], object]:
    """Return whether a character is what *source* takes."""
    if len(source) == 1 and source != ".":
        return source.__eq__
    return regex.compile(source, regex.DOTALL).fullmatch


# --- what a match starts with -----------------------------------------------------------------------------------------


def _split_lead(node: Node) -> tuple[Callable[[str], object] | None, list[str]]:
    """Return the test for the run of characters that may precede the head of a match, if any, and the heads."""
    lead = None
    if node[0] == "cat" and len(node) > 1 and node[1][0] == "repeat":
        _, repeated, least, most, greedy = node[1]
        if repeated[0] == "char" and (least, most, greedy) == (0, None, True):
            lead = _test(repeated[1])
            node = ("cat", *node[2:])
    heads = list(dict.fromkeys(text for text, _ in _heads(node)))
    if not all(heads) or (lead is not None and any(lead(head[0]) for head in heads)):
        return None, []
    return lead, sorted(heads, key=len, reverse=True)


def _heads(node: Node) -> list[tuple[str, bool]]:
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
        return [head for part in parts for head in _heads(part)]
    if kind == "repeat":
        repeated, least, most, _ = parts
        heads = _heads(repeated) if least else [("", False)]
        return heads if (least, most) == (1, 1) else [(text, False) for text, _ in heads]
    return _join_heads(parts)


def _join_heads(parts: Iterable[Node]) -> list[tuple[str, bool]]:
    heads = [("", True)]
    for part in parts:
        if not any(whole for _, whole in heads):
            break
        more = _heads(part)
        joined = [
            (text + tail, still_whole)
            for text, whole in heads
            for tail, still_whole in (more if whole else [("", False)])
        ]
        if len(joined) > MOST_HEADS:
            return [(text, False) for text, _ in heads]
        heads = joined
    return heads
