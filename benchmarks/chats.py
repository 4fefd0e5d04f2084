"""The six conversations that rendering is measured with, from a greeting to an agent's long day."""

from __future__ import annotations

from typing import Any

__all__ = ["CHATS", "Chat", "make_chat"]

CHATS = ("plain", "turns", "tool", "round trip", "agent", "history")
"""3 messages; system prompt and 4 turns; 1 tool; a call and its result; 40 messages, 5 nested tools; 199 messages."""

WORDS = "The harbour was quiet that morning, and the boats had not yet come back. "

Chat = dict[str, Any]
"""``messages`` and ``tools``."""


def make_chat(name: str, seed: int = 0) -> Chat:
    """Make the conversation *name* out of new objects; every seed gives other texts of the same length."""
    mark = f"[{seed:06}] "

    def say(role: str, words: int = 2) -> dict[str, Any]:
        return {"role": role, "content": mark + WORDS * words}

    if name == "plain":
        return {"messages": [say("system"), say("user"), say("assistant")], "tools": None}
    if name == "turns":
        turns = [say("user", 4) if place % 2 == 0 else say("assistant", 8) for place in range(8)]
        return {"messages": [say("system", 4), *turns, say("user")], "tools": None}
    if name == "tool":
        return {"messages": [say("system"), say("user")], "tools": [_make_tool(0, mark)]}
    if name == "round trip":
        return {"messages": [say("user"), *_call(0, mark), say("assistant")], "tools": [_make_tool(0, mark)]}
    if name == "agent":
        messages = [say("system", 6), say("user", 4)]
        for turn in range(18):
            messages += _call(turn, mark)
        return {
            "messages": [*messages, say("assistant"), say("user")],
            "tools": [_make_tool(n, mark) for n in range(5)],
        }
    assert name == "history"
    messages = [say("user", 3) if place % 2 == 0 else say("assistant", 6) for place in range(199)]
    return {"messages": messages, "tools": None}


def _call(number: int, mark: str) -> list[dict[str, Any]]:
    call_id = f"call{number:05}"
    arguments = {
        "path": f"/srv/{mark}/file{number}.txt",
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
        {"role": "tool", "tool_call_id": call_id, "name": function["name"], "content": mark + WORDS * 5},
    ]


def _make_tool(number: int, mark: str) -> dict[str, Any]:
    option = {
        "type": "object",
        "description": "How the file is read.",
        "properties": {
            "encoding": {"type": "string", "enum": ["utf-8", "latin-1", "utf-16"], "description": "Of the text."},
            "follow": {"type": "boolean", "description": "Whether links are followed."},
            "limit": {"type": "number", "description": "Seconds before it is given up."},
            "note": {"type": "string", "description": mark + WORDS},
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
        "function": {"name": f"read_file_{number}", "description": mark + WORDS, "parameters": parameters},
    }
