"""What a caller's name for a model means: a folder on this machine, or an id on the Hub."""

from __future__ import annotations

import os
from pathlib import Path

from ..errors import ModelNotFound

__all__ = ["find_folder"]


def find_folder(name: str) -> Path | None:
    """Return the folder that *name* means, ``~`` expanded, or None where it can only be a Hub id.

    A folder that exists wins over a Hub id of the same spelling, as in Transformers.

    Raises:
        ModelNotFound: *name* is a file, or is spelled like a path and no folder lies there. Asking the Hub about such a
            name would answer with a riddle about repository names.
    """
    expanded = os.path.expanduser(name)
    for path in (name, expanded):
        if os.path.isdir(path):
            return Path(path)
    if os.path.isfile(expanded):
        raise ModelNotFound(f"{name} is a file. Pass the folder in which it lies")
    if _looks_like_path(name):
        raise ModelNotFound(f"{name}: there is no such folder. Check the path, or pass a Hub id of the form org/name")
    return None


def _looks_like_path(name: str) -> bool:
    return name.startswith((".", "/", "~")) or name.endswith("/") or name.count("/") > 1 or "\\" in name
