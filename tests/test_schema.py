"""Schemas of tools by hand: what each hint, default and docstring becomes, and what is refused with which words."""

from __future__ import annotations

import enum
import functools
import inspect
import subprocess
import sys
import typing
from collections.abc import Callable
from typing import Annotated, Any, Literal, Optional, Union

import pytest

from turnwire.errors import DocstringParsingException, TypeHintParsingException
from turnwire.schema import get_json_schema
from turnwire.template.render import render_chat


def get_exchange_rate(base: str, quote: str) -> float:
    """
    Look up how many units of one currency one unit of another buys.

    Args:
        base: ISO 4217 code of the currency you hold, such as "EUR".
        quote: ISO 4217 code of the currency you want, such as "JPY".
    """
    return 162.4


def test_the_exchange_rate_tool_is_described_whole() -> None:
    schema = get_json_schema(get_exchange_rate)
    assert schema == {
        "type": "function",
        "function": {
            "name": "get_exchange_rate",
            "description": "Look up how many units of one currency one unit of another buys.",
            "parameters": {
                "type": "object",
                "properties": {
                    "base": {
                        "type": "string",
                        "description": 'ISO 4217 code of the currency you hold, such as "EUR".',
                    },
                    "quote": {
                        "type": "string",
                        "description": 'ISO 4217 code of the currency you want, such as "JPY".',
                    },
                },
                "required": ["base", "quote"],
            },
            "return": {"type": "number"},
        },
    }
    assert list(schema) == ["type", "function"]
    assert list(schema["function"]) == ["name", "description", "parameters", "return"]
    assert list(schema["function"]["parameters"]) == ["type", "properties", "required"]
    assert list(schema["function"]["parameters"]["properties"]["base"]) == ["type", "description"]


# --- type hints -------------------------------------------------------------------------------------------------------


class Colour(enum.Enum):
    RED = "red"
    CRIMSON = "red"  # noqa: PIE796  (an alias)
    BLUE = "blue"


class Size(enum.IntEnum):
    SMALL = 1
    LARGE = 2


class Mixed(enum.Enum):
    ONE = 1
    HALF = 0.5
    WORD = "w"
    NOTHING = None


class Nobody(enum.Enum):
    pass


class Pairs(enum.Enum):
    PAIR = (1, 2)


class Plain:
    pass


class Row(typing.TypedDict):
    key: str


def describe_argument(hint: Any, docstring: str = "Do it.\n\nArgs:\n    x: It") -> dict[str, Any]:
    """Return what the hint of an argument ``x`` becomes, without the description."""

    def tool(x):
        pass

    tool.__annotations__["x"] = hint
    tool.__doc__ = docstring
    schema = get_json_schema(tool)["function"]["parameters"]["properties"]["x"]
    assert schema.pop("description") == "It"
    return schema


