"""Loading from the Hub: the real client, in a fresh process each time, against a Hub on loopback.

A fresh process, because the client reads its environment once, when it is imported, and keeps listings in memory.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from turnwire.errors import ModelNotFound
from turnwire.loading.files import read_model_files

from .loopback_hub import LoopbackHub, Repository, serve_hub

OLD, NEW = "a" * 40, "b" * 40
WEIGHTS = {"model.safetensors": b"W" * 999, "pytorch_model.bin": b"W", "model.gguf": b"W", "tf_model.h5": b"W"}
FILES = {
    **WEIGHTS,
    "README.md": b"text",
    "config.json": b'{"model_type": "llama"}',
    "tokenizer_config.json": b'{"chat_template": "configured"}',
    "tokenizer.json": b'{"version": "1.0"}',
    "tokenizer.model": b"vocabulary",
    "vocab.json": b"{}",
    "chat_template.jinja": b"old\r\n",
    "additional_chat_templates/tool_use.jinja": b"tools",
    "onnx/tokenizer.json": b"elsewhere",
}
WANTED = [
    "additional_chat_templates/tool_use.jinja",
    "chat_template.jinja",
    "config.json",
    "tokenizer.json",
    "tokenizer_config.json",
]
SCRIPT = """
import json, sys
from turnwire.loading.files import read_model_files
try:
    files = read_model_files(**json.loads(sys.argv[1]))
except Exception as error:
    outcome = {"error": type(error).__name__, "text": str(error), "cause": type(error.__cause__).__name__}
else:
    texts = {name: path.read_text(encoding="utf-8") for name, path in files.paths.items()}
    folders = sorted({str(path.parent) for name, path in files.paths.items() if "/" not in name})
    outcome = {"template": files.chat_template, "texts": texts, "folders": folders, "is_local": files.is_local}
print(json.dumps(outcome))
"""


class Load(NamedTuple):
    """How a load in a fresh process went."""

    outcome: dict[str, Any]
    requests: list[tuple[str, str]]
    fetched: list[str]
    stderr: str


class Machine:
    """A user's machine with an empty home, on which each load is a process of its own."""

    def __init__(self, home: Path, hub: LoopbackHub) -> None:
        self.home, self.hub = home, hub

    def load(self, source: str = "org/model", environment: dict[str, str] | None = None, **arguments: Any) -> Load:
        self.hub.forget()
        inherited = {name: value for name, value in os.environ.items() if not name.startswith("HF_")}
        # Telemetry asks the Hub once a day for a list of agent programs, which is no part of a load.
        settings = {"HF_ENDPOINT": self.hub.endpoint, "HF_HUB_DISABLE_TELEMETRY": "1"}
        done = subprocess.run(
            [sys.executable, "-c", SCRIPT, json.dumps({"source": source, **arguments})],
            env={**inherited, "HOME": str(self.home), **settings, **(environment or {})},
            capture_output=True,
            text=True,
            timeout=120,
            cwd=self.home,
        )
        assert done.returncode == 0, done.stderr
        return Load(json.loads(done.stdout), list(self.hub.requests), sorted(self.hub.delivered), done.stderr)


@pytest.fixture
def hub() -> Iterator[LoopbackHub]:
    commits = {OLD: FILES, NEW: {**FILES, "chat_template.jinja": b"new"}}
    refs = {"main": OLD, "v1": OLD, "try/it": NEW}
    model = Repository(commits, refs, large=frozenset({"tokenizer.json"}))
    with serve_hub(LoopbackHub({"org/model": model})) as served:
        yield served


@pytest.fixture
def machine(tmp_path: Path, hub: LoopbackHub) -> Machine:
    return Machine(tmp_path, hub)


def failed(load: Load) -> tuple[str, str]:
    """Return the text of the ModelNotFound that a load ended with, and the type of the client's error behind it."""
    assert load.outcome.get("error") == "ModelNotFound", load.outcome
    return load.outcome["text"], load.outcome["cause"]


