"""``namespace(…)`` in a variable that is used as a namespace only: a dict.

Fact: a namespace is a box of attributes; ``ns.x`` reads one, or gives Undefined, and ``{% set ns.x = … %}`` sets one.
Where all that a variable is ever set to is ``namespace()`` with keyword arguments alone, and its name occurs otherwise
only as ``ns.x``, nothing can tell the box from a dict. Read before it is set, it is Undefined, which raises.

Does not fire: names that are also a parameter, loop target or the like, or are passed on, printed or compared;
attributes with an underscore in front (refused by the sandbox); a template to which the caller passes a variable called
like one of these or ``namespace`` is left to plain Jinja.
"""

from __future__ import annotations

from collections import Counter

from jinja2 import nodes
from jinja2.compiler import Frame

from .expressions import ExpressionWriter, Unsupported

__all__ = ["NamespacePass"]


class NamespacePass(ExpressionWriter):
    """Writes namespaces that do not escape."""

    boxes: dict[str, set[str]]
    """The variables that hold such a namespace, with the attributes that they are made with."""
    reserved: set[str]
    """Names that compiled code takes to be the globals: a caller's variable of such a name ends it."""

    def find_namespaces(self, tree: nodes.Template) -> None:
        """Note which variables hold a namespace that does not escape."""
        made: dict[str, list[set[str]]] = {}
        for node in tree.find_all(nodes.Assign):
            if isinstance(node.target, nodes.Name) and _makes_box(node.node):
                assert isinstance(node.node, nodes.Call)
                made.setdefault(node.target.name, []).append({keyword.key for keyword in node.node.kwargs})
        names = Counter(node.name for node in tree.find_all(nodes.Name))
        names.update(node.name for node in tree.find_all(nodes.Macro))
        stored = {node.name for node in tree.find_all(nodes.Name) if node.ctx != "load"}
        stored.update(node.name for node in tree.find_all(nodes.Macro))
        read = Counter(
            node.node.name
            for node in tree.find_all(nodes.Getattr)
            if isinstance(node.node, nodes.Name) and not node.attr.startswith("_")
        )
        private = {node.name for node in tree.find_all(nodes.NSRef) if node.attr.startswith("_")}
        self.boxes = {}
        if "namespace" not in stored:
            for name, attributes in made.items():
                # Every time the name occurs it is set to a box, or an attribute is read of it.
                if names[name] == len(attributes) + read[name] and name not in private:
                    self.boxes[name] = set.intersection(*attributes)
        self.reserved = {"namespace", *self.boxes} if self.boxes else set()

    def visit_Assign(self, node: nodes.Assign, frame: Frame) -> None:
        """Write an assignment."""
        target = node.target
        if isinstance(target, nodes.Name) and target.name in self.boxes:
            assert isinstance(node.node, nodes.Call)
            items = ", ".join(f"{item.key!r}: {self.code(item.value, frame)}" for item in node.node.kwargs)
            self.writeline(f"{frame.symbols.ref(target.name)} = {{{items}}}", node)
        elif isinstance(target, nodes.NSRef) and target.name in self.boxes:
            box = frame.symbols.ref(target.name)
            self.writeline(f"{box}[{target.attr!r}] = {self.code(node.node, frame)}", node)
        elif any(reference.name in self.boxes for reference in node.find_all(nodes.NSRef)):
            raise Unsupported("a tuple of targets with a namespace among them")
        else:
            super().visit_Assign(node, frame)

    def visit_AssignBlock(self, node: nodes.AssignBlock, frame: Frame) -> None:
        """Write the assignment of a block's text."""
        if isinstance(node.target, nodes.NSRef) and node.target.name not in self.boxes:
            # jinja2 does not ask here whether it is a namespace, and so a template can change its input.
            raise Unsupported("a block assigned to an attribute")
        super().visit_AssignBlock(node, frame)

    def visit_Getattr(self, node: nodes.Getattr, frame: Frame) -> None:
        """Write ``ns.name``."""
        if isinstance(node.node, nodes.Name) and node.node.name in self.boxes:
            box = frame.symbols.ref(node.node.name)
            if node.attr in self.boxes[node.node.name]:
                self.write(f"{box}[{node.attr!r}]")
            else:
                self.write(f"{box}.get({node.attr!r}, U)")
        else:
            super().visit_Getattr(node, frame)


def _makes_box(node: nodes.Node) -> bool:
    return (
        isinstance(node, nodes.Call)
        and isinstance(node.node, nodes.Name)
        and node.node.name == "namespace"
        and not (node.args or node.dyn_args or node.dyn_kwargs)
        and not any(keyword.key.startswith("_") for keyword in node.kwargs)
        and len({keyword.key for keyword in node.kwargs}) == len(node.kwargs)
    )
