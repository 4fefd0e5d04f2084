"""Conversations as plain data: what callers may pass, what a template gets to see, and builders for tool turns.

Law: a template sees JSON types only, in fresh containers, so that nothing it does can reach or change the caller's
objects. The order of keys is kept, since templates may iterate over a message.
"""

from __future__ import annotations

import dataclasses
import json
import sys
from collections.abc import Mapping, Sequence
from typing import Any

__all__ = [
    "Conversation",
    "Message",
    "add_reasoning_names",
    "copy_plain",
    "is_plain",
    "normalize_messages",
    "take_plain_messages",
    "to_plain",
    "tool_call",
    "tool_result",
]

Message = dict[str, Any]
Conversation = Sequence[Any]

REASONING_FIELDS = ("reasoning_content", "thinking", "reasoning")
"""The names under which a message's reasoning is passed; templates read the first, gpt-oss templates the second."""

NOT_A_MESSAGE = "Chat messages should be dicts, dataclasses or pydantic models, but got {!r}."


def normalize_messages(conversation: Any) -> list[Message]:
    """Return the messages of *conversation* as dicts, without the keys whose value is None.

    *conversation* is a list of messages, or an object that has one in its ``messages`` attribute. Dataclasses and
    objects with ``model_dump`` become dicts at any depth; images, arrays and the like are left as they are.

    Raises:
        TypeError: a message is none of these.
    """
    normalized = []
    for message in _objects_to_dicts(getattr(conversation, "messages", conversation)):
        if not isinstance(message, dict):
            raise TypeError(NOT_A_MESSAGE.format(message))
        # Servers send `content: null`; most templates take a missing key well and print or trip over None.
        normalized.append({key: value for key, value in message.items() if value is not None})
    return normalized


