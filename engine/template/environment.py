"""The sandbox a chat template runs in.

Law: a template reaches its variables, jinja2's filters and tests, and the few functions defined here; nothing else.
This is the only place of the package where a jinja2 environment is made.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import datetime
from types import FunctionType
from typing import Any, NoReturn

import jinja2
from jinja2.ext import loopcontrols
from jinja2.sandbox import ImmutableSandboxedEnvironment
from jinja2.utils import Namespace

from .generation import GenerationTag

__all__ = ["ChatEnvironment", "stop_clock"]


def raise_exception(message: Any) -> NoReturn:
    """Let a template refuse its input."""
    raise jinja2.TemplateError(message)


def strftime_now(format: str) -> str:
    """Return the local time as the template asks for it; a render may shadow this name by a stopped clock."""
    return datetime.now().strftime(format)


def stop_clock(now: datetime) -> Callable[[str], str]:
    """Return a ``strftime_now`` that tells the time *now*, and is the original in all else that a template sees."""

    def tell_time(format: str) -> str:
        return now.strftime(format)

    tell_time.__name__ = tell_time.__qualname__ = strftime_now.__name__
    return tell_time


def tojson(
    x: Any, ensure_ascii: bool = False, indent: Any = None, separators: Any = None, sort_keys: bool = False
) -> str:
    """Write *x* as JSON, unlike jinja2's filter of this name without HTML escapes and with the keys in their order."""
    return json.dumps(x, ensure_ascii=ensure_ascii, indent=indent, separators=separators, sort_keys=sort_keys)


class TemplateDict:
    """The global ``dict``: makes dicts, and does not hand out the type itself."""

    def __call__(self, *args: Any, **kwargs: Any) -> dict[Any, Any]:
        """Return ``dict(*args, **kwargs)``."""
        return dict(*args, **kwargs)

    def fromkeys(self, *args: Any, **kwargs: Any) -> dict[Any, Any]:
        """Return ``dict.fromkeys(*args, **kwargs)``."""
        return dict.fromkeys(*args, **kwargs)


class TemplateNamespace(Namespace):
    """The global ``namespace``: holds a template's own variables, none of which may start with an underscore."""

    # The first parameter has no name of its own so that `namespace(self=1)` works, as in jinja2.
    def __init__(*args: Any, **kwargs: Any) -> None:
        attributes = dict(*args[1:], **kwargs)
        for name in attributes:
            _refuse_private(name)
        Namespace.__init__(args[0], attributes)

    def __setitem__(self, name: str, value: Any) -> None:
        _refuse_private(name)
        Namespace.__setitem__(self, name, value)


def _refuse_private(name: Any) -> None:
    if isinstance(name, str) and name.startswith("_"):
        raise jinja2.exceptions.SecurityError(
            f"Chat templates cannot store underscore-prefixed attributes on a namespace, but got {name!r}. "
            "Please rename the attribute."
        )


class ChatEnvironment(ImmutableSandboxedEnvironment):
    """jinja2's immutable sandbox with the settings, tags and globals of chat templates."""

    def __init__(self) -> None:
        super().__init__(trim_blocks=True, lstrip_blocks=True, extensions=[GenerationTag, loopcontrols])
        self.filters["tojson"] = tojson
        # Copies, because a template can leave an attribute on what it is given (`cycler.reset(strftime_now)` sets
        # `pos`): the next template must not find it there.
        self.globals.update(
            raise_exception=_copy_function(raise_exception),
            strftime_now=_copy_function(strftime_now),
            dict=TemplateDict(),
            namespace=type("TemplateNamespace", (TemplateNamespace,), {"__module__": __name__}),
        )


def _copy_function(function: Any) -> FunctionType:
    return FunctionType(function.__code__, function.__globals__)
