"""The marks of a wire format, for tests that quote or scramble them."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from typing import Any


def marks_of(value: Any) -> set[str]:
    """Return the texts in a wire format: its marks, and the keys and patterns that do no harm among them."""
    if isinstance(value, str):
        return {value} - {""}
    if isinstance(value, tuple):
        return {mark for item in value for mark in marks_of(item)}
    if is_dataclass(value):
        return {mark for field in fields(value) for mark in marks_of(getattr(value, field.name))}
    return set()
