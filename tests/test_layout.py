"""The house rules that a reader cannot see at a glance: public names, weight of the import, direction of imports."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import turnwire

ROOT = Path(__file__).resolve().parent.parent
SOURCES = sorted([*(ROOT / "engine").rglob("*.py"), *(ROOT / "families").rglob("*.py")])

LAYERS = [
    {"errors", "log", "messages"},
    {"hints"},
    {"schema"},
    {"template"},
    {"loading"},
    {"tokens"},
    {"reply"},
    {"wire"},
    {"session"},
    {"model"},
    {"probe", "compare", "agent"},
    {"cli"},
]


def test_the_public_names_are_these() -> None:
    assert turnwire.__all__ == [
        "BatchEncoding",
        "CallDelta",
        "ChatModel",
        "ChatSession",
        "ContentDelta",
        "DocstringParsingException",
        "Family",
        "FamilyChoice",
        "FamilyError",
        "ModelFileError",
        "ModelNotFound",
        "PackageMissing",
        "PromptChange",
        "ReasoningDelta",
        "RenderedChat",
        "Reply",
        "ReplyNotKept",
        "ReplyReader",
        "ResponseParser",
        "SessionPrompt",
        "ToolCall",
        "TurnwireError",
        "TypeHintParsingException",
        "UnparsedToolCall",
        "WireFormat",
        "call_survives",
        "choose_family",
        "find_calls",
        "get_json_schema",
        "load",
        "load_families",
        "load_family",
        "parse_response",
        "read_reply",
        "render_chat",
        "render_spans",
        "renders_tools",
        "tool_call",
        "tool_result",
    ]
    assert turnwire.__all__ == sorted(turnwire.__all__)
    assert all(getattr(turnwire, name).__name__ == name for name in turnwire.__all__)
    assert set(turnwire.__all__) <= set(dir(turnwire))


def test_importing_turnwire_brings_in_nothing_heavy() -> None:
    heavy = {"torch", "transformers", "numpy", "tokenizers", "huggingface_hub", "httpx", "typer", "rich"}
    code = f"import sys, turnwire; print(*sorted({heavy!r} & sys.modules.keys()))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []


def test_imports_go_downwards() -> None:
    rank = {name: number for number, layer in enumerate(LAYERS) for name in layer}
    upward = []
    for file in SOURCES:
        folder, relative = (
            ("engine", file.relative_to(ROOT / "engine"))
            if (ROOT / "engine") in file.parents
            else ("families", file.relative_to(ROOT / "families"))
        )
        own = relative.parts[0].removesuffix(".py")
        for target in imported_parts(file, relative.parts if folder == "engine" else ("families", *relative.parts)):
            if folder == "families":
                if target not in {"reply", "wire"}:
                    upward.append(f"{file.name} imports {target}")
            elif own != "__init__" and rank[target] >= rank[own] and target != own:
                upward.append(f"{relative} imports {target}")
    assert upward == []


def imported_parts(file: Path, parts: tuple[str, ...]) -> set[str]:
    """Return the first name below ``turnwire`` of everything that *file* imports from the package."""
    found = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.level:
            base = ["turnwire", *parts[:-1]][: len(parts) - node.level + 1]
            target = [*base, *(node.module.split(".") if node.module else [])]
            names = [target] if len(target) > 1 else [[*target, alias.name] for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "turnwire":
            module = (node.module or "").split(".")
            names = [module] if len(module) > 1 else [[*module, alias.name] for alias in node.names]
        elif isinstance(node, ast.Import):
            names = [alias.name.split(".") for alias in node.names if alias.name.startswith("turnwire.")]
        else:
            continue
        found |= {name[1] for name in names if len(name) > 1}
    return found


def test_modules_are_short_and_say_what_they_hold() -> None:
    assert SOURCES
    for file in SOURCES:
        text = file.read_text(encoding="utf-8")
        lines = text.count("\n")
        limit = 120 if "families" in file.parts and file.name != "__init__.py" else 400
        assert lines <= limit, f"{file} has {lines} lines"
        assert ast.get_docstring(ast.parse(text)), f"{file} has no docstring"


def test_no_function_bears_its_modules_name() -> None:
    for file in SOURCES:
        names = {
            node.name
            for node in ast.parse(file.read_text(encoding="utf-8")).body
            if isinstance(node, (ast.FunctionDef, ast.ClassDef))
        }
        assert file.stem not in names, file
