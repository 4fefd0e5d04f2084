"""A reply read by a model's own response template."""

from __future__ import annotations

import json
import secrets
from collections.abc import Mapping
from typing import Any, Literal

from .reply import Reply, ToolCall
from .response_parser import ResponseParser

__all__ = ["read_by_template"]


def read_by_template(
    text: str,
    response_template: dict[str, Any],
    *,
    prompt: str = "",
    tools: Any = None,
    finish_reason: str | None = None,
    on_error: Literal["raise", "keep"] = "raise",
) -> Reply:
    """Read a whole output as its response template says, and return it as a reply.

    Where a region does not hold what the template says, ``on_error`` decides: ``raise`` as Transformers does, or
    ``keep`` the regions that closed before, with the error among the reply's warnings.

    Raises:
        ValueError: see *on_error*.
    """
    parser = ResponseParser(response_template, prefix=prompt, tools=tools)
    events: list[dict[str, Any]] = [*parser.initial_events]
    try:
        # What a piece brings is lost with the error in it, so that keeping takes the smallest pieces.
        for piece in [text] if on_error == "raise" else text:
            events += parser.feed(piece)
        message, _ = parser.finalize()
    except ValueError as error:
        if on_error == "raise":
            raise
        return _to_reply(_closed_regions(events), complete=False, warnings=(str(error),))
    return _to_reply(message, complete=finish_reason != "length", warnings=())


def _closed_regions(events: list[dict[str, Any]]) -> dict[str, Any]:
    message: dict[str, Any] = {}
    for event in events:
        if event["type"] == "region_close":
            if event["field"] == "tool_calls":
                message.setdefault("tool_calls", []).append(event["value"])
            else:
                message[event["field"]] = event["value"]
    return message


def _to_reply(message: Mapping[str, Any], *, complete: bool, warnings: tuple[str, ...]) -> Reply:
    calls = []
    for entry in message.get("tool_calls") or ():
        function = entry.get("function", entry) if isinstance(entry, Mapping) else {}
        name, arguments = function.get("name"), function.get("arguments")
        if not isinstance(name, str) or not isinstance(arguments, Mapping):
            warnings = (*warnings, f"this is no call: {entry!r}")
            continue
        text = json.dumps(arguments, ensure_ascii=False)
        id = str(entry.get("id") or f"call_{secrets.token_hex(12)}")
        calls.append(ToolCall(name, dict(arguments), text, "", None, id))
    return Reply(
        message.get("content") or None,
        message.get("reasoning_content") or message.get("thinking") or None,
        tuple(calls),
        complete,
        warnings,
    )
