"""``tojson`` for plain values.

Fact: Transformers' filter is ``json.dumps(value, ensure_ascii=False, …)``, which makes an encoder for every call, and
with ``indent`` walks in Python from generator to generator. One encoder serves all calls, without looking out for
circles: plain values have none. With ``indent``, a text is built of the same pieces.

Fact: tools are the same from call to call. Those that :mod:`turnwire.template.tools_memory` keeps belong to it alone
and never change, so their text is written once.
"""

from __future__ import annotations

import json
from json.encoder import encode_basestring
from typing import Any, NoReturn

from ..tools_memory import recall

__all__ = ["write_indented_json", "write_json"]


def write_json(value: Any) -> str:
    """Write *value* on one line, with its characters as they are.

    Raises:
        TypeError, ValueError: *value* is not JSON.
    """
    written = recall(value)
    if written is None:
        return "".join(_encode(value, 0))
    if None not in written:
        written[None] = "".join(_encode(value, 0))
    return written[None]


def write_indented_json(value: Any, indent: int) -> str:
    """Write *value* over several lines, *indent* spaces a level.

    Raises:
        TypeError, ValueError: *value* is not JSON.
    """
    written = recall(value)
    if written is None:
        return _write_indented(value, "\n", " " * indent)
    if indent not in written:
        written[indent] = _write_indented(value, "\n", " " * indent)
    return written[indent]


def _write_indented(value: Any, line: str, step: str) -> str:
    kind = type(value)
    if kind is str:
        return encode_basestring(value)
    if kind is dict and value:
        inner = line + step
        items = [
            f"{encode_basestring(key) if type(key) is str else _refuse(key)}: "
            f"{encode_basestring(item) if type(item) is str else _write_indented(item, inner, step)}"
            for key, item in value.items()
        ]
        return f"{{{inner}{f',{inner}'.join(items)}{line}}}"
    if (kind is list or kind is tuple) and value:
        inner = line + step
        items = [_write_indented(item, inner, step) for item in value]
        return f"[{inner}{f',{inner}'.join(items)}{line}]"
    return "".join(_encode(value, 0))


def _refuse(value: Any) -> NoReturn:
    raise TypeError(f"no plain JSON: {value!r}")


def _make_encoder() -> Any:
    make = json.encoder.c_make_encoder  # type: ignore[attr-defined]
    try:
        encoder = make(None, _refuse, encode_basestring, None, ": ", ", ", False, False, True)
        encoder({"a": [1.5, None]}, 0)
    except TypeError:  # No such function in this Python, or not with these parameters.
        encoder = json.JSONEncoder(ensure_ascii=False, check_circular=False).iterencode
    return encoder


_encode = _make_encoder()
