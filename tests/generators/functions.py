"""Random functions to be described as tools, right ones and wrong ones; the same seed gives the same function."""

from __future__ import annotations

import enum
import functools
import random
import typing
from collections.abc import Callable
from typing import Any

__all__ = ["generate_docstring", "generate_function"]


class Unit(enum.Enum):
    METRE = "m"
    FOOT = "ft"
    ALIAS = "m"  # noqa: PIE796


class Level(enum.IntEnum):
    LOW = 1
    HIGH = 2


class Mixed(enum.Enum):
    ONE = 1
    HALF = 0.5
    YES = True
    NONE = None
    TEXT = " t "


class Bits(enum.Flag):
    A = 1
    B = 2


class Empty(enum.Enum):
    pass


class Pairs(enum.Enum):
    A = (1, 2)


class Plain:
    pass


class Row(typing.TypedDict):
    key: str


class Point(typing.NamedTuple):
    x: int


UserId = typing.NewType("UserId", int)
T = typing.TypeVar("T")

NAMES: dict[str, Any] = {
    name: value
    for name, value in {**vars(typing), **globals()}.items()
    if isinstance(value, type) or name in typing.__all__ or name in ("UserId", "T")
} | {"typing": typing, "Callable": Callable, "Some": int}

BARE = ("int", "float", "str", "bool", "None", "Any", "list", "tuple", "dict", "List", "Tuple", "Dict")
CLASSES = ("Unit", "Level", "Mixed", "Bits", "Empty", "Pairs")
LITERALS = (
    *("Literal['a', 'b']", "Literal[1, 2.5]", "Literal['x', None]", "Literal[True, 1, 'a']", "Literal[()]"),
    *("Literal[Unit.METRE]", "Literal['a', 'a']", "Literal[b'a']", "Literal[Literal['n'], 'm']"),
)
WRONG = (
    *(
        "set[int]",
        "frozenset",
        "Plain",
        "Row",
        "Point",
        "UserId",
        "T",
        "bytes",
        "complex",
        "object",
        "type",
        "type[int]",
    ),
    *("Callable[[int], str]", "Callable", "typing.Sequence[int]", "Iterable", "Union", "Optional", "Literal", "[int]"),
    *(
        "{'a': int}",
        "(int, str)",
        "1",
        "...",
        "Unit.METRE",
        "'Missing'",
        "'int +'",
        "Generic",
        "Final[int]",
        "int | 'str'",
    ),
)


def generate_hint(rng: random.Random, depth: int = 0) -> str:
    """Return a type hint as source text."""
    draw = rng.random()
    if draw < 0.35 or depth > 3:
        return rng.choice(BARE)
    if draw < 0.45:
        return rng.choice(CLASSES)
    if draw < 0.55:
        return rng.choice(LITERALS)
    if draw < 0.60:
        return rng.choice(WRONG)
    inner = [generate_hint(rng, depth + 1) for _ in range(rng.randint(1, 3))]
    if draw < 0.72:
        return " | ".join([*inner, rng.choice(BARE)])
    form = rng.choice(
        (
            *(
                "Optional[{0}]",
                "Union[{all}]",
                "list[{0}]",
                "List[{0}]",
                "tuple[{all}]",
                "Tuple[{all}]",
                "tuple[{0}, ...]",
            ),
            *(
                "dict[str, {0}]",
                "Dict[str, {0}]",
                "dict[{all}]",
                "tuple[()]",
                "list[{all}]",
                "Annotated[{0}, 'note']",
                "'{0}'",
            ),
        )
    )
    return form.format(*inner, all=", ".join(inner))


WORDS = (
    "the",
    "amount",
    "of",
    "text",
    "a:",
    "b",
    "note:",
    "e.g. 'x'",
    "(optional)",
    "ключ",
    "see Args",
    "1.",
    "x=y",
    "—",
)
CHOICES = (
    *(
        '(choices: ["a", " b "])',
        "(choices: [1, 2.5, null])",
        "(Choices:[true])",
        '(choices: {"k": 1})',
        '(choices: "ab")',
    ),
    *(
        "(choices: 5)",
        "(choices: [1)",
        "(choices: )",
        "(choices: ['a'])",
        "(choices: [1]) (choices: [2])",
        "(choices: [1]) end",
    ),
    *("(choices:\u00a0[1]  )", "(choiceſ: [3])", '(CHOICES: ["ü"])'),
)
HEADINGS = (
    "Args:",
    "Returns:",
    "Raises:",
    "Examples:",
    "Note:",
    "Arguments:",
    "Args: ",
    "Parameters\n----------",
    "Yields:",
)


