"""What random response templates and replies are made of: contents, patterns, transforms, tools and mistakes."""

from __future__ import annotations

from typing import Any

__all__ = [
    "CALL_FIELDS",
    "CONTENTS",
    "DEFAULTS",
    "LITERALS",
    "MISTAKES",
    "STRING_DELIMITERS",
    "TAG_PATTERNS",
    "TEMPLATE_MISTAKES",
    "TOOLS",
    "TRANSFORMS",
    "VALUE_PARSERS",
]

LITERALS = (
    *(
        "<think>",
        "</think>",
        "<|im_end|>",
        "<tool_call>",
        "</tool_call>",
        "<a>",
        "</a>",
        "<",
        "<<",
        "ab",
        "abc",
        "abab",
    ),
    *("a", "\n", "\n\n", " ", "[[", "]]", "｜", "<｜end▁of▁sentence｜>", '<|"|>', "a b", "(", "[", "\\", "-", "é"),
)

CONTENTS = {
    "text": (" words ", "a", "b c", "", "\t", "é", "<|", "true"),
    "int": ("7", " 42 ", "-3", "1_000", "x", "007", "٣", ""),
    "float": ("1.5", "nan", "1e400", " 2 ", "x"),
    "bool": ("true", "TRUE ", "0", "1", "no"),
    "json": (
        *(
            '{"a": 1}',
            '{"name": "f", "arguments": {"x": "1"}}',
            "[1, 2]",
            '[{"name": "f"}, {"name": "g"}]',
            "{}",
            '"s"',
        ),
        *(
            "{a: 1, b : true}",
            '{a:<|"|>v<|"|>}',
            "{'a': 'b'}",
            "{a:«x»,b:«y«}",
            '{a:"b:c", d:"\\"e:"}',
            "nope",
            "{",
            "1e999",
        ),
        *(
            '{a:"\\"b:1,c:',
            "{a:'\"b\"'}",
            "\x01",
            "{a:«1»,«b»:2}",
            "NaN",
            '{a:"x,b:1", c:2}',
            "\x01{}",
            "[1]",
            "{a:{b:[1,{c:null}]}}",
            "5" * 40,
            '{"a":1,"a":2}',
        ),
    ),
    "xml-inline": (
        *(
            "<p=a>1</p>",
            "<p=a>\n x \n</p>",
            '<p=b>{"k": 1}</p>',
            "<p=a>1</p><p=a>2</p><p=a>3</p>",
            "<p=a>",
            "<p=",
            "</p>",
        ),
        *(
            "<k>a</k>\n<v>1</v>",
            "<k>a</k> \n <v>x",
            "a='b', c=[1, {2}], d=5",
            "a=b)",
            "f='x,y'",
            "<p=a> </p>",
            "<q></q>",
        ),
    ),
    "kv-lines": ("a: 1\nb: 2", "a:1:2", "a", ":", "\n\n", " k : v \n", "a=1;b=2", "x=1"),
    "python-call-list": (
        *(
            '[f(a="b")]',
            "[f(a=1, b=[1, {'c': None}]), g()]",
            "[]",
            "[f()",
            "[f(1)]",
            "[f(a=1,)]",
            "[f(a=1, a=2)]",
            "[f(a=1)] x",
        ),
        *(
            "[a-b.c(x=-1.5e3)]",
            "['x']",
            "[f(a='\\u00e9\\n\\'')]",
            "[f(a='\\x')]",
            '[f(a="\\ud83d\\ude00")]',
            "[f(a='\\ud83d')]",
            "[f(a='\ud83d')]",
        ),
        *(
            "[f(a=9007199254740992)]",
            "[f(a=12345678901234567890)]",
            "[f(a=1e999)]",
            "[f(a={1: 2})]",
            "[f(a={'k': 1, 'k': 2})]",
        ),
        *(
            "[f(a='",
            "[f(a='\n')]",
            "[f (a = true , b=null)\t,\n]",
            "[1f()]",
            "[f(a=01)]",
            "[f(a=[[[" + "[" * 100,
            " [f(a={'k' 1})]",
        ),
    ),
}

