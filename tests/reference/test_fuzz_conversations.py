"""Generated conversations come out of real templates as Transformers has it, and the comparison notices small mistakes.

``TURNWIRE_FUZZ_CONVERSATIONS`` says how many each template renders; ``python -m tests.fuzz`` runs larger campaigns.
"""

from __future__ import annotations

import os
from typing import Any

import pytest

import turnwire.compare.run
import turnwire.messages
import turnwire.template.prefill
import turnwire.template.render
from tests.fuzz import REVEALING, FuzzResult, compare_case, make_chat_case, run_side
from tests.generators.conversations import generate_chat
from turnwire.compare.cases import Case, read_corpus
from turnwire.compare.outcome import Outcome
from turnwire.compare.reference import reference_outcome
from turnwire.compare.run import own_outcome
from turnwire.messages import add_reasoning_names
from turnwire.template.render import prepare_conversations

EACH = int(os.environ.get("TURNWIRE_FUZZ_CONVERSATIONS", "10"))
EVERY = 4
"""One template in so many takes part; the campaign takes all of them."""


@pytest.fixture(scope="module")
def expected() -> list[tuple[Case, Outcome]]:
    shares = [(template, 40) for template in REVEALING] + [(template, EACH) for template in read_corpus()[::EVERY]]
    cases = [
        make_chat_case(template, 1000 * number + index)
        for number, (template, count) in enumerate(shares)
        for index in range(count)
    ]
    return [(case, run_side(reference_outcome, case)) for case in cases]


def test_a_seed_gives_the_same_conversation_each_time() -> None:
    for seed in range(200):
        assert repr(generate_chat(seed)) == repr(generate_chat(seed))


def test_generated_conversations_come_out_as_in_transformers(expected: list[tuple[Case, Outcome]]) -> None:
    result = FuzzResult()
    for case, theirs in expected:
        result.add(compare_case(case, own_outcome, theirs))
    assert result.findings == []
    assert result.counts["rendered"] >= 0.5 * len(expected)
    assert result.counts["raised"] >= 0.2 * len(expected)
    assert result.counts["unstable"] == 0


def test_most_real_templates_render_most_generated_conversations(expected: list[tuple[Case, Outcome]]) -> None:
    rendered: dict[str, list[bool]] = {}
    for case, theirs in expected:
        rendered.setdefault(case.template.name, []).append(not theirs.raised)
    assert len(rendered) >= 786 // EVERY
    assert sum(sum(each) > len(each) / 2 for each in rendered.values()) / len(rendered) > 0.6


# --- the comparison can fail: each of these changes has to be found ---------------------------------------------------


def keep_none(conversation: Any) -> list[Any]:
    chat = getattr(conversation, "messages", conversation)
    messages = turnwire.messages.normalize_messages(chat)
    return [
        {**message, **{key: None for key, value in given.items() if value is None}}
        if isinstance(given, dict)
        else message
        for message, given in zip(messages, chat, strict=True)
    ]


def drop_none_everywhere(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: drop_none_everywhere(item) for key, item in value.items() if item is not None}
    return (
        [drop_none_everywhere(item) for item in value] if isinstance(value, list) else turnwire.messages.to_plain(value)
    )


def add_names_last(messages: list[Any]) -> list[Any]:
    return [
        {**{key: item for key, item in message.items() if key != "thinking"}, "thinking": message["thinking"]}
        if isinstance(message, dict) and "thinking" in message
        else message
        for message in add_reasoning_names(messages)
    ]


def take_lists(conversation: Any) -> Any:
    return conversation if type(conversation) is list and all(type(item) is dict for item in conversation) else None


class AnyType:
    """Has every type in it."""

    def __contains__(self, kind: object) -> bool:
        return True


def prepare_without_checks(conversation: Any, **arguments: Any) -> Any:
    return prepare_conversations(conversation, **dict.fromkeys(arguments, False))


RENDER, PREFILL, MESSAGES = turnwire.template.render, turnwire.template.prefill, turnwire.messages
CHANGES: dict[str, tuple[Any, str, Any]] = {
    "None keys kept": (RENDER, "normalize_messages", keep_none),
    "None dropped at every depth": (RENDER, "to_plain", drop_none_everywhere),
    "reasoning names missing": (RENDER, "add_reasoning_names", lambda messages: list(messages)),
    "reasoning names in another order": (MESSAGES, "REASONING_FIELDS", ("reasoning", "thinking", "reasoning_content")),
    "thinking put last": (MESSAGES, "add_reasoning_names", add_names_last),
    "objects seen by the template": (RENDER, "to_plain", lambda value: value),
    "documents not checked": (RENDER, "_take_documents", turnwire.messages.to_plain),
    "plain messages taken as they are": (RENDER, "take_plain_messages", take_lists),
    "whatever is in a list taken for plain": (MESSAGES, "_SCALARS", AnyType()),
    "tools not checked": (RENDER, "_tool_schema", lambda tool: tool),
    "contradictions not refused": (RENDER, "prepare_conversations", prepare_without_checks),
    "space after the last text kept": (PREFILL, "TAG", "CONTINUE_FINAL_MESSAGE_TAG"),
    "last text not tagged under its other names": (PREFILL, "REASONING_FIELDS", ()),
}


@pytest.fixture
def changed(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    module, name, value = CHANGES[request.param]
    monkeypatch.setattr(module, name, value)


@pytest.mark.usefixtures("changed")
@pytest.mark.parametrize("changed", CHANGES, indirect=True)
def test_a_changed_step_is_found(expected: list[tuple[Case, Outcome]]) -> None:
    assert any(compare_case(case, own_outcome, theirs).findings for case, theirs in expected)
