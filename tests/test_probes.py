"""The probes, on templates made for the question."""

from __future__ import annotations

import pytest

from turnwire.probe.calls_kept import call_survives
from turnwire.probe.tools_rendered import renders_tools


@pytest.mark.parametrize(
    ("template", "expected"),
    [
        ("{% if tools %}{{ tools | tojson }}{% endif %}{{ messages[0].content }}", True),
        ("{% if tools %}You have tools.{% endif %}", True),
        ("{{ messages[0].content }}", False),
        ("{{ (tools or []) | length * 0 }}", False),
        ("{% if tools %}{{ raise_exception('no tools') }}{% endif %}", False),
        ("{% if not tools %}{{ raise_exception('tools wanted') }}{% endif %}", False),
        ("{{ unclosed", False),
    ],
)
def test_tools_are_rendered_where_they_change_the_prompt(template: str, expected: bool) -> None:
    assert renders_tools(template) is expected


@pytest.mark.parametrize(
    ("template", "expected"),
    [
        ("{% for m in messages %}{{ m.tool_calls | default('') }}{% endfor %}", True),
        ("{% for m in messages %}{% for c in m.tool_calls or [] %}{{ c.function.name }}{% endfor %}{% endfor %}", True),
        ("{% for m in messages %}{{ m.content }}{% endfor %}", False),
        ("{% for m in messages %}{{ m.tool_calls | default([]) | length }}{% endfor %}", False),
        ("{% if tools %}{{ messages }}{% endif %}", False),
        ("{{ messages }}{{ messages[1].content + '' }}", False),
        ("{{ unclosed", False),
    ],
)
def test_a_call_survives_where_its_name_comes_out(template: str, expected: bool) -> None:
    assert call_survives(template) is expected


@pytest.mark.parametrize("probe", [renders_tools, call_survives])
def test_special_tokens_reach_the_template_as_variables(probe: object) -> None:
    assert callable(probe)
    template = "{{ bos_token + '' }}{{ tools }}{{ messages }}"
    assert probe(template) is False
    assert probe(template, bos_token="<s>") is True
