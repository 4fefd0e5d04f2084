"""The template generator reaches all that a chat template can use, and mostly writes templates that render."""

from __future__ import annotations

import re
from collections import Counter
from typing import NamedTuple

import pytest

from tests.generators.expressions import public_methods
from tests.generators.grammar import LOOP_ATTRIBUTES, METHOD_OWNERS
from tests.generators.reach import RecordingEnvironment, node_classes, record_case
from tests.generators.templates import generate_template_case
from turnwire.compare.outcome import Outcome
from turnwire.template.environment import ChatEnvironment

MINIMUM, MAXIMUM = 2_000, 8_000
"""How many seeds are tried before it matters whether all is reached, and how many at most."""

WITHHELD = {
    *(f"list.{name}" for name in ("append", "clear", "extend", "insert", "pop", "remove", "reverse", "sort")),
    *(f"dict.{name}" for name in ("clear", "pop", "popitem", "setdefault", "update")),
    *("str.__class__", "list.__class__", "dict.__class__", "int.__class__", "list.__len__", "str.__mul__"),
    *("generator.gi_frame", "generator.gi_code", "function.__globals__", "function.__code__"),
    *("type.mro", "type.__subclasses__", "builtin_function_or_method.__self__"),
}
"""What the sandbox does not hand out, and shows so by an error only once it is used."""

# One reason is missing: "is not safely callable". Nothing that plain data or the environment holds is marked so.
REFUSALS = (
    r"SecurityError: access to attribute '__\w+__' of 'str' object is unsafe\.",
    r"SecurityError: access to attribute '\w+' of 'list' object is unsafe\.",
    r"SecurityError: access to attribute '\w+' of 'dict' object is unsafe\.",
    r"SecurityError: access to attribute 'gi_\w+' of 'generator' object is unsafe\.",
    r"SecurityError: access to attribute '\w+' of 'type' object is unsafe\.",
    r"SecurityError: access to attribute '__\w+__' of 'function' object is unsafe\.",
    r"SecurityError: Chat templates cannot store underscore-prefixed attributes on a namespace, but got '_",
    r"OverflowError: Range too big\. The sandbox blocks ranges larger than MAX_RANGE \(100000\)\.",
    r"TemplateRuntimeError: cannot assign attribute on non-namespace object",
    r"TypeError: no loader for this environment specified",
    r"TypeError: Object of type \w+ is not JSON serializable",
    r"TemplateError: ",
    r"TemplateSyntaxError: ",
    r"TemplateAssertionError: No (filter|test) named",
    r"UndefinedError: '\w+' is undefined",
    r"UndefinedError: '[\w ]+' has no attribute",
    r"RecursionError: ",
    r"SyntaxError: 'break' outside loop",
    r"ZeroDivisionError: ",
)
"""How errors start that a template can run into on purpose."""

REQUIRED: dict[str, set[str]] = {
    "node": node_classes(),
    "filter that gives": set(ChatEnvironment().filters),
    "test that gives": set(ChatEnvironment().tests),
    "loop": set(LOOP_ATTRIBUTES),
    "method": {
        f"{owner}.{name}"
        for owner, (kind, _) in METHOD_OWNERS.items()
        for name in public_methods(kind)
        if f"{owner}.{name}" not in WITHHELD
    }
    - {"Markup.maketrans"},  # The same object as that of str.
    "refused attribute": WITHHELD,
    "refusal": set(REFUSALS),
}


class Reach(NamedTuple):
    sources: list[str]
    outcomes: list[Outcome]
    uses: Counter[tuple[str, str]]

    def unused(self, kind: str) -> list[str]:
        return sorted(name for name in REQUIRED[kind] if not self.uses[kind, name])


@pytest.fixture(scope="module")
def reach() -> Reach:
    environment = RecordingEnvironment()
    reached = Reach([], [], environment.uses)
    for seed in range(MAXIMUM):
        case = generate_template_case(seed)
        outcome = record_case(case, environment)
        reached.sources.append(case.template.text)
        reached.outcomes.append(outcome)
        if outcome.raised:
            reached.uses.update(("refusal", start) for start in REFUSALS if re.match(start, outcome.text))
        if seed >= MINIMUM and seed % 100 == 0 and not any(map(reached.unused, REQUIRED)):
            break
    return reached


def test_a_seed_gives_the_same_case_each_time() -> None:
    for seed in range(50):
        assert repr(generate_template_case(seed)) == repr(generate_template_case(seed))


def test_what_is_to_be_reached_is_not_forgotten() -> None:
    assert {kind: len(names) for kind, names in REQUIRED.items()} == {
        "node": 50,
        "filter that gives": 54,
        "test that gives": 39,
        "loop": 13,
        "method": pytest.approx(118, abs=4),  # Python versions differ in a few.
        "refused attribute": 26,
        "refusal": 19,
    }


@pytest.mark.parametrize("kind", REQUIRED)
def test_all_is_reached_of_each(kind: str, reach: Reach) -> None:
    assert reach.unused(kind) == []


def test_most_filters_are_called_with_something_unfit_as_well(reach: Reach) -> None:
    names = REQUIRED["filter that gives"]
    raising = {name for name in names if reach.uses["filter", name] > reach.uses["filter that gives", name]}
    assert len(raising) / len(names) > 0.6


def test_many_templates_render_and_many_are_refused(reach: Reach) -> None:
    rendered = sum(not outcome.raised for outcome in reach.outcomes)
    assert 0.4 <= rendered / len(reach.outcomes) <= 0.7


def test_most_templates_that_render_put_out_some_text(reach: Reach) -> None:
    rendered = [outcome.text for outcome in reach.outcomes if not outcome.raised]
    assert sum(len(text) > 10 for text in rendered) / len(rendered) > 0.5


def test_every_form_of_the_generation_tag_is_written(reach: Reach) -> None:
    for tag in ("generation", "endgeneration"):
        pattern = re.compile(rf"(\{{%[-+]?)\s*{tag}\s*([-+]?%\}})")
        forms = {match.groups() for source in reach.sources for match in pattern.finditer(source)}
        assert len(forms) == 9, forms
