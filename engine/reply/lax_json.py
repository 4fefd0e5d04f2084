"""The ``json`` content parser: JSON, and the dialects that models write instead of it.

A dialect is undone before parsing: strings between the model's own marks are lifted out, bare keys get quotes, and the
strings come back as JSON strings. Each of these passes is linear in the text.
"""

from __future__ import annotations

import json
from typing import Any

import regex

__all__ = ["parse_lax_json"]

LIFTED_OPEN, LIFTED_CLOSE = "\x01", "\x02"
LIFTED = regex.compile(r"\x01(0|[1-9][0-9]*)\x02")

BARE_KEY = regex.compile(r"(?<=[{,])(\s*)(\w+)(\s*):")
STRING_OR_BARE_KEY = regex.compile(r'"(?:\\.|[^"\\])*(?P<closed>"?)|' + BARE_KEY.pattern)


def parse_lax_json(text: str, args: dict[str, Any]) -> Any:
    """Parse *text* as JSON in the dialect that *args* describes.

    ``string_delims`` holds pairs of marks that strings stand between, ``unquoted_keys`` says that keys are bare words,
    ``allow_non_json`` takes any other text as it is, less the space around it where ``strip`` says so.

    Raises:
        ValueError: it is not JSON.
    """
    delimiters = args.get("string_delims", [])
    bare_keys = args.get("unquoted_keys", False)
    if delimiters and (LIFTED_OPEN in text or LIFTED_CLOSE in text):
        raise ValueError("json: input contains reserved sentinel characters (\\x01/\\x02); cannot parse safely.")
    plain = text
    lifted: list[str] = []
    for opening, closing in delimiters:
        plain = _lift_strings(plain, opening, closing, lifted)
    if bare_keys:
        plain = _quote_bare_keys(plain)
    if lifted:
        plain = LIFTED.sub(lambda mark: _put_back(mark, lifted), plain)
    try:
        return json.loads(plain)
    except json.JSONDecodeError as error:
        if args.get("allow_non_json"):
            return text.strip() if args.get("strip", True) else text
        if plain == text:
            problem = f"json parser could not parse region as JSON.\nContent: {text!r}\nError: {error}"
        else:
            problem = (
                "json: could not parse after dialect transforms.\n"
                f"Original: {text!r}\nTransformed: {plain!r}\nError: {error}"
            )
        raise ValueError(problem) from error


def _lift_strings(text: str, opening: str, closing: str, lifted: list[str]) -> str:
    """Move what stands between the marks to *lifted* and leave its number behind."""

    def lift(body: str) -> str:
        lifted.append(body)
        return f"{LIFTED_OPEN}{len(lifted) - 1}{LIFTED_CLOSE}"

    if not (isinstance(opening, str) and isinstance(closing, str) and opening + closing):
        # Marks that no author would write; regex knows what they come to.
        pattern = regex.escape(opening) + r"(.*?)" + regex.escape(closing)
        return regex.sub(pattern, lambda string: lift(string[1]), text, flags=regex.DOTALL)
    pieces: list[str] = []
    pos = 0
    while (start := text.find(opening, pos)) >= 0:
        body = start + len(opening)
        if (end := text.find(closing, body)) < 0:
            break  # nor is there an end for a later opening
        pieces += (text[pos:start], lift(text[body:end]))
        pos = end + len(closing)
    return "".join((*pieces, text[pos:]))


def _put_back(mark: regex.Match[str], lifted: list[str]) -> str:
    number = int(mark[1])
    return json.dumps(lifted[number]) if number < len(lifted) else mark[0]


def _quote_bare_keys(text: str) -> str:
    """Quote the words that stand between ``{`` or ``,`` and ``:``, except inside of quoted strings.

    A quote that nothing closes opens no string, nor does any quote after it up to where the search for its end stopped.
    """

    def quote(part: regex.Match[str]) -> str:
        if part[3] is not None:
            return _quote_key(part[2], part[3], part[4])
        if part["closed"]:
            return part[0]
        keys = BARE_KEY.finditer(text, part.start(), part.end())
        pieces: list[str] = []
        pos = part.start()
        for key in keys:
            pieces += (text[pos : key.start()], _quote_key(*key.groups()))
            pos = key.end()
        return "".join((*pieces, text[pos : part.end()]))

    return STRING_OR_BARE_KEY.sub(quote, text)


def _quote_key(before: str, word: str, after: str) -> str:
    return f'{before}"{word}"{after}:'