def generate_docstring(rng: random.Random, arguments: list[str]) -> str:
    """Return a docstring that mostly describes *arguments* in Google's style, and is often a little off."""
    lines = ["" if rng.random() < 0.1 else _sentence(rng)]
    lines += [_sentence(rng) for _ in range(rng.choice((0, 0, 1, 2)))]
    if rng.random() < 0.9:
        lines += [""] * rng.choice((0, 1, 1, 2))
        lines.append("Args:" if rng.random() < 0.9 else rng.choice(HEADINGS))
        for argument in arguments:
            lines += _entry(rng, argument)
    if rng.random() < 0.5:
        lines += [""] * rng.choice((0, 1, 2))
        lines.append("Returns:" if rng.random() < 0.8 else rng.choice(HEADINGS))
        lines.append("    " + _sentence(rng))
    if rng.random() < 0.3:
        lines += ["", rng.choice(HEADINGS), "    ValueError: " + _sentence(rng)]
    for _ in range(rng.choice((0, 0, 0, 1, 3))):
        place = rng.randrange(len(lines) + 1)
        lines.insert(
            place,
            rng.choice(("", "   ", "\t", "    x: stray", ":param x: Sphinx", "  Args:", "\r", "\x0b y: z", "\x85")),
        )
    margin = rng.choice(("", "    ", "\t"))
    return "\n".join(lines[:1] + [margin + line for line in lines[1:]])


def _sentence(rng: random.Random) -> str:
    return " ".join(rng.choice(WORDS) for _ in range(rng.randint(1, 5)))


def _entry(rng: random.Random, argument: str) -> list[str]:
    if rng.random() < 0.03:
        return []
    indent = rng.choice(("    ", "    ", "    ", "  ", "\t", "      ", ""))
    kind = rng.choice(("", "", "", "", " (int)", "(str, *optional*)", "  (`a`)", " (f(x))", " [int]", " "))
    text = rng.choice((" ", " ", " ", "", "  ", "\n" + indent + "    ")) + (
        "" if rng.random() < 0.05 else _sentence(rng)
    )
    lines = [f"{indent}{argument}{kind}:{text}"]
    for _ in range(rng.choice((0, 0, 0, 1, 2))):
        lines.append(indent + rng.choice(("    ", "  ", " ", "", "\t")) + _sentence(rng))
    if rng.random() < 0.2:
        lines[-1] += " " + rng.choice(CHOICES)
    if rng.random() < 0.1:
        lines.append("")
    return lines


def generate_function(seed: int) -> Callable[..., Any]:
    """Return a function, method or other callable with random parameters, hints and docstring."""
    rng = random.Random(f"function {seed}")
    arguments = rng.sample(
        ["x", "y", "z", "café", "args_", "name", "Args", "self", "cls"], rng.choice((0, 1, 1, 2, 2, 3))
    )
    parameters = []
    has_default = False
    for argument in arguments:
        has_default = has_default or rng.random() < 0.25
        hint = "" if rng.random() < 0.03 else ": " + generate_hint(rng)
        default = rng.choice((" = None", " = 5", " = 'a'", " = ...", " = Any")) if has_default else ""
        parameters.append(argument + hint + default)
    if rng.random() < 0.06:
        parameters.insert(rng.randrange(len(parameters) + 1), "*")
        if parameters[-1] == "*":
            parameters.append("last: " + generate_hint(rng))
            arguments.append("last")
    elif rng.random() < 0.06:
        parameters.append(rng.choice(("*rest: ", "**rest: ")) + generate_hint(rng))
        arguments.append("rest")
    kind = rng.choice(("function",) * 6 + ("method", "classmethod", "staticmethod", "wrapped", "unbound", "future"))
    if kind in ("method", "unbound"):
        parameters.insert(0, "self")
    elif kind == "classmethod":
        parameters.insert(0, "cls")
    returned = "" if rng.random() < 0.5 else " -> " + generate_hint(rng)
    try:
        function = _define(f"def tool({', '.join(parameters)}){returned}: pass", kind)
    except Exception:
        return generate_function(seed + 1_000_000)  # such a function cannot be written at all
    if rng.random() < 0.2:
        rng.shuffle(arguments)
    target = getattr(function, "__func__", function)
    target.__doc__ = None if rng.random() < 0.02 else generate_docstring(rng, arguments)
    return function


def _define(source: str, kind: str) -> Callable[..., Any]:
    namespace = dict(NAMES)
    if kind == "future":
        source = "from __future__ import annotations\n" + source
    exec(compile(source, "<generated>", "exec", dont_inherit=True), namespace)
    tool = namespace["tool"]
    if kind == "wrapped":

        @functools.wraps(tool)
        def wrapper(*args: Any, **kwargs: Any) -> Any:
            return tool(*args, **kwargs)

        return wrapper
    if kind in ("function", "future"):
        return tool
    owner = type(
        "Owner", (), {"tool": {"classmethod": classmethod, "staticmethod": staticmethod}.get(kind, lambda f: f)(tool)}
    )
    return (owner if kind in ("unbound", "classmethod") else owner()).tool
