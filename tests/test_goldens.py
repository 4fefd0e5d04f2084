"""The outcomes that are recorded in full: those of a selection of templates, one file each, for people to read."""

from __future__ import annotations

from pathlib import Path

import pytest

from fixtures.record_outcomes import READABLE_CONVERSATIONS, READABLE_TEMPLATES, read_outcomes
from fixtures.recording import READABLE, format_outcomes
from turnwire.compare.cases import Case, ChatInput, NamedTemplate, read_corpus
from turnwire.compare.outcome import Outcome
from turnwire.compare.run import own_outcome

GOLDENS = sorted(READABLE.glob("*.txt"))
CORPUS = {template.name: template for template in read_corpus()}


def test_the_whole_selection_is_there() -> None:
    assert {golden.stem for golden in GOLDENS} == set(READABLE_TEMPLATES)
    assert len(GOLDENS) >= 40
    assert all(f"{name}, with" in golden.read_text("utf-8") for golden in GOLDENS for name in READABLE_CONVERSATIONS)


@pytest.mark.parametrize("golden", GOLDENS, ids=lambda golden: golden.stem)
def test_the_outcomes_read_as_recorded(golden: Path) -> None:
    recorded = golden.read_bytes().decode()
    assert format_outcomes(read_outcomes(CORPUS[golden.stem], own_outcome)) == recorded


def test_what_cannot_be_seen_is_written_out() -> None:
    case = Case(NamedTemplate("t", ""), ChatInput("c", []), False, "prompt")
    text = format_outcomes([(case, Outcome("a\rb \n\n⟦U+0041⟧\u200b é 日")), (case, Outcome("E: x", raised=True))])
    assert text == (
        "c, without generation prompt, gives:\n"
        "|a⟦U+000D⟧b⟦U+0020⟧\n"
        "|\n"
        "|⟦U+27E6⟧U+0041⟧⟦U+200B⟧ é 日\n"
        "\n"
        "c, without generation prompt, raises:\n"
        "|E: x\n"
    )
