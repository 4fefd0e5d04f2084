"""``turnwire diff`` with the installed Transformers on the other side."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import turnwire.compare.run as run
from turnwire.cli import main
from turnwire.compare.cases import ChatInput, read_shipped_chat_inputs
from turnwire.compare.model import compare_model
from turnwire.compare.reference import reference_version
from turnwire.errors import ModelNotComparable
from turnwire.model import ChatModel
from turnwire.template.render import RenderedChat, render_conversation

pytest.importorskip("transformers", reason="Transformers, the oracle, is not installed")
pytest.importorskip("typer", reason="the command line needs typer")

TEMPLATE = (
    "{{ bos_token }}{% for m in messages %}{% if m.role == 'system' %}{{ raise_exception('no system') }}{% endif %}"
    "<|{{ m.role }}|>{% generation %}{{ m.content }}{% endgeneration %};\n{% endfor %}{{ strftime_now('%H:%M') }}"
)
QUESTION = ChatInput("question", [{"role": "user", "content": "hi"}, {"role": "assistant", "content": "yes"}])


@pytest.fixture
def template(tmp_path: Path) -> str:
    path = tmp_path / "own.jinja"
    path.write_text(TEMPLATE, encoding="utf-8")
    return str(path)


@pytest.fixture
def model(tmp_path: Path) -> Path:
    """A model folder with a word-level tokenizer and the template above."""
    from tokenizers import Tokenizer, models, pre_tokenizers

    words = ["<unk>", "<s>", "<", "|", "user", "assistant", ">", "hi", "yes", "system", "no"]
    tokenizer = Tokenizer(models.WordLevel({word: number for number, word in enumerate(words)}, unk_token="<unk>"))
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence([pre_tokenizers.Whitespace(), pre_tokenizers.Punctuation()])
    folder = tmp_path / "model"
    folder.mkdir()
    tokenizer.save(str(folder / "tokenizer.json"))
    config = {"tokenizer_class": "PreTrainedTokenizerFast", "bos_token": "<s>", "unk_token": "<unk>"}
    (folder / "tokenizer_config.json").write_text(json.dumps({**config, "chat_template": TEMPLATE}))
    return folder


def diff(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    """Run ``turnwire diff`` and return its exit code and what it wrote."""
    with pytest.raises(SystemExit) as end:
        main(["diff", *words])
    written = capsys.readouterr()
    return int(end.value.code or 0), written.out, written.err


def spoil_seventh(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let our side put a space too much into what it renders the seventh time."""
    calls = iter(range(1_000_000))

    def render_wrongly(*args: Any, **arguments: Any) -> tuple[list[RenderedChat], bool]:
        rendered, is_batched = render_conversation(*args, **arguments)
        if next(calls) == 6:
            rendered = [RenderedChat(text.replace("<|", "<| ", 1), spans) for text, spans in rendered]
        return rendered, is_batched

    monkeypatch.setattr(run, "render_conversation", render_wrongly)


def test_identical_outcomes_end_with_0(capsys: pytest.CaptureFixture[str], template: str) -> None:
    code, out, err = diff(capsys, "--templates", template)
    chats = read_shipped_chat_inputs()
    prefills = sum(bool(chat.continue_final_message) for chat in chats)
    compared = 4 * len(chats) - 2 * prefills
    assert (code, err) == (0, "")
    assert out.startswith(
        f"1 templates, {len(chats):,} conversations, Transformers {reference_version()}\n"
        f"{compared:,} outcomes compared: {compared:,} identical ("
    )
    assert out.endswith(" of them errors), 0 differ, one side alone raises in 0\n")


def test_a_difference_is_shown_with_a_caret_and_ends_with_1(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, template: str, tmp_path: Path
) -> None:
    files = []
    for name in ("one", "two"):
        files.append(tmp_path / f"{name}.json")
        files[-1].write_text(json.dumps(QUESTION.conversation))
    spoil_seventh(monkeypatch)

    code, out, _ = diff(capsys, template, "--conversations", str(files[0]), "--conversations", str(files[1]))

    assert code == 1
    assert out == (
        f"{template}, two, without generation prompt, spans: differs at line 2, column 6 (character 26)\n"
        "  turnwire     gives  [(11,·13),·(28,·31)]⏎<s><|·user|>hi;⏎<|assistant|>yes;⏎16:05\n"
        "  Transformers gives  [(11,·13),·(28,·31)]⏎<s><|user|>hi;⏎<|assistant|>yes;⏎16:05\n"
        "                                                ^\n"
        "\n"
        f"1 templates, 2 conversations, Transformers {reference_version()}\n"
        "8 outcomes compared: 7 identical (0 of them errors), 1 differ, one side alone raises in 0\n"
    )


