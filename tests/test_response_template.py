"""Response templates: messages, events and errors, as Transformers' own documentation and parser have them."""

from __future__ import annotations

import contextlib
import re
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from turnwire import ResponseParser, parse_response
from turnwire.families.gemma4 import FAMILY as GEMMA4
from turnwire.reply.lookout import _quiet_characters
from turnwire.reply.pattern_machine import build_machine
from turnwire.reply.pattern_search import Search
from turnwire.reply.response_template import load_response_template

CALL_SHAPE = {"type": "function", "function": {"name": "{name}", "arguments": "{content}"}}

GEMMA: dict[str, Any] = {
    "defaults": {"role": "assistant"},
    "start_anchor_pattern": r"<\|turn>model\n|<tool_response\|>",
    "fields": {
        "reasoning_content": {"open": "<|channel>thought\n", "close": "<channel|>", "content": "text"},
        "tool_calls": {
            "open_pattern": r"<\|tool_call>call:(?P<name>\w+)",
            "close": "<tool_call|>",
            "repeats": True,
            "content": "json",
            "content_args": {"string_delims": [['<|"|>', '<|"|>']], "unquoted_keys": True},
            "transform": CALL_SHAPE,
        },
        "content": {"close_pattern": r"<turn\|>|<\|tool_response>|<eos>|$", "content": "text"},
    },
}

HERMES: dict[str, Any] = {
    "defaults": {"role": "assistant"},
    "start_anchor": "<|im_start|>assistant\n",
    "fields": {
        "reasoning_content": {"open": "<think>", "close": "</think>"},
        "tool_calls": {
            "open_pattern": r"\s*<tool_call>",
            "close": "</tool_call>",
            "repeats": True,
            "content": "json",
            "transform": {"type": "function", "function": "{content}"},
        },
        "content": {"close_pattern": r"\s*(?:<\|im_end\|>|<\|endoftext\|>)"},
    },
}

QWEN3_CODER: dict[str, Any] = {
    "defaults": {"role": "assistant"},
    "start_anchor": "<|im_start|>assistant\n",
    "fields": {
        "tool_calls": {
            "open_pattern": r"\s*<tool_call>\s*<function=(?P<name>[^>\n]+)>",
            "close_pattern": r"</function>\s*</tool_call>",
            "repeats": True,
            "content": "xml-inline",
            "content_args": {"tag_pattern": r"<parameter=(?P<key>[^>\n]+)>\s*(?P<value>.*?)\s*</parameter>"},
            "transform": CALL_SHAPE,
        },
        "content": {"close_pattern": r"\s*<\|im_end\|>"},
    },
}

CALL = '<|tool_call>call:get_exchange_rate{base:<|"|>EUR<|"|>,quote:<|"|>JPY<|"|>}<tool_call|>'
READ_CALL = {
    "function": {"name": "get_exchange_rate", "arguments": {"base": "EUR", "quote": "JPY"}},
    "type": "function",
}
ANSWER = "One euro buys about 162.4 yen."


def template_of(*, start_anchor: str = "<s>", **fields: dict[str, Any]) -> dict[str, Any]:
    return {"start_anchor": start_anchor, "fields": fields}


def read(text: str, template: Any, **arguments: Any) -> dict[str, Any]:
    return parse_response(text, template, **{"prefix": "", **arguments})


def tool(**properties: Any) -> dict[str, Any]:
    return {"type": "function", "function": {"name": "f", "parameters": {"type": "object", "properties": properties}}}


def xml_call(**arguments: str) -> str:
    tags = "".join(f"<parameter={key}>\n{value}\n</parameter>\n" for key, value in arguments.items())
    return f"<tool_call>\n<function=f>\n{tags}</function>\n</tool_call>"


def arguments_of(message: dict[str, Any]) -> Any:
    return message["tool_calls"][0]["function"]["arguments"]


