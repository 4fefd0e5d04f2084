"""What callers may pass as messages, what becomes of it, and the builders of tool turns; no Transformers needed."""

from __future__ import annotations

import collections
import dataclasses
import enum
import types
from typing import Any

import numpy as np
import pytest
from pydantic import BaseModel, ConfigDict

from turnwire.messages import add_reasoning_names, normalize_messages, to_plain, tool_call, tool_result
from turnwire.template.render import render_chat

ECHO = "{% for m in messages %}{{ m|tojson }}{% endfor %}"


class Image:
    """Stands for a decoded picture: no data, a method that must stay out of reach."""

    def save(self, path: str) -> None:
        raise AssertionError("a template reached the caller's object")


@dataclasses.dataclass
class Part:
    type: str
    text: str | None = None
    image: Any = None


@dataclasses.dataclass
class Turn:
    role: str
    content: Any = None
    name: str | None = None


class Call(BaseModel):
    id: str
    function: dict[str, Any]
    type: str = "function"


class Answer(BaseModel):
    model_config = ConfigDict(extra="allow")
    role: str = "assistant"
    content: str | None = None
    refusal: str | None = None
    tool_calls: list[Call] | None = None


class Role(str, enum.Enum):
    USER = "user"


class Level(enum.IntEnum):
    HIGH = 3


class Shout(str):
    def __str__(self) -> str:
        return self.upper()

    def __repr__(self) -> str:
        return "shouted"


class Metres(float):
    def __repr__(self) -> str:
        return "long"


class Colour(enum.Enum):
    RED = "red"


# --- normalising ------------------------------------------------------------------------------------------------------


def test_plain_messages_come_out_as_they_are_but_in_fresh_dicts() -> None:
    messages = [{"role": "user", "content": "hi"}, {"role": "assistant", "content": ""}]
    normalized = normalize_messages(messages)
    assert normalized == messages
    assert all(ours is not theirs for ours, theirs in zip(normalized, messages, strict=True))


def test_only_the_top_level_loses_its_none_values() -> None:
    message = {
        "role": "assistant",
        "content": None,
        "tool_calls": None,
        "extra": {"kept": None},
        "falsy": 0,
        "empty": [],
    }
    assert normalize_messages([message]) == [{"role": "assistant", "extra": {"kept": None}, "falsy": 0, "empty": []}]


def test_a_pydantic_answer_becomes_a_dict_without_what_it_left_open() -> None:
    answer = Answer(tool_calls=[Call(id="c1", function={"name": "f", "arguments": "{}"})], reasoning="hm")
    assert normalize_messages([answer]) == [
        {
            "role": "assistant",
            "tool_calls": [{"id": "c1", "function": {"name": "f", "arguments": "{}"}, "type": "function"}],
            "reasoning": "hm",
        }
    ]


def test_dataclasses_become_dicts_at_any_depth_and_images_stay() -> None:
    image = Image()
    (message,) = normalize_messages([Turn("user", [Part("image", image=image), (Part("text", "hi"),)])])
    assert message == {
        "role": "user",
        "content": [
            {"type": "image", "text": None, "image": image},
            ({"type": "text", "text": "hi", "image": None},),
        ],
    }
    assert message["content"][0]["image"] is image


def test_an_array_in_a_message_is_neither_copied_nor_changed() -> None:
    array = np.arange(3)
    (message,) = normalize_messages([{"role": "user", "content": [{"type": "image", "image": array}]}])
    assert message["content"][0]["image"] is array


@pytest.mark.parametrize(
    "message",
    [
        collections.OrderedDict(role="user", content="hi"),
        collections.UserDict(role="user", content="hi"),
        collections.defaultdict(list, role="user", content="hi"),
        collections.ChainMap({"role": "user"}, {"content": "hi"}),
        types.MappingProxyType({"role": "user", "content": "hi"}),
        Turn("user", "hi"),
        Answer(role="user", content="hi"),
    ],
    ids=lambda message: type(message).__name__,
)
def test_any_mapping_or_model_is_a_message(message: Any) -> None:
    (normalized,) = normalize_messages([message])
    assert type(normalized) is dict
    assert normalized == {"role": "user", "content": "hi"}


def test_an_object_with_messages_is_a_conversation() -> None:
    class Chat:
        messages = (Turn("user", "hi"),)

    assert normalize_messages(Chat()) == [{"role": "user", "content": "hi"}]


def test_a_generator_gives_its_dicts_but_its_objects_are_refused() -> None:
    assert normalize_messages(message for message in [{"role": "user"}]) == [{"role": "user"}]
    with pytest.raises(TypeError, match=r"dataclasses or pydantic models, but got Turn\("):
        normalize_messages(message for message in [Turn("user")])


