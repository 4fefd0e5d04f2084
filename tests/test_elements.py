"""Arguments written as elements, values between marks of their own, and schemas that refer to their own parts."""

from __future__ import annotations

import json
from typing import Any

import pytest

from turnwire import read_reply
from turnwire.reply.reply import CallDelta
from turnwire.wire.format import CallSyntax, ElementBody, TaggedBody, WireFormat
from turnwire.wire.reader import ReplyReader
from turnwire.wire.typing_rules import allowed_types, item_schema, parameter_schemas, property_schema

ELEMENTS = WireFormat(
    calls=(
        CallSyntax(
            open=("§<call=",),
            close=("§</call>",),
            body=ElementBody(name_until=(">",), open="§<", close="§</", item="li"),
        ),
    )
)
QUOTED = WireFormat(
    calls=(
        CallSyntax(
            open=("<call=",),
            close=("</call>",),
            body=TaggedBody(
                name_until=(">",),
                key_open=("<arg=",),
                key_until=(">",),
                value_close=("</arg>",),
                strict_close=True,
                quotes=("<<", ">>"),
            ),
        ),
    )
)


def tool(properties: dict[str, Any], **more: Any) -> list[dict[str, Any]]:
    parameters = {"type": "object", "properties": properties, **more}
    return [{"type": "function", "function": {"name": "f", "parameters": parameters}}]


def read_arguments(written: str, properties: dict[str, Any] | None = None, **more: Any) -> Any:
    """Return the arguments of the one call that is read, the same at once and character by character; None if none."""
    tools = tool(properties, **more) if properties is not None else None
    text = f"before§<call=f>{written}§</call>after"
    reply = read_reply(text, ELEMENTS, tools=tools)
    reader = ReplyReader(ELEMENTS, tools=tools, stream_arguments=True)
    events = [event for character in text for event in reader.feed(character)] + reader.finish()
    pieces = "".join(event.arguments for event in events if isinstance(event, CallDelta))
    if not reply.tool_calls:
        assert not [call for call in reader.reply.tool_calls if call.complete]
        return None
    assert reply.content == reader.reply.content == "beforeafter"
    [call] = reply.tool_calls
    assert json.loads(pieces) == call.arguments
    return call.arguments


TEXT = {"type": "string"}
NUMBER = {"type": "integer"}


@pytest.mark.parametrize(
    ("written", "properties", "arguments"),
    [
        ("", {}, {}),
        ("§<a>7§</a>§<b> 7\n§</b>", {"a": NUMBER, "b": TEXT}, {"a": 7, "b": " 7\n"}),
        ("\n  §<a>§</a>\n", {"a": TEXT}, {"a": ""}),
        ("§<a>1§</a>§<a>2§</a>", {"a": NUMBER}, {"a": 1}),
        (
            "§<o>\n §<x>1§</x>\n §<y>§<li>a§</li>§<li>b§</li>§</y>\n§</o>",
            {"o": {"type": "object", "properties": {"x": NUMBER, "y": {"type": "array", "items": TEXT}}}},
            {"o": {"x": 1, "y": ["a", "b"]}},
        ),
        ("§<o>§</o>§<l>§</l>", {"o": {"type": "object"}, "l": {"type": "array"}}, {"o": {}, "l": []}),
        ("§<l>§<li>7§</li>§</l>", {"l": {"type": "array", "items": TEXT}}, {"l": ["7"]}),
        ("§<o>§<li>7§</li>§</o>", {"o": {"type": "object", "properties": {"li": TEXT}}}, {"o": {"li": "7"}}),
        ("§<o>§<k>7§</k>§</o>", {"o": {"type": "object", "additionalProperties": NUMBER}}, {"o": {"k": 7}}),
        # Text keeps whatever is not its own closing tag.
        ("§<a>x §<b>y§</b> §</call> §</ §<§</a>", {"a": TEXT}, {"a": "x §<b>y§</b> §</call> §</ §<"}),
        ("§<call>1§</call>", {"call": NUMBER}, {"call": 1}),
        # JSON inside of an element is a value as well.
        ('§<l>["a", 1]§</l>', {"l": {"type": "array"}}, {"l": ["a", 1]}),
    ],
)
def test_elements_are_typed_by_the_schema_at_every_depth(written: str, properties: Any, arguments: Any) -> None:
    assert read_arguments(written, properties) == arguments


