"""What clients get wrong about conversations, and the objects other than dicts and lists that they send."""

from __future__ import annotations

import copy
import enum
import random
from collections import OrderedDict, UserDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any, TypeVar

__all__ = ["ODD_DOCUMENTS", "ODD_TOOLS", "choose_fresh", "distort", "wrap_messages"]

T = TypeVar("T")

Messages = list[Any]

ODD_TOOLS: tuple[Any, ...] = (
    [],
    {},
    "get_time",
    [None],
    [1],
    ["get_time"],
    [{}],
    [{"type": "function"}],
    [{"type": "function", "function": {}}],
    [{"type": "function", "function": {"name": None, "parameters": None}}],
    [{"name": "flat", "parameters": {"type": "object", "properties": {"x": {}}}}],
    [{"name": "flat", "input_schema": {"properties": {"x": {"type": ["integer", "null"], "default": 1}}}}],
    [{"type": "function", "function": {"name": "f", "description": 5, "parameters": []}}],
    [{"type": "function", "function": {"name": "f", "parameters": {"properties": {"a": {"type": "object"}}}}}],
    ({"type": "function", "function": {"name": "in_a_tuple", "description": "d", "parameters": {}}},),
    [[{"name": "nested list"}]],
    [len],
    5,
    True,
)

ODD_DOCUMENTS: tuple[Any, ...] = (
    [],
    {},
    "text",
    ["text"],
    [None],
    [{}],
    [{"text": None}],
    ({"title": 1, "text": []},),
    5,
)

