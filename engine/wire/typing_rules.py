"""From an argument's text to its value, by the tool's JSON schema.

Formats that write every argument as text (``<parameter=hour>7</parameter>``) leave the type to the schema. A schema
that says string takes the text as it is, whatever it looks like. Where several types are allowed the first one that
fits counts, in the order of the schema, with string as the last resort: ``["string", "null"]`` takes ``null`` for null.
Without a schema the text stays text, and the call says that it was not typed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from .literals import CONSTANTS, Undecodable, decode_python
from .values import decode_json

__all__ = [
    "ParameterSchemas",
    "allowed_types",
    "convert_text",
    "find_misfit",
    "item_schema",
    "parameter_schemas",
    "property_schema",
]

ParameterSchemas = Mapping[str, Mapping[str, Any]]
"""Tool name to the schemas of its parameters by name."""

_INTEGER = re.compile(r"([+-]?[0-9]+)(?:\.0*)?")
_NUMBER = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")


def parameter_schemas(tools: Iterable[Any] | None) -> dict[str, dict[str, Any]]:
    """Return for each of *tools* (wrapped in ``function`` or flat) its parameters' schemas, references resolved."""
    found: dict[str, dict[str, Any]] = {}
    for tool in tools or ():
        function = tool.get("function", tool) if isinstance(tool, Mapping) else None
        if not isinstance(function, Mapping) or not isinstance(function.get("name"), str):
            continue
        written = function.get("parameters") or function.get("input_schema")
        parameters = _resolve(written, written, {})
        properties = parameters.get("properties") if isinstance(parameters, Mapping) else None
        found[function["name"]] = dict(properties) if isinstance(properties, Mapping) else {}
    return found


_ALTERNATIVES = ("anyOf", "oneOf", "allOf")
_LISTS = (*_ALTERNATIVES, "prefixItems")


def _resolve(schema: Any, root: Any, made: dict[int, dict[str, Any]], depth: int = 0) -> Any:
    """Return *schema* with what its local references name in their place; it may so come to contain itself.

    *made* holds what was resolved already, by the identity of what was written.
    """
    for _ in range(20):
        reference = schema.get("$ref") if isinstance(schema, Mapping) else None
        if not isinstance(reference, str) or not reference.startswith("#"):
            break
        schema = root
        for step in reference[1:].split("/")[1:]:
            key = step.replace("~1", "/").replace("~0", "~")
            schema = schema.get(key) if isinstance(schema, Mapping) else None
    if not isinstance(schema, Mapping) or depth > 100:
        return schema
    if id(schema) in made:
        return made[id(schema)]
    resolved = made[id(schema)] = dict(schema)
    for key, value in schema.items():
        if key == "properties" and isinstance(value, Mapping):
            resolved[key] = {name: _resolve(inner, root, made, depth + 1) for name, inner in value.items()}
        elif key in _LISTS and isinstance(value, list):
            resolved[key] = [_resolve(inner, root, made, depth + 1) for inner in value]
        elif key in ("items", "additionalProperties"):
            resolved[key] = _resolve(value, root, made, depth + 1)
    return resolved


def allowed_types(schema: Any) -> list[str]:
    """Return the JSON types that *schema* allows, in its order; none where it does not say."""
    types: list[str] = []
    for choice in [schema] if isinstance(schema, Mapping) and "type" in schema else _each_choice(schema):
        declared = choice.get("type")
        if isinstance(declared, str):
            types.append(declared)
        elif isinstance(declared, Sequence):
            types.extend(item for item in declared if isinstance(item, str))
        elif "enum" in choice or "const" in choice:
            values = choice["enum"] if isinstance(choice.get("enum"), list) else [choice.get("const")]
            types.extend(_TYPE_NAMES.get(type(value), "object") for value in values)
        if choice.get("nullable") is True:
            types.append("null")
    return list(dict.fromkeys(types))


def _each_choice(schema: Any, seen: set[int] | None = None) -> Iterator[Mapping[str, Any]]:
    """Yield the alternatives of *schema*, and *schema* itself."""
    seen = set() if seen is None else seen
    if not isinstance(schema, Mapping) or id(schema) in seen:
        return
    seen.add(id(schema))
    for key in _ALTERNATIVES:
        for item in schema.get(key) or ():
            yield from _each_choice(item, seen)
    yield schema


def property_schema(schema: Any, key: str) -> Any:
    """Return the schema of what stands under *key* in an object; None where *schema* does not say."""
    for choice in _each_choice(schema):
        properties = choice.get("properties")
        if isinstance(properties, Mapping) and key in properties:
            return properties[key]
        if isinstance(choice.get("additionalProperties"), Mapping):
            return choice["additionalProperties"]
    return None


def item_schema(schema: Any, index: int) -> Any:
    """Return the schema of an array's element; None where *schema* does not say."""
    for choice in _each_choice(schema):
        first = choice.get("prefixItems")
        if isinstance(first, list) and index < len(first):
            return first[index]
        if isinstance(choice.get("items"), Mapping):
            return choice["items"]
    return None


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
    if match := _INTEGER.fullmatch(text):  # by its digits: a float would round what is beyond 2**53
        return _exact(match[1])
    value = _to_number(text)  # models write 1e20 for integers; the number is what they meant
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
