"""Where in a template an error is shown to come from."""

from __future__ import annotations

import pytest

from turnwire.template.place import comes_from_template, draw_place, find_error_span
from turnwire.template.render import render_chat


def blame(template: str) -> str:
    """Return the part of *template* that is blamed for the error it raises."""

    def render(text: str) -> str:
        return render_chat([{"role": "user", "content": "Hi"}], text)

    with pytest.raises(Exception) as raised:  # noqa: PT011  (any error that a template can raise)
        render(template)
    span = find_error_span(raised.value, template, render)
    assert comes_from_template(raised.value)
    assert span is not None
    return template[slice(*span)]


@pytest.mark.parametrize(
    ("template", "blamed"),
    [
        ("{{ messages[0].x.y }}", "{{ messages[0].x.y }}"),
        ("{{ 1 }} a {{ raise_exception('no') }} b {{ 2 }}", "{{ raise_exception('no') }}"),
        ("{% if messages and foo.bar.baz -%}\n  x{% endif %}", "{% if messages and foo.bar.baz -%}"),
        ("{% if false %}{% elif foo.bar.baz %}{% endif %}", "{% elif foo.bar.baz %}"),
        ("{% for x in 3 %}{% endfor %}", "{% for x in 3 %}"),
        ("{% macro f() %}{{ 1 // 0 }}{% endmacro %}{{ f() }}", "{{ 1 // 0 }}"),
        ("{% set x = 'two\nlines' %}{{ 'a' + 1 }}", "{{ 'a' + 1 }}"),
        ("{% raw %}{{ a.b.c }}{% endraw %}{# {{ #}{{ '{{' }}{{ a.b.c }}", "{{ a.b.c }}"),
        ("  {%- if true %}\n\n  {{- a.b.c }}\n{%- endif %}\n\n", "{{- a.b.c }}"),
        ("{% generation %}{{ a.b.c }}{% endgeneration %}", "{{ a.b.c }}"),
        ("{{\n  a.b.c\n}}", "{{\n  a.b.c\n}}"),
        ("{{ strftime_now(3) }}", "{{ strftime_now(3) }}"),
    ],
)
def test_an_error_at_run_time_is_the_whole_tags(template: str, blamed: str) -> None:
    assert blame(template) == blamed


@pytest.mark.parametrize(
    ("template", "blamed"),
    [
        ("{% if messages messages2 %}", "messages2"),
        ("{{ a }} {{ b c }} {{ d }}", "c"),
        ("{% for x of y %}{% endfor %}", "of"),
        ("{% fro x in y %}", "fro"),
        ("{{ a ? }}", "?"),
        ("{{ 'open }}", "'"),
        ("{% if a %}b", "b"),
        ("{% raw %}a", "{% raw %}a"),
    ],
)
def test_a_syntax_error_is_the_words(template: str, blamed: str) -> None:
    assert blame(template) == blamed


def test_an_error_that_comes_only_once_is_the_lines() -> None:
    template = "{{ 1 }}\n  {{ a.b.c }} x\n"
    renders = []

    def render(text: str) -> str:
        renders.append(text)
        return "" if len(renders) > 1 else render_chat([{"role": "user"}], text)

    with pytest.raises(Exception, match="'a' is undefined") as raised:
        render(template)
    assert find_error_span(raised.value, template, render) == (10, 23)
    assert len(renders) == 2


def test_an_error_of_the_caller_has_no_place_in_the_template() -> None:
    with pytest.raises(ValueError, match="empty conversation") as raised:
        render_chat([], "{{ 1 }}")
    assert not comes_from_template(raised.value)
    assert find_error_span(raised.value, "{{ 1 }}", str) is None


def test_carets_stand_under_the_span() -> None:
    assert draw_place("t.jinja", "a\r\n\tb {{ c }}\n", (5, 12)) == "t.jinja:2:4\n   b {{ c }}\n     ^^^^^^^"


def test_carets_end_with_the_line() -> None:
    assert draw_place("t", "a {{\n  b }}\n", (2, 11)) == "t:1:3\n  a {{\n    ^^"


def test_an_empty_span_has_one_caret() -> None:
    assert draw_place("t", "ab", (2, 2)) == "t:1:3\n  ab\n    ^"


def test_of_a_long_line_the_part_around_the_span_is_drawn() -> None:
    text = "a" * 200 + "{{ b }}" + "c" * 200
    place, line, carets = draw_place("t", text, (200, 207)).split("\n")
    assert place == "t:1:201"
    assert line == "  …" + "a" * 20 + "{{ b }}" + "c" * 73 + "…"
    assert carets == " " * 23 + "^" * 7


def test_a_span_longer_than_what_is_drawn_has_carets_to_the_end_of_it() -> None:
    _, line, carets = draw_place("t", "{{" + "b" * 200 + "}}", (0, 204)).split("\n")
    assert line == "  {{" + "b" * 98 + "…"
    assert carets == "  " + "^" * 100
