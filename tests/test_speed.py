"""What is behind the benchmarks: conversations, renderers, and that no figure stands for wrong output or old input."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from turnwire.compare.cases import ChatInput, NamedTemplate
from turnwire.compare.chats import CHATS, make_chat, renew_chat
from turnwire.compare.outcome import Outcome
from turnwire.compare.renderers import OWN, PLAIN, Call, Renderer, find_minijinja, make_reference, time_calls
from turnwire.compare.speed import Entrant, compare_speed, geometric_mean
from turnwire.errors import PackageMissing

TEMPLATE = NamedTemplate("t", "{% for m in messages %}<{{ m.role }}>{{ m.content }}{% endfor %}{{ bos_token }}")
CHAT = ChatInput("chat", [{"role": "user", "content": "Hi"}], variables={"bos_token": "<s>"})


def make_recorder(name: str, change: Callable[[str], str] = str) -> tuple[Renderer, list[ChatInput], list[int]]:
    """Return a renderer that turns turnwire's text by *change*, what it was given, and how many calls were timed."""
    given: list[ChatInput] = []
    timed: list[int] = []

    def prepare(chat: ChatInput, template: str) -> Call:
        given.append(chat)
        call = OWN.prepare(chat, template)
        return lambda: change(call())

    def measure(calls: Any) -> float:
        timed.append(len(calls))
        return time_calls(calls)

    return Renderer(name, prepare, measure), given, timed


def texts_of(chat: ChatInput) -> set[str]:
    return {message["content"] for message in chat.conversation}


# --- conversations ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "messages", "tools"),
    [("plain", 3, 0), ("turns", 10, 0), ("tool", 2, 1), ("round trip", 4, 1), ("agent", 40, 5), ("history", 199, 0)],
)
def test_the_six_conversations_are_as_long_as_they_say(name: str, messages: int, tools: int) -> None:
    chat = make_chat(name)
    assert (len(chat.conversation), len(chat.tools or ())) == (messages, tools)
    assert name in CHATS
    assert len(CHATS) == 6


def test_a_renewed_conversation_has_new_texts_and_the_same_names_roles_and_ids() -> None:
    call = {"id": "call00001", "type": "function", "function": {"name": "f", "arguments": {"a": ["x", 1], "b": ""}}}
    written = {"id": "call00002", "type": "function", "function": {"name": "f", "arguments": '{"a": 1}'}}
    parameters = {"type": "object", "properties": {"text": {"type": "string", "enum": ["x"], "description": "T"}}}
    chat = ChatInput(
        "chat",
        [
            {"role": "user", "content": [{"type": "text", "text": "Hi"}, {"type": "image", "url": "u"}]},
            {"role": "assistant", "content": "", "reasoning_content": "R", "tool_calls": [call, written]},
            {"role": "tool", "tool_call_id": "call00001", "name": "f", "content": None},
        ],
        tools=[{"type": "function", "function": {"name": "f", "description": "D", "parameters": parameters}}],
        documents=[{"title": "A", "text": "B"}],
        variables={"bos_token": "<s>"},
    )
    before = json.dumps([chat.conversation, chat.tools, chat.documents])

    new = renew_chat(chat, 7)

    mark = " [00000007]"
    assert new.conversation == [
        {"role": "user", "content": [{"type": "text", "text": "Hi" + mark}, {"type": "image", "url": "u"}]},
        {
            "role": "assistant",
            "content": "",
            "reasoning_content": "R" + mark,
            "tool_calls": [
                {**call, "function": {"name": "f", "arguments": {"a": ["x" + mark, 1], "b": ""}}},
                written,
            ],
        },
        {"role": "tool", "tool_call_id": "call00001", "name": "f", "content": None},
    ]
    assert new.tools[0]["function"]["description"] == "D" + mark
    assert new.tools[0]["function"]["parameters"]["properties"] == {
        "text": {"type": "string", "enum": ["x"], "description": "T" + mark}
    }
    assert (new.documents, new.variables) == ([{"title": "A", "text": "B" + mark}], chat.variables)
    assert new.tools[0]["function"]["parameters"] is not parameters
    assert json.dumps([chat.conversation, chat.tools, chat.documents]) == before


# --- timing -----------------------------------------------------------------------------------------------------------


def test_new_input_is_never_seen_twice_and_warm_input_is_the_same_objects() -> None:
    new, new_given, new_timed = make_recorder("new")
    warm, warm_given, warm_timed = make_recorder("warm")
    entrants = [Entrant("new", new, is_new=True), Entrant("warm", warm)]

    speed = compare_speed(TEMPLATE, CHAT, OWN, entrants, 3)

    texts = [text for chat in new_given for text in texts_of(chat)]
    # One check of the conversation itself, one of new texts in its place, and then the timed calls.
    assert len(texts) == 2 + sum(new_timed)
    assert len(set(texts)) == len(texts)
    assert sum(new_timed) > 6
    assert sum(chat.conversation is CHAT.conversation for chat in warm_given) == len(warm_given) - 1
    assert sum(warm_timed) > 6
    assert {name: len(times) for name, times in speed.seconds.items()} == {"new": 3, "warm": 3}


def test_who_writes_something_else_is_not_timed() -> None:
    right, _, timed = make_recorder("right")
    wrong, _, untimed = make_recorder("wrong", lambda text: text.replace("Hi", "Ho"))
    speed = compare_speed(TEMPLATE, CHAT, OWN, [Entrant("right", right), Entrant("wrong", wrong)], 1)
    assert list(speed.seconds) == ["right"]
    assert list(speed.findings) == ["wrong"]
    assert (speed.findings["wrong"].verdict, speed.findings["wrong"].pos) == ("differs", 7)
    assert timed
    assert untimed == []