@pytest.mark.parametrize(
    ("hint", "schema"),
    [
        (int, {"type": "integer"}),
        (float, {"type": "number"}),
        (str, {"type": "string"}),
        (bool, {"type": "boolean"}),
        (None, {"type": "null"}),
        (type(None), {"type": "null"}),
        (Any, {}),
        (list, {"type": "array"}),
        (tuple, {"type": "array"}),
        (dict, {"type": "object"}),
        (typing.List, {"type": "array"}),  # noqa: UP006
        (typing.Tuple, {"type": "array"}),  # noqa: UP006
        (typing.Dict, {"type": "object"}),  # noqa: UP006
        (list[int], {"type": "array", "items": {"type": "integer"}}),
        (list[list[str]], {"type": "array", "items": {"type": "array", "items": {"type": "string"}}}),
        (list[Any], {"type": "array", "items": {}}),
        (list[int, str], {"type": "array", "items": {"type": "integer"}}),
        (tuple[int, str], {"type": "array", "prefixItems": [{"type": "integer"}, {"type": "string"}]}),
        (tuple[()], {"type": "array"}),
        (dict[str, float], {"type": "object", "additionalProperties": {"type": "number"}}),
        (dict[int, Any], {"type": "object", "additionalProperties": {}}),
        (dict[str], {"type": "object"}),
        (Optional[int], {"type": "integer", "nullable": True}),  # noqa: UP045
        (str | None, {"type": "string", "nullable": True}),
        (None | str, {"type": "string", "nullable": True}),
        (list[int] | None, {"type": "array", "items": {"type": "integer"}, "nullable": True}),
        (Any | None, {"nullable": True}),
        (int | str, {"type": ["integer", "string"]}),
        (str | int, {"type": ["integer", "string"]}),
        (Union[str, int, None], {"type": ["integer", "string"], "nullable": True}),  # noqa: UP007
        (list | tuple, {"type": "array"}),
        (Union[list[int], str], {"anyOf": [{"type": "array", "items": {"type": "integer"}}, {"type": "string"}]}),  # noqa: UP007
        (Literal["a"] | int, {"anyOf": [{"type": "string", "enum": ["a"]}, {"type": "integer"}]}),
        (Union[Any, int], {"anyOf": [{}, {"type": "integer"}]}),  # noqa: UP007
        (Colour, {"type": "string", "enum": ["red", "blue"]}),
        (Size, {"type": "integer", "enum": [1, 2]}),
        (Mixed, {"type": ["integer", "number", "string", "null"], "enum": [1, 0.5, "w", None]}),
        (Colour | None, {"type": "string", "enum": ["red", "blue"], "nullable": True}),
        (Literal["tea", "coffee"], {"type": "string", "enum": ["tea", "coffee"]}),
        (Literal[1, "a", True], {"type": ["integer", "string", "boolean"], "enum": [1, "a", True]}),
        (Literal[None, 1], {"type": ["null", "integer"], "enum": [None, 1]}),
        (Literal["a", None] | None, {"type": ["string", "null"], "enum": ["a", None], "nullable": True}),
        (Annotated[int, "a note"], {"type": "integer"}),
        (list[Annotated[int, "a note"]], {"type": "array", "items": {"type": "integer"}}),
        ("int", {"type": "integer"}),
        ("list[Colour]", {"type": "array", "items": {"type": "string", "enum": ["red", "blue"]}}),
    ],
    ids=str,
)
def test_a_hint_becomes_this_schema(hint: Any, schema: dict[str, Any]) -> None:
    assert describe_argument(hint) == schema
    assert repr(describe_argument(hint)) == repr(schema)  # the order of keys, and 1 against True


@pytest.mark.parametrize(
    ("hint", "message"),
    [
        (
            Plain,
            f"Couldn't convert the type hint {Plain!r} to a JSON schema, likely because it is a custom class or obj",
        ),
        (
            Row,
            f"Couldn't convert the type hint {Row!r} to a JSON schema, likely because it is a custom class or object.",
        ),
        (bytes, "Couldn't convert the type hint <class 'bytes'> to a JSON schema, likely because"),
        (Union, "Couldn't convert the type hint typing.Union to a JSON schema, likely because"),
        (list[None], "Couldn't convert the type hint None to a JSON schema, likely because"),
        (Colour.RED, "Couldn't convert the type hint <Colour.RED: 'red'> to a JSON schema, likely because"),
        (Nobody, "The Enum Nobody has no members, so no value could ever match it."),
        (
            Pairs,
            "The Enum Pairs has member values that cannot be written as JSON scalars.\nValues: [(1, 2)]\nEnum member",
        ),
        (Literal[b"a"], "Only the valid python literals can be listed in typing.Literal."),
        (Literal[Colour.RED], "Only the valid python literals can be listed in typing.Literal."),
        (
            tuple[int],
            "The type hint tuple[int] is a Tuple with a single element, which we do not automatically convert",
        ),
        (typing.Tuple[int], "The type hint Tuple[int] is a Tuple with a single element, which we do not"),  # noqa: UP006
        (
            tuple[int, ...],
            "Conversion of '...' is not supported in Tuple type hints. Use list[] types for variable-length",
        ),
        (set[int], '("Couldn\'t parse this type hint, likely due to a custom class or object: ", set[int])'),
        (
            Callable[[int], str],
            '("Couldn\'t parse this type hint, likely due to a custom class or object: ", collections',
        ),
        (list[set[int]], '("Couldn\'t parse this type hint, likely due to a custom class or object: ", set[int])'),
        (
            Literal[()],
            '("Couldn\'t parse this type hint, likely due to a custom class or object: ", typing.Literal[',
        ),
    ],
    ids=str,
)
def test_a_hint_without_a_counterpart_is_refused(hint: Any, message: str) -> None:
    with pytest.raises(TypeHintParsingException) as caught:
        describe_argument(hint)
    assert str(caught.value).startswith(message)


