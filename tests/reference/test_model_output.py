"""``parse_response`` and ``get_response_parser`` of a model, held to Transformers' methods of these names."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from transformers import AutoTokenizer

import turnwire
from tests.test_readme import tiny_qwen3
from turnwire.wire.registry import load_family

TEMPLATE = dict(load_family("gemma4").response_template or {})
ANSWER = "One euro buys about 162.4 yen."
CALL = '<|tool_call>call:get_exchange_rate{base:<|"|>EUR<|"|>,quote:<|"|>JPY<|"|>}<tool_call|>'
BROKEN = '<|tool_call>call:f{base:<|"|>EUR<|"|>,,}<tool_call|>'


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> tuple[turnwire.ChatModel, Any]:
    folder = tmp_path_factory.mktemp("model")
    for name, data in tiny_qwen3().items():
        (folder / name).write_bytes(data)
    Path(folder / "model.safetensors").unlink()
    return turnwire.load(folder), AutoTokenizer.from_pretrained(folder)


def outcome(call: Callable[[], Any]) -> Any:
    try:
        return call()
    except Exception as error:
        return type(error).__name__, str(error)


CALLS: dict[str, tuple[tuple[Any, ...], dict[str, Any]]] = {
    "an answer": ((ANSWER, TEMPLATE), {"prefix": ""}),
    "a call": ((CALL, TEMPLATE), {"prefix": ""}),
    "no response template": ((ANSWER,), {"prefix": ""}),
    "no prefix": ((ANSWER, TEMPLATE), {}),
    "broken JSON": ((BROKEN, TEMPLATE), {"prefix": ""}),
    "a batch": (([ANSWER, CALL], TEMPLATE), {"prefix": ""}),
    "a batch with prefixes": (([ANSWER, CALL], TEMPLATE), {"prefix": ["a", "b"]}),
    "too few prefixes": (([ANSWER, CALL], TEMPLATE), {"prefix": ["a"]}),
    "an empty batch": (([], TEMPLATE), {"prefix": ""}),
    "an empty prefix": ((ANSWER, TEMPLATE), {"prefix": []}),
    "a prefix": ((ANSWER, TEMPLATE), {"prefix": "<|turn>model\n<|channel>thought\nHm."}),
}


@pytest.mark.parametrize("name", CALLS)
def test_a_call_comes_to_the_same(name: str, pair: tuple[turnwire.ChatModel, Any]) -> None:
    arguments, keywords = CALLS[name]
    ours, theirs = (outcome(lambda side=side: side.parse_response(*arguments, **keywords)) for side in pair)
    assert ours == theirs


@pytest.mark.parametrize("kind", [list, np.array, torch.tensor])
@pytest.mark.parametrize("rows", [1, 2])
def test_ids_are_decoded_first(kind: Callable[[Any], Any], rows: int, pair: tuple[turnwire.ChatModel, Any]) -> None:
    ids = pair[0].encode(CALL, add_special_tokens=False)
    response = kind([ids] * rows) if rows > 1 else kind(ids)
    ours, theirs = (side.parse_response(response, TEMPLATE, prefix=ids[:0]) for side in pair)
    assert ours == theirs
    assert str(ours).count("get_exchange_rate") == rows


@pytest.mark.parametrize("keywords", [{"prefix": ""}, {}, {"prefix": [64, 65]}, {"prefix": [[64], [65]]}])
@pytest.mark.parametrize("template", [TEMPLATE, None])
def test_a_stream_comes_to_the_same(
    template: dict[str, Any] | None, keywords: dict[str, Any], pair: tuple[turnwire.ChatModel, Any]
) -> None:
    def stream(side: Any) -> Any:
        parser = side.get_response_parser(template, **keywords)
        return [event for piece in CALL for event in parser.feed(piece)], parser.finalize()

    ours, theirs = (outcome(lambda side=side: stream(side)) for side in pair)
    assert ours == theirs


def test_the_errors_say_what_is_missing(pair: tuple[turnwire.ChatModel, Any]) -> None:
    with pytest.raises(AttributeError, match="does not have a `response_template` for parsing chat responses!"):
        pair[0].parse_response(ANSWER, prefix="")
    with pytest.raises(ValueError, match="requires `prefix=`"):
        pair[0].parse_response(ANSWER, TEMPLATE)


def test_a_reply_is_read_by_the_response_template_unless_a_family_is_named() -> None:
    model = turnwire.ChatModel.__new__(turnwire.ChatModel)
    model.response_template = TEMPLATE
    [call] = model.read_reply(CALL).tool_calls
    assert (call.name, call.arguments, call.raw, call.span) == (
        "get_exchange_rate",
        {"base": "EUR", "quote": "JPY"},
        "",
        None,
    )
    qwen3 = '<tool_call>{"name": "f", "arguments": {}}</tool_call>'
    assert [call.name for call in model.read_reply(qwen3, "qwen3").tool_calls] == ["f"]
    with pytest.raises(turnwire.UnparsedToolCall, match="the model's response template found no call in text"):
        model.read_reply(qwen3, strict=True)


def test_an_error_of_a_response_template_is_raised_or_keeps_what_closed_before() -> None:
    model = turnwire.ChatModel.__new__(turnwire.ChatModel)
    model.response_template = TEMPLATE
    text = f"<|channel>thought\nHm.<channel|>{CALL}{BROKEN}"
    with pytest.raises(ValueError, match="json: could not parse"):
        model.read_reply(text)
    reply = model.read_reply(text, on_error="keep")
    assert (reply.reasoning, [call.name for call in reply.tool_calls], reply.complete) == (
        "Hm.",
        ["get_exchange_rate"],
        False,
    )
    assert len(reply.warnings) == 1
