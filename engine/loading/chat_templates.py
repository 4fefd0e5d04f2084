"""The chat templates that a model ships: which of its files decides, and how they are written back.

Both directions give Transformers' outcome; writing is all or nothing where Transformers writes file after file.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from ..errors import ModelFileError
from .contents import read_json_object, read_text

__all__ = [
    "CHAT_TEMPLATE_DIR",
    "CHAT_TEMPLATE_FILE",
    "LEGACY_CHAT_TEMPLATE_FILE",
    "choose_chat_template",
    "save_chat_templates",
    "select_chat_template",
]

CHAT_TEMPLATE_FILE = "chat_template.jinja"
CHAT_TEMPLATE_DIR = "additional_chat_templates"
LEGACY_CHAT_TEMPLATE_FILE = "chat_template.json"
"""A processor's file. Transformers' tokenizers ignore it; here it stands in where the tokenizer has no template."""


def choose_chat_template(
    paths: Mapping[str, Path], tokenizer_config: Mapping[str, Any], special_tokens_map: Mapping[str, Any]
) -> str | dict[str, str] | None:
    """Return the template, or the templates by name, that Transformers' tokenizer would have, or None.

    Template files beat ``tokenizer_config.json``, and ``chat_template.json`` speaks where all else is silent.

    Args:
        paths: file names relative to the model's folder, and where they are; named templates in the order wanted.
        tokenizer_config: the object in ``tokenizer_config.json``.
        special_tokens_map: the object in ``special_tokens_map.json``, empty where that file is not in use.

    Raises:
        ModelFileError: a template is not text, or a list of templates lacks a name.
    """
    stored: Any = _read_template_files(paths)
    origin = paths.get("tokenizer_config.json", Path("tokenizer_config.json"))
    if not stored:
        stored = tokenizer_config.get("chat_template")
    elif list(stored) == ["default"]:
        stored = stored["default"]
    if "chat_template" in special_tokens_map:  # Transformers copies all of this old file over what it has so far
        stored, origin = special_tokens_map["chat_template"], paths["special_tokens_map.json"]
    if stored is None and LEGACY_CHAT_TEMPLATE_FILE in paths:
        origin = paths[LEGACY_CHAT_TEMPLATE_FILE]
        stored = read_json_object(origin).get("chat_template")
    return None if stored is None else _check_templates(stored, origin)


def _read_template_files(paths: Mapping[str, Path]) -> dict[str, str]:
    named = {
        name.removeprefix(f"{CHAT_TEMPLATE_DIR}/").removesuffix(".jinja"): path
        for name, path in paths.items()
        if name.startswith(f"{CHAT_TEMPLATE_DIR}/")
    }
    # Transformers files the template called NAME under "chat_template_NAME", and the main one under
    # "chat_template_file": an additional template called "file" takes the main one's place.
    main = named.pop("file", paths.get(CHAT_TEMPLATE_FILE))
    files = named if main is None else {"default": main} | named
    return {name: read_text(path) for name, path in files.items()}


def _check_templates(value: Any, path: Path) -> str | dict[str, str]:
    """Return *value* with a list of named templates turned into a mapping, which is how Transformers keeps it."""
    if isinstance(value, list):
        for entry in value:
            if not (isinstance(entry, dict) and isinstance(entry.get("name"), str) and "template" in entry):
                problem = f"lists a chat template without name or text: {str(entry)[:60]}"
                raise ModelFileError(str(path), problem, 'Write each as {"name": ..., "template": ...}')
        value = {entry["name"]: entry["template"] for entry in value}
    if isinstance(value, str) or (isinstance(value, dict) and all(isinstance(text, str) for text in value.values())):
        return value
    mend = "Write one template as text, or several as a list of names and texts"
    raise ModelFileError(str(path), "has a chat_template that is not text", mend)


def save_chat_templates(
    chat_template: str | dict[str, str] | None,
    save_directory: str | os.PathLike[str],
    tokenizer_config: dict[str, Any],
    filename_prefix: str | None = None,
    save_jinja_files: bool = True,
) -> tuple[dict[str, Any], list[str]]:
    """Write chat templates into a folder, or into *tokenizer_config* where ``save_jinja_files`` is off.

    Stands in for ``PreTrainedTokenizerBase.save_chat_templates``. Files are replaced whole, and only once all of them
    could be written; a link is replaced rather than written through, so that a cache behind it stays as it is.

    Returns:
        *tokenizer_config*, changed in place, and the paths of the files written.

    Raises:
        ValueError: a template's name would put its file elsewhere. Nothing has been written then.
        OSError: the folder is missing or cannot be written to. No file has been changed then, unless the system
            refused the last step, the renaming.
    """
    if not (save_jinja_files and isinstance(chat_template, (str, dict))):
        if isinstance(chat_template, dict):
            tokenizer_config["chat_template"] = [{"name": k, "template": v} for k, v in chat_template.items()]
        elif chat_template is not None:
            tokenizer_config["chat_template"] = chat_template
        return tokenizer_config, []
    prefix = f"{filename_prefix}-" if filename_prefix else ""
    main_file = os.path.join(save_directory, prefix + CHAT_TEMPLATE_FILE)
    named_dir = os.path.join(save_directory, prefix + CHAT_TEMPLATE_DIR)
    texts: dict[str, str] = {}
    for name, text in ({"default": chat_template} if isinstance(chat_template, str) else chat_template).items():
        file = main_file if name == "default" else os.path.join(named_dir, f"{name}.jinja")
        if name != "default" and Path(file).resolve().parent != Path(named_dir).resolve():
            raise ValueError(f"Invalid chat template name: {name!r}")
        texts[file] = text
    with _drafts(texts) as drafts:
        for file, draft in drafts.items():
            os.replace(draft, file)
    tokenizer_config.pop("chat_template", None)
    return tokenizer_config, list(texts)


@contextmanager
def _drafts(texts: Mapping[str, str]) -> Iterator[dict[str, str]]:
    """Write each text beside its file and give the names of these drafts by file; what is not renamed is removed."""
    drafts: dict[str, str] = {}
    made_folders: list[str] = []
    try:
        for file, text in texts.items():
            folder = os.path.dirname(file)
            if os.path.basename(folder).endswith(CHAT_TEMPLATE_DIR) and not os.path.isdir(folder):
                os.mkdir(folder)
                made_folders.append(folder)
            draft = f"{file}.{secrets.token_hex(4)}.draft"
            try:
                # Not tempfile: its files are for the owner alone, and templates get the permissions of any new file.
                with open(draft, "x", encoding="utf-8") as handle:
                    drafts[file] = draft
                    handle.write(text)
            except OSError as error:
                error.filename = file
                raise
        yield drafts
    finally:
        for draft in drafts.values():
            Path(draft).unlink(missing_ok=True)
        for folder in made_folders:
            with suppress(OSError):  # not empty: the templates are in it
                os.rmdir(folder)


def select_chat_template(
    own: str | dict[str, str] | None, chosen: str | None, tools: Sequence[dict[str, Any]] | None
) -> str:
    """Return the template *chosen* by its text or its name, else of a model's *own* the one for the case.

    Raises:
        ValueError: there is none, or several and no default among them.
    """
    if isinstance(own, dict):
        if chosen is not None:
            return own.get(chosen, chosen)
        if tools is not None and "tool_use" in own:
            return own["tool_use"]
        if "default" in own:
            return own["default"]
        raise ValueError(
            "This model has multiple chat templates with no default specified! Please either pass a chat "
            "template or the name of the template you wish to use to the `chat_template` argument. Available "
            f"template names are {sorted(own.keys())}."
        )
    if chosen is not None:
        return chosen
    if own is None:
        raise ValueError(
            "Cannot use chat template functions because tokenizer.chat_template is not set and no template "
            "argument was passed! For information about writing templates and setting the "
            "tokenizer.chat_template attribute, please see the documentation at "
            "https://huggingface.co/docs/transformers/main/en/chat_templating"
        )
    return own
