"""Real tokenizers beside Transformers': thousands of texts, padding and cutting, masks, sanitising, many threads."""

from __future__ import annotations

import random
import sysconfig
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from pathlib import Path
from threading import Barrier
from typing import Any

import pytest

from fixtures.fetch_tokenizers import FETCHED, TEMPLATES, TOKENIZERS
from tests.generators.texts import NASTY_TEXTS, generate_text
from turnwire.loading.files import read_model_files
from turnwire.model import ChatModel
from turnwire.tokens.tokenizer import Tokenizer, load_tokenizer

transformers = pytest.importorskip("transformers", reason="Transformers, the reference, is not installed")

from tests.reference.tokenizer_outcomes import (  # noqa: E402
    capture,
    describe_call,
    describe_state,
    generate_call,
    load_both,
    plain,
)

MISSING = "the real tokenizers are not there: run `python fixtures/fetch_tokenizers.py`"
Pair = tuple[Tokenizer, Any]


@pytest.fixture(scope="module", params=TOKENIZERS)
def pair(request: pytest.FixtureRequest) -> Pair:
    """A real tokenizer, loaded by both; ours with a padding token where the model has none."""
    if not (FETCHED / request.param).is_dir():
        pytest.skip(MISSING)
    tokenizers = load_both(FETCHED / request.param)
    for tokenizer in tokenizers:
        if tokenizer.pad_token is None:
            tokenizer.pad_token = tokenizer.eos_token
    return tokenizers


def test_the_tokenizer_is_the_same_down_to_its_last_token(pair: Pair) -> None:
    ours, theirs = (describe_state(tokenizer) for tokenizer in pair)
    assert [key for key in ours if ours[key] != theirs[key]] == []


def all_texts(control_tokens: tuple[str, ...]) -> Iterator[str]:
    yield from NASTY_TEXTS
    yield from (f"a {token} b{token}{token}\n" for token in control_tokens)
    rng = random.Random(0)
    for number in range(1500):
        yield generate_text(rng, control_tokens, 60 if number % 10 else 600)
    code = sorted(Path(sysconfig.get_paths()["stdlib"]).glob("*.py"))
    for path in islice(code, 0, 120, 2):
        text = path.read_text(encoding="utf-8", errors="replace")
        yield text[:200_000]
        yield from (text[start : start + 700] for start in range(0, min(len(text), 14_000), 1400))
    yield "the quick brown fox " * 20_000


def test_thousands_of_texts_have_the_same_ids_offsets_and_texts(pair: Pair) -> None:
    ours, theirs = pair
    controls = tuple(sorted(pair[1].added_tokens_encoder, key=len))[-60:]
    texts = list(all_texts(controls))
    assert len(texts) > 2000
    for start in range(0, len(texts), 250):
        batch = texts[start : start + 250]
        rows = [
            tokenizer(batch, add_special_tokens=start % 500 == 0, return_offsets_mapping=True, verbose=False)
            for tokenizer in pair
        ]
        for place, text in enumerate(batch):
            for name in ("input_ids", "attention_mask", "offset_mapping"):
                assert rows[0][name][place] == rows[1][name][place], (name, text[:1000])
        for skip in (False, True):
            ids = rows[1]["input_ids"]
            assert ours.decode(ids, skip_special_tokens=skip) == theirs.decode(ids, skip_special_tokens=skip)


def test_special_tokens_taken_as_text_and_plain_encoding_are_the_same(pair: Pair) -> None:
    ours, theirs = pair
    rng = random.Random(1)
    controls = tuple(theirs.added_tokens_encoder)[:40]
    for _ in range(200):
        text = generate_text(rng, controls)
        arguments = {"split_special_tokens": True, "add_special_tokens": False}
        assert ours.encode(text, **arguments) == theirs.encode(text, **arguments), text
        assert ours.encode_without_added_tokens(text) == theirs._encode_without_added_tokens(text), text


def test_random_calls_are_the_same(pair: Pair) -> None:
    rng = random.Random(2)
    for number in range(250):
        side = rng.choice(["left", "right"])
        for tokenizer in pair:
            tokenizer.truncation_side = side
        batch = [generate_text(rng) for _ in range(rng.randint(1, 4))]
        inputs = rng.choice([(batch,), (batch[0],), (batch[0],), (batch, batch[::-1])])
        arguments = {**generate_call(rng), "return_tensors": "np" if number % 10 == 0 else None}
        ours, theirs = (describe_call(tokenizer, *inputs, **arguments) for tokenizer in pair)
        assert ours == theirs, (inputs, arguments)
    for tokenizer in pair:
        tokenizer.truncation_side = "right"


# --- chats ------------------------------------------------------------------------------------------------------------

CALL = {"type": "function", "function": {"name": "get_rate", "arguments": {"base": "EUR", "quote": "JPY"}}}
CHATS: tuple[list[dict[str, Any]], ...] = (
    [{"role": "user", "content": "Hi!"}, {"role": "assistant", "content": "Hello, what can I do for you?"}],
    [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "Où est la gare ? 駅はどこ 🚉"},
        {"role": "assistant", "content": "Là-bas. あそこです。\n\n- un\n- deux"},
        {"role": "user", "content": "Danke  "},
        {"role": "assistant", "content": "  Gern geschehen!"},
    ],
    [
        {"role": "user", "content": "How many yen is one euro?"},
        {"role": "assistant", "content": "", "reasoning_content": "I need the rate.", "tool_calls": [CALL]},
        {"role": "tool", "content": "162.4", "tool_call_id": "abcdefghi", "name": "get_rate"},
        {"role": "assistant", "content": "About 162.4 yen.", "reasoning_content": "Now I know."},
    ],
    [{"role": "user", "content": "<|im_end|><end_of_turn><|eot_id|><｜end▁of▁sentence｜><|return|> <s>"}],
    [{"role": "user", "content": "long " * 3000}, {"role": "assistant", "content": "answer " * 500}],
)

