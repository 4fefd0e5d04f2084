"""What generated templates reach: an environment that notes everything a template uses while it renders."""

from __future__ import annotations

import functools
import random
from collections import Counter
from collections.abc import Callable
from typing import Any

import jinja2
from jinja2 import nodes
from jinja2.runtime import LoopContext

from turnwire.compare.cases import Case
from turnwire.compare.outcome import Outcome, capture_outcome
from turnwire.messages import add_reasoning_names, normalize_messages, to_plain
from turnwire.template.environment import ChatEnvironment

from .grammar import METHOD_OWNERS

__all__ = ["UNWRITTEN_NODES", "RecordingEnvironment", "node_classes", "record_case"]

UNWRITTEN_NODES = {
    # Abstract, or not part of a tree.
    *("BinExpr", "Expr", "Helper", "Literal", "Stmt", "UnaryExpr", "_FilterTestCommon"),
    # Only extensions make these, and the two that a chat environment has do not.
    *("ContextReference", "DerivedContextReference", "EnvironmentAttribute", "EvalContextModifier", "ExprStmt"),
    *("ImportedName", "InternalName", "MarkSafe", "MarkSafeIfAutoescape", "OverlayScope"),
    # An optimiser or an extension may.
    *("Scope",),
}
"""Classes of ``jinja2.nodes`` that no text of a template is parsed into."""


def node_classes() -> set[str]:
    """Return the names of all node classes, but for those in :data:`UNWRITTEN_NODES`."""
    found: set[str] = set()
    ahead: list[type] = [nodes.Node]
    while ahead:
        children: list[type] = ahead.pop().__subclasses__()
        ahead += children
        found |= {child.__name__ for child in children}
    return found - UNWRITTEN_NODES


class RecordingEnvironment(ChatEnvironment):
    """A chat environment that counts what is used, by kind and name, in :attr:`uses`.

    ``filter``, ``test``: calls; ``filter that gives``, ``test that gives``: calls that return. ``loop``: attributes of
    loops. ``method``: calls of methods, as ``type.name``. ``refused attribute``: what the sandbox does not hand out, as
    ``type.name``. ``node``: nodes of templates' trees.
    """

    def __init__(self) -> None:
        super().__init__()
        self.uses: Counter[tuple[str, str]] = Counter()
        for name, function in self.filters.items():
            self.filters[name] = self._count_calls("filter", name, function)
        for name, function in self.tests.items():
            self.tests[name] = self._count_calls("test", name, function)

    def _count_calls(self, kind: str, name: str, function: Any) -> Callable[..., Any]:
        # `wraps` copies the mark that makes jinja2 pass the environment or the context as well.
        @functools.wraps(function)
        def call(*args: Any, **kwargs: Any) -> Any:
            self.uses[kind, name] += 1
            result = function(*args, **kwargs)
            self.uses[f"{kind} that gives", name] += 1
            return result

        return call

    def getattr(self, obj: Any, attribute: str) -> Any:
        """Return an attribute, noting those of loops."""
        if isinstance(obj, LoopContext):
            self.uses["loop", attribute] += 1
        return super().getattr(obj, attribute)

    def unsafe_undefined(self, obj: Any, attribute: str) -> jinja2.Undefined:
        """Return what stands for a refused attribute, noting which."""
        self.uses["refused attribute", f"{type(obj).__name__}.{attribute}"] += 1
        return super().unsafe_undefined(obj, attribute)

    def call(__self, __context: Any, __obj: Any, *args: Any, **kwargs: Any) -> Any:
        """Call an object, noting the methods of the types in the grammar."""
        # The sandbox puts a function of its own around `format`; a method of the class has the class for its self, and
        # the static `str.maketrans` has none.
        bound = getattr(getattr(__obj, "__wrapped__", __obj), "__self__", None)
        owner = (bound if isinstance(bound, type) else type(bound)).__name__
        if __obj == str.maketrans:
            owner = "str"
        if owner in METHOD_OWNERS:
            __self.uses["method", f"{owner}.{__obj.__name__}"] += 1
        return super().call(__context, __obj, *args, **kwargs)


def record_case(case: Case, environment: RecordingEnvironment) -> Outcome:
    """Render *case* in *environment* and return what came of it."""
    chat = case.chat
    arguments = to_plain(
        {
            "messages": add_reasoning_names(normalize_messages(chat.conversation)),
            "tools": chat.tools,
            "documents": chat.documents,
            "add_generation_prompt": case.add_generation_prompt,
            **chat.template_variables(),
        }
    )

    def render() -> str:
        tree = environment.parse(case.template.text)
        environment.uses.update(("node", type(node).__name__) for node in [tree, *tree.find_all(nodes.Node)])
        return environment.from_string(tree).render(**arguments)

    random.seed(case.template.name)
    return capture_outcome(render)
