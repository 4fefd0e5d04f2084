"""``continue_final_message``: leaves the last message open so that the model goes on writing it.

The text to continue is marked with a tag before the render, and the output is cut where the tag came out.
"""

from __future__ import annotations

from typing import Any

from ..messages import REASONING_FIELDS, Message

__all__ = ["cut_at_tag", "tag_final_message"]

TAG = "CONTINUE_FINAL_MESSAGE_TAG "
"""Ends in a space: where the template kept it, the message's own trailing space was kept as well."""


def tag_final_message(messages: list[Message], field: str, chat_template: str) -> Any:
    """Append the tag to *field* of the last message, in place, and return the text that is to be continued.

    Raises:
        ValueError: there is nothing to continue, or the template never reads that field.
    """
    if not messages:
        raise ValueError("continue_final_message is set but the conversation is empty!")
    final = messages[-1]
    text = final.get(field)
    if text is None:
        raise ValueError(f'continue_final_message is set but the final message has no "{field}" to continue!')
    # Reasoning stands under several names by now; whichever of them the template reads has to carry the tag.
    fields = [name for name in REASONING_FIELDS if final.get(name) == text] if field in REASONING_FIELDS else [field]
    if not any(name in chat_template for name in fields):
        raise ValueError(
            f'continue_final_message is set to "{field}" but this is not an accepted field in the chat_template'
        )
    if isinstance(text, (list, tuple)):
        for part in reversed(text):
            if "text" in part:
                text = part["text"]
                part["text"] = part["text"] + TAG
                return text
        raise ValueError(
            "continue_final_message is set but we could not find any text to continue in the final message!"
        )
    for name in fields:
        final[name] = final[name] + TAG
    return text


def cut_at_tag(rendered: str, text: Any) -> str:
    """Return *rendered* up to the tag, less the space after *text* where the template trimmed it.

    Raises:
        ValueError: the template did not render *text*.
    """
    bare = TAG.strip()
    if text.strip() not in rendered or bare not in rendered:
        raise ValueError(
            "continue_final_message is set but the final message does not appear in the chat after "
            "applying the chat template! This can happen if the chat template deletes portions of "
            "the final message. Please verify the chat template and final message in your chat to "
            "ensure they are compatible."
            f"Final message to continue: {text.strip()}\nRendered chat:\n{rendered}"
        )
    pos = rendered.rindex(bare)
    kept = rendered[:pos]
    return kept if rendered.startswith(TAG, pos) else kept.rstrip()
