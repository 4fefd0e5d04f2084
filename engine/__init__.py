"""Chat messages to the exact text a language model was trained on, and back, without Transformers.

Names are imported when they are first used, so that a program pays for what it uses: rendering needs neither the
tokenizer library nor the readers.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .errors import (
        DocstringParsingException,
        FamilyError,
        ModelFileError,
        ModelNotFound,
        PackageMissing,
        ReplyNotKept,
        TurnwireError,
        TypeHintParsingException,
        UnparsedToolCall,
    )
    from .messages import tool_call, tool_result
    from .model import ChatModel, load
    from .probe.calls_kept import call_survives
    from .probe.tools_rendered import renders_tools
    from .reply.reply import CallDelta, ContentDelta, ReasoningDelta, Reply, ToolCall
    from .reply.response_parser import ResponseParser, parse_response
    from .schema import get_json_schema
    from .session import ChatSession, PromptChange, SessionPrompt
    from .template.render import RenderedChat, render_chat, render_spans
    from .tokens.encoding import BatchEncoding
    from .wire.choose import FamilyChoice, choose_family
    from .wire.family import Family
    from .wire.format import WireFormat
    from .wire.reader import ReplyReader
    from .wire.reading import find_calls, read_reply
    from .wire.registry import load_families, load_family

_MODULES = {
    "BatchEncoding": "tokens.encoding",
    "CallDelta": "reply.reply",
    "ChatModel": "model",
    "ChatSession": "session",
    "ContentDelta": "reply.reply",
    "DocstringParsingException": "errors",
    "Family": "wire.family",
    "FamilyChoice": "wire.choose",
    "FamilyError": "errors",
    "ModelFileError": "errors",
    "ModelNotFound": "errors",
    "PackageMissing": "errors",
    "PromptChange": "session",
    "ReasoningDelta": "reply.reply",
    "RenderedChat": "template.render",
    "Reply": "reply.reply",
    "ReplyNotKept": "errors",
    "ReplyReader": "wire.reader",
    "ResponseParser": "reply.response_parser",
    "SessionPrompt": "session",
    "ToolCall": "reply.reply",
    "TurnwireError": "errors",
    "TypeHintParsingException": "errors",
    "UnparsedToolCall": "errors",
    "WireFormat": "wire.format",
    "call_survives": "probe.calls_kept",
    "choose_family": "wire.choose",
    "find_calls": "wire.reading",
    "get_json_schema": "schema",
    "load": "model",
    "load_families": "wire.registry",
    "load_family": "wire.registry",
    "parse_response": "reply.response_parser",
    "read_reply": "wire.reading",
    "render_chat": "template.render",
    "render_spans": "template.render",
    "renders_tools": "probe.tools_rendered",
    "tool_call": "messages",
    "tool_result": "messages",
}

__all__ = [
    "BatchEncoding",
    "CallDelta",
    "ChatModel",
    "ChatSession",
    "ContentDelta",
    "DocstringParsingException",
    "Family",
    "FamilyChoice",
    "FamilyError",
    "ModelFileError",
    "ModelNotFound",
    "PackageMissing",
    "PromptChange",
    "ReasoningDelta",
    "RenderedChat",
    "Reply",
    "ReplyNotKept",
    "ReplyReader",
    "ResponseParser",
    "SessionPrompt",
    "ToolCall",
    "TurnwireError",
    "TypeHintParsingException",
    "UnparsedToolCall",
    "WireFormat",
    "call_survives",
    "choose_family",
    "find_calls",
    "get_json_schema",
    "load",
    "load_families",
    "load_family",
    "parse_response",
    "read_reply",
    "render_chat",
    "render_spans",
    "renders_tools",
    "tool_call",
    "tool_result",
]


def __getattr__(name: str) -> object:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f".{_MODULES[name]}", __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
