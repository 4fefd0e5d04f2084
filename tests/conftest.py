"""Shared set-up: the installed package has to be the one in this checkout, and the code cache is the run's own."""

from __future__ import annotations

import os
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

import turnwire

ROOT = Path(__file__).resolve().parent.parent

# Nothing that a test run compiles is left to the user's next program, nor taken from an earlier one.
CACHE = TemporaryDirectory(prefix="turnwire-cache-")
os.environ["TURNWIRE_CACHE"] = CACHE.name


def pytest_sessionstart() -> None:
    # A strict editable install links single files, so one added since then is not there yet.
    installed = Path(turnwire.__file__).parent
    sources = {
        "": (ROOT / "engine", "*.py"),
        "families": (ROOT / "families", "*.py"),
        "conversations": (ROOT / "fixtures" / "conversations", "*.json"),
    }
    missing = [
        file.relative_to(ROOT)
        for prefix, (folder, pattern) in sources.items()
        for file in sorted(folder.rglob(pattern))
        if not _same_file(installed / prefix / file.relative_to(folder), file)
    ]
    if missing:
        pytest.exit(f"{missing[0]} is not what `import turnwire` finds: run `pip install -e .` again", returncode=2)


def _same_file(one: Path, other: Path) -> bool:
    return one.exists() and one.read_bytes() == other.read_bytes()
