"""What can be saved of a list of calls that was cut off: the calls in it that are whole, and what is there of the last.

Where calls stand alone their readers pass on what they have; a list is read as one, so that this is left to do.
"""

from __future__ import annotations

from typing import Any

from .bodies import ParsedCall, call_of
from .format import Body, JsonBody, PythonBody
from .json_stream import repair_text
from .literals import PythonCall, Undecodable, decode_python_calls, decode_unescaped_calls
from .values import CODECS, ValueCodec

__all__ = ["save_calls"]

_PYTHON_CALLS = ValueCodec(CODECS["python"].quotes, decode_python_calls)
_UNESCAPED_CALLS = ValueCodec(CODECS["unescaped"].quotes, decode_unescaped_calls, CODECS["unescaped"].follows)


def save_calls(text: str, body: Body) -> tuple[list[ParsedCall], ParsedCall | None]:
    """Return the whole calls in *text*, which was cut off, and the one that is not whole if its name is."""
    if isinstance(body, JsonBody):
        codec = CODECS[body.codec]
    elif isinstance(body, PythonBody):
        codec = _UNESCAPED_CALLS if body.unescaped else _PYTHON_CALLS
    else:
        return [], None
    try:
        value, tail = repair_text(text, codec)
        items = value if isinstance(value, list) else [value]
        last = items.pop() if items else None
        calls = [_as_call(item, body) for item in items]
    except Undecodable:
        return [], None
    whole = tail == ("]" if text.lstrip().startswith("[") else "") and isinstance(value, list)
    try:
        cut = _as_call(last, body)
        if whole:
            return [*calls, cut], None
        # A name may be cut off itself, so that it counts only if it is there without the text that is still open.
        certain, _ = repair_text(text, codec, keep_open_text=False)
        known = certain[len(calls)] if isinstance(certain, list) and len(certain) > len(calls) else certain
        return calls, cut if _as_call(known, body).name == cut.name else None
    except Undecodable:
        return calls, None


def _as_call(item: Any, body: JsonBody | PythonBody) -> ParsedCall:
    if isinstance(item, PythonCall):
        return ParsedCall(item.name, item.arguments)
    if isinstance(body, JsonBody):
        return call_of(item, body)
    raise Undecodable("not a call")
