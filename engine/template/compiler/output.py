"""What a template puts out: pieces of text appended to one list, and blocks whose text is taken back in.

Fact: jinja2 puts out ``str(value)`` for every ``{{ value }}`` and joins all pieces in the end, so pieces that stand
beside each other may be one, and ``str`` of what is text already changes nothing. Only literal text is joined while
compiling: constant expressions are left to the render, since a template can write constants that take forever.

Fact: where one operand of ``a + b + c`` is a string constant, all of them have to be text, or adding them raises; so
they may be put out one by one, since joining raises as well on what is no text. A name that is only ever set to text
counts as text here, and joining raises where the caller has passed something else under it. Does not fire: templates
that use what makes Markup (``escape``, say), which escapes what is added to it. ``{{ x|safe }}`` makes it for nobody
to see: the text is that of ``x``.

Fact: ``{% generation %}`` calls its body and notes how much had been put out before; the body is a function without
parameters, so calling it needs no sandbox. Does not fire: a body that reads ``caller`` or the like.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from jinja2 import nodes
from jinja2.compiler import Frame

from .expressions import ExpressionWriter

__all__ = ["OutputPass"]


MARKUP = frozenset({"e", "escape", "forceescape", "lipsum", "safe", "urlize", "xmlattr"})
"""Filters and globals that make Markup out of text."""
BY_NAME = frozenset({"map"})
"""Filters that apply another filter by its name."""


class OutputPass(ExpressionWriter):
    """Writes output."""

    has_generation: bool
    """Whether the template has generation blocks: then all before a block has to be out before its body runs."""

    text_names: set[str]
    """Names that are set to text wherever they are set."""
    makes_markup: bool
    """Whether the template may hold Markup."""

    def find_output(self, tree: nodes.Template) -> None:
        """Note what matters to the order and the kinds of pieces."""
        self.text_names = set()
        self._find_text_names(tree)
        unseen = {
            id(child) for output in tree.find_all(nodes.Output) for child in output.nodes if _is_unseen_safe(child)
        }
        self.makes_markup = any(
            (isinstance(node, nodes.Filter) and node.name in MARKUP and id(node) not in unseen)
            or (isinstance(node, nodes.Name) and node.name in MARKUP)
            or (isinstance(node, nodes.Const) and isinstance(node.value, str) and node.value in MARKUP)
            or (isinstance(node, nodes.Filter) and node.name in BY_NAME and not _names_filter(node))
            for node in tree.find_all((nodes.Filter, nodes.Name, nodes.Const))
        )
        self.has_generation = any(_is_generation(node) for node in tree.find_all(nodes.CallBlock))

    def _find_text_names(self, tree: nodes.Template) -> None:
        stored = Counter(node.name for node in tree.find_all(nodes.Name) if node.ctx != "load")
        stored.update(node.name for node in tree.find_all(nodes.Macro))
        values: dict[str, list[nodes.Node | None]] = {}
        for node in tree.find_all((nodes.Assign, nodes.AssignBlock)):
            if isinstance(node, (nodes.Assign, nodes.AssignBlock)) and isinstance(node.target, nodes.Name):
                values.setdefault(node.target.name, []).append(node.node if isinstance(node, nodes.Assign) else None)
        self.text_names = {name for name, given in values.items() if stored[name] == len(given)}
        # A name may be set to what depends on another, so that losing one may lose the next.
        while lost := {
            name
            for name in self.text_names
            if not all(value is None or self._adds_text(value) for value in values[name])
        }:
            self.text_names -= lost

    def _adds_text(self, node: nodes.Node) -> bool:
        """Tell whether the operands of *node* are text, if it is an addition at all."""
        if isinstance(node, nodes.Add):
            return self._adds_text(node.left) or self._adds_text(node.right)
        return self.is_text(node) or (isinstance(node, nodes.Name) and node.name in self.text_names)

    def visit_Output(self, node: nodes.Output, frame: Frame) -> None:
        """Write text and ``{{ … }}``."""
        assert frame.buffer is not None
        pieces: list[str] = []
        literal = ""
        for child in node.nodes:
            for part, is_operand in self._split(child):
                text = _literal_text(part)
                if text is not None:
                    literal += text
                    continue
                if literal:
                    pieces.append(repr(literal))
                    literal = ""
                code = self.code(part, frame)
                # An operand that is no text has to raise.
                pieces.append(code if is_operand or self.is_text(part) else f"str({code})")
        if literal:
            pieces.append(repr(literal))
        if len(pieces) > 1 and not self.has_generation:
            self.writeline(f"{frame.buffer}.extend(({', '.join(pieces)}))", node)
        else:
            for piece in pieces:
                self.writeline(f"{frame.buffer}.append({piece})", node)

    def _split(self, node: nodes.Expr) -> Iterator[tuple[nodes.Expr, bool]]:
        """Yield the parts of what is put out that can be put out one by one, and whether they are operands of ``+``."""
        while _is_unseen_safe(node):
            assert isinstance(node, nodes.Filter)
            assert node.node is not None
            node = node.node
        if self.makes_markup or not (isinstance(node, nodes.Add) and self._adds_text(node)):
            yield node, False
        else:
            yield from ((part, True) for part in self._operands(node))

    def _operands(self, node: nodes.Expr) -> Iterator[nodes.Expr]:
        if isinstance(node, nodes.Add) and self._adds_text(node):
            yield from self._operands(node.left)
            yield from self._operands(node.right)
        else:
            yield node

    def visit_Add(self, node: nodes.BinExpr, frame: Frame) -> None:
        """Write ``a + b``."""
        parts = [] if self.makes_markup or not self._adds_text(node) else list(self._operands(node))
        if len(parts) > 2:
            self.write(f"concat(({', '.join(self.code(part, frame) for part in parts)}))")
        else:
            self.write(f"({self.code(node.left, frame)} + {self.code(node.right, frame)})")

    def visit_Concat(self, node: nodes.Concat, frame: Frame) -> None:
        """Write ``a ~ b``."""
        pieces = [
            self.code(child, frame) if self.is_text(child) else f"str({self.code(child, frame)})"
            for child in node.nodes
        ]
        self.write(f"concat(({', '.join(pieces)},))")

    def visit_CallBlock(self, node: nodes.CallBlock, frame: Frame) -> None:
        """Write ``{% call %}`` and ``{% generation %}``."""
        special = {"caller", "kwargs", "varargs"}
        if not _is_generation(node) or any(
            name.name in special for child in node.body for name in child.find_all(nodes.Name)
        ):
            super().visit_CallBlock(node, frame)
            return
        self.macro_body(node, frame)
        self.writeline(f"{frame.buffer}.append(note_span_(macro))", node)


def _is_unseen_safe(node: nodes.Node) -> bool:
    return (
        isinstance(node, nodes.Filter)
        and node.name == "safe"
        and node.node is not None
        and not (node.args or node.kwargs or node.dyn_args or node.dyn_kwargs)
    )


def _names_filter(node: nodes.Filter) -> bool:
    """Tell whether a filter that applies another one by its name gets that name as a constant, or is not to."""
    if node.dyn_args or node.dyn_kwargs:
        return False
    return not node.args or isinstance(node.args[0], nodes.Const)


def _is_generation(node: nodes.CallBlock) -> bool:
    return isinstance(node.call.node, nodes.ExtensionAttribute) and node.call.node.name == "_note_span"


def _literal_text(node: nodes.Node) -> str | None:
    if isinstance(node, nodes.TemplateData):
        return node.data
    if isinstance(node, nodes.Const) and type(node.value) is str:
        return node.value
    return None