_ODD_CONTENTS: tuple[Any, ...] = (
    None,
    "",
    " ",
    0,
    1.5,
    True,
    {},
    {"text": "x"},
    {"type": "text", "text": "not in a list"},
    [],
    [None],
    ["bare text"],
    ["a", "b"],
    [{}],
    [{"text": "no type"}],
    [{"type": "text"}],
    [{"type": "text", "text": None}],
    [{"type": "text", "text": 5}],
    [{"type": "text", "content": "other key"}],
    [{"type": "image"}, {"type": "text", "text": "what is this?"}],
    [{"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}, {"type": "text", "text": "and?"}],
    [{"type": "image", "image": SimpleNamespace(size=(1, 1))}],
    [{"type": "audio", "audio": b"bytes"}, {"type": "video", "video": object}],
    [{"type": "input_text", "text": "x"}, {"type": "nosuch", "nosuch": 1}],
    [{"type": "thinking", "thinking": "part"}, {"type": "text", "text": "said"}],
    [{"type": "tool_use", "id": "t", "name": "f", "input": {}}],
    [{"type": "text", "text": "a"}, "mixed", None, 1],
    ({"type": "text", "text": "in a tuple"},),
    [["nested"]],
)

_ODD_CALLS: tuple[Any, ...] = (
    None,
    [],
    {},
    "text",
    0,
    [None],
    [{}],
    ["text"],
    [{"function": None}],
    [{"function": {}}],
    [{"function": {"name": "f"}}],
    [{"name": "flat", "arguments": {"a": 1}}],
    [{"id": 5, "type": "nosuch", "function": {"name": None, "arguments": {}}}],
    {"function": {"name": "not_in_a_list", "arguments": {}}},
    ({"type": "function", "function": {"name": "in_a_tuple", "arguments": {"a": "b"}}},),
)

_ODD_ARGUMENTS: tuple[Any, ...] = (
    None,
    "",
    "{",
    "null",
    "[1]",
    "text",
    5,
    [],
    [1, 2],
    {"a": {"b": None}},
    {1: 2},
    {"": ""},
)

_ODD_ROLES: tuple[Any, ...] = (
    None,
    "",
    "User",
    "human",
    "function",
    "ipython",
    "developer",
    "tool",
    "model",
    5,
    ["user"],
    "user ",
)

_EXTRA_KEYS: tuple[tuple[str, Any], ...] = (
    ("name", "alice"),
    ("name", None),
    ("name", 5),
    ("tool_call_id", "nosuch"),
    ("tool_call_id", 7),
    ("refusal", None),
    ("annotations", []),
    ("audio", {"data": "…"}),
    ("prefix", True),
    ("images", ["x.png"]),
    ("tools", [{"name": "in the message"}]),
    ("tool_plan", "first look, then tell"),
    ("task", "think"),
    ("items", "a name of a method"),
    ("_private", 1),
    ("reasoning_content", ""),
    ("reasoning_content", None),
    ("reasoning", "one name"),
    ("thinking", "another name"),
    ("thinking", 5),
    ("reasoning", [{"type": "text", "text": "in parts"}]),
    ("reasoning_content", {"a": 1}),
)


class Speaker(str, enum.Enum):
    """Roles as some clients spell them."""

    USER = "user"
    ASSISTANT = "assistant"


class Level(enum.IntEnum):
    """A number that is more than a number."""

    HIGH = 3


@dataclass
class Turn:
    """A message that is no dict."""

    role: Any
    content: Any
    name: Any = None
    extra: Any = field(default_factory=dict)


class Dumping:
    """An object that describes itself the way pydantic's models do."""

    def __init__(self, **fields: Any) -> None:
        self.fields = fields

    def __repr__(self) -> str:
        return f"Dumping({self.fields!r})"

    def model_dump(self) -> dict[str, Any]:
        """Return the fields."""
        return dict(self.fields)


def choose_fresh(options: Sequence[T], rng: random.Random) -> T:
    """Choose one of *options* and return a copy, since what comes next may change it."""
    return copy.deepcopy(rng.choice(options))


def distort(messages: Messages, rng: random.Random) -> None:
    """Get one thing wrong somewhere in *messages*, in place."""
    rng.choice(_DISTORTIONS)(messages, rng)


def wrap_messages(messages: Messages, rng: random.Random) -> Any:
    """Return something that holds *messages*, or stands in their place."""
    return rng.choice(
        (
            lambda: tuple(messages),
            lambda: SimpleNamespace(messages=messages),
            lambda: [SimpleNamespace(messages=messages), SimpleNamespace(messages=messages[:1])],
            lambda: [messages, []],
            list,
            lambda: (),
            lambda: {"messages": messages},
            lambda: "just text",
            lambda: None,
            lambda: 5,
            lambda: messages[0] if messages else None,
            lambda: [messages, {"role": "user", "content": "not a list"}],
        )
    )()


def _pick(messages: Messages, rng: random.Random) -> dict[str, Any]:
    """Return one of the messages that are still dicts; a loose one where none is left."""
    return rng.choice([message for message in messages if isinstance(message, dict)] or [{}])


def _change_content(messages: Messages, rng: random.Random) -> None:
    _pick(messages, rng)["content"] = choose_fresh(_ODD_CONTENTS, rng)


def _change_role(messages: Messages, rng: random.Random) -> None:
    _pick(messages, rng)["role"] = choose_fresh(_ODD_ROLES, rng)


def _change_calls(messages: Messages, rng: random.Random) -> None:
    _pick(messages, rng)["tool_calls"] = choose_fresh(_ODD_CALLS, rng)


def _change_arguments(messages: Messages, rng: random.Random) -> None:
    call = {"type": "function", "function": {"name": "f", "arguments": choose_fresh(_ODD_ARGUMENTS, rng)}}
    _pick(messages, rng)["tool_calls"] = [call]


def _add_key(messages: Messages, rng: random.Random) -> None:
    key, value = choose_fresh(_EXTRA_KEYS, rng)
    _pick(messages, rng)[key] = value


def _drop_key(messages: Messages, rng: random.Random) -> None:
    message = _pick(messages, rng)
    message.pop(rng.choice(list(message) or [""]), None)


def _empty_key(messages: Messages, rng: random.Random) -> None:
    message = _pick(messages, rng)
    message[rng.choice(list(message) or ["content"])] = None


def _reorder_keys(messages: Messages, rng: random.Random) -> None:
    message = _pick(messages, rng)
    items = list(message.items())
    rng.shuffle(items)
    message.clear()
    message.update(items)


def _drop_message(messages: Messages, rng: random.Random) -> None:
    if messages:
        messages.pop(rng.randrange(len(messages)))


def _repeat_message(messages: Messages, rng: random.Random) -> None:
    if messages:
        messages.insert(rng.randint(0, len(messages)), rng.choice(messages))


def _add_message(messages: Messages, rng: random.Random) -> None:
    role = rng.choice(("system", "user", "assistant", "tool", "developer"))
    messages.insert(rng.randint(0, len(messages)), {"role": role, "content": rng.choice(("one more", ""))})


def _add_stranger(messages: Messages, rng: random.Random) -> None:
    strangers: tuple[Any, ...] = (None, "user: hi", 5, [], ["user", "hi"], {}, ("role", "user"), object, True)
    messages.insert(rng.randint(0, len(messages)), choose_fresh(strangers, rng))


def _use_objects(messages: Messages, rng: random.Random) -> None:
    if not messages:
        return
    pos = rng.randrange(len(messages))
    message = messages[pos]
    if isinstance(message, dict):
        fields = {str(key): value for key, value in message.items()}
        messages[pos] = rng.choice(
            (
                lambda: Turn(message.get("role"), message.get("content")),
                lambda: Turn(Speaker.USER, message.get("content"), extra=Turn("nested", [Level.HIGH])),
                lambda: Dumping(**fields),
                lambda: Dumping(role="assistant", content=[Dumping(type="text", text="deep")]),
                lambda: OrderedDict(fields),
                lambda: UserDict(fields),
                lambda: SimpleNamespace(**fields),
                lambda: {**fields, "role": Speaker.ASSISTANT, "level": Level.HIGH},
                lambda: {**fields, "parts": {"set": {1}, "bytes": b"x", "complex": 1j, "range": range(2)}},
            )
        )()


_DISTORTIONS: tuple[Callable[[Messages, random.Random], None], ...] = (
    _change_content,
    _change_content,
    _change_role,
    _change_calls,
    _change_arguments,
    _add_key,
    _add_key,
    _drop_key,
    _empty_key,
    _reorder_keys,
    _drop_message,
    _repeat_message,
    _add_message,
    _add_stranger,
    _use_objects,
)
