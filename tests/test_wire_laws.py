"""The laws of reading (streams, truncation, totality) on every recorded output of ``canitoolcall``, and on junk."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from canitoolcall.adapters.base import ReplayInput
from canitoolcall.fixtures import Fixture, load_fixtures
from canitoolcall.fixtures import load_families as load_suite_families
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.partial_values import begins_as
from tests.wire_marks import marks_of
from turnwire.reply.reply import ContentDelta, Event, ReasoningDelta, Reply, ToolCall
from turnwire.wire.format import WireFormat
from turnwire.wire.literals import finite_float
from turnwire.wire.reader import ReplyReader
from turnwire.wire.registry import find_family, load_families

SUITE_FAMILIES = load_suite_families()
FIXTURES = {slug: [fixture for fixture in load_fixtures() if fixture.family == slug] for slug in SUITE_FAMILIES}
FAMILIES = [family.name for family in load_families()]

RECOVERED_AT_THE_END = "glm/glm47-missing-last-close-arg-value"
"""A call that counts only where nothing stands behind it."""

Cut = Callable[[str], Iterable[str]]


def open_reader(fixture: Fixture, **options: Any) -> ReplyReader:
    raw = ReplayInput.from_fixture(fixture, SUITE_FAMILIES[fixture.family])
    return ReplyReader(format_of(fixture), prompt=raw.generation_prompt, tools=fixture.tools, **options)


def format_of(fixture: Fixture) -> WireFormat:
    family = find_family(fixture.models[0])
    assert family is not None, fixture.models
    return family.wire_format


def read(reader: ReplyReader, pieces: Iterable[str], finish_reason: str | None) -> tuple[Reply, list[Event]]:
    events = [event for piece in pieces for event in reader.feed(piece)]
    return reader.reply, [*events, *reader.finish(finish_reason)]


def read_whole(fixture: Fixture, text: str, finish_reason: str | None, **options: Any) -> Reply:
    reader = open_reader(fixture, **options)
    reader.feed(text)
    reader.finish(finish_reason)
    return reader.reply


def reason_of(fixture: Fixture) -> str:
    return "length" if fixture.truncated else "stop"


def facts(reply: Reply) -> dict[str, Any]:
    """Return all that a reply says, but for the ids that were made up."""
    calls = [{**vars(call), "id": re.sub(r"\Acall_[0-9a-f]{24}\Z", "made up", call.id)} for call in reply.tool_calls]
    return {**vars(reply), "tool_calls": calls}


def add_up(events: Iterable[Event]) -> tuple[str | None, str | None, list[tuple[str, str, str]]]:
    """Return content, reasoning, and the calls as (id, name, arguments), as an OpenAI client adds them up."""
    content, reasoning, calls = "", "", {}
    for event in events:
        if isinstance(event, ContentDelta):
            content += event.text
        elif isinstance(event, ReasoningDelta):
            reasoning += event.text
        else:
            assert (event.index in calls) == (event.name is None) == (event.id is None)
            id, name, arguments = calls.get(event.index, (event.id, event.name, ""))
            calls[event.index] = (id, name, arguments + event.arguments)
    assert list(calls) == list(range(len(calls)))
    return content or None, reasoning or None, list(calls.values())


def sum_of(reply: Reply) -> tuple[str | None, str | None, list[tuple[str, str, str]]]:
    calls = [(call.id, call.name, call.arguments_text) for call in reply.tool_calls]
    return reply.content, reply.reasoning, calls


def cut_at_random(text: str, seed: int) -> Iterator[str]:
    choose = random.Random(seed)
    begin = 0
    while begin < len(text):
        end = begin + choose.randint(1, 12)
        yield text[begin:end]
        begin = end


CUTS: dict[str, Cut] = {
    "whole": lambda text: [text],
    "by character": list,
    "seed 1": lambda text: cut_at_random(text, 1),
    "seed 2": lambda text: cut_at_random(text, 2),
}


@pytest.mark.parametrize("slug", FIXTURES)
def test_a_stream_gives_the_same_reply_however_it_is_cut_and_its_events_add_up_to_it(slug: str) -> None:
    for fixture in FIXTURES[slug]:
        whole = facts(read_whole(fixture, fixture.raw_output, reason_of(fixture)))
        for name, cut in CUTS.items():
            reader = open_reader(fixture)
            _, events = read(reader, cut(fixture.raw_output), reason_of(fixture))
            assert facts(reader.reply) == whole, (fixture.id, name)
            assert add_up(events) == sum_of(reader.reply), (fixture.id, name)
            for call in reader.reply.tool_calls:
                assert fixture.raw_output[slice(*call.span)] == call.raw, (fixture.id, name)


@pytest.mark.parametrize("slug", FIXTURES)
def test_every_cut_into_two_pieces_gives_the_same_reply(slug: str) -> None:
    for fixture in FIXTURES[slug]:
        text = fixture.raw_output
        if len(text) > 400:
            continue
        whole = facts(read_whole(fixture, text, reason_of(fixture)))
        for cut in range(1, len(text)):
            reader = open_reader(fixture)
            read(reader, (text[:cut], text[cut:]), reason_of(fixture))
            assert facts(reader.reply) == whole, (fixture.id, cut)


@pytest.mark.parametrize("slug", FIXTURES)
def test_what_follows_the_end_of_the_turn_is_not_read(slug: str) -> None:
    tails = ("", "\n", " and more", "<tool_call>", "{")
    for fixture in FIXTURES[slug]:
        whole = read_whole(fixture, fixture.raw_output, "stop")
        if not whole.complete or fixture.expected is None:
            continue
        stops = format_of(fixture).stop or ("<|return|>",)
        for stop in stops:
            for tail in tails:
                text = fixture.raw_output + stop + tail
                assert facts(read_whole(fixture, text, "stop")) == facts(whole), (fixture.id, stop, tail)
                if tail != tails[-1]:
                    continue
                reader = open_reader(fixture)
                before, _ = read(reader, text, "stop")
                assert facts(reader.reply) == facts(whole), (fixture.id, stop, tail)
                assert before.complete, (fixture.id, "the turn is over before the text is")


@pytest.mark.parametrize("slug", FIXTURES)
def test_text_behind_an_output_leaves_its_calls_alone_and_streams_as_it_reads(slug: str) -> None:
    for fixture in FIXTURES[slug]:
        whole = read_whole(fixture, fixture.raw_output, "stop")
        if not whole.complete or fixture.expected is None:
            continue
        if fixture.id == RECOVERED_AT_THE_END:
            continue
        longer = read_whole(fixture, fixture.raw_output + "\n\nThat is all.", "stop")
        calls = [(call.name, call.arguments) for call in longer.tool_calls]
        assert calls == [(call.name, call.arguments) for call in whole.tool_calls], fixture.id
        reader = open_reader(fixture)
        read(reader, fixture.raw_output + "\n\nThat is all.", "stop")
        assert facts(reader.reply) == facts(longer), fixture.id


@pytest.mark.parametrize("slug", FIXTURES)
def test_a_prefix_that_was_cut_off_gives_nothing_that_the_model_did_not_finish(slug: str) -> None:
    for fixture in FIXTURES[slug]:
        full = read_whole(fixture, fixture.raw_output, reason_of(fixture))
        full_calls = [(call.name, call.arguments) for call in full.tool_calls]
        for end in prefix_ends(fixture.raw_output):
            reply = read_whole(fixture, fixture.raw_output[:end], "length")
            where = (fixture.id, fixture.raw_output[:end][-60:])
            calls = [(call.name, call.arguments) for call in reply.tool_calls]
            assert calls == full_calls[: len(calls)], where
            assert all(call.span[1] <= end and call.complete for call in reply.tool_calls), where
            # The whole has no marks in content and reasoning, so that what they begin with has none either.
            assert (full.content or "").startswith(reply.content or ""), where
            assert (full.reasoning or "").startswith(reply.reasoning or ""), where
            assert not reply.complete, where


@pytest.mark.parametrize("slug", FIXTURES)
def test_a_prefix_that_ends_in_a_call_or_in_reasoning_is_not_complete_whatever_ended_it(slug: str) -> None:
    for fixture in FIXTURES[slug]:
        if fixture.expected is None:
            continue
        full = read_whole(fixture, fixture.raw_output, reason_of(fixture))
        for end in prefix_ends(fixture.raw_output, most=40):
            reply = read_whole(fixture, fixture.raw_output[:end], "stop")
            where = (fixture.id, fixture.raw_output[:end][-60:])
            # One character may be anything. And GLM's last value may lack its closing mark, if nothing follows.
            in_call = any(call.span[0] + 1 < end < call.span[1] for call in full.tool_calls) and not (
                slug == "glm" and fixture.raw_output[:end].rstrip().endswith("</tool_call>")
            )
            in_reasoning = reply.content is None and (reply.reasoning or "") != (full.reasoning or "")
            if in_call or (in_reasoning and reply.reasoning):
                assert not reply.complete, where


def prefix_ends(text: str, most: int = 150) -> list[int]:
    """Return where *text* is cut off: everywhere, or at *most* places that a seed chooses."""
    ends = range(len(text))
    return list(ends) if len(text) <= most else sorted(random.Random(len(text)).sample(ends, most))


@pytest.mark.parametrize("slug", FIXTURES)
def test_arguments_that_are_passed_on_as_they_come_add_up_to_the_calls(slug: str) -> None:
    for fixture in FIXTURES[slug]:
        plain = read_whole(fixture, fixture.raw_output, reason_of(fixture))
        for name, cut in CUTS.items():
            reader = open_reader(fixture, stream_arguments=True)
            _, events = read(reader, cut(fixture.raw_output), reason_of(fixture))
            reply = reader.reply
            assert add_up(events) == sum_of(reply), (fixture.id, name)
            finished = [call for call in reply.tool_calls if call.complete]
            assert [(call.name, call.arguments) for call in finished] == [
                (call.name, call.arguments) for call in plain.tool_calls
            ], (fixture.id, name)
            assert all(json.loads(call.arguments_text) == call.arguments for call in finished), (fixture.id, name)
            assert (reply.content, reply.reasoning) == (plain.content, plain.reasoning), (fixture.id, name)


@pytest.mark.parametrize("stream_arguments", [False, True])
@pytest.mark.parametrize("slug", FIXTURES)
def test_a_partial_call_is_marked_and_begins_as_the_finished_one(slug: str, stream_arguments: bool) -> None:
    partial_calls = 0
    for fixture in FIXTURES[slug]:
        if fixture.expected is None or not fixture.expected.tool_calls:
            continue
        full = read_whole(fixture, fixture.raw_output, reason_of(fixture)).tool_calls
        for end in prefix_ends(fixture.raw_output, most=15):
            options: dict[str, Any] = {"on_truncated": "partial", "stream_arguments": stream_arguments}
            reader = open_reader(fixture, **options)
            _, events = read(reader, fixture.raw_output[:end], "length")
            calls, where = reader.reply.tool_calls, (fixture.id, fixture.raw_output[:end][-60:])
            assert add_up(events) == sum_of(reader.reply), where
            assert all(call.complete for call in calls[:-1]), where
            for call, finished in zip(calls, full, strict=False):
                assert call.name == finished.name, where
                if call.complete:
                    assert call.arguments == finished.arguments, where
                else:
                    partial_calls += 1
                    assert begins_as(call.arguments, finished.arguments), where
    assert partial_calls, "no fixture was cut off inside of a call"


HARMONY_MARKS = {
    "<|start|>assistant",
    "<|channel|>",
    "<|message|>",
    "<|end|>",
    "<|call|>",
    " to=functions.f",
    "analysis",
}
JUNK = (
    "{",
    "}",
    "[",
    "]",
    '"',
    "'",
    "\\",
    ":",
    ",",
    "=",
    "(",
    ")",
    "<",
    ">",
    "/",
    "|",
    " ",
    "\n",
    "\t",
    "f",
    "1",
    "-",
    ".",
)
JUNK += (
    '{"name": "f", "arguments": {"a": 1}}',
    'name="f"',
    "f(a=1)",
    "null",
    "é",
    "🦊",
    "\ufdd0",
    "\x00",
    "1e999",
    "```json\n",
)


@pytest.mark.parametrize("name", FAMILIES)
def test_no_text_raises_and_every_text_streams_as_it_reads(name: str) -> None:
    family = find_family(name)
    assert family is not None
    marks = marks_of(family.wire_format) | (HARMONY_MARKS if family.wire_format.scanner else set())
    halves = {mark[: len(mark) // 2] for mark in marks} - {""}

    @settings(max_examples=60, deadline=None, derandomize=True, database=None)
    @given(
        st.lists(st.sampled_from(sorted(marks)) | st.sampled_from(sorted(halves)) | st.sampled_from(JUNK), max_size=30),
        st.sampled_from(["stop", "length", None]),
        st.booleans(),
        st.sampled_from(["drop", "partial"]),
        st.sampled_from(["ignore", "read"]),
    )
    def check(
        parts: list[str], finish_reason: str | None, stream_arguments: bool, on_truncated: str, calls_in_reasoning: str
    ) -> None:
        text = "".join(parts)
        options: Any = {
            "stream_arguments": stream_arguments,
            "on_truncated": on_truncated,
            "calls_in_reasoning": calls_in_reasoning,
        }
        replies = []
        for cut in CUTS.values():
            reader = ReplyReader(family.wire_format, prompt="", **options)
            _, events = read(reader, cut(text), finish_reason)
            assert add_up(events) == sum_of(reader.reply)
            assert all(text[slice(*call.span)] == call.raw for call in reader.reply.tool_calls)
            assert all(
                json.loads(call.arguments_text, parse_float=finite_float) == call.arguments
                for call in reader.reply.tool_calls
                if call.complete
            )
            replies.append(facts(reader.reply))
        assert all(reply == replies[0] for reply in replies)

    check()


def test_readers_in_many_threads_share_nothing() -> None:
    fixtures = [fixture for fixtures in FIXTURES.values() for fixture in fixtures[::6]]
    alone = {fixture.id: facts(read_whole(fixture, fixture.raw_output, reason_of(fixture))) for fixture in fixtures}

    def read_interleaved(seed: int) -> dict[str, Any]:
        """Read all outputs at once, a piece of this and a piece of that."""
        readers = {fixture.id: open_reader(fixture) for fixture in fixtures}
        pieces = [
            (fixture, place, piece)
            for fixture in fixtures
            for place, piece in enumerate(cut_at_random(fixture.raw_output, seed))
        ]
        order = random.Random(seed)
        pieces.sort(key=lambda item: (item[1], order.random()))
        for fixture, _, piece in pieces:
            readers[fixture.id].feed(piece)
        for fixture in fixtures:
            readers[fixture.id].finish(reason_of(fixture))
        return {id: facts(reader.reply) for id, reader in readers.items()}

    with ThreadPoolExecutor(8) as threads:
        for together in threads.map(read_interleaved, range(16)):
            assert together == alone


def test_a_call_of_no_reply_is_shared_with_another() -> None:
    fixture = FIXTURES["qwen3-hermes"][0]
    one, other = (read_whole(fixture, fixture.raw_output, "stop") for _ in range(2))
    assert isinstance(one.tool_calls[0], ToolCall)
    one.tool_calls[0].arguments["added"] = True
    assert "added" not in other.tool_calls[0].arguments
