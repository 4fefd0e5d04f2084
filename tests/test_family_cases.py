"""Outputs as the formats describe them, family by family: what templates do not show, and what no template writes.

``fixtures/cases/calls.json`` holds them: the ``text``, the end of the ``prompt`` where it has begun the turn, and the
``calls``, ``content`` and ``reasoning`` in it. Each is read whole, cut in two everywhere, by character, with more text
behind the end of the turn, and cut off everywhere.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from tests.partial_values import begins_as
from turnwire.reply.reply import CallDelta, ContentDelta, ReasoningDelta, Reply
from turnwire.wire.reader import ReplyReader
from turnwire.wire.registry import load_family

CASES: list[dict[str, Any]] = json.loads(
    (Path(__file__).parent.parent / "fixtures" / "cases" / "calls.json").read_text(encoding="utf-8")
)
TOOLS = [
    {"name": "get_weather", "parameters": {"properties": {"city": {"type": "string"}, "days": {"type": "integer"}}}},
    {"name": "get_time", "parameters": {"properties": {}}},
]
each_case = pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])


def read(case: dict[str, Any], pieces: Iterable[str], finish_reason: str = "stop", **options: Any) -> Reply:
    """Read *pieces*, and hold what the events add up to against the reply."""
    wire_format = load_family(case["family"]).wire_format
    reader = ReplyReader(wire_format, prompt=case.get("prompt", ""), tools=TOOLS, **options)
    events = [event for piece in pieces for event in reader.feed(piece)] + reader.finish(finish_reason)
    reply = reader.reply
    texts: dict[type, str] = {ContentDelta: "", ReasoningDelta: ""}
    calls: dict[int, str] = {}
    for event in events:
        if isinstance(event, CallDelta):
            calls[event.index] = calls.get(event.index, "") + event.arguments
        else:
            texts[type(event)] += event.text
    assert (texts[ContentDelta], texts[ReasoningDelta]) == (reply.content or "", reply.reasoning or "")
    assert [calls[index] for index in sorted(calls)] == [call.arguments_text for call in reply.tool_calls]
    assert all(json.loads(call.arguments_text) == call.arguments for call in reply.tool_calls if call.complete)
    return reply


def facts(reply: Reply) -> tuple[Any, ...]:
    calls = [{"name": call.name, "arguments": call.arguments} for call in reply.tool_calls]
    return calls, reply.content, reply.reasoning, reply.complete, reply.warnings


def expected(case: dict[str, Any]) -> tuple[Any, ...]:
    return case.get("calls", []), case.get("content"), case.get("reasoning"), True, ()


def test_each_case_has_a_name_of_its_own() -> None:
    assert len({case["name"] for case in CASES}) == len(CASES) > 60


@each_case
@pytest.mark.parametrize("stream_arguments", [False, True])
def test_an_output_is_read_however_it_is_cut(case: dict[str, Any], stream_arguments: bool) -> None:
    text = case["text"]
    for pieces in ([text], text, *((text[:cut], text[cut:]) for cut in range(1, len(text)))):
        assert facts(read(case, pieces, stream_arguments=stream_arguments)) == expected(case), pieces


@each_case
def test_what_follows_the_end_of_the_turn_is_not_read(case: dict[str, Any]) -> None:
    for stop in load_family(case["family"]).wire_format.stop:
        assert facts(read(case, [case["text"] + stop + " and more"])) == expected(case), stop


@each_case
def test_an_output_that_was_cut_off_gives_nothing_that_the_model_did_not_finish(case: dict[str, Any]) -> None:
    calls, content, reasoning, *_ = expected(case)
    for end in range(len(case["text"])):
        cut = case["text"][:end]
        reply = read(case, [cut], "length")
        found = facts(reply)[0]
        assert found == calls[: len(found)], cut
        assert (content or "").startswith(reply.content or ""), cut
        assert (reasoning or "").startswith(reply.reasoning or ""), cut
        assert not reply.complete, cut


@each_case
@pytest.mark.parametrize("stream_arguments", [False, True])
def test_what_is_kept_of_a_call_that_was_cut_off_is_marked_and_begins_as_the_call(
    case: dict[str, Any], stream_arguments: bool
) -> None:
    calls = case.get("calls", [])
    for end in range(len(case["text"])):
        cut = case["text"][:end]
        reply = read(case, [cut], "length", on_truncated="partial", stream_arguments=stream_arguments)
        assert all(call.complete for call in reply.tool_calls[:-1]), cut
        assert len(reply.tool_calls) <= len(calls), cut
        for call, finished in zip(reply.tool_calls, calls, strict=False):
            assert call.name == finished["name"], cut
            assert (
                (call.arguments == finished["arguments"])
                if call.complete
                else (begins_as(call.arguments, finished["arguments"]))
            ), cut
