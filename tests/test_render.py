"""Rendering: the cases in ``fixtures``, arguments that no file can hold, the one sandbox, and many threads."""

from __future__ import annotations

import ast
import functools
import logging
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta, timezone
from pathlib import Path
from threading import Barrier
from typing import Any

import jinja2
import pytest

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
from turnwire.template.generation import GenerationTag
from turnwire.template.program import Engine
from turnwire.template.render import (
    RenderedChat,
    prepare_conversations,
    render_chat,
    render_conversations,
    render_spans,
)

ROOT = Path(__file__).resolve().parent.parent


@pytest.mark.parametrize("engine", ["compiled", "plain"])
@pytest.mark.parametrize("case", read_render_cases(), ids=name_case)
def test_a_case_comes_out_as_it_says(case: dict[str, Any], engine: Engine) -> None:
    render = render_spans if asks_for_spans(case) else render_chat
    first, second = expected_outcome(case)
    if "raises" in case:
        with pytest.raises(Exception) as caught:  # noqa: PT011
            render(case["messages"], case["template"], now=CLOCK, engine=engine, **arguments_of(case))
        assert type(caught.value).__name__ == first
        assert second is None or str(caught.value) == second
    else:
        rendered = render(case["messages"], case["template"], now=CLOCK, engine=engine, **arguments_of(case))
        assert rendered == ((first, second) if asks_for_spans(case) else first)


# --- arguments --------------------------------------------------------------------------------------------------------


def find(place: str) -> None:
    """Find something.

    Args:
        place: Where to look
    """


class Finder:
    def find_one(self, place: str) -> None:
        """Find one thing.

        Args:
            place: Where to look
        """

    @classmethod
    def find_any(cls) -> None:
        """Find anything."""


def test_functions_and_methods_are_described_as_tools() -> None:
    template = (
        "{% for t in tools %}{{ t.function.name }}({{ t.function.parameters.properties|list|join }}) {% endfor %}"
    )
    text = render_chat(
        GREETING,
        template,
        tools=[find, Finder().find_one, Finder.find_any, {"function": {"name": "raw", "parameters": {}}}],
    )
    assert text == "find(place) find_one(place) find_any() raw() "


@pytest.mark.parametrize("tool", [functools.partial(find, "x"), Finder, Finder(), len, "find", None, [find]])
def test_nothing_else_is_a_tool(tool: Any) -> None:
    with pytest.raises(ValueError, match=r"^Tools should either be a JSON schema, or a callable function"):
        render_chat(GREETING, "{{ tools }}", tools=[find, tool])


def test_tools_may_come_from_a_generator_and_documents_may_not() -> None:
    def generate() -> Iterator[Any]:
        yield {"title": "A"}

    assert render_chat(GREETING, "{{ tools }}", tools=generate()) == "[{'title': 'A'}]"
    # Transformers has used the generator up by the time the template asks for it.
    assert render_chat(GREETING, "{{ documents }}", documents=generate()) == "<generator>"


def test_a_batch_is_refused_with_what_to_do() -> None:
    for batch in ([GREETING], (tuple(GREETING),), [[]]):
        with pytest.raises(TypeError, match=r"^this is a list of conversations: render them one by one$"):
            render_chat(batch, "{{ messages[0].content }}")


def test_the_arguments_that_exclude_each_other_are_told_before_anything_is_rendered() -> None:
    with pytest.raises(ValueError, match=r"^continue_final_message and add_generation_prompt are not compatible"):
        render_chat(GREETING, "{{ broken", add_generation_prompt=True, continue_final_message=True)
    with pytest.raises(
        ValueError, match=r"^continue_final_message is not compatible with return_assistant_tokens_mask"
    ):
        prepare_conversations(GREETING, continue_final_message=True, track_spans=True)
    with pytest.raises(TypeError, match=r"^Chat messages should be dicts"):
        render_chat([1], "{{ broken", add_generation_prompt=True, continue_final_message=True)


def test_a_broken_template_is_told_before_a_wrong_tool_and_a_wrong_tool_before_a_wrong_document() -> None:
    with pytest.raises(jinja2.TemplateSyntaxError):
        render_chat(GREETING, "{{ broken", tools=[1], documents=[1])
    with pytest.raises(ValueError, match=r"^Tools should"):
        render_chat(GREETING, "x", tools=[1], documents=[1])


def test_batches_and_their_objects_become_lists_of_dicts() -> None:
    class Chat:
        messages = GREETING

    assert prepare_conversations([Chat(), Chat()]) == ([GREETING, GREETING], True)
    assert prepare_conversations(Chat()) == ([GREETING], False)
    assert prepare_conversations([[]]) == ([[]], True)
    assert prepare_conversations((*GREETING, {"role": "assistant", "content": None})) == (
        [[*GREETING, {"role": "assistant"}]],
        False,
    )


