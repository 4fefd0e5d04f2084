"""``turnwire schema``: the JSON schema of a Python function, as templates want it among the tools."""

from __future__ import annotations

import contextlib
import importlib
import importlib.util
import inspect
import json
import os
import sys
from pathlib import Path
from types import ModuleType
from typing import Annotated, Any

import typer

from ..errors import DocstringParsingException, TypeHintParsingException
from ..schema import get_json_schema
from .streams import FINDINGS, MISUSE, stop_command, write_result

__all__ = ["schema_command"]


def schema_command(
    function: Annotated[
        str,
        typer.Argument(
            metavar="MODULE:FUNCTION",
            help="A module that Python can import from here, or a file, and a function of it, such as "
            "./tools.py:get_rate.",
            show_default=False,
        ),
    ],
    as_json: Annotated[bool, typer.Option("--json", help="Print the schema on one line.")] = False,
) -> None:
    """Print the JSON schema of a function with type hints and a docstring.

    The function's module is run to get at it.
    """
    module_name, _, path = function.rpartition(":")
    if not module_name or not path:
        stop_command(f"{function}: name a function as module:function or file.py:function", MISUSE)
    found: Any = _import_module(module_name)
    for name in path.split("."):
        if not hasattr(found, name):
            stop_command(f"{module_name} has no {path}{_list_functions(found)}", MISUSE)
        found = getattr(found, name)
    if not (inspect.isfunction(found) or inspect.ismethod(found)):
        stop_command(f"{function} is not a function but an object of the type {type(found).__name__}", MISUSE)
    try:
        schema = get_json_schema(found)
    except (DocstringParsingException, TypeHintParsingException) as error:
        stop_command(f"{type(error).__name__}: {error}", FINDINGS)
    write_result(json.dumps(schema, ensure_ascii=False, indent=None if as_json else 2) + "\n")


def _import_module(name: str) -> ModuleType:
    is_file = name.endswith(".py")
    if is_file and not Path(name).is_file():
        stop_command(f"{name}: No such file or directory", MISUSE)
    # A console script does not have the folder it is called from on the path, unlike `python -m`.
    sys.path.insert(0, str(Path(name).resolve().parent) if is_file else os.getcwd())
    try:
        # What the module prints would stand in the middle of the result.
        with contextlib.redirect_stdout(sys.stderr):
            return _run_file(Path(name)) if is_file else importlib.import_module(name)
    except (Exception, SystemExit) as error:
        if isinstance(error, ModuleNotFoundError) and error.name and f"{name}.".startswith(f"{error.name}."):
            stop_command(f"{name}: Python finds no such module from here", MISUSE)
        stop_command(f"{name} cannot be imported: {type(error).__name__}: {error}", MISUSE)


def _run_file(path: Path) -> ModuleType:
    # A name of its own, so that a file called json.py takes no other module's place.
    spec = importlib.util.spec_from_file_location(f"_turnwire_{path.stem}", path)
    if spec is None or spec.loader is None:
        raise ImportError("it is no Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # where dataclasses and type hints look for it
    spec.loader.exec_module(module)
    return module


def _list_functions(found: Any) -> str:
    members = getattr(found, "__dict__", {})
    names = [name for name, value in members.items() if inspect.isfunction(value) and not name.startswith("_")]
    return f"; its functions are {', '.join(names)}" if names else ""
