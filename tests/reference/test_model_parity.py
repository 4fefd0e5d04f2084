"""A loaded model's own methods, argument by argument, held to Transformers' on the same folder."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import torch
from transformers import AutoTokenizer

import turnwire
from tests.test_readme import tiny_qwen3

MASKED = (
    "{% for m in messages %}{% if m.role == 'assistant' %}<|im_start|>{% generation %}{{ m.content }}<|im_end|>"
    "{% endgeneration %}{% else %}<|im_start|>{{ m.role }} {{ m.content }}<|im_end|>{% endif %}{% endfor %}"
)
CHAT = [
    {"role": "user", "content": "How many yen is one euro? <think>"},
    {"role": "assistant", "content": "About 162.4 yen – größer."},
]
LONG = [*CHAT, {"role": "user", "content": "And <|im_end|> a dollar?"}, {"role": "assistant", "content": "Fewer."}]


@dataclass
class Note:
    role: str
    content: str | None


def get_rate(base: str) -> float:
    """
    Look up a rate.

    Args:
        base: The currency.
    """
    return 1.0


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> tuple[turnwire.ChatModel, Any]:
    folder = tmp_path_factory.mktemp("model")
    for name, data in tiny_qwen3().items():
        (folder / name).write_bytes(data)
    (folder / "additional_chat_templates").mkdir()
    (folder / "additional_chat_templates" / "tool_use.jinja").write_text("tools {{ messages[0].content }}")
    (folder / "additional_chat_templates" / "masked.jinja").write_text(MASKED)
    return turnwire.load(folder), AutoTokenizer.from_pretrained(folder)


def simplify(value: Any) -> Any:
    """Return a result as plain lists, with the type of its arrays."""
    if isinstance(value, (np.ndarray, torch.Tensor)):
        return type(value).__name__, value.tolist()
    if hasattr(value, "items"):
        return {key: simplify(item) for key, item in value.items()}
    return value


def outcome(call: Callable[[], Any]) -> Any:
    try:
        return simplify(call())
    except Exception as error:
        return type(error).__name__, str(error)


CALLS: dict[str, tuple[Any, dict[str, Any]]] = {
    "defaults": (CHAT, {}),
    "text": (CHAT, {"tokenize": False}),
    "ids": (CHAT, {"return_dict": False}),
    "generation prompt": (CHAT[:1], {"add_generation_prompt": True}),
    "variables": (CHAT[:1], {"add_generation_prompt": True, "enable_thinking": False, "tokenize": False}),
    "special token by keyword": (CHAT, {"eos_token": "<X>", "chat_template": "{{ eos_token }}", "tokenize": False}),
    "batch": ([CHAT, LONG], {}),
    "batch, text": ([CHAT, LONG], {"tokenize": False}),
    "batch, padded": ([CHAT, LONG], {"padding": True}),
    "batch, padded on the left": ([CHAT, LONG], {"padding": True, "tokenizer_kwargs": {"padding_side": "left"}}),
    "padded to a length": (CHAT, {"padding": "max_length", "max_length": 200}),
    "padded to a multiple": ([CHAT, LONG], {"padding": True, "tokenizer_kwargs": {"pad_to_multiple_of": 64}}),
    "truncated": (CHAT, {"truncation": True, "max_length": 10}),
    "truncated without a length": (CHAT, {"truncation": True}),
    "numpy": (CHAT, {"return_tensors": "np"}),
    "torch, batch": ([CHAT, LONG], {"return_tensors": "pt", "padding": True}),
    "torch, ragged": ([CHAT, LONG], {"return_tensors": "pt"}),
    "unknown tensors": (CHAT, {"return_tensors": "xx"}),
    "unknown padding": (CHAT, {"padding": "sideways"}),
    "offsets": (CHAT, {"tokenizer_kwargs": {"return_offsets_mapping": True, "return_special_tokens_mask": True}}),
    "mask": (CHAT, {"chat_template": "masked", "return_assistant_tokens_mask": True}),
    "mask, truncated": (
        LONG,
        {"chat_template": "masked", "return_assistant_tokens_mask": True, "truncation": True, "max_length": 60},
    ),
    "mask, batch, padded": (
        [CHAT, LONG],
        {"chat_template": "masked", "return_assistant_tokens_mask": True, "padding": True, "return_tensors": "np"},
    ),
    "mask without a dict": (CHAT, {"return_assistant_tokens_mask": True, "return_dict": False}),
    "mask without the tag": (CHAT, {"return_assistant_tokens_mask": True}),
    "mask and prefill": (CHAT, {"return_assistant_tokens_mask": True, "continue_final_message": True}),
    "prefill": (CHAT, {"continue_final_message": True}),
    "prefill and generation prompt": (CHAT, {"continue_final_message": True, "add_generation_prompt": True}),
    "sanitised": (LONG, {"sanitize_control_tokens": True}),
    "sanitised, batch": ([CHAT, LONG], {"sanitize_control_tokens": True, "padding": True, "return_tensors": "np"}),
    "sanitised, text": (CHAT, {"sanitize_control_tokens": True, "tokenize": False}),
    "sanitised, mask": (CHAT, {"sanitize_control_tokens": True, "return_assistant_tokens_mask": True}),
    "tools choose their template": (CHAT, {"tools": [get_rate], "tokenize": False}),
    "a template by name": (CHAT, {"chat_template": "masked", "tokenize": False}),
    "a template's text": (CHAT, {"chat_template": "{{ messages|length }}", "tokenize": False}),
    "objects": ([Note("user", "Hi"), Note("assistant", None)], {"tokenize": False, "chat_template": "{{ messages }}"}),
    "an object with messages": (SimpleNamespace(messages=CHAT), {}),
    "objects with messages": ([SimpleNamespace(messages=CHAT), SimpleNamespace(messages=LONG)], {"tokenize": False}),
    "no messages": ([], {}),
    "no message": ("Hi", {}),
    "a template that refuses": (CHAT, {"chat_template": "{{ raise_exception('no') }}"}),
    "a broken template": (CHAT, {"chat_template": "{% if %}"}),
    "documents": (
        CHAT,
        {"documents": [{"title": "t", "text": "x"}], "chat_template": "{{ documents }}", "tokenize": False},
    ),
    "documents of another shape": (CHAT, {"documents": ["x"]}),
}


@pytest.mark.parametrize("name", CALLS)
def test_apply_chat_template_comes_to_the_same(name: str, pair: tuple[turnwire.ChatModel, Any]) -> None:
    conversation, arguments = CALLS[name]
    ours, theirs = (outcome(lambda side=side: side.apply_chat_template(conversation, **arguments)) for side in pair)
    assert ours == theirs


def test_most_calls_succeed(pair: tuple[turnwire.ChatModel, Any]) -> None:
    outcomes = [outcome(lambda call=call: pair[0].apply_chat_template(call[0], **call[1])) for call in CALLS.values()]
    assert sum(isinstance(result, tuple) for result in outcomes) <= len(CALLS) // 3


@pytest.mark.parametrize("arguments", [(), (None, [{}]), ("masked",), ("{{ 1 }}",), ("missing", [])])
def test_get_chat_template_comes_to_the_same(arguments: tuple[Any, ...], pair: tuple[turnwire.ChatModel, Any]) -> None:
    ours, theirs = (outcome(lambda side=side: side.get_chat_template(*arguments)) for side in pair)
    assert ours == theirs


@pytest.mark.parametrize("templates", [None, "one {{ messages }}", {"a": "A"}, {"default": "D", "tool_use": "T"}])
@pytest.mark.parametrize("arguments", [(), ("a",), (None, [{}])])
def test_templates_of_every_kind_are_chosen_alike(
    templates: Any, arguments: tuple[Any, ...], pair: tuple[turnwire.ChatModel, Any]
) -> None:
    kept = [side.chat_template for side in pair]
    try:
        for side in pair:
            side.chat_template = templates
        ours, theirs = (outcome(lambda side=side: side.get_chat_template(*arguments)) for side in pair)
    finally:
        for side, template in zip(pair, kept, strict=True):
            side.chat_template = template
    assert ours == theirs


@pytest.mark.parametrize("history", [None, [], CHAT[:1], CHAT, LONG])
@pytest.mark.parametrize("arguments", [{}, {"chat_template": "masked"}, {"add_generation_prompt": True}])
def test_single_messages_are_encoded_alike(
    history: Any, arguments: dict[str, Any], pair: tuple[turnwire.ChatModel, Any]
) -> None:
    message = {"role": "user", "content": "Thanks."}
    ours, theirs = (
        outcome(lambda side=side: side.encode_message_with_chat_template(message, history, **arguments))
        for side in pair
    )
    assert ours == theirs


@pytest.mark.parametrize("save_jinja_files", [True, False])
def test_templates_are_saved_alike(
    save_jinja_files: bool, pair: tuple[turnwire.ChatModel, Any], tmp_path: Path
) -> None:
    written = []
    for side, name in zip(pair, ("ours", "theirs"), strict=True):
        folder = tmp_path / name
        folder.mkdir()
        config, files = side.save_chat_templates(folder, {"chat_template": "old", "x": 1}, None, save_jinja_files)
        texts = {str(Path(file).relative_to(folder)): Path(file).read_text() for file in files}
        chosen = config.get("chat_template")
        written.append((texts, sorted(map(str, chosen)) if isinstance(chosen, list) else chosen, config["x"]))
    assert written[0] == written[1]


def test_ids_and_texts_go_both_ways_alike(pair: tuple[turnwire.ChatModel, Any]) -> None:
    text = "<|im_start|>user\nGrüße 👍<|im_end|>"
    ids = pair[1].encode(text)
    assert pair[0].encode(text) == ids
    assert pair[0].decode(ids) == pair[1].decode(ids) == text
    assert pair[0].decode([ids, ids[:3]], skip_special_tokens=True) == pair[1].decode(
        [ids, ids[:3]], skip_special_tokens=True
    )
    assert pair[0].special_tokens_map == pair[1].special_tokens_map


def test_two_hundred_threads_get_what_each_would_get_alone(pair: tuple[turnwire.ChatModel, Any]) -> None:
    model = pair[0]
    jobs = [
        (
            [*CHAT, {"role": "user", "content": f"{number} " * (number % 17)}],
            {"truncation": True, "max_length": 20 + number},
        )
        for number in range(200)
    ]
    alone = [dict(model.apply_chat_template(chat, **arguments)) for chat, arguments in jobs]
    with ThreadPoolExecutor(200) as pool:
        together = pool.map(lambda job: dict(model.apply_chat_template(job[0], **job[1])), jobs * 3)
    assert list(together) == alone * 3