def test_the_floor_below_keeps_null_values() -> None:
    (rendered,) = render_conversations([[{"role": "user", "content": None}]], "{{ messages[0].content is none }}")
    assert rendered.text == "True"


def test_the_floor_below_renders_a_batch_with_one_template() -> None:
    chats = [[{"role": "user", "content": name}] for name in "ab"]
    template = "<{% generation %}{{ messages[0].content }}{% endgeneration %}"
    assert render_conversations(chats, template, track_spans=True) == [
        RenderedChat("<a", [(1, 2)]),
        RenderedChat("<b", [(1, 2)]),
    ]


def test_the_floor_below_refuses_what_is_no_message() -> None:
    with pytest.raises(TypeError, match=r"^Chat messages should be dicts, .* but got 'hi'\.$"):
        render_conversations([["hi"]], "x")


def test_nothing_is_asked_for_unless_the_caller_asks() -> None:
    template = "{{ add_generation_prompt }}{% generation %}{{ messages[0].content }}{% endgeneration %}"
    assert render_spans(GREETING, template) == ("Falsehi", [(5, 7)])
    assert render_conversations([GREETING], template) == [RenderedChat("Falsehi", [])]
    assert prepare_conversations(GREETING, add_generation_prompt=True) == ([GREETING], False)
    assert prepare_conversations(GREETING, continue_final_message=True) == ([GREETING], False)


def test_an_empty_conversation_cannot_be_continued() -> None:
    with pytest.raises(ValueError, match=r"^continue_final_message is set but the conversation is empty!$"):
        render_conversations([[]], "{{ content }}", continue_final_message=True)


def test_a_variable_cannot_take_the_place_of_the_messages() -> None:
    with pytest.raises(TypeError, match="multiple values for keyword argument 'messages'"):
        render_conversations([GREETING], "x", variables={"messages": []})


def test_a_variable_may_have_any_other_name() -> None:
    # Those of Transformers' inner arguments and of this package's own among them: a template reads whatever it likes.
    inner = ("conversations", "compiled_template")
    names = (*inner, "template", "conversation", "variables", "track_spans", "chat", "args", "text")
    template = "{% generation %}{{ " + " ~ ".join(names) + " }}{% endgeneration %}"
    assert render_chat(GREETING, template, **dict.fromkeys(names, "v")) == "v" * len(names)
    assert render_spans(GREETING, template, **dict.fromkeys(names, "v")).text == "v" * len(names)


def test_the_caller_keeps_what_was_passed() -> None:
    parts = [{"type": "text", "text": "so"}]
    messages = [*GREETING, {"role": "assistant", "reasoning": "r", "content": parts, "name": None}]
    before = repr(messages)
    text = render_chat(
        messages, "{{ messages[1].thinking }} {{ messages[1].content[0].text }}", continue_final_message=True
    )
    assert text == "r so"
    assert repr(messages) == before
    assert messages[1]["content"] is parts


# --- the clock --------------------------------------------------------------------------------------------------------


def test_the_clock_is_the_computers_unless_a_time_is_given() -> None:
    before = datetime.now()
    told = datetime.fromisoformat(render_chat(GREETING, "{{ strftime_now('%Y-%m-%d %H:%M:%S.%f') }}"))
    assert before <= told <= datetime.now()


def test_a_time_with_a_zone_tells_its_zone() -> None:
    now = datetime(2026, 7, 4, 12, tzinfo=timezone(timedelta(hours=2), "MEST"))
    assert render_chat(GREETING, "{{ strftime_now('%H:%M %z %Z') }}", now=now) == "12:00 +0200 MEST"


def test_a_variable_comes_before_the_given_time() -> None:
    assert render_chat(GREETING, "{{ strftime_now }}", now=CLOCK, strftime_now="mine") == "mine"


# --- spans ------------------------------------------------------------------------------------------------------------


def test_a_template_without_the_tag_is_told_once(caplog: pytest.LogCaptureFixture) -> None:
    from turnwire.log import warn_once

    warn_once.cache_clear()
    with caplog.at_level(logging.WARNING, logger="turnwire"):
        for _ in range(3):
            assert render_spans(GREETING, "{{ messages[0].content }}") == ("hi", [])
        render_spans(GREETING, "{% generation %}{% endgeneration %}")
        warn_once.cache_clear()
        render_chat(GREETING, "{{ messages[0].content }}")
    assert [record.getMessage() for record in caplog.records] == [
        "return_assistant_tokens_mask==True but chat template does not contain `{% generation %}` keyword."
    ]


