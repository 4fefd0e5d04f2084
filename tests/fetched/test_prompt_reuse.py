"""Real tokenizers: chats that grow, shrink and change give the ids, offsets and masks of a full encode."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from fixtures.fetch_tokenizers import FETCHED, TEMPLATES, TOKENIZERS
from tests.generators.texts import generate_text
from tests.generators.tokenizers import edit_text
from tests.test_prompt_cache import check, make_cache
from turnwire.loading.files import read_model_files
from turnwire.model import ChatModel
from turnwire.tokens.anchors import AnchorTokens, find_obstacle
from turnwire.tokens.masks import assistant_mask
from turnwire.tokens.tokenizer import Tokenizer, load_tokenizer

MISSING = "the real tokenizers are not there: run `python fixtures/fetch_tokenizers.py`"
MARKS = {
    "qwen3": ("<|im_start|>", "<|im_end|>", "<think>", "</tool_call>", "<|vision_pad|>"),
    "gemma3": ("<start_of_turn>", "<end_of_turn>", "\n", "\n\n\n", "<unused7>", "<unused77>", "▁▁", "<h1>"),
    "llama3": ("<|start_header_id|>", "<|end_header_id|>", "<|eot_id|>"),
    "llama3_1": ("<|start_header_id|>", "<|end_header_id|>", "<|eot_id|>", "<|python_tag|>"),
    "deepseek_v3": ("<｜begin▁of▁sentence｜>", "<｜end▁of▁sentence｜>", "<｜User｜>", "<｜Assistant｜>"),
    "gptoss": ("<|start|>", "<|message|>", "<|end|>", "<|channel|>", "<|return|>"),
}
OWN_TEMPLATE = {"llama3": "llama3", "llama3_1": "llama3", "deepseek_v3": "deepseekv3", "gemma3": "gemma3"}


@pytest.fixture(scope="module", params=TOKENIZERS)
def tokenizer(request: pytest.FixtureRequest) -> Tokenizer:
    if not (FETCHED / request.param).is_dir():
        pytest.skip(MISSING)
    return load_tokenizer(read_model_files(FETCHED / request.param))


def test_random_edits_of_histories_give_the_ids_and_offsets_of_the_whole(tokenizer: Tokenizer) -> None:
    assert find_obstacle(tokenizer.backend) is None
    cache, engine = make_cache(tokenizer.backend)
    name = Path(tokenizer.name_or_path).name
    rng = random.Random(name)
    marks = (*MARKS[name], *(mark[: len(mark) // 2] for mark in MARKS[name]), "é\u0301", "\u0301", " ")
    text, encoded = "", 0

    def generate() -> str:
        return "".join(rng.choice([rng.choice(marks), generate_text(rng, marks, 8)]) for _ in range(4))

    for _ in range(500):
        text = edit_text(rng, text, generate)[-6000:]
        encoded += len(text)
        check(cache, tokenizer.backend, text, with_offsets=rng.random() < 0.5)
    assert engine.characters < 0.8 * encoded


def test_every_way_to_cut_a_prompt_and_go_on_gives_the_ids_of_the_whole(tokenizer: Tokenizer) -> None:
    start, end, *_ = MARKS[Path(tokenizer.name_or_path).name]
    text = f"{start}user\nHow many é日 is 12 {end}\n{start}assistant\n  162.4 {end}{end}  {start}"
    anchors = AnchorTokens(tokenizer.backend)
    for place in range(len(text) + 1):
        for other in ("", start, start[:5], end[3:], "\n", " ", "\u0301x"):
            cache, _ = make_cache(tokenizer.backend, anchors)
            check(cache, tokenizer.backend, text)
            check(cache, tokenizer.backend, text[:place] + other)
            check(cache, tokenizer.backend, text[:place] + other + text[place:])


def grow_chat(rng: random.Random, turns: int) -> list[dict[str, Any]]:
    roles = ("user", "assistant")
    return [{"role": roles[turn % 2], "content": generate_text(rng, (), 30) or "so"} for turn in range(turns)]


def test_masks_of_growing_chats_are_those_of_the_whole(tokenizer: Tokenizer) -> None:
    name = Path(tokenizer.name_or_path).name
    if not (FETCHED / TEMPLATES).is_dir():
        pytest.skip(MISSING)
    template = (FETCHED / TEMPLATES / f"{OWN_TEMPLATE.get(name, name)}_training.jinja").read_text(encoding="utf-8")
    model = ChatModel(tokenizer, template)
    chat = grow_chat(random.Random(name), 24)
    marked = 0
    for turns in (*range(2, 25, 2), 7, 24, 3):
        messages = chat[:turns]
        if turns == 24:
            messages[5] = {**messages[5], "content": "Something else."}
        encoding = model.apply_chat_template(messages, return_assistant_tokens_mask=True)
        text = model.apply_chat_template(messages, tokenize=False)
        whole = tokenizer.backend.encode(text, add_special_tokens=False)
        fresh = ChatModel(tokenizer, template).apply_chat_template([messages], return_assistant_tokens_mask=True)
        assert encoding["input_ids"] == whole.ids
        assert encoding["attention_mask"] == whole.attention_mask
        assert encoding.row_offsets(0) == whole.offsets
        assert encoding["assistant_masks"] == fresh["assistant_masks"][0]
        assert assistant_mask([(0, len(text))], encoding.encodings[0].offsets) == [1] * len(whole.ids)
        marked += sum(encoding["assistant_masks"])
    assert marked > 100
