"""Sessions: what each prompt keeps of the one before, which message changed it, and replies whose ids stay."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import jinja2
import pytest
from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers

import turnwire
from tests.generators.tokenizers import write_model
from tests.test_readme import tiny_qwen3
from turnwire.compare.cases import read_corpus
from turnwire.session import PromptChange

MARKED = (
    "{% for m in messages %}<|start|>{{ m.role }}\n{{ m.content }}<|end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|start|>assistant\n{% endif %}"
)
USER = {"role": "user", "content": "Hello there"}
REPLY = {"role": "assistant", "content": "hello"}
RESULT = {"role": "tool", "content": "162.4"}


def make_model(folder: Path, template: str, end: AddedToken | str = "<|end|>") -> turnwire.ChatModel:
    """Return a model that writes every byte as an id, and 'he', 'llo' and 'hello' as one each."""
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    words = [*alphabet, "he", "ll", "llo", "hello"]
    merges = [("h", "e"), ("l", "l"), ("ll", "o"), ("he", "llo")]
    backend = Tokenizer(models.BPE({word: place for place, word in enumerate(words)}, merges))
    backend.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    backend.decoder = decoders.ByteLevel()
    backend.add_special_tokens(["<|start|>", end])
    write_model(folder, backend, tokenizer_config={"tokenizer_class": "TokenizersBackend"})
    (folder / "chat_template.jinja").write_text(template, encoding="utf-8")
    return turnwire.load(folder)


@pytest.fixture
def model(tmp_path: Path) -> turnwire.ChatModel:
    return make_model(tmp_path, MARKED)


@pytest.fixture
def qwen(tmp_path: Path) -> turnwire.ChatModel:
    for name, data in tiny_qwen3().items():
        (tmp_path / name).write_bytes(data)
    return turnwire.load(tmp_path)


def ids_of(model: turnwire.ChatModel, *tokens: str) -> list[int]:
    return [model.tokenizer.convert_tokens_to_ids(token) for token in tokens]


def template_of(name: str) -> str:
    return next(template.text for template in read_corpus() if template.name == name)


# --- prompts one after the other --------------------------------------------------------------------------------------


def test_the_first_prompt_is_what_apply_chat_template_gives_and_all_new(model: turnwire.ChatModel) -> None:
    prompt = model.session([USER]).render()
    assert prompt.text == "<|start|>user\nHello there<|end|>\n<|start|>assistant\n"
    assert prompt.ids == model.apply_chat_template([USER], add_generation_prompt=True, return_dict=False)
    assert (prompt.kept, prompt.new_ids, prompt.change) == (0, prompt.ids, None)


def test_a_prompt_that_goes_on_where_the_last_one_ended_keeps_all_of_it(model: turnwire.ChatModel) -> None:
    session = model.session([USER])
    first = session.render()
    session.extend([REPLY, RESULT])
    second = session.render()
    assert second.kept == len(first.ids)
    assert second.new_ids == model.encode(
        "hello<|end|>\n<|start|>tool\n162.4<|end|>\n<|start|>assistant\n", add_special_tokens=False
    )
    assert second.change is None
    third = session.render()
    assert (third.kept, third.new_ids, third.change) == (len(second.ids), [], None)


def test_ids_that_are_handed_out_may_be_changed(model: turnwire.ChatModel) -> None:
    session = model.session([USER])
    session.render().ids.clear()
    session.append(REPLY)
    assert session.render().change is None


def test_tools_template_and_variables_reach_the_template(tmp_path: Path) -> None:
    model = make_model(tmp_path, "unused")
    template = "{{ mood }}{{ tools[0].name }}{% for m in messages %}{{ m.content }}{% endfor %}"
    session = model.session([USER], tools=[{"name": "tool"}], chat_template=template, mood="glad ")
    assert session.render().text == "glad toolHello there"
    assert session.render(add_generation_prompt=False).text == "glad toolHello there"


def test_a_message_that_was_edited_is_named(model: turnwire.ChatModel) -> None:
    session = model.session([USER, REPLY, USER])
    before = session.render()
    session.messages[1] = {**REPLY, "content": "help"}
    prompt = session.render()
    start = before.text.index("hello") + 3
    assert prompt.change == PromptChange(
        token=prompt.kept,
        pos=start,
        message=1,
        cause=None,
        before="lo<|end|>\n<|start|>user\nHello there<|end|>\n<|start|>assistant\n"[:60],
        after="p<|end|>\n<|start|>user\nHello there<|end|>\n<|start|>assistant\n"[:60],
    )
    # 'hello' is one token, so the first that differs begins before the first character that does.
    assert prompt.ids[: prompt.kept] == before.ids[: prompt.kept]
    assert model.decode(before.ids[prompt.kept]) == "hello"
    assert (
        str(prompt.change) == f"message 1 is written as {prompt.change.after!r} where it was {prompt.change.before!r}"
    )


def test_a_token_that_grows_over_the_end_of_the_last_prompt_is_a_change(tmp_path: Path) -> None:
    template = "{% for m in messages %}{{ m.content }}{% endfor %}"
    session = make_model(tmp_path, template).session([{"role": "user", "content": "ahe"}])
    session.render()
    session.append({"role": "assistant", "content": "llo"})
    prompt = session.render()
    assert prompt.kept == 1
    assert prompt.change == PromptChange(token=1, pos=3, message=1, cause=1, before="", after="llo")


# --- Qwen3.5: think blocks that come and go ---------------------------------------------------------------------------

ANSWER = {"role": "assistant", "content": "About 162.4.", "reasoning_content": "Easy."}
CALL = {
    "role": "assistant",
    "content": "",
    "reasoning_content": "Look it up.",
    "tool_calls": [{"type": "function", "function": {"name": "rate", "arguments": {"base": "EUR"}}}],
}


@pytest.mark.parametrize("name", ["Qwen-Qwen3.5-0.8B", "Qwen3.5-4B", "Qwen-Qwen3.6-35B-A3B"])
@pytest.mark.parametrize("reasoning", [None, "Easy."])
def test_think_blocks_that_vanish_when_a_user_turn_arrives_are_traced_to_both_messages(
    qwen: turnwire.ChatModel, name: str, reasoning: str | None
) -> None:
    answer = {key: value for key, value in {**ANSWER, "reasoning_content": reasoning}.items() if value is not None}
    session = qwen.session([USER], chat_template=template_of(name), enable_thinking=True)
    session.render()
    session.append(answer)
    before = session.render(add_generation_prompt=False)
    session.append(USER)
    prompt = session.render()
    assert prompt.change is not None
    assert (prompt.change.message, prompt.change.cause) == (1, 2)
    assert prompt.change.before.startswith("<think>")
    assert prompt.change.after.startswith("About 162.4.")
    assert prompt.text[: prompt.change.pos].endswith("<|im_start|>assistant\n")
    assert prompt.change.token == prompt.kept < len(before.ids)


@pytest.mark.parametrize("name", ["Qwen-Qwen3.5-0.8B", "Qwen3.5-4B", "Qwen-Qwen3.6-35B-A3B"])
def test_inside_a_loop_of_tools_every_prompt_keeps_the_one_before(qwen: turnwire.ChatModel, name: str) -> None:
    session = qwen.session([USER], chat_template=template_of(name), enable_thinking=True)
    earlier = session.render()
    for _ in range(4):
        session.extend([CALL, RESULT])
        prompt = session.render()
        assert prompt.change is None
        assert prompt.kept == len(earlier.ids)
        earlier = prompt
    session.extend([ANSWER, USER])
    prompt = session.render()
    assert prompt.change is not None
    assert (prompt.change.message, prompt.change.cause) == (1, 10)


def test_of_two_turns_whose_blocks_vanish_the_first_is_named(qwen: turnwire.ChatModel) -> None:
    session = qwen.session(chat_template=template_of("Qwen-Qwen3.5-0.8B"), enable_thinking=True)
    session.extend([{"role": "system", "content": "Be brief."}, USER, ANSWER, USER, CALL, RESULT, CALL, RESULT])
    session.render()
    session.extend([ANSWER, USER, ANSWER, USER])
    prompt = session.render()
    assert prompt.change is not None
    assert (prompt.change.message, prompt.change.cause) == (4, 9)


def test_a_generation_prompt_that_no_reply_is_written_with_is_put_down_to_the_reply(tmp_path: Path) -> None:
    template = MARKED.replace("assistant\n{% endif %}", "assistant\n<think>{% endif %}")
    session = make_model(tmp_path, template).session([USER])
    assert session.render().text.endswith("assistant\n<think>")
    session.extend([REPLY, USER])
    change = session.render().change
    assert change is not None
    assert (change.message, change.cause) == (1, 1)
    assert (change.before, change.after[:12]) == ("<think>", "hello<|end|>")


def test_a_last_message_that_is_written_in_a_third_way_is_still_the_one_that_is_named(tmp_path: Path) -> None:
    template = MARKED.replace("assistant\n{% endif %}", "assistant\n<think>{% endif %}")
    template = template.replace(
        "{{ m.content }}", "{% if loop.last %}({{ m.content }}){% else %}{{ m.content }}{% endif %}"
    )
    session = make_model(tmp_path, template).session([USER, RESULT])
    session.render()
    session.extend([REPLY, USER])
    change = session.render().change
    assert change is not None
    assert (change.message, change.cause) == (1, 2)  # the result stands in brackets until the reply arrives
    session = make_model(tmp_path, template).session([USER, RESULT, USER, REPLY])
    session.render(add_generation_prompt=False)
    session.extend([{**REPLY, "content": "(hello"}, USER])
    change = session.render().change
    assert change is not None
    assert (change.message, change.cause) == (3, 4)


def test_a_template_that_refuses_beginnings_of_a_chat_does_not_hide_the_change(tmp_path: Path) -> None:
    template = (
        "{% if messages|length is odd %}{{ raise_exception('even only') }}{% endif %}"
        "{% for m in messages %}{{ m.content }}"
        "{% if messages|length > 4 and loop.index == 2 %}!{% endif %}\n{% endfor %}"
    )
    session = make_model(tmp_path, template).session([USER, REPLY, USER, REPLY])
    session.render()
    session.extend([USER, REPLY])
    change = session.render().change
    assert change is not None
    assert change.cause == 5
    assert change.message in (1, 2)  # no beginning tells these two apart
    session.append(USER)
    with pytest.raises(jinja2.TemplateError, match="even only"):
        session.render()


# --- replies whose ids stay -------------------------------------------------------------------------------------------


def test_generated_ids_are_kept_although_their_text_would_be_encoded_otherwise(model: turnwire.ChatModel) -> None:
    session = model.session([USER])
    first = session.render()
    generated = ids_of(model, "he", "llo", "<|end|>")
    session.append(REPLY, ids=generated)
    session.append(RESULT)
    second = session.render()
    written_after = model.encode("\n<|start|>tool\n162.4<|end|>\n<|start|>assistant\n", add_special_tokens=False)
    assert second.ids == first.ids + generated + written_after
    assert second.kept == len(first.ids) + len(generated)
    assert second.new_ids == written_after
    assert second.text == model.decode(second.ids)
    # Encoded anew, the reply is a single token.
    assert ids_of(model, "hello")[0] in model.apply_chat_template(
        [USER, REPLY, RESULT], add_generation_prompt=True, return_dict=False
    )

    # They stay for all prompts that follow.
    session.append(REPLY, ids=ids_of(model, "h", "e", "llo"))
    session.append(USER)
    third = session.render()
    assert third.ids[: len(second.ids) + 3] == second.ids + ids_of(model, "h", "e", "llo")
    assert third.new_ids == model.encode(
        "<|end|>\n<|start|>user\nHello there<|end|>\n<|start|>assistant\n", add_special_tokens=False
    )


def test_generated_ids_are_given_up_where_that_is_asked_for(model: turnwire.ChatModel) -> None:
    session = model.session([USER])
    first = session.render()
    session.append(REPLY, ids=ids_of(model, "he", "llo", "<|end|>"))
    prompt = session.render(add_generation_prompt=False, keep_generated_ids=False)
    assert prompt.ids == model.apply_chat_template([USER, REPLY], return_dict=False)
    assert prompt.kept == len(first.ids)
    assert prompt.change is not None
    assert prompt.change.token == len(first.ids)
    session.append(USER)
    assert session.render().change is None  # and from then on they are forgotten


def test_a_prompt_that_ends_with_the_reply_adds_nothing(tmp_path: Path) -> None:
    model = make_model(tmp_path, "{% for m in messages %}{{ m.content }}{% endfor %}")
    session = model.session([USER])
    first = session.render()
    session.append(REPLY, ids=ids_of(model, "he", "llo"))
    assert session.render().ids == first.ids + ids_of(model, "he", "llo")


def test_space_that_the_end_of_a_reply_takes_is_not_written_twice(tmp_path: Path) -> None:
    model = make_model(tmp_path, MARKED, AddedToken("<|end|>", normalized=False, rstrip=True))
    session = model.session([USER])
    first = session.render()
    session.append(REPLY, ids=ids_of(model, "he", "llo", "<|end|>"))
    assert session.render(add_generation_prompt=False).new_ids == []  # the line break belongs to <|end|>
    session.append(USER)
    second = session.render()
    assert second.ids[: len(first.ids) + 3] == first.ids + ids_of(model, "he", "llo", "<|end|>")
    assert second.change is None
    assert second.new_ids == model.encode(second.text[-len(first.text) :], add_special_tokens=False)


@pytest.mark.parametrize(
    ("message", "tokens", "problem"),
    [
        ({"role": "assistant", "content": "Hello"}, ["he", "llo"], "does not keep the reply: message 1 is written as"),
        ({"role": "assistant", "content": "hello"}, ["he", "llo", "<|start|>"], "does not keep the reply"),
        ({"role": "assistant", "content": "he"}, ["he", "Ã"], "does not keep the reply"),  # half a character
        ({"role": "assistant", "content": "hello"}, ["he"], "the reply ends inside a token of the next prompt"),
    ],
)
def test_a_reply_that_the_template_does_not_write_so_is_refused(
    model: turnwire.ChatModel, message: dict[str, Any], tokens: list[str], problem: str
) -> None:
    session = model.session([USER])
    first = session.render()
    session.append(message, ids=ids_of(model, *tokens))
    with pytest.raises(turnwire.ReplyNotKept, match=problem) as caught:
        session.render()
    assert caught.value.change.message == 1
    assert caught.value.change.pos >= len(first.text)
    assert session.render(keep_generated_ids=False).kept >= len(first.ids)


def test_a_kept_reply_whose_think_block_vanishes_is_refused_with_both_messages(qwen: turnwire.ChatModel) -> None:
    session = qwen.session([USER], chat_template=template_of("Qwen-Qwen3.5-0.8B"), enable_thinking=True)
    session.render()
    session.append(ANSWER, ids=qwen.encode("Easy.\n</think>\n\nAbout 162.4.<|im_end|>", add_special_tokens=False))
    assert session.render(add_generation_prompt=False).change is None
    session.append(USER)
    with pytest.raises(turnwire.ReplyNotKept) as caught:
        session.render()
    assert (caught.value.change.message, caught.value.change.cause) == (1, 2)


def test_ids_belong_to_the_reply_to_the_last_prompt_and_to_nothing_else(model: turnwire.ChatModel) -> None:
    session = model.session([USER])
    with pytest.raises(ValueError, match="call render"):
        session.append(REPLY, ids=[1])
    session.render(add_generation_prompt=False)
    with pytest.raises(ValueError, match="call render"):
        session.append(REPLY, ids=[1])
    session.render()
    session.append(USER)
    with pytest.raises(ValueError, match="call render"):
        session.append(REPLY, ids=[1])
    session.render()
    session.append(REPLY, ids=[1])
    with pytest.raises(ValueError, match="call render"):
        session.append(REPLY, ids=[1])
    assert len(session.messages) == 3
