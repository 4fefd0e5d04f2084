"""Every snippet and command of the README runs, in an empty folder, against a Hub on loopback."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tokenizers import Tokenizer, decoders, models, pre_tokenizers

from tests.loopback_hub import LoopbackHub, Repository, serve_hub
from turnwire.compare.cases import read_corpus

README = Path(__file__).resolve().parent.parent / "README.md"
BLOCKS = re.findall(r"^(<!-- ([\w-]+) -->\n)?```(\w+)\n(.*?)^```$", README.read_text(encoding="utf-8"), re.M | re.S)
PYTHON = [code for _, _, language, code in BLOCKS if language == "python"]
SHELL = [code for _, _, language, code in BLOCKS if language == "sh"]
CONSOLE = [code for _, _, language, code in BLOCKS if language == "console"]
MARKED = {mark: code for _, mark, _, code in BLOCKS if mark}

SPECIAL = ["<|endoftext|>", "<|im_start|>", "<|im_end|>", "<think>", "</think>", "<tool_call>", "</tool_call>"]


def tiny_qwen3() -> dict[str, bytes]:
    """Return the files of a model with Qwen3's template and a tokenizer that knows bytes and Qwen3's marks."""
    alphabet = {letter: number for number, letter in enumerate(sorted(pre_tokenizers.ByteLevel.alphabet()))}
    tokenizer = Tokenizer(models.BPE(vocab=alphabet, merges=[]))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.add_special_tokens(SPECIAL)
    template = next(template.text for template in read_corpus() if template.name == "Qwen-Qwen3-0.6B@a55ee1")
    config = {"tokenizer_class": "PreTrainedTokenizerFast", "eos_token": "<|im_end|>", "pad_token": "<|endoftext|>"}
    return {
        "config.json": b"{}",
        "tokenizer.json": tokenizer.to_str().encode(),
        "tokenizer_config.json": json.dumps(config).encode(),
        "chat_template.jinja": template.encode(),
        "model.safetensors": b"weights that nobody asks for",
    }


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    repository = Repository({"a" * 40: tiny_qwen3()}, {"main": "a" * 40})
    hub = LoopbackHub({"Qwen/Qwen3-0.6B": repository})
    with serve_hub(hub):
        home = str(tmp_path_factory.mktemp("hub"))
        scripts = str(Path(sys.executable).parent)
        yield {
            **os.environ,
            "HF_ENDPOINT": hub.endpoint,
            "HF_HOME": home,
            "HF_HUB_DISABLE_TELEMETRY": "1",
            "PATH": scripts + os.pathsep + os.environ["PATH"],
            "COLUMNS": "120",
        }
    assert "model.safetensors" not in " ".join(hub.delivered)


def test_the_readme_has_snippets_and_commands() -> None:
    assert len(PYTHON) >= 5
    assert len(SHELL) >= 3
    assert set(MARKED) == {"demo-command", "test-command"}


@pytest.mark.parametrize("code", PYTHON, ids=[f"python{number}" for number in range(len(PYTHON))])
def test_a_snippet_of_the_readme_runs(code: str, environment: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "snippet.py").write_text(code, encoding="utf-8")
    run([sys.executable, "snippet.py"], environment, tmp_path)


def test_the_commands_of_the_readme_run_one_after_the_other(environment: dict[str, str], tmp_path: Path) -> None:
    if shutil.which("turnwire", path=environment["PATH"]) is None:
        pytest.skip("the command turnwire is not installed beside this Python")
    run(["bash", "-euo", "pipefail", "-c", "\n".join(SHELL)], environment, tmp_path)


@pytest.mark.parametrize("session", CONSOLE, ids=[f"console{number}" for number in range(len(CONSOLE))])
def test_a_session_of_the_readme_prints_what_it_shows(
    session: str, environment: dict[str, str], tmp_path: Path
) -> None:
    if shutil.which("turnwire", path=environment["PATH"]) is None:
        pytest.skip("the command turnwire is not installed beside this Python")
    command, _, expected = session.removeprefix("$ ").partition("\nturnwire: ")
    done = subprocess.run(
        ["bash", "-c", command], env=environment, cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.stderr == f"turnwire: {expected}"


def run(command: list[str], environment: dict[str, str], folder: Path) -> None:
    done = subprocess.run(command, env=environment, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
