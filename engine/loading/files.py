"""What was found of one model: the local paths of its small files, and its configuration files already read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

__all__ = ["ModelFiles"]


@dataclass(frozen=True)
class ModelFiles:
    """The files of one model folder or one Hub commit, as far as chat templates and tokenizers need them."""

    source: str
    """The folder or Hub id as the caller named it."""
    is_local: bool
    """Whether the source is a folder rather than a Hub id."""
    paths: Mapping[str, Path]
    """File name relative to the model's folder (and subfolder) to its local path; only files that exist."""
    config: Mapping[str, Any]
    """``config.json``; empty if there is none."""
    tokenizer_config: Mapping[str, Any]
    """``tokenizer_config.json`` as stored; empty if there is none."""
    special_tokens_map: Mapping[str, Any]
    """``special_tokens_map.json``; empty if there is none."""
    added_tokens: Mapping[str, int]
    """``added_tokens.json``, which only old checkpoints have; empty if there is none."""
    chat_template: str | dict[str, str] | None
    """The template, or templates by name, by Transformers' precedence; None where the model ships no Jinja template."""
