"""Outputs that public reports say were read wrongly, by whichever reader, each with what is right.

``fixtures/cases/reported_replies.json`` holds them: the ``report`` as project#number, the ``text`` and what is in it.
Reports about the work that reading costs, and about ids, are below.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

import pytest

import turnwire
from turnwire.reply.reply import CallDelta, ContentDelta, Event, Reply
from turnwire.wire.reader import ReplyReader
from turnwire.wire.reading import guard_reply

CASES: list[dict[str, Any]] = json.loads(
    (Path(__file__).parent.parent / "fixtures" / "cases" / "reported_replies.json").read_text(encoding="utf-8")
)


def tools_of(case: dict[str, Any]) -> list[dict[str, Any]] | None:
    if "schemas" not in case:
        return None
    return [{"name": name, "parameters": {"properties": own}} for name, own in case["schemas"].items()]


def stream(case: dict[str, Any], pieces: Iterable[str]) -> tuple[Reply, list[Event]]:
    """Feed *pieces* to a reader, and return the reply with the warnings that reading it whole would give it."""
    options = case.get("options", {})
    wire_format = turnwire.load_family(case["family"]).wire_format
    reader = ReplyReader(wire_format, prompt=case.get("prompt", ""), tools=tools_of(case), **options)
    events = [event for piece in pieces for event in reader.feed(piece)]
    events += reader.finish(case.get("finish_reason"))
    return guard_reply(case["text"], reader.reply, case["family"]), events


def facts(reply: Reply) -> dict[str, Any]:
    """Return what a reply says, without the ids that are made up."""
    calls = [{**vars(call), "id": re.sub(r"\Acall_.*", "", call.id)} for call in reply.tool_calls]
    return {**vars(reply), "tool_calls": calls}


@pytest.mark.parametrize("case", CASES, ids=[f"{case['report']} {case['shows']}" for case in CASES])
def test_what_was_reported_is_read_as_it_should_be_whole_and_by_character(case: dict[str, Any]) -> None:
    reply = turnwire.read_reply(
        case["text"],
        case["family"],
        prompt=case.get("prompt", ""),
        tools=tools_of(case),
        finish_reason=case.get("finish_reason"),
        **case.get("options", {}),
    )
    finished = "options" not in case or "unread" not in case
    assert [[call.name, call.arguments] for call in reply.tool_calls] == case.get("calls", [])
    for call in reply.tool_calls:
        assert json.loads(call.arguments_text) == call.arguments  # so that each is JSON, in which 1 is not true
        assert call.complete == finished
    written = json.dumps([call.arguments for call in reply.tool_calls])
    assert written == json.dumps([arguments for _, arguments in case.get("calls", [])])
    assert (reply.content, reply.reasoning) == (case.get("content"), case.get("reasoning"))
    assert (reply.complete, list(reply.unread)) == (case.get("complete", True), case.get("unread", []))
    assert all(call.typed == case.get("typed", True) for call in reply.tool_calls)
    if "ids" in case:
        assert [call.id for call in reply.tool_calls] == case["ids"]
    if "warning" in case:
        assert len(reply.warnings) == 1
        assert re.search(case["warning"], reply.warnings[0])
    elif "unread" not in case:
        assert reply.warnings == ()

    text = case["text"]
    for pieces in (text, *([text[:cut], text[cut:]] for cut in range(1, len(text)))):
        streamed, events = stream(case, pieces)
        assert facts(streamed) == facts(reply)
        written = "".join(event.text for event in events if isinstance(event, ContentDelta))
        assert written == (reply.content or "")
        deltas = [event for event in events if isinstance(event, CallDelta)]
        assert [delta.index for delta in deltas] == list(range(len(reply.tool_calls)))
        assert [delta.arguments for delta in deltas] == [call.arguments_text for call in reply.tool_calls]


def test_each_report_is_there_for_a_reason() -> None:
    assert len({(case["report"], case["family"], case["shows"]) for case in CASES}) == len(CASES) > 60


def test_who_wants_no_calls_takes_them_out_of_the_format() -> None:
    """vllm-project/vllm#42868: ``tool_choice`` is nothing that a reader knows of."""
    text = '<tool_call>\n{"name": "v", "arguments": {}}\n</tool_call>'
    wire_format = replace(turnwire.load_family("hermes").wire_format, calls=())
    for pieces in ([text], text):
        reader = ReplyReader(wire_format, prompt="")
        events = [event for piece in pieces for event in reader.feed(piece)] + reader.finish("stop")
        assert all(isinstance(event, ContentDelta) for event in events)
        assert reader.reply == Reply(content=text)


