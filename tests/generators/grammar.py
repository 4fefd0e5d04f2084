"""The grammar of what is generated: how each kind of expression is put together, and what the sandbox refuses.

The notation is that of ``vocabulary``, with ``<opaque>`` for objects that cannot be written down, and ``KIND``
for the kind that is wanted.
"""

from __future__ import annotations

from markupsafe import Markup

__all__ = [
    "CLOSED",
    "IMPLAUSIBLE",
    "LOOPS",
    "LOOP_ATTRIBUTES",
    "LOOSE",
    "METHOD_OWNERS",
    "NEGATED",
    "OPAQUE",
    "REFUSED",
    "REFUSED_TAGS",
    "TIGHT",
]

# Operators that bind tighter than `not`; in an operand hole they mostly stand in brackets.
TIGHT: dict[str, tuple[str, ...]] = {
    "text": (
        "<text!> ~ <any!>",
        "<text!> ~ <text!> ~ <number!>",
        "<text!> + <text!>",
        "<text!!> * <small!!>",
        "<small!!> * <text!!>",
        "'%s=%r' % (<any>, <any>)",
        "'%s' % [<any>]",
        "'%05.1f|%-6d|' % (<number>, <small>)",
        "'%(a)s' % {'a': <any>}",
    ),
    "small": (
        "<small!> + <small!>",
        "<small!> - <small!>",
        "<small!> % <count!>",
        "<small!> // <count!>",
        "-<small!!>",
        "+<small!!>",
    ),
    "count": ("<count!> + <count!>",),
    "number": (
        "<number!> + <number!>",
        "<number!> - <small!>",
        "<number!!> * <number!!>",
        "<number!> / <count!>",
        "<number!> // <count!>",
        "<number!> % <count!>",
        "<small!!> ** 2",
        "2 ** <count!!>",
        "-<number!!>",
    ),
    "bool": (
        "<any!> == <any!>",
        "<any!> != <any!>",
        "<number!> < <number!>",
        "<small!> >= <small!>",
        "<text!> > <text!>",
        "<small!> <= <small!> < <number!>",
        "<any!> in <list!>",
        "<text!> in <text!>",
        "<text!> not in <dict!>",
    ),
    "list": ("<list!> + <list!>", "<list!!> * <small!!>"),
}

# What binds less tightly still; in an operand hole it always stands in brackets.
LOOSE = (
    "<KIND> if <bool> else <KIND!>",
    "<KIND> if <bool> else <KIND!>",
    "<KIND!> or <KIND!>",
    "<any!> and <KIND!>",
    "<KIND> if <bool>",
)
NEGATED = ("not <bool!>", "<bool!> and <bool!>", "<bool!> or not <bool!>", "<any!>", "<any!>")

# What stands by itself, besides atoms, filters and methods.
CLOSED: dict[str, tuple[str, ...]] = {
    "text": (
        "<text!!>[<small>:<small>]",
        "<text!!>[:<count>]",
        "<text!!>[::-1]",
        "<text!!>[-<count!!>:]",
        "<text!!>[<small>]",
        "<row!!>.role",
        "<row!!>['content']",
        "<row!!>.get('name', <text>)",
        "'{}|{}'.format(<any>, <text>)",
        "'{0}{1!s:.3}{a!r:>4}'.format(<any>, <list>, a=<text>)",
        "'{:>6}{:.2f}'.format(<text>, <number>)",
        "joiner(<text>)()",
        "strftime_now('%d %B %Y')",
        "strftime_now(<text>)",
        "lipsum(n=1, html=<bool>, min=1, max=4)",
    ),
    "small": ("<list!!>|length", "<text!!>.count(<text>)", "range(<small>)|length"),
    "number": ("<small!!>.real", "<number!!>.imag"),
    "list": (
        "[<any>, <any>]",
        "[<text>, <text>, <text>]",
        "(<any>, <small>)",
        "range(<small>)",
        "range(<small>, <small>, <count>)|list",
        "<iter!!>|list",
        "<iter!!>|list",
        "<iter!!>|list",
        "<list!!>[1:]",
        "<list!!>[<small>:<small>:<count>]",
        "<text!!>.split(',')",
        "<dict!!>.keys()|list",
        "<pairs>",
        "<rows>",
    ),
    "dict": (
        "{<text>: <any>, <text>: <any>}",
        "{<small>: <any>}",
        "{'a': <any>, 'name': <text>}",
        "dict(a=<any>, b=<any>)",
        "dict(<pairs>)",
        "dict({'a': <any>}, **{'b': <any>})",
        "dict.fromkeys(('a', <text>), <any>)",
        "<row>",
    ),
    "rows": ("[<row>, <row>]", "<rows!!>[1:]", "[{'name': <text>, 'score': <number>}]"),
    "row": ("<rows!!>[0]", "<rows!!>|first", "{'role': <text>, 'content': <any>, 'name': <text>, 'score': <number>}"),
    "pairs": ("<dict!!>.items()", "<dict!!>|items", "[(<text>, <any>), (<text>, <any>)]"),
    "any": (
        "<dict!!>[<text>]",
        "<dict!!>['a']",
        "<dict!!>.get(<text>)",
        "<list!!>[<small>]",
        "<any!!>.name",
        "<any!!>['items']",
        "<row!!>.nested",
        "[<number>, <small>]|sum",
        "<list!!>.0",
        "<iter!!>|list",
        "<iter!!>|list",
        "<iter!!>|first",
        "<iter!!>|join(<text>)",
        "cycler(<any>, <any>).next()",
        "cycler('a', *<list>).current",
        "namespace(x=<any>).x",
        "<list!!>[1, 2]",
    ),
}

