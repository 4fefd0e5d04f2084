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
        TurnwireError,
        TypeHintParsingException,
    )
    from .messages import tool_call, tool_result
    from .model import ChatModel, load
    from .probe.calls_kept import call_survives
    from .probe.tools_rendered import renders_tools
    from .reply.response_parser import ResponseParser, parse_response
    from .schema import get_json_schema
    from .template.render import RenderedChat, render_chat, render_spans
    from .tokens.encoding import BatchEncoding

_MODULES = {
    "BatchEncoding": "tokens.encoding",
    "ChatModel": "model",
    "DocstringParsingException": "errors",
    "FamilyError": "errors",
    "ModelFileError": "errors",
    "ModelNotFound": "errors",
    "PackageMissing": "errors",
    "RenderedChat": "template.render",
    "ResponseParser": "reply.response_parser",
    "TurnwireError": "errors",
    "TypeHintParsingException": "errors",
    "call_survives": "probe.calls_kept",
    "get_json_schema": "schema",
    "load": "model",
    "parse_response": "reply.response_parser",
    "render_chat": "template.render",
    "render_spans": "template.render",
    "renders_tools": "probe.tools_rendered",
    "tool_call": "messages",
    "tool_result": "messages",
}

__all__ = [
    "BatchEncoding",
    "ChatModel",
    "DocstringParsingException",
    "FamilyError",
    "ModelFileError",
    "ModelNotFound",
    "PackageMissing",
    "RenderedChat",
    "ResponseParser",
    "TurnwireError",
    "TypeHintParsingException",
    "call_survives",
    "get_json_schema",
    "load",
    "parse_response",
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
