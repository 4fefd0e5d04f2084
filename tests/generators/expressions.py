"""Random Jinja expressions of a wanted kind, written from the grammar and from what is in scope."""

from __future__ import annotations

import random
import re

from turnwire.template.environment import ChatEnvironment

from .grammar import CLOSED, IMPLAUSIBLE, LOOP_ATTRIBUTES, LOOSE, METHOD_OWNERS, NEGATED, OPAQUE, REFUSED, TIGHT
from .vocabulary import ATOMS, FILTERS, METHODS, ODD, ODD_ARGUMENTS, TESTS

__all__ = ["FILTER_NAMES", "TEST_NAMES", "ExpressionWriter", "public_methods"]

# The names come from the environment, so that none is missed: what the tables do not know is called without arguments.
_environment = ChatEnvironment()
FILTER_NAMES = sorted(_environment.filters)
TEST_NAMES = sorted(_environment.tests)
_NAMED_TESTS = [name for name in TEST_NAMES if name.isidentifier()]
_SIGNED_TESTS = [name for name in TEST_NAMES if not name.isidentifier()]

_HOLE = re.compile(rf"<({'|'.join([*ATOMS, 'iter', 'opaque', 'test', 'filter'])})(!{{0,2}})>")

_PLAIN_KINDS = ("text", "small", "number", "bool", "list", "dict", "rows", "row", "pairs", "any")
"""What an expression of the wrong kind may be of."""

_LOOP_ATOMS = {
    "small": ("loop.index", "loop.index0", "loop.revindex", "loop.revindex0", "loop.depth", "loop.depth0"),
    "bool": ("loop.first", "loop.last"),
}

_MUTATORS = {
    *("append", "clear", "extend", "insert", "pop", "popitem"),
    *("remove", "reverse", "setdefault", "sort", "update"),
}


_REFUSED = [spelling for spellings in REFUSED.values() for spelling in spellings]


def public_methods(owner: type) -> list[str]:
    """Return the names of the methods of a type that do not start with an underscore."""
    return [name for name in dir(owner) if not name.startswith("_") and callable(getattr(owner, name))]


def _filters_by_kind() -> dict[str, list[str]]:
    """Return, for each kind, the filters that give it."""
    gifts: dict[str, list[str]] = {}
    for name in FILTER_NAMES:
        gift = FILTERS[name][1] if name in FILTERS else "any"
        gifts.setdefault(gift, []).append(name)
        if gift in ("text", "list", "number"):
            gifts.setdefault("any", []).append(name)
    return gifts


_FILTERS_BY_KIND = _filters_by_kind()
_FILTERS_BY_TEST = ("select", "reject", "selectattr", "rejectattr")


