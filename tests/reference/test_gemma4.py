"""Gemma 4's response template, run by Transformers."""

from __future__ import annotations

from typing import Any

import pytest
from tokenizers import Tokenizer, models
from transformers import PreTrainedTokenizerFast

from turnwire.compare.cases import read_corpus
from turnwire.families.gemma4 import FAMILY
from turnwire.messages import tool_call, tool_result
from turnwire.template.render import render_chat

CALL = '<|tool_call>call:get_exchange_rate{base:<|"|>EUR<|"|>,quote:<|"|>JPY<|"|>}<tool_call|>'
MESSAGE = {
    "role": "assistant",
    "tool_calls": [
        {
            "type": "function",
            "function": {"name": "get_exchange_rate", "arguments": {"base": "EUR", "quote": "JPY"}},
        }
    ],
}
ANSWER = {"role": "assistant", "content": "One euro buys about 162.4 yen."}


def read_by_transformers(output: str, prompt: str) -> dict[str, Any]:
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=Tokenizer(models.BPE()), response_template=FAMILY.response_template
    )
    message: dict[str, Any] = tokenizer.parse_response(output, prefix=prompt)
    return message


@pytest.fixture(scope="module")
def template() -> str:
    (text,) = [template.text for template in read_corpus() if template.name == "google-gemma-4-E4B-it"]
    return text


@pytest.mark.parametrize("end", ["", "<|tool_response>"])
def test_a9_the_sample_call_is_read_as_a_message_with_that_call(end: str) -> None:
    assert read_by_transformers(CALL + end, "<bos><|turn>model\n") == MESSAGE


@pytest.mark.parametrize("end", ["", "<turn|>", "<eos>"])
def test_a9_the_plain_answer_is_read_as_content_with_no_key_for_calls(end: str) -> None:
    assert read_by_transformers("One euro buys about 162.4 yen." + end, "<bos><|turn>model\n") == ANSWER


def test_reasoning_and_several_calls_are_read() -> None:
    output = "<|channel>thought\nTwo.<channel|><|tool_call>call:a{n:1}<tool_call|><|tool_call>call:b{}<tool_call|>"
    assert read_by_transformers(output, "<|turn>model\n") == {
        "role": "assistant",
        "reasoning_content": "Two.",
        "tool_calls": [tool_call("a", {"n": 1}), tool_call("b", {})],
    }


def test_the_prompts_of_the_real_template_end_in_the_start_anchor(template: str) -> None:
    question = {"role": "user", "content": "How many yen is one euro?"}
    first = render_chat([question], template, bos_token="<bos>", add_generation_prompt=True)
    assert first.endswith("<|turn>model\n")
    assert read_by_transformers(CALL, first) == MESSAGE
    history = [question, MESSAGE, tool_result("162.4", name="get_exchange_rate")]
    second = render_chat(history, template, bos_token="<bos>", add_generation_prompt=True)
    assert second.endswith("<tool_response|>")
    assert read_by_transformers(ANSWER["content"], second) == ANSWER
