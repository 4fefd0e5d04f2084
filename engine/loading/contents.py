"""The text or the JSON of one file of a model, or an error that names the file, the place and the mend."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from ..errors import ModelFileError

__all__ = ["read_json_object", "read_text", "refuse_stand_in"]

_LFS_POINTER = b"version https://git-lfs"
_MEND = "Mend the file, or fetch it again"


def read_text(path: Path) -> str:
    """Return the text of *path*, with every line end turned into a newline, as Python's text mode does.

    A byte order mark stays a character of the text: a template that begins with one has it in every prompt.

    Raises:
        ModelFileError: the file cannot be read, or is not UTF-8.
    """
    try:
        text = path.read_bytes().decode("utf-8")
    except OSError as error:
        raise ModelFileError(str(path), f"cannot be read ({error.strerror})", "Mend its permissions") from error
    except UnicodeDecodeError as error:
        found = f"byte 0x{error.object[error.start]:02x} at offset {error.start}"
        raise ModelFileError(str(path), f"is not UTF-8 ({found})", "Save the file as UTF-8") from error
    return text.replace("\r\n", "\n").replace("\r", "\n")


def read_json_object(path: Path) -> dict[str, Any]:
    """Return the JSON object in *path*, read as leniently as Transformers does (NaN passes, the last of two keys wins).

    Raises:
        ModelFileError: the file cannot be read, is not UTF-8, is not JSON, or holds something else than an object.
    """
    text = read_text(path)
    try:
        value = json.loads(text)
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise ModelFileError(str(path), f"is not JSON ({error.msg} at {place})", _MEND) from error
    except RecursionError as error:
        raise ModelFileError(str(path), "is not readable JSON (nested too deeply)", _MEND) from error
    if not isinstance(value, dict):
        raise ModelFileError(str(path), f"holds a JSON {_json_name(value)} where an object belongs", _MEND)
    return value


def refuse_stand_in(path: Path) -> None:
    """Raise unless *path* is the file itself rather than a link into the void or a Git LFS pointer.

    Transformers takes the first for a missing file and would render the second as a template.

    Raises:
        ModelFileError: the file is such a stand-in.
    """
    if path.is_symlink() and not path.exists():
        raise ModelFileError(str(path), "is a link to a file that is not there", "Fetch the model again")
    if path.is_file():
        try:
            with path.open("rb") as file:
                start = file.read(len(_LFS_POINTER))
        except OSError as error:
            raise ModelFileError(str(path), f"cannot be read ({error.strerror})", "Mend its permissions") from error
        if start == _LFS_POINTER:
            raise ModelFileError(str(path), "is a Git LFS pointer, not the file itself", "Run `git lfs pull` there")


def _json_name(value: object) -> str:
    names = {list: "array", str: "string", bool: "boolean", type(None): "null"}
    return names.get(type(value), "number")
