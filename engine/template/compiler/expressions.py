"""What every pass needs to write an expression: its code as text, a name for its value, and what is known of its type.

Python evaluates the condition of ``a if condition else b`` first, so a value that is looked at twice is named there,
``(t := value)``, and repeated as ``t``.
"""

from __future__ import annotations

from io import StringIO

from jinja2 import nodes
from jinja2.compiler import CodeGenerator, Frame

__all__ = ["ExpressionWriter", "Unsupported"]

TEXT_FILTERS = {"capitalize", "join", "lower", "string", "title", "tojson", "trim", "upper"}


class Unsupported(Exception):
    """The template holds something that no pass has proved: plain Jinja renders it."""


class ExpressionWriter(CodeGenerator):
    """Turns nodes into code without writing it yet."""

    def code(self, node: nodes.Node, frame: Frame) -> str:
        """Return the code of an expression."""
        stream, lines = self.stream, self._new_lines
        self.stream, self._new_lines = StringIO(), 0
        self.visit(node, frame)
        text = self.stream.getvalue()
        self.stream, self._new_lines = stream, lines
        return text

    def named(self, node: nodes.Node, frame: Frame) -> tuple[str, str]:
        """Return the code of an expression for its first evaluation, and what stands for its value afterwards."""
        text = self.code(node, frame)
        if text.isidentifier():
            return text, text
        name = self.temporary_identifier()
        return f"({name} := {text})", name

    def arguments(self, node: nodes.Call | nodes.Filter | nodes.Test, frame: Frame) -> str:
        """Return the code of a call's arguments, without the parentheses."""
        stream, lines = self.stream, self._new_lines
        self.stream, self._new_lines = StringIO(), 0
        self.signature(node, frame)
        text = self.stream.getvalue()
        self.stream, self._new_lines = stream, lines
        return text.removeprefix(", ")

    def is_text(self, node: nodes.Node) -> bool:
        """Tell whether *node*, where it does not raise, gives ``str`` or Markup.

        ``str.__add__`` takes nothing else, and nothing but Markup and the raising Undefined defines ``__radd__``.
        """
        if isinstance(node, nodes.TemplateData):
            return True
        if isinstance(node, nodes.Const):
            return type(node.value) is str
        if isinstance(node, nodes.Add):
            return self.is_text(node.left) or self.is_text(node.right)
        if isinstance(node, nodes.CondExpr):
            return self.is_text(node.expr1) and node.expr2 is not None and self.is_text(node.expr2)
        if isinstance(node, nodes.Filter):
            return node.name in TEXT_FILTERS
        return isinstance(node, nodes.Concat)


def is_literal(node: nodes.Node) -> bool:
    """Tell whether *node* is a constant of the template's text, which costs nothing and cannot raise."""
    return isinstance(node, nodes.Const)


def has_plain_arguments(node: nodes.Call | nodes.Filter | nodes.Test) -> bool:
    """Tell whether a call has positional arguments alone, and none that are unpacked."""
    return not (node.kwargs or node.dyn_args or node.dyn_kwargs)
