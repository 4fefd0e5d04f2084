"""Comparing two implementations: files in, cases, verdicts, and how a difference is shown."""

from __future__ import annotations

import random
import subprocess
import sys
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from turnwire.compare.cases import (
    CLOCK,
    Case,
    ChatInput,
    NamedTemplate,
    list_cases,
    list_model_cases,
    parse_chat_input,
    read_chat_inputs,
    read_shipped_chat_inputs,
    read_templates,
)
from turnwire.compare.outcome import Outcome, capture_outcome, judge_outcomes
from turnwire.compare.report import describe_finding, find_difference, make_visible, show_finding
from turnwire.compare.run import compare_cases, map_templates, own_outcome
from turnwire.errors import CaseFileError

CHATML = NamedTemplate(
    "chatml",
    "{% for m in messages %}<|{{ m.role }}|>{{ m.content }}\n{% endfor %}"
    "{{ '<|assistant|>' if add_generation_prompt }}",
)
TRAINING = NamedTemplate(
    "training", "{% for m in messages %}{% generation %}{{ m.content }}{% endgeneration %};{% endfor %}"
)
REFUSING = NamedTemplate("refusing", "{{ raise_exception('no ' ~ messages[0].role) }}")
GREETING = ChatInput("greeting", [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hello"}])
CASE = Case(CHATML, GREETING, False, "prompt")


# --- cases ------------------------------------------------------------------------------------------------------------


def test_a_template_makes_two_prompts_a_conversation_and_two_more_with_spans_if_it_marks_any() -> None:
    assert [(case.aspect, case.add_generation_prompt) for case in list_cases(CHATML, [GREETING])] == [
        ("prompt", False),
        ("prompt", True),
    ]
    assert [(case.aspect, case.add_generation_prompt) for case in list_cases(TRAINING, [GREETING])] == [
        ("prompt", False),
        ("prompt", True),
        ("spans", False),
        ("spans", True),
    ]


def test_a_model_is_asked_for_ids_and_masks_as_well() -> None:
    chat = replace(GREETING, add_generation_prompt=True)
    assert [case.aspect for case in list_model_cases(TRAINING, [chat])] == ["prompt", "ids", "mask"]


def test_the_spans_of_an_open_message_are_nobodys_case() -> None:
    chat = replace(GREETING, continue_final_message=True)
    assert {case.aspect for case in list_cases(TRAINING, [chat])} == {"prompt"}


def test_our_side_renders_prompts_batches_and_spans() -> None:
    batch = ChatInput("batch", [GREETING.conversation, [{"role": "user", "content": "Bye"}]])
    assert own_outcome(CASE) == Outcome("<|user|>Hi\n<|assistant|>Hello\n")
    assert own_outcome(Case(CHATML, batch, True, "prompt")) == Outcome(
        "<|user|>Hi\n<|assistant|>Hello\n<|assistant|>\x1e<|user|>Bye\n<|assistant|>"
    )
    assert own_outcome(Case(TRAINING, GREETING, False, "spans")) == Outcome("[(0, 2), (3, 8)]\nHi;Hello;")
    assert own_outcome(Case(REFUSING, GREETING, False, "prompt")) == Outcome("TemplateError: no user", raised=True)


def test_our_side_stops_the_clock_and_passes_special_tokens_that_a_conversation_may_override() -> None:
    template = NamedTemplate("t", "{{ strftime_now('%Y-%m-%d %H:%M:%S') }} {{ bos_token }}{{ eos_token }}")
    chat = replace(GREETING, variables={"eos_token": "<end>"})
    assert own_outcome(Case(template, chat, False, "prompt")).text == f"{CLOCK:%Y-%m-%d %H:%M:%S} <s><end>"


# --- verdicts ---------------------------------------------------------------------------------------------------------


def test_outcomes_are_identical_differ_or_one_raises() -> None:
    text, error = Outcome("a"), Outcome("ValueError: a", raised=True)
    assert judge_outcomes(text, Outcome("a")) == "identical"
    assert judge_outcomes(error, Outcome("ValueError: a", raised=True)) == "identical"
    assert judge_outcomes(text, Outcome("b")) == "differs"
    assert judge_outcomes(error, Outcome("TypeError: a", raised=True)) == "differs"
    assert judge_outcomes(error, Outcome("ValueError: b", raised=True)) == "differs"
    assert judge_outcomes(error, Outcome("ValueError: a")) == "one raises"
    assert judge_outcomes(text, error) == "one raises"


def test_an_error_is_an_outcome_with_type_and_message() -> None:
    assert capture_outcome(lambda: str(1 / 0)) == Outcome("ZeroDivisionError: division by zero", raised=True)


def test_how_the_interpreter_words_a_recursion_error_does_not_count() -> None:
    def recurse() -> str:
        return recurse()

    def raise_at_once() -> str:
        raise RecursionError("maximum recursion depth exceeded in comparison")

    assert capture_outcome(recurse) == capture_outcome(raise_at_once)


def spoil(outcome: Outcome, how: str) -> Outcome:
    return {
        "last character": Outcome(outcome.text[:-1] + "?"),
        "cut": Outcome(outcome.text[:-1]),
        "longer": Outcome(outcome.text + " "),
        "raises": Outcome("RuntimeError: spoilt", raised=True),
        "empty": Outcome(""),
    }[how]


@pytest.mark.parametrize("how", ["last character", "cut", "longer", "raises", "empty"])
@pytest.mark.parametrize("seed", range(4))
def test_a_renderer_that_is_wrong_once_is_found_there_and_only_there(seed: int, how: str) -> None:
    cases = [case for template in (CHATML, TRAINING) for case in list_cases(template, read_shipped_chat_inputs()[:20])]
    texts = [case for case in cases if own_outcome(case).text and not own_outcome(case).raised]
    wrong = random.Random(seed).choice(texts)

    result = compare_cases(
        cases, lambda case: spoil(own_outcome(case), how) if case is wrong else own_outcome(case), own_outcome
    )

    assert result.verdicts.total() == len(cases)
    assert result.verdicts["identical"] == len(cases) - 1
    assert [
        (found.template, found.conversation, found.add_generation_prompt, found.aspect) for found in result.findings
    ] == [(wrong.template.name, wrong.chat.name, wrong.add_generation_prompt, wrong.aspect)]
    assert result.findings[0].verdict == ("one raises" if how == "raises" else "differs")


def test_a_wrong_span_is_found_though_the_text_is_right() -> None:
    case = Case(TRAINING, GREETING, False, "spans")
    result = compare_cases([case], lambda _: Outcome("[(0, 2), (3, 9)]\nHi;Hello;"), own_outcome)
    assert show_finding(result.findings[0]) == (
        "training, greeting, without generation prompt, spans: differs at line 1, column 14 (character 13)\n"
        "  turnwire     gives  [(0,·2),·(3,·9)]⏎Hi;Hello;\n"
        "  Transformers gives  [(0,·2),·(3,·8)]⏎Hi;Hello;\n"
        "                                   ^"
    )


def test_the_sums_count_verdicts_and_shared_errors() -> None:
    cases = [CASE, Case(REFUSING, GREETING, False, "prompt"), replace(CASE, add_generation_prompt=True)]
    outcomes = {False: own_outcome, True: lambda _: Outcome("ValueError: no", raised=True)}
    result = compare_cases(cases, own_outcome, lambda case: outcomes[case.add_generation_prompt](case))
    result.add(compare_cases([CASE], own_outcome, lambda _: Outcome("x")))
    assert result.summarize() == (
        "4 outcomes compared: 2 identical (1 of them errors), 1 differ, one side alone raises in 1"
    )
    summary = result.to_json()
    assert [finding["verdict"] for finding in summary.pop("findings")] == ["one raises", "differs"]
    assert summary == {"compared": 4, "identical": 2, "identical_errors": 1, "differs": 1, "one_raises": 1}


def test_two_processes_give_what_one_gives_in_the_same_order() -> None:
    templates = [NamedTemplate(str(number), CHATML.text + str(number)) for number in range(11)]
    one = list(map_templates(partial(render_with, chat=GREETING), templates, jobs=1))
    assert one == [f"<|user|>Hi\n<|assistant|>Hello\n{number}" for number in range(11)]
    assert list(map_templates(partial(render_with, chat=GREETING), templates, jobs=2)) == one


def render_with(template: NamedTemplate, chat: ChatInput) -> str:
    return own_outcome(Case(template, chat, False, "prompt")).text


# --- how a difference is shown ----------------------------------------------------------------------------------------


def show(ours: Outcome, theirs: Outcome) -> str:
    return show_finding(describe_finding(CASE, judge_outcomes(ours, theirs), ours, theirs))


def test_the_caret_stands_under_the_first_difference() -> None:
    assert show(Outcome("<|user|>\nHi there\n"), Outcome("<|user|>\nHi  there\n")) == (
        "chatml, greeting, without generation prompt, prompt: differs at line 2, column 4 (character 12)\n"
        "  turnwire     gives  <|user|>⏎Hi·there⏎\n"
        "  Transformers gives  <|user|>⏎Hi··there⏎\n"
        "                                  ^"
    )


def test_the_caret_stands_after_a_text_that_ends_too_early() -> None:
    assert show(Outcome("abc"), Outcome("abc\n")).splitlines()[1:] == [
        "  turnwire     gives  abc",
        "  Transformers gives  abc⏎",
        "                         ^",
    ]


def test_the_caret_counts_wide_characters_twice() -> None:
    assert show(Outcome("東京 a"), Outcome("東京 b")).splitlines()[1:] == [
        "  turnwire     gives  東京·a",
        "  Transformers gives  東京·b",
        "                           ^",
    ]


def test_a_long_text_is_cut_to_the_place_that_differs() -> None:
    lines = show(Outcome("\n" * 50 + "x" * 100 + "a" * 100), Outcome("\n" * 50 + "x" * 100 + "b" * 100)).splitlines()
    assert lines == [
        "chatml, greeting, without generation prompt, prompt: differs at line 51, column 101 (character 150)",
        "  turnwire     gives  …" + "x" * 36 + "a" * 60 + "…",
        "  Transformers gives  …" + "x" * 36 + "b" * 60 + "…",
        " " * 59 + "^",
    ]


def test_where_one_side_raises_both_outcomes_are_shown_from_the_start() -> None:
    assert show(Outcome("ok\n"), Outcome("TypeError: can only concatenate str", raised=True)) == (
        "chatml, greeting, without generation prompt, prompt: one raises\n"
        "  turnwire     gives  ok⏎\n"
        "  Transformers raises TypeError:·can·only·concatenate·str"
    )


def test_two_different_errors_are_shown_as_errors() -> None:
    ours, theirs = Outcome("ValueError: a", raised=True), Outcome("ValueError: b", raised=True)
    assert show(ours, theirs).splitlines()[1:] == [
        "  turnwire     raises ValueError:·a",
        "  Transformers raises ValueError:·b",
        "                                  ^",
    ]


def test_whitespace_and_control_characters_become_visible() -> None:
    assert make_visible("a b\tc\r\nd\0\x1b\x7f\u00a0\u200be\u0301\u2028é") == (
        "a·b⇥c␍⏎d␀␛␡‹U+00A0›‹U+200B›e‹U+0301›‹U+2028›é"
    )


@pytest.mark.parametrize(
    ("one", "other", "pos"), [("", "", 0), ("a", "", 0), ("abc", "abd", 2), ("abc", "ab", 2), ("same", "same", 4)]
)
def test_the_first_difference_is_found(one: str, other: str, pos: int) -> None:
    assert find_difference(one, other) == find_difference(other, one) == pos


# --- files ------------------------------------------------------------------------------------------------------------


def test_a_conversation_file_is_read_with_everything_in_it() -> None:
    text = (
        '{"shows": "All of it.", "conversations": [[], [1]], "tools": ["x"], "documents": null, '
        '"add_generation_prompt": true, "continue_final_message": "thinking", "variables": {"a": 1.0}}'
    )
    assert parse_chat_input(text, "some/where/all.json") == ChatInput(
        "all", [[], [1]], "All of it.", ["x"], None, True, "thinking", {"a": 1.0}
    )
    assert parse_chat_input('[{"role": "user"}]', "bare.json") == ChatInput("bare", [{"role": "user"}])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            '{"messages": [\n  {"role" "user"}\n]}',
            "f.json:2:11: this is not JSON (Expecting ':' delimiter)",
        ),
        ("", "f.json:1:1: this is not JSON (Expecting value)"),
        ("[" * 100_000, "f.json: this JSON is nested too deeply"),
        ('"Hi"', "f.json: a conversation file holds an object or a list of messages, not str 'Hi'"),
        (
            '{"message": []}',
            'f.json: "message" is not a field here; these are: shows, messages, conversations, tools, documents, '
            "add_generation_prompt, continue_final_message, variables",
        ),
        ('{"shows": "x"}', 'f.json: one of "messages" and "conversations" must be there, and not both'),
        (
            '{"messages": [], "conversations": []}',
            'f.json: one of "messages" and "conversations" must be there, and not both',
        ),
        ('{"conversations": {}}', 'f.json: "conversations" must be a list of conversations, not {}'),
        ('{"messages": [], "variables": [1]}', 'f.json: "variables" must be an object, not [1]'),
        (
            '{"messages": [], "add_generation_prompt": "yes"}',
            'f.json: "add_generation_prompt" must be true or false, not "yes"',
        ),
    ],
)
def test_a_broken_conversation_file_is_told_by_name_and_place(text: str, message: str) -> None:
    with pytest.raises(CaseFileError) as caught:
        parse_chat_input(text, "f.json")
    assert str(caught.value) == message


