"""Parity on the whole corpus without Transformers: its recorded outcomes, for every template and conversation."""

from __future__ import annotations

import os
from collections import defaultdict
from functools import partial

import pytest

from fixtures.compare_versions import CAUSES, DICT_CAUSE, Change, find_cause, list_changes
from fixtures.recording import OUTCOMES, Recording, hash_chat, hash_template, hash_text, read_recording
from turnwire.compare.cases import ChatInput, NamedTemplate, read_corpus, read_shipped_chat_inputs
from turnwire.compare.run import map_templates, own_outcome

VERSION = "5.24.0"
CHATS = read_shipped_chat_inputs()
if len(CHATS) < 40:
    raise FileNotFoundError(f"only {len(CHATS)} conversations were found")


@pytest.fixture(scope="module")
def recording() -> Recording:
    return read_recording(OUTCOMES / VERSION)


@pytest.fixture(scope="module")
def corpus() -> list[NamedTemplate]:
    return read_corpus()


@pytest.fixture(scope="module")
def departures(recording: Recording, corpus: list[NamedTemplate]) -> dict[str, list[str]]:
    """Conversation name to the templates with which it does not come to what was recorded."""
    found = defaultdict(list)
    work = partial(hash_template, chats=CHATS, side=own_outcome)
    for number, lines in enumerate(map_templates(work, corpus, jobs=os.cpu_count() or 1)):
        for name, line in lines.items():
            if line != recording.lines[name][number]:
                found[name].append(corpus[number].name)
    return found


def test_the_corpus_is_the_recorded_one(recording: Recording, corpus: list[NamedTemplate]) -> None:
    assert len(corpus) == 786
    assert {template.name: hash_text(template.text) for template in corpus} == recording.templates
    assert [template.name for template in corpus] == list(recording.templates)


def test_the_conversations_are_the_recorded_ones(recording: Recording) -> None:
    own = {chat.name: hash_chat(chat) for chat in CHATS}
    assert own == recording.manifest["conversations"], "record again: python -m fixtures.record_outcomes --readable"


@pytest.mark.parametrize("chat", CHATS, ids=lambda chat: chat.name)
def test_every_template_gives_the_recorded_outcome(chat: ChatInput, departures: dict[str, list[str]]) -> None:
    assert departures[chat.name] == []


def test_the_recording_counts_what_it_holds(recording: Recording) -> None:
    hashes = [part for column in recording.lines.values() for line in column for part in line.split()]
    assert {len(column) for column in recording.lines.values()} == {786}
    assert len(hashes) == recording.manifest["outcomes"] >= 786 * len(CHATS) * 2
    assert sum(part.endswith("!") for part in hashes) == recording.manifest["errors"]


def test_every_change_since_the_older_version_has_its_cause(recording: Recording) -> None:
    changes = list(list_changes(read_recording(OUTCOMES / "5.22.1"), recording))
    assert len(changes) > 1000
    assert [change for change in changes if find_cause(change) is None] == []
    assert {find_cause(change) for change in changes} == {*CAUSES, DICT_CAUSE}
    assert find_cause(Change("Qwen-Qwen3-0.6B@a55ee1", "question", "text → error")) is None
