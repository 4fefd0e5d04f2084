"""Cases of rendering out of ``fixtures/cases/render/*.json``: what goes in, and what text, spans or error comes out.

A case has ``shows`` (one sentence, the test's name), ``template``, the arguments of ``render_chat`` that it needs, and
either ``text``, with ``spans`` where they are asked for, or ``raises`` and ``message``. Messages are a short greeting
unless given. ``message`` is missing where the words are Python's own and change with its version. The clock stands at
:data:`CLOCK`.
"""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path
from typing import Any

__all__ = ["CLOCK", "GREETING", "arguments_of", "asks_for_spans", "expected_outcome", "name_case", "read_render_cases"]

CLOCK = datetime(2026, 2, 7, 16, 5, 9)
GREETING = [{"role": "user", "content": "hi"}]

_FOLDER = Path(__file__).resolve().parent.parent / "fixtures" / "cases" / "render"
_ARGUMENTS = ("tools", "documents", "add_generation_prompt", "continue_final_message")


def read_render_cases() -> list[dict[str, Any]]:
    """Return every case, with the name of its file under ``file``."""
    cases = []
    for path in sorted(_FOLDER.glob("*.json")):
        cases += [
            {"messages": GREETING, **case, "file": path.stem} for case in json.loads(path.read_text(encoding="utf-8"))
        ]
    if not cases:
        raise FileNotFoundError(f"no cases in {_FOLDER}")
    return cases


def name_case(case: dict[str, Any]) -> str:
    return f"{case['file']}: {case['shows']}"


def arguments_of(case: dict[str, Any]) -> dict[str, Any]:
    """Return the keyword arguments of ``render_chat`` and ``apply_chat_template`` alike."""
    return {name: case[name] for name in _ARGUMENTS if name in case} | case.get("variables", {})


def asks_for_spans(case: dict[str, Any]) -> bool:
    return "spans" in case or case["file"].endswith("generation")


def expected_outcome(case: dict[str, Any]) -> tuple[Any, ...]:
    """Return the text and the spans, or the name of the error's type and its message (None for any)."""
    if "raises" in case:
        return case["raises"], case.get("message")
    return case["text"], [tuple(span) for span in case.get("spans", [])]
