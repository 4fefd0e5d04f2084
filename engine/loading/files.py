"""What was found of one model: the local paths of its small files, and its configuration files already read."""

from __future__ import annotations

import glob
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from ..errors import ModelFileError, ModelNotFound
from .chat_templates import CHAT_TEMPLATE_DIR, CHAT_TEMPLATE_FILE, LEGACY_CHAT_TEMPLATE_FILE, choose_chat_template
from .contents import read_json_object, refuse_stand_in
from .hub import fetch_files
from .source import find_folder
from .tokenizer_file import TOKENIZER_FILE, choose_tokenizer_file

__all__ = ["ModelFiles", "read_model_files"]

_NAMED_TEMPLATES = f"{CHAT_TEMPLATE_DIR}/*.jinja"
_CONFIGURATION_FILES = (
    "config.json",
    "tokenizer_config.json",
    "special_tokens_map.json",
    "added_tokens.json",
    CHAT_TEMPLATE_FILE,
    LEGACY_CHAT_TEMPLATE_FILE,
)
_VOCABULARY_FILES = (
    "tekken.json",
    "tokenizer.model",
    "tiktoken.model",
    "spiece.model",
    "sentencepiece.bpe.model",
    "sentencepiece.model",
    "spm.model",
    "vocab.json",
    "vocab.txt",
    "merges.txt",
)


@dataclass(frozen=True)
class ModelFiles:
    """The files of one model folder or one Hub commit, as far as chat templates and tokenizers need them."""

    source: str
    """The folder or Hub id as the caller named it."""
    is_local: bool
    """Whether the source is a folder rather than a Hub id."""
    paths: Mapping[str, Path]
    """File name relative to the model's folder (and subfolder) to its local path; only files that exist. The key
    ``tokenizer.json`` is the tokenizer to use, even where ``fast_tokenizer_files`` gives it another name. Vocabulary
    files (``tokenizer.model``, ``tekken.json``, ``vocab.json`` ...) are looked for only where there is no such file."""
    config: Mapping[str, Any]
    """``config.json``; empty if there is none."""
    tokenizer_config: Mapping[str, Any]
    """``tokenizer_config.json`` as stored; empty if there is none. File names in it are other people's text."""
    special_tokens_map: Mapping[str, Any]
    """``special_tokens_map.json``; empty if there is none, or if ``added_tokens_decoder`` in ``tokenizer_config.json``
    puts it out of use."""
    added_tokens: Mapping[str, int]
    """``added_tokens.json``, which only old checkpoints have; empty under the same conditions."""
    chat_template: str | dict[str, str] | None
    """The template, or templates by name, by Transformers' precedence. None where the model ships no Jinja template, as
    some do that come with a Python encoder instead: loading it is fine, and rendering needs a template passed along."""


