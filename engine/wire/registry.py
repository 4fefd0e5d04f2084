"""The families, found at run time: every module of ``turnwire.families`` exports one ``FAMILY``."""

from __future__ import annotations

import pkgutil
from collections.abc import Iterable, Mapping
from functools import lru_cache
from importlib import import_module
from types import MappingProxyType

from ..errors import FamilyError
from .family import Family

__all__ = ["find_family", "index_families", "load_families"]

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
    """Return the family that has *name* as its name or as an alias; None if there is none."""
    return _index_all().get(name)


@lru_cache(maxsize=1)
def _index_all() -> Mapping[str, Family]:
    return index_families(load_families())


def index_families(families: Iterable[Family]) -> Mapping[str, Family]:
    """Return *families* by name and by alias.

    Raises:
        FamilyError: two families claim the same name.
    """
    index: dict[str, Family] = {}
    for family in families:
        for name in (family.name, *family.aliases):
            if name in index:
                raise FamilyError(f"both {index[name].name} and {family.name} claim the name {name!r}")
            index[name] = family
    return MappingProxyType(index)
