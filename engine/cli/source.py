"""MODEL_OR_TEMPLATE: a template file, a model folder, a template of the corpus, or a model on the Hub."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from ..compare.cases import read_corpus, read_text
from ..errors import CaseFileError, ModelNotFound, PackageMissing
from ..model import ChatModel, load

__all__ = ["Source", "open_source"]

CONFIG_FILES = {"config.json", "tokenizer.json", "tokenizer_config.json", "chat_template.json"}


@dataclass(frozen=True)
class Source:
    """What a conversation is rendered with."""

    name: str
    """What messages call it: the path or the id as the user wrote it."""
    template: str | None
    """The template's text, where the user named a template."""
    model: ChatModel | None
    """The model, where the user named a model."""

    def read_template(self, tools: Any) -> str:
        """Return the text of the template that renders a conversation with these *tools*.

        Raises:
            ValueError: the model has none, or several and no default among them.
        """
        if self.model is not None:
            return self.model.get_chat_template(None, tools)
        return self.template or ""

    def special_tokens(self) -> Mapping[str, str]:
        """Return the named special tokens; none without a model."""
        return {} if self.model is None else self.model.special_tokens_map

    def added_tokens(self) -> list[str]:
        """Return the tokens that the tokenizer cuts out of any text; none without a model, or where they are blank."""
        tokens = [] if self.model is None else self.model.tokenizer.added_tokens_encoder
        return [token for token in tokens if token.strip(" \t\n\r▁")]


def open_source(name: str) -> Source:
    """Find what *name* means.

    Raises:
        CaseFileError: it is a file that holds no template, or it means nothing at all.
        ModelNotFound, ModelFileError: it is a model that cannot be loaded.
    """
    path = Path(name)
    if path.is_dir():
        return Source(name, None, load(name))
    if path.exists():
        if path.name in CONFIG_FILES:
            raise CaseFileError(f"{name}: this is a file of a model, not a template; name its folder instead")
        return Source(name, read_text(path, name), None)
    if path.suffix in {".jinja", ".j2", ".json", ".txt"} or name.startswith((".", "/", "~", "\\")):
        raise CaseFileError(f"{name}: No such file or directory")
    if "/" in name:  # an OWNER/MODEL of the Hub; no template of the corpus has a slash in its name
        return Source(name, None, load(name))
    try:
        corpus = {template.name: template.text for template in read_corpus()}
    except PackageMissing:
        corpus = {}
    if name in corpus:
        return Source(name, corpus[name], None)
    try:
        return Source(name, None, load(name))
    except ModelNotFound as error:
        similar = get_close_matches(name, corpus, n=1)
        hint = f" (did you mean {similar[0]}?)" if similar else ""
        raise CaseFileError(f"{name}: no file, folder or corpus template has this name{hint}; {error}") from error