def read_model_files(
    source: str | os.PathLike[str],
    *,
    revision: str | None = None,
    token: str | bool | None = None,
    cache_dir: str | os.PathLike[str] | None = None,
    local_files_only: bool = False,
    subfolder: str = "",
) -> ModelFiles:
    """Find and read the small files of a model, fetching them first where *source* is a Hub id; weights are never read.

    Whether the model has a chat template shows in ``chat_template`` of the result; that it has none is no error here.

    Args:
        source: a folder (``~`` is expanded) or a Hub id. All ``HF_*`` environment variables of the Hub's client work.
        revision: branch, tag or commit of a Hub id; the default branch if None.
        token: for the Hub; None takes the one of ``HF_TOKEN`` or of the login, False sends none.
        cache_dir: where the Hub's client keeps files, instead of its usual place.
        local_files_only: take what the cache has and ask nobody.
        subfolder: the folder inside the model's folder or repository where the files lie.

    Raises:
        ModelNotFound: there is no such model, or it is out of reach.
        ModelFileError: one of its files is broken or at odds with another.
    """
    name = os.fspath(source)
    subfolder = (subfolder or "").strip("/")
    prefix = f"{glob.escape(subfolder)}/" if subfolder else ""
    folder = find_folder(name)
    fetch = partial(fetch_files, name, token=token, cache_dir=cache_dir, local_files_only=local_files_only)
    if folder is None:
        if ".." in subfolder.split("/"):
            raise ModelNotFound(f"subfolder={subfolder!r} leaves the repository {name}. Name a folder inside it")
        wanted = [*_CONFIGURATION_FILES, _NAMED_TEMPLATES]
        # Named templates are listed at the top of the repository, see _named_templates.
        root = fetch([*(prefix + pattern for pattern in wanted), _NAMED_TEMPLATES], revision=revision)
    else:
        root = folder

    def locate(file_names: Sequence[str]) -> dict[str, Path]:
        if folder is None and not all((root / subfolder / file_name).is_file() for file_name in file_names):
            # By the commit that the first fetch found, so that all files are of one state of the repository.
            fetch([prefix + glob.escape(file_name) for file_name in file_names], revision=root.name)
        return _existing(root / subfolder, file_names)

    paths = _existing(root / subfolder, [*_CONFIGURATION_FILES, *_named_templates(root)])
    tokenizer_config = _read_object(paths, "tokenizer_config.json")
    place = f"{name}, subfolder {subfolder}," if subfolder else name
    tokenizer_paths = _tokenizer_paths(tokenizer_config, paths, locate)
    if folder is None and not tokenizer_paths:
        raise ModelNotFound(
            f"{place} has no tokenizer file, or the cache holds only a part of it. "
            "Load it once with the network, or pass the id and the subfolder where tokenizer.json lies"
        )
    paths |= tokenizer_paths
    if not paths:
        raise ModelNotFound(
            f"{place} holds none of a model's files, such as tokenizer_config.json. "
            "Pass the folder, and the subfolder, where they lie"
        )
    # Transformers reads these two only where the newer form is missing, so even a broken one does no harm there.
    is_old = "added_tokens_decoder" not in tokenizer_config
    special_tokens_map = _read_object(paths, "special_tokens_map.json") if is_old else {}
    added_tokens = _read_object(paths, "added_tokens.json") if is_old else {}
    for token_text, token_id in added_tokens.items():
        if type(token_id) is not int:
            problem = f"gives {token_text!r} the id {token_id!r}"
            raise ModelFileError(str(paths["added_tokens.json"]), problem, "Every value must be a whole number")
    return ModelFiles(
        source=name,
        is_local=folder is not None,
        paths=paths,
        config=_read_object(paths, "config.json"),
        tokenizer_config=tokenizer_config,
        special_tokens_map=special_tokens_map,
        added_tokens=added_tokens,
        chat_template=choose_chat_template(paths, tokenizer_config, special_tokens_map),
    )


def _named_templates(root: Path) -> list[str]:
    # Transformers lists the templates of the model's top folder even where a subfolder is asked for, and then reads the
    # files of those names in the subfolder. Of a folder it takes them in the file system's order, which may be any.
    return sorted(f"{CHAT_TEMPLATE_DIR}/{path.name}" for path in (root / CHAT_TEMPLATE_DIR).glob("*.jinja"))


def _tokenizer_paths(
    tokenizer_config: Mapping[str, Any],
    paths: Mapping[str, Path],
    locate: Callable[[Sequence[str]], dict[str, Path]],
) -> dict[str, Path]:
    # Located last: clients before 1.31 do not notice that a cached snapshot is only half there. They find no tokenizer
    # in it then, rather than a tokenizer without the chat template that belongs to it.
    config_path = paths.get("tokenizer_config.json", Path("tokenizer_config.json"))
    chosen = choose_tokenizer_file(tokenizer_config, config_path)
    found = locate([chosen])
    if chosen in found:
        return {**found, TOKENIZER_FILE: found[chosen]}
    if chosen != TOKENIZER_FILE:
        problem = f"fast_tokenizer_files chooses {chosen}, which is not there"
        raise ModelFileError(str(config_path), problem, "Add that file, or remove it from the list")
    return locate(_VOCABULARY_FILES)


def _existing(folder: Path, names: Iterable[str]) -> dict[str, Path]:
    paths = {name: folder / name for name in names}
    for path in paths.values():
        refuse_stand_in(path)
    return {name: path for name, path in paths.items() if path.is_file()}


def _read_object(paths: Mapping[str, Path], name: str) -> dict[str, Any]:
    return read_json_object(paths[name]) if name in paths else {}
