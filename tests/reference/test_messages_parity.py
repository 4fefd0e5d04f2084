"""Conversations of every make through turnwire and through Transformers, printed whole by the template."""

from __future__ import annotations

import collections
import dataclasses
import types
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch

from tests.generators.objects import Answer, Chat, Dumper, Part, Turn, generate_object_conversation
from turnwire.compare.outcome import Outcome, capture_outcome
from turnwire.compare.reference import reference_tokenizer, render_reference
from turnwire.messages import normalize_messages
from turnwire.template.render import render_chat

AS_PYTHON = "{% for m in messages %}{{ m.items()|list }}{% endfor %}"
AS_JSON = "{% for m in messages %}{{ m|tojson }}{% endfor %}"


@pytest.fixture(scope="module")
def tokenizer() -> Any:
    return reference_tokenizer()


def compare(tokenizer: Any, make: Callable[[], Any], template: str) -> tuple[Outcome, Outcome]:
    # Made anew for each side: a generator serves only once.
    ours = capture_outcome(lambda: render_chat(make(), template))
    theirs = capture_outcome(lambda: render_reference(tokenizer, make(), template))
    return ours, theirs


@pytest.mark.parametrize("batch", range(10))
def test_a_generated_conversation_is_seen_the_same(tokenizer: Any, batch: int) -> None:
    differing = {}
    for seed in range(batch * 150, (batch + 1) * 150):
        for template in (AS_PYTHON, AS_JSON):
            ours, theirs = compare(tokenizer, lambda seed=seed: generate_object_conversation(seed), template)
            if ours != theirs:
                differing[seed] = (ours, theirs)
    assert differing == {}


def test_generated_conversations_are_neither_all_right_nor_all_wrong(tokenizer: Any) -> None:
    outcomes = [
        compare(tokenizer, lambda seed=seed: generate_object_conversation(seed), AS_PYTHON)[1] for seed in range(300)
    ]
    assert 60 < sum(outcome.raised for outcome in outcomes) < 200
    assert any("<ndarray>" in outcome.text for outcome in outcomes)


class Listening:
    """Answers every question for an attribute, as clients with lazy fields do."""

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(name) if name == "model_dump" else None


@dataclasses.dataclass
class HalfMade:
    role: str
    content: str = dataclasses.field(init=False)


CONVERSATIONS: dict[str, Callable[[], Any]] = {
    "nothing in a list": list,
    "nothing in a tuple": lambda: (),
    "an empty text": lambda: "",
    "a text": lambda: "hi",
    "bytes": lambda: b"hi",
    "None": lambda: None,
    "a number": lambda: 7,
    "a message without its list": lambda: {"role": "user", "content": "hi"},
    "an empty dict": dict,
    "an empty message": lambda: [{}],
    "a message of Nones": lambda: [{"role": None, "content": None}],
    "a text among the messages": lambda: [{"role": "user"}, "hi"],
    "a None among the messages": lambda: [{"role": "user"}, None],
    "a list among the messages": lambda: [{"role": "user"}, [{"role": "user"}]],
    "pairs for messages": lambda: [("role", "user")],
    "a batch of one": lambda: [[{"role": "user", "content": "hi"}]],
    "a batch with an empty conversation": lambda: [[]],
    "a batch of objects": lambda: [Chat([{"role": "user"}]), Chat([{"role": "user"}])],
    "an object after a message": lambda: [{"role": "user"}, Chat([{"role": "user"}])],
    "an object in an object": lambda: Chat(Chat([{"role": "user"}])),
    "an object with no messages": lambda: Chat([]),
    "an object with None": lambda: Chat(None),
    "a dict that has messages": lambda: {"messages": [{"role": "user"}]},
    "an iterator": lambda: iter([{"role": "user"}]),
    "an iterator of objects": lambda: iter([Turn("user", "hi")]),
    "a dict view": lambda: {"a": {"role": "user"}}.values(),
    "a deque": lambda: collections.deque([{"role": "user"}]),
    "an array of dicts": lambda: np.array([{"role": "user"}], dtype=object),
    "a torch tensor": lambda: torch.zeros(2),
    "an answer with calls": lambda: [
        Answer(tool_calls=[{"id": "c1", "function": {"name": "f", "arguments": '{"x": 1}'}}]),
        {"role": "tool", "tool_call_id": "c1", "content": "1"},
    ],
    "an answer with images inside": lambda: [Answer(content=[{"image": np.zeros((2, 2))}, Part("text", "a")])],
    "a tensor in a dataclass in a tuple": lambda: [Turn("user", (Part("image", torch.zeros(1)),))],
    "a dataclass that lacks a field": lambda: [HalfMade("user")],
    "a dataclass, not an instance": lambda: [Turn],
    "a model, not an instance": lambda: [{"role": "user", "content": Answer}],
    "a dump of None": lambda: [Dumper(None)],
    "a dump of None within": lambda: [{"role": "user", "content": [Dumper(None), Dumper(Dumper("x"))]}],
    "a dump of text": lambda: [Dumper("hi")],
    "a dump that needs an argument": lambda: [type("D", (), {"model_dump": lambda self, x: x})()],
    "a model_dump that is no method": lambda: [{"role": "user", "content": type("D", (), {"model_dump": 5})()}],
    "an object with every attribute": lambda: [{"role": "user", "content": Listening()}],
    "a read-only message": lambda: [types.MappingProxyType({"role": "user", "content": (1, [2])})],
    "keys that fall together": lambda: [{"role": "user", "a": {frozenset(): 1, "b": 2, frozenset("a"): 3}}],
    "keys of odd types": lambda: [{"role": "user", None: 1, 2: 2, (1, "x"): 3, b"k": 4, frozenset(): 5}],
    "reasoning": lambda: [{"role": "assistant", "content": "c", "reasoning": "r"}],
    "thinking": lambda: [{"role": "assistant", "content": "c", "thinking": "t"}],
    "reasoning_content": lambda: [{"role": "assistant", "content": "c", "reasoning_content": "rc"}],
    "all three": lambda: [{"thinking": "t", "reasoning": "r", "content": "c", "reasoning_content": "rc"}],
    "reasoning that is no text": lambda: [{"role": "assistant", "reasoning": [{"text": "r"}], "thinking": 0}],
    "reasoning that is empty": lambda: [{"role": "assistant", "reasoning": "", "thinking": None}],
    "reasoning on an object": lambda: [Turn("assistant", "c", "r"), Answer(reasoning="r")],
    "depth": lambda: [{"role": "user", "content": nest(60)}],
}  # fmt: skip


