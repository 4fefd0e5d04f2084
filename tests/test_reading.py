"""Reading replies by a family's name, the guard against calls that pass unseen, and how a family is chosen."""

from __future__ import annotations

import json
from typing import Any

import pytest

import turnwire
from turnwire.compare.cases import read_corpus
from turnwire.reply.reply import CallDelta, ContentDelta, ReasoningDelta

CORPUS = {template.name: template.text for template in read_corpus()}
QWEN3 = '<tool_call>\n{"name": "get_exchange_rate", "arguments": {"base": "EUR", "quote": "JPY"}}\n</tool_call>'
CALL = ("get_exchange_rate", {"base": "EUR", "quote": "JPY"})
SPELLINGS = {
    "qwen3": QWEN3,
    "qwen3_coder": "<tool_call>\n<function=get_exchange_rate>\n<parameter=base>\nEUR\n</parameter>\n"
    "<parameter=quote>\nJPY\n</parameter>\n</function>\n</tool_call>",
    "llama3": '{"name": "get_exchange_rate", "parameters": {"base": "EUR", "quote": "JPY"}}',
    "llama4": '[get_exchange_rate(base="EUR", quote="JPY")]',
    "mistral_v3": '[TOOL_CALLS] [{"name": "get_exchange_rate", "arguments": {"base": "EUR", "quote": "JPY"}, '
    '"id": "abcdefghi"}]',
    "mistral": '[TOOL_CALLS]get_exchange_rate[CALL_ID]abcdefghi[ARGS]{"base": "EUR", "quote": "JPY"}',
    "gpt_oss": "<|channel|>commentary to=functions.get_exchange_rate <|constrain|>json<|message|>"
    '{"base": "EUR", "quote": "JPY"}<|call|>',
    "gemma4": '<|tool_call>call:get_exchange_rate{base:<|"|>EUR<|"|>,quote:<|"|>JPY<|"|>}<tool_call|>',
    "glm45": "<tool_call>get_exchange_rate\n<arg_key>base</arg_key>\n<arg_value>EUR</arg_value>\n"
    "<arg_key>quote</arg_key>\n<arg_value>JPY</arg_value>\n</tool_call>",
    "kimi_k2": "<|tool_calls_section_begin|><|tool_call_begin|>functions.get_exchange_rate:0"
    '<|tool_call_argument_begin|>{"base": "EUR", "quote": "JPY"}<|tool_call_end|><|tool_calls_section_end|>',
    "deepseek_v31": "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>get_exchange_rate<｜tool▁sep｜>"
    '{"base": "EUR", "quote": "JPY"}<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
}
TOOLS = [
    {
        "type": "function",
        "function": {
            "name": "get_exchange_rate",
            "parameters": {
                "type": "object",
                "properties": {"base": {"type": "string"}, "quote": {"type": "string"}},
            },
        },
    }
]


@pytest.mark.parametrize("family", SPELLINGS)
def test_each_family_reads_its_own_spelling_of_a_call(family: str) -> None:
    reply = turnwire.read_reply(SPELLINGS[family], family, prompt="", tools=TOOLS, strict=True)
    assert [(call.name, call.arguments) for call in reply.tool_calls] == [CALL]
    assert (reply.content, reply.reasoning, reply.complete, reply.warnings) == (None, None, True, ())


@pytest.mark.parametrize("family", SPELLINGS)
def test_every_spelling_is_noticed_whoever_reads_it(family: str) -> None:
    assert family in turnwire.find_calls(SPELLINGS[family])


@pytest.mark.parametrize(
    "text",
    ["One euro buys about 162.4 yen.", "", "{}", '{"answer": 42}', "[1, 2, 3]", "f(x) = 2x", "Use <b>bold</b>."],
)
def test_an_answer_does_not_look_like_a_call(text: str) -> None:
    assert turnwire.find_calls(text) == []


@pytest.mark.parametrize(("reader", "spelling"), [("mistral", "qwen3"), ("qwen3", "gemma4"), ("llama3", "kimi_k2")])
def test_a_parser_of_another_family_raises_in_strict_mode_and_warns_otherwise(reader: str, spelling: str) -> None:
    text = SPELLINGS[spelling]
    with pytest.raises(turnwire.UnparsedToolCall, match=f"{reader} found no call in text that looks like one"):
        turnwire.read_reply(text, reader, strict=True)
    reply = turnwire.read_reply(text, reader)
    assert reply.tool_calls == ()
    assert any("looks like one" in warning and spelling in warning for warning in reply.warnings)


def test_the_fenced_form_is_no_call_for_hermes_and_one_for_the_fenced_reader() -> None:
    text = '```json\n{"name": "get_exchange_rate", "arguments": {"base": "EUR", "quote": "JPY"}}\n```'
    assert turnwire.read_reply(text, "hermes").tool_calls == ()
    assert [call.name for call in turnwire.read_reply(text, "fenced_json").tool_calls] == ["get_exchange_rate"]
    assert turnwire.read_reply("One euro buys about 162.4 yen.", "hermes", strict=True).tool_calls == ()


def test_llama_31_calls_have_parameters() -> None:
    [call] = turnwire.read_reply(SPELLINGS["llama3"], "meta-llama/Llama-3.1-8B-Instruct").tool_calls
    assert (call.name, call.arguments) == CALL


def test_an_unknown_family_is_named_with_those_spelled_alike() -> None:
    with pytest.raises(turnwire.FamilyError, match=r"no family 'hermess': did you mean hermes"):
        turnwire.load_family("hermess")