# --- messages ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("template", [GEMMA, GEMMA4.response_template], ids=["written here", "the family's"])
def test_gemma_4_reads_its_call_and_its_plain_answer(template: dict[str, Any]) -> None:
    assert read(CALL, template) == {"role": "assistant", "tool_calls": [READ_CALL]}
    assert read(ANSWER, template) == {"role": "assistant", "content": ANSWER}
    assert read(ANSWER + "<turn|>", template) == {"role": "assistant", "content": ANSWER}


def test_reasoning_and_several_calls_come_out_in_their_fields() -> None:
    text = f"<|channel>thought\nHm.\n<channel|>{CALL}{CALL}<|tool_response>"
    assert read(text, GEMMA) == {
        "role": "assistant",
        "reasoning_content": "Hm.",
        "tool_calls": [READ_CALL, READ_CALL],
    }


def test_the_prefix_counts_from_its_last_anchor_on() -> None:
    prompt = "<|im_start|>user\n<think>no</think><|im_end|>\n<|im_start|>assistant\n<think>\n"
    assert read("why\n</think>\n\nanswer", HERMES, prefix=prompt) == {
        "role": "assistant",
        "reasoning_content": "why",
        "content": "answer",
    }
    assert read("why\n</think>\n\nanswer", HERMES)["content"] == "why\n</think>\n\nanswer"


def test_the_whole_prefix_counts_where_it_has_no_anchor() -> None:
    assert read(" b", HERMES, prefix="a")["content"] == "a b"


def test_a_call_drafted_in_the_reasoning_is_no_call() -> None:
    draft, call = (f'<tool_call>\n{{"name": "{name}", "arguments": {{}}}}\n</tool_call>' for name in "dr")
    message = read(f"<think>maybe {draft}</think>\n{call}", HERMES)
    assert [call["function"]["name"] for call in message["tool_calls"]] == ["r"]
    assert message["reasoning_content"] == f"maybe {draft}"


def test_the_stop_token_is_not_content() -> None:
    assert read("hello<|im_end|>\n<|endoftext|>", HERMES) == {"role": "assistant", "content": "hello"}


def test_text_after_a_call_replaces_the_text_before_it() -> None:
    text = 'A <tool_call>\n{"name": "w", "arguments": {}}\n</tool_call> B<|im_end|>'
    assert read(text, HERMES)["content"] == "B"


def test_joined_regions_make_one_text() -> None:
    template = template_of(content={"repeats": True, "join": "|", "close": "."})
    assert read("a.b. c", template) == {"content": "a|b|c"}


def test_defaults_stay_though_they_are_empty_and_empty_values_do_not() -> None:
    template = template_of(content={"close": "<end>"}, notes={"open": "[", "close": "]"}) | {
        "defaults": {"role": "assistant", "content": ""}
    }
    assert read("[]", template) == {"role": "assistant", "content": ""}


@pytest.mark.parametrize(
    ("text", "function"),
    [
        ('{"name": "a", "arguments": "{\\"x\\": 1}"}', {"name": "a", "arguments": '{"x": 1}'}),
        ('{"name": "a", "parameters": {"x": 1}}', {"name": "a", "parameters": {"x": 1}}),
        ('{"name": "a"}', {"name": "a"}),
        ('[{"name": "a", "arguments": {}}]', [{"name": "a", "arguments": {}}]),
    ],
)
def test_a_call_is_kept_in_the_shape_the_model_gave_it(text: str, function: Any) -> None:
    message = read(f"<tool_call>\n{text}\n</tool_call>", HERMES)
    assert message["tool_calls"] == [{"type": "function", "function": function}]


def test_a_parameter_that_nothing_closes_is_dropped() -> None:
    text = "<tool_call>\n<function=edit>\n<parameter=old>\nabc\n</function>\n</tool_call>"
    assert arguments_of(read(text, QWEN3_CODER)) == {}


# --- events -----------------------------------------------------------------------------------------------------------


