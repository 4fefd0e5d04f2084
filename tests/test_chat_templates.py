"""Writing chat templates back: the files and the configuration that come of it, and nothing half done."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from turnwire.loading.chat_templates import save_chat_templates
from turnwire.loading.files import read_model_files


def written(folder: Path) -> dict[str, str]:
    return {str(path.relative_to(folder)): path.read_text() for path in sorted(folder.rglob("*")) if path.is_file()}


def test_a_single_template_becomes_a_file_and_leaves_the_configuration(tmp_path: Path) -> None:
    config = {"chat_template": "old", "x": 1}
    result, files = save_chat_templates("A", tmp_path, config)
    assert result is config
    assert config == {"x": 1}
    assert files == [str(tmp_path / "chat_template.jinja")]
    assert written(tmp_path) == {"chat_template.jinja": "A"}


def test_named_templates_become_a_main_file_and_additional_ones(tmp_path: Path) -> None:
    _, files = save_chat_templates({"tool_use": "T", "default": "D", "a b": "X"}, str(tmp_path), {})
    assert files == [
        str(tmp_path / "additional_chat_templates" / "tool_use.jinja"),
        str(tmp_path / "chat_template.jinja"),
        str(tmp_path / "additional_chat_templates" / "a b.jinja"),
    ]
    assert written(tmp_path) == {
        "additional_chat_templates/a b.jinja": "X",
        "additional_chat_templates/tool_use.jinja": "T",
        "chat_template.jinja": "D",
    }


def test_a_prefix_stands_before_both_names(tmp_path: Path) -> None:
    save_chat_templates({"default": "D", "x": "X"}, tmp_path, {}, filename_prefix="p")
    assert written(tmp_path) == {"p-additional_chat_templates/x.jinja": "X", "p-chat_template.jinja": "D"}


@pytest.mark.parametrize(
    ("template", "configured"),
    [
        ("A", "A"),
        ({"default": "D", "x": "X"}, [{"name": "default", "template": "D"}, {"name": "x", "template": "X"}]),
        ({}, []),
    ],
)
def test_the_old_form_goes_into_the_configuration_and_writes_nothing(
    tmp_path: Path, template: Any, configured: Any
) -> None:
    assert save_chat_templates(template, tmp_path, {"x": 1}, save_jinja_files=False) == (
        {"x": 1, "chat_template": configured},
        [],
    )
    assert written(tmp_path) == {}


@pytest.mark.parametrize("save_jinja_files", [True, False])
def test_no_template_changes_nothing(tmp_path: Path, save_jinja_files: bool) -> None:
    assert save_chat_templates(None, tmp_path, {"x": 1}, save_jinja_files=save_jinja_files) == ({"x": 1}, [])
    assert written(tmp_path) == {}


def test_what_is_saved_is_what_is_loaded(tmp_path: Path) -> None:
    templates = {"default": "{{ 'ä\\n' }}\n", "tool_use": "T\n\n", "empty": ""}
    save_chat_templates(templates, tmp_path, {})
    assert read_model_files(tmp_path).chat_template == templates


@pytest.mark.parametrize("name", ["../x", "/etc/x", "a/b", "../additional_chat_templates_x/y", "a/../../b"])
def test_a_name_that_leaves_the_folder_is_refused_before_anything_is_written(tmp_path: Path, name: str) -> None:
    folder = tmp_path / "model"
    folder.mkdir()
    config = {"chat_template": "old"}
    with pytest.raises(ValueError, match=r"^Invalid chat template name: ") as caught:
        save_chat_templates({"default": "D", "good": "G", name: "X"}, folder, config)
    assert str(caught.value) == f"Invalid chat template name: {name!r}"
    assert list(tmp_path.rglob("*")) == [folder]
    assert config == {"chat_template": "old"}


def test_a_template_that_is_no_text_leaves_the_files_of_before(tmp_path: Path) -> None:
    (tmp_path / "chat_template.jinja").write_text("before")
    templates: Any = {"default": "D", "x": 5}
    with pytest.raises(TypeError, match=r"^write\(\) argument must be str, not int$"):
        save_chat_templates(templates, tmp_path, {})
    assert sorted(tmp_path.rglob("*")) == [tmp_path / "chat_template.jinja"]
    assert written(tmp_path) == {"chat_template.jinja": "before"}


def test_a_full_disk_leaves_the_files_of_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "chat_template.jinja").write_text("before")
    replace, calls = os.replace, []

    def fail(source: str, target: str) -> None:
        calls.append((source, target))
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(OSError, match="No space left"):
        save_chat_templates({"default": "D", "x": "X"}, tmp_path, {})
    monkeypatch.setattr(os, "replace", replace)
    assert len(calls) == 1
    assert sorted(tmp_path.rglob("*")) == [tmp_path / "chat_template.jinja"]
    assert written(tmp_path) == {"chat_template.jinja": "before"}


def test_a_missing_folder_is_named_by_the_file_that_was_asked_for(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError) as caught:
        save_chat_templates("A", tmp_path / "gone", {})
    assert str(caught.value) == f"[Errno 2] No such file or directory: '{tmp_path}/gone/chat_template.jinja'"


def test_a_link_is_replaced_and_not_written_through(tmp_path: Path) -> None:
    blob, link = tmp_path / "blob", tmp_path / "chat_template.jinja"
    blob.write_text("of another model")
    link.symlink_to(blob)
    save_chat_templates("A", tmp_path, {})
    assert (blob.read_text(), link.read_text(), link.is_symlink()) == ("of another model", "A", False)


def test_files_get_the_permissions_of_any_new_file(tmp_path: Path) -> None:
    (tmp_path / "ordinary").write_text("x")
    save_chat_templates("A", tmp_path, {})
    assert (tmp_path / "chat_template.jinja").stat().st_mode == (tmp_path / "ordinary").stat().st_mode
