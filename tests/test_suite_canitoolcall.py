"""The neutral suite ``canitoolcall``: recorded outputs of nine families, whole and under every way of streaming."""

from __future__ import annotations

from typing import Any

import pytest
from canitoolcall.adapters.base import ReplayInput
from canitoolcall.chunking import ChunkStrategy, split
from canitoolcall.fixtures import Family, Fixture, load_fixtures
from canitoolcall.pytest_plugin import assert_conforms, assert_equivalent

from tests.canitoolcall_adapter import FETCHED, TOKENIZERS, TurnwireAdapter, find_tokenizer

CONTRADICTED = "gemma4/vllm-text-before-call"
"""Wants the space before a call dropped, where ``gemma4/sglang-text-before-call`` wants it kept, as we do."""

ADAPTER = TurnwireAdapter()


def test_the_suite_is_the_one_we_know() -> None:
    assert len(load_fixtures()) == 469


def test_a_whole_output_gives_the_calls_content_and_reasoning_that_are_in_it(
    canitoolcall_fixture: Fixture, canitoolcall_family: Family
) -> None:
    raw = ReplayInput.from_fixture(canitoolcall_fixture, canitoolcall_family)
    result = ADAPTER.parse(raw, canitoolcall_fixture.tools)
    if canitoolcall_fixture.id == CONTRADICTED:
        with pytest.raises(AssertionError, match="soft_pass"):
            assert_conforms(canitoolcall_fixture, result, family=canitoolcall_family)
        assert_conforms(canitoolcall_fixture, result, family=canitoolcall_family, soft=True)
    else:
        assert_conforms(canitoolcall_fixture, result, family=canitoolcall_family)


def test_a_stream_adds_up_to_what_the_whole_output_gives(
    canitoolcall_fixture: Fixture, canitoolcall_family: Family, canitoolcall_strategy: ChunkStrategy
) -> None:
    raw = ReplayInput.from_fixture(canitoolcall_fixture, canitoolcall_family)
    tools: Any = canitoolcall_fixture.tools
    chunks = split(ADAPTER.units(raw), canitoolcall_strategy, special=ADAPTER.special_token_ids(raw))
    assert_equivalent(ADAPTER.parse(raw, tools), ADAPTER.parse_stream(raw, chunks, tools))


def test_the_fetched_tokenizers_give_the_text_of_every_fixture_they_are_for() -> None:
    if not all((FETCHED / folder).is_dir() for folder, _ in TOKENIZERS.values()):
        pytest.skip("the tokenizers are not there: python fixtures/fetch_tokenizers.py")
    found = [(raw, find_tokenizer(raw)) for raw in map(ReplayInput.from_fixture, load_fixtures())]
    decoded = {raw.fixture_id: tokenizer.decode(raw.token_ids) for raw, tokenizer in found if tokenizer is not None}
    assert len(decoded) == 239
    assert decoded == {raw.fixture_id: raw.text for raw, _ in found if raw.fixture_id in decoded}
