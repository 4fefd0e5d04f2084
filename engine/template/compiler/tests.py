"""Tests (``x is name``) that are one question of Python's.

Fact, from jinja2's definitions: ``defined`` asks whether the value is an Undefined, ``none`` whether it is None,
``string``, ``boolean`` and ``number`` for a type, ``mapping`` and ``iterable`` hold for each exact dict, list and text
or follow the general rule, ``true`` and ``false`` ask for the two constants, and ``eq``, ``ne``, ``in`` and their other
names are the operators.

Does not fire: other tests, arguments that are named or unpacked.
"""

from __future__ import annotations

from jinja2 import nodes
from jinja2.compiler import Frame

from .expressions import ExpressionWriter, Unsupported, has_plain_arguments

__all__ = ["TestPass"]

QUESTIONS = {
    "boolean": "(({v}) is True or {w} is False)",
    "defined": "(type({v}) is not Undefined)",
    "false": "({v} is False)",
    "iterable": "(type({v}) in CONTAINERS or tests_['iterable']({w}))",
    "mapping": "(type({v}) is dict or tests_['mapping']({w}))",
    "none": "({v} is None)",
    "string": "isinstance({v}, str)",
    "true": "({v} is True)",
    "undefined": "(type({v}) is Undefined)",
}
OPERATORS = {
    "==": "==",
    "eq": "==",
    "equalto": "==",
    "!=": "!=",
    "ne": "!=",
    "in": "in",
}


class TestPass(ExpressionWriter):
    """Writes tests."""

    def visit_Test(self, node: nodes.Test, frame: Frame) -> None:
        """Write ``x is name(…)``."""
        if node.name not in self.environment.tests or node.name == "sameas":
            # Input is not copied for compiled templates, so two equal values may be one.
            raise Unsupported(f"a test called {node.name}")
        self.tests[node.name] = f"tests_[{node.name!r}]"
        if has_plain_arguments(node):
            if node.name in QUESTIONS and not node.args:
                first, again = self.named(node.node, frame)
                self.write(QUESTIONS[node.name].format(v=first, w=again))
                return
            if node.name in OPERATORS and len(node.args) == 1:
                operator = OPERATORS[node.name]
                self.write(f"({self.code(node.node, frame)} {operator} {self.code(node.args[0], frame)})")
                return
        super().visit_Test(node, frame)