def test_without_a_schema_items_make_an_array_other_elements_an_object_and_text_stays_text() -> None:
    written = "§<l>§<li>1§</li>§<li>2§</li>§</l>§<o>§<k>true§</k>§<li>3§</li>§</o>"
    assert read_arguments(written) == {"l": ["1", "2"], "o": {"k": "true", "li": "3"}}
    [call] = read_reply(f"§<call=f>{written}§</call>", ELEMENTS).tool_calls
    assert not call.typed


@pytest.mark.parametrize("written", ["§<a>1", "§<a>1§</b>", "§</a>", "§<a", "§<>1§</>", "§<a>" * 300 + "§</a>" * 300])
def test_elements_that_do_not_end_or_do_not_begin_are_no_call(written: str) -> None:
    assert read_arguments(written) is None


def test_a_value_may_stand_between_marks_and_then_ends_at_both() -> None:
    text = "<call=f><arg=a><<x</arg> >> </arg>\ny>></arg><arg=b>x >></arg></call>"
    [call] = read_reply(text, QUOTED, tools=tool({"a": TEXT, "b": TEXT})).tool_calls
    assert call.arguments == {"a": "x</arg> >> </arg>\ny", "b": "x >>"}


@pytest.mark.parametrize(
    ("text", "content"), [(" x", "x"), ("  x", " x"), ("x", "x"), ("\nx", "\nx"), (" ", None), ("", None)]
)
def test_what_may_stand_in_front_of_everything_is_dropped_once(text: str, content: str | None) -> None:
    assert read_reply(text, WireFormat(lead=(" ",))).content == content


def test_a_schema_may_refer_to_its_parts_at_every_depth_and_to_itself() -> None:
    node = {"type": "object", "properties": {"name": TEXT, "inner": {"$ref": "#/$defs/node"}}}
    more = {"$defs": {"node": node, "a/b": NUMBER, "alias": {"$ref": "#/$defs/a~1b"}}}
    nodes = {"type": "array", "items": {"$ref": "#/$defs/node"}}
    schemas = parameter_schemas(tool({"nodes": nodes, "n": {"$ref": "#/$defs/alias"}}, **more))["f"]
    assert schemas["n"] == NUMBER
    inner = item_schema(schemas["nodes"], 0)
    for _ in range(5):
        assert allowed_types(property_schema(inner, "name")) == ["string"]
        inner = property_schema(inner, "inner")
    written = "§<nodes>§<li>§<inner>§<name>7§</name>§</inner>§</li>§</nodes>"
    assert read_arguments(written, {"nodes": nodes}, **more) == {"nodes": [{"inner": {"name": "7"}}]}


@pytest.mark.parametrize("reference", ["#/$defs/loop", "#/$defs/gone", "https://example.org/schema", "#"])
def test_a_reference_that_leads_nowhere_says_nothing_and_hangs_nothing(reference: str) -> None:
    schemas = parameter_schemas(tool({"a": {"$ref": reference}}, **{"$defs": {"loop": {"$ref": "#/$defs/loop"}}}))
    assert allowed_types(schemas["f"]["a"]) in ([], ["object"])


def test_a_schema_whose_alternatives_contain_it_has_the_types_of_the_others() -> None:
    more = {"$defs": {"json": {"anyOf": [{"$ref": "#/$defs/json"}, TEXT, {"type": "null"}, {"$ref": "#/$defs/json"}]}}}
    schemas = parameter_schemas(tool({"a": {"$ref": "#/$defs/json"}}, **more))
    assert allowed_types(schemas["f"]["a"]) == ["string", "null"]


def test_the_first_elements_of_an_array_may_have_schemas_of_their_own() -> None:
    pair = {"type": "array", "prefixItems": [TEXT, NUMBER], "items": {"type": "boolean"}}
    written = "§<p>§<li>1§</li>§<li>1§</li>§<li>true§</li>§</p>"
    assert read_arguments(written, {"p": pair}) == {"p": ["1", 1, True]}
