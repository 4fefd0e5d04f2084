"""Macros: a call with arguments that fit calls the function itself.

Fact: calling a macro binds its arguments, hands them to the function that holds its body, and returns the text as it
is, since chat templates do not escape. Which argument goes where is known from the two texts. A name that is set once
in the whole template, by a macro at its top, is that macro wherever it is read after that; read before, the function
has no value yet, which raises, so that plain Jinja decides.

Does not fire: macros that read ``caller``, ``kwargs`` or ``varargs``; calls with more arguments than parameters,
unknown, repeated or unpacked ones. The macro itself, as a value, is made only where something else than such a call
reads its name.
"""

from __future__ import annotations

from collections import Counter

from jinja2 import nodes
from jinja2.compiler import Frame

from .expressions import ExpressionWriter

__all__ = ["MacroPass"]


class MacroPass(ExpressionWriter):
    """Writes macros and their calls."""

    direct_macros: dict[str, nodes.Macro]
    """Macros whose name means nothing else in the template."""
    macro_values: set[str]
    """Names of those that are also used otherwise than in calls that fit."""

    def find_macros(self, tree: nodes.Template) -> None:
        """Note which macros can be called directly."""
        stored = Counter(node.name for node in tree.find_all(nodes.Macro))
        stored.update(node.name for node in tree.find_all(nodes.Name) if node.ctx != "load")
        top = [node for node in _top_statements(tree.body) if isinstance(node, nodes.Macro)]
        self.direct_macros = {
            macro.name: macro for macro in top if stored[macro.name] == 1 and not _reads_special_names(macro)
        }
        fitting = set()
        for call in tree.find_all(nodes.Call):
            if isinstance(call.node, nodes.Name) and self._bind(call) is not None:
                fitting.add(id(call.node))
        self.macro_values = {
            node.name
            for node in tree.find_all(nodes.Name)
            if node.ctx == "load" and node.name in self.direct_macros and id(node) not in fitting
        }

    def visit_Macro(self, node: nodes.Macro, frame: Frame) -> None:
        """Write a macro's function and, where it is needed, its value."""
        macro_frame, macro = self.macro_body(node, frame)
        is_direct = self.direct_macros.get(node.name) is node
        if is_direct:
            self.writeline(f"macro_{node.name} = macro")
        if not is_direct or node.name in self.macro_values:
            self.writeline(f"{frame.symbols.ref(node.name)} = ")
            self.macro_def(macro, macro_frame)

    def visit_Call(self, node: nodes.Call, frame: Frame, forward_caller: bool = False) -> None:
        """Write the call of a macro."""
        bound = None if forward_caller else self._bind(node)
        if bound is None:
            super().visit_Call(node, frame, forward_caller)
            return
        assert isinstance(node.node, nodes.Name)
        values = ", ".join("missing" if value is None else self.code(value, frame) for value in bound)
        self.write(f"macro_{node.node.name}({values})")

    def is_text(self, node: nodes.Node) -> bool:
        """Tell whether *node* gives text, as a macro does."""
        return super().is_text(node) or (isinstance(node, nodes.Call) and self._bind(node) is not None)

    def _bind(self, call: nodes.Call) -> list[nodes.Node | None] | None:
        """Return the value of each parameter, None where the call gives none; or None if the call does not fit."""
        if not isinstance(call.node, nodes.Name) or call.dyn_args or call.dyn_kwargs:
            return None
        macro = self.direct_macros.get(call.node.name)
        if macro is None or len(call.args) > len(macro.args):
            return None
        bound: list[nodes.Node | None] = [*call.args, *[None] * (len(macro.args) - len(call.args))]
        places = {argument.name: place for place, argument in enumerate(macro.args)}
        for keyword in call.kwargs:
            place = places.get(keyword.key)
            # Out of order the values would be evaluated in another order, which may matter to a namespace.
            if place is None or any(value is not None for value in bound[place:]):
                return None
            bound[place] = keyword.value
        return bound


def _top_statements(body: list[nodes.Node]) -> list[nodes.Node]:
    found = []
    for node in body:
        found.append(node)
        if isinstance(node, nodes.If):
            found += _top_statements([*node.body, *node.elif_, *node.else_])
    return found


def _reads_special_names(macro: nodes.Macro) -> bool:
    special = {"caller", "kwargs", "varargs"}
    return any(node.name in special for node in macro.find_all(nodes.Name))
