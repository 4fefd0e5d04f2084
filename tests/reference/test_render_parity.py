"""The cases of rendering and some that no file can hold, through turnwire and through Transformers."""

from __future__ import annotations

import copy
import functools
import random
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta, timezone
from typing import Any

import pytest
from transformers.utils.chat_template_utils import render_jinja_template

from tests.render_cases import (
    CLOCK,
    GREETING,
    arguments_of,
    asks_for_spans,
    expected_outcome,
    name_case,
    read_render_cases,
)
from turnwire.compare.outcome import capture_outcome
from turnwire.compare.reference import pin_reference_clock, reference_tokenizer, render_reference
from turnwire.template.render import prepare_conversations, render_chat, render_spans


@pytest.fixture(scope="module")
def tokenizer() -> Any:
    return reference_tokenizer()


def reference_spans(messages: Any, template: str, **arguments: Any) -> str:
    """Render by the function below ``apply_chat_template``, the only one that tells the spans."""
    conversations, _ = prepare_conversations(messages)
    texts, spans = render_jinja_template(
        conversations=conversations, chat_template=template, return_assistant_tokens_mask=True, **arguments
    )
    return repr((texts[0], spans[0]))


def own_spans(messages: Any, template: str, **arguments: Any) -> str:
    return repr(tuple(render_spans(messages, template, now=CLOCK, **arguments)))


@pytest.mark.parametrize("case", read_render_cases(), ids=name_case)
def test_transformers_gives_what_the_case_says(tokenizer: Any, case: dict[str, Any]) -> None:
    # That turnwire gives it as well is in test_render.py; this keeps the files honest.
    messages, template, arguments = case["messages"], case["template"], arguments_of(case)
    with pin_reference_clock(CLOCK):
        if asks_for_spans(case):
            outcome = capture_outcome(lambda: reference_spans(messages, template, **arguments))
        else:
            outcome = capture_outcome(lambda: render_reference(tokenizer, messages, template, **arguments))
    first, second = expected_outcome(case)
    if "raises" in case:
        assert outcome.raised
        assert outcome.text == f"{first}: {second}" if second is not None else outcome.text.startswith(f"{first}: ")
    else:
        assert outcome.text == (repr((first, second)) if asks_for_spans(case) else first)


# --- what no file can hold --------------------------------------------------------------------------------------------


def find(place: str, limit: int = 3) -> list[str]:
    """Find something.

    Args:
        place: Where to look
        limit: How many
    """
    return [place] * limit


class Finder:
    def find(self, place: str) -> None:
        """Find something.

        Args:
            place: Where (choices: ["here", "there"])
        """

    @classmethod
    def make(cls) -> None:
        """Make a finder."""

    def __call__(self, place: str) -> None:
        """Find something.

        Args:
            place: Where
        """


def undocumented(place: str) -> None: ...


def generate_dicts() -> Iterator[dict[str, Any]]:
    yield {"title": "A", "text": "a"}


class Named(dict):
    def __str__(self) -> str:
        return "named"


ARGUMENTS: dict[str, Callable[[], dict[str, Any]]] = {
    "a function": lambda: {"tools": [find]},
    "a method": lambda: {"tools": [Finder().find, Finder.make]},
    "a function of a class": lambda: {"tools": [Finder.find]},
    "a lambda": lambda: {"tools": [lambda x: x]},
    "a function without a docstring": lambda: {"tools": [undocumented]},
    "a partial": lambda: {"tools": [functools.partial(find, "x")]},
    "a callable object": lambda: {"tools": [Finder()]},
    "a class": lambda: {"tools": [Finder]},
    "a builtin": lambda: {"tools": [len]},
    "a builtin's method": lambda: {"tools": ["x".upper]},
    "a right tool and a wrong one": lambda: {"tools": [find, None]},
    "a wrong tool and wrong documents": lambda: {"tools": [1], "documents": [1]},
    "tools in a tuple": lambda: {"tools": (find, {"name": "x"})},
    "tools from a generator": lambda: {"tools": (tool for tool in [find])},
    "tools in a dict subclass": lambda: {"tools": [Named(name="x")]},
    "a number for tools": lambda: {"tools": 5},
    "documents from a generator": lambda: {"documents": generate_dicts()},
    "documents in a tuple": lambda: {"documents": ({"title": "A"},)},
    "documents in a dict subclass": lambda: {"documents": [Named(title="x")]},
    "a number for documents": lambda: {"documents": 5},
    "text for documents": lambda: {"documents": "ab"},
    "empty text for documents": lambda: {"documents": ""},
    "zero for documents": lambda: {"documents": 0},
    "a function as a variable": lambda: {"x": find},
    "a set as a variable": lambda: {"x": {1}},
    "a subclass as a variable": lambda: {"x": Named(a=1)},
    "a generation prompt that is text": lambda: {"add_generation_prompt": "yes"},
    "a continued message by a number": lambda: {"continue_final_message": 2},
    "a continued message by a list": lambda: {"continue_final_message": ["content"]},
    "an object for a field": lambda: {"continue_final_message": object()},
}
TELL_ALL = "{{ messages[0].content }}|{{ tools }}|{{ documents }}|{{ x }}|{{ add_generation_prompt }}"