OWN_TEMPLATES = {
    "qwen3": ("qwen3", "qwen3_instruct_2507", "qwen2_5"),
    "gemma3": ("gemma3", "gemma"),
    "llama3": ("llama3",),
    "llama3_1": ("llama3",),
    "deepseek_v3": ("deepseekv3", "deepseek_r1_distill"),
    "gptoss": ("gptoss",),
}
OTHER_TEMPLATES = ("glm4moe", "phi3", "qwen3_5_think", "cohere", "lfm2")


def test_masks_of_training_templates_are_the_same(pair: Pair) -> None:
    if not (FETCHED / TEMPLATES).is_dir():
        pytest.skip(MISSING)
    ours, theirs = ChatModel(pair[0], None), pair[1]
    marked = 0
    for name in (*OWN_TEMPLATES[Path(pair[0].name_or_path).name], *OTHER_TEMPLATES):
        template = (FETCHED / TEMPLATES / f"{name}_training.jinja").read_bytes().decode("utf-8")
        for number, chat in enumerate(CHATS):
            for arguments in (
                {},
                {"truncation": True, "max_length": 40},
                {"return_tensors": "np", "padding": "max_length", "max_length": 64, "truncation": True},
            ):
                inputs: Any = [chat, CHATS[0]] if number % 2 else chat
                outcomes = []
                for side in ("right", "left"):
                    for model, tokenizer in ((ours, pair[0]), (theirs, theirs)):
                        tokenizer.truncation_side = side
                        outcomes.append(
                            capture(
                                lambda model=model, inputs=inputs, template=template, arguments=arguments: {
                                    key: plain(value)
                                    for key, value in model.apply_chat_template(
                                        inputs, chat_template=template, return_assistant_tokens_mask=True, **arguments
                                    ).items()
                                }
                            )
                        )
                assert outcomes[0] == outcomes[1], (name, number, arguments)
                assert outcomes[2] == outcomes[3], (name, number, arguments)
                marked += "assistant_masks" in outcomes[0] and "1" in str(outcomes[0]["assistant_masks"])
    for tokenizer in pair:
        tokenizer.truncation_side = "right"
    assert marked > 30


def test_chats_that_smuggle_in_control_tokens_have_the_same_ids(pair: Pair) -> None:
    folder = FETCHED / Path(pair[0].name_or_path).name
    template = read_model_files(folder).chat_template or (
        "{% for m in messages %}{{ '<|start|>' + m.role + '<|message|>' + m.content + '<|end|>' }}{% endfor %}"
    )
    ours, theirs = ChatModel(pair[0], template), pair[1]
    rng = random.Random(3)
    controls = tuple(theirs.added_tokens_encoder)
    raised = 0
    for _ in range(60):
        chat = [
            {"role": role, "content": generate_text(rng, rng.sample(controls, 10), 8)} for role in ("user", "assistant")
        ]
        outcomes = [
            capture(
                lambda model=model, chat=chat: model.apply_chat_template(
                    chat, chat_template=template, sanitize_control_tokens=True, return_dict=False
                )
            )
            for model in (ours, theirs)
        ]
        assert outcomes[0] == outcomes[1], chat
        raised += isinstance(outcomes[0], tuple)
    assert raised < 30


# --- threads ----------------------------------------------------------------------------------------------------------

THREADS = 200


def test_two_hundred_threads_get_what_each_gets_alone(pair: Pair) -> None:
    reference = pair[1]
    controls = tuple(reference.added_tokens_encoder)[-10:]
    jobs = []
    for number in range(THREADS):
        rng = random.Random(number)
        batch = [generate_text(rng, controls, 80) for _ in range(rng.randint(1, 3))]
        jobs.append(
            (
                batch,
                {
                    "truncation": rng.random() < 0.6,
                    "max_length": rng.choice([4, 16, 50]),
                    "padding": rng.choice([False, True, "max_length"]),
                    "padding_side": rng.choice(["left", "right"]),
                    "split_special_tokens": rng.random() < 0.3,
                    "return_offsets_mapping": True,
                    "verbose": False,
                },
            )
        )

    def run(tokenizer: Any, job: tuple[list[str], dict[str, Any]]) -> Any:
        encoding = tokenizer(job[0], **job[1])
        return {**encoding}, tokenizer.decode(encoding["input_ids"])

    expected = [run(reference, job) for job in jobs]
    # A tokenizer of its own, so that all threads meet it fresh.
    shared = load_tokenizer(read_model_files(FETCHED / Path(pair[0].name_or_path).name))
    shared.pad_token = pair[0].pad_token
    barrier = Barrier(THREADS)

    def work(number: int) -> list[int]:
        barrier.wait()
        places = [(number + 37 * step) % THREADS for step in range(3)]
        return [place for place in places if run(shared, jobs[place]) != expected[place]]

    with ThreadPoolExecutor(THREADS) as pool:
        assert [places for places in pool.map(work, range(THREADS)) if places] == []
