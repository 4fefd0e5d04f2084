"""What a template's syntax tree tells: the text it can write by itself, and the variables it reads."""

from __future__ import annotations

from functools import lru_cache

import jinja2.meta
from jinja2 import nodes

from .environment import ChatEnvironment

__all__ = ["find_variables", "literal_text"]


@lru_cache(maxsize=256)
def literal_text(source: str) -> str:
    r"""Return the template's raw text and its string constants, each once, in any order, with ``\0`` between them.

    What is not in here the template cannot write unless it builds it from pieces, or the caller passes it in.
    """
    tree = _parse(source)
    texts = {node.data for node in tree.find_all(nodes.TemplateData)}
    texts |= {node.value for node in tree.find_all(nodes.Const) if isinstance(node.value, str)}
    return "\0".join(texts)


@lru_cache(maxsize=256)
def find_variables(source: str) -> frozenset[str]:
    """Return the names that the template may read from its caller."""
    return frozenset(jinja2.meta.find_undeclared_variables(_parse(source)))


def _parse(source: str) -> nodes.Template:
    return ChatEnvironment().parse(source)
