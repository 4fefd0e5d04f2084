"""From a Python function to the JSON schema of a tool: its signature, and its docstring in Google's style.

Law: a tool is described whole or not at all, and its keys stand in a fixed order, since templates print it as it is.
"""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Callable
from typing import Any, get_type_hints

from .errors import DocstringParsingException, TypeHintParsingException
from .hints import Schema, describe_hint

__all__ = ["get_json_schema"]


def get_json_schema(function: Callable[..., Any]) -> Schema:
    """Describe *function* as a tool.

    Every argument needs a type hint and an entry under ``Args:``; an entry that ends in ``(choices: ["a", "b"])``
    admits these values only. ``Returns:`` may be missing. A first argument ``self`` or ``cls`` without a hint is left
    out.

    Raises:
        TypeHintParsingException: a hint is missing, or has no counterpart in JSON schema.
        DocstringParsingException: the docstring, or an argument's entry in it, is missing.
        ValueError: ``(choices: …)`` holds something else than JSON.
    """
    name = getattr(function, "__name__", "operation")
    docstring = inspect.getdoc(function)
    if not docstring:
        raise DocstringParsingException(f"Cannot generate JSON schema for {name} because it has no docstring!")
    description, entries, return_text = _scan_docstring(docstring.strip())
    parameters, returned = _describe_signature(function, name)
    for argument, schema in parameters["properties"].items():
        if argument not in entries:
            raise DocstringParsingException(
                f"Cannot generate JSON schema for {name} because the docstring has no description for the argument "
                f"'{argument}'"
            )
        _add_entry(schema, entries[argument])
    tool: Schema = {"name": name, "description": description, "parameters": parameters}
    if returned is not None:
        tool["return"] = returned if return_text is None else {**returned, "description": return_text}
    return {"type": "function", "function": tool}


def _describe_signature(function: Callable[..., Any], name: str) -> tuple[Schema, Schema | None]:
    """Return the schemas of the arguments and of the returned value, the latter None if it has none."""
    hints = get_type_hints(function)
    parameters = dict(inspect.signature(function).parameters)
    # Compared by == and not by `is`, since that is what Transformers does: a numpy array as a default raises here.
    empty = inspect.Parameter.empty
    receiver = next(iter(parameters), "")
    if receiver in ("self", "cls") and parameters[receiver].annotation == empty:
        del parameters[receiver]
        hints.pop(receiver, None)
    required = []
    for parameter in parameters.values():
        if parameter.annotation == empty:
            raise TypeHintParsingException(f"Argument {parameter.name} is missing a type hint in function {name}")
        if parameter.default == empty:
            required.append(parameter.name)

    properties = {}
    for argument, hint in hints.items():
        try:
            properties[argument] = describe_hint(hint)
        except TypeHintParsingException:
            # The model never writes the returned value, so what cannot be said about it is left unsaid.
            if argument != "return":
                raise
    returned = properties.pop("return", None)
    described: Schema = {"type": "object", "properties": properties}
    if required:
        described["required"] = required
    return described, returned


# --- the docstring ----------------------------------------------------------------------------------------------------

_ENTRY = re.compile(r"(?P<indent>[ \t]*)(?P<name>\w+)(?:[ \t]*\([^()\n]*\))?:(?P<text>.*)")
"""A line that can open an argument's entry; a type in brackets after the name is passed over."""

_CHOICES = re.compile(r"\(choices:(?P<json>.*)\)\Z", re.IGNORECASE)


def _scan_docstring(docstring: str) -> tuple[str, dict[str, str], str | None]:
    """Return the description, each argument's entry, and the text on the returned value, None if it is missing.

    *docstring* has no whitespace at its ends. A heading opens its section only where it has a line to itself; yet
    wherever it stands, in the middle of a sentence too, it ends what comes before it.
    """
    description = re.split("Args:|Returns:|Raises:", docstring, maxsplit=1)[0]
    arguments = _find_section(docstring, "Args:", end="Returns:|Raises:")
    returned = _find_section(docstring, "Returns:", end="Raises:")
    return description.strip(), _scan_entries(arguments or ""), None if returned is None else returned.strip()


def _find_section(docstring: str, heading: str, *, end: str) -> str | None:
    _, *lines = docstring.split("\n")
    for number, line in enumerate(lines[:-1], start=1):
        if line.lstrip() == heading:
            return re.split(end, "\n".join(lines[number:]), maxsplit=1)[0]
    return None


def _scan_entries(section: str) -> dict[str, str]:
    """Return the entries of an ``Args:`` section by the argument's name, each on one line.

    A line opens the next entry if it starts with a name and a colon and is not indented deeper than the entry before
    it, and if that entry has any text by then: an entry that has none takes the next line, whatever that says.
    """
    entries: dict[str, list[str]] = {}
    indent, texts = "", None
    for line in section.split("\n"):
        opening = _ENTRY.match(line)
        if opening and (texts is None or (texts and not line.startswith((indent + " ", indent + "\t")))):
            indent, line = opening["indent"], opening["text"]
            texts = entries[opening["name"]] = []
        if texts is not None and line.strip():
            texts.append(line.strip())
    return {name: " ".join(texts) for name, texts in entries.items()}


def _add_entry(schema: Schema, entry: str) -> None:
    choices = _CHOICES.search(entry)
    if choices:
        values = json.loads(choices["json"].lstrip())
        schema["enum"] = [value.strip() if isinstance(value, str) else value for value in values]
        entry = entry[: choices.start()].strip()
    schema["description"] = entry
