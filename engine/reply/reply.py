"""What a reader makes of a model's output: the reply as a whole, and the events that add up to it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

__all__ = ["CallDelta", "ContentDelta", "Event", "ReasoningDelta", "Reply", "ToolCall"]


@dataclass(slots=True)
class ContentDelta:
    """More of the text that is meant for the user."""

    text: str
    """Never empty."""

    def to_openai(self) -> dict[str, Any]:
        """Return the ``delta`` of a chunk of OpenAI's stream."""
        return {"content": self.text}


@dataclass(slots=True)
class ReasoningDelta:
    """More of the model's reasoning."""

    text: str
    """Never empty."""

    def to_openai(self) -> dict[str, Any]:
        """Return the ``delta`` of a chunk of OpenAI's stream."""
        return {"reasoning_content": self.text}


@dataclass(slots=True)
class CallDelta:
    """A tool call, or more of its arguments."""

    index: int
    """Which call of the reply, from 0."""
    id: str | None
    """In the first event of a call only."""
    name: str | None
    """In the first event of a call only."""
    arguments: str
    """A piece of JSON text; the pieces of a call joined are its arguments."""

    def to_openai(self) -> dict[str, Any]:
        """Return the ``delta`` of a chunk of OpenAI's stream."""
        function = (
            {"arguments": self.arguments} if self.name is None else {"name": self.name, "arguments": self.arguments}
        )
        call: dict[str, Any] = {"index": self.index, "function": function}
        return {"tool_calls": [call if self.id is None else {**call, "id": self.id, "type": "function"}]}


Event = ContentDelta | ReasoningDelta | CallDelta


@dataclass(frozen=True)
class ToolCall:
    """One call as it was read."""

    name: str
    """The function's name."""
    arguments: dict[str, Any]
    """By parameter name."""
    arguments_text: str
    """The arguments as JSON text, as the events carried them."""
    raw: str
    """The text the model wrote for it, marks included; empty where a response template read it."""
    span: tuple[int, int] | None
    """Where that text stands in the output: half open, in characters; None where a response template read it."""
    id: str
    """The id the model wrote, or one made up here."""
    typed: bool = True
    """False where a value's type had to be guessed, since neither the format nor a schema tells it."""
    complete: bool = True
    """False for what could be saved of a call that the model did not finish."""


@dataclass(frozen=True)
class Reply:
    """A model's output, taken apart."""

    content: str | None = None
    """The text for the user; None where there is none."""
    reasoning: str | None = None
    """The model's reasoning; None where there is none."""
    tool_calls: tuple[ToolCall, ...] = ()
    """In the order in which the model finished them."""
    complete: bool = True
    """False where the output stops in the middle of something."""
    warnings: tuple[str, ...] = ()
    """What a reader of a log should know, in words."""
    unread: tuple[str, ...] = ()
    """Text that stands where a call should be and could not be read as one; it is in no other field."""

    def to_message(self) -> dict[str, Any]:
        """Return the reply as a message for a chat template, arguments as dicts."""
        message: dict[str, Any] = {"role": "assistant"}
        if self.reasoning is not None:
            message["reasoning_content"] = self.reasoning
        if self.content is not None:
            message["content"] = self.content
        if self.tool_calls:
            message["tool_calls"] = [
                {"type": "function", "function": {"name": call.name, "arguments": call.arguments}}
                for call in self.tool_calls
            ]
        return message

    def to_openai(self) -> dict[str, Any]:
        """Return the reply as a message of OpenAI's chat completions, arguments as JSON text and with ids."""
        message: dict[str, Any] = {"role": "assistant", "content": self.content}
        if self.reasoning is not None:
            message["reasoning_content"] = self.reasoning
        if self.tool_calls:
            message["tool_calls"] = [
                {
                    "id": call.id,
                    "type": "function",
                    "function": {"name": call.name, "arguments": call.arguments_text},
                }
                for call in self.tool_calls
            ]
        return message