class ByteTokenizer:
    """A tokenizer whose ids are the bytes of the text."""

    added_tokens_decoder: ClassVar[dict[int, Any]] = {}

    def decode(self, ids: Sequence[int]) -> str:
        return bytes(ids).decode(errors="replace")


@pytest.mark.parametrize("stream_arguments", [False, True])
def test_a_character_of_several_tokens_comes_as_a_whole(stream_arguments: bool) -> None:
    """antonellof/ferrox#124"""
    text = 'Fox 🦊 é. <tool_call>{"name": "f", "arguments": {"a": "🦊é"}}</tool_call>'
    tokenizer: Any = ByteTokenizer()
    wire_format = turnwire.load_family("hermes").wire_format
    reader = ReplyReader(wire_format, prompt="", tokenizer=tokenizer, stream_arguments=stream_arguments)
    events = [event for id in text.encode() for event in reader.feed_ids([id])] + reader.finish("stop")
    assert "\ufffd" not in "".join(map(repr, events))
    [call] = reader.reply.tool_calls
    assert (reader.reply.content, call.name, call.arguments) == ("Fox 🦊 é.", "f", {"a": "🦊é"})


def test_half_a_character_at_the_end_is_held_until_then() -> None:
    """antonellof/ferrox#124"""
    tokenizer: Any = ByteTokenizer()
    reader = ReplyReader(turnwire.load_family("hermes").wire_format, prompt="", tokenizer=tokenizer)
    events = [event for id in "Fox 🦊".encode()[:-1] for event in reader.feed_ids([id])]
    assert "\ufffd" not in "".join(map(repr, events))
    reader.finish("length")
    assert reader.reply.content == "Fox \ufffd"


def repeat_argument(count: int) -> Iterator[str]:
    return (f"a{index}=1" for index in range(count))


HOSTILE: dict[str, tuple[str, Callable[[int], str]]] = {
    "sgl-project/sglang#31912 a call in Python without an end": (
        "pythonic",
        lambda count: f"[search({', '.join(repeat_argument(count))}",
    ),
    "sgl-project/sglang#31912 a call in Python that closes wrongly": (
        "pythonic",
        lambda count: f"[search({', '.join(repeat_argument(count))}]",
    ),
    "transformers parameters that nothing closes": (
        "qwen3_coder",
        lambda count: "<tool_call>\n<function=edit>\n" + "<parameter=old>" * count,
    ),
    "transformers line breaks": ("qwen3", lambda count: "\n" * 10 * count + "x"),
}


@pytest.mark.parametrize("step", [7, 10**9], ids=["in pieces", "whole"])
@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_text_is_read_in_linear_time(name: str, step: int) -> None:
    """Work that grows with the square of such a text, let alone faster, would take hours here."""
    family, write = HOSTILE[name]
    text = write(200_000)
    reader = ReplyReader(turnwire.load_family(family).wire_format, prompt="")
    for begin in range(0, len(text), step):
        reader.feed(text[begin : begin + step])
    reader.finish("stop")
    assert reader.reply.tool_calls == ()
    kept = (reader.reply.content or "") + "".join(reader.reply.unread)
    assert len(kept) > len(text) - 20  # but for white space, and the mark around calls
    assert text.endswith(kept)


def test_a_call_in_python_may_have_many_arguments() -> None:
    """sgl-project/sglang#31912: the same text with its end took seconds as well."""
    text = f"[search({', '.join(repeat_argument(200_000))})]"
    [call] = turnwire.read_reply(text, "pythonic", prompt="").tool_calls
    assert call.arguments == {f"a{index}": 1 for index in range(200_000)}