@pytest.mark.parametrize("name", ARGUMENTS)
def test_arguments_of_every_make_come_to_the_same(tokenizer: Any, name: str) -> None:
    ours = capture_outcome(lambda: render_chat(GREETING, TELL_ALL, **ARGUMENTS[name]()))
    theirs = capture_outcome(lambda: render_reference(tokenizer, GREETING, TELL_ALL, **ARGUMENTS[name]()))
    assert ours == theirs


@pytest.mark.parametrize(
    "template",
    [
        "{{ namespace }}|{{ namespace() }}|{{ dict }}|{{ raise_exception }}|{{ strftime_now }}|{{ lipsum }}",
        "{{ cycler }}|{{ joiner }}|{{ range }}|{{ self }}|{% for m in messages %}{{ loop }}{% endfor %}",
        "{{ raise_exception(namespace) }}",
        "{{ raise_exception(strftime_now) }}",
        "{{ dict(self=1) }}",
        "{{ dict(1) }}",
        "{{ dict.fromkeys() }}",
        "{{ dict.fromkeys(x=1) }}",
        "{{ namespace(1) }}",
        "{{ namespace([1]) }}",
        "{{ namespace({}, {}) }}",
        "{{ namespace(a=1)|tojson }}",
        "{{ [dict]|tojson }}",
        "{{ 1|tojson(1, 2, 3, 4, 5) }}",
        "{{ 1|tojson(x=1) }}",
        "{{ messages|tojson(separators=1) }}",
        "{{ messages|tojson(indent=1.5) }}",
        "{{ messages|tojson(ensure_ascii='') }}",
        "{% generation %}{{ namespace }}{% endgeneration %}",
    ],
)
def test_what_shows_the_insides_differs_in_names_and_addresses_only(tokenizer: Any, template: str) -> None:
    ours = capture_outcome(lambda: render_chat(GREETING, template))
    assert ours == capture_outcome(lambda: render_reference(tokenizer, GREETING, template))


@pytest.mark.parametrize(
    "now",
    [
        datetime(1999, 12, 31, 23, 59, 59, 999999),
        datetime(2026, 7, 4, tzinfo=timezone.utc),
        datetime(2026, 7, 4, tzinfo=timezone(timedelta(hours=5, minutes=30), "IST")),
        datetime(1, 1, 1),
    ],
)
@pytest.mark.parametrize(
    "call",
    [
        *(
            "'%Y-%m-%d %H:%M:%S.%f'",
            "'%d %b %Y'",
            "'%A %B %j %U %W %w %y %I %p'",
            "'%z|%Z'",
            "'%c %x %X'",
            "'%-d %e %s'",
        ),
        *(
            "'%'",
            "'%%'",
            "'%Q %! %5d'",
            "''",
            "'\\x00%Y'",
            "'日%d'",
            "'\\ud800'",
            "1",
            "none",
            "nothing",
            "'%Y'|safe",
            "",
        ),
        *("'a', 'b'", "format='%Y'", "fmt='%Y'", "*['%Y']", "**{'format': '%m'}"),
    ],
)
def test_a_stopped_clock_tells_what_the_reference_tells(tokenizer: Any, now: datetime, call: str) -> None:
    template = "{{ strftime_now(" + call + ") }}"
    ours = capture_outcome(lambda: render_chat(GREETING, template, now=now))
    with pin_reference_clock(now):
        theirs = capture_outcome(lambda: render_reference(tokenizer, GREETING, template))
    assert ours == theirs