def test_events_frame_the_text_of_each_region() -> None:
    parser = ResponseParser(GEMMA, prefix="<|turn>model\n<|channel>thought\nHm")
    assert parser.initial_events == [
        {"type": "region_open", "field": "reasoning_content"},
        {"type": "region_chunk", "field": "reasoning_content", "text": "Hm", "dirty": False},
    ]
    assert parser.feed(".<chan") == [
        {"type": "region_chunk", "field": "reasoning_content", "text": ".", "dirty": False}
    ]
    assert parser.feed("nel|>") == [{"type": "region_close", "field": "reasoning_content", "value": "Hm."}]
    assert parser.feed("<|tool_call>call:f{") == [
        {"type": "region_open", "field": "tool_calls"},
        {"type": "region_chunk", "field": "tool_calls", "text": "{", "dirty": True},
    ]
    call = {"type": "function", "function": {"name": "f", "arguments": {}}}
    assert parser.feed("}<tool_call|>") == [
        {"type": "region_chunk", "field": "tool_calls", "text": "}", "dirty": True},
        {"type": "region_close", "field": "tool_calls", "value": call},
    ]
    message = {"role": "assistant", "reasoning_content": "Hm.", "tool_calls": [call]}
    assert parser.finalize() == (message, [])


def test_a_literal_is_taken_at_once_and_a_pattern_when_something_follows() -> None:
    for closing, at_once in [({"close": "</t>"}, True), ({"close_pattern": "</t>"}, False)]:
        parser = ResponseParser(template_of(t={"open": "<t>", **closing}), prefix="")
        events = parser.feed("<t>x</t>")
        assert (events[-1]["type"] == "region_close") is at_once
        assert (parser.feed("y")[-1:] != []) is not at_once


def test_a_literal_that_another_one_goes_on_from_waits_for_it() -> None:
    template = template_of(t={"open": "<", "close": [">", ">>"], "repeats": True})
    parser = ResponseParser(template, prefix="")
    assert [event["type"] for event in parser.feed("<a>")] == ["region_open", "region_chunk"]
    assert parser.feed(">") == []
    assert parser.feed("b") == [{"type": "region_close", "field": "t", "value": "a"}]


def test_a_parser_that_is_done_takes_nothing_more() -> None:
    parser = ResponseParser(HERMES, prefix="")
    parser.finalize()
    for call in (lambda: parser.feed("x"), parser.finalize):
        with pytest.raises(RuntimeError, match=r"^ResponseParser already finalized$"):
            call()


def test_a_parser_goes_on_after_an_error_in_a_region() -> None:
    parser = ResponseParser(HERMES, prefix="")
    with pytest.raises(ValueError, match="json parser could not parse region as JSON"):
        parser.feed("<tool_call>{</tool_call>")
    # The region is still open, and takes what follows.
    assert parser.feed("}")[0]["field"] == "tool_calls"
    assert parser.finalize()[0]["tool_calls"] == [{"type": "function", "function": {}}]


def test_events_depend_on_the_pieces_alone_and_not_on_what_was_parsed_before() -> None:
    text = f"a < b{CALL}<turn|>"
    runs = []
    for _ in range(3):
        parser = ResponseParser(GEMMA, prefix="")
        runs.append([parser.feed(char) for char in text] + [parser.finalize()])
        ResponseParser(GEMMA, prefix="").feed("<|tool_call>call:zz<|channel>th" + ANSWER)
    assert runs[0] == runs[1] == runs[2]


def test_parsers_in_many_threads_do_not_disturb_each_other() -> None:
    texts = [
        f"{number} < {CALL}<|tool_call>call:f{number}{{}}<tool_call|>{'é' * number}<turn|>" for number in range(64)
    ]

    def parse(text: str) -> list[Any]:
        parser = ResponseParser(GEMMA, prefix="")
        return [*map(parser.feed, text), parser.finalize()]

    expected = [parse(text) for text in texts]
    _forget()
    with ThreadPoolExecutor(16) as pool:
        assert list(pool.map(parse, texts * 4)) == expected * 4


def _forget() -> None:
    """Drop what parsers share."""
    build_machine.cache_clear()
    _quiet_characters.cache_clear()


