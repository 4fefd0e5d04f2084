"""What the user passes to ``render``: a conversation, tools, documents and variables, checked before they are used."""

from __future__ import annotations

import inspect
import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from ..compare.cases import ChatInput, decode_text, parse_chat_input, parse_json, read_text
from ..errors import CaseFileError
from ..model import ChatModel
from ..template.render import render_chat

__all__ = ["check_variables", "parse_variables", "read_conversation", "read_objects"]

RESERVED = {*inspect.signature(render_chat).parameters, *inspect.signature(ChatModel.apply_chat_template).parameters}
"""Names that a template variable cannot have here, since they are arguments of a render."""


def read_conversation(path: str) -> ChatInput:
    """Read one conversation from a file, or from stdin where *path* is ``-``.

    Raises:
        CaseFileError: it cannot be read, is not JSON, or not a conversation; the text names the place.
    """
    name = "stdin" if path == "-" else path
    text = decode_text(sys.stdin.buffer.read(), name) if path == "-" else read_text(Path(path), name)
    if not text.strip():
        raise CaseFileError(f"{name}: there is nothing in it")
    chat = parse_chat_input(text, name)
    _check_messages(chat.conversation, name)
    for field in ("tools", "documents"):
        if (value := getattr(chat, field)) is not None:
            _check_objects(value, name, field)
    return chat


def read_objects(path: str, field: str) -> list[dict[str, Any]]:
    """Read the list of objects, or the one, that is in a file of tools or documents, as *field* says.

    Raises:
        CaseFileError: it cannot be read, is not JSON, or not such a list.
    """
    value = parse_json(read_text(Path(path), path), path)
    if isinstance(value, dict):
        value = [value]
    _check_objects(value, path, field)
    objects: list[dict[str, Any]] = value
    return objects


def parse_variables(pairs: Iterable[str]) -> dict[str, Any]:
    """Read ``name=value`` words; a value that is JSON counts as JSON, any other is text.

    Raises:
        CaseFileError: a word is not of that form.
    """
    variables: dict[str, Any] = {}
    for pair in pairs:
        name, sign, value = pair.partition("=")
        if not sign or not name.isidentifier():
            raise CaseFileError(f"--var {pair}: a variable is written as name=value")
        try:
            variables[name] = json.loads(value)
        except (ValueError, RecursionError):
            variables[name] = value
    return variables


def check_variables(variables: Iterable[str]) -> None:
    """Refuse names of template variables that are arguments of a render.

    Raises:
        CaseFileError: there is one.
    """
    for name in sorted(RESERVED.intersection(variables)):
        raise CaseFileError(f"{name} cannot be a template variable: it is an argument of the render itself")


def _check_messages(messages: Any, path: str) -> None:
    if not isinstance(messages, list):
        raise CaseFileError(f"{path}: messages is {_name_kind(messages)}, not a list of messages")
    for number, message in enumerate(messages):
        place = f"messages[{number}]"
        if isinstance(message, list):
            raise CaseFileError(f"{path}: {place} is a list; one conversation is rendered at a time, not a batch")
        if not isinstance(message, dict):
            raise CaseFileError(f"{path}: {place} is {_name_kind(message)}, not an object")
        if "role" not in message:
            raise CaseFileError(f"{path}: {place}.role is missing")
        if not isinstance(message["role"], str):
            raise CaseFileError(f"{path}: {place}.role is {_name_kind(message['role'])}, not text")
        if message.get("tool_calls") is not None:
            _check_objects(message["tool_calls"], path, f"{place}.tool_calls")


def _check_objects(value: Any, path: str, place: str) -> None:
    if not isinstance(value, list):
        raise CaseFileError(f"{path}: {place} is {_name_kind(value)}, not a list of objects")
    for number, item in enumerate(value):
        if not isinstance(item, dict):
            raise CaseFileError(f"{path}: {place}[{number}] is {_name_kind(item)}, not an object")


def _name_kind(value: Any) -> str:
    if value is None or isinstance(value, bool):
        return json.dumps(value)
    if isinstance(value, (dict, list)):
        return "an object" if isinstance(value, dict) else "a list"
    return "text" if isinstance(value, str) else "a number"
