"""Chats long enough for their ids to be reused: what ``apply_chat_template`` returns is what Transformers returns."""

from __future__ import annotations

import copy
import pickle
from pathlib import Path
from typing import Any

import pytest
from transformers import AutoTokenizer

import turnwire
from tests.reference.test_model_parity import CALLS, MASKED, outcome, simplify
from tests.test_readme import tiny_qwen3

CHAT: list[dict[str, Any]] = [
    {"role": role, "content": f"{turn}: größer, 日本 – how many <think> is {turn * 7919}?"}
    for turn in range(12)
    for role in ("user", "assistant")
]
Pair = tuple[turnwire.ChatModel, Any]


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> Pair:
    folder: Path = tmp_path_factory.mktemp("model")
    for name, data in tiny_qwen3().items():
        (folder / name).write_bytes(data)
    (folder / "additional_chat_templates").mkdir()
    (folder / "additional_chat_templates" / "masked.jinja").write_text(MASKED)
    (folder / "additional_chat_templates" / "tool_use.jinja").write_text("tools {{ messages[0].content }}")
    return turnwire.load(folder), AutoTokenizer.from_pretrained(folder)


def test_every_call_on_growing_chats_has_the_same_outcome(pair: Pair) -> None:
    for name, (chat, arguments) in CALLS.items():
        is_batched = isinstance(chat, list) and bool(chat) and isinstance(chat[0], list)
        for turns in (10, 12, 20, 11):
            grown: Any = [CHAT[:turns], CHAT[:4]] if is_batched else CHAT[:turns]
            results = [
                outcome(lambda model=model, g=grown, a=arguments: model.apply_chat_template(g, **a)) for model in pair
            ]
            assert results[0] == results[1], (name, turns)


def test_the_warning_of_too_long_prompts_is_the_same(pair: Pair, caplog: pytest.LogCaptureFixture) -> None:
    texts = []
    for model, tokenizer in ((pair[0], pair[0].tokenizer), (pair[1], pair[1])):
        limit, tokenizer.model_max_length = tokenizer.model_max_length, 50
        caplog.clear()
        for turns in (12, 14):
            model.apply_chat_template(CHAT[:turns])
        texts.append([record.getMessage() for record in caplog.records])
        tokenizer.model_max_length = limit
    assert texts[0] == texts[1]
    assert len(texts[0]) == 1


def test_the_encodings_behind_reused_ids_answer_every_question_the_same(pair: Pair) -> None:
    for model in pair:
        model.apply_chat_template(CHAT[:16])
    for make in (lambda encoding: encoding, copy.copy, copy.deepcopy, lambda it: pickle.loads(pickle.dumps(it))):
        ours, theirs = (make(model.apply_chat_template(CHAT)) for model in pair)
        assert type(ours.encodings) is type(theirs.encodings)
        assert outcome(lambda e=ours: e.n_sequences) == outcome(lambda e=theirs: e.n_sequences)
        assert ours.is_fast == theirs.is_fast
        assert list(ours.keys()) == list(theirs.keys())
        assert simplify(ours) == simplify(theirs)
        for name in ("ids", "type_ids", "tokens", "offsets", "attention_mask", "special_tokens_mask", "word_ids"):
            assert getattr(ours[0], name) == getattr(theirs[0], name), name
        assert (ours.tokens(), ours.word_ids(), ours.sequence_ids()) == (
            theirs.tokens(),
            theirs.word_ids(),
            theirs.sequence_ids(),
        )
        for place in (0, 3, 200, 900, 5000):
            for method in ("char_to_token", "token_to_chars", "token_to_word", "char_to_word"):
                results = [outcome(lambda e=e, m=method, p=place: getattr(e, m)(p)) for e in (ours, theirs)]
                assert results[0] == results[1], (method, place)


def test_arguments_for_the_tokenizer_are_heeded_the_same(pair: Pair) -> None:
    for extra in (
        {"return_offsets_mapping": True},
        {"return_length": True},
        {"return_attention_mask": False},
        {"return_token_type_ids": True},
        {"return_special_tokens_mask": True},
        {"return_overflowing_tokens": True},
        {"split_special_tokens": True},
        {"text_pair": "more"},
        {"text_target": "more"},
        {"verbose": False},
        {"is_split_into_words": True},
    ):
        for tensors in (None, "np"):
            for turns in (10, 14):
                results = [
                    outcome(
                        lambda model=model, t=turns, e=extra, k=tensors: model.apply_chat_template(
                            CHAT[:t], tokenizer_kwargs=e, return_tensors=k
                        )
                    )
                    for model in pair
                ]
                assert results[0] == results[1], (extra, tensors)


def test_text_that_no_encoding_holds_raises_the_same(pair: Pair) -> None:
    for place in (0, 20):
        chat = [dict(message) for message in CHAT]
        chat[place]["content"] += " \ud800"
        results = [outcome(lambda model=model, c=chat: model.apply_chat_template(c)) for model in pair]
        assert results[0] == results[1]
        assert isinstance(results[0], tuple)