# --- content parsers --------------------------------------------------------------------------------------------------

CONTENTS: list[tuple[str, dict[str, Any], str, Any]] = [
    ("text", {}, " a ", "a"),
    ("text", {"strip": False}, " a ", " a "),
    ("int", {}, " 1_000\n", 1000),
    ("float", {}, "1e400", float("inf")),
    ("bool", {}, "TRUE", True),
    ("bool", {}, "yes", False),
    ("json", {}, '{"a": 1e400, "b": 12345678901234567890}', {"a": float("inf"), "b": 12345678901234567890}),
    ("json", {"allow_non_json": True}, " {a ", "{a"),
    ("json", {"unquoted_keys": True}, '{a: "b:c, d:e", f : 1}', {"a": "b:c, d:e", "f": 1}),
    ("json", {"unquoted_keys": True}, '{a: "\\"{b:"}', {"a": '"{b:'}),
    ("json", {"string_delims": [["<", ">"], ["(", ")"]]}, '[<(">, (<)]', ['("', "<"]),
    ("json", {"string_delims": [["'", "'"]], "unquoted_keys": True}, "{k:'{k:\\n}'}", {"k": "{k:\\n}"}),
    ("kv-lines", {}, "a: 1:2\n\nb\n c :3 ", {"a": "1:2", "c": "3"}),
    ("kv-lines", {"line_sep": ";", "kv_sep": "=", "value_parser": {"name": "int"}}, "a=1;b=2", {"a": 1, "b": 2}),
    ("xml-inline", {"tag_pattern": "<(?P<key>.)>(?P<value>[^<]*)"}, "<a>1<b>2<a>3", {"a": "3", "b": "2"}),
    (
        "xml-inline",
        {"tag_pattern": "<(?P<key>.)>(?P<value>[^<]*)", "merge_duplicates": True, "value_parser": {"name": "int"}},
        "<a>1<b>2<a>3<a>4",
        {"a": [1, 3, 4], "b": 2},
    ),
    (
        "python-call-list",
        {},
        "[a.b-c(x=-1.5e2, y={'k': [true, None]}), g()]",
        [{"name": "a.b-c", "arguments": {"x": -150.0, "y": {"k": [True, None]}}}, {"name": "g", "arguments": {}}],
    ),
    (
        "python-call-list",
        {},
        r"""[f(a='\'\/\u00e9\ud83d\ude00', b="\n'")]""",
        [{"name": "f", "arguments": {"a": "'/é😀", "b": "\n'"}}],
    ),
]


@pytest.mark.parametrize(("parser", "args", "text", "value"), CONTENTS)
def test_a_content_parser_reads(parser: str, args: dict[str, Any], text: str, value: Any) -> None:
    template = template_of(x={"content": parser, "content_args": args})
    assert read(text, template) == {"x": value}


