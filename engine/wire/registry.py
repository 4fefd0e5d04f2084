"""The families, found at run time: every module of ``turnwire.families`` exports one ``FAMILY``."""

from __future__ import annotations

import pkgutil
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from difflib import get_close_matches
from functools import lru_cache
from importlib import import_module
from types import MappingProxyType

from ..errors import FamilyError
from .family import Family

__all__ = ["find_family", "index_families", "load_families", "load_family"]

PACKAGE = "turnwire.families"


@lru_cache(maxsize=1)
def load_families() -> tuple[Family, ...]:
    """Return every family, in the order of their names.

    Raises:
        FamilyError: a module exports no family, or one under another name than its own.
    """
    families = []
    for module in pkgutil.iter_modules(import_module(PACKAGE).__path__):
        family = getattr(import_module(f"{PACKAGE}.{module.name}"), "FAMILY", None)
        if not isinstance(family, Family) or family.name != module.name:
            raise FamilyError(f"families/{module.name}.py: it has to export FAMILY, a Family named {module.name!r}")
        families.append(family)
    return tuple(sorted(families, key=lambda family: family.name))


def find_family(name: str) -> Family | None:
    """Return the family that has *name* as its name, as an alias or among its models; None if there is none.

    Upper and lower case count only where two names differ in nothing else. The family comes with what the prompts of
    that model prefill.
    """
    index = _index_all()
    return index.get(name) or index.get(name.casefold())


def load_family(name: str) -> Family:
    """Return the family that has *name* as its name, as an alias or among its models.

    Raises:
        FamilyError: there is none; the text names those that are spelled alike.
    """
    family = find_family(name)
    if family is None:
        alike = get_close_matches(name.casefold(), _index_all(), n=3)
        hint = f"did you mean {' or '.join(alike)}?" if alike else "`turnwire families` lists all."
        raise FamilyError(f"there is no family {name!r}: {hint}")
    return family


@lru_cache(maxsize=1)
def _index_all() -> Mapping[str, Family]:
    return index_families(load_families())


def index_families(families: Iterable[Family]) -> Mapping[str, Family]:
    """Return *families* by name, alias and Hub id, each also in lower case.

    Raises:
        FamilyError: a name is claimed twice, or a family prefills for a name that is none of its own.
    """
    exact: dict[str, Family] = {}
    folded: dict[str, Family] = {}
    for family in families:
        for name, entry in _name_entries(family):
            other = folded.setdefault(name.casefold(), entry)
            if name in exact or other.name != family.name:
                raise FamilyError(f"both {other.name} and {family.name} claim the name {name!r}")
            exact[name] = entry
    return MappingProxyType({**folded, **exact})


def _name_entries(family: Family) -> Iterator[tuple[str, Family]]:
    prefills = {name: prefill for prefill, names in family.prefilled.items() for name in names}
    strangers = sorted(prefills.keys() - {*family.aliases, *family.models})
    if strangers:
        raise FamilyError(f"{family.name} prefills for {strangers[0]!r}, which is none of its aliases and models")
    variants = {
        prefill: replace(family, wire_format=replace(family.wire_format, prefill=prefill))
        for prefill in family.prefilled
    }
    for name in (family.name, *family.aliases, *family.models):
        yield name, variants[prefills[name]] if name in prefills else family
