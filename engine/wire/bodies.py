"""Reading what stands between the marks of a call: one reader a kind of body.

Each takes the mark that ends the call as well, and returns None for what is not a call or does not end.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

from .cursor import Cursor, Marks, Wait, peek_character, peek_mark, skip_space, stream_until, take_mark, take_until
from .elements import read_elements
from .format import Body, ElementBody, HeadBody, JsonBody, PythonBody, TaggedBody
from .json_stream import read_call_object, repair_value
from .literals import PythonCall, decode_python_calls, decode_unescaped_calls
from .typing_rules import ParameterSchemas, convert_text
from .values import CODECS, Undecodable, decode_json, take_bracketed, take_outside_strings

__all__ = ["CallEnd", "ParsedCall", "ReadContext", "call_of", "marks_of", "read_body"]


class ParsedCall(NamedTuple):
    """A call as its body says it."""

    name: str
    arguments: dict[str, Any]
    id: str | None = None
    typed: bool = True


@dataclass
class ReadContext:
    """What a reader knows besides the text."""

    schemas: ParameterSchemas
    strict: bool = False
    """Calls that do not fit the offered tools are no calls."""
    keep_partial: bool = False
    """Of calls that the model was cut off in, what is there is wanted."""
    calls_in_reasoning: bool = False
    """Calls count inside of reasoning as well."""
    truncated: bool = False
    """The model was cut off; known at the end only."""
    stop: tuple[str, ...] = ()
    """Marks that end the turn."""
    begin: Callable[[str, str | None], Callable[[str], None]] | None = None
    """Where arguments are wanted before their end: takes a call's name and id, returns what takes their JSON text."""


class CallEnd(NamedTuple):
    """The marks that end a call, and those of the section around it."""

    marks: Marks
    section: Marks


@lru_cache(maxsize=1024)
def marks_of(*groups: tuple[str, ...]) -> Marks:
    """Return the marks of all *groups* as one set; made once for each combination."""
    return Marks(mark for group in groups for mark in group)


def read_body(c: Cursor, body: Body, end: CallEnd, context: ReadContext) -> Wait[list[ParsedCall] | None]:
    """Read the calls of one body up to and with the mark that ends it."""
    try:
        if isinstance(body, TaggedBody):
            return (yield from _read_tagged(c, body, end, context))
        if isinstance(body, ElementBody):
            return (yield from _read_elements(c, body, end, context))
        if isinstance(body, JsonBody):
            calls = yield from _read_json(c, body, context)
        elif isinstance(body, HeadBody):
            calls = yield from _read_head(c, body, context)
        else:
            return (yield from _read_python(c, body, end))
    except Undecodable:
        return None
    if calls and end.marks.marks:
        yield from skip_space(c)
        if isinstance(body, HeadBody) and body.tail:
            yield from take_mark(c, marks_of(body.tail))
            yield from skip_space(c)
        if not (yield from take_mark(c, end.marks)):
            return None
    return calls


def _read_json(c: Cursor, body: JsonBody, context: ReadContext) -> Wait[list[ParsedCall] | None]:
    yield from skip_space(c)
    if context.begin and body.codec == "json" and not body.name_is_key and (yield from peek_character(c)) == "{":
        fields = yield from read_call_object(c, body, context.begin)
        return None if fields is None or body.shape == "array" else [call_of(fields, body)]
    codec = CODECS[body.codec]
    text = yield from take_bracketed(c, codec)
    if text is None:
        return None
    value = codec.decode(text)
    if body.shape == ("object" if isinstance(value, list) else "array"):
        return None
    return [call_of(item, body) for item in (value if isinstance(value, list) else [value])]