REFUSED: list[tuple[str, dict[str, Any], str, str]] = [
    ("int", {}, "x", "invalid literal for int() with base 10: 'x'"),
    (
        "json",
        {},
        "{a}",
        "json parser could not parse region as JSON.\nContent: '{a}'\n"
        "Error: Expecting property name enclosed in double quotes: line 1 column 2 (char 1)",
    ),
    (
        "json",
        {"unquoted_keys": True},
        "{a:}",
        "json: could not parse after dialect transforms.\nOriginal: '{a:}'\nTransformed: '{\"a\":}'\n"
        "Error: Expecting value: line 1 column 6 (char 5)",
    ),
    (
        "json",
        {"string_delims": [["'", "'"]]},
        "\x01",
        r"json: input contains reserved sentinel characters (\x01/\x02); cannot parse safely.",
    ),
    ("xml-inline", {}, "", "xml-inline: 'tag_pattern' content_arg is required"),
    (
        "xml-inline",
        {"tag_pattern": "a"},
        "a",
        "xml-inline: tag_pattern must have a named group 'key'. Pattern: a",
    ),
    (
        "python-call-list",
        {},
        "[f(1)]",
        "python-call-list: expected a keyword argument (positional arguments and trailing commas are not supported) at "
        "position 3.\nContent: '[f(1)]'",
    ),
    ("python-call-list", {}, "[f(a=1 b=2)]", "expected ',' at position 7."),
    ("python-call-list", {}, "[f(a=1, a=2)]", "repeated name 'a' at position 12."),
    (
        "python-call-list",
        {},
        "[f(a=9007199254740992)]",
        "integer outside the range of -(2^53 - 1) to 2^53 - 1 at position",
    ),
    ("python-call-list", {}, "[f(a=1e999)]", "number too large at position 5."),
    ("python-call-list", {}, "[f(a='\\x')]", "unsupported escape '\\\\x' in the string starting at position 5."),
    ("python-call-list", {}, "[f(a='\\ud83d')]", "lone surrogate escape in the string starting at position 5."),
    ("python-call-list", {}, "[f(a='b)]", "invalid string at position 5."),
    ("python-call-list", {}, "[f(a={b: 1})]", "dict keys must be strings at position 6."),
    ("python-call-list", {}, "[f(a=x)]", "expected a string, number, list, dict, True, False or None at position 5."),
    (
        "python-call-list",
        {},
        "[f(a" + "=" + "[" * 101,
        "lists and dicts nested more than 100 levels deep at position",
    ),
    ("python-call-list", {}, "[] x", "unexpected content after the closing ']' at position 3."),
]


@pytest.mark.parametrize(("parser", "args", "text", "problem"), REFUSED)
def test_a_content_parser_refuses(parser: str, args: dict[str, Any], text: str, problem: str) -> None:
    template = template_of(x={"open": "<", "content": parser, "content_args": args})
    with pytest.raises(ValueError, match=re.escape(problem)):
        read("<" + text, template)


# --- types of arguments -----------------------------------------------------------------------------------------------


def test_arguments_get_the_types_that_the_tool_declares() -> None:
    schema = tool(zip={"type": "string"}, s={"type": "string"}, n={"type": "integer"})
    message = read(xml_call(zip="02134", s="1e5", n="5.0"), QWEN3_CODER, tools=[schema])
    assert arguments_of(message) == {"zip": "02134", "s": "1e5", "n": 5}
    assert arguments_of(read(xml_call(n="5.0"), QWEN3_CODER)) == {"n": "5.0"}


@pytest.mark.parametrize(
    ("text", "schema", "value"),
    [
        ("1234567890123456789", {"type": "integer"}, 1234567890123456789),
        ("9007199254740993.0", {"type": "integer"}, 9007199254740992),
        ("1_000", {"type": "integer"}, 1000),
        ("007", {"type": "integer"}, 7),
        ("1e400", {"type": "integer"}, "1e400"),
        ("2.5", {"type": "integer"}, "2.5"),
        ("3", {"type": "number"}, 3),
        ("1e3", {"type": "number"}, 1000),
        ("3.0", {"type": "number"}, 3.0),
        ("nan", {"type": "number"}, "nan"),
        ("True", {"type": "boolean"}, True),
        ("0", {"type": "boolean"}, False),
        ("4", {"anyOf": [{"type": "string"}, {"type": "null"}]}, "4"),
        ("null", {"anyOf": [{"type": "string"}, {"type": "null"}]}, None),
        ("null", {"type": "integer", "nullable": True}, None),
        ("[1]", {"type": ["object", "array"]}, [1]),
        ("[1]", {"type": "object"}, "[1]"),
        ("x", {}, "x"),
    ],
)
def test_a_text_is_cast_to_the_first_type_that_takes_it(text: str, schema: dict[str, Any], value: Any) -> None:
    (cast,) = arguments_of(read(xml_call(a=text), QWEN3_CODER, tools=[tool(a=schema)])).values()
    assert (cast, type(cast)) == (value, type(value))


def test_a_function_is_a_tool_as_well() -> None:
    def f(a: int) -> None:
        """Do it.

        Args:
            a: A number.
        """

    assert arguments_of(read(xml_call(a="7"), QWEN3_CODER, tools=[f])) == {"a": 7}


