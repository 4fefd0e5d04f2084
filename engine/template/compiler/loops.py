"""``for`` loops whose ``loop`` is only asked for numbers and neighbours: a plain ``for`` that counts.

Fact: jinja2 walks over a loop object that keeps count and looks one item ahead. The answers follow from the items and
the index: ``loop.first`` is ``index0 == 0``, ``loop.last`` is ``index0 == length - 1``, and so on. The items are put
into a list first where their number or neighbours are asked for and they are not one already; they cannot change
meanwhile, since nothing in a template changes a list, and generators over plain data give the same whenever asked.

Does not fire: recursive loops; loops that ask for more than the count so far and have a condition on anything but the
item, since what it reads may change from turn to turn; bodies that define macros; and wherever ``loop`` itself is
passed on, or asked for anything else.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from jinja2 import nodes
from jinja2.compiler import Frame

from .items import ItemPass

__all__ = ["LoopPass"]

COUNTED = {"index0": "{i}", "index": "({i} + 1)", "first": "({i} == 0)", "depth": "1", "depth0": "0"}
SIZED = {
    "last": "({i} == {n} - 1)",
    "length": "{n}",
    "revindex": "({n} - {i})",
    "revindex0": "({n} - {i} - 1)",
    "previtem": "({s}[{i} - 1] if {i} else U)",
    "nextitem": "({s}[{i} + 1] if {i} + 1 < {n} else U)",
}
ANSWERS = COUNTED | SIZED

WALKING = frozenset({"first", "join", "list", "map", "reject", "rejectattr", "select", "selectattr"})
"""Filters that walk over what they get."""


class LoopPass(ItemPass):
    """Writes loops."""

    loops: dict[str, dict[str, str]]
    """For each reference to a ``loop`` that is counted: its index, length and sequence in the code."""
    iterated: set[int]
    """Identities of the nodes that a loop or a filter walks over once, and nobody else sees."""

    def find_loops(self, tree: nodes.Template) -> None:
        """Note what is walked over."""
        self.loops = {}
        self.iterated = {id(node.iter) for node in tree.find_all(nodes.For) if not node.recursive}
        self.iterated |= {id(node.node) for node in tree.find_all(nodes.Filter) if node.name in WALKING}

    def visit_For(self, node: nodes.For, frame: Frame) -> None:
        """Write a loop."""
        asked = _asked_of_loop(node)
        if node.recursive or asked is None or (asked & SIZED.keys() and not _picks_by_item_alone(node)):
            super().visit_For(node, frame)
            return
        for target in node.find_all(nodes.Name):
            if target.ctx == "store" and target.name == "loop":
                self.fail("Can't assign to special loop variable in for-loop target", target.lineno)

        body_frame, else_frame = frame.inner(), frame.inner()
        body_frame.loop_frame = True
        loop_ref = body_frame.symbols.declare_parameter("loop") if asked else None
        body_frame.symbols.analyze_node(node, for_branch="body")
        if node.else_:
            else_frame.symbols.analyze_node(node, for_branch="else")
            is_empty = self.temporary_identifier()
            self.writeline(f"{is_empty} = True")

        items = self._write_items(node, frame, body_frame)
        if asked & SIZED.keys():
            name = self.temporary_identifier()
            self.writeline(f"{name} = {items}")
            self.writeline(f"if type({name}) is not list: {name} = list({name})")
            items = name
        self.writeline("for ", node)
        if loop_ref is None:
            self.visit(node.target, body_frame)
            self.write(f" in {items}:")
        else:
            names = {"i": self.temporary_identifier(), "n": f"len({items})", "s": items}
            self.loops[loop_ref] = names
            self.write(f"{names['i']}, ")
            self.visit(node.target, body_frame)
            self.write(f" in enumerate({items}):")
        self.indent()
        self.enter_frame(body_frame)
        kept = self.keep_items(node, body_frame)
        self.blockvisit(node.body, body_frame)
        self.forget_items(kept)
        if node.else_:
            self.writeline(f"{is_empty} = False")
        self.outdent()
        if loop_ref is not None:
            del self.loops[loop_ref]  # The next loop on this level has a reference of the same name.
        self.leave_frame(body_frame)
        if node.else_:
            self.writeline(f"if {is_empty}:")
            self.indent()
            self.enter_frame(else_frame)
            self.blockvisit(node.else_, else_frame)
            self.leave_frame(else_frame)
            self.outdent()

    def _write_items(self, node: nodes.For, frame: Frame, body_frame: Frame) -> str:
        """Return the code of the items; write the function that picks them where there is a condition."""
        items = self.code(node.iter, frame)
        if node.test is None:
            return items
        picked = self.temporary_identifier()
        test_frame = frame.inner()
        test_frame.symbols.analyze_node(node, for_branch="test")
        self.writeline(f"def {picked}(items):", node.test)
        self.indent()
        self.enter_frame(test_frame)
        target = self.code(node.target, body_frame)
        self.writeline(f"for {target} in items:")
        self.indent()
        self.writeline(f"if {self.code(node.test, test_frame)}: yield {target}")
        self.outdent(2)
        return f"{picked}({items})"

    def visit_Getattr(self, node: nodes.Getattr, frame: Frame) -> None:
        """Write ``loop.name``."""
        names = None
        if isinstance(node.node, nodes.Name) and node.node.name == "loop":
            names = self.loops.get(frame.symbols.ref("loop"))
        if names is None:
            super().visit_Getattr(node, frame)
        else:
            self.write(ANSWERS[node.attr].format(**names))


def _picks_by_item_alone(node: nodes.For) -> bool:
    """Tell whether a loop's condition, if it has one, looks at nothing but the item."""
    if node.test is None:
        return True
    targets = {name.name for name in [node.target, *node.target.find_all(nodes.Name)] if isinstance(name, nodes.Name)}
    names = {name.name for name in [node.test, *node.test.find_all(nodes.Name)] if isinstance(name, nodes.Name)}
    return names <= targets


def _asked_of_loop(node: nodes.For) -> set[str] | None:
    """Return the attributes that the body reads of its ``loop``; None where it does anything else with it."""
    asked = set()
    has_macro = False
    for child in _own_nodes(node.body):
        if isinstance(child, nodes.Getattr):
            if isinstance(child.node, nodes.Name) and child.node.name == "loop":
                if child.attr not in ANSWERS:
                    return None
                asked.add(child.attr)
        elif isinstance(child, nodes.Name) and child.name == "loop":
            return None
        elif isinstance(child, nodes.Macro):
            has_macro = True
    # A macro that is kept would find the index of the last turn where jinja2 has cleared its loop away.
    return None if has_macro and asked else asked


def _own_nodes(children: Iterable[nodes.Node]) -> Iterator[nodes.Node]:
    """Walk over nodes and what is in them, but not the name in ``loop.x``."""
    for child in children:
        yield child
        if not (isinstance(child, nodes.Getattr) and isinstance(child.node, nodes.Name)):
            yield from _own_nodes(child.iter_child_nodes())