@pytest.mark.parametrize(
    ("tag", "told"),
    [
        ("{% generation %}", False),
        ("{%- generation -%}", False),
        ("{%generation%}", False),
        ("{%\n generation\t%}", False),
        # The warning's pattern does not know the plus sign, in Transformers either; the spans are there all the same.
        ("{%+ generation %}", True),
        ("{% generation +%}", True),
    ],
)
def test_the_warning_looks_for_the_tag_as_transformers_does(
    tag: str, told: bool, caplog: pytest.LogCaptureFixture
) -> None:
    from turnwire.log import warn_once

    warn_once.cache_clear()
    with caplog.at_level(logging.WARNING, logger="turnwire"):
        assert render_spans(GREETING, tag + "x{% endgeneration %}") == ("x", [(0, 1)])
    assert bool(caplog.records) is told


def test_a_render_without_spans_notes_none() -> None:
    template = "{% generation %}x{% endgeneration %}"
    assert render_chat(GREETING, template) == "x"
    assert render_spans(GREETING, template).spans == [(0, 1)]


def test_an_error_in_one_render_leaves_no_spans_for_the_next() -> None:
    template = "{% generation %}{{ messages[0].content }}{% endgeneration %}{{ 1 / messages[0].n }}"
    with pytest.raises(ZeroDivisionError):
        render_spans([{"role": "user", "content": "a", "n": 0}], template)
    assert render_spans([{"role": "user", "content": "bc", "n": 1}], template) == ("bc1.0", [(0, 2)])


def test_two_hundred_threads_do_not_mix_their_spans() -> None:
    template = (
        "{% for m in messages %}{{ m.role }}:{% if m.role == 'assistant' %}"
        "{% generation %}{{ m.content }}{% endgeneration %}{% else %}{{ m.content }}{% endif %}|{% endfor %}"
    )
    start = Barrier(200)

    def work(number: int) -> None:
        answers = ["x" * (number + turn) for turn in range(20)]
        messages = [
            message
            for a in answers
            for message in ({"role": "user", "content": "q"}, {"role": "assistant", "content": a})
        ]
        lines = [line for a in answers for line in ("user:q|", f"assistant:{a}|")]
        expected, pos = [], 0
        for line, role in zip(lines, ("user", "assistant") * 20, strict=True):
            if role == "assistant":
                expected.append((pos + len("assistant:"), pos + len(line) - 1))
            pos += len(line)
        start.wait(timeout=60)
        for _ in range(3):
            assert render_spans(messages, template) == ("".join(lines), expected)
            assert render_chat(messages, template) == "".join(lines)

    with ThreadPoolExecutor(200) as pool:
        for done in [pool.submit(work, number) for number in range(200)]:
            done.result()


# --- one sandbox ------------------------------------------------------------------------------------------------------


def test_no_other_module_makes_a_jinja_environment_or_template() -> None:
    # A second place that renders is a second place to forget the sandbox.
    makers = re.compile(
        r"^(\w*Environment|Template|NativeTemplate|from_string|from_code|compile_expression|get_template|overlay)$"
    )
    found = {}
    for file in [*(ROOT / "engine").rglob("*.py"), *(ROOT / "families").rglob("*.py")]:
        calls = {
            getattr(node.func, "attr", None) or getattr(node.func, "id", "")
            for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
            if isinstance(node, ast.Call)
        }
        bases = {
            getattr(base, "attr", None) or getattr(base, "id", "")
            for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
            if isinstance(node, ast.ClassDef)
            for base in node.bases
        }
        if names := {name for name in calls | bases if makers.match(name)} - {"ChatEnvironment"}:
            found[file.relative_to(ROOT).as_posix()] = names
    assert found == {
        "engine/compare/renderers.py": {"Environment"},  # minijinja's, which speed is compared with
        "engine/template/environment.py": {"ImmutableSandboxedEnvironment"},
        "engine/template/program.py": {"from_code"},
    }


def test_a_jinja_with_known_holes_is_not_accepted() -> None:
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    (bound,) = re.findall(r'"jinja2>=([\d.]+)"', project)
    assert tuple(map(int, bound.split("."))) >= (3, 1, 6)
    # The hole that 3.1.6 closed: a format method that was fetched by the attr filter ran outside the sandbox.
    assert render_chat(GREETING, "[{{ ('{0.__class__}'|attr('format'))(1) }}]") == "[]"


def test_what_a_template_leaves_on_a_function_is_gone_for_the_next_template() -> None:
    for name in ("raise_exception", "strftime_now", "namespace", "dict"):
        render_chat(GREETING, "{{ cycler.reset(" + name + ") }}")
        assert render_chat(GREETING, "{{ " + name + ".pos is defined }} ") == "False "


def test_the_tag_is_the_only_one_beside_jinjas_own() -> None:
    assert GenerationTag.tags == {"generation"}
    for tag in ("do x", "debug", "trans", "tool_call"):
        outcome = capture_outcome(lambda tag=tag: render_chat(GREETING, "{% " + tag + " %}"))
        assert outcome.text == f"TemplateSyntaxError: Encountered unknown tag '{tag.split()[0]}'."
