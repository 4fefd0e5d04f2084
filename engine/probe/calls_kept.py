"""Does an assistant's tool call come out of the template?"""

from __future__ import annotations

from typing import Any

from ..messages import tool_call
from ..template.render import render_chat

__all__ = ["call_survives"]

NAME = "probe_survivor"
CONVERSATION = [
    {"role": "user", "content": "Use the tool."},
    {"role": "assistant", "tool_calls": [tool_call(NAME, {})]},
]


def call_survives(chat_template: str, **variables: Any) -> bool:
    """Tell whether the name of a called tool stands in the rendered conversation, which is passed without tools.

    *variables* are what the template reads besides, such as ``bos_token="<s>"``. In a template that refuses the
    conversation no call survives.
    """
    try:
        return NAME in render_chat(CONVERSATION, chat_template, **variables)
    except Exception:
        return False