TAG_PATTERNS = (
    r"<p=(?P<key>[^>\n]+)>\s*(?P<value>.*?)\s*</p>",
    r"<k>(?P<key>[^<]+)</k>\s*\n<v>(?P<value>.*?)</v>",
    r"(?P<key>\w+)=(?P<value>'[^']*'|[\[{](?:[^\[\]{}']|[\[{](?:[^\[\]{}'])*[\]}])*[\]}]|[^,)]*)",
    r"(?P<key>\w)(?P<value>=\w)?",
    r"<(?P<value>\w+)>",
    r"\w",
    r"(?P<key>\w+)",
    r"(?P<key>\s*)",
    r"(?P<key>a|b|$)(?P<value>.?)",
    r"(?P<key>[ab]+?)(?P<value>(?:b|ab)*)",
    r"(?<=<)(?P<key>\w)",
    r"(?P<key>",
    5,
)

STRING_DELIMITERS: tuple[Any, ...] = (
    *([['<|"|>', '<|"|>']], [["'", "'"]], [["«", "»"]], [["'", "'"], ["«", "»"]], [["", "a"]], [["a", ""]], []),
    *([["", ""]], [["0", "\x02"]], [[["a", "b"], "c"]], [["a"]], [[1, 2]]),
)

VALUE_PARSERS: tuple[Any, ...] = (
    *(
        None,
        {},
        {"name": "text"},
        {"name": "int"},
        {"name": "json"},
        {"name": "json", "args": {"allow_non_json": True}},
    ),
    *(
        {"name": "text", "args": {"strip": False}},
        {"name": "kv-lines", "args": {"kv_sep": "="}},
        {"name": "nope"},
        "text",
    ),
    {"name": "json", "args": {"string_delims": [["'", "'"]], "allow_non_json": True}},
)

TRANSFORMS: tuple[Any, ...] = (
    *("{content}", {"v": "{content}"}, {"type": "function", "function": {"name": "{name}", "arguments": "{content}"}}),
    *({"type": "function", "function": "{content}"}, ["{content}", 1, None, "x"], {"n": "{content.name}"}, "{key}", 5),
    *({"a": "{content.a}", "b": "{content.a.b}"}, "{name}", {"function": {"name": "f", "arguments": "{content}"}}, {}),
    *("text {content}", ["{content}{name}"], "{}", "{ content }", "{content.}", "literal", {"x": {"y": "{nope}"}}),
    {"type": "function", "function": {"name": "{name}", "arguments": "{arguments}"}},
)

CALL: dict[str, Any] = {"type": "function", "function": {"name": "{name}", "arguments": "{content}"}}

CALL_FIELDS: tuple[tuple[dict[str, Any], tuple[str, ...], tuple[str, ...], tuple[str, ...]], ...] = (
    (
        {
            "open_pattern": r"\s*<call>\s*<f=(?P<name>[^>\n]+)>",
            "close_pattern": r"</f>\s*</call>",
            "repeats": True,
            "content": "xml-inline",
            "content_args": {"tag_pattern": TAG_PATTERNS[0], "merge_duplicates": True},
            "transform": CALL,
        },
        ("<call><f=f>", "\n<call>\n<f=g>", "<call><f=f", "<call><f=get>"),
        (
            *(
                "<p=a>7</p>",
                "<p=a>x</p><p=b>true</p>",
                "<p=b>null</p><p=x>2e1</p>",
                "<p=x>7</p>\n<p=c>null</p>",
                "<p=b>[1]</p>",
            ),
            *("<p=a>1</p><p=a>2</p>", "<p=a>null</p><p=b> {} </p>", "<p=k>1</p><p=b>0</p>", "<p=b>[1]</p><p=b>7"),
        ),
        ("</f></call>", "</f>\n</call>", "</f>"),
    ),
    (
        {
            "open": "<calls>",
            "close": ["</calls>", "<end>"],
            "content": "python-call-list",
            "transform": {**CALL, "function": {"name": "{name}", "arguments": "{arguments}"}},
            "transform_each": True,
        },
        ("<calls>",),
        ("[f(a='7')]", "[f(a='7', b='true'), g(a='x')]", "[f(x=['1', 2])]", "[]", "f(a=1)", "[f(c='null', k='1')]"),
        ("</calls>", "<end>", "</call"),
    ),
    (
        {
            "open_pattern": r"<j>",
            "close": "</j>",
            "repeats": True,
            "content": "json",
            "transform": {"function": "{content}"},
        },
        ("<j>",),
        (
            '{"name": "f", "arguments": {"a": "7", "b": "0"}}',
            '[{"name": "f"}]',
            '{"name": "f", "arguments": "x"}',
            "{",
            '{"name": 5, "arguments": {}}',
        ),
        ("</j>", "</"),
    ),
    (
        {
            "open_pattern": r"<g>(?P<name>\w+)",
            "close": "<g/>",
            "repeats": True,
            "content": "json",
            "content_args": {"unquoted_keys": True, "string_delims": [["«", "»"]]},
            "transform": CALL,
        },
        ("<g>f", "<g>get"),
        ('{a:"x,b:1", c:2}', '{a:"7",b:«null»}', '{a:"\\",{b:"}', "{a:«x", '{a:"', '{ a : "b:1,c:"}'),
        ("<g/>",),
    ),
    (
        {"open": "<e>", "close": ["</e>"], "content": "json", "transform": "{name}", "transform_each": True},
        ("<e>",),
        ("[1]", '[{"name": 1}, {"name": {}}]', "{}", '[{"nom": 1}]', "[]"),
        ("</e>", "</e"),
    ),
)
"""Fields as models' templates have them, with texts that open, fill and close them."""

