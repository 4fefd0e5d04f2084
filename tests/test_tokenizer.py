"""Tokenizers without Transformers: results worked out by hand, errors that name file and mend, many threads at once."""

from __future__ import annotations

import random
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier
from typing import Any

import pytest
from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers, processors

from tests.generators.texts import NASTY_TEXTS, generate_text
from tests.generators.tokenizers import make_backend, write_model
from turnwire.errors import ModelFileError
from turnwire.loading.files import read_model_files
from turnwire.tokens.tokenizer import Tokenizer as OwnTokenizer
from turnwire.tokens.tokenizer import load_tokenizer

WORDS = ["<unk>", "<s>", "</s>", "<pad>", "one", "two", "three", "four", "five"]
"""Each word's id is its place."""


def load(folder: Path, backend: Tokenizer | None = None, **files: Any) -> OwnTokenizer:
    return load_tokenizer(read_model_files(write_model(folder, backend, **files)))


@pytest.fixture
def words() -> Tokenizer:
    """Cuts at spaces, and writes <s> and </s> around a text."""
    backend = Tokenizer(models.WordLevel({word: place for place, word in enumerate(WORDS)}, unk_token="<unk>"))
    backend.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    backend.decoder = decoders.Fuse()
    backend.post_processor = processors.TemplateProcessing(
        single="<s> $A </s>", pair="<s> $A </s> $B:1 </s>:1", special_tokens=[("<s>", 1), ("</s>", 2)]
    )
    return backend


NAMED = {"bos_token": "<s>", "eos_token": "</s>", "unk_token": "<unk>", "pad_token": "<pad>"}


@pytest.fixture
def tokenizer(tmp_path: Path, words: Tokenizer) -> OwnTokenizer:
    return load(tmp_path, words, tokenizer_config={**NAMED, "model_max_length": 7})


# --- calls ------------------------------------------------------------------------------------------------------------


def test_a_text_becomes_ids_and_a_mask(tokenizer: OwnTokenizer) -> None:
    encoding = tokenizer("one two six")
    assert dict(encoding) == {"input_ids": [1, 4, 5, 0, 2], "attention_mask": [1, 1, 1, 1, 1]}
    assert encoding.input_ids == encoding["input_ids"]
    assert tokenizer.encode("one two", add_special_tokens=False) == [4, 5]
    assert tokenizer("one", "two", return_token_type_ids=True)["token_type_ids"] == [0, 0, 0, 1, 1]


@pytest.mark.parametrize(
    ("side", "ids", "offsets"),
    [
        ("right", [1, 4, 5, 2], [(0, 0), (0, 3), (4, 7), (0, 0)]),
        ("left", [1, 6, 7, 2], [(0, 0), (8, 13), (14, 18), (0, 0)]),
    ],
)
def test_a_long_text_is_cut_on_its_side_and_keeps_its_special_tokens(
    tokenizer: OwnTokenizer, side: str, ids: list[int], offsets: list[tuple[int, int]]
) -> None:
    tokenizer.truncation_side = side
    encoding = tokenizer("one two three four", truncation=True, max_length=4, return_offsets_mapping=True)
    assert encoding["input_ids"] == ids
    assert encoding["offset_mapping"] == offsets


def test_what_is_cut_off_comes_as_rows_that_overlap_by_the_stride(tokenizer: OwnTokenizer) -> None:
    encoding = tokenizer(
        "one two three four", truncation=True, max_length=5, stride=2, return_overflowing_tokens=True, padding=True
    )
    assert encoding["input_ids"] == [[1, 4, 5, 6, 2], [1, 5, 6, 7, 2]]
    assert encoding["overflow_to_sample_mapping"] == [0, 0]


def test_short_rows_are_filled_on_either_side(tokenizer: OwnTokenizer) -> None:
    right = tokenizer(["one", "one two"], padding=True)
    assert right["input_ids"] == [[1, 4, 2, 3], [1, 4, 5, 2]]
    assert right["attention_mask"] == [[1, 1, 1, 0], [1, 1, 1, 1]]
    left = tokenizer("one", padding="max_length", padding_side="left")
    assert left["input_ids"] == [3, 3, 3, 3, 1, 4, 2]  # 7 is the model's own length
    assert tokenizer("one", padding=True, pad_to_multiple_of=4)["input_ids"] == [1, 4, 2, 3]
    assert tokenizer.pad({"input_ids": [[4], [4, 5]]})["attention_mask"] == [[1, 0], [1, 1]]