def call_of(item: Any, body: JsonBody) -> ParsedCall:
    """Return the call that a JSON value of *body* is; raise :class:`Undecodable` where it is none."""
    if not isinstance(item, dict):
        raise Undecodable("not an object")
    if body.name_is_key:
        if len(item) != 1:
            raise Undecodable("not one name")
        [(name, arguments)] = item.items()
        return ParsedCall(name, _as_arguments(arguments))
    inner = item.get(body.wrapper) if body.wrapper else None
    fields = inner if isinstance(inner, dict) else item
    name = next((fields[key] for key in body.name_keys if isinstance(fields.get(key), str)), None)
    key = next((key for key in body.argument_keys if key in fields), None)
    if name is None or (key is None and body.arguments_required):
        raise Undecodable("no name or no arguments")
    id = next((str(item[key]) for key in body.id_keys if item.get(key) is not None), None)
    return ParsedCall(name, _as_arguments(fields[key]) if key is not None else {}, id)


def _as_arguments(value: Any) -> dict[str, Any]:
    if isinstance(value, str):  # encoded twice, as OpenAI's API has it
        value = decode_json(value)
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise Undecodable("arguments are no object")
    return value


def _read_head(c: Cursor, body: HeadBody, context: ReadContext) -> Wait[list[ParsedCall] | None]:
    head, mark = yield from take_until(c, marks_of(body.until), leave=body.keeps_mark)
    match = re.fullmatch(body.pattern, head, re.DOTALL) if mark else None
    if match is None:
        return None
    yield from skip_space(c)
    codec = CODECS[body.codec]
    groups = match.groupdict()
    id = groups.get("id")
    if body.id and all(groups[name] is not None for name in re.findall(r"{(\w+)}", body.id)):
        id = body.id.format(**groups)
    begun = (yield from peek_character(c)) in ("{", "[")  # before that it may be no call at all
    write = context.begin(match["name"], id) if context.begin and begun else None
    if write is None or body.codec == "json":
        text = yield from take_bracketed(c, codec, write)
        return None if text is None else [ParsedCall(match["name"], _as_arguments(codec.decode(text)), id)]
    before = len(c.record or ())
    text = yield from take_bracketed(c, codec)  # which is no JSON, so that it is passed on at its end, translated
    arguments = repair_value("".join((c.record or [])[before:]), codec) if text is None else codec.decode(text)
    write(_to_json(_as_arguments(arguments)))
    return None if text is None else [ParsedCall(match["name"], _as_arguments(arguments), id)]


def _read_python(c: Cursor, body: PythonBody, end: CallEnd) -> Wait[list[ParsedCall] | None]:
    codec = CODECS["unescaped" if body.unescaped else "python"]
    yield from skip_space(c)
    if body.brackets == "always":
        text = yield from take_bracketed(c, codec)
        if text is None:
            return None
        if end.marks.marks:
            yield from skip_space(c)
            if not (yield from take_mark(c, end.marks)):
                return None
    else:
        text = yield from take_outside_strings(c, codec, end.marks)
        if text is None:
            return None
    calls: list[PythonCall] = decode_unescaped_calls(text) if body.unescaped else decode_python_calls(text)
    return [ParsedCall(call.name, call.arguments) for call in calls]


def _read_tagged(c: Cursor, body: TaggedBody, end: CallEnd, context: ReadContext) -> Wait[list[ParsedCall] | None]:
    ends = marks_of(body.name_until, body.self_close, body.name_before)
    head, mark = yield from take_until(c, ends, leave=True)
    if mark not in body.name_before:
        yield from take_mark(c, ends)
    match = re.fullmatch(body.name_pattern, head, re.DOTALL) if mark else None
    if match is None:
        return None
    name = html.unescape(match["name"]) if body.unescape else match["name"]
    schemas: Mapping[str, Any] = context.schemas.get(name, {})
    id = match.groupdict().get("id")
    write = context.begin(name, id) if context.begin else _ignore
    arguments: dict[str, Any] = {}
    typed = True
    opened = False
    while mark not in body.self_close:
        if not opened:
            yield from skip_space(c)
            mark = yield from take_mark(c, marks_of(body.key_open, end.marks.marks))
            if not mark:
                return None
            if mark in end.marks.marks:
                break
        header, mark = yield from take_until(c, marks_of(body.key_until))
        match = re.fullmatch(body.key_pattern, header, re.DOTALL) if mark else None
        if match is None:
            return None
        if body.value_open:
            yield from skip_space(c)
            if not (yield from take_mark(c, marks_of(body.value_open))):
                return None
        text, after = yield from _take_value(c, body, end, context)
        if text is None:
            return None
        groups = match.groupdict()
        key = html.unescape(groups["key"]) if body.unescape else groups["key"]
        value, certain = _convert(text, groups.get("type"), schemas.get(key))
        if key not in arguments:
            write(f"{', ' if arguments else '{'}{_to_json(key)}: {_to_json(value)}")
            arguments[key] = value
        typed = typed and certain
        if after == "end":
            break
        opened = after == "key"
    write("}" if arguments else "{}")
    return [ParsedCall(name, arguments, id, typed)]


