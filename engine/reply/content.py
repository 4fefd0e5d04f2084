"""The content parsers of response templates: from the text of a region to a value.

Law: a parser sees its own region and its arguments, nothing else, and the arguments are taken as they come: whatever a
wrong one raises in Transformers it raises here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .call_list import parse_call_list
from .lax_json import parse_lax_json
from .pattern_search import find_all

__all__ = ["CONTENT_PARSERS", "VERBATIM_PARSERS", "parse_content"]


def parse_content(text: str, parser: str, args: dict[str, Any]) -> Any:
    """Parse the *text* of a region with the parser of that name.

    Raises:
        ValueError: the text is not what the parser reads; also whatever wrong *args* lead to.
    """
    return CONTENT_PARSERS[parser](text, args)


def _parse_text(text: str, args: dict[str, Any]) -> str:
    return text.strip() if args.get("strip", True) else text


def _parse_bool(text: str, args: dict[str, Any]) -> bool:
    return _parse_text(text, args).lower() in ("true", "1")


def _parse_value(text: str, value_parser: dict[str, Any] | None) -> Any:
    if value_parser is None:
        return text
    return parse_content(text, value_parser.get("name", "text"), value_parser.get("args", {}))


def _parse_tags(text: str, args: dict[str, Any]) -> dict[str, Any]:
    """Collect every match of ``tag_pattern``, with its groups ``key`` and ``value``."""
    pattern = args.get("tag_pattern")
    if pattern is None:
        raise ValueError("xml-inline: 'tag_pattern' content_arg is required")
    value_parser = args.get("value_parser")
    merge = args.get("merge_duplicates", False)
    values: dict[str, Any] = {}
    merged: set[str] = set()
    for tag in find_all(pattern, text):
        groups = tag.groupdict()
        key = groups.get("key")
        if key is None:
            raise ValueError(f"xml-inline: tag_pattern must have a named group 'key'. Pattern: {pattern}")
        value = _parse_value(groups.get("value", ""), value_parser)
        if not merge or key not in values:
            values[key] = value
        elif key in merged:
            values[key].append(value)
        else:
            merged.add(key)
            values[key] = [values[key], value]
    return values


def _parse_lines(text: str, args: dict[str, Any]) -> dict[str, Any]:
    """Collect the lines that hold a separator."""
    line_separator = args.get("line_sep", "\n")
    separator = args.get("kv_sep", ":")
    value_parser = args.get("value_parser")
    values: dict[str, Any] = {}
    for line in text.split(line_separator):
        line = _parse_text(line, args)
        if line and separator in line:
            key, value = line.split(separator, 1)
            key, value = _parse_text(key, args), _parse_text(value, args)
            values[key] = _parse_value(value, value_parser)
    return values


CONTENT_PARSERS: dict[str, Callable[[str, dict[str, Any]], Any]] = {
    "text": _parse_text,
    "int": lambda text, args: int(_parse_text(text, args)),
    "float": lambda text, args: float(_parse_text(text, args)),
    "bool": _parse_bool,
    "json": parse_lax_json,
    "xml-inline": _parse_tags,
    "kv-lines": _parse_lines,
    "python-call-list": lambda text, args: parse_call_list(text),
}

VERBATIM_PARSERS = frozenset({"text", "int", "float", "bool"})
"""Parsers whose value is the region's text itself, so that its pieces can be shown as they arrive."""
