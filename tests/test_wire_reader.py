"""What the options of a wire format do, one by one, and when a reply counts as complete."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from types import SimpleNamespace
from typing import Any

import pytest

from turnwire.reply.reply import CallDelta, Reply
from turnwire.wire.format import CallSyntax, JsonBody, PythonBody, Reasoning, WireFormat
from turnwire.wire.json_stream import repair_value
from turnwire.wire.literals import Undecodable
from turnwire.wire.reader import ReplyReader
from turnwire.wire.registry import load_family
from turnwire.wire.values import CODECS


def read(family: str | WireFormat, text: Iterable[str], finish_reason: str | None = "stop", **options: Any) -> Reply:
    """Read *text*, a string character by character, without a prompt unless *options* bring one."""
    wire_format = load_family(family).wire_format if isinstance(family, str) else family
    reader = ReplyReader(wire_format, **{"prompt": "", **options})
    for piece in text:
        reader.feed(piece)
    reader.finish(finish_reason)
    return reader.reply


def calls_of(reply: Reply) -> list[tuple[str, dict[str, Any]]]:
    return [(call.name, call.arguments) for call in reply.tool_calls]


def test_paired_marks_of_reasoning_end_each_other_only() -> None:
    reply = read("magistral", "[THINK]<think> and </think> are tags[/THINK]Yes.")
    assert (reply.reasoning, reply.content) == ("<think> and </think> are tags", "Yes.")
    reply = read("magistral", "<think>so [/THINK] is one</think>Yes.")
    assert (reply.reasoning, reply.content) == ("so [/THINK] is one", "Yes.")


def test_reasoning_does_not_begin_behind_content() -> None:
    reply = read("qwen3", "Write <think> first.")
    assert (reply.reasoning, reply.content) == (None, "Write <think> first.")
    reply = read("qwen3", "\n <think>so</think><think>on</think>Yes.")
    assert (reply.reasoning, reply.content) == ("soon", "Yes.")


def test_a_closing_mark_that_closes_nothing_is_dropped_in_front_of_content_and_kept_behind_it() -> None:
    assert read("deepseek_v31", "</think>Yes.").content == "Yes."
    assert read("deepseek_v31", "Yes, </think>.").content == "Yes, </think>."


@pytest.mark.parametrize(
    ("written", "id"),
    [
        ("functions.get_weather:1", "functions.get_weather:1"),
        ("get_weather:1", "functions.get_weather:1"),
        ("functions_get_weather_1", "functions.get_weather:1"),
        ("get_weather", "get_weather"),
    ],
)
def test_kimis_ids_come_back_as_its_template_needs_them(written: str, id: str) -> None:
    text = f"<|tool_calls_section_begin|><|tool_call_begin|>{written}<|tool_call_argument_begin|>"
    [call] = read("kimi_k2", text + "{}<|tool_call_end|><|tool_calls_section_end|>").tool_calls
    assert (call.name, call.id) == ("get_weather", id)


def test_a_call_without_a_section_counts_where_its_inside_looks_like_one() -> None:
    text = "Well: <function=f>\n<parameter=a>\n1\n</parameter>\n</function>\n</tool_call>"
    reply = read("qwen3_coder", text)
    assert (reply.content, calls_of(reply)) == ("Well:", [("f", {"a": "1"})])
    assert read("qwen3_coder", "Well: <function=f> is a tag.").content == "Well: <function=f> is a tag."


@pytest.mark.parametrize("between", [";", "; ", "\n", ""])
def test_calls_that_no_mark_announces_may_follow_each_other(between: str) -> None:
    one, two = '{"name": "f", "parameters": {"a": 1}}', '{"name": "g", "parameters": {}}'
    reply = read("llama3", one + between + two)
    assert (calls_of(reply), reply.content, reply.complete) == ([("f", {"a": 1}), ("g", {})], None, True)


@pytest.mark.parametrize("between", [";", "; ", "\n", ""])
def test_calls_behind_one_mark_may_follow_each_other_where_the_syntax_has_separators(between: str) -> None:
    one, two = '{"name": "f", "parameters": {"a": 1}}', '{"name": "g", "parameters": {}}'
    reply = read("llama3", f"Well: <|python_tag|>{one}{between}{two} So.")
    assert (calls_of(reply), reply.content) == ([("f", {"a": 1}), ("g", {})], "Well:  So.")
    reply = read("llama4", f"<|python_start|>Well:<|python_end|>{one}{between}{two}")
    assert (calls_of(reply), reply.content, reply.complete) == ([("f", {"a": 1}), ("g", {})], "Well:", True)
    reply = read("mistral_v3", "[TOOL_CALLS]" + f"[{one}]" + " [1] Smith.")
    assert (calls_of(reply), reply.content) == ([("f", {"a": 1})], " [1] Smith.")


def test_a_longer_mark_is_waited_for() -> None:
    syntax = CallSyntax(open=("<a>", "<a>\nb"), close=("</a>",), body=JsonBody())
    reply = read(WireFormat(calls=(syntax,)), '<a>\nb{"name": "f"}</a>')
    assert calls_of(reply) == [("f", {})]
    assert reply.tool_calls[0].raw == '<a>\nb{"name": "f"}</a>'


def test_glms_last_value_may_lack_its_closing_mark_at_the_end_of_the_turn_only() -> None:
    text = "<tool_call>f<arg_key>a</arg_key><arg_value>x</tool_call>"
    assert calls_of(read("glm45", text)) == [("f", {"a": "x"})]
    assert calls_of(read("glm45", text + "<|user|>")) == [("f", {"a": "x"})]
    assert calls_of(read("glm45", text, "length")) == []
    closed = read("glm45", text + " is how</arg_value></tool_call>")
    assert calls_of(closed) == [("f", {"a": "x</tool_call> is how"})]


THOUGHT = "<|channel|>analysis<|message|>Look. "
FINAL = "<|start|>assistant<|channel|>final<|message|>Yes.<|return|>"
NESTED = "<|channel|>commentary to=functions.f <|constrain|>json<|message|>"
QUOTED = "<|channel|>commentary to=functions.f is how"


@pytest.mark.parametrize(
    ("text", "reasoning", "content", "complete"),
    [
        (f"<|start|>assistant{NESTED}{{}}<|call|>", "Look. ", None, True),
        (f"<|start|>assistant{NESTED}{{}}", "Look. ", None, True),
        ("<|start|>assistant to=functions.f<|channel|>commentary json<|message|>{}<|call|>", "Look. ", None, True),
        (f"{NESTED}{{}}<|call|>{FINAL}", "Look. ", "Yes.", True),
        (f"{NESTED}{{}}<|call|> Done.<|end|>{FINAL}", "Look.  Done.", "Yes.", True),
        (f"{QUOTED}. {NESTED}{{}}<|end|>{FINAL}", f"Look. {QUOTED}. ", "Yes.", True),
        (f"{NESTED}{{}}<|call|> Done.", "Look.  Done.", None, False),
    ],
)
def test_a_call_inside_of_gpt_oss_reasoning_counts_if_that_is_wanted(
    text: str, reasoning: str, content: str | None, complete: bool
) -> None:
    for pieces in ([THOUGHT + text], THOUGHT + text):
        reply = read("gpt_oss", pieces, calls_in_reasoning="read")
        assert (reply.reasoning, reply.content, calls_of(reply)) == (reasoning, content, [("f", {})])
        assert (reply.complete, reply.warnings) == (complete, ())
        ignored = read("gpt_oss", pieces)
        thought, _, _ = (THOUGHT + text).removeprefix("<|channel|>analysis<|message|>").partition("<|end|>")
        assert (ignored.reasoning, calls_of(ignored)) == (thought, [])


def test_half_a_call_inside_of_gpt_oss_reasoning_is_no_reasoning() -> None:
    text = f"{THOUGHT}{NESTED}{{}}<|call|>"
    for end in range(len(THOUGHT), len(text)):
        reply = read("gpt_oss", text[:end], "length", calls_in_reasoning="read")
        assert (reply.reasoning, reply.content, reply.complete) == ("Look. ", None, False), text[:end]
        assert calls_of(reply) == ([("f", {})] if text[:end].find("{}") > 0 else []), text[:end]
    [call] = read(
        "gpt_oss", text[:-9] + '"a": "x', "length", calls_in_reasoning="read", on_truncated="partial"
    ).tool_calls
    assert (call.name, call.arguments, call.complete) == ("f", {"a": "x"}, False)


@pytest.mark.parametrize(
    ("family", "prompt", "reasoning"),
    [
        ("qwen3", "<|im_start|>assistant\n<think>\n\n</think>\n\nHi<|im_end|>\n<|im_start|>assistant\n<think>\n", "so"),
        ("qwen3", "<|im_start|>assistant\n<think>\nx<|im_end|>\n<|im_start|>assistant\n", None),
        # The results of tools end without a header of the model's own.
        ("gemma4", "<|turn>model\n<|tool_call>call:f{}<tool_call|><|tool_response>response:f{}<tool_response|>", None),
        ("mistral", '[/INST][TOOL_CALLS]f[ARGS]{}</s>[TOOL_RESULTS]{"content": 1}[/TOOL_RESULTS]', None),
        ("deepseek_v3", "<｜Assistant｜><think>x<｜end▁of▁sentence｜><｜tool▁outputs▁end｜>", None),
        ("kimi_k2", "a prompt of another kind", None),
    ],
)
def test_what_the_prompt_has_begun_goes_on(family: str, prompt: str, reasoning: str | None) -> None:
    reply = read(family, "so</think>Yes." if reasoning else "Yes.", prompt=prompt)
    assert (reply.reasoning, reply.content, reply.tool_calls, reply.complete) == (reasoning, "Yes.", (), True)


def test_a_call_that_the_prompt_began_is_the_models_and_one_that_it_ended_is_not() -> None:
    header = "<|im_start|>assistant\n"
    begun = header + '<tool_call>\n{"name": "f", "arguments": {"a":'
    family = load_family("qwen3").wire_format
    reader = ReplyReader(family, prompt=begun, stream_arguments=True)
    events = [*reader.feed(" 1"), *reader.feed("}}\n</tool_call>"), *reader.finish("stop")]
    assert all(isinstance(event, CallDelta) for event in events)
    assert [event.name for event in events if isinstance(event, CallDelta) and event.name] == ["f"]
    assert "".join(event.arguments for event in events if isinstance(event, CallDelta)) == '{"a": 1}'
    assert calls_of(reader.reply) == [("f", {"a": 1})]
    ended = header + '<tool_call>\n{"name": "f", "arguments": {}}\n</tool_call>\n'
    assert read("qwen3", "Done.", prompt=ended) == Reply(content="Done.")


@pytest.mark.parametrize(
    ("family", "text"),
    [
        ("qwen3", "Yes."),
        ("qwen3", "a <"),
        ("qwen3", "Yes.\n"),
        ("qwen3", '<tool_call>\n{"name": "f", "arguments": {}}\n</tool_call>'),
        ("qwen3", "<think>so</think>Yes."),
        ("deepseek_v32", "Yes.\n\n"),
        ("llama3", '{"answer": 42}'),
        ("llama3", '{"name": "f", "parameters": {}}\n'),
        ("mistral", "[TOOL_CALLS]f[ARGS]{}"),
        ("gpt_oss", "<|channel|>analysis<|message|>so<|end|><|start|>assistant<|channel|>final<|message|>Yes."),
        ("gpt_oss", "<|channel|>commentary to=functions.f<|message|>{}"),
        ("kimi_k3", "<|open|>response<|sep|>Yes."),
    ],
)
def test_a_reply_is_complete_if_the_model_ended_it_and_never_if_it_was_cut_off(family: str, text: str) -> None:
    assert read(family, text).complete
    assert read(family, text, None).complete
    assert not read(family, text, "length").complete


@pytest.mark.parametrize(
    ("family", "text"),
    [
        ("qwen3", "<think>so"),
        ("qwen3", "<tool_call>"),
        ("qwen3", "I will. <tool_cal"),
        ("qwen3", '<tool_call>\n{"name": "f", "arguments": {}}'),
        ("qwen3", '<tool_call>\n{"name": "f", "argum'),
        ("qwen3_coder", "<tool_call>\n<function"),
        ("llama3", '{"name": "f", "param'),
        ("llama3", '{"nam'),
        ("llama4", "[f(a=1"),
        ("mistral", "[TOOL_CALLS]"),
        ("mistral", "[TOOL_CALLS]get_wea"),
        ("mistral", '[TOOL_CALLS]f[ARGS]{"a": '),
        ("gpt_oss", "<|channel|>analysis<|message|>so"),
        ("gpt_oss", "<|channel|>comment"),
        ("gpt_oss", '<|channel|>commentary to=functions.f<|message|>{"a'),
        ("kimi_k2", "<|tool_calls_section_begin|>"),
        ("kimi_k3", "<|open|>think<|sep|>so"),
        ("gemma4", "<|tool_call>call:f{a:1"),
        ("deepseek_v3", "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function"),
    ],
)
def test_a_reply_that_stops_in_the_middle_is_not_complete_whatever_ended_it(family: str, text: str) -> None:
    for finish_reason in ("stop", "tool_calls", "length", None):
        reply = read(family, text, finish_reason)
        assert (reply.complete, reply.tool_calls) == (False, ()), finish_reason


def test_a_reply_is_not_complete_before_its_end() -> None:
    reader = ReplyReader(load_family("qwen3").wire_format, prompt="")
    reader.feed("Yes.")
    assert not reader.reply.complete
    reader.feed("<|im_end|>")
    assert reader.reply == Reply(content="Yes.")


def test_a_call_that_cannot_be_read_takes_none_of_those_behind_it_along() -> None:
    reply = read("mistral", '[TOOL_CALLS]f[ARGS]{"a": }[TOOL_CALLS]g[ARGS]{"b": 1}')
    assert (calls_of(reply), reply.content, reply.complete) == ([("g", {"b": 1})], None, True)
    reply = read("qwen3", '<tool_call>{"a": }</tool_call>\n<tool_call>{"name": "g"}</tool_call>')
    assert (calls_of(reply), reply.content, reply.complete) == ([("g", {})], None, True)


@pytest.mark.parametrize(
    ("codec", "text", "value"),
    [
        ("json", '{"a": "x', {"a": "x"}),
        ("json", '{"a": "x\\', {"a": "x"}),
        ("json", '{"a": "x\\\\', {"a": "x\\"}),
        ("json", '{"a": "\\\\u00', {"a": "\\u00"}),
        ("json", '{"a": "x\\u00e', {"a": "x"}),
        ("json", '{"a": "x\\ud83d\\ude', {"a": "x"}),
        ("json", '{"a": "x\\ud83d', {"a": "x"}),
        ("json", '{"a": [1, {"b": tr', {"a": [1, {}]}),
        ("json", '{"a": 1, "b', {"a": 1}),
        ("json", '{"a": "}', {"a": "}"}),
        ("gemma", '{a:<|"|>x"}<|', {"a": 'x"}'}),
        ("gemma", "{a:1,b c:[2,3", {"a": 1, "b c": [2, 3]}),
        ("gemma", "{a:1,b", {"a": 1}),
    ],
)
def test_what_is_complete_of_a_value_that_was_cut_off_is_kept(codec: str, text: str, value: Any) -> None:
    assert repair_value(text, CODECS[codec]) == value


def test_what_is_no_value_at_all_cannot_be_repaired() -> None:
    with pytest.raises(Undecodable):
        repair_value("nothing", CODECS["json"])


def test_a_cut_off_call_of_gemma_is_kept_if_that_is_wanted() -> None:
    text = '<|tool_call>call:f{a:<|"|>one<|"|>,b:<|"|>tw'
    [call] = read("gemma4", text, "length", on_truncated="partial").tool_calls
    assert (call.name, call.arguments, call.complete) == ("f", {"a": "one", "b": "tw"}, False)
    assert read("gemma4", text, "length").tool_calls == ()


JSON_LIST = '[{"name": "f", "arguments": {"a": 1}}, {"name": "g", "arguments": {"b": [2, "x'
PYTHON_LIST = '[f(a=1), g(b=[2, "x'
F, G = ("f", {"a": 1}, True), ("g", {"b": [2, "x"]}, False)


@pytest.mark.parametrize(
    ("family", "text", "calls"),
    [
        ("mistral_v3", "[TOOL_CALLS] " + JSON_LIST, [F, G]),
        ("xlam", JSON_LIST, [F, G]),
        ("nemotron_json", f"<TOOLCALL>{JSON_LIST}", [F, G]),
        ("qwen3", f"<tool_call>{JSON_LIST}", [F, G]),
        ("qwen3", f"<tool_call>{JSON_LIST[:36]}", [("f", {"a": 1}, False)]),
        ("qwen3", f"<tool_call>{JSON_LIST[:37]}", [F]),
        ("qwen3", f"<tool_call>{JSON_LIST[:50]}", [F]),  # {"name": "g, which may go on
        ("qwen3", f"<tool_call>{JSON_LIST[:51]}", [F, ("g", {}, False)]),
        ("qwen3", f"<tool_call>{JSON_LIST[:37]}]", [("f", {"a": 1}, False)]),
        ("apriel", "<tool_calls>[{'name': 'f', 'arguments': {'a': 'it\\'s", [("f", {"a": "it's"}, False)]),
        ("llama4", PYTHON_LIST, [F, G]),
        ("llama4", PYTHON_LIST[:6], [("f", {"a": 1}, False)]),
        ("llama4", PYTHON_LIST[:7], [F]),
        ("llama4", PYTHON_LIST[:10], [F]),  # g, which may go on
        ("llama4", PYTHON_LIST[:11], [F, ("g", {}, False)]),
        ("lfm2", '<|tool_call_start|>[g(b=[2, "x" is "x', [("g", {"b": [2, 'x" is "x']}, False)]),
        ("olmo3", "<function_calls>\nf(a=1)\ng(b=[2, 'x", [F, G]),
        ("olmo3", "<function_calls>\nf(a=1)\n", [F]),
    ],
)
@pytest.mark.parametrize("stream_arguments", [False, True])
def test_of_a_list_of_calls_that_was_cut_off_the_whole_ones_and_the_beginning_of_the_last_are_kept(
    family: str, text: str, calls: list[tuple[str, dict[str, Any], bool]], stream_arguments: bool
) -> None:
    for pieces in ([text], text):
        reply = read(family, pieces, "length", on_truncated="partial", stream_arguments=stream_arguments)
        assert [(call.name, call.arguments, call.complete) for call in reply.tool_calls] == calls
        assert (reply.content, reply.complete) == (None, False)
        assert read(family, pieces, "length", stream_arguments=stream_arguments).tool_calls == ()
        assert read(family, pieces, "stop", on_truncated="partial").tool_calls == ()


def test_marks_that_begin_reasoning_are_told_from_their_beginnings() -> None:
    wire_format = WireFormat(reasoning=Reasoning(open=("<r>",), close=("</r>",)))
    reply = read(wire_format, "<r<r>so</r</r>Yes.")
    assert (reply.content, reply.reasoning) == ("<rYes.", "so</r")


class WordTokenizer:
    """A tokenizer whose ids are the places of *words*; those in *special* are tokens of their own."""

    def __init__(self, words: Sequence[str], special: Sequence[str]) -> None:
        self.words = words
        self.added_tokens_decoder = {
            number: SimpleNamespace(content=word, special=True) for number, word in enumerate(words) if word in special
        }

    def decode(self, ids: Sequence[int]) -> str:
        return "".join(self.words[id] for id in ids)


def read_tokens(family: str, words: Sequence[str], special: Sequence[str], step: int) -> Reply:
    tokenizer: Any = WordTokenizer(words, special)
    reader = ReplyReader(load_family(family).wire_format, prompt="", tokenizer=tokenizer)
    for begin in range(0, len(words), step):
        reader.feed_ids(range(begin, min(begin + step, len(words))))
    reader.finish("stop")
    return reader.reply


@pytest.mark.parametrize("step", [1, 2, 100])
def test_a_mark_counts_where_it_comes_as_a_token_and_its_letters_alone_do_not(step: int) -> None:
    marks = ("<tool_call>", "</tool_call>")
    call = ('{"name": "f", "arguments"', ": {}}")
    reply = read_tokens("qwen3", ("Like <tool_", "call>", *call, "</tool_call>."), (), step)
    assert len(reply.tool_calls) == 1  # no token of the vocabulary is a mark, so the letters are all there is
    words = ("Like <tool_", "call>", *call, "</tool", "_call>. ", marks[0], *call, marks[1])
    reply = read_tokens("qwen3", words, marks, step)
    assert (reply.content, calls_of(reply)) == ("".join(words[:6]).rstrip(), [("f", {})])


@pytest.mark.parametrize("step", [1, 2, 100])
def test_a_token_that_is_no_mark_where_it_stands_is_text(step: int) -> None:
    marks = [
        "<｜tool▁calls▁begin｜>",
        "<｜tool▁call▁begin｜>",
        "<｜tool▁sep｜>",
        "<｜tool▁call▁end｜>",
        "<｜tool▁calls▁end｜>",
    ]
    words = (
        *marks[:2],
        "function",
        marks[2],
        "f",
        "\n",
        "```",
        "json",
        "\n",
        '{"a": "',
        marks[2],
        '"}',
        "\n```",
        *marks[3:],
    )
    [call] = read_tokens("deepseek_v3", words, marks, step).tool_calls
    assert (call.name, call.arguments, call.raw) == ("f", {"a": marks[2]}, "".join(words[1:-1]))


FENCED = WireFormat(
    calls=(CallSyntax(open=("```json\n",), close=("```",), confirm=r"\s{0,8}\{", body=JsonBody(), tentative=True),),
    content_trim="calls",
)


@pytest.mark.parametrize(
    ("text", "calls", "content"),
    [
        ('Here:\n```json\n{"name": "f", "arguments": {"a": 1}}\n```\n', [("f", {"a": 1})], "Here:"),
        ('Here:\n```json\n{"born": 1815}\n```\nand more', [], 'Here:\n```json\n{"born": 1815}\n```\nand more'),
        ('Here:\n```json\n{"name": "f"} or\n```', [], 'Here:\n```json\n{"name": "f"} or\n```'),
        ('```json\n{"name": "f"', [], '```json\n{"name": "f"'),
    ],
)
def test_text_behind_a_tentative_mark_is_content_where_it_is_no_call(
    text: str, calls: list[tuple[str, dict[str, Any]]], content: str
) -> None:
    for pieces in ([text], text):
        reply = read(FENCED, pieces)
        assert (calls_of(reply), reply.content, reply.unread) == (calls, content, ())
        assert reply.complete == (not text.endswith('"f"'))


def test_what_was_cut_off_behind_a_tentative_mark_may_have_been_a_call() -> None:
    reply = read(FENCED, 'Here:\n```json\n{"name": "f"', "length")
    assert (calls_of(reply), reply.content, reply.complete) == ([], "Here:", False)
    partial = read(FENCED, '```json\n{"name": "f", "arguments": {"a": 1', "length", on_truncated="partial")
    assert (partial.tool_calls, partial.content, len(partial.unread)) == ((), None, 1)


@pytest.mark.parametrize("options", [{"stream_arguments": True}, {"on_truncated": "partial"}])
def test_a_call_behind_a_tentative_mark_is_not_announced_before_its_end(options: dict[str, Any]) -> None:
    text = '```json\n{"name": "f", "arguments": {"a": 1} or\n```'
    assert read(FENCED, text, **options) == read(FENCED, text)
    assert read(FENCED, text, **options).content == text


UNESCAPED = WireFormat(
    calls=(CallSyntax(open=("<call>",), close=("</call>",), body=PythonBody("always", unescaped=True)),)
)


@pytest.mark.parametrize(
    ("text", "arguments"),
    [
        ('f(a="say "hi" now", b=1)', {"a": 'say "hi" now', "b": 1}),
        ("f(a='it's', b=['x', 'y'])", {"a": "it's", "b": ["x", "y"]}),
        ('f(a="", b="]) </call>" )', {"a": "", "b": "]) </call>"}),
        ('f(a={"k": "v"}, b="\\n\\"")', {"a": {"k": "v"}, "b": '\n"'}),
        ('f(a="" x" ")', {"a": '" x" '}),
    ],
)
def test_a_quotation_mark_ends_an_unescaped_string_only_where_something_follows_it(
    text: str, arguments: dict[str, Any]
) -> None:
    for pieces in ([f"<call>[{text}]</call>"], f"<call>[{text}]</call>"):
        assert calls_of(read(UNESCAPED, pieces)) == [("f", arguments)]


def test_functiongemmas_strings_are_not_escaped_and_its_keys_are_bare() -> None:
    written = 'call:f{a b:<escape>"x"\\n}<end_function_call><esc<escape>,c:[<escape><escape>,None,true],d:{e:-1.5}}'
    text = f"<start_function_call>{written}<end_function_call>"
    for pieces in ([text], text):
        assert calls_of(read("functiongemma", pieces)) == [
            ("f", {"a b": '"x"\\n}<end_function_call><esc', "c": ["", None, True], "d": {"e": -1.5}})
        ]


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("'\\ud83d\\ude00'", "😀"),
        ('"\\u00e9"', "é"),
        ("'\\U0001f600'", "😀"),
        ("'\\ud83d'", "\ud83d"),
        ("'\\x41'", "A"),
    ],
)
def test_escapes_of_python_and_of_json_are_read_alike(written: str, value: str) -> None:
    assert CODECS["python"].decode(written) == value


@pytest.mark.parametrize(
    ("family", "begin", "end"),
    [
        ("glm45", "<tool_call>f<arg_key>a", "b</arg_key><arg_value>x</arg_value></tool_call>"),
        ("qwen3_coder", "<tool_call><function=a", "b></function></tool_call>"),
        ("gemma4", "<|tool_call>call:a", "b{}<tool_call|>"),
        ("mistral", "[TOOL_CALLS]f[CALL_ID]a", "b[ARGS]{}"),
        ("kimi_k2", "<|tool_calls_section_begin|><|tool_call_begin|>a", "b<|tool_call_argument_begin|>{}"),
        ("step_audio", "<|CALL_START|>function\na", "b{}<|CALL_END|>"),
        ("solar_open", "<|tool_call:begin|>x<|tool_call:name|>a", "b<|tool_call:args|>{}<|tool_call:end|>"),
    ],
)
def test_white_space_inside_of_a_name_is_gone_over_once(family: str, begin: str, end: str) -> None:
    """A pattern that goes over it once for each of its characters would take hours here."""
    reply = read(family, [begin, " " * 1_000_000, end])
    assert len(reply.tool_calls) + len(reply.unread) <= 1
