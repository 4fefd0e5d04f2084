"""Random conversations out of whatever Python objects a caller may have at hand; the same seed gives the same one."""

from __future__ import annotations

import collections
import dataclasses
import decimal
import enum
import random
import types
from typing import Any

import numpy as np
import torch
from pydantic import BaseModel, ConfigDict

__all__ = ["Answer", "Part", "Turn", "generate_object_conversation"]


@dataclasses.dataclass
class Turn:
    role: Any
    content: Any = None
    reasoning: Any = None


@dataclasses.dataclass(frozen=True)
class Part:
    type: Any
    text: Any = None


class Function(BaseModel):
    name: str
    arguments: Any


class Call(BaseModel):
    id: str
    function: Function
    type: str = "function"


class Answer(BaseModel):
    """Shaped like the message an OpenAI client returns: most of it None, more keys allowed."""

    model_config = ConfigDict(extra="allow", arbitrary_types_allowed=True)
    content: Any = None
    refusal: str | None = None
    role: str = "assistant"
    audio: Any = None
    tool_calls: list[Call] | None = None


class Dumper:
    """Has ``model_dump`` and is no pydantic model."""

    def __init__(self, dumped: Any) -> None:
        self.dumped = dumped

    def model_dump(self) -> Any:
        return self.dumped


class Chat:
    def __init__(self, messages: Any) -> None:
        self.messages = messages


class Role(str, enum.Enum):
    USER = "user"


class Level(enum.IntEnum):
    HIGH = 3


class Colour(enum.Enum):
    RED = "red"


class Text(str):
    def __str__(self) -> str:
        return "changed"


class Picture:
    pass


SCALARS = (
    *(
        None,
        True,
        False,
        0,
        1,
        -7,
        10**30,
        1.5,
        float("nan"),
        float("inf"),
        "",
        "hi",
        " padded\n",
        "日本 \u2028 \x00",
        "\ud800",
    ),
    *(
        Role.USER,
        Level.HIGH,
        Colour.RED,
        Text("t"),
        b"bytes",
        1j,
        decimal.Decimal("1.0"),
        Picture(),
        Picture,
        Turn,
        Answer,
    ),
    *(np.float64(0.1), np.float32(0.1), np.float16(2), np.int8(5), np.bool_(False), np.str_("s"), np.bytes_(b"b")),
    *(np.datetime64("2026-11-30"), np.arange(3), np.array("x"), np.complex64(1j), np.void(b"v")),
    *(torch.zeros(2), torch.tensor(1), torch.float32, frozenset({1}), range(3), Ellipsis, NotImplemented, len),
)
KEYS = ("role", "content", "name", "tool_calls", "reasoning", "thinking", "reasoning_content", "type", "text", "x", "")
ODD_KEYS = (
    1,
    None,
    True,
    1.0,
    Role.USER,
    np.str_("role"),
    np.int64(1),
    (1, "a"),
    Text("role"),
    b"k",
    np.bool_(True),
    frozenset(),
)
MAPPINGS = (
    *(dict, dict, dict, collections.OrderedDict, collections.UserDict, types.MappingProxyType, collections.ChainMap),
    lambda items: collections.defaultdict(list, items),
)


def generate_object_conversation(seed: int) -> Any:
    """Return something that may be a conversation."""
    rng = random.Random(f"objects {seed}")
    messages = [_message(rng) for _ in range(rng.choice((0, 1, 1, 2, 3)))]
    draw = rng.random()
    if draw < 0.70:
        return messages
    if draw < 0.80:
        return tuple(messages)
    if draw < 0.90:
        return Chat(messages if rng.random() < 0.8 else _value(rng, 0))
    if draw < 0.93:
        return (message for message in messages)
    if draw < 0.96:
        return collections.deque(messages)
    return _value(rng, 0)


def _message(rng: random.Random) -> Any:
    draw = rng.random()
    if draw < 0.15:
        return Turn(rng.choice(("user", Role.USER, None)), _value(rng, 1), _value(rng, 1))
    if draw < 0.30:
        arguments = rng.choice(("{}", {"x": 1}, {"x": [Turn("user")]}))
        calls = [Call(id="c1", function=Function(name="f", arguments=arguments))] if rng.random() < 0.5 else None
        return Answer(content=_value(rng, 1), tool_calls=calls, reasoning=_value(rng, 2))
    if draw < 0.35:
        return Dumper(_value(rng, 1))
    if draw < 0.39:
        return _value(rng, 0)
    return _mapping(rng, 1, first=("role", rng.choice(("user", "assistant", "tool", Role.USER, np.str_("system")))))


def _mapping(rng: random.Random, depth: int, first: tuple[Any, Any] | None = None) -> Any:
    items = dict([first] if first else [])
    for _ in range(rng.randint(0, 4)):
        key = rng.choice(ODD_KEYS) if rng.random() < 0.1 else rng.choice(KEYS)
        items[key] = _value(rng, depth)
    return rng.choice(MAPPINGS)(items)


def _value(rng: random.Random, depth: int) -> Any:
    draw = rng.random()
    if draw < 0.5 or depth > 4:
        return rng.choice(SCALARS)
    if draw < 0.62:
        return _mapping(rng, depth + 1)
    items = [_value(rng, depth + 1) for _ in range(rng.randint(0, 3))]
    if draw < 0.74:
        return items
    if draw < 0.82:
        return tuple(items)
    if draw < 0.86:
        return rng.choice((collections.deque, collections.UserList, iter))(items)
    if draw < 0.90:
        return collections.namedtuple("Pair", "a b")("one", items)
    if draw < 0.96:
        return Part(rng.choice(("text", Text("text"))), items)
    return Dumper(items[0] if items else None)
