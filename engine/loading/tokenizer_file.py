"""Which file holds the tokenizer, where a model ships one file for each range of Transformers versions.

``fast_tokenizer_files`` in ``tokenizer_config.json`` lists names such as ``tokenizer.4.0.0.json``: the file for that
version and all later ones. The entries are other people's text, so a name that leaves the model's folder is refused.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Any

from ..errors import ModelFileError

__all__ = ["REFERENCE_VERSION", "TOKENIZER_FILE", "choose_tokenizer_file"]

TOKENIZER_FILE = "tokenizer.json"
REFERENCE_VERSION = (5, 24, 0)
"""The Transformers version that turnwire stands in for."""

_VERSIONED = re.compile(r"tokenizer\.(.*)\.json")
_VERSION = re.compile(
    r"\s*v?(?P<release>\d+(?:\.\d+)*)"
    r"(?P<pre>[-_.]?(?:a|alpha|b|beta|c|rc|pre|preview)[-_.]?\d*)?(?P<post>-\d+|[-_.]?(?:post|rev|r)[-_.]?\d*)?"
    r"(?P<dev>[-_.]?dev[-_.]?\d*)?(?P<local>\+[a-z0-9]+(?:[-_.][a-z0-9]+)*)?\s*",
    re.IGNORECASE,
)


def choose_tokenizer_file(tokenizer_config: Mapping[str, Any], config_path: Path) -> str:
    """Return the name of the tokenizer file that Transformers 5.24.0 would open, ``tokenizer.json`` if none is listed.

    The name is relative to the model's folder and does not leave it; whether the file exists is for the caller to see.

    Args:
        tokenizer_config: the object in *config_path*.
        config_path: named in errors.

    Raises:
        ModelFileError: the list is not one of names, a version in it cannot be read, or the name leaves the folder.
    """
    names = tokenizer_config.get("fast_tokenizer_files", [])
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise _config_error(config_path, "fast_tokenizer_files is not a list of file names")
    by_version = {found[1]: name for name in names if (found := _VERSIONED.search(name))}
    chosen = TOKENIZER_FILE
    for version in sorted(by_version):  # as text: Transformers stops at the first newer one in this order
        parts = _VERSION.fullmatch(version)
        if parts is None:
            raise _config_error(
                config_path, f"fast_tokenizer_files names {by_version[version]!r}, which has no version"
            )
        if _is_newer(parts):
            break
        chosen = by_version[version]
    if _leaves_folder(chosen):
        raise _config_error(
            config_path, f"fast_tokenizer_files names {chosen!r}, which lies outside the model's folder"
        )
    return chosen


def _is_newer(version: re.Match[str]) -> bool:
    numbers = [int(number) for number in version["release"].split(".")]
    numbers += [0] * (len(REFERENCE_VERSION) - len(numbers))
    release, rest = tuple(numbers[: len(REFERENCE_VERSION)]), numbers[len(REFERENCE_VERSION) :]
    if release != REFERENCE_VERSION or any(rest):
        return release >= REFERENCE_VERSION
    return not version["pre"] and bool(version["post"] or (version["local"] and not version["dev"]))


def _leaves_folder(name: str) -> bool:
    # Judged by both systems' rules on every system: what a model may name must not depend on who loads it.
    return any(
        path.is_absolute() or path.drive != "" or path.root != "" or ".." in path.parts
        for path in (PurePosixPath(name), PureWindowsPath(name))
    )


def _config_error(path: Path, problem: str) -> ModelFileError:
    return ModelFileError(str(path), problem, "List names like tokenizer.4.0.0.json, or remove the entry")