def _read_elements(c: Cursor, body: ElementBody, end: CallEnd, context: ReadContext) -> Wait[list[ParsedCall] | None]:
    head, mark = yield from take_until(c, marks_of(body.name_until))
    match = re.fullmatch(body.name_pattern, head, re.DOTALL) if mark else None
    if match is None:
        return None
    write = context.begin(match["name"], None) if context.begin else _ignore
    found = yield from read_elements(c, body, end.marks, context.schemas.get(match["name"], {}), write)
    return None if found is None else [ParsedCall(match["name"], found[0], typed=found[1])]


def _ignore(_: str) -> None:
    pass


def _to_json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _convert(text: str, written_type: str | None, schema: Any) -> tuple[Any, bool]:
    if written_type is None:
        return convert_text(text, schema)
    if written_type in ("string", "true"):
        return text, True
    try:
        return decode_json(text), True
    except Undecodable:
        return text, False


def _take_value(c: Cursor, body: TaggedBody, end: CallEnd, context: ReadContext) -> Wait[tuple[str | None, str]]:
    """Return a value's text and what was taken behind its closing mark: nothing, a ``key`` mark, or the ``end``."""
    lines = tuple("\n" + mark for mark in (*body.key_open, *end.marks.marks)) if body.recover else ()
    close = body.value_close
    if body.quotes and (yield from take_mark(c, marks_of(body.quotes[:1]))):
        close = tuple(body.quotes[1] + mark for mark in close)
    last = tuple(mark + stop for mark in end.marks.marks for stop in context.stop) if body.recover_at_end else ()
    closers = marks_of(close, lines, last)
    follows = marks_of(body.key_open, end.marks.marks)
    pieces: list[str] = []
    while True:
        mark = yield from stream_until(c, closers, pieces.append, leave=True)
        if mark in last:
            yield from take_mark(c, end.marks)
            return _trim("".join(pieces), body, at_end=False), "end"
        if mark:
            yield from take_mark(c, closers)
        else:
            text = "".join([*pieces, c.take(len(c.text))])
            if body.recover_at_end and not context.truncated:
                for mark in end.marks.marks:
                    if text.rstrip().endswith(mark):
                        return _trim(text.rstrip()[: -len(mark)], body, at_end=False), "end"
            return None, ""
        if mark in close:
            space = yield from _take_space(c)
            follow = (yield from peek_mark(c, follows)) if body.strict_close else "any"
            if follow or (c.ended and c.pos >= len(c.text)):
                return _trim("".join(pieces), body), ""
        else:
            is_key = mark[1:] in body.key_open
            space = "" if is_key else (yield from _take_space(c))
            if is_key or not end.section.marks or (yield from peek_mark(c, end.section)):
                return _trim("".join(pieces), body, at_end=False), "key" if is_key else "end"
        pieces.append(mark + space)


def _take_space(c: Cursor) -> Wait[str]:
    record, c.record = c.record, []
    yield from skip_space(c)
    space = "".join(c.record)
    c.record = record
    if record is not None:
        record.append(space)
    return space


def _trim(text: str, body: TaggedBody, *, at_end: bool = True) -> str:
    if body.trim == "newline":
        text = text.removeprefix("\n")
        return text.removesuffix("\n") if at_end else text
    return text.strip() if body.trim == "space" else text