# --- what is fetched --------------------------------------------------------------------------------------------------


def test_a_first_load_fetches_the_small_files_of_one_commit_and_no_weights(machine: Machine) -> None:
    load = machine.load()
    assert load.outcome["template"] == {"default": "old\n", "tool_use": "tools"}
    assert load.outcome["texts"]["tokenizer.json"] == '{"version": "1.0"}'  # came through a redirect
    assert load.outcome["is_local"] is False
    assert load.fetched == WANTED
    assert not [path for _, path in load.requests if any(path.endswith(name) for name in WEIGHTS)]
    # One for the commit, one for its list of files, and a look and a fetch for each file; older clients need no list.
    assert len(load.requests) <= 2 + 2 * len(WANTED)
    assert load.stderr == ""


def test_a_second_load_asks_only_for_the_commit(machine: Machine) -> None:
    first = machine.load()
    second = machine.load()
    assert second.outcome == first.outcome
    assert second.requests == [("GET", "/api/models/org/model/revision/main")]


def test_a_second_load_sees_that_the_branch_has_moved(machine: Machine, hub: LoopbackHub) -> None:
    machine.load()
    hub.repositories["org/model"].refs["main"] = NEW
    load = machine.load()
    assert load.outcome["template"] == {"default": "new", "tool_use": "tools"}
    assert "chat_template.jinja" in load.fetched
    assert "tokenizer.json" not in load.fetched  # the same content is in the cache already


def test_all_files_are_of_one_commit_though_the_branch_moves_meanwhile(machine: Machine, hub: LoopbackHub) -> None:
    old = {**FILES, "tokenizer_config.json": b'{"fast_tokenizer_files": ["tokenizer.4.json"]}'}
    old["tokenizer.4.json"] = b'{"old": 1}'
    hub.repositories["org/model"].commits.update({OLD: old, NEW: {**FILES, "tokenizer.4.json": b'{"new": 1}'}})
    hub.moves["main"] = NEW
    load = machine.load()
    assert load.outcome["texts"]["tokenizer.json"] == '{"old": 1}'
    assert load.outcome["template"] == {"default": "old\n", "tool_use": "tools"}
    assert not [path for _, path in load.requests if NEW in path]


def test_only_the_tokenizer_file_that_counts_is_fetched(machine: Machine, hub: LoopbackHub) -> None:
    names = ["tokenizer.4.0.0.json", "tokenizer.99.0.0.json"]
    config = json.dumps({"fast_tokenizer_files": names}).encode()
    hub.repositories["org/model"].commits[OLD] = {
        **FILES,
        **dict.fromkeys(names, b"{}"),
        "tokenizer_config.json": config,
    }
    load = machine.load()
    assert [name for name in load.fetched if name.startswith("tokenizer")] == [names[0], "tokenizer_config.json"]


def test_vocabulary_files_are_fetched_only_where_there_is_no_tokenizer_file(machine: Machine, hub: LoopbackHub) -> None:
    hub.repositories["org/model"].commits[OLD] = {k: v for k, v in FILES.items() if k != "tokenizer.json"}
    load = machine.load()
    assert sorted(load.outcome["texts"]) == sorted({*WANTED, "tokenizer.model", "vocab.json"} - {"tokenizer.json"})


def test_a_subfolder_of_a_repository_is_read_instead_of_its_top(machine: Machine, hub: LoopbackHub) -> None:
    below = {f"sub[1]/{name}": data for name, data in {**FILES, "chat_template.jinja": b"below"}.items()}
    hub.repositories["org/model"].commits[OLD] = {**FILES, **below, "sub1/chat_template.jinja": b"another"}
    load = machine.load(subfolder="sub[1]")
    assert load.outcome["template"] == {"default": "below", "tool_use": "tools"}
    assert "chat_template.jinja" not in load.fetched
    assert "sub1/chat_template.jinja" not in load.fetched