def test_folders_are_read_in_the_order_of_names(tmp_path: Path) -> None:
    for name in ("b.json", "a.json", "notes.txt"):
        (tmp_path / name).write_text("[]")
    assert [chat.name for chat in read_chat_inputs([tmp_path])] == ["a", "b"]
    assert [chat.name for chat in read_chat_inputs([tmp_path / "b.json", tmp_path])] == ["b", "a", "b"]


def test_a_folder_without_files_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(CaseFileError, match=r"this folder has no conversation file \(\*\.json\)"):
        read_chat_inputs([tmp_path])
    with pytest.raises(CaseFileError, match=r"this folder has no template file \(\*\.jinja\)"):
        read_templates([tmp_path])


def test_a_missing_file_and_one_that_is_not_text_are_errors(tmp_path: Path) -> None:
    (tmp_path / "x.jinja").write_bytes(b"ab\xff")
    with pytest.raises(CaseFileError, match=r"x\.jinja: this is not UTF-8 text \(byte 2\)$"):
        read_templates([tmp_path])
    with pytest.raises(CaseFileError, match=r"nowhere\.json: No such file or directory$"):
        read_chat_inputs([tmp_path / "nowhere.json"])


def test_templates_keep_their_carriage_returns(tmp_path: Path) -> None:
    (tmp_path / "t.jinja").write_bytes(b"a\r\n{{ '\r' }}\n")
    assert [template.text for template in read_templates([tmp_path])] == ["a\r\n{{ '\r' }}\n"]


def test_every_shipped_conversation_says_what_it_shows() -> None:
    chats = read_shipped_chat_inputs()
    assert len(chats) >= 40
    assert [chat.name for chat in chats if not chat.shows.endswith(".")] == []
    assert len({chat.shows for chat in chats}) == len(chats)


# --- without Transformers ---------------------------------------------------------------------------------------------

BLOCKED = "import sys; sys.modules['transformers'] = None; from turnwire.cli import main; main(sys.argv[1:])"


def test_without_transformers_diff_says_what_to_install(tmp_path: Path) -> None:
    (tmp_path / "t.jinja").write_text("x")
    done = subprocess.run(
        [sys.executable, "-c", BLOCKED, "diff", str(tmp_path)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith("turnwire: comparing needs Transformers, which does not import here (")
    assert done.stderr.endswith("): pip install 'transformers==5.24.0'\n")
