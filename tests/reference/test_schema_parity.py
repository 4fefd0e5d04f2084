"""Schemas of generated functions and docstrings against Transformers', errors included."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch
from transformers.utils import get_json_schema as get_reference_schema
from transformers.utils.chat_template_utils import parse_google_format_docstring

from tests.generators.functions import generate_docstring, generate_function
from turnwire.schema import _scan_docstring, get_json_schema

BATCHES = 15
BATCH = 100


def describe(get_schema: Callable[[Callable[..., Any]], Any], function: Callable[..., Any]) -> str:
    # repr tells what JSON does not: 1 from True, tuples from lists, and the order of keys.
    try:
        return repr(get_schema(function))
    except Exception as error:
        return f"{type(error).__name__}{error.args!r}: {error}"


@pytest.mark.parametrize("batch", range(BATCHES))
def test_a_generated_function_gets_the_same_schema_or_the_same_error(batch: int) -> None:
    differing = {}
    for seed in range(batch * BATCH, (batch + 1) * BATCH):
        function = generate_function(seed)
        theirs, ours = describe(get_reference_schema, function), describe(get_json_schema, function)
        if ours != theirs:
            differing[seed] = (theirs, ours)
    assert differing == {}


def test_generated_functions_are_neither_all_right_nor_all_wrong() -> None:
    outcomes = [describe(get_reference_schema, generate_function(seed)) for seed in range(300)]
    kinds = {outcome.split("(")[0] for outcome in outcomes if not outcome.startswith("{")}
    assert sum(outcome.startswith("{") for outcome in outcomes) > 60
    assert kinds > {"TypeHintParsingException", "DocstringParsingException", "JSONDecodeError"}


def test_generated_docstrings_are_read_the_same() -> None:
    for seed in range(3000):
        rng = random.Random(f"docstring {seed}")
        docstring = generate_docstring(rng, ["x", "y", "z"]).strip()
        assert _scan_docstring(docstring) == parse_google_format_docstring(docstring), seed


FRAGMENTS = (
    *("Args:", "Returns:", "Raises:", "Args:\n", "Returns:\n", "Args", "Note:", "\n  Args:\n", "\n Returns:\n   "),
    *("\n", "\n\n", " ", "  ", "    ", "\t", "\r", "\x0b", "\x0c", "\x1c", "\x85", "\u2028", "\u00a0"),
    *(
        "x:",
        "y: ",
        "x (int):",
        "y (a(b)):",
        "z [k]:",
        "name :",
        "text",
        "a: b",
        "ключ:",
        "\n    x: one",
        "\n    y: two",
    ),
    *("\n        deeper: z", "\n\tx: tab", "(choices: [1])", "(", ")", ":", "-"),
)


def test_texts_pasted_from_fragments_are_read_the_same() -> None:
    for seed in range(5000):
        rng = random.Random(f"fragments {seed}")
        opening = rng.choice(("", "Summary.\n\nArgs:\n"))
        docstring = (opening + "".join(rng.choices(FRAGMENTS, k=rng.randint(1, 25)))).strip()
        assert _scan_docstring(docstring) == parse_google_format_docstring(docstring), seed


def test_a_torch_tensor_is_audio_in_both() -> None:
    def transcribe(sound: torch.Tensor) -> str:
        """Write down what is said.

        Args:
            sound: The recording
        """
        return ""

    assert describe(get_json_schema, transcribe) == describe(get_reference_schema, transcribe)
    assert "'audio'" in describe(get_json_schema, transcribe)


def test_an_array_as_a_default_value_raises_in_both() -> None:
    def scale(factors: list = np.array([1, 2])) -> None:  # noqa: B008
        """Scale.

        Args:
            factors: By how much
        """

    assert describe(get_json_schema, scale).startswith("ValueError")
    assert describe(get_json_schema, scale) == describe(get_reference_schema, scale)


@pytest.mark.parametrize(
    "tool", [int, len, print, random.Random(0), "text", None, random.Random(0).random, sys, object()]
)
def test_what_is_no_function_comes_to_the_same(tool: Any) -> None:
    assert describe(get_json_schema, tool) == describe(get_reference_schema, tool)
