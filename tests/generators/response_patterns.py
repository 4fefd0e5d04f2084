"""Random delimiters for response templates, and texts that match them, nearly match them, or look like them."""

from __future__ import annotations

import random

__all__ = ["ANCHORED", "FAMILIAR", "LETTERS", "invent_pattern", "write_match"]

LETTERS = "ab<|>/ \n"
"""Few, so that random patterns and random texts meet."""

FAMILIAR = {
    # as models' templates have them
    r"</think>\s*": ("</think>", "</think>\n\n", "</think> \n x"),
    r"\s*<tool_call>": ("<tool_call>", "\n\n<tool_call>", " \n <tool_call"),
    r"\s*(?:<\|im_end\|>|<\|endoftext\|>|<\|eot_id\|>)": ("<|im_end|>", "\n<|endoftext|>", " <|im_end|>\n<|eot_id|>"),
    r"<\|im_end\|>\s*": ("<|im_end|>", "<|im_end|>\n"),
    r"<tool_call>\s*<function=(?P<name>[^\n>]+)>": ("<tool_call>\n<function=f>", "<tool_call><function=a b>"),
    r"<tool_call>(?P<name>\S+)\n?": ("<tool_call>get\n", "<tool_call>get", "<tool_call>get<x>\n"),
    r"<\|tool_call>call:(?P<name>\w+)": ("<|tool_call>call:f", "<|tool_call>call:get_x{"),
    r"<\|user\|>\s*|$": ("<|user|>", "<|user|>\n", "\n"),
    r"(?:<turn\|>|<\|tool_response>|<eos>)\s*|$": ("<turn|>", "<eos>\n", "<|tool_response>", "\n"),
    r"(?=[\s\S]*?</think>)": ("</think>", "x</think>"),
    r"(?=.*<end>)": ("<end>", "x<end>"),
    r"\)(?:\]<\|end\|>)?\s*": (")", ")]<|end|>", ")]<|en", ")]<|end|>\n"),
    r"(?:<\|start\|>\[|,\s*)(?P<name>\w+)\(": ("<|start|>[f(", ", g(", ",h("),
    r"to=functions\.(?P<name>\S+?)<\|channel\|>commentary\s+json<\|message\|>": (
        "to=functions.f<|channel|>commentary json<|message|>",
        "to=functions.f<|channel|>commentary \n json<|message|>",
        "to=functions.<|channel|>commentary ",
    ),
    r'\{"name":\s*"(?P<name>[^"]+)",\s*"parameters":\s*': (
        '{"name": "f", "parameters": ',
        '{"name":"f","parameters":{',
    ),
    r"END(?:SECTION_END)?": ("END", "ENDSECTION_END", "ENDSECTION"),
    r"``(?P<k>a|b)?(?:x*y)?": ("``", "``a", "``bxxy", "``xx"),
    r"<a>(?:.{2,4}?>|b)*?</a>": ("<a></a>", "<a>xx></a>", "<a>b</a>"),
    r"\s+#": (" #", "\n #"),
    r"<a>(?:x.)?": ("<a>", "<a>x", "<a>xy"),
    r"(?P<key>[<>]|=)(?:[^>]{2})?": ("<", "<a", "<ab", "=b", "<>"),
    r"[ab]+?(?:b<|<)": ("ab<", "b<", "aabb<"),
    r"\s*": (" ", "\n\n"),
    r"x*": ("x", "xx"),
    "": ("",),
}
"""Patterns and texts for them; most are plain, some match the empty text."""

ANCHORED = {
    r"^<a>": ("<a>",),
    r"<a>$": ("<a>", "<a>\n"),
    r"\n$": ("\n",),
    r"\Z": ("",),
    r"(?<=\n)<a>": ("\n<a>", "<a>"),
    r"(?<!a)b": ("b", "ab"),
    r"\b<": ("a<", "<"),
    r"<(?!/)": ("<a", "</"),
    r"<a(?=>|\Z)": ("<a>", "<a"),
    r"(?i)<A>": ("<a>", "<A>"),
    r"(?P<q>['\"]).*?(?P=q)": ("'x'", '"y'),
    r"(?>a+)b": ("aab", "aa"),
    r"a++b": ("aab", "aa"),
    r"(a|b)\1": ("aa", "ab"),
    r"(?:a|$)": ("a", ""),
    r"$|a": ("a", ""),
    r"\p{L}<": ("é<", "a<"),
    r"(?:<a>){e<=1}": ("<a>", "<b>"),
    r"<a>(?#note)": ("<a>",),
    r"[[:alpha:]]<": ("a<",),
    r"(?m)^#": ("\n#", "#"),
    r"\G<": ("<",),
    r"a\Kb": ("ab",),
    r"(?:a*)*<": ("aa<", "<"),
    r"a{,2}<": ("aaa<",),
    r"a{2}{2}": ("aaaa",),
}
"""Patterns that a search cannot be carried on for, and some that are hard to read."""


QUANTIFIERS = ("",) * 8 + ("*", "+", "?", "*?", "+?", "??", "{2}", "{1,2}", "{1,}?", "{,2}")


def invent_pattern(rng: random.Random, depth: int = 2, tame: bool = True) -> str:
    """Return a random pattern, most of the time a plain one.

    A *tame* one repeats no group that can be repeated in several ways, which would take regex for ever.
    """
    branches = [_invent_branch(rng, depth, tame) for _ in range(rng.choice((1, 1, 1, 2, 3)))]
    return "|".join(branches) + rng.choice(("",) * 7 + ("|$",))


def _invent_branch(rng: random.Random, depth: int, tame: bool) -> str:
    return "".join(_invent_part(rng, depth, tame) for _ in range(rng.randint(1, 4)))


def _invent_part(rng: random.Random, depth: int, tame: bool) -> str:
    kind = rng.random()
    quantifiers = QUANTIFIERS
    if depth and kind < 0.2:
        opening = rng.choice(("(?:", "(?:", "(", "(?P<name>", "(?P<key>"))
        inside = "|".join(_invent_branch(rng, depth - 1, tame) for _ in range(rng.randint(1, 2)))
        part = f"{opening}{inside})"
        if tame and any(sign in inside for sign in "*+?{|"):
            quantifiers = ("", "", "?", "??")
    elif kind < 0.4:
        part = rng.choice((r"\s", r"\S", r"\w", r".", r"[ab]", r"[^>]", r"[^<\n]", r"[^]a]", r"[\]\s]", r"\n", r"\d"))
    elif kind < 0.43:
        return rng.choice((r"$", r"^", r"\b", r"(?=a)", r"(?!a)", r"(?<=a)", r"\Z"))
    else:
        part = rng.choice(LETTERS).replace("|", r"\|")
    return part + rng.choice(quantifiers)


def write_match(rng: random.Random, texts: tuple[str, ...]) -> str:
    """Return one of *texts*, whole more often than cut, doubled or with something in it."""
    text = rng.choice(texts)
    kind = rng.random()
    if not text or kind < 0.6:
        return text
    place = rng.randint(0, len(text))
    if kind < 0.75:
        return text[:place]
    if kind < 0.8:
        return text[place:]
    if kind < 0.9:
        return text + text
    return text[:place] + rng.choice(LETTERS) + text[place:]