def test_ids_become_text_again(tokenizer: OwnTokenizer) -> None:
    assert tokenizer.decode([1, 4, 5, 2]) == "<s>onetwo</s>"
    assert tokenizer.decode([1, 4, 5, 2], skip_special_tokens=True) == "onetwo"
    assert tokenizer.batch_decode([[4], [5]]) == ["one", "two"]
    assert tokenizer.decode(4) == "one"


def test_special_tokens_are_attributes(tmp_path: Path, words: Tokenizer) -> None:
    config = {**NAMED, "image_token": "<image>", "extra_special_tokens": ["<tool>"]}
    tokenizer = load(tmp_path, words, tokenizer_config=config)
    assert (tokenizer.bos_token, tokenizer.bos_token_id) == ("<s>", 1)
    assert (tokenizer.image_token, tokenizer.image_token_id) == ("<image>", 9)
    assert (tokenizer.extra_special_tokens, tokenizer.all_special_ids) == (["<tool>"], [1, 2, 0, 3, 9, 10])
    assert tokenizer.sep_token is None
    assert tokenizer.special_tokens_map == {**NAMED, "image_token": "<image>"}


def test_special_tokens_can_be_read_as_ordinary_text(tmp_path: Path, words: Tokenizer) -> None:
    tokenizer = load(tmp_path, words, tokenizer_config={**NAMED, "additional_special_tokens": ["<x>"]})
    assert tokenizer.encode("one<x>two", add_special_tokens=False) == [4, 9, 5]
    assert tokenizer.encode("one<x>two", add_special_tokens=False, split_special_tokens=True) == [0]
    assert tokenizer.encode_without_added_tokens("one <s> one<x>two") == [4, 1, 0]


def test_control_tokens_of_the_caller_are_encoded_as_text(tmp_path: Path, words: Tokenizer) -> None:
    from turnwire.tokens.sanitize import control_tokens, mark_control_tokens

    words.post_processor = None
    words.add_tokens([AddedToken("<x>", special=True), AddedToken("<y>"), AddedToken("<z>")])
    tokenizer = load(tmp_path, words, tokenizer_config=NAMED)
    tokens = control_tokens(tokenizer, "{{ '<y>' }} one")
    assert set(tokens) == {"<unk>", "<s>", "</s>", "<pad>", "<x>", "<y>"}
    marked = mark_control_tokens({"content": ["one<x>two"]}, tokens)["content"][0]
    encode = tokenizer(f"<x> {marked} <y>", sanitize_control_tokens=True, add_special_tokens=False)
    assert encode["input_ids"] == [9, 4, 0, 5, 10]
    with pytest.raises(ValueError, match="Can't sanitize '<s>': the tokenizer produces it from plain text"):
        tokenizer(mark_control_tokens("one <s>", tokens), sanitize_control_tokens=True, add_special_tokens=False)


# --- files that no tokenizer can be made of ---------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["tokenizer.model", "tekken.json", "tiktoken.model"])
def test_a_vocabulary_that_only_transformers_reads_is_named_with_the_way_to_convert_it(
    tmp_path: Path, name: str
) -> None:
    (tmp_path / name).write_bytes(b"\x00")
    with pytest.raises(ModelFileError) as caught:
        load(tmp_path, tokenizer_config={"tokenizer_class": "LlamaTokenizer"})
    assert caught.value.path.endswith("tokenizer.json")
    assert name in caught.value.problem
    assert "save_pretrained" in caught.value.mend


@pytest.mark.parametrize(
    ("files", "named", "words_in_it"),
    [
        ({"tokenizer_config": {"tokenizer_class": "WhisperTokenizer"}}, "tokenizer_config.json", "WhisperTokenizer"),
        ({"tokenizer_config": {"auto_map": {"AutoTokenizer": ["a.A", None]}}}, "tokenizer_config.json", "auto_map"),
        ({"config": {"tokenizer_class": "NoSuch"}}, "config.json", "NoSuch"),
        ({"tokenizer_config": {"tokenizer_class": "T5Tokenizer"}}, "tokenizer.json", "Unigram"),
    ],
)
def test_a_class_that_cannot_be_built_is_named(
    tmp_path: Path, words: Tokenizer, files: dict[str, Any], named: str, words_in_it: str
) -> None:
    with pytest.raises(ModelFileError) as caught:
        load(tmp_path, words, **files)
    assert Path(caught.value.path).name == named
    assert words_in_it in caught.value.problem
    assert caught.value.mend


