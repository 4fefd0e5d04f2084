"""The types that tools declare, given to arguments that a format writes as bare text."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Mapping
from inspect import isfunction, ismethod
from typing import Any

from ..schema import get_json_schema

__all__ = ["cast_arguments", "cast_text", "declared_types", "read_tool_parameters"]

UNCAST = object()


def read_tool_parameters(tools: Iterable[Any] | None) -> dict[str, dict[str, Any]]:
    """Return the schema of each parameter of each tool, by their names.

    *tools* are JSON schemas, wrapped or flat, or functions that can be described; anything else is passed over.
    """
    parameters_of: dict[str, dict[str, Any]] = {}
    for tool in tools or []:
        if isfunction(tool) or ismethod(tool):
            tool = get_json_schema(tool)
        function = tool.get("function", tool) if isinstance(tool, dict) else None
        if not isinstance(function, dict) or not isinstance(name := function.get("name"), str):
            continue
        parameters = function.get("parameters")
        properties = parameters.get("properties") if isinstance(parameters, dict) else None
        parameters_of[name] = properties if isinstance(properties, dict) else {}
    return parameters_of


def cast_arguments(value: Any, parameters_of: Mapping[str, Mapping[str, Any]]) -> None:
    """Cast, in place, the text arguments of the call in *value*, or of the calls in a list."""
    if isinstance(value, list):
        for item in value:
            cast_arguments(item, parameters_of)
        return
    function = value.get("function") if isinstance(value, dict) else None
    if not isinstance(function, dict):
        return
    name, arguments = function.get("name"), function.get("arguments")
    if not isinstance(name, str) or not isinstance(arguments, dict):
        return
    parameters = parameters_of.get(name, {})
    for key, argument in arguments.items():
        if key not in parameters or not (types := declared_types(parameters[key])):
            continue
        if isinstance(argument, str):
            arguments[key] = cast_text(argument, types)
        elif isinstance(argument, list) and "array" not in types:
            # A parameter that the model wrote several times over.
            arguments[key] = [cast_text(item, types) if isinstance(item, str) else item for item in argument]


def declared_types(schema: Any) -> tuple[str, ...]:
    """Return the types that a parameter's schema allows, in the order in which they are tried."""
    if not isinstance(schema, dict):
        return ()
    declared = schema.get("type")
    types = [name for name in (declared if isinstance(declared, list) else [declared]) if isinstance(name, str)]
    for union in ("anyOf", "oneOf"):
        for choice in schema.get(union) or []:
            types.extend(declared_types(choice))
    if schema.get("nullable") and "null" not in types:
        types.append("null")
    return tuple(types)


def cast_text(text: str, types: Iterable[str]) -> Any:
    """Return *text* as the first of *types* that it can be read as; as it is where there is none."""
    for name in types:
        if name in CASTS:
            try:
                value = CASTS[name](text)
            except ValueError:
                continue
            if value is not UNCAST:
                return value
    return text


def _cast_integer(text: str) -> Any:
    try:
        return int(text)
    except ValueError:
        number = float(text)
        return int(number) if number.is_integer() else UNCAST


def _cast_number(text: str) -> Any:
    number = float(text)
    if not math.isfinite(number):
        return UNCAST
    return int(number) if number.is_integer() and "." not in text else number


def _cast_boolean(text: str) -> Any:
    return {"true": True, "1": True, "false": False, "0": False}.get(text.strip().lower(), UNCAST)


def _cast_null(text: str) -> Any:
    return None if text.strip() in ("null", "None") else UNCAST


def _cast_json(kind: type) -> Callable[[str], Any]:
    def cast(text: str) -> Any:
        value = json.loads(text)
        return value if isinstance(value, kind) else UNCAST

    return cast


CASTS: dict[str, Callable[[str], Any]] = {
    "integer": _cast_integer,
    "number": _cast_number,
    "boolean": _cast_boolean,
    "null": _cast_null,
    "object": _cast_json(dict),
    "array": _cast_json(list),
}