def nest(depth: int) -> Any:
    value: Any = "core"
    for number in range(depth):
        value = ([value], {"k": value}, (value,), Part("text", value))[number % 4]
    return value


@pytest.mark.parametrize("template", [AS_PYTHON, AS_JSON], ids=["python", "json"])
@pytest.mark.parametrize("name", CONVERSATIONS)
def test_a_conversation_of_this_make_is_seen_the_same(tokenizer: Any, name: str, template: str) -> None:
    ours, theirs = compare(tokenizer, CONVERSATIONS[name], template)
    assert ours == theirs


def make_list_in_itself() -> Any:
    loop: list[Any] = [{"role": "user"}]
    loop.append(loop)
    return loop


def make_message_in_itself() -> Any:
    message: dict[str, Any] = {"role": "user"}
    message["content"] = [message]
    return [message]


def make_dump_of_itself() -> Any:
    dumper = Dumper(None)
    dumper.dumped = dumper
    return [dumper]


@pytest.mark.parametrize("make", [make_list_in_itself, make_message_in_itself, make_dump_of_itself])
def test_a_conversation_without_end_is_a_recursion_error_in_both(tokenizer: Any, make: Callable[[], Any]) -> None:
    # How the message goes on depends on where the stack ran out.
    for outcome in compare(tokenizer, make, AS_PYTHON):
        assert outcome.raised
        assert outcome.text.startswith("RecursionError: maximum recursion depth exceeded")


def test_what_the_caller_passes_is_left_as_it_is_by_both(tokenizer: Any) -> None:
    array = np.arange(3)
    part = Part("image", array)
    messages = [{"role": "assistant", "content": [part, {"text": "a"}], "reasoning": "r", "name": None}]
    before = repr(messages)
    arguments: dict[str, Any] = {"continue_final_message": True}
    template = "{{ messages[0].content[1].text }}"
    assert render_chat(messages, template, **arguments) == render_reference(tokenizer, messages, template, **arguments)
    assert repr(messages) == before
    assert messages[0]["content"][0] is part


def test_both_hand_media_on_untouched() -> None:
    from transformers.utils.chat_template_utils import _normalize_chat_messages

    tensor, array = torch.zeros(1), np.zeros(1)
    conversation = [Turn("user", [Part("image", array), Answer(content="x", audio=tensor)])]
    for normalize in (normalize_messages, _normalize_chat_messages):
        (message,) = normalize(conversation)
        assert list(message) == ["role", "content"]
        assert message["content"][0]["text"] is array
        assert message["content"][1]["audio"] is tensor