# --- errors of templates ----------------------------------------------------------------------------------------------

FAULTS: list[tuple[Any, str]] = [
    ("x", "response_template must be a dict, got str"),
    ({"version": 2}, "Unsupported response_template version: 2"),
    ({"b": 1, "a": 2}, "Unknown keys in response_template: ['a', 'b']"),
    ({"defaults": []}, "response_template.defaults must be a dict"),
    ({"fields": {}}, "response_template.fields must be a non-empty dict"),
    ({"fields": {"x": {}}}, "response_template must define 'start_anchor' or 'start_anchor_pattern'."),
    (
        template_of(x={}, y={}),
        "At most one field may omit 'open'/'open_pattern' (that field becomes the implicit-open / leftover sink). "
        "Found: x, y",
    ),
    (template_of(x=[]), "Field 'x' must be a dict"),  # type: ignore[arg-type]
    (template_of(x={"opne": 1}), "Field 'x': unknown keys ['opne']"),
    (template_of(x={"open": "a", "open_pattern": "a"}), "Field 'x': cannot specify both 'open' and 'open_pattern'"),
    (template_of(x={"open": []}), "Field 'x': 'open' list must contain at least one literal"),
    (template_of(x={"open": ["a", 1]}), "Field 'x': 'open' list must contain only strings"),
    (template_of(x={"close": ""}), "Field 'x': 'close' literals cannot be empty strings"),
    (template_of(x={"close": 1}), "Field 'x': 'close' must be a string or list of strings, got int"),
    (
        template_of(x={"open_pattern": "("}),
        "Field 'x': invalid open_pattern regex: missing ) at position 1",
    ),
    (template_of(x={"join": 1}), "Field 'x': 'join' must be a string, got int"),
    (template_of(x={"join": ","}), "Field 'x': 'join' requires 'repeats': true"),
    (template_of(x={"transform_each": 1}), "Field 'x': transform_each must be a bool, got int"),
    (template_of(x={"transform_each": True}), "Field 'x': transform_each is set but no transform was provided"),
    (template_of(x={"transform": ["a {b}"]}), "Field 'x': transform string 'a {b}' mixes a {placeholder}"),
    (
        template_of(x={"open_pattern": "(?P<n>a)"}),
        "Field 'x': open_pattern/close_pattern declares named group(s) ['n']",
    ),
    (
        template_of(x={"content": "yaml"}),
        "Field 'x': unknown content parser 'yaml'. Available: ['bool', 'float', 'int', 'json', 'kv-lines', "
        "'python-call-list', 'text', 'xml-inline']",
    ),
]


@pytest.mark.parametrize(("template", "problem"), FAULTS)
def test_a_faulty_template_is_refused(template: Any, problem: str) -> None:
    with pytest.raises(ValueError, match="^" + re.escape(problem)):
        load_response_template(template)


def test_the_prefix_has_to_be_given() -> None:
    with pytest.raises(ValueError, match=r"^`ResponseParser`/`parse_response` requires `prefix` \(the chat prompt"):
        parse_response("x", HERMES)


def test_a_required_field_has_to_come() -> None:
    template = template_of(x={"open": "<", "optional": False}, y={"open": ">", "optional": False})
    with pytest.raises(ValueError, match=r"^Required response_template fields missing from parsed output: \['y'\]$"):
        read("<a", template)