def _objects_to_dicts(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _objects_to_dicts(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_objects_to_dicts(item) for item in value]
    if isinstance(value, tuple):
        return tuple(_objects_to_dicts(item) for item in value)
    fields = _object_fields(value)
    return value if fields is _NO_FIELDS else _objects_to_dicts(fields)


_NO_FIELDS = object()


def _object_fields(value: Any) -> Any:
    """Return the fields of a dataclass, or what an object's ``model_dump`` gives; ``_NO_FIELDS`` for anything else."""
    # dataclasses.asdict would go on into the fields, and copy every image and array on its way.
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
    dump = getattr(value, "model_dump", None)
    return dump() if callable(dump) else _NO_FIELDS


def to_plain(value: Any) -> Any:
    """Rebuild *value* out of exact JSON types (and tuples); anything else becomes the text ``<name of its type>``.

    Subclasses of str, int and float (enums, numpy scalars) lose what they add, since the sandbox cannot know
    which of their methods are harmless.
    """
    if value is None or type(value) in (str, int, float, bool):
        return value
    if isinstance(value, str):
        return str.__str__(value)
    if isinstance(value, int):
        return int.__int__(value)
    if isinstance(value, float):
        return float.__float__(value)
    if isinstance(value, Mapping):
        return {to_plain(key): to_plain(item) for key, item in value.items()}
    if isinstance(value, list):
        return [to_plain(item) for item in value]
    if isinstance(value, tuple):
        return tuple(to_plain(item) for item in value)
    # A numpy scalar can only exist where numpy has been imported, so there is no need to import it here.
    if (numpy := sys.modules.get("numpy")) is not None and isinstance(value, numpy.generic):
        return to_plain(value.item())
    fields = _object_fields(value)
    return f"<{type(value).__name__}>" if fields is _NO_FIELDS else to_plain(fields)


_SCALARS = frozenset({str, int, float, bool, type(None)})
_MOST_PARTS = 100_000


def is_plain(value: Any) -> bool:
    """Tell whether :func:`to_plain` would give *value* back as it is: exact JSON types and tuples at any depth.

    False as well for what has more than a hundred thousand parts or goes round in a circle.
    """
    if type(value) in _SCALARS:
        return True
    parts = [value]
    for part in parts:
        kind = type(part)
        if kind is dict:
            for key, item in part.items():
                if type(item) not in _SCALARS:
                    parts.append(item)
                if type(key) is not str and type(key) not in _SCALARS:
                    return False
        elif kind is list or kind is tuple:
            for item in part:
                if type(item) not in _SCALARS:
                    parts.append(item)
        else:
            return False
        if len(parts) > _MOST_PARTS:
            return False
    return True


def take_plain_messages(conversation: Any) -> list[Message] | None:
    """Return what a template sees of *conversation*, without copying what is plain already; None if anything is not.

    For a list of plain dicts this is what :func:`normalize_messages`, :func:`to_plain` and :func:`add_reasoning_names`
    come to. The result may hold the caller's own objects: nothing may change them.
    """
    if type(conversation) is not list:
        return None
    changed = []
    for place, message in enumerate(conversation):
        if type(message) is not dict:
            return None
        # What most messages are: nothing in them needs a second look.
        if len(message) == 2 and type(message.get("role")) is type(message.get("content")) is str:
            first, second = message
            if type(first) is type(second) is str:
                continue
        has_none = False
        for key, value in message.items():
            if type(key) is type(value) is str:
                continue
            if type(key) is not str:
                return None
            if value is None:
                has_none = True
            elif type(value) not in _SCALARS and not is_plain(value):
                return None
        if has_none or "reasoning_content" in message or "thinking" in message or "reasoning" in message:
            changed.append(place)
    if not changed:
        return conversation or None
    messages = conversation.copy()
    for place in changed:
        kept = {key: value for key, value in messages[place].items() if value is not None}
        messages[place : place + 1] = add_reasoning_names([kept])
    return messages


def copy_plain(value: Any) -> Any:
    """Copy the dicts, lists and tuples of a plain value, at any depth."""
    if isinstance(value, dict):
        return {key: copy_plain(item) for key, item in value.items()}
    if isinstance(value, list):
        return [copy_plain(item) for item in value]
    if isinstance(value, tuple):
        return tuple([copy_plain(item) for item in value])
    return value


def add_reasoning_names(messages: Sequence[Message]) -> list[Message]:
    """Return *messages* with the reasoning of each, whatever its name, also under the two names templates read."""
    named = []
    for message in messages:
        reasoning = next((message[name] for name in REASONING_FIELDS if message.get(name) is not None), None)
        if reasoning is not None:
            message = {"thinking": reasoning, **message, "reasoning_content": reasoning}
        named.append(message)
    return named


def tool_call(name: str, arguments: Mapping[str, Any] | str, *, id: str | None = None) -> Message:
    """Build one entry of an assistant message's ``tool_calls``, with the arguments as a dict.

    *arguments* may be the JSON text that OpenAI's API sends. Templates differ in what they do with such text (Qwen3
    copies it, Gemma 4 raises), while all of them take a dict.

    Raises:
        ValueError: *arguments* is text that is not JSON, or not a JSON object.
    """
    if isinstance(arguments, str):
        try:
            decoded = json.loads(arguments)
        except ValueError as error:
            raise ValueError(f"arguments are not JSON ({error}): {arguments!r}") from None
        if not isinstance(decoded, dict):
            raise ValueError(f"arguments did not decode to a JSON object: {arguments!r}")
        arguments = decoded
    call: Message = {"type": "function", "function": {"name": name, "arguments": dict(arguments)}}
    if id is not None:
        call = {"id": id, **call}
    return call


def tool_result(content: str, *, tool_call_id: str | None = None, name: str | None = None) -> Message:
    """Build the message that answers a tool call.

    Raises:
        TypeError: *content* is not text. Templates paste it as it is, so the caller decides how a value is written.
    """
    if not isinstance(content, str):
        raise TypeError(f"tool result content must be a str, got {type(content).__name__}")
    message: Message = {"role": "tool", "content": content}
    if tool_call_id is not None:
        message["tool_call_id"] = tool_call_id
    if name is not None:
        message["name"] = name
    return message