def test_a_repository_without_a_tokenizer_is_told_where_one_belongs(machine: Machine) -> None:
    text, _ = failed(machine.load(subfolder="gone"))
    assert text == (
        "org/model, subfolder gone, has no tokenizer file, or the cache holds only a part of it. Load it once with the "
        "network, or pass the id and the subfolder where tokenizer.json lies"
    )


def test_a_subfolder_outside_the_repository_is_refused(machine: Machine) -> None:
    text, _ = failed(machine.load(subfolder="../" + NEW))
    assert text.startswith(f"subfolder='../{NEW}' leaves the repository org/model")


# --- which revision ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("revision", "template"), [("v1", "old\n"), ("try/it", "new"), (OLD, "old\n"), (NEW, "new")])
def test_a_tag_a_branch_and_a_commit_are_revisions(machine: Machine, revision: str, template: str) -> None:
    assert machine.load(revision=revision).outcome["template"] == {"default": template, "tool_use": "tools"}


def test_an_unknown_revision_is_named(machine: Machine) -> None:
    text, cause = failed(machine.load(revision="v2"))
    assert text == "org/model has no revision 'v2'. Pass a branch, a tag or a full commit id of it as revision="
    assert cause == "RevisionNotFoundError"


# --- environment and arguments ----------------------------------------------------------------------------------------


def test_the_token_is_sent_to_the_hub_and_not_to_its_storage(machine: Machine, hub: LoopbackHub) -> None:
    machine.load(environment={"HF_TOKEN": "hf_right"})
    assert hub.authorizations == {"Bearer hf_right"}
    assert hub.storage_authorizations == {None}


def test_the_token_argument_beats_the_environment(machine: Machine, hub: LoopbackHub) -> None:
    machine.load(environment={"HF_TOKEN": "hf_right"}, token="hf_other")
    assert hub.authorizations == {"Bearer hf_other"}
    machine.load(environment={"HF_TOKEN": "hf_right"}, token=False)
    assert hub.authorizations == {None}


@pytest.mark.parametrize("variable", ["HF_HOME", "HF_HUB_CACHE", None])
def test_the_cache_lies_where_the_environment_or_the_argument_says(machine: Machine, variable: str | None) -> None:
    place = machine.home / "place"
    load = machine.load(environment={variable: str(place)}) if variable else machine.load(cache_dir="~/place")
    inside = place / "hub" if variable == "HF_HOME" else place
    assert load.outcome["folders"] == [str(inside / "models--org--model" / "snapshots" / OLD)]
    assert not (machine.home / ".cache").exists()


@pytest.mark.parametrize("how", ["argument", "environment"])
def test_a_cached_model_loads_without_any_request(machine: Machine, how: str) -> None:
    first = machine.load()
    if how == "argument":
        offline = machine.load(local_files_only=True)
    else:
        offline = machine.load(environment={"HF_HUB_OFFLINE": "1"})
    assert offline.outcome == first.outcome
    assert offline.requests == []


def test_without_the_network_an_uncached_model_is_told_how_to_get_it(machine: Machine) -> None:
    text, cause = failed(machine.load(local_files_only=True))
    assert text == (
        "org/model is not, or not wholly, in the cache, and downloads are off. "
        "Load it once without local_files_only=True"
    )
    assert cause == "LocalEntryNotFoundError"
    text, _ = failed(machine.load(environment={"HF_HUB_OFFLINE": "1"}))
    assert text.endswith("downloads are off. Load it once with HF_HUB_OFFLINE unset")
    machine.load()
    text, _ = failed(machine.load(local_files_only=True, revision="v1"))
    assert text.startswith("org/model at revision 'v1' is not, or not wholly, in the cache")


# --- a Hub that refuses or fails --------------------------------------------------------------------------------------


def test_an_unknown_model_is_named_with_both_things_it_could_be(machine: Machine, hub: LoopbackHub) -> None:
    text, cause = failed(machine.load("org/modle"))
    assert text == (
        f"org/modle is neither a folder here nor a model that {hub.endpoint} shows you. Check the spelling, or, if the "
        "model is private, pass token=, set HF_TOKEN or run `hf auth login`"
    )
    assert cause == "RepositoryNotFoundError"


