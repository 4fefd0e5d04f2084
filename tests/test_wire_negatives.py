"""Texts that are no calls, on every family: prose about calls, JSON answers, code, quoted marks.

``fixtures/cases/negatives.json`` holds them. ``except`` says where text alone cannot tell the talk from the thing: in
families that have the ``mark`` (an empty one: calls without marks), or in those named; and ``because`` of what.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.wire_marks import marks_of
from turnwire.reply.reply import Reply
from turnwire.wire.family import Family
from turnwire.wire.reader import ReplyReader
from turnwire.wire.registry import load_families

CASES: list[dict[str, Any]] = json.loads(
    (Path(__file__).parent.parent / "fixtures" / "cases" / "negatives.json").read_text(encoding="utf-8")
)


def read(family: Family, text: str, step: int) -> Reply:
    reader = ReplyReader(family.wire_format, prompt="")
    for begin in range(0, len(text), step):
        reader.feed(text[begin : begin + step])
    reader.finish("stop")
    return reader.reply


def is_exempt(family: Family, case: dict[str, Any]) -> bool:
    exception = case.get("except", {})
    if "mark" in exception:
        if not exception["mark"]:
            return any(not syntax.open for syntax in family.wire_format.calls)
        return any(exception["mark"] in mark for mark in marks_of(family.wire_format))
    return family.name in exception.get("families", ())


def comes_back(family: Family, text: str, step: int) -> bool:
    reply = read(family, text, step)
    return (reply.content, reply.reasoning, reply.tool_calls) == (text, None, ())


def test_there_are_enough_cases_and_each_has_a_name_and_a_reason() -> None:
    assert len(CASES) >= 45
    assert len({case["name"] for case in CASES}) == len(CASES)
    assert all(case["shows"] and case["text"] for case in CASES)
    assert all(case["except"]["because"] for case in CASES if "except" in case)


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_talk_about_calls_comes_back_as_it_is(case: dict[str, Any]) -> None:
    families = [family for family in load_families() if not is_exempt(family, case)]
    assert families
    for family in families:
        for step in (len(case["text"]), 1, 5):
            reply = read(family, case["text"], step)
            assert (reply.content, reply.reasoning, reply.tool_calls) == (case["text"], None, ()), (family.name, step)


@pytest.mark.parametrize(
    "case", [case for case in CASES if "except" in case], ids=[case["name"] for case in CASES if "except" in case]
)
def test_an_exception_is_one(case: dict[str, Any]) -> None:
    exempt = [family for family in load_families() if is_exempt(family, case)]
    assert exempt
    assert not all(comes_back(family, case["text"], len(case["text"])) for family in exempt)
