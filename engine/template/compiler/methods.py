"""``x.strip()`` and the like: methods of exact strings and dicts without the sandbox's questions.

Fact: the sandbox asks of a method whether its name is private, whether it changes a list, dict or set, and whether it
is ``str.format``, which it replaces; and of the call, whether the callable is marked unsafe or wants the context. For a
method of an exact ``str`` other than ``format`` and ``format_map``, and for ``dict.items``, ``keys``, ``values`` and
``get``, all the answers are no, so that what is called is the method itself.

Does not fire: any other method or type of object; arguments that are unpacked.
"""

from __future__ import annotations

from jinja2 import nodes
from jinja2.compiler import Frame

from .expressions import ExpressionWriter

__all__ = ["MethodPass"]

DICT_METHODS = frozenset({"get", "items", "keys", "values"})
TEXT_METHODS = frozenset(name for name in dir(str) if not name.startswith(("_", "format")))


class MethodPass(ExpressionWriter):
    """Writes calls."""

    def visit_Call(self, node: nodes.Call, frame: Frame, forward_caller: bool = False) -> None:
        """Write a call: of a method here, of anything else through the sandbox."""
        method = node.node
        if not forward_caller and isinstance(method, nodes.Getattr) and not (node.dyn_args or node.dyn_kwargs):
            kind = "str" if method.attr in TEXT_METHODS else "dict" if method.attr in DICT_METHODS else None
            if kind is not None:
                first, again = self.named(method.node, frame)
                self.write(
                    f"({again}.{method.attr} if type({first}) is {kind} else method_({again}, {method.attr!r}))"
                    f"({self.arguments(node, frame)})"
                )
                return
        self.write(f"call_({self.code(node.node, frame)}")
        self.signature(node, frame, {"caller": "caller"} if forward_caller else None)
        self.write(")")
