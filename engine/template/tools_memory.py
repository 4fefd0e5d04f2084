"""Tools that have been seen before: checked once, and written as JSON once.

A caller passes the same tools with every turn, often as new objects. Their fingerprint is their serialised form, types
included, so equal fingerprints mean equal tools, whatever has been done to the objects meanwhile. (Equal tools may have
two fingerprints, as objects that occur twice are written once: then they are kept twice.) Tools that come a
second time are rebuilt from it as copies that nobody else holds; their JSON text is kept with them.

Law: only these copies have kept texts, so a kept text can never be out of date.
"""

from __future__ import annotations

import marshal
from collections import OrderedDict
from threading import Lock
from typing import Any

from ..messages import is_plain

__all__ = ["recall", "remember_tools"]

MOST_KEPT = 64
"""Lists of tools."""
MOST_BYTES = 1 << 20
"""Of a fingerprint; larger lists of tools are not kept."""

_kept: OrderedDict[bytes, list[Any] | None] = OrderedDict()
"""The copies, in the order of their last use; None for tools seen once."""
_latest: tuple[bytes, list[Any]] | None = None
"""What was asked for last, to be had without the hash of a long fingerprint."""
_written: dict[int, tuple[Any, dict[int | None, str]]] = {}
"""By identity: an object of a copy, and its JSON text for each ``indent``."""
_lock = Lock()


def remember_tools(schemas: list[Any]) -> list[Any] | None:
    """Return tools equal to *schemas*, kept ones if they have come before; None where *schemas* are not plain."""
    global _latest
    try:
        fingerprint = marshal.dumps(schemas, 4)
    except ValueError:
        return None
    latest = _latest
    if latest is not None and latest[0] == fingerprint:
        return latest[1]
    with _lock:
        if fingerprint in _kept:
            tools = _kept[fingerprint]
            if tools is None:
                tools = _kept[fingerprint] = marshal.loads(fingerprint)
                for part in _find_parts(tools):
                    _written[id(part)] = (part, {})
            _kept.move_to_end(fingerprint)
            _latest = fingerprint, tools
            return tools
    # The fingerprint alone does not tell: bytes and the like have one as well.
    if not is_plain(schemas):
        return None
    if len(fingerprint) <= MOST_BYTES:
        with _lock:
            _kept.setdefault(fingerprint, None)
            while len(_kept) > MOST_KEPT:
                _, dropped = _kept.popitem(last=False)
                for part in [] if dropped is None else _find_parts(dropped):
                    _written.pop(id(part), None)
    return schemas


def recall(value: Any) -> dict[int | None, str] | None:
    """Return where the texts of *value* are kept, if it is one of the kept tools or a part of one."""
    kept = _written.get(id(value))
    # Its own object, and not one that has its identity after it: as long as an entry stands, it holds its object.
    return kept[1] if kept is not None and kept[0] is value else None


def _find_parts(tools: list[Any]) -> list[Any]:
    parts: list[Any] = [tools]
    for tool in tools:
        parts.append(tool)
        function = tool.get("function") if type(tool) is dict else None
        if type(function) is dict:
            parts += [function, function.get("parameters")]
    return [part for part in parts if type(part) in (dict, list)]