@pytest.mark.parametrize("content", ["", "{", "{}", '{"model": {"type": "NoSuch"}}', "\xff"])
def test_a_broken_tokenizer_file_is_named(tmp_path: Path, content: str) -> None:
    (tmp_path / "tokenizer.json").write_text(content, encoding="latin-1")
    with pytest.raises(ModelFileError, match=r"tokenizer\.json"):
        load(tmp_path)


def test_half_a_vocabulary_is_named(tmp_path: Path) -> None:
    config = {"tokenizer_class": "GPT2Tokenizer"}
    with pytest.raises(ModelFileError, match=r"vocab\.json"):
        load(tmp_path, tokenizer_config=config)
    (tmp_path / "vocab.json").write_text('{"a": 0}', encoding="utf-8")
    with pytest.raises(ModelFileError, match=r"merges\.txt"):
        load(tmp_path, tokenizer_config=config)
    (tmp_path / "merges.txt").write_text("#version: 0.2\na b\n", encoding="utf-8")
    with pytest.raises(ModelFileError, match="do not fit together"):
        load(tmp_path, tokenizer_config=config)


# --- one tokenizer, many threads --------------------------------------------------------------------------------------

THREADS = 200


def random_job(rng: random.Random) -> tuple[list[str], dict[str, Any]]:
    texts = [rng.choice([*NASTY_TEXTS, generate_text(rng)]) for _ in range(rng.randint(1, 3))]
    arguments = {
        "truncation": rng.random() < 0.6,
        "max_length": rng.choice([4, 5, 8, 13, 50]),
        "padding": rng.choice([False, True, "max_length"]),
        "padding_side": rng.choice(["left", "right"]),
        "stride": rng.choice([0, 0, 1]),
        "return_overflowing_tokens": rng.random() < 0.3,
        "split_special_tokens": rng.random() < 0.3,
        "return_offsets_mapping": True,
        "verbose": False,
    }
    return texts, arguments


def run_job(tokenizer: OwnTokenizer, job: tuple[list[str], dict[str, Any]]) -> Any:
    encoding = tokenizer(job[0], **job[1])
    return {**encoding}, [tokenizer.decode(ids) for ids in encoding["input_ids"]]


@pytest.mark.parametrize("kind", ["byte_level", "llama_like", "wordpiece"])
def test_two_hundred_threads_get_what_each_gets_alone(tmp_path: Path, kind: str) -> None:
    config = {"pad_token": "[PAD]" if kind == "wordpiece" else "<pad>", "tokenizer_class": "TokenizersBackend"}
    folder = write_model(tmp_path, make_backend(kind), tokenizer_config=config)
    jobs = [random_job(random.Random(number)) for number in range(THREADS)]
    alone = load_tokenizer(read_model_files(folder))
    expected = [run_job(alone, job) for job in jobs]
    shared = load_tokenizer(read_model_files(folder))
    barrier = Barrier(THREADS)

    def work(number: int) -> bool:
        barrier.wait()  # so that even the first use of each setting happens at once
        order = [(number + step * 7) % THREADS for step in range(5)]
        return all(run_job(shared, jobs[place]) == expected[place] for place in order)

    before = shared.backend.to_str()
    with ThreadPoolExecutor(THREADS) as pool:
        assert all(pool.map(work, range(THREADS)))
    assert shared.backend.to_str() == before


def test_encoding_needs_no_array_library() -> None:
    code = """
import sys, tempfile
from pathlib import Path
from tests.generators.tokenizers import make_backend, write_model
from turnwire.loading.files import read_model_files
from turnwire.tokens.tokenizer import load_tokenizer
heavy = {"numpy", "torch", "transformers"}
before = heavy & sys.modules.keys()
with tempfile.TemporaryDirectory() as folder:
    config = {"pad_token": "<pad>", "tokenizer_class": "LlamaTokenizer"}
    folder = write_model(Path(folder), make_backend("llama_like"), tokenizer_config=config)
    tokenizer = load_tokenizer(read_model_files(folder))
    tokenizer.decode(tokenizer(["a", "b c"], padding=True, truncation=True, max_length=3)["input_ids"])
print(sorted((heavy & sys.modules.keys()) - before))
"""
    root = Path(__file__).resolve().parent.parent
    done = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=True)
    assert done.stdout.split("\n")[0] == "[]"