@pytest.mark.parametrize(
    ("conversation", "message"),
    [
        ("hi", "Chat messages should be dicts, dataclasses or pydantic models, but got 'h'."),
        ({"role": "user"}, "Chat messages should be dicts, dataclasses or pydantic models, but got 'role'."),
        ([1], "Chat messages should be dicts, dataclasses or pydantic models, but got 1."),
        ([None], "Chat messages should be dicts, dataclasses or pydantic models, but got None."),
        (
            [["role", "user"]],
            "Chat messages should be dicts, dataclasses or pydantic models, but got ['role', 'user'].",
        ),
        (None, "'NoneType' object is not iterable"),
        (5, "'int' object is not iterable"),
    ],
)
def test_what_is_no_message_is_refused(conversation: Any, message: str) -> None:
    with pytest.raises(TypeError) as caught:
        normalize_messages(conversation)
    assert str(caught.value) == message


def test_a_class_is_not_taken_for_its_instances() -> None:
    with pytest.raises(TypeError, match="but got <class"):
        normalize_messages([Turn])


# --- plain data -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "plain"),
    [
        (None, None),
        (True, True),
        (1.5, 1.5),
        ("text", "text"),
        (Role.USER, "user"),
        (Level.HIGH, 3),
        (Shout("quiet"), "quiet"),
        (Metres(1.5), 1.5),
        (Colour.RED, "<Colour>"),
        (np.float64(0.5), 0.5),
        (np.float32(0.5), 0.5),
        (np.int64(7), 7),
        (np.bool_(False), False),
        (np.str_("s"), "s"),
        (np.bytes_(b"b"), "<bytes>"),
        (np.datetime64("2026-11-30"), "<date>"),
        (np.zeros(2), "<ndarray>"),
        (np.array(5), "<ndarray>"),
        (b"bytes", "<bytes>"),
        (bytearray(b"b"), "<bytearray>"),
        ({1, 2}, "<set>"),
        (frozenset({1}), "<frozenset>"),
        (range(3), "<range>"),
        (collections.deque([1]), "<deque>"),
        (1j, "<complex>"),
        (Image(), "<Image>"),
        (Image, "<type>"),
        (len, "<builtin_function_or_method>"),
        ((n for n in ()), "<generator>"),
        (dict.fromkeys("ab").keys(), "<dict_keys>"),
        ((1, [2, (3,)]), (1, [2, (3,)])),
        (collections.UserList([1]), "<UserList>"),
        (collections.namedtuple("Pair", "a b")(1, Image()), (1, "<Image>")),
        ({Role.USER: 1, 2: "two", None: 3, (1, Level.HIGH): 4}, {"user": 1, 2: "two", None: 3, (1, 3): 4}),
        (collections.Counter("aab"), {"a": 2, "b": 1}),
        (types.MappingProxyType({"a": Image()}), {"a": "<Image>"}),
        (Turn("user", Part("image", image=Image())), {
            "role": "user",
            "content": {"type": "image", "text": None, "image": "<Image>"},
            "name": None,
        }),
        (Answer(role="user"), {"role": "user", "content": None, "refusal": None, "tool_calls": None}),
    ],
    ids=repr,
)  # fmt: skip
def test_a_template_sees_json_types_only(value: Any, plain: Any) -> None:
    assert repr(to_plain(value)) == repr(plain)
    assert_exact_types(to_plain(value))


def assert_exact_types(value: Any) -> None:
    assert type(value) in (type(None), bool, int, float, str, list, tuple, dict)
    if isinstance(value, dict):
        for key, item in value.items():
            assert_exact_types(key)
            assert_exact_types(item)
    elif isinstance(value, (list, tuple)):
        for item in value:
            assert_exact_types(item)


def test_a_bool_of_numpy_is_not_taken_for_true() -> None:
    text = render_chat([{"role": "user", "content": np.bool_(False)}], "{{ 'yes' if messages[0].content else 'no' }}")
    assert text == "no"


def test_an_object_that_dumps_to_none_is_none() -> None:
    class Hollow:
        def model_dump(self) -> None:
            return None

    assert to_plain(Hollow()) is None
    assert normalize_messages([{"role": "user", "content": [Hollow()]}]) == [{"role": "user", "content": [None]}]


def test_values_that_contain_themselves_end_in_a_recursion_error() -> None:
    loop: list[Any] = []
    loop.append(loop)
    message: dict[str, Any] = {"role": "user"}
    message["content"] = message
    for value in (loop, message):
        with pytest.raises(RecursionError):
            to_plain(value)
        with pytest.raises(RecursionError):
            normalize_messages([value])