@pytest.mark.parametrize(
    ("transform", "error", "problem"),
    [
        ("{nope}", KeyError, "transform placeholder '{nope}' is not defined. Available: ['content']"),
        ("{content.a.b}", ValueError, "transform placeholder '{content.a.b}' cannot index into int at 'b'"),
        ("{content.b}", ValueError, "transform placeholder '{content.b}' is missing key 'b'. Available: ['a']"),
    ],
)
def test_a_placeholder_that_leads_nowhere_raises(transform: str, error: type[Exception], problem: str) -> None:
    with pytest.raises(error, match=re.escape(problem)):
        read('{"a": 1}', template_of(x={"content": "json", "transform": transform}))


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("{}", "Field 'x': transform_each requires the parsed content to be a list, got dict."),
        ("[1]", "Field 'x': transform_each requires each list element to be a dict, got int."),
    ],
)
def test_what_has_no_items_is_not_transformed_item_by_item(text: str, problem: str) -> None:
    field = {"content": "json", "transform": "{a}", "transform_each": True}
    with pytest.raises(ValueError, match="^" + re.escape(problem) + "$"):
        read(text, template_of(x=field))


def test_only_texts_are_joined() -> None:
    field = {"content": "json", "repeats": True, "join": ""}
    with pytest.raises(ValueError, match=r"^Field 'x': 'join' requires each match to parse to a string, got int\.$"):
        read("1", template_of(x=field))


@pytest.mark.parametrize(
    "text",
    [
        '<tool_call>\n{"name": "w", "arguments": {"s": "use </tool_call> to end"}}\n</tool_call>',
        'Some text <tool_call>\n{"name": "a", "arguments": {"x": "he',
    ],
    ids=["a mark inside a string", "a call cut short"],
)
def test_a_region_that_is_not_json_costs_the_whole_message(text: str) -> None:
    with pytest.raises(ValueError, match="json parser could not parse region as JSON"):
        read(text, HERMES)


def test_a_region_that_would_open_for_ever_is_an_error() -> None:
    template = template_of(x={"open_pattern": "y*", "close_pattern": "z*"})
    with pytest.raises(ValueError, match="open and close both match the empty text at position 0 of the reply"):
        read("ab", template)


# --- work -------------------------------------------------------------------------------------------------------------

HOSTILE = {
    "parameters that nothing closes": (QWEN3_CODER, lambda n: "<tool_call>\n<function=f>\n" + "<parameter=old>" * n),
    "a parameter of line ends": (QWEN3_CODER, lambda n: "<tool_call>\n<function=f>\n<parameter=a>" + "\n" * 15 * n),
    "line ends": (HERMES, lambda n: "\n" * 15 * n + "x"),
    "stop tokens": (HERMES, lambda n: "<|im_end|>" * n),
    "empty reasoning": (HERMES, lambda n: "<think></think>" * n),
    "half a mark": (HERMES, lambda n: "<|im_en" * n),
    "a name without an end": (GEMMA, lambda n: "<|tool_call>call:" + "a" * 15 * n),
    "small calls": (GEMMA, lambda n: "<|tool_call>call:f{}<tool_call|>" * n),
}


@pytest.fixture
def looked_at(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Count the characters that searches look at."""
    counts = [0]
    advance = Search.advance

    def count(self: Search, text: str, base: int, end: int) -> None:
        before = self.pos
        advance(self, text, base, end)
        counts[0] += self.pos - before

    monkeypatch.setattr(Search, "advance", count)
    return counts


@pytest.mark.parametrize("size", [1, 4, 10**9], ids=["char by char", "by four", "whole"])
@pytest.mark.parametrize("name", HOSTILE)
def test_the_characters_looked_at_are_linear_in_the_text(name: str, size: int, looked_at: list[int]) -> None:
    template, write = HOSTILE[name]
    text = write(400)
    parser = ResponseParser(template, prefix="")
    for pos in range(0, len(text), size):
        parser.feed(text[pos : pos + size])
    with contextlib.suppress(ValueError):
        parser.finalize()
    assert 0 < looked_at[0] < 4 * len(text)


@pytest.mark.parametrize("template", [GEMMA, HERMES, QWEN3_CODER], ids=["Gemma 4", "Hermes", "Qwen3-Coder"])
def test_the_patterns_of_models_are_all_searched_in_linear_time(template: dict[str, Any]) -> None:
    for field in load_response_template(template).fields.values():
        for delimiter in (field.open, field.close):
            assert delimiter is None or not delimiter.watch().looks_back
