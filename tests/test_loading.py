"""What a model folder says: which template counts, which files are taken, and what each broken file is told."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from turnwire.errors import ModelFileError, ModelNotFound
from turnwire.loading.files import ModelFiles, read_model_files

MakeModel = Callable[..., Path]


@pytest.fixture
def make_model(tmp_path: Path) -> MakeModel:
    """Write files, given as text, bytes or JSON values, into a folder that already has an empty tokenizer.json."""

    def make(files: dict[str, Any], config: dict[str, Any] | None = None) -> Path:
        for name, content in {"tokenizer.json": "{}", "tokenizer_config.json": config or {}, **files}.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            data = content if isinstance(content, (str, bytes)) else json.dumps(content)
            path.write_bytes(data if isinstance(data, bytes) else data.encode())
        return tmp_path

    return make


# Each expected value is what AutoTokenizer 5.24.0 has for that folder; tests/reference asks it again.
PRECEDENCE: dict[str, tuple[dict[str, Any], Any, Any]] = {
    "no template anywhere": ({}, None, None),
    "text in the configuration": ({}, "C", "C"),
    "empty text in the configuration": ({}, "", ""),
    "list in the configuration": (
        {},
        [{"name": "default", "template": "D"}, {"name": "tool_use", "template": "T"}],
        {"default": "D", "tool_use": "T"},
    ),
    "list of one in the configuration": ({}, [{"name": "default", "template": "D"}], {"default": "D"}),
    "empty list in the configuration": ({}, [], {}),
    "mapping in the configuration": ({}, {"default": "D", "x": "X"}, {"default": "D", "x": "X"}),
    "file beats configuration": ({"chat_template.jinja": "A"}, "C", "A"),
    "empty file beats configuration": ({"chat_template.jinja": ""}, "C", ""),
    "named files beat configuration": ({"additional_chat_templates/tool_use.jinja": "T"}, "C", {"tool_use": "T"}),
    "main and named files": (
        {"chat_template.jinja": "A", "additional_chat_templates/tool_use.jinja": "T"},
        "C",
        {"default": "A", "tool_use": "T"},
    ),
    "a named default replaces the main file": (
        {"chat_template.jinja": "A", "additional_chat_templates/default.jinja": "D"},
        None,
        "D",
    ),
    "a template named file replaces the main file": (
        {"chat_template.jinja": "A", "additional_chat_templates/file.jinja": "F"},
        None,
        "F",
    ),
    "only *.jinja right in the folder is a named template": (
        {
            "chat_template.jinja": "A",
            "additional_chat_templates/a.b.jinja": "AB",
            "additional_chat_templates/n/x.jinja": "X",
            "additional_chat_templates/y.txt": "Y",
            "additional_chat_templates/d.jinja/q": "Q",
        },
        None,
        {"default": "A", "a.b": "AB"},
    ),
    "every line end of a file becomes a newline": ({"chat_template.jinja": b"a\r\nb\rc\n"}, None, "a\nb\nc\n"),
    "other separators in a file stay": ({"chat_template.jinja": "a\u2028b\x0bc\x85"}, None, "a\u2028b\x0bc\x85"),
    "line ends in the configuration stay": ({}, "a\r\nb\rc", "a\r\nb\rc"),
    "a byte order mark stays": ({"chat_template.jinja": b"\xef\xbb\xbfa"}, None, "\ufeffa"),
    "the old special tokens file overrides": ({"special_tokens_map.json": {"chat_template": "S"}}, "C", "S"),
    "a folder named like the file is no file": ({"chat_template.jinja/x": "q"}, "C", "C"),
}


@pytest.mark.parametrize(("files", "configured", "expected"), PRECEDENCE.values(), ids=PRECEDENCE)
def test_the_template_is_the_one_transformers_would_take(
    make_model: MakeModel, files: dict[str, Any], configured: Any, expected: Any
) -> None:
    folder = make_model(files, {} if configured is None else {"chat_template": configured})
    assert read_model_files(folder).chat_template == expected


def test_named_templates_come_after_the_default_in_alphabetical_order(make_model: MakeModel) -> None:
    names = ["zeta", "alpha", "tool_use"]
    files = {f"additional_chat_templates/{name}.jinja": name for name in names}
    templates = read_model_files(make_model({**files, "chat_template.jinja": "A"})).chat_template
    assert list(templates or ()) == ["default", "alpha", "tool_use", "zeta"]


def test_a_processor_template_counts_only_where_the_tokenizer_has_none(make_model: MakeModel) -> None:
    folder = make_model({"chat_template.json": {"chat_template": "P"}})
    assert read_model_files(folder).chat_template == "P"
    make_model({}, {"chat_template": "C"})
    assert read_model_files(folder).chat_template == "C"


def test_a_model_without_a_jinja_template_loads_and_says_so(make_model: MakeModel) -> None:
    # Some models ship a Python encoder instead; nothing of it is run, or even listed.
    files = read_model_files(make_model({"encoding/encode.py": "raise SystemExit('ran code of the model')"}))
    assert files.chat_template is None
    assert sorted(files.paths) == ["tokenizer.json", "tokenizer_config.json"]


def test_a_folder_gives_its_files_and_configurations(make_model: MakeModel) -> None:
    contents = {
        "config.json": {"model_type": "llama"},
        "special_tokens_map.json": {"bos_token": "<s>"},
        "added_tokens.json": {"<x>": 7},
        "tokenizer.model": b"\x00",
        "model.safetensors": b"\x00",
        "README.md": "text",
    }
    folder = make_model(contents, {"x": 1})
    assert read_model_files(str(folder)) == ModelFiles(
        source=str(folder),
        is_local=True,
        paths={
            name: folder / name
            for name in (
                "config.json",
                "tokenizer_config.json",
                "special_tokens_map.json",
                "added_tokens.json",
                "tokenizer.json",
            )
        },
        config={"model_type": "llama"},
        tokenizer_config={"x": 1},
        special_tokens_map={"bos_token": "<s>"},
        added_tokens={"<x>": 7},
        chat_template=None,
    )


def test_old_token_files_are_not_even_read_beside_an_added_tokens_decoder(make_model: MakeModel) -> None:
    broken = {"special_tokens_map.json": "{", "added_tokens.json": "{"}
    files = read_model_files(make_model(broken, {"added_tokens_decoder": {}}))
    assert (files.special_tokens_map, files.added_tokens) == ({}, {})


def test_vocabulary_files_are_taken_where_there_is_no_tokenizer_file(make_model: MakeModel) -> None:
    folder = make_model({"vocab.json": {}, "merges.txt": "", "tokenizer.model": b"", "other.model": b""})
    (folder / "tokenizer.json").unlink()
    assert sorted(read_model_files(folder).paths) == [
        "merges.txt",
        "tokenizer.model",
        "tokenizer_config.json",
        "vocab.json",
    ]


def test_a_subfolder_is_read_instead_of_the_top_folder(make_model: MakeModel) -> None:
    folder = make_model(
        {
            "chat_template.jinja": "top",
            "additional_chat_templates/both.jinja": "top",
            "sub/tokenizer_config.json": {"chat_template": "configured"},
            "sub/chat_template.jinja": "sub",
            "sub/additional_chat_templates/both.jinja": "sub",
            "sub/additional_chat_templates/only_below.jinja": "sub",
        }
    )
    files = read_model_files(folder, subfolder="sub")
    # Transformers lists named templates at the top only, then reads them below.
    assert files.chat_template == {"default": "sub", "both": "sub"}
    assert files.tokenizer_config == {"chat_template": "configured"}
    assert "tokenizer.json" not in files.paths
    assert read_model_files(folder, subfolder="sub/") == files


def test_a_path_object_and_a_tilde_name_a_folder(make_model: MakeModel, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = make_model({"chat_template.jinja": "A"})
    monkeypatch.setenv("HOME", str(folder.parent))
    assert read_model_files(folder).source == str(folder)
    assert read_model_files(f"~/{folder.name}").chat_template == "A"


# --- broken and contradictory files -----------------------------------------------------------------------------------

BROKEN: dict[str, tuple[str, str | bytes, str]] = {
    "JSON that breaks off": (
        "tokenizer_config.json",
        '{\n  "a": 1,\n}',
        "is not JSON (Expecting property name enclosed in double quotes at line 3, column 1)",
    ),
    "JSON with a byte order mark": (
        "tokenizer_config.json",
        b"\xef\xbb\xbf{}",
        "is not JSON (Unexpected UTF-8 BOM (decode using utf-8-sig) at line 1, column 1)",
    ),
    "an array for an object": ("tokenizer_config.json", "[]", "holds a JSON array where an object belongs"),
    "a null for an object": ("config.json", "null", "holds a JSON null where an object belongs"),
    "a number for an object": ("special_tokens_map.json", "3", "holds a JSON number where an object belongs"),
    "text that is not UTF-8": ("chat_template.jinja", b"ab\xff", "is not UTF-8 (byte 0xff at offset 2)"),
    "JSON that is not UTF-8": ("config.json", b'{"a": "\xe9"}', "is not UTF-8 (byte 0xe9 at offset 7)"),
    "endless nesting": ("config.json", "[" * 200_000, "is not readable JSON (nested too deeply)"),
    "an id that is no number": ("added_tokens.json", '{"<x>": "7"}', "gives '<x>' the id '7'"),
    "a template that is a number": (
        "tokenizer_config.json",
        '{"chat_template": 5}',
        "has a chat_template that is not text",
    ),
    "a named template that is a number": (
        "tokenizer_config.json",
        '{"chat_template": {"default": 5}}',
        "has a chat_template that is not text",
    ),
    "a list of bare texts": (
        "tokenizer_config.json",
        '{"chat_template": ["A"]}',
        "lists a chat template without name or text: A",
    ),
    "a list entry without text": (
        "tokenizer_config.json",
        '{"chat_template": [{"name": "default"}]}',
        "lists a chat template without name or text: {'name': 'default'}",
    ),
    "a Git LFS pointer for the tokenizer": (
        "tokenizer.json",
        "version https://git-lfs.example/spec/v1\noid sha256:0\n",
        "is a Git LFS pointer, not the file itself",
    ),
    "a Git LFS pointer for the template": (
        "chat_template.jinja",
        "version https://git-lfs.example/spec/v1\noid sha256:0\n",
        "is a Git LFS pointer, not the file itself",
    ),
}


@pytest.mark.parametrize(("name", "content", "problem"), BROKEN.values(), ids=BROKEN)
def test_a_broken_file_is_named_with_its_problem_and_the_mend(
    make_model: MakeModel, name: str, content: str | bytes, problem: str
) -> None:
    folder = make_model({name: content})
    with pytest.raises(ModelFileError) as caught:
        read_model_files(folder)
    assert (caught.value.path, caught.value.problem) == (str(folder / name), problem)
    assert caught.value.mend
    assert str(caught.value) == f"{folder / name}: {problem}. {caught.value.mend}"


def test_a_link_into_the_void_is_not_taken_for_a_missing_file(make_model: MakeModel) -> None:
    folder = make_model({}, {"chat_template": "another template"})
    (folder / "chat_template.jinja").symlink_to(folder / "gone")
    with pytest.raises(ModelFileError, match=r"chat_template\.jinja: is a link to a file that is not there"):
        read_model_files(folder)


@pytest.mark.parametrize("method", ["open", "read_bytes"])
def test_an_unreadable_file_is_named(make_model: MakeModel, monkeypatch: pytest.MonkeyPatch, method: str) -> None:
    folder = make_model({"chat_template.jinja": "A"})
    original = getattr(Path, method)

    def refuse(path: Path, *args: Any, **kwargs: Any) -> Any:
        if path.name == "chat_template.jinja":
            raise PermissionError(13, "Permission denied")
        return original(path, *args, **kwargs)

    monkeypatch.setattr(Path, method, refuse)
    with pytest.raises(ModelFileError, match=r"chat_template\.jinja: cannot be read \(Permission denied\)\. Mend"):
        read_model_files(folder)


# --- versioned tokenizer files ----------------------------------------------------------------------------------------


def test_the_tokenizer_is_the_newest_versioned_file_that_is_not_too_new(make_model: MakeModel) -> None:
    names = ["tokenizer.4.0.0.json", "tokenizer.5.24.0.json", "tokenizer.5.24.1.json", "tokenizer.json"]
    folder = make_model(dict.fromkeys(names, "{}"), {"fast_tokenizer_files": names})
    files = read_model_files(folder)
    assert files.paths["tokenizer.json"] == folder / "tokenizer.5.24.0.json"


@pytest.mark.parametrize(
    "names", [None, "tokenizer.4.json", [4], ["tokenizer.four.json"], {"a": 1}], ids=lambda names: repr(names)
)
def test_a_wrong_list_of_tokenizer_files_is_named(make_model: MakeModel, names: Any) -> None:
    folder = make_model({}, {"fast_tokenizer_files": names})
    with pytest.raises(ModelFileError, match=r"tokenizer_config\.json: fast_tokenizer_files"):
        read_model_files(folder)


def test_a_listed_tokenizer_file_that_is_missing_is_named(make_model: MakeModel) -> None:
    folder = make_model({}, {"fast_tokenizer_files": ["tokenizer.4.0.0.json"]})
    with pytest.raises(ModelFileError, match=r"chooses tokenizer\.4\.0\.0\.json, which is not there"):
        read_model_files(folder)


@pytest.mark.parametrize(
    "name",
    [
        "../tokenizer.4.json",
        "a/../../tokenizer.4.json",
        "/tmp/tokenizer.4.json",
        "..\\tokenizer.4.json",
        "C:\\tokenizer.4.json",
        "C:tokenizer.4.json",
        "\\\\host\\share\\tokenizer.4.json",
    ],
)
def test_a_tokenizer_file_outside_the_folder_is_refused(make_model: MakeModel, tmp_path: Path, name: str) -> None:
    folder = make_model({"model/tokenizer_config.json": {"fast_tokenizer_files": [name]}, "tokenizer.4.json": "{}"})
    with pytest.raises(ModelFileError, match="lies outside the model's folder"):
        read_model_files(folder / "model")


def test_file_names_in_the_configuration_open_nothing(make_model: MakeModel, tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    folder = make_model({"secret": "s"}, {"tokenizer_file": str(secret), "vocab_file": str(secret)})
    assert secret not in read_model_files(folder).paths.values()


# --- names that are no model ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name",
    ["./gone", "../gone", "/gone", "/gone/model", "~/gone", "~nobody-here/x", "a/b/c", "gone/", "a\\b", ".", ".."],
)
def test_a_missing_folder_is_not_taken_for_a_hub_id(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ModelNotFound) as caught:
        read_model_files(name)
    expected = "holds none of a model's files" if name in (".", "..") else "there is no such folder"
    assert expected in str(caught.value)
    assert str(caught.value).startswith(name)


def test_a_file_is_no_model_and_the_folder_is_asked_for(make_model: MakeModel) -> None:
    file = make_model({}) / "tokenizer.json"
    with pytest.raises(ModelNotFound, match=r"tokenizer\.json is a file\. Pass the folder in which it lies"):
        read_model_files(file)


def test_a_folder_without_model_files_says_what_was_looked_for(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("x")
    with pytest.raises(ModelNotFound, match=r"holds none of a model's files, such as tokenizer_config\.json"):
        read_model_files(tmp_path)


def test_a_missing_subfolder_is_named(make_model: MakeModel) -> None:
    with pytest.raises(ModelNotFound, match=r", subfolder sub, holds none of a model's files"):
        read_model_files(make_model({}), subfolder="sub")


# --- what loading needs -----------------------------------------------------------------------------------------------


def test_loading_a_folder_imports_neither_the_hub_client_nor_anything_heavy(make_model: MakeModel) -> None:
    script = """
import sys
from turnwire.loading.files import read_model_files
read_model_files(sys.argv[1])
print(sorted({"huggingface_hub", "numpy", "tokenizers", "torch", "transformers"} & set(sys.modules)))
"""
    command = [sys.executable, "-c", script, str(make_model({"chat_template.jinja": "A"}))]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == "[]\n"


def test_the_package_declares_the_template_engine_it_cannot_do_without() -> None:
    # Transformers leaves jinja2 undeclared, and rendering then fails on machines that have it from nowhere else.
    text = (Path(__file__).parent.parent / "pyproject.toml").read_text(encoding="utf-8")
    declared = re.search(r"^dependencies = \[(.*?)\]", text, re.MULTILINE | re.DOTALL)
    assert declared is not None
    assert "jinja2>=3.1.6" in re.findall(r'"(.*?)"', declared[1])