class ExpressionWriter:
    """Writes expressions; *daring* is the share of places that get something unfit."""

    def __init__(self, rng: random.Random, daring: float) -> None:
        self.rng = rng
        self.daring = daring
        self.scopes: list[dict[str, str]] = [{}]
        """Names and kinds of variables, innermost scope last."""
        self.loops = 0
        """How many loops enclose the place that is being written, as seen from there."""

    def dares(self, factor: float = 1.0) -> bool:
        """Decide whether to write something unfit here."""
        return self.rng.random() < self.daring * factor

    def fill(self, spelling: str, depth: int) -> str:
        """Put an expression into each hole of *spelling*."""
        return _HOLE.sub(lambda hole: self.expression(hole[1], depth, hole[2]), spelling)

    def expression(self, kind: str, depth: int, mark: str = "") -> str:
        """Write an expression of *kind* that nests some *depth* operations, fit for a hole with *mark*."""
        rng = self.rng
        if kind == "opaque":
            return f"({self.fill(rng.choice(OPAQUE), depth - 1)})"
        if mark != "!!" and self.dares():
            if kind in ODD:
                return f"({rng.choice(ODD[kind])})" if mark else rng.choice(ODD[kind])
            if rng.random() < 0.4:
                return f"({self.fill(rng.choice(IMPLAUSIBLE), depth - 1)})"
            if rng.random() < 0.2:
                return f"({self.refused(depth)})"
            kind = rng.choice(_PLAIN_KINDS)
        if kind == "any" and rng.random() < 0.6:
            kind = rng.choice(("text", "text", "small", "number", "bool", "list", "dict", "row"))
        if kind in ("test", "filter"):
            return self._passed_by_name(kind, depth)
        if kind == "iter":
            return f"({self._filtered('iter', depth)})"
        text, binds = self._plain(kind, depth)
        if mark == "!!" and not text.isidentifier():
            binds = "loosely"
        return f"({text})" if mark and (binds == "loosely" or (binds == "tightly" and rng.random() < 0.75)) else text

    def _plain(self, kind: str, depth: int) -> tuple[str, str]:
        """Write an expression of *kind*, and say how it binds: as an atom, tightly or loosely."""
        rng = self.rng
        draw = rng.random()
        if depth <= 0 or draw < 0.2:
            atom = self._atom(kind)
            return atom, "loosely" if atom.startswith("-") else "as an atom"
        if draw < 0.45 and kind == "bool":
            return self._tested(depth), "tightly"
        if draw < 0.28 and kind not in ODD:
            return self.fill(rng.choice(LOOSE).replace("KIND", kind), depth - 1), "loosely"
        if draw < 0.6 and kind == "bool":
            return self.fill(rng.choice(NEGATED), depth - 1), "loosely"
        if (draw < 0.5 or kind == "bool") and kind in TIGHT:
            return self.fill(rng.choice(TIGHT[kind]), depth - 1), "tightly"
        if draw < 0.67 and kind in _FILTERS_BY_KIND:
            return self._filtered(kind, depth), "as an atom"
        if draw < 0.83 and kind in ("text", "any"):
            owners = ("str", "Markup") if kind == "text" else tuple(METHOD_OWNERS)
            return self._method_call(rng.choice(owners), depth), "as an atom"
        if kind in CLOSED:
            return self.fill(rng.choice(CLOSED[kind]), depth - 1), "as an atom"
        return self._atom(kind), "loosely"

    def _atom(self, kind: str) -> str:
        """Write a variable that is of *kind*, something about the loop, or a literal."""
        rng = self.rng
        if self.loops and rng.random() < 0.25:
            if kind == "any":
                return self.loop_attribute()
            if kind in _LOOP_ATOMS:
                return rng.choice(_LOOP_ATOMS[kind])
        if rng.random() < 0.6:
            names = [name for scope in self.scopes for name, its in scope.items() if its == kind or kind == "any"]
            if names:
                return rng.choice(names)
        return rng.choice(ATOMS[kind]) if kind in ATOMS else self.fill(rng.choice(CLOSED[kind]), 0)

    def loop_attribute(self) -> str:
        """Write something that the innermost loop tells."""
        return self.fill(self.rng.choice(LOOP_ATTRIBUTES[self.rng.choice(list(LOOP_ATTRIBUTES))]), 0)

    def _filtered(self, kind: str, depth: int) -> str:
        name = self.rng.choice(_FILTERS_BY_KIND[kind])
        if name in _FILTERS_BY_TEST and not self.dares():
            return self._selected(name, depth)
        taken = FILTERS[name][0] if name in FILTERS else "any"
        return f"{self.expression(taken, depth - 1, '!!')}|{self.filter_call(name, depth)}"

    def _selected(self, name: str, depth: int) -> str:
        """Write a filter that puts a test to items, and items that are fit for it."""
        test, taken, arguments = self._test_call(self.rng.choice((TEST_NAMES, _SIGNED_TESTS)), depth)
        by_name = f"'{test}', {arguments}" if arguments else f"'{test}'"
        items = [f"<{taken}>", f"<{taken}>"]
        if name in ("select", "reject"):
            return self.fill(f"[{', '.join(items)}]", depth - 1) + f"|{name}({by_name})"
        return (
            self.fill(", ".join(f"{{'a': {item}}}" for item in items).join("[]"), depth - 1)
            + f"|{name}('a', {by_name})"
        )

    def _tested(self, depth: int) -> str:
        """Write a test of a value that is fit for it."""
        test, taken, arguments = self._test_call(_NAMED_TESTS, depth)
        value = self.fill(
            self.rng.choice((f"<{taken}!>", f"<{taken}!>", f"<{taken}!>", "<opaque>", "nowhere")), depth - 1
        )
        if arguments.isidentifier() or arguments.isdigit():
            arguments = self.rng.choice((f"({arguments})", f" {arguments}"))
        elif arguments:
            arguments = f"({arguments})"
        return f"{value} is {self.rng.choice(('', '', 'not '))}{test}{arguments}"

    def _test_call(self, names: list[str], depth: int) -> tuple[str, str, str]:
        """Choose a test and return its name, what it is for, and arguments for it."""
        name = self.rng.choice(names)
        taken, spellings = TESTS.get(name, ("any", ("",)))
        return name, taken, self._arguments(spellings, depth)

    def filter_call(self, name: str, depth: int) -> str:
        """Write the filter *name* with its arguments."""
        arguments = self._arguments(FILTERS[name][2] if name in FILTERS else ("",), depth)
        return f"{name}({arguments})" if arguments else name

    def _passed_by_name(self, kind: str, depth: int) -> str:
        """Write the name of a test or a filter and its arguments, as ``select`` and ``map`` take them."""
        if kind == "test":
            name, _, arguments = self._test_call(TEST_NAMES, depth)
        else:
            # An iterator for each item would show its address in every text that is made of them.
            name = self.rng.choice([name for name in FILTER_NAMES if name not in _FILTERS_BY_KIND["iter"]])
            arguments = self._arguments(FILTERS[name][2] if name in FILTERS else ("",), depth)
        return f"'{name}', {arguments}" if arguments else f"'{name}'"

    def _method_call(self, owner: str, depth: int) -> str:
        of, spelling = METHOD_OWNERS[owner]
        names, changes = public_methods(of), self.dares(2)
        name = self.rng.choice([name for name in names if (name in _MUTATORS) == changes] or names)
        return f"{self.fill(spelling, depth - 1)}.{name}({self._arguments(METHODS.get(name, ('',)), depth)})"

    def _arguments(self, spellings: tuple[str, ...], depth: int) -> str:
        return self.fill(self.rng.choice(ODD_ARGUMENTS if self.dares() else spellings), depth - 1)

    def refused(self, depth: int) -> str:
        """Write something that the sandbox or the environment refuses."""
        return self.fill(self.rng.choice(_REFUSED), depth - 1)
