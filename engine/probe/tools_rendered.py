"""Does the template show the model its tools?"""

from __future__ import annotations

from typing import Any

from ..template.render import render_chat

__all__ = ["renders_tools"]

CONVERSATION = [{"role": "user", "content": "Use the tool."}]
TOOL = {
    "type": "function",
    "function": {
        "name": "probe_tool",
        "description": "Does what the probe asks for.",
        "parameters": {
            "type": "object",
            "properties": {"probe_parameter": {"type": "string", "description": "What to do."}},
            "required": ["probe_parameter"],
        },
    },
}


def renders_tools(chat_template: str, **variables: Any) -> bool:
    """Tell whether the same conversation comes out differently with and without a tool.

    *variables* are what the template reads besides, such as ``bos_token="<s>"``. A template that refuses the tool, or
    the conversation, renders no tools.
    """
    try:
        without = render_chat(CONVERSATION, chat_template, **variables)
        return render_chat(CONVERSATION, chat_template, tools=[TOOL], **variables) != without
    except Exception:
        return False