def test_what_a_template_leaves_on_the_functions_is_gone_for_the_next(tokenizer: Any) -> None:
    names = ("raise_exception", "strftime_now", "namespace", "dict")
    for render in (render_chat, functools.partial(render_reference, tokenizer)):
        for name in names:
            render(GREETING, "{{ cycler.reset(" + name + ") }}")
        found = [render(GREETING, "{{ " + name + ".pos is defined }}") for name in names]
        assert found == ["False"] * 4


def test_neither_changes_what_the_caller_passed(tokenizer: Any) -> None:
    messages = [
        {"role": "user", "content": [{"type": "text", "text": "hi"}], "name": None},
        {"role": "assistant", "reasoning": "r", "content": [{"type": "text", "text": "so"}], "tool_calls": None},
    ]
    arguments = {"tools": [{"name": "x", "parameters": {"a": [1]}}], "documents": [{"title": "t"}], "x": {"y": [1]}}
    template = "{{ tools }}{{ documents }}{{ x }}{{ messages[-1].content[0].text }}"
    before = copy.deepcopy((messages, arguments))
    for render in (render_chat, functools.partial(render_reference, tokenizer)):
        render(messages, template, continue_final_message=True, **arguments)
        render(messages, template, add_generation_prompt=True, **arguments)
        assert (messages, arguments) == before


# --- spans of random templates ----------------------------------------------------------------------------------------

LEAVES = (
    "a",
    "bc ",
    "\n",
    " é🎉",
    "{{ i }}",
    "{{ messages|length }}",
    "{{ x }}",
    "{# note #}",
    "{{ '' }}",
    "{{ '<'|e }}",
)
WRAPS = (
    "{% generation %}{}{% endgeneration %}",
    "{% generation %}{}{% endgeneration %}",
    "{%- generation -%}{}{%- endgeneration -%}",
    "{%+ generation +%}{}{%+ endgeneration +%}",
    "{%generation%}{}{%endgeneration%}",
    "{% for i in [1, 2, 3] %}{}{% endfor %}",
    "{% for i in [1, 2, 3] %}{}{% if i == 2 %}{% break %}{% endif %}{}{% endfor %}",
    "{% for i in range(3) %}{% if i == 1 %}{% continue %}{% endif %}{}{% endfor %}",
    "{% set x %}{}{% endset %}{{ x }}",
    "{% set x %}{}{% endset %}",
    "{% set x | trim %}{}{% endset %}{{ x }}{{ x }}",
    "{% filter upper %}{}{% endfilter %}",
    "{% filter trim %} {} {% endfilter %}",
    "{% if i is defined %}{}{% else %}{}{% endif %}",
    "{% with i = 5 %}{}{% endwith %}",
    "{% macro m(i) %}{}{% endmacro %}{{ m(1) }}{{ m(2) ~ m(3) }}",
    "{% macro w() %}<{{ caller() }}{{ caller() }}>{% endmacro %}{% call w() %}{}{% endcall %}",
    "{% autoescape true %}{}{{ '<' }}{% endautoescape %}",
    "\n  {}\n",
)


def write_template(rng: random.Random, depth: int = 0) -> str:
    pieces = []
    for _ in range(rng.randint(1, 4)):
        if depth > 3 or rng.random() < 0.45:
            pieces.append(rng.choice(LEAVES))
        else:
            first, *rest = rng.choice(WRAPS).split("{}")
            pieces.append(first + "".join(write_template(rng, depth + 1) + piece for piece in rest))
    return "".join(pieces)


@pytest.mark.parametrize("batch", range(6))
def test_random_nests_of_the_tag_have_the_same_spans(batch: int) -> None:
    spans = 0
    for seed in range(batch * 100, (batch + 1) * 100):
        template = write_template(random.Random(f"spans {seed}"))
        theirs = capture_outcome(lambda template=template: reference_spans(GREETING, template))
        assert capture_outcome(lambda template=template: own_spans(GREETING, template)) == theirs, template
        spans += theirs.text.count("), (")
    assert spans > 100
