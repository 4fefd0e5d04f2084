"""TRL's response templates on every recorded output of ``canitoolcall``, beside Transformers' parser."""

from __future__ import annotations

import ast
import random
from typing import Any

import pytest
from canitoolcall.fixtures import load_fixtures

from fixtures.fetch_tokenizers import FETCHED, RESPONSE_TEMPLATES
from tests.generators.response_templates import Case

pytest.importorskip("transformers", reason="Transformers, the reference, is not installed")

from tests.reference.response_outcomes import our_outcome, their_outcome

SOURCE = FETCHED / RESPONSE_TEMPLATES / "chat_template_utils.py"
NAMES = (
    *("deepseek_r1_distill_template", "gemma4_template", "glm4moe_template", "gptoss_template", "lfm2_2_5_template"),
    *("llama3_template", "nemotron_3_template", "qwen3_5_template", "qwen3_template"),
)


def read_templates() -> dict[str, Any]:
    """Run the statements of TRL's module that the templates are made by, and no others."""
    if not SOURCE.is_file():
        pytest.skip("TRL's templates are not there: run `python fixtures/fetch_tokenizers.py`")
    made: dict[str, Any] = {"_SUPPORTS_PARSE_RESPONSE_TOOLS": True}
    for statement in ast.parse(SOURCE.read_text("utf-8")).body:
        names = {
            node.id for node in ast.walk(statement) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
        }
        if any(name.startswith(("_LFM2", "_XML_INLINE")) or name in NAMES for name in names):
            exec(compile(ast.Module([statement], []), str(SOURCE), "exec"), made)
    return {name: made[name] for name in NAMES}


@pytest.mark.parametrize("name", NAMES)
def test_the_recorded_outputs_come_to_the_same(name: str) -> None:
    template = read_templates()[name]
    fixtures = load_fixtures()
    assert len(fixtures) == 469
    rng = random.Random(name)
    differing = []
    for fixture in fixtures:
        text, pieces = fixture.raw_output, []
        # Two of the templates take Transformers quadratic time in the pieces.
        scale = 1 + len(text) // 400
        while text:
            size = rng.choice((1, 2, 3, 4, 5, 8, 13)) * scale
            pieces.append(text[:size])
            text = text[size:]
        case = Case(template, fixture.generation_prompt or "", fixture.tools, tuple(pieces))
        if our_outcome(case) != their_outcome(case):
            differing.append(fixture.id)
    assert differing == []
