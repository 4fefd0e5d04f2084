"""Filters that are one method or function of Python for the types they mostly get.

Fact, filter by filter, from jinja2's definitions, without escaping: ``trim``, ``upper`` and ``lower`` call the method
of that name on text; ``string`` gives text back as it is; ``length`` is ``len`` and ``list`` is ``list``; ``join``
joins the texts of the items; ``first`` and ``last`` of a list are its ends; ``default`` gives its argument in place
of an Undefined, or of all that is false if its second argument is true; ``items`` gives a dict's, ``selectattr`` and
``rejectattr`` with ``equalto`` compare a key of each item and ``map`` reads one, where the result is walked over once
and nobody sees what kind of iterator it is; ``tojson`` is :mod:`.json_text`'s.

Does not fire: other types go through the filter itself, as do other arguments than those named here. An argument that
the short way evaluates only where it is needed must be a constant or a name, so that leaving it out changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from jinja2 import nodes
from jinja2.compiler import Frame

from .access import constant_name
from .expressions import ExpressionWriter, Unsupported, has_plain_arguments

__all__ = ["FilterPass"]


TAKE_KEYWORDS = frozenset({"map", "tojson"})
WIDEST = 16
"""An indent that texts are kept for."""
EQUAL = frozenset({"==", "eq", "equalto"})


class FilterPass(ExpressionWriter):
    """Writes filters."""

    iterated: set[int]

    def visit_Filter(self, node: nodes.Filter, frame: Frame) -> None:
        """Write ``x|name(…)``."""
        if node.name not in self.environment.filters:
            if not frame.soft_frame:
                raise Unsupported(f"a filter called {node.name}")
            # Inside of a condition jinja2 complains only if it comes to it.
            self.write("retreat_()")
            return
        self.filters[node.name] = f"filters_[{node.name!r}]"
        write = SHORT.get(node.name)
        code = None
        if write is not None and node.node is not None and (has_plain_arguments(node) or node.name in TAKE_KEYWORDS):
            code = write(self, node, node.node, frame)
        if code is None:
            super().visit_Filter(node, frame)
        else:
            self.write(code)


Write = Callable[[FilterPass, nodes.Filter, nodes.Expr, Frame], "str | None"]


def _on_text(method: str) -> Write:
    def write(writer: FilterPass, node: nodes.Filter, value: nodes.Expr, frame: Frame) -> str | None:
        if node.args:
            return None
        first, again = writer.named(value, frame)
        return f"({again}.{method}() if type({first}) is str else filters_[{node.name!r}]({again}))"

    return write


def _string(writer: FilterPass, node: nodes.Filter, value: nodes.Expr, frame: Frame) -> str | None:
    if node.args:
        return None
    first, again = writer.named(value, frame)
    return f"({again} if type({first}) is str else filters_['string']({again}))"


def _call(function: str) -> Write:
    def write(writer: FilterPass, node: nodes.Filter, value: nodes.Expr, frame: Frame) -> str | None:
        return None if node.args else f"{function}({writer.code(value, frame)})"

    return write


def _join(writer: FilterPass, node: nodes.Filter, value: nodes.Expr, frame: Frame) -> str | None:
    if len(node.args) > 1 or not all(writer.is_text(argument) for argument in node.args):
        return None
    # The items come first, as they do for the filter.
    separator = writer.code(node.args[0], frame) if node.args else "''"
    return f"join_({writer.code(value, frame)}, {separator})"


def _end(index: int) -> Write:
    def write(writer: FilterPass, node: nodes.Filter, value: nodes.Expr, frame: Frame) -> str | None:
        if node.args:
            return None
        first, again = writer.named(value, frame)
        return (
            f"({again}[{index}] if type({first}) is list and {again}"
            f" else filters_[{node.name!r}](environment, {again}))"
        )

    return write


def _default(writer: FilterPass, node: nodes.Filter, value: nodes.Expr, frame: Frame) -> str | None:
    arguments = node.args
    if len(arguments) > 2 or not all(isinstance(argument, (nodes.Const, nodes.Name)) for argument in arguments):
        return None
    first, again = writer.named(value, frame)
    default = writer.code(arguments[0], frame) if arguments else "''"
    if len(arguments) < 2:
        return f"({again} if type({first}) is not Undefined else {default})"
    if isinstance(arguments[1], nodes.Const) and arguments[1].value is True:
        return f"({first} or {default})"
    return None


def _items(writer: FilterPass, node: nodes.Filter, value: nodes.Expr, frame: Frame) -> str | None:
    # The filter gives a generator, which a loop alone cannot tell from the view.
    if node.args or id(node) not in writer.iterated:
        return None
    first, again = writer.named(value, frame)
    return f"({again}.items() if type({first}) is dict else filters_['items']({again}))"


def _select(selects: bool) -> Write:
    def write(writer: FilterPass, node: nodes.Filter, value: nodes.Expr, frame: Frame) -> str | None:
        if len(node.args) != 3 or id(node) not in writer.iterated:
            return None
        key, test, operand = node.args
        if not (isinstance(key, nodes.Const) and isinstance(test, nodes.Const) and test.value in EQUAL):
            return None
        if type(key.value) is not str or not key.value.isidentifier() or constant_name(key.value) is None:
            return None
        return f"select_({writer.code(value, frame)}, {key.value!r}, {writer.code(operand, frame)}, {selects})"

    return write


def _map(writer: FilterPass, node: nodes.Filter, value: nodes.Expr, frame: Frame) -> str | None:
    if node.args or node.dyn_args or node.dyn_kwargs or len(node.kwargs) != 1 or id(node) not in writer.iterated:
        return None
    keyword: Any = node.kwargs[0]
    key = keyword.value.value if isinstance(keyword.value, nodes.Const) else None
    if keyword.key != "attribute" or type(key) is not str or not key.isidentifier() or constant_name(key) is None:
        return None
    return f"map_({writer.code(value, frame)}, {key!r})"


def _tojson(writer: FilterPass, node: nodes.Filter, value: nodes.Expr, frame: Frame) -> str | None:
    if node.args or node.dyn_args or node.dyn_kwargs:
        return None
    options: dict[Any, Any] = {}
    for item in node.kwargs:
        options[item.key] = item.value.value if isinstance(item.value, nodes.Const) else None
    if len(options) < len(node.kwargs) or options.pop("ensure_ascii", False) is not False:
        return None
    indent = options.pop("indent", None)
    if options:
        return None
    if indent is None and not any(item.key == "indent" for item in node.kwargs):
        return f"tojson_({writer.code(value, frame)})"
    if type(indent) is int and 0 < indent <= WIDEST:
        return f"tojson_indented_({writer.code(value, frame)}, {indent})"
    return None


SHORT: dict[str, Write] = {
    "count": _call("len"),
    "d": _default,
    "default": _default,
    "first": _end(0),
    "items": _items,
    "join": _join,
    "last": _end(-1),
    "length": _call("len"),
    "list": _call("list"),
    "lower": _on_text("lower"),
    "string": _string,
    "map": _map,
    "rejectattr": _select(False),
    "selectattr": _select(True),
    "tojson": _tojson,
    "trim": _on_text("strip"),
    "upper": _on_text("upper"),
}
