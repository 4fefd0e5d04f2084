"""The transforms of a response template: how a region's parsed content is put into the message's shape.

A transform is JSON in which a string that is nothing but ``{name}`` stands for a value of the scope, ``{name.key}`` for
one inside it. Text around a placeholder is refused when the template is loaded.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import regex

__all__ = ["check_transform", "fill_transform", "shape_content"]

PLACEHOLDER = regex.compile(r"\{(\w+(?:\.\w+)*)\}")


def check_transform(scope: str, transform: Any) -> None:
    """Refuse a transform with a placeholder inside other text; *scope* names the field in the error.

    Raises:
        ValueError: there is such a string.
    """
    if isinstance(transform, (dict, list)):
        for part in transform.values() if isinstance(transform, dict) else transform:
            check_transform(scope, part)
    elif isinstance(transform, str) and PLACEHOLDER.search(transform) and not PLACEHOLDER.fullmatch(transform):
        raise ValueError(
            f"{scope}: transform string {transform!r} mixes a {{placeholder}} with literal text. "
            'Use either a whole-string placeholder (e.g. "{content}") or a plain literal; '
            "string interpolation is not supported."
        )


def shape_content(name: str, content: Any, transform: Any, transform_each: bool, captures: Mapping[str, str]) -> Any:
    """Put the parsed *content* of the field *name* into the shape of *transform*, or of one for each of its items.

    Raises:
        ValueError: *content* has no items to transform, or a placeholder leads nowhere.
        KeyError: a placeholder names nothing.
    """
    if transform is None:
        return content
    if not transform_each:
        return fill_transform(transform, {**captures, "content": content})
    if not isinstance(content, list):
        raise ValueError(
            f"Field '{name}': transform_each requires the parsed content to be a list, got {type(content).__name__}."
        )
    shaped = []
    for item in content:
        if not isinstance(item, dict):
            raise ValueError(
                f"Field '{name}': transform_each requires each list element to be a dict, got {type(item).__name__}."
            )
        shaped.append(fill_transform(transform, {**captures, **item}))
    return shaped


def fill_transform(transform: Any, scope: Mapping[str, Any]) -> Any:
    """Return *transform* with the values of *scope* in the place of its placeholders.

    Raises:
        ValueError: a placeholder leads into something that is not a dict or lacks the key.
        KeyError: a placeholder names nothing.
    """
    if isinstance(transform, dict):
        return {key: fill_transform(part, scope) for key, part in transform.items()}
    if isinstance(transform, list):
        return [fill_transform(part, scope) for part in transform]
    if not isinstance(transform, str) or (placeholder := PLACEHOLDER.fullmatch(transform)) is None:
        return transform
    path: str = placeholder[1]
    name, *keys = path.split(".")
    if name not in scope:
        raise KeyError(f"transform placeholder '{{{path}}}' is not defined. Available: {sorted(scope)}")
    value = scope[name]
    for key in keys:
        if not isinstance(value, dict):
            raise ValueError(f"transform placeholder '{{{path}}}' cannot index into {type(value).__name__} at '{key}'")
        if key not in value:
            raise ValueError(f"transform placeholder '{{{path}}}' is missing key '{key}'. Available: {sorted(value)}")
        value = value[key]
    return value
