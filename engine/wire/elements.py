"""Reading arguments that are written as elements, each named after its argument, with more inside for nested values.

The tool's schema says what an element holds: one that is text keeps whatever stands inside of it, marks as well, up to
its own closing mark. Without a schema, elements that are all called like those of an array are one; text stays text.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from .cursor import Cursor, Marks, Wait, stream_until, take_until
from .format import ElementBody
from .literals import MAX_DEPTH
from .typing_rules import allowed_types, convert_text, item_schema, property_schema

__all__ = ["read_elements"]

_TAG = re.compile(r"[^<>]{1,256}")
_TAG_END = Marks([">"])


@dataclass
class _Element:
    """An element that has begun."""

    name: str
    schema: Any
    text: list[str] = field(default_factory=list)
    inner: list[tuple[str, Any]] = field(default_factory=list)
    typed: bool = True


def read_elements(
    c: Cursor, body: ElementBody, end: Marks, schemas: Mapping[str, Any], write: Callable[[str], None]
) -> Wait[tuple[dict[str, Any], bool] | None]:
    """Read the arguments of one call up to and with the mark that ends it; None where that does not come.

    Returns them with whether schemas left no doubt about their types. *write* gets their JSON text, one by one.
    """
    marks = Marks([body.open, body.close, *end.marks])
    root = _Element("", {"type": "object", "properties": schemas})
    stack = [root]
    arguments: dict[str, Any] = {}
    while True:
        element = stack[-1]
        mark = yield from stream_until(c, marks, element.text.append)
        if not mark or len(stack) > MAX_DEPTH:
            return None
        if mark in end.marks and element is root:
            write("}" if arguments else "{}")
            return arguments, root.typed
        if mark == body.open and (element is root or allowed_types(element.schema) != ["string"]):
            name, found = yield from take_until(c, _TAG_END)
            if not found or not _TAG.fullmatch(name):
                return None
            schema = property_schema(element.schema, name)
            if schema is None and name == body.item:
                schema = item_schema(element.schema, len(element.inner))
            stack.append(_Element(name, schema))
        elif element is not root and (
            mark == f"{body.close}{element.name}>"
            or (mark == body.close and (yield from _take_exactly(c, element.name + ">")))
        ):
            stack.pop()
            value = _element_value(element, body)
            outer = stack[-1]
            outer.typed = outer.typed and element.typed
            outer.inner.append((element.name, value))
            if outer is root and element.name not in arguments:
                key = json.dumps(element.name, ensure_ascii=False)
                write(f"{', ' if arguments else '{'}{key}: {json.dumps(value, ensure_ascii=False)}")
                arguments[element.name] = value
        elif element is root:
            return None
        else:
            element.text.append(mark)


def _take_exactly(c: Cursor, text: str) -> Wait[bool]:
    """Take *text*, if it is what stands here."""
    while True:
        here = c.text[c.pos : c.pos + len(text)]
        if here == text:
            c.take(c.pos + len(text))
            return True
        if c.ended or not text.startswith(here):
            return False
        yield


def _element_value(element: _Element, body: ElementBody) -> Any:
    """Return what an element that has ended stands for."""
    types = allowed_types(element.schema)
    text = "".join(element.text)
    if not element.inner:
        if not text.strip() and "string" not in types:
            for name, empty in (("array", []), ("object", {})):
                if name in types:
                    return empty
        value, certain = convert_text(text, element.schema)
        element.typed = certain
        return value
    is_array = "array" in types
    if not is_array and "object" not in types:
        is_array = all(name == body.item for name, _ in element.inner)
        element.typed = False
    if is_array:
        return [value for _, value in element.inner]
    found: dict[str, Any] = {}
    for name, value in element.inner:
        found.setdefault(name, value)
    return found