def test_one_side_alone_raising_is_told_in_json(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, template: str, tmp_path: Path
) -> None:
    def refuse(*args: Any, **arguments: Any) -> tuple[list[RenderedChat], bool]:
        raise ValueError("spoilt")

    monkeypatch.setattr(run, "render_conversation", refuse)
    file = tmp_path / "chat.json"
    file.write_text(json.dumps({"messages": QUESTION.conversation, "add_generation_prompt": True}))

    code, out, _ = diff(capsys, "--json", "--conversations", str(file), template)

    told = json.loads(out)
    assert code == 1
    assert [told.pop(name) for name in ("compared", "identical", "differs", "one_raises")] == [2, 0, 0, 2]
    assert told["findings"][0] == {
        "template": template,
        "conversation": "chat",
        "add_generation_prompt": True,
        "aspect": "prompt",
        "verdict": "one raises",
        "pos": 0,
        "line": 1,
        "column": 1,
        "ours": "ValueError: spoilt",
        "theirs": "<s><|user|>hi;\n<|assistant|>yes;\n16:05",
        "start": 0,
        "our_length": 18,
        "their_length": 38,
        "we_raised": True,
        "they_raised": False,
    }


def test_findings_beyond_the_limit_are_counted(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, template: str
) -> None:
    monkeypatch.setattr(run, "render_conversation", lambda *args, **arguments: ([RenderedChat("", [])], False))
    code, out, _ = diff(capsys, template, "--limit", "1")
    assert code == 1
    assert out.count("\n  turnwire ") == 1
    assert "\n… and " in out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "turnwire: say what to compare, by one of --templates PATH, --corpus and --model SOURCE\n"),
        (["--corpus", "--model", "x"], "turnwire: say what to compare, by one of"),
        (["nowhere.jinja"], "turnwire: nowhere.jinja: No such file or directory\n"),
        (["--corpus", "--conversations", "nowhere"], "turnwire: nowhere: No such file or directory\n"),
        (["--corpus", "--jobs", "0"], "turnwire diff: Invalid value for '--jobs'"),
    ],
)
def test_misuse_ends_with_2_and_one_sentence(
    capsys: pytest.CaptureFixture[str], words: list[str], message: str
) -> None:
    code, out, err = diff(capsys, *words)
    assert (code, out) == (2, "")
    assert err.startswith(message)
    assert err.count("\n") == 1


def test_a_model_is_compared_in_prompts_ids_and_masks(capsys: pytest.CaptureFixture[str], model: Path) -> None:
    code, out, _ = diff(capsys, "--model", str(model))
    assert code == 0, out
    assert out.startswith(f"{model}, {len(read_shipped_chat_inputs())} conversations, Transformers ")


@pytest.mark.parametrize(
    ("field", "aspects"), [("input_ids", ["ids", "ids", "mask", "mask"]), ("assistant_masks", ["mask", "mask"])]
)
def test_a_model_whose_ids_or_masks_are_wrong_is_found(
    field: str, aspects: list[str], monkeypatch: pytest.MonkeyPatch, model: Path
) -> None:
    apply = ChatModel.apply_chat_template

    def apply_wrongly(self: ChatModel, *args: Any, **arguments: Any) -> Any:
        applied = apply(self, *args, **arguments)
        if not isinstance(applied, str) and field in applied:
            applied[field] = [*applied[field][:-1], 1 - applied[field][-1]]
        return applied

    monkeypatch.setattr(ChatModel, "apply_chat_template", apply_wrongly)
    (result,) = compare_model(str(model), [QUESTION])
    assert [finding.aspect for finding in result.findings] == aspects


def test_a_model_without_a_template_is_not_comparable(model: Path) -> None:
    config = json.loads((model / "tokenizer_config.json").read_text())
    del config["chat_template"]
    (model / "tokenizer_config.json").write_text(json.dumps(config))
    with pytest.raises(ModelNotComparable, match=r"this model has no chat template$"):
        next(compare_model(str(model), [QUESTION]))
