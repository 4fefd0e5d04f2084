"""The installed Transformers, live, on a seeded sample of the corpus; `turnwire diff --corpus` runs all of it."""

from __future__ import annotations

import os
import random

import pytest

from fixtures.recording import OUTCOMES, hash_template, read_recording
from turnwire.compare.cases import list_cases, read_corpus, read_shipped_chat_inputs
from turnwire.compare.reference import reference_outcome, reference_version
from turnwire.compare.report import Comparison, show_finding
from turnwire.compare.run import compare_templates

pytest.importorskip("transformers", reason="Transformers, the oracle, is not installed")

CHATS = read_shipped_chat_inputs()
SAMPLE = random.Random(2).sample(read_corpus(), 60)


def test_a_sample_of_the_corpus_comes_to_the_same_on_both_sides() -> None:
    total = Comparison()
    for result in compare_templates(SAMPLE, CHATS, jobs=os.cpu_count() or 1):
        total.add(result)
    assert [show_finding(finding) for finding in total.findings] == []
    cases = sum(len(list(list_cases(template, CHATS))) for template in SAMPLE)
    assert total.verdicts["identical"] == cases >= 60 * 2 * len(CHATS)
    assert 0 < total.identical_errors < cases / 2


def test_the_recording_is_what_this_transformers_gives() -> None:
    version = reference_version()
    if not (OUTCOMES / version).is_dir():
        pytest.skip(f"no outcomes are recorded for Transformers {version}")
    recording = read_recording(OUTCOMES / version)
    place = {name: number for number, name in enumerate(recording.templates)}
    for template in SAMPLE[:6]:
        recorded = {name: lines[place[template.name]] for name, lines in recording.lines.items()}
        assert hash_template(template, CHATS, reference_outcome) == recorded
