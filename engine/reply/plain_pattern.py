"""Patterns plain enough to be searched for in linear time, as programs for :mod:`.pattern_search`.

A match of a plain pattern (:mod:`.pattern_syntax`) depends on its own characters alone, so that a search can be carried
on where it stopped. Whatever else a pattern has, regex searches for it.

Law: a program prefers what regex prefers (the leftmost start; then the first alternative, the longer of a greedy
repeat, the shorter of a lazy one).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import regex

from .pattern_syntax import END, Node, NotPlain, find_heads, read_pattern

__all__ = ["ACCEPT", "Program", "compile_program"]

ACCEPT = -1
"""In the place of a step: the match is complete."""
MOST_STEPS = 1000


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
        node = read_pattern(pattern)
        or_end = node[0] == "alt" and node[-1] == END
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


def _split_lead(node: Node) -> tuple[Callable[[str], object] | None, list[str]]:
    """Return the test for the run of characters that may precede the head of a match, if any, and the heads."""
    lead = None
    if node[0] == "cat" and len(node) > 1 and node[1][0] == "repeat":
        _, repeated, least, most, greedy = node[1]
        if repeated[0] == "char" and (least, most, greedy) == (0, None, True):
            lead = _test(repeated[1])
            node = ("cat", *node[2:])
    heads = list(dict.fromkeys(text for text, _ in find_heads(node)))
    if not all(heads) or (lead is not None and any(lead(head[0]) for head in heads)):
        return None, []
    return lead, sorted(heads, key=len, reverse=True)