def test_a_private_model_opens_to_the_right_token(machine: Machine, hub: LoopbackHub) -> None:
    hub.repositories["org/model"].private = True
    _, cause = failed(machine.load())
    assert cause == "RepositoryNotFoundError"
    assert machine.load(token=hub.token).fetched == WANTED


def test_a_gated_model_says_that_its_terms_come_first(machine: Machine, hub: LoopbackHub) -> None:
    hub.repositories["org/model"].gated = True
    text, cause = failed(machine.load())
    assert text.startswith(
        f"org/model is a gated model: {hub.endpoint} shows it only to accounts that accepted its terms"
    )
    assert cause == "GatedRepoError"
    assert machine.load(token=hub.token).fetched == WANTED


@pytest.mark.parametrize("source", ["not an id", "", "org/na@me", "-x"])
def test_a_name_that_can_be_no_id_is_not_asked_for(
    source: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # In this process: whatever Hub the client here would ask, it must not come to that.
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("socket.socket.connect", lambda *_: pytest.fail("asked somebody"))
    with pytest.raises(ModelNotFound) as caught:
        read_model_files(source)
    assert str(caught.value).startswith(f"{source!r} is neither a folder here nor a Hub id. Pass an existing folder")
    assert type(caught.value.__cause__).__name__ == "HFValidationError"


@pytest.mark.parametrize(
    ("status", "expected"),
    [
        (401, "answered with status 401. To be let in, pass token=, set HF_TOKEN or run `hf auth login`"),
        (503, "is out of reach. Check the network and try again"),
    ],
)
def test_a_failing_hub_is_named(machine: Machine, hub: LoopbackHub, status: int, expected: str) -> None:
    hub.status = status
    text, _ = failed(machine.load())
    assert text.endswith(f"{hub.endpoint} {expected}")


def test_a_cached_model_loads_though_the_hub_fails_or_is_gone(machine: Machine, hub: LoopbackHub) -> None:
    first = machine.load()
    hub.status = 503
    assert machine.load().outcome == first.outcome
    nobody = {"HF_ENDPOINT": "http://127.0.0.1:9"}  # the discard port: nobody listens
    assert machine.load(environment=nobody).outcome == first.outcome
    text, _ = failed(machine.load("org/other", environment=nobody))
    assert text.endswith("http://127.0.0.1:9 is out of reach. Check the network and try again")


@pytest.mark.parametrize("name", ["chat_template.jinja", "tokenizer.json"])
def test_a_download_that_breaks_off_leaves_nothing_that_is_used(machine: Machine, hub: LoopbackHub, name: str) -> None:
    hub.repositories["org/model"].large = frozenset()
    hub.breaking = {name}
    text, _ = failed(machine.load())
    assert text.startswith("org/model")
    assert hub.endpoint in text
    # Without the broken file the rest must not pass for the whole model: another template would take its place.
    text, _ = failed(machine.load(local_files_only=True))
    # The first by clients that keep the repository's list of files, the second by those before 1.31.
    assert "is not, or not wholly, in the cache" in text or "or the cache holds only a part of it" in text
    cache = machine.home / ".cache" / "huggingface" / "hub" / "models--org--model"
    half = FILES[name][: len(FILES[name]) // 2]
    assert not [path for path in cache.rglob("*") if path.is_file() and path.read_bytes() == half]
    hub.breaking = set()
    load = machine.load()
    assert load.outcome["template"] == {"default": "old\n", "tool_use": "tools"}
    assert name in load.fetched
    assert load.outcome["texts"][name].encode() == FILES[name].replace(b"\r\n", b"\n")


def test_a_cache_that_cannot_be_written_is_named(machine: Machine) -> None:
    (machine.home / "place").write_text("a file where a folder belongs")
    text, cause = failed(machine.load(cache_dir="~/place"))
    assert text.startswith("org/model cannot be kept in the cache (")
    assert cause in ("NotADirectoryError", "FileExistsError")
