"""Generated templates come out as Transformers has it, and the comparison notices when the environment is a bit off.

``TURNWIRE_FUZZ_TEMPLATES`` says how many; ``python -m tests.fuzz`` runs larger campaigns.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from typing import Any, NoReturn

import jinja2
import pytest
from jinja2.ext import loopcontrols
from jinja2.filters import FILTERS
from jinja2.sandbox import SandboxedEnvironment
from jinja2.utils import Namespace

from tests.fuzz import FuzzResult, compare_case, public_outcome, run_side
from tests.generators.templates import generate_template_case
from turnwire.compare.cases import Case, NamedTemplate
from turnwire.compare.outcome import Outcome
from turnwire.compare.reference import reference_outcome
from turnwire.template.environment import ChatEnvironment
from turnwire.template.generation import Span
from turnwire.template.program import Program, compile_template

SEEDS = range(int(os.environ.get("TURNWIRE_FUZZ_TEMPLATES", "2000")))


@pytest.fixture(scope="module")
def expected() -> list[tuple[Case, Outcome]]:
    cases = [generate_template_case(seed) for seed in SEEDS]
    return [(case, run_side(reference_outcome, case)) for case in cases]


def test_generated_templates_come_out_as_in_transformers(expected: list[tuple[Case, Outcome]]) -> None:
    result = FuzzResult()
    for case, theirs in expected:
        result.add(compare_case(case, public_outcome, theirs))
    assert result.findings == []
    assert result.counts["rendered"] >= 0.4 * len(SEEDS)
    assert result.counts["raised"] >= 0.2 * len(SEEDS)
    assert result.counts["unstable"] <= 0.005 * len(SEEDS)


# --- the comparison can fail: each of these changes has to be found ---------------------------------------------------


def dump_sorted(x: Any, indent: Any = None, ensure_ascii: bool = False, separators: Any = None) -> str:
    return json.dumps(x, ensure_ascii=ensure_ascii, indent=indent, separators=separators, sort_keys=True)


def dump_ascii(x: Any, indent: Any = None, separators: Any = None, sort_keys: bool = False, **_: Any) -> str:
    return json.dumps(x, indent=indent, separators=separators, sort_keys=sort_keys)


def refuse_with_value_error(message: Any) -> NoReturn:
    raise ValueError(message)


ENVIRONMENT_CHANGES: dict[str, Callable[[ChatEnvironment], object]] = {
    "trim_blocks off": lambda made: setattr(made, "trim_blocks", False),
    "lstrip_blocks off": lambda made: setattr(made, "lstrip_blocks", False),
    "keep_trailing_newline on": lambda made: setattr(made, "keep_trailing_newline", True),
    "newlines become carriage returns": lambda made: setattr(made, "newline_sequence", "\r\n"),
    "autoescape on": lambda made: setattr(made, "autoescape", True),
    "strict undefined": lambda made: setattr(made, "undefined", jinja2.StrictUndefined),
    "chainable undefined": lambda made: setattr(made, "undefined", jinja2.ChainableUndefined),
    "loop controls missing": lambda made: made.extensions.pop(loopcontrols.identifier),
    "tojson sorts keys": lambda made: made.filters.update(tojson=dump_sorted),
    "tojson escapes what is not ASCII": lambda made: made.filters.update(tojson=dump_ascii),
    "tojson escapes HTML": lambda made: made.filters.update(tojson=FILTERS["tojson"]),
    "a filter missing": lambda made: made.filters.pop("items"),
    "a test missing": lambda made: made.tests.pop("string"),
    "namespace takes private names": lambda made: made.globals.update(namespace=Namespace),
    "dict is the type": lambda made: made.globals.update(dict=dict),
    "strftime_now missing": lambda made: made.globals.pop("strftime_now"),
    "raise_exception raises another error": lambda made: made.globals.update(raise_exception=refuse_with_value_error),
}


@pytest.fixture
def changed_environment(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[Callable[[Any], object]], None]]:
    original = ChatEnvironment.__init__

    def change(apply: Callable[[Any], object]) -> None:
        def init(self: ChatEnvironment) -> None:
            original(self)
            apply(self)

        monkeypatch.setattr(ChatEnvironment, "__init__", init)

    # Compiled code is written for the environment as it is; what a change does to it is not the question here.
    monkeypatch.setenv("TURNWIRE_PLAIN", "1")
    compile_template.cache_clear()
    yield change
    compile_template.cache_clear()


def assert_found(expected: list[tuple[Case, Outcome]]) -> None:
    assert any(compare_case(case, public_outcome, theirs).findings for case, theirs in expected)


@pytest.mark.parametrize("name", ENVIRONMENT_CHANGES)
def test_a_changed_environment_is_found(
    name: str,
    expected: list[tuple[Case, Outcome]],
    changed_environment: Callable[[Callable[[Any], object]], None],
) -> None:
    changed_environment(ENVIRONMENT_CHANGES[name])
    assert_found(expected)


def test_a_sandbox_that_lets_lists_be_changed_is_found(
    expected: list[tuple[Case, Outcome]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ChatEnvironment, "is_safe_attribute", SandboxedEnvironment.is_safe_attribute)
    assert_found(expected)


def test_a_sandbox_that_hands_out_private_attributes_is_found(
    expected: list[tuple[Case, Outcome]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ChatEnvironment, "is_safe_attribute", lambda *_: True)
    assert_found(expected)


def test_spans_that_are_off_by_one_are_found(
    expected: list[tuple[Case, Outcome]], monkeypatch: pytest.MonkeyPatch
) -> None:
    render_tracked = Program.render_tracked

    def shift(self: Program, variables: Any) -> tuple[str, list[Span]]:
        text, spans = render_tracked(self, variables)
        return text, [(start, end + 1) for start, end in spans]

    monkeypatch.setattr(Program, "render_tracked", shift)
    assert_found(expected)


def test_empty_spans_that_are_left_out_are_found(
    expected: list[tuple[Case, Outcome]], monkeypatch: pytest.MonkeyPatch
) -> None:
    render_tracked = Program.render_tracked

    def drop(self: Program, variables: Any) -> tuple[str, list[Span]]:
        text, spans = render_tracked(self, variables)
        return text, [(start, end) for start, end in spans if start < end]

    monkeypatch.setattr(Program, "render_tracked", drop)
    assert_found(expected)


# --- what the campaigns brought up besides the cases in fixtures/cases/fuzzed_generation.json -------------------------


@pytest.mark.parametrize(
    "source",
    [
        # The text of a function names where it is from, also where that is escaped (seeds 12148 and 14450).
        "{% autoescape true %}{{ strftime_now }}{{ raise_exception }}{{ dict }}{{ namespace }}{% endautoescape %}",
        "{{ strftime_now }}{{ raise_exception }}{{ dict }}{{ namespace }}{{ dict|e }}{{ namespace(a=1) }}",
    ],
)
def test_the_names_of_the_environments_own_objects_are_forgotten(source: str) -> None:
    case = Case(NamedTemplate("own names", source), generate_template_case(0).chat, False, "prompt")
    result = compare_case(case, public_outcome)
    assert (result.counts, result.findings) == ({"rendered": 1}, [])