IMPLAUSIBLE = (
    "<any!!>()",
    "<text!!>(<any>)",
    "<any!!>.nested.deep",
    "<any!!>[<any>]",
    "<text!!> % <any!!>",
    "<text!!> * <text!!>",
    "<list!!> * 1.5",
    "<dict!!> + <list!!>",
    "<text!!> + <number!!>",
    "<any!!> < <any!!>",
    "<any!!> in <number!!>",
    "-<text!!>",
    "{<list>: 1}",
    "<number!!> / 0",
    "<small!!> % 0",
    "dict(<any>)",
    "<text!!>.nosuch()",
    "nowhere.nested",
    "nowhere + 1",
    "nowhere()",
    "<iter!!>[0]",
    "<any!!>|tojson|attr(<text>)",
    "<opaque>|tojson",
    "cycler()",
    "cycler.reset(strftime_now) or strftime_now.pos",
    "cycler.reset(namespace) or namespace().pos",
    "cycler.reset(dict)",
    "strftime_now.pos",
    "dict.pos",
)
"""What mostly raises."""

# Objects that print an address or where they are defined. A comparison can forget that in plain output, but not after
# `|upper`, so these are printed, asked about and passed on, and not worked upon.
OPAQUE = (
    "<text!!>.upper",
    "<list!!>|map('upper')",
    "<list!!>|batch(2)",
    "<list!!>|reverse",
    "<dict!!>.items",
    "<dict!!>.keys()",
    "'{0.upper}'.format(<text>)",
    "range",
    "dict",
    "namespace",
    "namespace(a=<any>)",
    "cycler(<any>)",
    "joiner()",
    "lipsum",
    "raise_exception",
    "strftime_now",
    "loop",
    "self",
    "caller",
    "varargs",
    "kwargs",
)

# What the sandbox and the environment refuse, by the name of the reason. Some are silent until the value is used.
REFUSED: dict[str, tuple[str, ...]] = {
    "private attribute": (
        "<text!!>.__class__",
        "<list!!>.__len__()",
        "<any!!>._x",
        "<text!!>.__class__.__mro__",
        "<dict!!>['__class__'].x",
        "loop._iterable",
    ),
    "private attribute by filter": (
        "<any!!>|attr('__class__')",
        "(<text!!>|attr('__mul__'))(2)",
        "<rows!!>|map(attribute='__class__')|list",
    ),
    "private attribute in a format": (
        "'{0.__class__}'.format(<any>)",
        "'{0.__class__.mro}'.format(<any>)",
        "('{0.__class__.x}'|safe).format(<any>)",
        "('{0.__init__.x}'|attr('format'))(<any>)",
        "'{a.__class__.x}'.format_map({'a': <any>})",
    ),
    "changing a list": (
        "<list!!>.append(<any>)",
        "<list!!>.clear",
        "<list!!>.extend(<list>)",
        "messages.insert(0, <row>)",
        "messages.pop()",
        "<list!!>.remove(<any>)",
        "<list!!>.reverse()",
        "<list!!>.sort(reverse=true)",
    ),
    "changing a dict": (
        "messages[0].clear()",
        "<dict!!>.pop('a')",
        "<dict!!>.popitem()",
        "<row!!>.setdefault('a', <any>)",
        "<dict!!>.update(<dict>)",
    ),
    "inside of a generator": ("(<list!!>|map('upper')).gi_frame.x", "(<list!!>|batch(2)).gi_code.co_code"),
    "inside of a function": ("raise_exception.__globals__", "lipsum.__code__.co_code", "<text!!>.upper.__self__.x"),
    "inside of a class": ("namespace.mro()", "cycler.__init__.__globals__", "joiner.__subclasses__()"),
    "private name in a namespace": ("namespace(_x=1)", "namespace(__class__=<any>)", "namespace({'_a': <any>})"),
    "range too long": ("range(100001)", "range(0, 99999999999999999999)", "range(-60000, 60000)|length"),
    "the template's own refusal": ("raise_exception(<text>)", "raise_exception(<any>)", "raise_exception('no')"),
}