def test_who_is_wrong_on_new_texts_alone_is_not_timed_either() -> None:
    wrong, _, untimed = make_recorder("wrong", lambda text: text.replace(" [0", " (0"))
    speed = compare_speed(TEMPLATE, CHAT, OWN, [Entrant("wrong", wrong)], 1)
    assert (list(speed.findings), speed.seconds, untimed) == (["wrong"], {}, [])


@pytest.mark.parametrize(("has_own_errors", "found"), [(False, ["other"]), (True, [])])
def test_where_the_reference_refuses_nobody_is_timed_and_peers_may_say_it_in_their_own_words(
    has_own_errors: bool, found: list[str]
) -> None:
    def refuse(chat: ChatInput, template: str) -> Call:
        raise RuntimeError("no, thanks")

    refusing = NamedTemplate("refusing", "{{ raise_exception('no') }}")
    entrants = [Entrant("own", OWN), Entrant("other", Renderer("other", refuse, has_own_errors=has_own_errors))]
    speed = compare_speed(refusing, CHAT, PLAIN, entrants, 1)
    assert (speed.refusal, speed.seconds, list(speed.findings)) == ("TemplateError: no", {}, found)


def test_both_paths_of_turnwire_are_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    from turnwire.template.program import Program

    paths: list[bool] = []
    render = Program.render

    def note_path(self: Program, variables: Any) -> str:
        paths.append(self.root is not None)
        return render(self, variables)

    monkeypatch.setattr(Program, "render", note_path)
    monkeypatch.delenv("TURNWIRE_PLAIN", raising=False)
    assert [renderer.prepare(CHAT, TEMPLATE.text)() for renderer in (OWN, PLAIN)] == ["<user>Hi<s>"] * 2
    assert paths == [True, False]


def test_the_clock_stands_still_where_outcomes_are_compared() -> None:
    template = "{{ strftime_now('%Y-%m-%d %H:%M:%S.%f') }}"
    assert {renderer.outcome(CHAT, template).text for renderer in (OWN, PLAIN)} == {"2026-02-07 16:05:09.000000"}


def test_ratios_have_a_geometric_mean() -> None:
    assert geometric_mean([2.0, 8.0]) == pytest.approx(4.0)


# --- Transformers -----------------------------------------------------------------------------------------------------


def test_transformers_gets_all_that_a_conversation_says_and_what_its_entry_point_would_do() -> None:
    pytest.importorskip("transformers", reason="Transformers, the oracle, is not installed")
    messages = [{"role": "user", "content": "Hi", "name": None}, {"role": "assistant", "content": "Yes"}]
    chat = ChatInput(
        "chat",
        messages,
        tools=[{"name": "f"}],
        documents=[{"text": "B"}],
        continue_final_message=True,
        variables={"bos_token": "<s>"},
    )
    template = (
        "{{ bos_token }}{{ tools | tojson }}{{ documents[0].text }}{{ messages[0].name is defined }}"
        "{{ strftime_now('%f') }}{% for m in messages %}<{{ m.content }}>{% endfor %}{{ add_generation_prompt }}"
    )
    expected = Outcome('<s>[{"name": "f"}]BFalse000000<Hi><Yes')
    assert [renderer.outcome(chat, template) for renderer in (OWN, PLAIN, make_reference())] == [expected] * 3
    opened = ChatInput("opened", messages, add_generation_prompt=True)
    renderers = (OWN, PLAIN, make_reference())
    assert [one.outcome(opened, "{{ add_generation_prompt }}").text for one in renderers] == ["True"] * 3


# --- minijinja --------------------------------------------------------------------------------------------------------


@pytest.fixture
def minijinja() -> Renderer:
    pytest.importorskip("minijinja", reason="minijinja, a peer, is not installed")
    return find_minijinja()


def test_minijinja_is_set_up_as_for_chat_templates(minijinja: Renderer) -> None:
    chat = ChatInput(
        "chat",
        [{"role": "user", "content": " <ü> "}],
        tools=[{"name": "f", "required": []}],
        add_generation_prompt=True,
        variables={"bos_token": "<s>"},
    )
    template = (
        "{{ bos_token }}{% for m in messages %}\n    {% if true %}\n{{ m.content.strip() }}|{{ m['role'].upper() }}"
        "{% endif %}\n{% endfor %}\n{{ tools | tojson }}{{ tools[0] | tojson(indent=1) }}{{ '<' | tojson }}"
        "{{ 'open ' if add_generation_prompt and documents is none }}{{ strftime_now('%d %b %Y') }}"
    )
    assert minijinja.outcome(chat, template) == Outcome(
        '<s><ü>|USER[{"name": "f", "required": []}]{\n "name": "f",\n "required": []\n}"<"open 07 Feb 2026'
    )


def test_minijinja_lets_a_template_refuse(minijinja: Renderer) -> None:
    outcome = minijinja.outcome(CHAT, "{{ raise_exception('no') }}")
    assert outcome.raised
    assert "no" in outcome.text


def test_a_peer_that_is_not_installed_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("turnwire.compare.renderers.find_spec", lambda name: None)
    with pytest.raises(PackageMissing, match=r"^minijinja is not installed: pip install minijinja$"):
        find_minijinja()


def test_a_prepared_call_holds_no_more_than_the_conversation_says() -> None:
    call = OWN.prepare(CHAT, TEMPLATE.text)
    assert isinstance(call, partial)
    assert call.args == (CHAT.conversation, TEMPLATE.text)
    assert call.args[0] is CHAT.conversation
