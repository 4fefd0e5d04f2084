"""What may be left of a value whose text was cut off, for tests that cut it."""

from __future__ import annotations

from typing import Any


def begins_as(part: Any, whole: Any) -> bool:
    """Tell whether *part* is what is left of *whole* when its JSON text is cut off."""
    if isinstance(part, dict) and isinstance(whole, dict):
        keys = list(part)
        return all(key in whole and begins_as(part[key], whole[key]) for key in keys)
    if isinstance(part, list) and isinstance(whole, list):
        return len(part) <= len(whole) and all(map(begins_as, part, whole))
    if isinstance(part, str) and isinstance(whole, str):
        return whole.startswith(part)
    if type(part) is type(whole) is int or (isinstance(part, (int, float)) and isinstance(whole, (int, float))):
        return str(whole).startswith(str(part).removesuffix(".0"))
    return part == whole