LOOP_ATTRIBUTES: dict[str, tuple[str, ...]] = {
    "index": ("loop.index",),
    "index0": ("loop.index0", "loop['index0']"),
    "revindex": ("loop.revindex",),
    "revindex0": ("loop.revindex0",),
    "first": ("loop.first",),
    "last": ("loop.last",),
    "length": ("loop.length", "loop|length"),
    "depth": ("loop.depth",),
    "depth0": ("loop.depth0",),
    "previtem": ("loop.previtem", "(loop.previtem|default('none'))", "(loop.previtem is defined)"),
    "nextitem": ("loop.nextitem", "(loop.nextitem is defined)"),
    "cycle": ("loop.cycle(<any>, <any>)", "loop.cycle('odd', 'even')", "loop.cycle(1, *<list>)"),
    "changed": ("loop.changed(<any>)", "loop.changed(<any>, <any>)"),
}

METHOD_OWNERS: dict[str, tuple[type, str]] = {
    "str": (str, "<text!!>"),
    "Markup": (Markup, "(<text!!>|safe)"),
    "list": (list, "[<any>, <any>]"),
    "tuple": (tuple, "(<any>, <any>)"),
    "dict": (dict, "<dict!!>"),
    "int": (int, "<small!!>"),
    "float": (float, "2.5"),
    "dict_keys": (type({}.keys()), "<dict!!>.keys()"),
}
"""The types whose methods templates call, and an expression that gives one of them."""

# How the items of a loop are named, what they come from, and the kinds of the names.
LOOPS: tuple[tuple[str, str, dict[str, str]], ...] = (
    ("message", "messages", {"message": "row"}),
    ("message", "messages[<small>:]", {"message": "row"}),
    ("row", "<rows!>", {"row": "row"}),
    ("item", "<list!>", {"item": "any"}),
    ("item", "<list!!>[:3]", {"item": "any"}),
    ("item", "<iter!>", {"item": "any"}),
    ("key, value", "<pairs!>", {"key": "text", "value": "any"}),
    ("key, value", "<dict!!>.items()", {"key": "text", "value": "any"}),
    ("key, value", "<dict!!>|dictsort", {"key": "text", "value": "any"}),
    ("name, group", "<rows!!>|groupby('name')", {"name": "text", "group": "rows"}),
    ("(a, b), c", "[((1, 'x'), 2), (<list>, <any>)]", {"a": "any", "b": "any", "c": "any"}),
    ("i", "range(<small>)", {"i": "small"}),
    ("letter", "<text!!>[:4]", {"letter": "text"}),
    ("chunk", "<list!!>|batch(2)", {"chunk": "list"}),
    ("tool", "tools or []", {"tool": "dict"}),
    ("document", "documents or []", {"document": "dict"}),
    ("x", "<any!>", {"x": "any"}),
)

REFUSED_TAGS = (
    "include 'x'",
    "include 'x' ignore missing",
    "include ['a', 'b'] without context",
    "include [] ignore missing",
    "include <any> ignore missing with context",
    "import 'x' as y",
    "import <text> as y with context",
    "from 'x' import a, b as c",
    "from <any> import a with context",
    "extends 'x'",
    "extends <any>",
    "set table.x = 1",
    "set table.x = 1",
    "set nowhere.x = <any>",
)
"""Tags that want another template, of which there are none, or assign to what is no namespace."""
