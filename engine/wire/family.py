"""A family of models as data: which models it is, and how what they write is read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from .format import WireFormat

__all__ = ["Family"]


@dataclass(frozen=True)
class Family:
    """Models that read and write the same format."""

    name: str
    """The name of the family, of its module, and its key in the registry."""
    aliases: tuple[str, ...]
    """Names under which servers know the family's parser."""
    models: tuple[str, ...]
    """Hub ids of models whose templates belong to the family."""
    wire_format: WireFormat
    """How they write."""
    response_template: Mapping[str, Any] | None
    """The description of their output that the models ship, in Transformers' language; None where they ship none."""
    links: tuple[str, ...]
    """Where the format was observed."""
    spellings: tuple[str, ...] = ()
    """What the models write beyond what their templates render, which the format takes too, and where it was seen."""
    loss: tuple[str, ...] = ()
    """What reading back what the template wrote does not give, and why."""
    unmarked: str = ""
    """Regular expression for what is left of a call in text that was decoded without special tokens, where its marks
    are such tokens."""
    prefilled: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Aliases and models whose prompts write more of the turn than the format's ``prefill``, or less, by what it is."""
