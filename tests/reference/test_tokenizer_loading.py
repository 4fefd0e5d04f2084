"""Tokenizers as Transformers builds them: every way to store settings, every class, random mixes of both."""

from __future__ import annotations

import itertools
import json
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from tokenizers import AddedToken, Tokenizer, models, pre_tokenizers

from tests.generators.tokenizers import KINDS, REBUILT, SETTINGS, generate_folder, make_backend, write_model
from turnwire.loading.files import read_model_files
from turnwire.tokens.classes import choose_class
from turnwire.tokens.tokenizer import load_tokenizer

transformers = pytest.importorskip("transformers", reason="Transformers, the reference, is not installed")

from tests.reference.tokenizer_outcomes import (  # noqa: E402
    AutoTokenizer,
    capture,
    describe_call,
    describe_state,
    load_both,
    warned_texts,
)

ROOT = Path(__file__).resolve().parents[2]
CLASSES = json.loads(Path(choose_class.__code__.co_filename).with_name("classes.json").read_text(encoding="utf-8"))


def compare_loading(folder: Path) -> str:
    """Load a model by both, and fail where they differ; return what came of it."""
    ours = capture(lambda: load_tokenizer(read_model_files(folder)))
    theirs = capture(lambda: AutoTokenizer.from_pretrained(folder))
    if isinstance(theirs, tuple):
        # Files that nothing can be made of: turnwire says which one and how to mend it.
        assert isinstance(ours, tuple)
        assert ours == theirs or ours[0] == "ModelFileError"
        return "refused"
    assert not isinstance(ours, tuple), ours
    state, expected = describe_state(ours), describe_state(theirs)
    assert {key: state[key] for key in state if state[key] != expected[key]} == {
        key: expected[key] for key in state if state[key] != expected[key]
    }
    return str(state["class"])


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", SETTINGS)
def test_every_way_to_store_settings_gives_the_same_tokenizer(name: str, kind: str, tmp_path: Path) -> None:
    outcome = compare_loading(write_model(tmp_path, make_backend(kind), **SETTINGS[name]))
    assert (outcome == "refused") == (
        "wrong" in name or name in {"plain_dict", "odd_decoder", "special_map_list_of_dicts"}
    )


@pytest.mark.parametrize("class_name", REBUILT)
@pytest.mark.parametrize("name", SETTINGS)
def test_a_class_that_rebuilds_gives_the_same_tokenizer(name: str, class_name: str, tmp_path: Path) -> None:
    files = {**SETTINGS[name]}
    files["tokenizer_config"] = {**files.get("tokenizer_config", {}), "tokenizer_class": class_name}
    outcome = compare_loading(write_model(tmp_path, make_backend(REBUILT[class_name]), **files))
    assert outcome in (class_name, "refused")


@pytest.mark.parametrize("class_name", REBUILT)
def test_a_class_that_rebuilds_reads_what_transformers_saved(class_name: str, tmp_path: Path) -> None:
    config = {"tokenizer_class": class_name, "extra_special_tokens": ["<a>"], "pad_token": "<mine>"}
    first = write_model(tmp_path / "first", make_backend(REBUILT[class_name]), tokenizer_config=config)
    AutoTokenizer.from_pretrained(first).save_pretrained(tmp_path / "second")
    assert compare_loading(tmp_path / "second") == class_name


@pytest.mark.parametrize("class_name", [name for name, kind in REBUILT.items() if kind in ("byte_level", "llama_like")])
@pytest.mark.parametrize("kind", KINDS)
def test_a_class_takes_the_vocabulary_of_any_model(class_name: str, kind: str, tmp_path: Path) -> None:
    folder = write_model(tmp_path, make_backend(kind), tokenizer_config={"tokenizer_class": class_name})
    assert compare_loading(folder) != "refused"


