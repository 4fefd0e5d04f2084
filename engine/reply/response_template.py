"""Response templates: Transformers' description, as JSON, of how a model's output is taken apart into a message.

Each field of the message is a region of the output, between delimiters of its own; the one field without an opening
takes what lies outside of the other regions. What the template says is checked when it is loaded.
"""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass
from typing import Any

from .content import CONTENT_PARSERS, VERBATIM_PARSERS
from .delimiters import Delimiter, compile_delimiter
from .transforms import check_transform

__all__ = ["ResponseField", "ResponseTemplate", "load_response_template"]

TEMPLATE_KEYS = {"version", "defaults", "fields", "start_anchor", "start_anchor_pattern"}
FIELD_KEYS = {
    "open",
    "open_pattern",
    "close",
    "close_pattern",
    "content",
    "content_args",
    "repeats",
    "join",
    "optional",
    "transform",
    "transform_each",
}


@dataclass(frozen=True)
class ResponseField:
    """One field of the message and the region it is read from."""

    name: str
    """The message's key."""
    open: Delimiter | None
    """Where the region begins; None for the field that takes what no other region does."""
    close: Delimiter | None
    """Where it ends; None for the end of the output."""
    content: str
    """The content parser."""
    content_args: dict[str, Any]
    """What the content parser is told."""
    repeats: bool
    """Whether the field is a list with an item for each region."""
    join: str | None
    """What stands between the texts of repeated regions, if they make up one text."""
    optional: bool
    """Whether a message may lack it."""
    transform: Any
    """The shape of the value; None for the content as it was parsed."""
    transform_each: bool
    """Whether the transform is for each item of the content."""
    is_parsed: bool
    """Whether the value is something else than the region's text."""


@dataclass(frozen=True)
class ResponseTemplate:
    """A response template, checked and compiled."""

    defaults: dict[str, Any]
    """What every message starts from."""
    fields: dict[str, ResponseField]
    """By name, in the template's order."""
    start_anchor: Delimiter
    """What the model's turn begins with in a prompt."""
    implicit: str | None = None
    """The field without an opening."""

    def cut_prefix(self, prompt: str) -> str:
        """Return what *prompt* holds of the reply: what comes after its last anchor; all of it where it has none."""
        end = 0
        for anchor in self.start_anchor.pattern.finditer(prompt):
            end = anchor.end()
        return prompt[end:]


def load_response_template(template: dict[str, Any] | ResponseTemplate) -> ResponseTemplate:
    """Check and compile a response template; one that is compiled already is returned as it is.

    Raises:
        ValueError: the template breaks a rule; the text says which, and in which field.
    """
    if isinstance(template, ResponseTemplate):
        return template
    _check_shape(template)
    fields = {name: _load_field(name, field) for name, field in template["fields"].items()}
    implicit = [name for name, field in fields.items() if field.open is None]
    if len(implicit) > 1:
        raise ValueError(
            "At most one field may omit 'open'/'open_pattern' (that field becomes the "
            f"implicit-open / leftover sink). Found: {', '.join(implicit)}"
        )
    start_anchor = compile_delimiter("response_template", template, "start_anchor", "start_anchor_pattern")
    if start_anchor is None:
        raise ValueError("response_template must define 'start_anchor' or 'start_anchor_pattern'.")
    return ResponseTemplate(
        defaults=deepcopy(template.get("defaults", {})),
        fields=fields,
        start_anchor=start_anchor,
        implicit=implicit[0] if implicit else None,
    )


def _check_shape(template: Any) -> None:
    if not isinstance(template, dict):
        raise ValueError(f"response_template must be a dict, got {type(template).__name__}")
    if (version := template.get("version", 1)) != 1:
        raise ValueError(f"Unsupported response_template version: {version}")
    if unknown := set(template) - TEMPLATE_KEYS:
        raise ValueError(f"Unknown keys in response_template: {sorted(unknown)}")
    if not isinstance(template.get("defaults", {}), dict):
        raise ValueError("response_template.defaults must be a dict")
    fields = template.get("fields")
    if not isinstance(fields, dict) or not fields:
        raise ValueError("response_template.fields must be a non-empty dict")


def _load_field(name: str, field: Any) -> ResponseField:
    scope = f"Field '{name}'"
    if not isinstance(field, dict):
        raise ValueError(f"{scope} must be a dict")
    if unknown := set(field) - FIELD_KEYS:
        raise ValueError(f"{scope}: unknown keys {sorted(unknown)}")
    content = field.get("content", "text")
    if content not in CONTENT_PARSERS:
        raise ValueError(f"{scope}: unknown content parser '{content}'. Available: {sorted(CONTENT_PARSERS)}")
    opening = compile_delimiter(scope, field, "open", "open_pattern")
    closing = compile_delimiter(scope, field, "close", "close_pattern")
    repeats = field.get("repeats", False)
    join = field.get("join")
    if join is not None and not isinstance(join, str):
        raise ValueError(f"{scope}: 'join' must be a string, got {type(join).__name__}")
    if join is not None and not repeats:
        raise ValueError(f"{scope}: 'join' requires 'repeats': true")
    transform = field.get("transform")
    transform_each = field.get("transform_each", False)
    if not isinstance(transform_each, bool):
        raise ValueError(f"{scope}: transform_each must be a bool, got {type(transform_each).__name__}")
    if transform is not None:
        check_transform(scope, transform)
    elif transform_each:
        raise ValueError(f"{scope}: transform_each is set but no transform was provided")
    else:
        _check_captures(scope, opening, closing)
    return ResponseField(
        name=name,
        open=opening,
        close=closing,
        content=content,
        content_args=field.get("content_args", {}),
        repeats=repeats,
        join=join,
        optional=field.get("optional", True),
        transform=transform,
        transform_each=transform_each,
        is_parsed=content not in VERBATIM_PARSERS,
    )


def _check_captures(scope: str, *delimiters: Delimiter | None) -> None:
    """Refuse named groups: without a transform they lead nowhere."""
    names = {name for delimiter in delimiters if delimiter is not None for name in delimiter.pattern.groupindex}
    if names:
        raise ValueError(
            f"{scope}: open_pattern/close_pattern declares named group(s) "
            f"{sorted(names)}, but the field has no 'transform'. Named captures "
            f"are only surfaced through a 'transform' template (where they appear "
            f"alongside 'content'). Either add a 'transform' that uses the captures, or "
            f"remove the named groups from the pattern."
        )