def test_a_template_cannot_reach_or_change_what_the_caller_passed() -> None:
    image = Image()
    parts = [{"type": "image", "image": image}, {"type": "text", "text": "hi"}]
    messages = [{"role": "user", "content": parts, "tags": collections.deque(["a"])}]
    documents = [{"title": "t", "text": "x"}]
    bag = collections.OrderedDict(a=1, b=2)
    template = (
        "{{ messages[0].content[0].image }} {{ messages[0].tags }} {{ documents[0].title }} "
        "{{ bag.move_to_end is defined }}"
        "{{ messages[0].content[0].image.save is defined }}"
    )
    text = render_chat(messages, template, documents=documents, bag=bag)
    assert text == "<Image> <deque> t FalseFalse"
    assert messages == [{"role": "user", "content": parts, "tags": collections.deque(["a"])}]
    assert parts == [{"type": "image", "image": image}, {"type": "text", "text": "hi"}]
    assert list(bag) == ["a", "b"]


# --- reasoning --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("message", "named"),
    [
        (
            {"role": "assistant", "reasoning": "r", "content": "c"},
            {"thinking": "r", "role": "assistant", "reasoning": "r", "content": "c", "reasoning_content": "r"},
        ),
        (
            {"role": "assistant", "thinking": "t", "content": "c"},
            {"thinking": "t", "role": "assistant", "content": "c", "reasoning_content": "t"},
        ),
        (
            {"reasoning_content": "rc", "role": "assistant"},
            {"thinking": "rc", "reasoning_content": "rc", "role": "assistant"},
        ),
        (
            {"role": "assistant", "thinking": "t", "reasoning": "r", "reasoning_content": "rc"},
            {"thinking": "t", "role": "assistant", "reasoning": "r", "reasoning_content": "rc"},
        ),
        (
            {"role": "assistant", "thinking": "t", "reasoning": "r"},
            {"thinking": "t", "role": "assistant", "reasoning": "r", "reasoning_content": "t"},
        ),
        ({"role": "a", "reasoning": ""}, {"thinking": "", "role": "a", "reasoning": "", "reasoning_content": ""}),
        ({"role": "assistant", "reasoning": None}, {"role": "assistant", "reasoning": None}),
        ({"role": "assistant", "content": "c"}, {"role": "assistant", "content": "c"}),
    ],
)  # fmt: skip
def test_reasoning_is_found_under_the_names_that_templates_read(message: dict[str, Any], named: dict[str, Any]) -> None:
    before = dict(message)
    (result,) = add_reasoning_names([message])
    assert list(result.items()) == list(named.items())
    assert list(message.items()) == list(before.items())


# --- builders ---------------------------------------------------------------------------------------------------------


def test_a_call_built_from_json_text_holds_a_dict() -> None:
    call = tool_call("get_exchange_rate", '{"base":"EUR","quote":"JPY"}')
    assert call == {
        "type": "function",
        "function": {"name": "get_exchange_rate", "arguments": {"base": "EUR", "quote": "JPY"}},
    }
    assert call == tool_call("get_exchange_rate", {"base": "EUR", "quote": "JPY"})


def test_a_call_with_an_id_tells_it_first() -> None:
    assert next(iter(tool_call("f", {}, id="c1").items())) == ("id", "c1")
    assert "id" not in tool_call("f", {})


def test_a_call_does_not_share_the_callers_arguments() -> None:
    arguments = {"x": 1}
    tool_call("f", arguments)["function"]["arguments"]["y"] = 2
    assert arguments == {"x": 1}


@pytest.mark.parametrize("text", ["[1, 2]", "1", '"text"', "null", "true"])
def test_arguments_that_are_json_but_no_object_are_refused(text: str) -> None:
    with pytest.raises(ValueError) as caught:  # noqa: PT011
        tool_call("f", text)
    assert str(caught.value) == f"arguments did not decode to a JSON object: {text!r}"


@pytest.mark.parametrize("text", ["", "{", "{'a': 1}", '{"a": 1} x'])
def test_arguments_that_are_no_json_are_refused_with_the_place(text: str) -> None:
    with pytest.raises(ValueError, match=r"^arguments are not JSON \(.*line 1 column \d+.*\): ") as caught:
        tool_call("f", text)
    assert str(caught.value).endswith(repr(text))


def test_a_result_is_a_tool_message() -> None:
    assert tool_result("162.4") == {"role": "tool", "content": "162.4"}
    assert tool_result("162.4", tool_call_id="c1", name="f") == {
        "role": "tool",
        "content": "162.4",
        "tool_call_id": "c1",
        "name": "f",
    }


@pytest.mark.parametrize(
    ("content", "name"), [(162.4, "float"), (None, "NoneType"), ({"a": 1}, "dict"), (b"x", "bytes")]
)
def test_a_result_that_is_no_text_is_refused(content: Any, name: str) -> None:
    with pytest.raises(TypeError) as caught:
        tool_result(content)
    assert str(caught.value) == f"tool result content must be a str, got {name}"