def test_the_refusal_of_a_custom_class_says_what_to_do_instead() -> None:
    with pytest.raises(TypeHintParsingException) as caught:
        describe_argument(bytes)
    assert str(caught.value) == (
        "Couldn't convert the type hint <class 'bytes'> to a JSON schema, likely because it is a custom class or "
        "object. Supported type hints are basic types like int, float, str and bool, Enum classes, typing.Literal, and "
        "list, tuple, dict and Union types containing those. If you need a more complex schema than that, you can "
        "write the JSON schema for your tool by hand and pass that instead of the function."
    )


def test_a_hint_that_cannot_be_looked_up_raises_what_python_raises() -> None:
    with pytest.raises(TypeError, match="unhashable type: 'list'"):
        describe_argument([int])
    with pytest.raises(NameError, match="name 'Missing' is not defined"):
        describe_argument("Missing")


def test_an_image_and_a_tensor_are_known_without_their_packages_being_imported() -> None:
    # Stand-ins in a process of its own: Pillow is no dependency, and a test must not import torch for its name.
    code = """
import sys, types
from turnwire.schema import get_json_schema
image_module, torch = types.ModuleType("PIL.Image"), types.ModuleType("torch")
class Image: pass
class Tensor: pass
image_module.Image, torch.Tensor = Image, Tensor
def tool(picture: Image, sound: Tensor):
    '''Do it.

    Args:
        picture: A
        sound: B
    '''
try:
    get_json_schema(tool)
except Exception as error:
    print(type(error).__name__)
sys.modules["PIL.Image"], sys.modules["torch"] = image_module, torch
properties = get_json_schema(tool)["function"]["parameters"]["properties"]
print(properties["picture"]["type"], properties["sound"]["type"])
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["TypeHintParsingException", "image", "audio"]


def test_two_calls_share_nothing() -> None:
    get_json_schema(get_exchange_rate)["function"]["parameters"]["properties"]["base"]["type"] = "changed"
    assert get_json_schema(get_exchange_rate)["function"]["parameters"]["properties"]["base"]["type"] == "string"


# --- signatures -------------------------------------------------------------------------------------------------------


def parameters_of(function: Callable[..., Any]) -> dict[str, Any]:
    return get_json_schema(function)["function"]["parameters"]


def test_only_arguments_without_a_default_are_required() -> None:
    def tool(a: int, b: int | None, c: int = 3, d: int | None = None) -> None:
        """Do it.

        Args:
            a: A
            b: B
            c: C
            d: D
        """

    # A hint that admits None does not make the argument optional: what counts is the default.
    assert parameters_of(tool)["required"] == ["a", "b"]
    assert parameters_of(tool)["properties"]["d"] == {"type": "integer", "nullable": True, "description": "D"}


def test_required_is_missing_where_nothing_is_required() -> None:
    def tool(a: int = 1) -> None:
        """Do it.

        Args:
            a: A
        """

    def nothing() -> None:
        """Do it."""

    assert "required" not in parameters_of(tool)
    assert parameters_of(nothing) == {"type": "object", "properties": {}}


def test_star_arguments_are_described_like_any_other() -> None:
    def tool(*numbers: int, flag: bool, **options: str) -> None:
        """Do it.

        Args:
            numbers: N
            flag: F
            options: O
        """

    assert parameters_of(tool) == {
        "type": "object",
        "properties": {
            "numbers": {"type": "integer", "description": "N"},
            "flag": {"type": "boolean", "description": "F"},
            "options": {"type": "string", "description": "O"},
        },
        "required": ["numbers", "flag", "options"],
    }


class Desk:
    def ring(self, times: int) -> None:
        """Ring the bell.

        Args:
            times: How often
        """

    @classmethod
    def open(cls, day: str) -> None:
        """Open a desk.

        Args:
            day: When
        """

    @staticmethod
    def close(day: str) -> None:
        """Close the desk.

        Args:
            day: When
        """


@pytest.mark.parametrize(
    ("function", "argument"),
    [(Desk().ring, "times"), (Desk.ring, "times"), (Desk.open, "day"), (Desk().open, "day"), (Desk.close, "day")],
)
def test_the_receiver_of_a_method_is_no_argument(function: Callable[..., Any], argument: str) -> None:
    assert parameters_of(function)["required"] == [argument]
    assert list(parameters_of(function)["properties"]) == [argument]


def test_a_first_argument_named_self_is_an_argument_if_it_has_a_hint() -> None:
    def tool(self: int, cls: int) -> None:
        """Do it.

        Args:
            self: S
            cls: C
        """

    assert parameters_of(tool)["required"] == ["self", "cls"]


def test_a_second_argument_named_cls_needs_a_hint() -> None:
    def tool(self, cls) -> None:
        """Do it."""

    with pytest.raises(TypeHintParsingException, match=r"^Argument cls is missing a type hint in function tool$"):
        get_json_schema(tool)


def test_a_decorated_function_is_described_by_what_it_wraps() -> None:
    @functools.wraps(get_exchange_rate)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        return get_exchange_rate(*args, **kwargs)

    assert get_json_schema(wrapper) == get_json_schema(get_exchange_rate)


def test_a_return_hint_that_cannot_be_described_is_left_out() -> None:
    def tool() -> Plain:
        """Make it.

        Returns:
            The thing
        """
        return Plain()

    assert "return" not in get_json_schema(tool)["function"]


def test_the_return_description_needs_a_return_hint() -> None:
    def hinted() -> list[str]:
        """Make it.

        Returns:
            The things,
            all of them
        """
        return []

    def bare():
        """Make it.

        Returns:
            The thing
        """

    assert get_json_schema(hinted)["function"]["return"] == {
        "type": "array",
        "items": {"type": "string"},
        "description": "The things,\n    all of them",
    }
    assert "return" not in get_json_schema(bare)["function"]


def test_a_heading_with_nothing_below_it_opens_no_section() -> None:
    def tool() -> int:
        return 1

    tool.__doc__ = "Make it.\n\nReturns:\n    "
    assert get_json_schema(tool)["function"]["return"] == {"type": "integer"}


def test_an_argument_without_a_hint_is_refused() -> None:
    def get_rate(base, quote: str) -> float:
        """Look it up.

        Args:
            base: One
            quote: The other
        """
        return 1.0

    with pytest.raises(TypeHintParsingException, match=r"^Argument base is missing a type hint in function get_rate$"):
        get_json_schema(get_rate)


# --- docstrings -------------------------------------------------------------------------------------------------------


def read_docstring(docstring: str | None, *arguments: str) -> dict[str, Any]:
    """Return the tool that a docstring makes of a function with these arguments, all of them strings."""

    def get_rate():
        pass

    get_rate.__doc__ = docstring
    get_rate.__annotations__ = dict.fromkeys(arguments, str)
    parameter = inspect.Parameter
    get_rate.__signature__ = inspect.Signature(
        [parameter(name, parameter.POSITIONAL_OR_KEYWORD, annotation=str) for name in arguments]
    )
    return get_json_schema(get_rate)["function"]


def entries_of(docstring: str, *arguments: str) -> list[str]:
    properties = read_docstring(docstring, *arguments)["parameters"]["properties"]
    return [properties[name]["description"] for name in arguments]


@pytest.mark.parametrize("docstring", [None, ""])
def test_a_function_without_a_docstring_is_refused(docstring: str | None) -> None:
    with pytest.raises(DocstringParsingException) as caught:
        read_docstring(docstring, "base")
    assert str(caught.value) == "Cannot generate JSON schema for get_rate because it has no docstring!"


@pytest.mark.parametrize(
    "docstring",
    [
        "Look it up.",
        "Look it up.\n\nArgs:\n    quote: Q",
        "Look it up.\n\n:param base: Sphinx style\n:type base: str",
        "Look it up.\n\nParameters\n----------\nbase : str\n    NumPy style",
        "Look it up.\n\nArguments:\n    base: wrong heading",
        "Look it up.\n\nArgs: \n    base: a space after the heading",
        "Look it up. Args:\n    base: no line of its own",
        "Look it up.\n\nargs:\n    base: small letter",
        "Look it up.\n\nArgs:\n    base : a space before the colon",
        "Look it up.\n\nArgs:\n    base (a (nested) type): B",
        "Look it up.\n\nArgs:\n    base [str]: B",
        "Look it up.\n\nArgs:\n    - base: B",
        "Look it up.\n\nArgs:\n    quote: Q\n        base: deeper, so a part of quote's entry",
        "Look it up.\n\nArgs:\n    quote:\n    base: taken for the text of quote, which has none",
        "Look it up.\n\nArgs:\n    quote: see Returns:\n    base: after a heading in mid-sentence",
        "Args:\n    base: the docstring starts with the heading",
    ],
)
def test_a_docstring_without_an_entry_for_the_argument_is_refused(docstring: str) -> None:
    with pytest.raises(DocstringParsingException) as caught:
        read_docstring(docstring, "base")
    assert str(caught.value) == (
        "Cannot generate JSON schema for get_rate because the docstring has no description for the argument 'base'"
    )


@pytest.mark.parametrize(
    ("docstring", "entries"),
    [
        ("Do.\n\nArgs:\n    a: one\n    b: two", ["one", "two"]),
        ("Do.\nArgs:\n  a: one\n  b: two", ["one", "two"]),
        ("Do.\n\nArgs:\na: one\nb: two", ["one", "two"]),
        ("Do.\n\nArgs:\n    a (int): one\n    b(str, *optional*): two", ["one", "two"]),
        ("Do.\n\nArgs:\n\n    a: one\n\n\n    b: two\n\n", ["one", "two"]),
        ("Do.\n\nArgs:\n    b: two\n    a: one", ["one", "two"]),
        ("Do.\n\nArgs:\n    a: one,\n        and more\n          of it\n    b: two", ["one, and more of it", "two"]),
        ("Do.\n\nArgs:\n    a: one,\n    not indented\n    b: two", ["one, not indented", "two"]),
        ("Do.\n\nArgs:\n    a:\n        one\n    b:\n        two", ["one", "two"]),
        ("Do.\n\nArgs:\n    a: note: see b: there\n    b: two", ["note: see b: there", "two"]),
        ("Do.\n\nArgs:\n    a: one\n        hint: deeper\n    b: two", ["one hint: deeper", "two"]),
        ("Do.\n\nArgs:\n        a: one\n    b: two", ["one", "two"]),
        ("Do.\n\nArgs:\n    a:\n    c: swallowed\n    b: two", ["c: swallowed", "two"]),
        ("Do.\n\nArgs:\n    preamble\n    a: one\n    b: two", ["one", "two"]),
        ("Do.\n\nArgs:\n    a: first\n    b: two\n    a: last one counts", ["last one counts", "two"]),
        ("Do.\n\nArgs:\n\ta: one\n\t\tdeeper\n\tb: two", ["one deeper", "two"]),
        ("Do.\nMore.\n\n  Args:\n    a: one\n    b: two", ["one", "two"]),
        ("Do.\n\nReturns:\n    r\n\nArgs:\n    a: one\n    b: two", ["one", "two"]),
        ("Do.\n\nArgs:\n    a: one\n    b: two\n\nRaises:\n    ValueError: c", ["one", "two"]),
        ("Do.\n\nArgs:\n    a: one\n    b: two\n\nExamples:\n    >>> x", ["one", "two"]),
        ("Do.\n\nArgs:\n    a: one\n    b: two\nmore text", ["one", "two more text"]),
        ("Do.\n\nArgs:\n    a: one\n    b:", ["one", ""]),
        ("Do.\n\nArgs:\n    a: tea\u00a0\u2028\n    b:\u00a0two", ["tea", "two"]),
    ],
)
def test_the_entries_are_read(docstring: str, entries: list[str]) -> None:
    assert entries_of(docstring, "a", "b") == entries


def test_an_entry_may_have_any_word_for_a_name() -> None:
    assert entries_of("Do.\n\nArgs:\n    größe_2: wie groß", "größe_2") == ["wie groß"]


@pytest.mark.parametrize(
    ("docstring", "description"),
    [
        ("Do it.", "Do it."),
        ("  Do it.\n    And more.\n\n    Even more.  \n", "Do it.\nAnd more.\n\nEven more."),
        ("Do it.\n\nArgs:\n    x: X", "Do it."),
        ("Do it.\n\nReturns:\n    it", "Do it."),
        ("Do it, see Args: below.", "Do it, see"),
        ("KeyRaises: it", "Key"),
        ("Returns:\n    it", ""),
        ("Do it.\n\nNote:\n    now", "Do it.\n\nNote:\n    now"),
    ],
)
def test_the_description_is_what_stands_before_the_first_heading(docstring: str, description: str) -> None:
    assert read_docstring(docstring)["description"] == description


@pytest.mark.parametrize(
    ("entry", "schema"),
    [
        ('tea (choices: ["a", "b"])', {"type": "string", "enum": ["a", "b"], "description": "tea"}),
        ("score (choices: [1, 2, 3])", {"type": "string", "enum": [1, 2, 3], "description": "score"}),
        ('tea (CHOICES:[" a ", null])', {"type": "string", "enum": ["a", None], "description": "tea"}),
        ('(choices: ["a"])', {"type": "string", "enum": ["a"], "description": ""}),
        ('tea (choices: ["a)", "(b"])', {"type": "string", "enum": ["a)", "(b"], "description": "tea"}),
        ('tea (choices: ["a",\n        "b"])', {"type": "string", "enum": ["a", "b"], "description": "tea"}),
        ('tea (choices: {"a": 1})', {"type": "string", "enum": ["a"], "description": "tea"}),
        ('tea (choices:\u00a0["a"])', {"type": "string", "enum": ["a"], "description": "tea"}),
        ('tea (choices: ["a"]).', {"type": "string", "description": 'tea (choices: ["a"]).'}),
        ('tea (choice: ["a"])', {"type": "string", "description": 'tea (choice: ["a"])'}),
    ],
)
def test_choices_at_the_end_of_an_entry_become_an_enum(entry: str, schema: dict[str, Any]) -> None:
    tool = read_docstring(f"Do.\n\nArgs:\n    x: {entry}", "x")
    assert repr(tool["parameters"]["properties"]["x"]) == repr(schema)


def test_choices_replace_the_values_of_a_literal() -> None:
    def tool(x: Literal["a", "b"]) -> None:
        """Do it.

        Args:
            x: X (choices: ["c"])
        """

    assert parameters_of(tool)["properties"]["x"] == {"type": "string", "enum": ["c"], "description": "X"}


@pytest.mark.parametrize("choices", ["['a']", "[1", "", "a"])
def test_choices_that_are_no_json_raise_a_value_error(choices: str) -> None:
    with pytest.raises(ValueError, match=r"line 1 column"):
        read_docstring(f"Do.\n\nArgs:\n    x: X (choices: {choices})", "x")


def test_choices_that_are_no_list_raise_a_type_error() -> None:
    with pytest.raises(TypeError, match="'int' object is not iterable"):
        read_docstring("Do.\n\nArgs:\n    x: X (choices: 5)", "x")


def test_a_missing_hint_is_told_before_a_missing_entry() -> None:
    def tool(x) -> None:
        """Do it."""

    with pytest.raises(TypeHintParsingException):
        get_json_schema(tool)


# --- as a tool of a template ------------------------------------------------------------------------------------------

NOT_A_TOOL = (
    "Tools should either be a JSON schema, or a callable function with type hints and a docstring suitable for "
    "auto-conversion to a schema."
)


class CallableTool:
    """Do it."""

    def __call__(self, x: int) -> int:
        return x


@pytest.mark.parametrize(
    "tool", [functools.partial(get_exchange_rate, "EUR"), CallableTool(), CallableTool, len, "get_exchange_rate", None]
)
def test_what_is_neither_schema_nor_function_is_no_tool(tool: Any) -> None:
    with pytest.raises(ValueError) as caught:  # noqa: PT011
        render_chat([{"role": "user", "content": "hi"}], "{{ tools }}", tools=[tool])
    assert str(caught.value) == NOT_A_TOOL


def test_a_function_among_the_tools_comes_to_its_schema() -> None:
    text = render_chat(
        [{"role": "user", "content": "hi"}], "{{ tools[0].function.return|tojson }}", tools=[get_exchange_rate]
    )
    assert text == '{"type": "number"}'
