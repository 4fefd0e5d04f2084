"""``x.name`` and ``x[key]``: a look into the dict or list itself where that is what the sandbox ends at.

Fact: for ``x.name`` the sandbox tries the attribute first and the key second. A dict has the attributes of its type and
no others, so for every other name, and without an underscore in front, an exact dict gives its item or Undefined.
``x['name']`` tries the item first; where there is none, the attribute: same answer for the same names. A list gives the
item if the index is in its range, else Undefined. Texts, lists, numbers and None have neither items by name nor other
attributes than those of their types.

Does not fire: names of ``dict``'s attributes (``x.items`` is the method), names with an underscore in front (refused in
ways of their own), keys that are no constants, and whatever is not exactly of one of these types.
"""

from __future__ import annotations

from jinja2 import nodes
from jinja2.compiler import Frame

from .expressions import ExpressionWriter

__all__ = ["AccessPass", "constant_key", "constant_name"]

DICT_ATTRIBUTES = frozenset(dir(dict))


class AccessPass(ExpressionWriter):
    """Writes how attributes and items are read."""

    def visit_Getattr(self, node: nodes.Getattr, frame: Frame) -> None:
        """Write ``x.name``."""
        first, again = self.named(node.node, frame)
        if constant_key(node) is not None:
            self.write(self.read_key(first, again, node.attr, "attribute_"))
        else:
            self.write(f"getattr_({first}, {node.attr!r})")

    def read_key(self, first: str, again: str, key: str, otherwise: str) -> str:
        """Return the code that reads a key of a value, see :meth:`named`."""
        return f"({again}.get({key!r}, U) if type({first}) is dict else {otherwise}({again}, {key!r}))"

    def visit_Getitem(self, node: nodes.Getitem, frame: Frame) -> None:
        """Write ``x[key]`` or ``x[a:b]``."""
        first, again = self.named(node.node, frame)
        if isinstance(node.arg, nodes.Slice):
            self.write(f"{first}[{self.code(node.arg, frame)}]")
            return
        key = constant_key(node)
        if key is not None:
            self.write(self.read_key(first, again, key, "item_"))
            return
        index = _constant_index(node.arg)
        if index is not None:
            enough = f"len({again}) > {index}" if index >= 0 else f"len({again}) >= {-index}"
            self.write(f"({again}[{index}] if type({first}) is list and {enough} else getitem_({again}, {index}))")
        elif isinstance(node.arg, (nodes.Name, nodes.Add, nodes.Sub, nodes.Getattr)):
            first_index, index_again = self.named(node.arg, frame)
            # `&` and not `and`: both values have to be there for the sandbox.
            self.write(
                f"({again}[{index_again}] if (type({first}) is list) & (type({first_index}) is int)"
                f" and -len({again}) <= {index_again} < len({again}) else getitem_({again}, {index_again}))"
            )
        else:
            self.write(f"getitem_({first}, {self.code(node.arg, frame)})")


def constant_key(node: nodes.Getattr | nodes.Getitem) -> str | None:
    """Return the key that *node* reads, if dot and brackets come to the same for it."""
    if isinstance(node, nodes.Getattr):
        name = node.attr
    elif isinstance(node.arg, nodes.Const) and type(node.arg.value) is str:
        name = node.arg.value
    else:
        return None
    return constant_name(name)


def constant_name(name: str) -> str | None:
    """Return *name* if an exact dict has no attribute of that name, and it is not private."""
    return None if name.startswith("_") or name in DICT_ATTRIBUTES else name


def _constant_index(node: nodes.Node) -> int | None:
    sign = 1
    if isinstance(node, nodes.Neg):
        sign, node = -1, node.node
    if isinstance(node, nodes.Const) and type(node.value) is int and node.value < 1 << 30:
        return sign * node.value
    return None
