"""Loading beside Transformers: the same folders, the same cache and the same saved templates, by both."""

from __future__ import annotations

import itertools
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tokenizers import Tokenizer, models

from tests.loopback_hub import LoopbackHub, Repository, serve_hub
from tests.test_loading import BROKEN, PRECEDENCE
from turnwire.errors import ModelFileError
from turnwire.loading.chat_templates import save_chat_templates
from turnwire.loading.files import read_model_files

transformers = pytest.importorskip("transformers", reason="Transformers, the reference, is not installed")

BACKEND = Tokenizer(models.WordLevel({"a": 0, "<unk>": 1}, unk_token="<unk>"))
CONFIG = {"tokenizer_class": "PreTrainedTokenizerFast"}
WriteFolder = Callable[..., Path]


@pytest.fixture
def write_folder(tmp_path: Path) -> WriteFolder:
    """Write a loadable model folder, anew at each call, with the given files over it."""

    def write(files: dict[str, Any], config: dict[str, Any] | None = None) -> Path:
        folder = tmp_path / "model"
        shutil.rmtree(folder, ignore_errors=True)
        plain = {"tokenizer.json": BACKEND.to_str(), "tokenizer_config.json": {**CONFIG, **(config or {})}}
        for name, content in {**plain, **files}.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            text = content if isinstance(content, (str, bytes)) else json.dumps(content)
            path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return folder

    return write


def reference_template(folder: Path, **arguments: Any) -> Any:
    return transformers.AutoTokenizer.from_pretrained(folder, **arguments).chat_template


@pytest.mark.parametrize(("files", "configured", "expected"), PRECEDENCE.values(), ids=PRECEDENCE)
def test_the_expected_templates_are_those_of_transformers(
    write_folder: WriteFolder, files: dict[str, Any], configured: Any, expected: Any
) -> None:
    folder = write_folder(files, {} if configured is None else {"chat_template": configured})
    assert reference_template(folder) == expected
    assert read_model_files(folder).chat_template == expected


def test_every_combination_of_places_gives_the_template_of_transformers(write_folder: WriteFolder) -> None:
    mains: list[dict[str, Any]] = [{}, {"chat_template.jinja": "A"}, {"chat_template.jinja": ""}]
    named = [(), ("x",), ("default",), ("file",), ("file", "default", "x"), ("", ".hidden")]
    configured = [
        {},
        {"chat_template": None},
        {"chat_template": "C"},
        {"chat_template": [{"name": "n", "template": "N"}]},
    ]
    old: list[dict[str, Any]] = [{}, {"special_tokens_map.json": {"chat_template": "S"}}]
    decoders: list[dict[str, Any]] = [{}, {"added_tokens_decoder": {}}]
    count = 0
    for main, names, config, special, decoder in itertools.product(mains, named, configured, old, decoders):
        files = {f"additional_chat_templates/{name}.jinja": f"<{name}>" for name in names}
        folder = write_folder({**main, **files, **special}, {**config, **decoder})
        assert read_model_files(folder).chat_template == reference_template(folder), (main, names, config, special)
        count += 1
    assert count == 288


def test_a_subfolder_gives_the_template_of_transformers(write_folder: WriteFolder) -> None:
    folder = write_folder(
        {
            "chat_template.jinja": "top",
            "additional_chat_templates/both.jinja": "top",
            "additional_chat_templates/only_top.jinja": "top",
            "sub/tokenizer.json": BACKEND.to_str(),
            "sub/tokenizer_config.json": CONFIG,
            "sub/chat_template.jinja": "sub",
            "sub/additional_chat_templates/both.jinja": "sub",
            "sub/additional_chat_templates/only_below.jinja": "sub",
        }
    )
    expected = reference_template(folder, subfolder="sub")
    assert expected == {"default": "sub", "both": "sub"}
    assert read_model_files(folder, subfolder="sub").chat_template == expected


# Transformers takes a number for a template, reads past a wrong id, and takes an LFS pointer for a template.
MORE_LENIENT = {
    "a template that is a number",
    "a named template that is a number",
    "an id that is no number",
    "a Git LFS pointer for the template",
}


@pytest.mark.parametrize("case", BROKEN)
def test_a_file_that_we_call_broken_does_not_load_in_transformers_either(write_folder: WriteFolder, case: str) -> None:
    name, content, _ = BROKEN[case]
    folder = write_folder({name: content})
    with pytest.raises(ModelFileError):
        read_model_files(folder)
    if case in MORE_LENIENT:
        reference_template(folder)
    else:
        with pytest.raises(Exception):  # noqa: B017, PT011 - JSONDecodeError, TypeError, AttributeError, KeyError ...
            reference_template(folder)


