"""From an argument's text to its value, by the tool's JSON schema.

Formats that write every argument as text (``<parameter=hour>7</parameter>``) leave the type to the schema. A schema
that says string takes the text as it is, whatever it looks like. Where several types are allowed the first one that
fits counts, in the order of the schema, with string as the last resort: ``["string", "null"]`` takes ``null`` for null.
Without a schema the text stays text, and the call says that it was not typed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from .literals import CONSTANTS, Undecodable, decode_python
from .values import decode_json

__all__ = ["ParameterSchemas", "convert_text", "find_misfit", "parameter_schemas"]

ParameterSchemas = Mapping[str, Mapping[str, Any]]
"""Tool name to the schemas of its parameters by name."""

_INTEGER = re.compile(r"[+-]?[0-9]+")
_NUMBER = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")


def parameter_schemas(tools: Iterable[Any] | None) -> dict[str, dict[str, Any]]:
    """Return for each of *tools* (wrapped in ``function`` or flat) its parameters' schemas, references resolved."""
    found: dict[str, dict[str, Any]] = {}
    for tool in tools or ():
        function = tool.get("function", tool) if isinstance(tool, Mapping) else None
        if not isinstance(function, Mapping) or not isinstance(function.get("name"), str):
            continue
        parameters = function.get("parameters") or function.get("input_schema")
        properties = parameters.get("properties") if isinstance(parameters, Mapping) else None
        found[function["name"]] = {}
        if isinstance(parameters, Mapping) and isinstance(properties, Mapping):
            found[function["name"]] = {name: _resolve(schema, parameters) for name, schema in properties.items()}
    return found


def _resolve(schema: Any, root: Mapping[str, Any], depth: int = 0) -> Any:
    """Follow a local ``$ref``."""
    if not isinstance(schema, Mapping) or depth > 20:
        return schema
    reference = schema.get("$ref")
    if isinstance(reference, str) and reference.startswith("#/"):
        target: Any = root
        for step in reference[2:].split("/"):
            target = target.get(step) if isinstance(target, Mapping) else None
        return _resolve(target, root, depth + 1)
    if any(isinstance(schema.get(key), list) for key in ("anyOf", "oneOf", "allOf")):
        return {
            key: [_resolve(item, root, depth + 1) for item in value] if key in ("anyOf", "oneOf", "allOf") else value
            for key, value in schema.items()
        }
    return schema


def allowed_types(schema: Any) -> list[str]:
    """Return the JSON types that *schema* allows, in its order; none where it does not say."""
    if not isinstance(schema, Mapping):
        return []
    types: list[str] = []
    declared = schema.get("type")
    if isinstance(declared, str):
        types.append(declared)
    elif isinstance(declared, Sequence):
        types.extend(item for item in declared if isinstance(item, str))
    else:
        for key in ("anyOf", "oneOf", "allOf"):
            for item in schema.get(key) or ():
                types.extend(allowed_types(item))
        if not types:
            enum = schema.get("enum")
            values = enum if isinstance(enum, list) else [schema["const"]] if "const" in schema else []
            types.extend(_TYPE_NAMES.get(type(value), "object") for value in values)
    if schema.get("nullable") is True:
        types.append("null")
    return list(dict.fromkeys(types))


_TYPE_NAMES = {str: "string", bool: "boolean", int: "integer", float: "number", type(None): "null", list: "array"}


def convert_text(text: str, schema: Any) -> tuple[Any, bool]:
    """Return the value that *text* stands for, and whether the schema left no doubt about its type."""
    types = allowed_types(schema)
    if not types:
        return text, False
    if types == ["string"]:
        return text, True
    for name in types:
        if name == "string" or name not in _CONVERTERS:
            continue
        try:
            return _CONVERTERS[name](text), "string" not in types
        except Undecodable:
            continue
    return text, "string" in types


def _to_integer(text: str) -> Any:
    text = text.strip()
    if _INTEGER.fullmatch(text):
        return _exact(text)
    value = _to_number(text)  # models write 1e20 or 3.0 for integers; the number is what they meant
    return int(value) if isinstance(value, float) and value.is_integer() and abs(value) < 2**53 else value


def _to_number(text: str) -> Any:
    text = text.strip()
    if not _NUMBER.fullmatch(text):
        raise Undecodable("not a number")
    return _exact(text)


def _exact(text: str) -> int | float:
    try:
        return int(text)
    except ValueError:
        pass
    number = float(text)
    if number in (float("inf"), float("-inf")):
        raise Undecodable("beyond what a float holds")
    return number


def _to_boolean(text: str) -> bool:
    value = CONSTANTS.get(text.strip())
    if not isinstance(value, bool):
        raise Undecodable("not a boolean")
    return value


def _to_null(text: str) -> None:
    if CONSTANTS.get(text.strip(), text) is not None:
        raise Undecodable("not null")


def _to_container(kind: type) -> Any:
    def convert(text: str) -> Any:
        try:
            value = decode_json(text)
        except Undecodable:
            value = decode_python(text)
        if not isinstance(value, kind):
            raise Undecodable(f"not a {kind.__name__}")
        return value

    return convert


_CONVERTERS = {
    "integer": _to_integer,
    "number": _to_number,
    "boolean": _to_boolean,
    "null": _to_null,
    "array": _to_container(list),
    "object": _to_container(dict),
}


def find_misfit(name: str, arguments: Mapping[str, Any], schemas: ParameterSchemas) -> str | None:
    """Return what a call has that the offered tools do not, in words; None where it fits."""
    if name not in schemas:
        return f"no tool {name!r} was offered"
    for key, value in arguments.items():
        if schemas[name] and key not in schemas[name]:
            return f"{name} has no parameter {key!r}"
        types = allowed_types(schemas[name].get(key))
        own = _TYPE_NAMES.get(type(value), "object")
        if types and own not in types and not (own == "integer" and "number" in types):
            return f"{name}: {key!r} is {own}, not {' or '.join(types)}"
    return None
