"""Ways to break the syntax of a template."""

from __future__ import annotations

import random

__all__ = ["break_syntax"]

_STRAY = (
    "{%", "%}", "{{", "}}", "{#", "{{ }}", "{% %}", "{%- -%}", "{% endfor %}", "{% endif %}", "{% else %}",
    "{% elif x %}", "{% endblock %}", "{% endgeneration %}", "{% endraw %}", "{% if x %}", "{% for x in y %}",
    "{% macro m( %}", "{% generation %}", "{% generation x %}", "{% raw %}", "{% set x %}", "{% call m() %}",
    "{% nosuch %}", "{% do x.y() %}", "{% trans %}x{% endtrans %}", "{% debug %}", "{% break %}", "{% continue %}",
    "{% end %}", "{{ x|nosuch }}", "{{ x is nosuch }}", "{% if false %}{{ x|nosuch }}{% endif %}", "{{ x is not }}",
    "{{ x| }}", "{{ x. }}", "{{ x[ }}", "{{ x.1.y }}", "{{ (x }}", "{{ x) }}", "{{ [1, 2 }}", "{{ {1: } }}",
    "{{ {1, 2} }}", "{{ 'x }}", '{{ "x }}', "{{ x y }}", "{{ 1 2 }}", "{{ x ? y }}", "{{ x && y }}", "{{ !x }}",
    "{{ x = 1 }}", "{{ x := 1 }}", "{{ lambda: 1 }}", "{{ [a for a in b] }}", "{{ f'x' }}", "{{ x if }}",
    "{{ x else y }}", "{{ not }}", "{{ * }}", "{{ [*x] }}", "{{ x[:, 3] }}", "{{ x[1:2, 3] }}", "{{ x[] }}",
    "{{ x is (1) }}", "{{ x ** }}", "{{ f(a=1, a=2) }}", "{{ f(a=1, 2) }}", "{{ f(**a, *b) }}", "{{ f(*a, *b) }}",
    "{{ f(a b) }}", "{{ 1_ }}", "{{ 0777 }}", "{{ 1e }}", "{{ 0x }}", "{{ '\\N{nosuch}' }}", "{{ '\\x4' }}",
    "{{ '\\ud800' }}", "{% set 1 = 2 %}", "{% set true = 1 %}", "{% set x.y.z = 1 %}", "{% set x[0] = 1 %}",
    "{% set = 1 %}", "{% set x = %}", "{% set x, 1 = 2 %}", "{% set caller = 1 %}", "{% for loop in x %}{% endfor %}",
    "{% for x of y %}{% endfor %}", "{% for in y %}{% endfor %}", "{% for x in y recursive if z %}{% endfor %}",
    "{% for 1 in x %}{% endfor %}", "{% for x.y in z %}{% endfor %}", "{% for x in %}{% endfor %}",
    "{% macro m(a, a) %}{% endmacro %}", "{% macro m(a=1, b) %}{% endmacro %}", "{% macro m(1) %}{% endmacro %}",
    "{% macro %}{% endmacro %}", "{% macro m() %}{% break %}{% endmacro %}",
    "{% macro m(caller) %}{{ caller }}{% endmacro %}", "{% macro m(*a) %}{% endmacro %}",
    "{% block b1 %}{% endblock %}{% block b1 %}{% endblock %}", "{% block a-b %}{% endblock %}",
    "{% block x %}{% endblock y %}", "{% block %}{% endblock %}", "{% block r required %}x{% endblock %}",
    "{% block b9 %}{% break %}{% endblock %}", "{% from 'x' import _y %}", "{% from 'x' %}", "{% import 'x' %}",
    "{% include %}", "{% extends %}", "{% extends 'a' %}{% extends 'b' %}", "{% with x %}{% endwith %}",
    "{% with 1 = 2 %}{% endwith %}", "{% call m %}{% endcall %}", "{% call %}{% endcall %}",
    "{% call 1 %}{% endcall %}", "{% filter %}{% endfilter %}", "{% filter nosuch %}{% endfilter %}",
    "{% filter upper | %}{% endfilter %}", "{% autoescape %}{% endautoescape %}",
    "{% autoescape x %}{{ y }}{% endautoescape %}", "{% generation %}{% break %}{% endgeneration %}",
    "{% for x in [1] %}{% generation %}{% continue %}{% endgeneration %}{% endfor %}",
    "{% generation %}{% if x %}{% endgeneration %}{% endif %}", "{%+ generation +%}g{%+ endgeneration +%}",
    "{% if x %}{% else %}{% else %}{% endif %}", "{% if %}{% endif %}", "{% else if x %}", "{% elseif x %}",
    "{% for x in [1] %}{% elif y %}{% endfor %}", "{{ loop. }}", "{{ self }}{{ super }}", "{{ super() }}", "{# x",
    "{#- x -#", "{% raw %}x", "{% raw x %}{% endraw %}",
)  # fmt: skip

_CHARACTERS = "{}%#()[]'\"|.,:;=~-+*/\\ \n0aé$`?@!<>&"


def break_syntax(source: str, rng: random.Random) -> str:
    """Return *source* with something amiss in it; now and then it is still right."""
    pos = rng.randint(0, len(source))
    end = min(len(source), pos + rng.choice((1, 1, 2, 5)))
    draw = rng.random()
    if draw < 0.6:
        return source[:pos] + rng.choice(_STRAY) + source[pos:]
    if draw < 0.75:
        return source[:pos] + source[end:]
    if draw < 0.9:
        return source[:pos] + rng.choice(_CHARACTERS) + source[pos:]
    return source[:pos]
