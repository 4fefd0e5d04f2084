"""The registry of families."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType

import pytest

import turnwire.families
from turnwire.errors import FamilyError
from turnwire.families.gemma4 import FAMILY as GEMMA4
from turnwire.wire.family import Family
from turnwire.wire.registry import find_family, index_families, load_families


def make_family(name: str, *aliases: str) -> Family:
    return Family(name, aliases, (), GEMMA4.wire_format, response_template=None, links=())


def test_every_module_of_the_package_is_a_family_under_its_name() -> None:
    folder = Path(turnwire.families.__file__ or "").parent
    modules = sorted(file.stem for file in folder.glob("*.py") if file.stem != "__init__")
    assert modules
    assert [family.name for family in load_families()] == modules


def test_a_family_is_found_by_its_name_and_by_each_alias() -> None:
    for family in load_families():
        for name in (family.name, *family.aliases):
            assert (found := find_family(name)) is not None
            assert found.name == family.name


def test_an_unknown_name_finds_nothing() -> None:
    assert find_family("no_such_family") is None


def test_a_name_that_two_families_claim_is_an_error_naming_both() -> None:
    gemma = make_family("gemma", "g", "x")
    other = make_family("other", "y", "x")
    with pytest.raises(FamilyError, match=r"^both gemma and other claim the name 'x'$"):
        index_families([gemma, other])
    with pytest.raises(FamilyError, match=r"^both gemma and other claim the name 'gemma'$"):
        index_families([gemma, make_family("other", "gemma")])


@pytest.mark.parametrize("name", [None, "other"])
def test_a_module_that_exports_no_family_of_its_name_is_an_error(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str | None
) -> None:
    package = ModuleType("stray_families")
    package.__path__ = [str(tmp_path)]
    stray = ModuleType("stray_families.stray")
    if name is not None:
        stray.__dict__["FAMILY"] = make_family(name)
    (tmp_path / "stray.py").touch()
    monkeypatch.setitem(sys.modules, "stray_families", package)
    monkeypatch.setitem(sys.modules, "stray_families.stray", stray)
    monkeypatch.setattr("turnwire.wire.registry.PACKAGE", "stray_families")
    with pytest.raises(FamilyError, match=r"families/stray\.py: it has to export FAMILY, a Family named 'stray'"):
        load_families.__wrapped__()
