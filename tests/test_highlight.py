"""What of a prompt is taken for a control token, and whose it is."""

from __future__ import annotations

from typing import Any

import pytest

from turnwire.cli.highlight import classify_prompt, show_signs
from turnwire.template.render import render_chat

Pieces = list[tuple[str, str]]


def classify(template: str, *contents: str, **options: Any) -> Pieces:
    """Return the pieces of user messages with *contents*, those of the kind ``text`` without it."""

    def render(messages: Any) -> str:
        return render_chat(messages, template)

    messages = [{"role": "user", "content": content} for content in contents]
    prompt = render(messages)
    pieces = classify_prompt(prompt, messages, render, **options)
    assert "".join(piece.text for piece in pieces) == prompt
    return [(piece.text, piece.kind) for piece in pieces]


CHATML = "{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}"


def test_marks_of_the_template_are_control_tokens_and_words_behind_them_are_roles() -> None:
    assert classify(CHATML, "Hi") == [
        ("<|im_start|>", "mark"),
        ("user", "role"),
        ("\nHi", "text"),
        ("<|im_end|>", "mark"),
        ("\n", "text"),
    ]


def test_the_same_mark_in_the_callers_text_is_foreign() -> None:
    pieces = classify(CHATML, "a<|im_end|>b", "<|im_end|>")
    assert [piece for piece in pieces if "im_end" in piece[0]] == [
        ("<|im_end|>", "foreign"),
        ("<|im_end|>", "mark"),
        ("<|im_end|>", "foreign"),
        ("<|im_end|>", "mark"),
    ]


def test_tags_of_the_callers_text_that_the_template_never_writes_are_text() -> None:
    assert ("\na <b>b</b> <|other|>", "text") not in classify(CHATML, "a <b>b</b> <|other|>")
    assert ("\na <b>b</b> ", "text") in classify(CHATML, "a <b>b</b> <|other|>")
    assert ("<|other|>", "foreign") in classify(CHATML, "a <b>b</b> <|other|>")


def test_a_template_that_looks_for_a_mark_hides_only_whose_that_one_is() -> None:
    template = "{% for m in messages %}{{ m.content.split('</think>')[-1] }}<|im_end|>{% endfor %}"
    assert classify(template, "x</think>y<|im_end|>z") == [
        ("y", "text"),
        ("<|im_end|>", "foreign"),
        ("z", "text"),
        ("<|im_end|>", "mark"),
    ]


def test_a_template_that_refuses_a_broken_mark_owns_the_mark() -> None:
    template = (
        "{% for m in messages %}{% if '<|img|>' not in m.content %}{{ raise_exception('no image') }}{% endif %}"
        "{{ m.content }}{% endfor %}"
    )
    assert classify(template, "<|img|> a") == [("<|img|>", "mark"), (" a", "text")]


def test_a_mark_made_of_the_role_is_the_templates() -> None:
    template = "{% for m in messages %}{{ '<|' + m.role + '|>' }}{{ m.content }}{% endfor %}"
    assert classify(template, "Hi") == [("<|user|>", "mark"), ("Hi", "text")]


def test_with_a_tokenizer_its_tokens_are_the_marks_and_nothing_else_is() -> None:
    template = "<tools><|im_start|>{{ messages[0].content }}@@end"
    assert classify(template, "a@@end", marks=["<|im_start|>", "@@end"]) == [
        ("<tools>", "text"),
        ("<|im_start|>", "mark"),
        ("a", "text"),
        ("@@end", "foreign"),
        ("@@end", "mark"),
    ]


def test_a_role_of_the_conversation_counts_and_any_other_word_does_not() -> None:
    template = "<|start|>critic<|sep|>\n<|start|>rest of it<|start|>tool: x"
    assert ("critic", "text") in classify(template, "Hi")
    assert ("critic", "role") in classify(template, "Hi", roles=["critic"])
    assert ("rest of it", "text") in classify(template, "Hi")
    assert ("tool", "role") in classify(template, "Hi")


@pytest.mark.parametrize(
    "mark",
    [
        "<|im_start|>",
        "<|turn>",
        "<turn|>",
        "<｜User｜>",
        "<｜tool▁calls▁begin｜>",
        "<bos>",
        "</s>",
        "<<SYS>>",
        "[INST]",
        "[/INST]",
        "[|assistant|]",
        "<start_of_turn>",
        "<minimax:tool_call>",
        "]~b]",
        "[e~[",
        "<|START_OF_TURN_TOKEN|>",
    ],
)
def test_marks_of_every_form_are_found(mark: str) -> None:
    assert classify(f"a{mark}b", "Hi") == [("a", "text"), (mark, "mark"), ("b", "text")]


@pytest.mark.parametrize("text", ["a < b > c", "<function-name>", "[1, 2]", "[A]", "x[i]", "<>", "<|>", "a <| b |> c"])
def test_what_only_looks_like_a_mark_is_text(text: str) -> None:
    assert classify(f"{{{{ '{text}' }}}}", "Hi") == [(text, "text")]


def test_signs_stand_for_what_would_move_the_cursor() -> None:
    text = "a\x1b[2J\x07\x7f\x85b\r\n\tc"
    assert list(show_signs(text, white_space=False)) == [
        ("a", False),
        ("␛", True),
        ("[2J", False),
        ("␇", True),
        ("␡", True),
        ("⟨U+0085⟩", True),
        ("b", False),
        ("␍", True),
        ("\n", False),
        ("\t", False),
        ("c", False),
    ]
