"""The states that the search for a plain pattern goes through, worked out as texts ask for them.

A state is all the ways at once in which a match may be going on (threads), the most preferred first, so that an earlier
start comes before a later one. Threads at the same step have the same future, so the most preferred of them is enough.
What a character does to the threads depends on their steps alone, not on where they started: that is remembered.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain, combinations

import regex

from .plain_pattern import ACCEPT, Program, compile_program

__all__ = ["NEW", "Machine", "Move", "State", "build_machine"]

Threads = tuple[tuple[int, int], ...]
"""A step and the rank of its start among the starts that are still alive, for each thread."""
NEW = -1
"""In the place of a rank: a thread that starts with the character at hand."""
MOST_MOVES = 20_000
MOST_RIVALS = 4
"""Steps besides the one that a run stays at, in the states that runs are looked for in."""


@dataclass(eq=False)
class State:
    """The threads between two characters."""

    threads: Threads
    starting: bool
    """Whether a match may still begin: nothing has matched so far."""
    moves: dict[str, Move] = field(default_factory=dict)
    """What each character leads to, as far as it has been asked for."""
    run_end: Callable[[str, int, int], int] | None = None
    """Finds the first character in a part of a text that may lead elsewhere; None where that is not known."""
    run_sought: bool = False

    @property
    def alive(self) -> int:
        """How many starts are alive."""
        return 1 + max((rank for _, rank in self.threads), default=-1)


@dataclass(frozen=True)
class Move:
    """What a character leads to."""

    state: State
    starts: tuple[int, ...] | None
    """For each start that is alive afterwards its rank before, or NEW; None where nothing changes."""
    accepted: int | None
    """The rank before of the start whose thread matched, or NEW; None where none did."""
    stays: bool
    """Whether all is as it was before."""


class Machine:
    """A program with the states it has been in; searches share it, and lose nothing when it forgets."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.states: dict[tuple[Threads, bool], State] = {}
        self.moves = 0
        self.idle = self.state((), True)

    def state(self, threads: Threads, starting: bool) -> State:
        """Return the one state of these threads."""
        return self.states.setdefault((threads, starting), State(threads, starting))

    def move(self, state: State, char: str) -> Move:
        """Return what *char* leads to, and remember it."""
        if self.moves >= MOST_MOVES:
            self.forget()
        steps = {step for step, _ in self.threads_of(state)}
        move = self.step(state, {step for step in steps if self.program.tests[step](char)})
        self.moves += 1
        state.moves[char] = move
        return move

    def forget(self) -> None:
        """Drop what is remembered: a text with every character there is would fill the memory."""
        for state in self.states.copy().values():
            state.moves.clear()
        self.states = {((), True): self.idle}
        self.moves = 0

    def threads_of(self, state: State) -> Threads:
        """Return the threads of *state* and those that may start there."""
        return (*state.threads, *((step, NEW) for step in self.program.first)) if state.starting else state.threads

    def step(self, state: State, taking: set[int]) -> Move:
        """Return what a character leads to that the steps in *taking* take."""
        went: list[tuple[int, int]] = []
        seen: set[int] = set()
        accepted = None
        for step, rank in self.threads_of(state):
            if accepted is not None:
                break  # whatever is less preferred has lost for good
            for following in self.program.after[step] if step in taking else ():
                if following == ACCEPT:
                    accepted = rank
                elif following not in seen:
                    seen.add(following)
                    went.append((following, rank))
        starts = tuple(dict.fromkeys(rank for _, rank in went))
        renumbered = {rank: number for number, rank in enumerate(starts)}
        after = self.state(tuple((step, renumbered[rank]) for step, rank in went), state.starting and accepted is None)
        unchanged = starts == tuple(range(state.alive))
        return Move(after, None if unchanged else starts, accepted, unchanged and after is state and accepted is None)

    def find_run_end(self, state: State) -> Callable[[str, int, int], int] | None:
        """Return the function that finds where a run of characters ends that all lead from *state* to itself."""
        if not state.run_sought:
            state.run_end = self.seek_run_end(state)
            state.run_sought = True
        return state.run_end

    def seek_run_end(self, state: State) -> Callable[[str, int, int], int] | None:
        """Look for a step that keeps the state as it is, and for the other steps that do not disturb it."""
        steps = list(dict.fromkeys(step for step, _ in self.threads_of(state)))
        if len(steps) > MOST_RIVALS + 1:
            return None

        def stays(taking: Iterable[int]) -> bool:
            return self.step(state, set(taking)).stays

        for keeper in steps:
            if not stays([keeper]):
                continue
            harmless = [step for step in steps if step != keeper and stays([keeper, step])]
            if all(stays([keeper, *some]) for some in _subsets(harmless)):
                rivals = [step for step in steps if step != keeper and step not in harmless]
                sources = self.program.sources
                ends = [sources[step] for step in rivals]
                if sources[keeper] != ".":
                    ends.append(f"(?!{sources[keeper]}).")
                if ends:
                    return _first_of(regex.compile("|".join(ends), regex.DOTALL))
        return None


def _subsets(items: list[int]) -> Iterable[tuple[int, ...]]:
    return chain.from_iterable(combinations(items, size) for size in range(len(items) + 1))


def _first_of(pattern: regex.Pattern[str]) -> Callable[[str, int, int], int]:
    def run_end(text: str, pos: int, stop: int) -> int:
        found = pattern.search(text, pos, stop)
        return stop if found is None else found.start()

    return run_end


@lru_cache(maxsize=1024)
def build_machine(pattern: str) -> Machine | None:
    """Return the machine for *pattern*, or None where it is not plain."""
    program = compile_program(pattern)
    return None if program is None else Machine(program)