def test_merges_of_a_model_with_a_prefix_are_built_anew(tmp_path: Path) -> None:
    model = models.BPE({"a": 0, "##b": 1, "ab": 2}, [("a", "##b")], continuing_subword_prefix="##")
    folder = write_model(tmp_path, Tokenizer(model), tokenizer_config={"tokenizer_class": "GPT2Tokenizer"})
    assert compare_loading(folder) == "refused"  # without the prefix the merge leads to a token that is not there


@pytest.mark.parametrize("class_name", ["GPT2Tokenizer", "Qwen2Tokenizer", "GPTNeoXTokenizer", "CohereTokenizer"])
@pytest.mark.parametrize("name", ["nothing", "new_strings", "adds_bos_and_eos", "decoder", "special_map_dicts"])
def test_vocabulary_and_merges_do_instead_of_a_tokenizer_file(class_name: str, name: str, tmp_path: Path) -> None:
    files = {**SETTINGS[name]}
    files["tokenizer_config"] = {**files.get("tokenizer_config", {}), "tokenizer_class": class_name}
    folder = write_model(tmp_path, None, **files)
    make_backend("byte_level", added=0).model.save(str(folder))
    assert sorted(path.name for path in folder.iterdir() if "token" not in path.name) == ["merges.txt", "vocab.json"]
    assert compare_loading(folder) == class_name


BATCHES = 20
BATCH = 30


@pytest.mark.parametrize("batch", range(BATCHES))
def test_a_random_folder_gives_the_same_tokenizer(batch: int, tmp_path: Path) -> None:
    for seed in range(batch * BATCH, (batch + 1) * BATCH):
        compare_loading(generate_folder(tmp_path / str(seed), seed))


def test_random_folders_reach_every_class_and_are_rarely_wrong(tmp_path: Path) -> None:
    outcomes: Counter[str] = Counter()
    for seed in range(400):
        folder = generate_folder(tmp_path / "model", seed)
        try:
            outcomes[load_tokenizer(read_model_files(folder)).class_name] += 1
        except Exception:
            outcomes["refused"] += 1
        shutil.rmtree(folder)
    assert {*REBUILT, "TokenizersBackend"} <= outcomes.keys()
    assert outcomes["refused"] < 120


# --- which class ------------------------------------------------------------------------------------------------------


def test_the_tables_are_those_of_the_installed_version() -> None:
    if CLASSES["transformers"] != transformers.__version__:
        pytest.skip(
            f"the tables are of Transformers {CLASSES['transformers']}, and {transformers.__version__} is installed"
        )
    # In a process of its own: what Transformers finds under a name depends on what has been imported before.
    code = (
        "import json; from fixtures.record_tokenizer_classes import record_classes; print(json.dumps(record_classes()))"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout.splitlines()[-1]) == CLASSES


BUILT = {*REBUILT, "TokenizersBackend"}
MODEL_TYPES = sorted({*CLASSES["class_of_model_type"], *CLASSES["class_of_config"], "nosuch"})
# What a DPR name means depends on what has been imported before, and RAG loads its tokenizers in a way of its own.
KNOWN_NAMES = [name for name in CLASSES["class_of_name"] if not name.startswith(("DPR", "Rag"))]
NAMES = [None, *KNOWN_NAMES, "NoSuchTokenizer", "BloomTokenizerFast", "GemmaTokenizerFast"]
FEW_TYPES = [
    "llama",
    "qwen2",
    "qwen3",
    "mistral",
    "phi3",
    "gpt2",
    "hyperclovax_vision_v2",
    "siglip",
    "t5",
    "nosuch",
    None,
]
FEW_NAMES = [
    None,
    "LlamaTokenizerFast",
    "Qwen2Tokenizer",
    "GPT2Tokenizer",
    "PreTrainedTokenizerFast",
    "NoSuchTokenizer",
]


