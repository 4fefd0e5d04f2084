"""Facts about real templates, each observed with Transformers and written down here by hand."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import jinja2
import pytest

from turnwire.compare.cases import read_corpus
from turnwire.errors import DocstringParsingException, TypeHintParsingException
from turnwire.messages import tool_call, tool_result
from turnwire.probe.calls_kept import call_survives
from turnwire.probe.tools_rendered import renders_tools
from turnwire.schema import get_json_schema
from turnwire.template.render import render_chat
from turnwire.wire.registry import find_family

TEMPLATES = {
    "qwen3": "Qwen-Qwen3-0.6B@a55ee1",
    "llama3": "NousResearch-Meta-Llama-3-8B-Instruct",
    "gemma3": "nvidia-Nemotron-Content-Safety-Reasoning-4B",
    "gemma4": "google-gemma-4-E4B-it",
}
QUESTION = {"role": "user", "content": "How many yen is one euro?"}


def get_exchange_rate(base: str, quote: str) -> float:
    """
    Look up how many units of one currency one unit of another buys.

    Args:
        base: ISO 4217 code of the currency you hold, such as "EUR".
        quote: ISO 4217 code of the currency you want, such as "JPY".
    """
    return 162.4


@functools.cache
def read_template(family: str) -> str:
    (template,) = [template.text for template in read_corpus() if template.name == TEMPLATES[family]]
    return template


def render(family: str, *messages: Any, **options: Any) -> str:
    return render_chat(list(messages), read_template(family), bos_token="<bos>", **options)


# --- the four-family table --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("family", "tools_rendered", "survives", "ships_response_template"),
    [
        ("qwen3", True, True, False),
        ("llama3", False, False, False),
        ("gemma3", False, False, False),
        ("gemma4", True, True, True),
    ],
)
def test_a_the_four_family_table(
    family: str, tools_rendered: bool, survives: bool, ships_response_template: bool
) -> None:
    assert renders_tools(read_template(family), bos_token="<bos>") is tools_rendered
    assert call_survives(read_template(family), bos_token="<bos>") is survives
    found = find_family(family)
    assert (found is not None and found.response_template is not None) is ships_response_template


# --- A1, A2: from a function to a schema ------------------------------------------------------------------------------


def test_a1_the_schema_of_the_tool() -> None:
    schema = get_json_schema(get_exchange_rate)
    assert schema["type"] == "function"
    assert schema["function"]["description"] == "Look up how many units of one currency one unit of another buys."
    assert schema["function"]["parameters"]["required"] == ["base", "quote"]
    assert schema["function"]["return"] == {"type": "number"}


def without_args(base: str) -> float:
    """Look up a rate."""
    return 1.0


def without_docstring(base: str) -> float:
    return 1.0


def without_hint(base) -> float:  # type: ignore[no-untyped-def]
    """Look up a rate.

    Args:
        base: ISO 4217 code.
    """
    return 1.0


@pytest.mark.parametrize(
    ("function", "error", "message"),
    [
        (
            without_args,
            DocstringParsingException,
            "Cannot generate JSON schema for get_rate because the docstring has no description for the argument 'base'",
        ),
        (
            without_docstring,
            DocstringParsingException,
            "Cannot generate JSON schema for get_rate because it has no docstring!",
        ),
        (without_hint, TypeHintParsingException, "Argument base is missing a type hint in function get_rate"),
    ],
    ids=["no Args entry", "no docstring", "no hint"],
)
def test_a2_what_a_function_lacks_is_named(
    monkeypatch: pytest.MonkeyPatch, function: Callable[..., Any], error: type[Exception], message: str
) -> None:
    monkeypatch.setattr(function, "__name__", "get_rate")
    with pytest.raises(error) as raised:
        get_json_schema(function)
    assert type(raised.value) is error
    assert str(raised.value) == message


class Exchange:
    """A callable object."""

    def __call__(self, base: str) -> float:
        """Look up a rate."""
        return 1.0


@pytest.mark.parametrize(
    "tool",
    [functools.partial(get_exchange_rate, base="EUR"), Exchange(), len],
    ids=["partial", "callable object", "builtin"],
)
def test_a2_what_is_no_function_is_no_tool(tool: Callable[..., Any]) -> None:
    with pytest.raises(ValueError, match="Tools should either be") as raised:
        render("qwen3", QUESTION, tools=[tool])
    assert str(raised.value) == (
        "Tools should either be a JSON schema, or a callable function with type hints and a docstring suitable for "
        "auto-conversion to a schema."
    )


# --- A3, A4: Qwen3's prompt and round trip ----------------------------------------------------------------------------


def test_a3_the_lines_of_qwen3s_prompt() -> None:
    prompt = render("qwen3", QUESTION, tools=[get_exchange_rate], add_generation_prompt=True)
    lines = prompt.split("\n")
    (schema,) = [line for line in lines if line.startswith('{"type": "function"')]
    (instruction,) = [line for line in lines if line.startswith("For each function call")]
    assert len(schema) == 464
    assert len(instruction) == 118
    assert '"return": {"type": "number"}' in schema


def test_a4_qwen3s_tool_round_trip() -> None:
    call = tool_call("get_exchange_rate", {"base": "EUR", "quote": "JPY"})
    prompt = render(
        "qwen3",
        QUESTION,
        {"role": "assistant", "tool_calls": [call]},
        tool_result("162.4"),
        tools=[get_exchange_rate],
        add_generation_prompt=True,
    )
    assert prompt[prompt.index("<|im_start|>user") :] == (
        "<|im_start|>user\nHow many yen is one euro?<|im_end|>\n<|im_start|>assistant\n<tool_call>\n"
        '{"name": "get_exchange_rate", "arguments": {"base": "EUR", "quote": "JPY"}}\n'
        "</tool_call><|im_end|>\n<|im_start|>user\n<tool_response>\n162.4\n</tool_response><|im_end|>\n"
        "<|im_start|>assistant\n"
    )


# --- A5, A6: arguments as text ----------------------------------------------------------------------------------------

ARGUMENTS_TEXT = '{"base":"EUR","quote":"JPY"}'
RAW_CALL = {"type": "function", "function": {"name": "get_exchange_rate", "arguments": ARGUMENTS_TEXT}}


def test_a5_qwen3_copies_arguments_that_are_text() -> None:
    prompt = render("qwen3", QUESTION, {"role": "assistant", "tool_calls": [RAW_CALL]})
    assert '{"name": "get_exchange_rate", "arguments": {"base":"EUR","quote":"JPY"}}' in prompt


def test_a5_gemma4_refuses_arguments_that_are_text() -> None:
    with pytest.raises(jinja2.TemplateError) as raised:
        render("gemma4", QUESTION, {"role": "assistant", "tool_calls": [RAW_CALL]})
    assert type(raised.value) is jinja2.TemplateError
    assert str(raised.value) == (
        "chat_template: tool_calls[].function.arguments must be a JSON object (mapping), not a string. Deserialize "
        "arguments before passing to the template."
    )


@pytest.mark.parametrize(
    ("family", "written"),
    [
        ("qwen3", '{"name": "get_exchange_rate", "arguments": {"base": "EUR", "quote": "JPY"}}'),
        ("gemma4", '<|tool_call>call:get_exchange_rate{base:<|"|>EUR<|"|>,quote:<|"|>JPY<|"|>}<tool_call|>'),
    ],
)
def test_a5_a_built_call_is_decoded_and_renders_in_both_families(family: str, written: str) -> None:
    call = tool_call("get_exchange_rate", ARGUMENTS_TEXT)
    assert written in render(family, QUESTION, {"role": "assistant", "tool_calls": [call]})


def test_a6_arguments_that_decode_to_no_object_are_refused() -> None:
    with pytest.raises(ValueError, match="arguments did not decode") as raised:
        tool_call("get_exchange_rate", "[1, 2]")
    assert str(raised.value) == "arguments did not decode to a JSON object: '[1, 2]'"


def test_a6_a_tool_result_that_is_no_text_is_refused() -> None:
    with pytest.raises(TypeError) as raised:
        tool_result(162.4)  # type: ignore[arg-type]
    assert str(raised.value) == "tool result content must be a str, got float"
