"""A wire format as data: where reasoning, content and calls stand in a model's output, and how a call is written.

One interpreter (``wire/reader.py``) reads every format; what cannot be said here names a scanner of its own.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

__all__ = [
    "Body",
    "CallSyntax",
    "ElementBody",
    "HeadBody",
    "JsonBody",
    "PythonBody",
    "Reasoning",
    "TaggedBody",
    "WireFormat",
]

Codec = Literal["json", "python", "gemma", "functiongemma"]
"""How a value with brackets is written: JSON, Python literals, or bare keys with ``<|"|>`` or ``<escape>`` around
strings."""


@dataclass(frozen=True)
class Reasoning:
    """Where the model thinks aloud."""

    open: tuple[str, ...] = ("<think>",)
    """Marks that begin reasoning."""
    close: tuple[str, ...] = ("</think>",)
    """Marks that end it."""
    trim: bool = True
    """Drop white space at both ends; otherwise the text is kept as it is."""
    ends_at_call: bool = False
    """A call may follow without a closing mark; it ends the reasoning."""
    at_start_only: bool = False
    """Opening marks count only before any content; behind it they are talked about."""
    paired: bool = False
    """The first closing mark ends what the first opening mark began, and so on; otherwise any ends it."""


@dataclass(frozen=True)
class JsonBody:
    """Name and arguments inside JSON: one object, or an array of them."""

    name_keys: tuple[str, ...] = ("name",)
    argument_keys: tuple[str, ...] = ("arguments", "parameters")
    id_keys: tuple[str, ...] = ("id",)
    wrapper: str | None = "function"
    """Key of an inner object that may hold name and arguments."""
    name_is_key: bool = False
    """Each object is ``{NAME: ARGUMENTS}``."""
    arguments_required: bool = False
    """An object with a name alone is no call."""
    shape: Literal["object", "array", "either"] = "either"
    codec: Codec = "json"


@dataclass(frozen=True)
class HeadBody:
    """The name in front of the arguments, which are one value."""

    until: tuple[str, ...]
    """Marks that end the head."""
    pattern: str = r"\s*(?P<name>\S(?:.*\S)?)\s*"
    """Regular expression with ``name`` and perhaps ``id`` that the whole head has to match."""
    id: str = ""
    """How an id is spelled, in the pattern's groups, where all of them are there; otherwise it is kept as written."""
    keeps_mark: bool = False
    """The mark that ends the head is the first character of the arguments."""
    codec: Codec = "json"
    tail: tuple[str, ...] = ()
    """What may stand between the arguments and the closing mark."""


@dataclass(frozen=True)
class TaggedBody:
    """Each argument in marks of its own."""

    name_until: tuple[str, ...]
    """Marks that end the name, and are taken."""
    name_before: tuple[str, ...] = ()
    """Marks that end the name, and are left for what follows."""
    name_pattern: str = r"\s*(?P<name>\S(?:.*\S)?)\s*"
    self_close: tuple[str, ...] = ()
    """Marks that end the name and the call at once."""
    key_open: tuple[str, ...] = ()
    key_until: tuple[str, ...] = ()
    key_pattern: str = r"\s*(?P<key>\S(?:.*\S)?)\s*"
    """May capture ``type`` as well: a JSON type's name, or ``true`` for text and ``false`` for JSON."""
    value_open: tuple[str, ...] = ()
    value_close: tuple[str, ...] = ()
    trim: Literal["none", "newline", "space"] = "none"
    """What of a value's white space belongs to the marks: nothing, one line break at each end, or all of it."""
    strict_close: bool = False
    """A closing mark counts only where an argument or the end of the call follows; elsewhere it is data."""
    recover: bool = False
    """A value that lacks its closing mark ends at the next argument or the end of the call, at the start of a line."""
    recover_at_end: bool = False
    """The last value may lack its closing mark where the call's stands at the very end of a turn that is over."""
    unescape: bool = False
    """Keys and attributes are written with XML entities."""
    quotes: tuple[str, str] | None = None
    """Marks that may stand around a value, directly inside of its own."""


@dataclass(frozen=True)
class ElementBody:
    """Each argument in an element that is named after it, with more inside where the value is an object or array."""

    name_until: tuple[str, ...]
    """Marks that end the name, and are taken."""
    open: str
    """What an element begins with; its name follows, and ``>``."""
    close: str
    """What an element ends with; its name follows, and ``>``."""
    name_pattern: str = r"\s*(?P<name>\S(?:.*\S)?)\s*"
    item: str = "item"
    """The name of an array's elements."""


@dataclass(frozen=True)
class PythonBody:
    """Calls as Python writes them, ``f(a=1)``, one or a list of them."""

    brackets: Literal["always", "never", "either"] = "either"
    unescaped: bool = False
    """Strings may hold their own quotation mark: it ends one only where a comma, colon or closing bracket follows."""


Body = JsonBody | HeadBody | TaggedBody | ElementBody | PythonBody


@dataclass(frozen=True)
class CallSyntax:
    """One way in which a format writes calls."""

    body: Body
    open: tuple[str, ...] = ()
    """Marks in the running text after which calls stand; none: the calls are all there is, from the start."""
    close: tuple[str, ...] = ()
    """Marks that end them; none: they end with the last bracket."""
    call_open: tuple[str, ...] = ()
    """Marks before each call where *open* begins a section of several."""
    call_close: tuple[str, ...] = ()
    """Marks after each call of a section."""
    confirm: str = ""
    """Regular expression that has to match behind the opening mark, or the mark is text; of bounded length."""
    bare_confirm: str = ""
    """The same behind a *call_open* mark without a section around it; none: such a call does not count."""
    separators: tuple[str, ...] = ()
    """What may stand between two calls that no mark announces, besides white space. Behind an opening mark there is one
    call alone where there are none."""
    tentative: bool = False
    """What turns out to be no call is content, marks and all, since the marks are used for more; so that no call is
    announced before its end. Without sections."""


@dataclass(frozen=True)
class WireFormat:
    """How one kind of model writes its output."""

    calls: tuple[CallSyntax, ...] = ()
    reasoning: Reasoning | None = None
    header: tuple[str, ...] = ()
    """What a prompt ends in before the model's own text, so that prefilled text can be told from earlier turns."""
    prefill: str = ""
    """What the prompt usually has written of the model's turn already, for callers who do not pass the prompt."""
    lead: tuple[str, ...] = ()
    """What the model may write in front of everything else, where its templates have it behind the header."""
    content_trim: Literal["none", "calls", "after_reasoning"] = "none"
    """White space around calls belongs to the marks, or only that after reasoning, or none of it."""
    dropped: tuple[str, ...] = ()
    """Marks that mean nothing where content stands."""
    stop: tuple[str, ...] = ()
    """Marks that end the turn; what follows one is not read."""
    scanner: str | None = None
    """Name of the scanner for a format that the fields above cannot describe."""
