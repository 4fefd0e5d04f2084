"""Keys that a loop reads of its item again and again: read once a turn.

Fact: nothing in a template changes a dict or list, so ``message.role`` is the same value all through a turn of
``{% for message in … %}``, and reading it once, when the turn begins, gives that value. Reading it where the template
would not have done so can at most raise, which is plain Jinja's to decide.

Does not fire: where the body sets the loop's variable anew, or defines macros, which may be called when the turn is
over; for keys that are read once, or that no turn is sure to read.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from jinja2 import nodes
from jinja2.compiler import Frame

from .access import AccessPass, constant_key

__all__ = ["ItemPass"]

OFTEN = 4
"""A key that is read in so many places is worth reading even in turns that may not need it."""


class ItemPass(AccessPass):
    """Writes reads of a loop's item."""

    kept_items: dict[tuple[str, str], str]
    """The local variable that holds a key of a loop's item, by the item's reference and the key."""

    def find_items(self) -> None:
        """Begin with nothing kept."""
        self.kept_items = {}

    def keep_items(self, node: nodes.For, body_frame: Frame) -> list[tuple[str, str]]:
        """Write the reads with which a turn begins; return what is to be forgotten after the loop."""
        if not isinstance(node.target, nodes.Name):
            return []
        name = node.target.name
        if any(_changes(child, name) for child in node.body):
            return []
        reads = Counter(_keys_read(node.body, name))
        certain = set(_keys_read(_certain_nodes(node.body), name))
        ref = body_frame.symbols.ref(name)
        kept = []
        for key, count in reads.items():
            if count >= 2 and (key in certain or count >= OFTEN):
                variable = self.temporary_identifier()
                self.writeline(f"{variable} = {self.read_key(ref, ref, key, 'attribute_')}")
                self.kept_items[ref, key] = variable
                kept.append((ref, key))
        return kept

    def forget_items(self, kept: list[tuple[str, str]]) -> None:
        """Forget what :meth:`keep_items` has kept."""
        for place in kept:
            del self.kept_items[place]

    def visit_Getattr(self, node: nodes.Getattr, frame: Frame) -> None:
        """Write ``item.name``."""
        self._write_kept(node, frame) or super().visit_Getattr(node, frame)

    def visit_Getitem(self, node: nodes.Getitem, frame: Frame) -> None:
        """Write ``item['name']``."""
        self._write_kept(node, frame) or super().visit_Getitem(node, frame)

    def _write_kept(self, node: nodes.Getattr | nodes.Getitem, frame: Frame) -> bool:
        key = constant_key(node)
        if key is None or not isinstance(node.node, nodes.Name):
            return False
        variable = self.kept_items.get((frame.symbols.find_ref(node.node.name) or "", key))
        if variable is not None:
            self.write(variable)
        return variable is not None


def _changes(node: nodes.Node, name: str) -> bool:
    """Tell whether *node* gives *name* another value, or may use it when the turn is over."""
    for child in (node, *node.find_all((nodes.Name, nodes.NSRef, nodes.Macro))):
        if isinstance(child, nodes.Macro):
            return True
        if isinstance(child, nodes.NSRef) and child.name == name:
            return True
        if isinstance(child, nodes.Name) and child.name == name and child.ctx != "load":
            return True
    return False


def _keys_read(body: list[nodes.Node], name: str) -> Iterator[str]:
    for node in body:
        for read in (node, *node.find_all((nodes.Getattr, nodes.Getitem))):
            if isinstance(read, (nodes.Getattr, nodes.Getitem)):
                key = constant_key(read)
                if key is not None and isinstance(read.node, nodes.Name) and read.node.name == name:
                    yield key


def _certain_nodes(body: list[nodes.Node]) -> list[nodes.Node]:
    """Return the expressions that every turn evaluates, or begins to."""
    found: list[nodes.Node] = []
    for node in body:
        if isinstance(node, nodes.If):
            found.append(node.test)
        elif isinstance(node, nodes.For):
            found.append(node.iter)
        elif isinstance(node, (nodes.Output, nodes.Assign)):
            found.append(node)
    return found
