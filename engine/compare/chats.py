"""What speed is measured on: six conversations, from a greeting to an agent's long day, and copies nobody has seen."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from .cases import ChatInput

__all__ = ["CHATS", "make_chat", "renew_chat"]

CHATS = ("plain", "turns", "tool", "round trip", "agent", "history")
"""3 messages; system prompt and 4 turns; 1 tool; a call and its result; 40 messages, 5 nested tools; 199 messages."""

WORDS = "The harbour was quiet that morning, and the boats had not yet come back. "
TEXTS = frozenset({"content", "text", "reasoning_content", "reasoning", "thinking", "description"})
"""Keys whose value is somebody's text, which may be any other; names, roles and ids have to stay."""


def make_chat(name: str) -> ChatInput:
    """Make the conversation *name* out of new objects; it asks for a generation prompt."""
    messages, tools = _make_parts(name)
    return ChatInput(name, messages, tools=tools, add_generation_prompt=True)


def renew_chat(chat: ChatInput, number: int) -> ChatInput:
    """Copy *chat* into new objects with new texts: *number*, at the same length, at the end of each of them."""
    mark = f" [{number:08}]"
    return replace(
        chat,
        conversation=_renew(chat.conversation, mark),
        tools=_renew(chat.tools, mark),
        documents=_renew(chat.documents, mark),
    )


def _renew(value: Any, mark: str, is_text: bool = False) -> Any:
    if isinstance(value, str):
        return value + mark if is_text and not value.isspace() and value else value
    if isinstance(value, list):
        return [_renew(item, mark, is_text) for item in value]
    if isinstance(value, dict):
        # All that is said in a call's arguments is text; arguments that are written as JSON stay JSON.
        return {
            key: _renew(
                item,
                mark,
                is_text or (key in TEXTS if isinstance(item, str) else key == "arguments" and isinstance(item, dict)),
            )
            for key, item in value.items()
        }
    return value


def _make_parts(name: str) -> tuple[list[dict[str, Any]], list[dict[str, Any]] | None]:
    if name == "plain":
        return [_say("system"), _say("user"), _say("assistant")], None
    if name == "turns":
        turns = [_say("user", 4) if place % 2 == 0 else _say("assistant", 8) for place in range(8)]
        return [_say("system", 4), *turns, _say("user")], None
    if name == "tool":
        return [_say("system"), _say("user")], [_make_tool(0)]
    if name == "round trip":
        return [_say("user"), *_call(0), _say("assistant")], [_make_tool(0)]
    if name == "agent":
        calls = [message for turn in range(18) for message in _call(turn)]
        messages = [_say("system", 6), _say("user", 4), *calls, _say("assistant"), _say("user")]
        return messages, [_make_tool(number) for number in range(5)]
    assert name == "history"
    return [_say("user", 3) if place % 2 == 0 else _say("assistant", 6) for place in range(199)], None


def _say(role: str, times: int = 2) -> dict[str, Any]:
    return {"role": role, "content": WORDS * times}


def _call(number: int) -> list[dict[str, Any]]:
    call_id = f"call{number:05}"
    arguments = {
        "path": f"/srv/harbour/file{number}.txt",
        "lines": [number, number + 40],
        "options": {"encoding": "utf-8", "follow": True, "limit": number * 1.5, "note": WORDS},
    }
    function = {"name": f"read_file_{number % 5}", "arguments": arguments}
    return [
        {
            "role": "assistant",
            "content": "Let me look at it.",
            "tool_calls": [{"id": call_id, "type": "function", "function": function}],
        },
        {"role": "tool", "tool_call_id": call_id, "name": function["name"], "content": WORDS * 5},
    ]


def _make_tool(number: int) -> dict[str, Any]:
    option = {
        "type": "object",
        "description": "How the file is read.",
        "properties": {
            "encoding": {"type": "string", "enum": ["utf-8", "latin-1", "utf-16"], "description": "Of the text."},
            "follow": {"type": "boolean", "description": "Whether links are followed."},
            "limit": {"type": "number", "description": "Seconds before it is given up."},
            "note": {"type": "string", "description": WORDS},
        },
        "required": ["encoding"],
    }
    parameters = {
        "type": "object",
        "properties": {
            "path": {"type": "string", "description": "Where the file lies."},
            "lines": {"type": "array", "items": {"type": "integer"}, "description": "First and last line."},
            "options": option,
        },
        "required": ["path", "lines"],
    }
    return {
        "type": "function",
        "function": {"name": f"read_file_{number}", "description": WORDS, "parameters": parameters},
    }