@pytest.mark.parametrize("kind", ["byte_level", "llama_like"])
@pytest.mark.parametrize("place", ["tokenizer_config", "config"])
def test_the_class_is_the_one_that_transformers_would_build(
    place: str, kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from transformers.tokenization_utils_base import PreTrainedTokenizerBase

    monkeypatch.setattr(PreTrainedTokenizerBase, "from_pretrained", classmethod(lambda cls, *_, **__: cls.__name__))
    folder = write_model(tmp_path, make_backend(kind))
    data = (folder / "tokenizer.json").read_bytes()
    differing = {}
    cases = set(itertools.product(FEW_TYPES, FEW_NAMES))
    if (place, kind) == ("tokenizer_config", "llama_like"):
        cases |= {*itertools.product(FEW_TYPES[:6], NAMES), *itertools.product(MODEL_TYPES, FEW_NAMES[:3])}
    for model_type, name in cases:
        config = {} if model_type is None else {"model_type": model_type}
        tokenizer_config: dict[str, Any] = {}
        if name is not None:
            (tokenizer_config if place == "tokenizer_config" else config)["tokenizer_class"] = name
        write_model(tmp_path, None, config=config, tokenizer_config=tokenizer_config)
        ours = capture(lambda: choose_class(read_model_files(folder), data))
        theirs = capture(lambda: AutoTokenizer.from_pretrained(folder))
        if (model_type, name) in (("nougat", None), ("rag", None)):
            continue  # needs more of a config than its type
        # What Transformers cannot build, turnwire refuses as well, some of it only once the class is known.
        if ours != theirs and not (isinstance(theirs, tuple) and (isinstance(ours, tuple) or ours not in BUILT)):
            differing[model_type, name] = (ours, theirs)
    assert differing == {}


@pytest.mark.parametrize(
    ("config", "tokenizer_config"),
    [
        ({"model_type": "nosuch"}, {"auto_map": {"AutoTokenizer": ["a.A", None]}}),
        ({"model_type": "nosuch"}, {"auto_map": ["a.A", None]}),
        ({"model_type": "nosuch"}, {"auto_map": {"AutoTokenizer": ["a.A", None]}, "tokenizer_class": "NoSuch"}),
        ({"model_type": "nosuch"}, {"auto_map": {"AutoTokenizer": [None, "a.A"]}, "tokenizer_class": "Qwen2Tokenizer"}),
        ({"model_type": "nosuch"}, {"auto_map": {"AutoProcessor": "a.A"}, "tokenizer_class": "Qwen2TokenizerFast"}),
        ({"model_type": "internlm2"}, {"auto_map": {"AutoTokenizer": ["a.A", None]}}),
        ({"model_type": "qwen2"}, {"auto_map": {"AutoTokenizer": ["a.A", None]}, "tokenizer_class": "LlamaTokenizer"}),
        ({"model_type": "qwen3"}, {"auto_map": {"AutoTokenizer": ["a.A", None]}, "tokenizer_class": "LlamaTokenizer"}),
        ({"auto_map": {"AutoConfig": "c.C"}, "model_type": "nosuch"}, {"tokenizer_class": "GPT2Tokenizer"}),
    ],
)
def test_code_in_the_repository_is_never_run(
    config: dict[str, Any], tokenizer_config: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("builtins.input", lambda _: "n")  # Transformers asks whether to run it
    compare_loading(write_model(tmp_path, make_backend("byte_level"), config=config, tokenizer_config=tokenizer_config))


@pytest.mark.parametrize(
    "source", ["deepseek-ai/DeepSeek-R1-Distill-Llama-8B", "stepfun-ai/Step-3.7-x", "allenai/dolma2-tokenizer"]
)
def test_models_known_by_their_id_take_the_file_as_it_is(
    source: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # As relative folders, ids need no Hub.
    monkeypatch.chdir(tmp_path)
    config = {"tokenizer_class": "LlamaTokenizer"}
    write_model(tmp_path / source, make_backend("llama_like"), tokenizer_config=config)
    assert compare_loading(Path(source)) == "LlamaTokenizer"  # what is not known is the model's type
    write_model(tmp_path / source, None, config={"model_type": "llama"})
    assert compare_loading(Path(source)) == "TokenizersBackend"


# --- warnings and mends -----------------------------------------------------------------------------------------------


BIG = {f"t{number}": number for number in range(100_010)}
"""More than the 100,000 tokens from which on Mistral's pattern is looked at."""


def big_folder(folder: Path, config: dict[str, Any] | None, fix: bool | None, pre_tokenizer: Any) -> Path:
    backend = Tokenizer(models.WordLevel(BIG, unk_token="t0"))
    backend.pre_tokenizer = pre_tokenizer
    backend.add_tokens([AddedToken("<s>", special=True)])
    tokenizer_config = {
        "tokenizer_class": "PreTrainedTokenizerFast",
        **({} if fix is None else {"fix_mistral_regex": fix}),
    }
    return write_model(folder, backend, config=config, tokenizer_config=tokenizer_config)


@pytest.mark.parametrize("fix", [None, True, False])
@pytest.mark.parametrize(
    "config",
    [
        None,
        {},
        {"model_type": "mistral"},
        {"model_type": "llama"},
        {"model_type": "mistral", "transformers_version": "4.57.1"},
        {"model_type": "mistral", "transformers_version": "5.0.0.dev0"},
        {"model_type": "mistral", "transformers_version": "5.0.0rc1"},
        {"model_type": "mistral", "transformers_version": "5.1.0"},
        {"model_type": "mistral3", "transformers_version": "5.0.0"},
    ],
)
def test_the_mend_of_mistrals_pattern_is_the_same(
    config: dict[str, Any] | None, fix: bool | None, tmp_path: Path
) -> None:
    kinds = [
        pre_tokenizers.ByteLevel(add_prefix_space=False),
        pre_tokenizers.Metaspace(split=False),
        pre_tokenizers.Sequence([pre_tokenizers.Digits(), pre_tokenizers.ByteLevel(use_regex=False)]),
    ]
    for number, pre_tokenizer in enumerate(kinds if config == {"model_type": "mistral"} else kinds[:1]):
        folder = big_folder(tmp_path / str(number), config, fix, pre_tokenizer)
        with warned_texts("turnwire") as ours:
            own = load_tokenizer(read_model_files(folder))
        with warned_texts("transformers") as theirs:
            reference = AutoTokenizer.from_pretrained(folder)
        assert own.backend.pre_tokenizer.__getstate__() == reference.backend_tokenizer.pre_tokenizer.__getstate__()
        assert ours == [text for text in theirs if "regex" in text]


def test_infilling_is_refused_where_transformers_would_rearrange_the_text(tmp_path: Path) -> None:
    config = {"tokenizer_class": "CodeLlamaTokenizer"}
    ours, theirs = load_both(write_model(tmp_path, make_backend("llama_like"), tokenizer_config=config))
    assert describe_call(ours, "no gap") == describe_call(theirs, "no gap")
    with pytest.raises(NotImplementedError, match="FILL_ME"):
        ours("def f(<FILL_ME>):")


@pytest.mark.parametrize(
    ("config", "tokenizer_config"),
    [
        ({"model_type": "llama", "num_hidden_layers": "many"}, {}),  # what only the model's weights need
        ({}, {"encode": True}),  # a setting named like a method
    ],
)
def test_what_a_tokenizer_does_not_need_is_not_checked(
    config: dict[str, Any], tokenizer_config: dict[str, Any], tmp_path: Path
) -> None:
    folder = write_model(tmp_path, make_backend("byte_level"), config=config, tokenizer_config=tokenizer_config)
    assert isinstance(capture(lambda: AutoTokenizer.from_pretrained(folder)), tuple)
    assert load_tokenizer(read_model_files(folder)).decode([5]) == make_backend("byte_level").decode([5])
