"""From a type hint to the JSON schema of the values it admits.

Law: a hint that JSON schema has no words for raises; nothing is guessed.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from enum import Enum
from types import MappingProxyType, NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin

from .errors import TypeHintParsingException

__all__ = ["Schema", "describe_hint"]

Schema = dict[str, Any]

_SCALARS: Mapping[Any, str] = MappingProxyType(
    {int: "integer", float: "number", str: "string", bool: "boolean", NoneType: "null"}
)
"""The types whose values can stand in a schema's ``enum``."""

_BARE: Mapping[Any, str] = MappingProxyType({**_SCALARS, list: "array", tuple: "array", dict: "object"})

_MEDIA = (("PIL.Image", "Image", "image"), ("torch", "Tensor", "audio"))
"""Module, class and schema type of media; a hint can only be such a class where its module has been imported."""


def describe_hint(hint: Any) -> Schema:
    """Return the schema of *hint*, which no other call shares.

    Raises:
        TypeHintParsingException: the hint, or a part of it, has no counterpart in JSON schema.
    """
    describe = _FORMS.get(get_origin(hint))
    if describe is None:
        raise _unknown_form(hint)
    return describe(hint, get_args(hint))


def _unknown_form(hint: Any) -> TypeHintParsingException:
    # Two arguments, as Transformers passes them: the text is that of a tuple.
    return TypeHintParsingException("Couldn't parse this type hint, likely due to a custom class or object: ", hint)


def _describe_bare(hint: Any, _: tuple[Any, ...]) -> Schema:
    if isinstance(hint, type) and issubclass(hint, Enum):
        return _describe_enum(hint)
    if hint in _BARE:
        return {"type": _BARE[hint]}
    if hint is Any:
        return {}
    for module, class_name, media_type in _MEDIA:
        if hint is getattr(sys.modules.get(module), class_name, Any):
            return {"type": media_type}
    raise TypeHintParsingException(
        f"Couldn't convert the type hint {hint!r} to a JSON schema, likely because it is a custom class "
        "or object. Supported type hints are basic types like int, float, str and bool, Enum classes, "
        "typing.Literal, and list, tuple, dict and Union types containing those. If you need a more complex "
        "schema than that, you can write the JSON schema for your tool by hand and pass that instead "
        "of the function."
    )


def _describe_enum(hint: type[Enum]) -> Schema:
    values = [member.value for member in hint]
    if not values:
        raise TypeHintParsingException(f"The Enum {hint.__name__} has no members, so no value could ever match it.")
    if not _are_scalars(values):
        raise TypeHintParsingException(
            f"The Enum {hint.__name__} has member values that cannot be written as JSON scalars.\n"
            f"Values: {values}\n"
            "Enum member values must be int, float, str, bool or None to be converted to a JSON schema."
        )
    return _list_values(values)


def _describe_literal(hint: Any, values: tuple[Any, ...]) -> Schema:
    if not values:
        raise _unknown_form(hint)
    if not _are_scalars(values):
        raise TypeHintParsingException("Only the valid python literals can be listed in typing.Literal.")
    return _list_values(list(values))


def _are_scalars(values: list[Any] | tuple[Any, ...]) -> bool:
    return all(type(value) in _SCALARS for value in values)


def _list_values(values: list[Any]) -> Schema:
    return {"type": _join_types(dict.fromkeys(_SCALARS[type(value)] for value in values)), "enum": values}


def _join_types(names: Mapping[str, Any] | list[str]) -> str | list[str]:
    """Return the one name, or the list of several."""
    listed = list(names)
    return listed[0] if len(listed) == 1 else listed


def _describe_union(_: Any, members: tuple[Any, ...]) -> Schema:
    schemas = [describe_hint(member) for member in members if member is not NoneType]
    union: Schema
    if len(schemas) == 1:
        union = schemas[0]
    elif all(list(schema) == ["type"] for schema in schemas):
        union = {"type": _join_types(sorted({schema["type"] for schema in schemas}))}
    else:
        # A list of type names would lose what one of the schemas says beyond its type, such as `items`.
        union = {"anyOf": schemas}
    if NoneType in members:
        union["nullable"] = True
    return union


def _describe_list(_: Any, items: tuple[Any, ...]) -> Schema:
    return {"type": "array", "items": describe_hint(items[0])} if items else {"type": "array"}


def _describe_tuple(hint: Any, items: tuple[Any, ...]) -> Schema:
    if not items:
        return {"type": "array"}
    if len(items) == 1:
        raise TypeHintParsingException(
            f"The type hint {str(hint).replace('typing.', '')} is a Tuple with a single element, which "
            "we do not automatically convert to JSON schema as it is rarely necessary. If this input can contain "
            "more than one element, we recommend "
            "using a list[] type instead, or if it really is a single element, remove the tuple[] wrapper and just "
            "pass the element directly."
        )
    if ... in items:
        raise TypeHintParsingException(
            "Conversion of '...' is not supported in Tuple type hints. "
            "Use list[] types for variable-length inputs instead."
        )
    return {"type": "array", "prefixItems": [describe_hint(item) for item in items]}


def _describe_dict(_: Any, items: tuple[Any, ...]) -> Schema:
    # The keys of a JSON object are strings whatever the hint says, so only the values are described.
    return (
        {"type": "object", "additionalProperties": describe_hint(items[1])} if len(items) == 2 else {"type": "object"}
    )


_FORMS: Mapping[Any, Callable[[Any, tuple[Any, ...]], Schema]] = MappingProxyType(
    {
        None: _describe_bare,
        Union: _describe_union,
        UnionType: _describe_union,
        Literal: _describe_literal,
        list: _describe_list,
        tuple: _describe_tuple,
        dict: _describe_dict,
    }
)
"""What describes a hint, by its origin: ``list`` for ``list[int]``, None for a hint without brackets."""