def add_up(events: list[Any]) -> dict[str, Any]:
    """Do what a client of OpenAI's API does with the deltas of a stream."""
    message: dict[str, Any] = {}
    calls: dict[int, dict[str, Any]] = {}
    for delta in (event.to_openai() for event in events):
        for key in ("content", "reasoning_content"):
            if key in delta:
                message[key] = message.get(key, "") + delta[key]
        for piece in delta.get("tool_calls", ()):
            call = calls.setdefault(piece["index"], {"id": "", "name": "", "arguments": ""})
            call["id"] += piece.get("id", "")
            call["name"] += piece["function"].get("name", "")
            call["arguments"] += piece["function"]["arguments"]
    if calls:
        message["tool_calls"] = [calls[index] for index in sorted(calls)]
    return message


@pytest.mark.parametrize("stream_arguments", [False, True])
@pytest.mark.parametrize("size", [1, 3, 1000])
def test_the_deltas_add_up_to_the_reply(size: int, stream_arguments: bool) -> None:
    text = f"<think>\nHm.\n</think>\n\nOne moment.\n{QWEN3}\n{QWEN3}"
    reader = turnwire.ReplyReader(
        turnwire.load_family("qwen3").wire_format, prompt="", stream_arguments=stream_arguments
    )
    events = [event for start in range(0, len(text), size) for event in reader.feed(text[start : start + size])]
    events += reader.finish("stop")
    message, reply = add_up(events), reader.reply.to_openai()
    assert (message["content"], message["reasoning_content"]) == ("One moment.", "Hm.")
    assert [(call["name"], json.loads(call["arguments"])) for call in message["tool_calls"]] == [CALL, CALL]
    assert message["tool_calls"] == [{"id": call["id"], **call["function"]} for call in reply["tool_calls"]]


def test_a_reply_goes_back_into_a_template_as_it_came() -> None:
    text = f"<think>\nHm.\n</think>\n\nOne moment.\n{QWEN3}"
    reply = turnwire.read_reply(text, "qwen3", prompt="")
    messages = [{"role": "user", "content": "Hi"}, reply.to_message()]
    template = CORPUS["Qwen-Qwen3-0.6B@a55ee1"]
    assert turnwire.render_chat(messages, template).endswith(f"<|im_start|>assistant\n{text}<|im_end|>\n")


def test_events_are_content_reasoning_and_calls() -> None:
    reader = turnwire.ReplyReader(turnwire.load_family("qwen3").wire_format, prompt="")
    events = [*reader.feed(f"<think>a</think>b{QWEN3}"), *reader.finish()]
    assert events[:2] == [ReasoningDelta("a"), ContentDelta("b")]
    assert isinstance(events[2], CallDelta)
    assert len(events) == 3


CHOICES = {
    "Qwen-Qwen3-0.6B@a55ee1": "qwen3",
    "google-gemma-4-E4B-it": "gemma4",
    "openai-gpt-oss-safeguard-20b": "gpt_oss",
    "zai-org-GLM-OCR": "glm45",
    "Qwen-Qwen3.6-35B-A3B": "qwen3_coder",
    "moonshotai-Kimi-K2.5": "kimi_k2",
    "mistralai-Mistral-7B-Instruct-v0.3": "mistral_v3",
    "NVIDIA-Nemotron-Nano-v2": "nemotron_json",
    "NightPrince-Muslim-6B-PRO": "qwen3",
}


@pytest.mark.parametrize("name", CHOICES)
def test_a_template_shows_its_family_by_rendering(name: str) -> None:
    choice = turnwire.choose_family(CORPUS[name], bos_token="<s>", eos_token="</s>")
    assert choice.family is not None, choice
    assert choice.family.name == CHOICES[name]
    assert choice.considered[0][0] == CHOICES[name]


def test_calls_are_passed_in_the_ways_that_a_template_takes() -> None:
    printed = (
        "{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}{% for call in m.tool_calls %}<tool_call>"
        '{"name": "{{ call.function.name }}", "arguments": {{ call.function.arguments }}}</tool_call>{% endfor %}'
        "<|im_end|>\n{% endfor %}"
    )
    choice = turnwire.choose_family(printed)  # a dict is printed as Python prints it, which is no JSON
    assert choice.family is not None, choice
    assert choice.reason.startswith(
        "qwen3 reads back all 6 messages with calls where arguments are passed as JSON text"
    )
    choice = turnwire.choose_family(printed.replace("function.arguments", "function.arguments | tojson"))
    assert choice.reason.startswith("qwen3 reads back all 6 messages with calls; so do ")
    # As the last turn this one's calls are a turn of their own, behind one that holds the content.
    choice = turnwire.choose_family(CORPUS["NVIDIA-Nemotron-Nano-v2"])
    assert choice.reason == "nemotron_json reads back all 6 messages with calls where their results follow"


def test_a_template_that_drops_calls_shows_no_family_and_says_why() -> None:
    choice = turnwire.choose_family("{% for m in messages %}{{ m.content }}{% endfor %}")
    assert choice.family is None
    assert choice.reason.startswith("the template writes no calls")


def test_what_a_family_reads_is_decided_by_rendering_and_not_by_the_templates_text() -> None:
    comment = "{# <tool_call> is how others write calls; this one does not #}"
    template = comment + "{% for m in messages %}{{ m.content }}{% endfor %}"
    assert turnwire.choose_family(template).family is None
