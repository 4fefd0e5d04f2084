"""Templates that are ready to render: compiled where a template allows it, by plain Jinja where not or where asked.

Law: the outcome is plain Jinja's. Compiled code that raises has no say (see :mod:`.compiler`): plain Jinja renders
again, and returns or raises. It gets copies of the containers, since there are ways for it to change them.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from functools import cached_property, lru_cache
from types import CodeType
from typing import Any, Literal, get_args

import jinja2

from ..messages import copy_plain
from .code_cache import fetch_code
from .compiler.code_globals import make_globals
from .environment import ChatEnvironment
from .generation import Span, track_spans

__all__ = ["Engine", "Program", "compile_template"]

MOST_RETREATS = 8
"""How often compiled code may be wrong in a row about a render that plain Jinja finishes, before it is given up."""

Engine = Literal["compiled", "plain"]
"""What renders: code of our own where there is some, or plain Jinja in any case, as with ``TURNWIRE_PLAIN=1``."""

Root = Callable[[Mapping[str, Any], list[str]], None]


class Program:
    """A template, ready to render any number of times, in any number of threads."""

    def __init__(self, source: str, engine: Engine = "compiled") -> None:
        # One environment a template: what a template does to shared objects of its environment stays its own affair.
        self.environment = ChatEnvironment()
        self.source = source
        self.retreats = 0
        """Renders in a row that compiled code gave up and plain Jinja finished."""
        self.root = None if _wants_plain(engine) else _compile(source, self.environment)
        """The compiled template, or None where plain Jinja does all."""
        if self.root is None:
            _ = self.plain  # Raises what is wrong with the template.

    @cached_property
    def plain(self) -> jinja2.Template:
        """The template as jinja2 compiles it."""
        environment = self.environment
        code = fetch_code("plain Jinja", self.source, lambda: environment.compile(self.source))
        assert code is not None
        # What `from_string` does.
        return environment.template_class.from_code(environment, code, environment.make_globals(None))

    def render(self, variables: Mapping[str, Any]) -> str:
        """Return the text for *variables*, which are plain.

        Raises:
            Exception: whatever the template raises.
        """
        root = self.root
        if root is not None:
            pieces: list[str] = []
            try:
                root(variables, pieces)
                text = "".join(pieces)
            except Exception:
                pass
            else:
                self.retreats = 0
                return text
        text = self.plain.render(copy_plain(variables))
        self._note_retreat()
        return text

    def render_tracked(self, variables: Mapping[str, Any]) -> tuple[str, list[Span]]:
        """Return the text for *variables*, and the spans of its generation blocks in the order in which they ended.

        Raises:
            Exception: whatever the template raises.
        """
        root = self.root
        if root is not None:
            try:
                tracked = track_spans(lambda pieces: root(variables, pieces))
            except Exception:
                pass
            else:
                self.retreats = 0
                return tracked

        def put_out(pieces: list[str]) -> None:
            for piece in self.plain.generate(copy_plain(variables)):
                pieces.append(piece)  # One by one: a block looks at what is there.

        tracked = track_spans(put_out)
        self._note_retreat()
        return tracked

    def _note_retreat(self) -> None:
        if self.root is not None:
            self.retreats += 1
            if self.retreats == MOST_RETREATS:
                self.root = None


@lru_cache(maxsize=256)
def compile_template(source: str, engine: Engine = "compiled") -> Program:
    """Make the template text *source* ready, or return it from the cache.

    Raises:
        jinja2.TemplateSyntaxError: the text is not a template.
        ValueError: there is no such engine.
    """
    return Program(source, engine)


def _wants_plain(engine: Engine) -> bool:
    if engine not in get_args(Engine):
        raise ValueError(f"engine is {engine!r}, but there are only {' and '.join(map(repr, get_args(Engine)))}")
    return engine == "plain" or os.environ.get("TURNWIRE_PLAIN") == "1"


def _compile(source: str, environment: ChatEnvironment) -> Root | None:
    try:
        code = fetch_code("turnwire", source, lambda: _generate(source, environment))
        if code is None:
            return None
        namespace = make_globals(environment)
        exec(code, namespace)
    except Exception:
        # jinja2 or Python would not have it: plain Jinja decides.
        return None
    root: Root = namespace["root"]
    return root


def _generate(source: str, environment: ChatEnvironment) -> CodeType | None:
    from .compiler.expressions import Unsupported  # The compiler is not even imported for code that is kept.
    from .compiler.generator import generate_code

    try:
        code = generate_code(environment.parse(source), environment)
    except Unsupported:
        return None
    return compile(code, "<compiled template>", "exec")
