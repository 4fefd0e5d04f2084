"""Chats as ids and masks, where public reports found them wrong; expected values are worked out by hand.

The tokenizer knows bytes and a few marks, so that each ASCII character is a token.
"""

from __future__ import annotations

import json
import logging
from typing import Any

import pytest
from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers, processors

import turnwire
from turnwire import ChatModel, render_spans
from turnwire.log import warn_once

TAGGED = (
    "{% for m in messages %}{% if m.role == 'assistant' %}{% generation %}{{ m.content }}{% endgeneration %}"
    "{% else %}<u>{{ m.content }}{% endif %}{% endfor %}"
)


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> ChatModel:
    letters = {letter: number for number, letter in enumerate(sorted(pre_tokenizers.ByteLevel.alphabet()))}
    tokenizer = Tokenizer(models.BPE(vocab=letters, merges=[]))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.add_special_tokens(["<s>", "<|end|>"])
    tokenizer.add_tokens([AddedToken("<think>"), AddedToken("</think>")])
    tokenizer.post_processor = processors.TemplateProcessing(single="<s> $A", special_tokens=[("<s>", 256)])
    folder = tmp_path_factory.mktemp("bytes")
    tokenizer.save(str(folder / "tokenizer.json"))
    config = {"tokenizer_class": "PreTrainedTokenizerFast", "bos_token": "<s>"}
    (folder / "tokenizer_config.json").write_text(json.dumps(config))
    return turnwire.load(folder)


def say(role: str, content: str) -> dict[str, Any]:
    return {"role": role, "content": content}


def ids_of(model: ChatModel, text: str) -> list[int]:
    ids: list[int] = model.tokenizer.encode_without_added_tokens(text)
    assert len(ids) == len(text)
    return ids


def test_a_span_that_ends_at_the_first_token_covers_that_token_alone(model: ChatModel) -> None:
    # huggingface/transformers#47325
    chat = model.apply_chat_template(
        [say("assistant", "A"), say("user", "bc")], chat_template=TAGGED, return_assistant_tokens_mask=True
    )
    assert chat["assistant_masks"] == [1, 0, 0, 0, 0, 0]


def test_of_a_truncated_message_the_rest_is_trained_on(model: ChatModel) -> None:
    # huggingface/transformers#34494: "<u>b" and "abcdefgh", cut to eight tokens
    chat = model.apply_chat_template(
        [say("user", "b"), say("assistant", "abcdefgh")],
        chat_template=TAGGED,
        return_assistant_tokens_mask=True,
        truncation=True,
        max_length=8,
    )
    assert chat["assistant_masks"] == [0, 0, 0, 0, 1, 1, 1, 1]


THINKING = (
    "{% for m in messages %}<{{ m.role }}>{% if m.role == 'assistant' %}{% generation %}"
    "{% if loop.last or always %}<think></think>{% endif %}{{ m.content }}<|end|>{% endgeneration %}"
    "{% else %}{{ m.content }}{% endif %}{% endfor %}"
    "{% if add_generation_prompt %}<assistant><think></think>{% endif %}"
)


@pytest.mark.parametrize(
    ("variables", "spans"),
    [({"always": True}, ["x<|end|>", "y<|end|>"]), ({}, ["x<|end|>", "y<|end|>"])],
)
def test_what_the_generation_prompt_writes_can_be_left_out_of_the_spans(
    variables: dict[str, Any], spans: list[str]
) -> None:
    # NVIDIA-NeMo/Automodel#3739
    messages = [say("user", "a"), say("assistant", "x"), say("user", "b"), say("assistant", "y")]
    whole = render_spans(messages, THINKING, **variables)
    assert [whole.text[slice(*span)] for span in whole.spans][-1] == "<think></think>y<|end|>"
    chat = render_spans(messages, THINKING, exclude_generation_prompt=True, **variables)
    assert chat.text == whole.text
    assert [chat.text[slice(*span)] for span in chat.spans] == spans


def test_spans_stay_whole_where_there_is_no_generation_prompt_or_it_says_something_else() -> None:
    messages = [say("user", "a"), say("assistant", "x")]
    for template in (TAGGED, TAGGED + "{% if add_generation_prompt %}<think>{% endif %}"):
        assert render_spans(messages, template, exclude_generation_prompt=True) == render_spans(messages, template)


def test_a_template_that_writes_all_anew_with_a_generation_prompt_has_none_to_leave_out() -> None:
    with pytest.raises(ValueError, match="writes the messages differently"):
        render_spans(
            [say("user", "a")],
            "{{ add_generation_prompt }}{% generation %}{% endgeneration %}",
            exclude_generation_prompt=True,
        )


def test_two_leading_bos_tokens_are_warned_of(model: ChatModel, caplog: pytest.LogCaptureFixture) -> None:
    # OpenRLHF/OpenRLHF#393: a rendered chat that is encoded in a second step
    warn_once.cache_clear()
    template = "{{ bos_token }}{{ messages[0].content }}"
    chat = model.apply_chat_template([say("user", "hi")], chat_template=template, tokenize=False)
    with caplog.at_level(logging.WARNING, "turnwire"):
        assert model.encode(chat, add_special_tokens=False) == [256, *ids_of(model, "hi")]
        assert model.encode("hi") == [256, *ids_of(model, "hi")]
        assert caplog.messages == []
        assert model.encode(chat) == [256, 256, *ids_of(model, "hi")]
        assert model.encode(chat) == [256, 256, *ids_of(model, "hi")]
    assert len(caplog.messages) == 1
    assert "add_special_tokens=False" in caplog.text


def test_one_step_adds_no_token_that_the_template_does_not_write(model: ChatModel) -> None:
    # unslothai/unsloth#10312: without BOS in the template there is none in the ids, whatever the tokenizer adds
    for template, leading in (("{{ messages[0].content }}", []), ("{{ bos_token }}{{ messages[0].content }}", [256])):
        ids = model.apply_chat_template([say("user", "hi")], chat_template=template, return_dict=False)
        assert ids == [*leading, *ids_of(model, "hi")]


FRAMED = "{% for m in messages %}{{ m.content }}<|end|>{% endfor %}{{ '<think></think>' }}"
CLOSE = [257, 258, 259]


@pytest.mark.parametrize("mark", ["<|end|>", "<think>", "</think>", "<s>"])
def test_a_control_token_in_a_message_is_text_flagged_special_or_not(model: ChatModel, mark: str) -> None:
    # huggingface/transformers#47386
    for content in (mark, f"a{mark}b", mark * 2):
        ids = model.apply_chat_template(
            [say("user", content)], chat_template=FRAMED, return_dict=False, sanitize_control_tokens=True
        )
        assert ids == [*ids_of(model, content), *CLOSE]


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ("\U000f0000<|end|>\U000f0001", "<|end|>"),
        ("\U000f0001<|end|>\U000f0000", "<|end|>"),
        ("<|\U000f0000end|>", "<|end|>"),
        ("\U000f0000\U000f0000<|end|>", "<|end|>"),
        ("\x00123,456\x00 <|end|>", "\x00123,456\x00 <|end|>"),
    ],
)
def test_a_message_cannot_forge_what_marks_control_tokens(model: ChatModel, content: str, text: str) -> None:
    # huggingface/transformers#48052
    ids = model.apply_chat_template(
        [say("user", content)], chat_template=FRAMED, return_dict=False, sanitize_control_tokens=True
    )
    assert ids == [*ids_of(model, text), *CLOSE]