DEFAULTS: tuple[Any, ...] = (
    *({"role": "assistant"},) * 6,
    *({}, {"role": "assistant", "content": ""}, {"content": None}, {"tool_calls": []}, {"tool_calls": "x"}),
    *({"content": 5, "a": {"b": []}}, {"tool_calls": [{"kept": 1}]}, [], None),
)

PROPERTIES: tuple[dict[str, Any], ...] = (
    {
        "a": {"type": "integer"},
        "b": {"type": ["boolean", "null"]},
        "x": {"anyOf": [{"type": "number"}, {"type": "string"}]},
    },
    {"a": {"type": "string", "nullable": True}, "b": {"type": "array"}, "x": {"oneOf": [{"type": "object"}, {}]}},
    {"a": {"type": "boolean"}, "b": {"type": "number"}, "x": 5, "k": {"type": 5}, "c": {"type": "null"}},
    {"a": {"type": "array", "nullable": True}, "b": {"type": "object"}, "x": {"anyOf": None, "type": ["number", 1]}},
)


def _takes_numbers(a: int, b: str = "x") -> str:
    """Take numbers.

    Args:
        a: A number.
        b: A text.
    """
    return f"{a}{b}"


TOOLS: tuple[Any, ...] = (
    *(None,) * 3,
    *([],) * 2,
    *([{"type": "function", "function": {"name": "f", "parameters": {"properties": p}}}] for p in PROPERTIES),
    [{"name": "f", "parameters": {"properties": PROPERTIES[0]}}, {"name": "get", "parameters": None}, 5, {"name": 5}],
    [_takes_numbers, {"function": {"name": "g", "parameters": {"properties": []}}}],
    ({"name": "f", "parameters": {"properties": PROPERTIES[1]}},),
)

MISTAKES: tuple[tuple[str, Any], ...] = (
    *(
        ("open", ""),
        ("open", []),
        ("open", ["a", ""]),
        ("open", ["a", 5]),
        ("open", 5),
        ("close", None),
        ("close", ("a",)),
    ),
    *(
        ("open_pattern", "("),
        ("open_pattern", 5),
        ("close_pattern", "[a"),
        ("close_pattern", b"a"),
        ("content", "yaml"),
    ),
    *(("content", None), ("content", []), ("content_args", None), ("content_args", []), ("join", 5), ("join", "")),
    *(
        ("transform_each", 1),
        ("transform_each", True),
        ("unknown", 1),
        ("repeats", "yes"),
        ("optional", 0),
        ("repeats", None),
    ),
    *(
        ("close_pattern", "(?P<late>a)"),
        ("open_pattern", "a{1000,2}"),
        ("transform", "a {content}"),
        ("open", ["a", "a"]),
    ),
)

TEMPLATE_MISTAKES: tuple[tuple[str, Any], ...] = (
    *(
        ("version", 2),
        ("version", 1),
        ("version", "1"),
        ("version", 1.0),
        ("unknown", 1),
        ("fields", {}),
        ("fields", []),
    ),
    *(("fields", None), ("start_anchor", ""), ("start_anchor", 5), ("start_anchor_pattern", "("), ("defaults", [])),
    *(("start_anchor_pattern", "a"), ("defaults", None), ("fields", {"x": 5}), ("fields", {"x": {}, "y": {}})),
)