def test_a_processor_template_is_what_the_processor_takes_and_the_tokenizer_ignores(write_folder: WriteFolder) -> None:
    folder = write_folder({"chat_template.json": {"chat_template": "P"}})
    assert reference_template(folder) is None
    processor, _ = transformers.ProcessorMixin.get_processor_dict(folder)
    assert read_model_files(folder).chat_template == processor["chat_template"] == "P"


def test_the_versioned_tokenizer_is_the_one_transformers_opens(write_folder: WriteFolder) -> None:
    names = ["tokenizer.4.0.0.json", "tokenizer.5.24.0.json", "tokenizer.5.24.1.json", "tokenizer.json"]
    texts = {name: BACKEND.to_str().replace('"a":0', f'"{name}":0') for name in names}
    folder = write_folder(texts, {"fast_tokenizer_files": names})
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    chosen = Tokenizer.from_file(str(read_model_files(folder).paths["tokenizer.json"]))
    assert chosen.get_vocab() == tokenizer.get_vocab() == {"tokenizer.5.24.0.json": 0, "<unk>": 1}


# --- saving -----------------------------------------------------------------------------------------------------------

SAVED: list[Any] = [
    None,
    "A",
    "",
    "a\nb\r\nc\ufeff",
    {},
    {"default": "D"},
    {"x": "X"},
    {"b": "B", "default": "D", "a": "A"},
    {"a.b": "X", "": "E", "..": "Y", "ü ": "Z"},
    {"file": "F", "default": "D"},
    {"default": "D", "../x": "X"},
    {"/x": "X"},
    {"a/b": "X"},
    {"x\0": "X"},
    {"default": "D", "x": 5},
    {1: "X"},
    5,
    ["A"],
]


@pytest.mark.parametrize("template", SAVED, ids=repr)
@pytest.mark.parametrize("save_jinja_files", [True, False])
@pytest.mark.parametrize("prefix", [None, "p"])
def test_saved_templates_are_those_of_transformers(
    tmp_path: Path, template: Any, save_jinja_files: bool, prefix: str | None
) -> None:
    def outcome(save: Callable[..., Any], folder: Path) -> Any:
        folder.mkdir()
        config: dict[str, Any] = {"chat_template": "old", "x": 1}
        try:
            result, files = save(folder, config, prefix, save_jinja_files)
        except (ValueError, TypeError) as error:
            return type(error), str(error).replace(str(folder), "")
        assert result is config
        texts = {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
        return config, [os.path.relpath(file, folder) for file in files], texts

    tokenizer = transformers.PreTrainedTokenizerFast(tokenizer_object=BACKEND)
    tokenizer.chat_template = template
    ours = outcome(lambda *arguments: save_chat_templates(template, *arguments), tmp_path / "ours")
    assert ours == outcome(tokenizer.save_chat_templates, tmp_path / "theirs")
    if isinstance(ours[0], type):
        assert list((tmp_path / "ours").rglob("*")) == []


# --- one cache for both -----------------------------------------------------------------------------------------------

OURS = """
import json
from turnwire.loading.files import read_model_files
print(json.dumps(read_model_files("org/model").chat_template))
"""
THEIRS = """
import json
from transformers import AutoTokenizer
print(json.dumps(AutoTokenizer.from_pretrained("org/model").chat_template))
"""
NAMED = {"additional_chat_templates/tool_use.jinja": b"T", "additional_chat_templates/rag.jinja": b"R"}


@pytest.mark.parametrize(
    ("order", "named", "expected"),
    [
        ((THEIRS, OURS), NAMED, {"default": "A", "rag": "R", "tool_use": "T"}),
        # Without named templates: offline, Transformers overlooks those wherever the client knows that the cached
        # snapshot is not the whole repository, as after any download of chosen files.
        ((OURS, THEIRS), {}, "A"),
    ],
    ids=["theirs first", "ours first"],
)
def test_what_one_has_fetched_the_other_finds_without_the_network(
    tmp_path: Path, order: tuple[str, str], named: dict[str, bytes], expected: Any
) -> None:
    files = {
        "config.json": b"{}",
        "tokenizer_config.json": json.dumps(CONFIG).encode(),
        "tokenizer.json": BACKEND.to_str().encode(),
        "chat_template.jinja": b"A",
        "model.safetensors": b"W",
        **named,
    }
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("HF_")}

    def run(script: str, **environment: str) -> Any:
        done = subprocess.run(
            [sys.executable, "-c", script],
            env={**inherited, "HOME": str(tmp_path), "HF_HUB_DISABLE_TELEMETRY": "1", **environment},
            capture_output=True,
            text=True,
            timeout=120,
            cwd=tmp_path,
        )
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    with serve_hub(LoopbackHub({"org/model": Repository({"c" * 40: files}, {"main": "c" * 40})})) as hub:
        online = run(order[0], HF_ENDPOINT=hub.endpoint)
        hub.forget()
        offline = run(order[1], HF_ENDPOINT=hub.endpoint, HF_HUB_OFFLINE="1")
        assert hub.requests == []
    assert online == offline == expected
