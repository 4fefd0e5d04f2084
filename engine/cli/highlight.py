"""A prompt made visible: control tokens and roles in colour, white space and control characters as signs."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator
from typing import Any, NamedTuple

from rich.console import Console
from rich.segment import Segment, Segments
from rich.style import Style

__all__ = ["STYLES", "Kind", "Piece", "classify_prompt", "print_pieces", "show_signs"]

# Without a tokenizer nobody can tell what is a control token, so form and origin decide: a mark is anything that has
# one of these forms and that the template wrote. Forms: <|…|>, <|…>, <…|> (also with full-width bars), <word>,
# </word>, <<SYS>>, [WORD], [|word|] and MiniMax's ]~b] and [e~[. No hyphens, which stand in placeholders such as
# <function-name>. Origin: the same conversation is rendered once more with a private character inside the caller's
# own marks; where it comes out, the mark is the caller's. With a tokenizer the marks are exactly its added tokens.
_MARK_FORMS = re.compile(
    r"<\|[^<>|\s]{1,60}\|?>|<[^<>|\s]{1,60}\|>|<｜[^<>｜]{1,60}｜>"
    r"|<</?[A-Z]+>>|</?[A-Za-z_][A-Za-z0-9_.:]{0,60}>"
    r"|\[\|/?\w{1,40}\|\]|\[/?[A-Z][A-Z_]{1,40}\]|\]~!?b\[?\]?|\[e~\["
)

_ROLES = frozenset(
    ["assistant", "developer", "environment", "function", "ipython", "model", "observation", "system", "tool", "user"]
)
"""Roles that templates write in place of the conversation's own, or beside them."""

Kind = str
"""``text``, ``mark`` (a control token), ``role``, or ``foreign`` (a control token that the caller's text holds)."""

STYLES = {
    "text": Style(),
    "mark": Style.parse("cyan"),
    "role": Style.parse("bold magenta"),
    "foreign": Style.parse("bold red reverse"),
}
"""How each kind is drawn."""
_SIGN_STYLE = Style.parse("dim")


class Piece(NamedTuple):
    """A stretch of a prompt."""

    text: str
    """The characters."""
    kind: Kind
    """What they are."""


def classify_prompt(
    prompt: str,
    inputs: Any,
    render: Callable[[Any], str],
    *,
    marks: Collection[str] = (),
    roles: Iterable[str] = (),
) -> list[Piece]:
    """Cut *prompt* into pieces of one kind each; joined they are the prompt.

    *inputs* is what the caller passed (messages, tools and so on, as JSON data), and *render* makes the prompt of such.
    *marks* are the tokenizer's added tokens, where there is a tokenizer. *roles* are those of the conversation.
    """
    pattern = re.compile("|".join(map(re.escape, sorted(marks, key=len, reverse=True)))) if marks else _MARK_FORMS
    foreign = _find_foreign_marks(prompt, inputs, render, pattern)
    found = [match.span() for match in pattern.finditer(prompt)]
    own = {prompt[start:end] for start, end in found if start not in foreign}
    role_names = _ROLES | set(roles)
    pieces: list[Piece] = []
    pos = 0
    for start, end in found:
        mark = prompt[start:end]
        if start in foreign and not (marks or mark in own or "|" in mark):
            continue  # the caller's text has something like <div> in it, which is no control token here
        pieces += _split_role(prompt[pos:start], role_names, after_mark=bool(pieces) and pieces[-1].kind == "mark")
        pieces.append(Piece(mark, "foreign" if start in foreign else "mark"))
        pos = end
    pieces += _split_role(prompt[pos:], role_names, after_mark=bool(pieces) and pieces[-1].kind == "mark")
    return pieces


def _split_role(text: str, roles: Collection[str], *, after_mark: bool) -> Iterator[Piece]:
    # A role stands right behind a control token and ends with the line, the header, or a blank before a recipient.
    word = re.match(r"[A-Za-z_]+(?=[\n: ]|$)", text) if after_mark else None
    if word is not None and word[0] in roles:
        yield Piece(word[0], "role")
        text = text[word.end() :]
    if text:
        yield Piece(text, "text")


def _find_foreign_marks(
    prompt: str, inputs: Any, render: Callable[[Any], str], pattern: re.Pattern[str]
) -> frozenset[int]:
    """Return where in *prompt* those marks begin that came out of the caller's strings."""
    strings = list(_list_strings(inputs))
    present = "".join(strings) + prompt
    private = next(sign for sign in map(chr, range(0xE000, 0xF8FF)) if sign not in present)

    def find_starts(marks: Collection[str]) -> list[int] | None:
        try:
            broken = render(_break_marks(inputs, pattern, marks, private))
        except Exception:  # the template refuses the broken mark, so the mark means something to it
            return None
        if broken.replace(private, "") != prompt:
            return None
        return [match.start() - 1 - number for number, match in enumerate(re.finditer(private, broken))]

    marks = {match[0] for string in strings for match in pattern.finditer(string)}
    if (starts := find_starts(marks) if marks else []) is None:
        # The template looks for one of them, as for </think>; taken one by one that spoils the answer for one alone.
        starts = [start for mark in marks for start in find_starts([mark]) or ()]
    return frozenset(starts)


def _list_strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, (dict, list)):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _list_strings(item)


def _break_marks(value: Any, pattern: re.Pattern[str], marks: Collection[str], private: str) -> Any:
    """Return *value* with *private* behind the first character of each of *marks* in its strings."""
    if isinstance(value, str):
        return pattern.sub(lambda found: found[0][0] + private + found[0][1:] if found[0] in marks else found[0], value)
    if isinstance(value, dict):
        return {key: _break_marks(item, pattern, marks, private) for key, item in value.items()}
    if isinstance(value, list):
        return [_break_marks(item, pattern, marks, private) for item in value]
    return value


# --- printing ---------------------------------------------------------------------------------------------------------

_WHITE_SPACE_SIGNS = {" ": "·", "\n": "↵\n", "\t": "⇥\t", "\r": "␍", "\xa0": "⍽"}


def show_signs(text: str, *, white_space: bool) -> Iterator[tuple[str, bool]]:
    """Cut *text* into ``(text, is_sign)``: control characters become signs, and white space where it is asked for.

    A control character that reached the terminal could move its cursor or write over what stands there.
    """
    for run in re.finditer(r"[^\s\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]+|.", text, re.DOTALL):
        sign = _find_sign(run[0], white_space) if len(run[0]) == 1 else None
        yield (run[0], False) if sign is None else (sign, True)


def _find_sign(character: str, white_space: bool) -> str | None:
    code = ord(character)
    if white_space and character in _WHITE_SPACE_SIGNS:
        return _WHITE_SPACE_SIGNS[character]
    if character in " \t\n":
        return None
    if code < 0x20:
        return chr(0x2400 + code)
    if code == 0x7F:
        return "␡"
    is_hidden = character.isspace() or not character.isprintable()
    return f"⟨U+{code:04X}⟩" if 0x80 <= code < 0xA0 or (white_space and is_hidden) else None


def print_pieces(console: Console, pieces: Iterable[Piece], *, white_space: bool = False) -> None:
    """Write *pieces* on *console*, each kind in its style, and signs for what cannot be seen."""
    segments = [
        Segment(text, STYLES[piece.kind] + _SIGN_STYLE if is_sign else STYLES[piece.kind])
        for piece in pieces
        for text, is_sign in show_signs(piece.text, white_space=white_space)
    ]
    if not segments or not segments[-1].text.endswith("\n"):
        segments.append(Segment.line())
    console.print(Segments(segments), soft_wrap=True, end="")
