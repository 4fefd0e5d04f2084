"""The global names of compiled code, for one environment."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any, NoReturn

from jinja2 import Undefined
from jinja2.exceptions import TemplateRuntimeError
from jinja2.runtime import Context, LoopContext, Macro, identity
from jinja2.sandbox import SandboxedEnvironment
from jinja2.utils import Namespace, missing
from markupsafe import Markup

from ..generation import note_span
from .json_text import write_indented_json, write_json

__all__ = ["Retreat", "make_globals"]


class Retreat(Exception):
    """Compiled code does not know what to do; plain Jinja does."""


_ATTRIBUTES = {kind: frozenset(dir(kind)) for kind in (str, list, tuple, int, float, bool, type(None))}


def make_globals(environment: SandboxedEnvironment) -> dict[str, Any]:
    """Return the globals in which a compiled template of *environment* runs."""
    context = Context(environment, {}, None, {})
    call = partial(environment.call, context)

    def take_method(value: Any, name: str) -> Callable[..., Any]:
        return partial(call, environment.getattr(value, name))

    undefined = Undefined()

    def read_attribute(value: Any, name: str) -> Any:
        attributes = _ATTRIBUTES.get(type(value))
        return environment.getattr(value, name) if attributes is None or name in attributes else undefined

    def read_item(value: Any, name: str) -> Any:
        attributes = _ATTRIBUTES.get(type(value))
        return environment.getitem(value, name) if attributes is None or name in attributes else undefined

    def select(items: Iterable[Any], key: str, operand: Any, selects: bool) -> Iterator[Any]:
        for item in items or ():
            value = item.get(key, undefined) if type(item) is dict else read_item(item, key)
            if (value == operand) is selects:
                yield item

    def map_key(items: Iterable[Any], key: str) -> Iterator[Any]:
        for item in items or ():
            yield item.get(key, undefined) if type(item) is dict else read_item(item, key)

    return {
        "CONTAINERS": frozenset({str, list, dict}),
        "LoopContext": LoopContext,
        "Macro": Macro,
        "Markup": Markup,
        "Namespace": Namespace,
        "TemplateRuntimeError": TemplateRuntimeError,
        "U": undefined,
        "Undefined": Undefined,
        "attribute_": read_attribute,
        "call_": call,
        "concat": "".join,
        "context": context,
        "environment": environment,
        "filters_": environment.filters,
        "getattr_": environment.getattr,
        "getitem_": environment.getitem,
        "globals_": environment.globals,
        "identity": identity,
        "item_": read_item,
        "join_": _join,
        "map_": map_key,
        "method_": take_method,
        "missing": missing,
        "note_span_": note_span,
        "retreat_": _retreat,
        "select_": select,
        "tests_": environment.tests,
        "tojson_": write_json,
        "tojson_indented_": write_indented_json,
        "undefined": environment.undefined,
    }


def _join(items: Iterable[Any], separator: str) -> str:
    return str(separator).join(map(str, items))


def _retreat() -> NoReturn:
    raise Retreat
