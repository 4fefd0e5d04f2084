"""Response templates beside Transformers' parser: random ones, and searches beside regex's.

A case runs twice here, as shipped and with the sizes set low from which on texts are searched in other ways, so that
short texts come to all of them.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import pytest
import regex

from tests.generators.response_patterns import ANCHORED, FAMILIAR, LETTERS, invent_pattern, write_match
from tests.generators.response_templates import CONTENTS, generate_case
from tests.reference.response_outcomes import our_outcome, their_outcome
from turnwire.reply import (
    argument_types,
    call_list,
    content,
    delimiters,
    lax_json,
    lookout,
    pattern_machine,
    pattern_search,
    response_parser,
    response_template,
    transforms,
)
from turnwire.reply.pattern_machine import build_machine
from turnwire.reply.pattern_search import Search, find_all

SEEDS = range(1800)

generate = cache(generate_case)


@cache
def expected(seed: int) -> list[str]:
    """Return what Transformers makes of a case; asked for again by each mutant."""
    return their_outcome(generate(seed))


@pytest.fixture
def small_sizes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lookout, "STRIDE", 3)
    monkeypatch.setattr(lookout, "MOST_QUIET", 3)
    monkeypatch.setattr(pattern_search, "SHORT", 1)
    monkeypatch.setattr(pattern_machine, "MOST_MOVES", 4)


def differences(seeds: range) -> Iterator[int]:
    return (seed for seed in seeds if our_outcome(generate(seed)) != expected(seed))


# --- parsers ----------------------------------------------------------------------------------------------------------


def test_random_templates_and_replies_come_to_the_same() -> None:
    assert list(differences(SEEDS)) == []


@pytest.mark.usefixtures("small_sizes")
def test_they_do_when_texts_are_searched_in_small_parts() -> None:
    assert list(differences(SEEDS)) == []


def test_the_cases_get_to_all_of_the_language() -> None:
    reached: Counter[str] = Counter()
    for seed in SEEDS:
        template = generate(seed).template
        text = "\n".join(expected(seed))
        fields = template.get("fields") if isinstance(template, dict) else None
        for name, field in fields.items() if isinstance(fields, dict) else ():
            if isinstance(field, dict) and f"'region_close', 'field': '{name}'" in text:
                reached[f"content {field.get('content', 'text')}"] += 1
                reached.update(f"key {key}" for key in field)
        reached.update(found for found in (*ERRORS, "region_chunk") if found in text)
    wanted = {f"content {name}" for name in CONTENTS} | {f"key {name}" for name in response_template.FIELD_KEYS}
    assert {name for name in wanted | set(ERRORS) if not reached[name]} == set()


ERRORS = (
    *("mixes a {placeholder}", "is not defined. Available", "cannot index into", "is missing key", "must be a bool"),
    *("transform_each requires the parsed content to be a list", "transform_each requires each list element"),
    *("'join' requires each match", "'join' requires 'repeats'", "declares named group(s)", "unknown content parser"),
    *("At most one field may omit", "cannot specify both", "invalid open_pattern regex", "literals cannot be empty"),
    *("requires `prefix`", "Required response_template fields missing", "already finalized", "Unknown keys in"),
    *("could not parse region as JSON", "could not parse after dialect", "reserved sentinel", "python-call-list: "),
    *("xml-inline: tag_pattern must", "'tag_pattern' content_arg is required", "invalid literal for int"),
)


# --- mutants: what the seeds above have to notice ---------------------------------------------------------------------


def _forget_pending(watch: Any, text: str, base: int, pos: int, final: bool) -> Any:
    return watch.match, None


def _keep_threads(search: Search, pos: int) -> None:
    if search.pos < pos or (search.match and search.match[0] < pos):
        search.match, search.pos, search.starts, search.state = None, pos, (), search.machine.idle


def _keep_lazy(advance: Callable[..., None]) -> Callable[..., None]:
    """Trust a search's own word about where matches may begin behind a lazy repeat."""

    def mutant(watch: Any, text: str, base: int, pos: int, end: int, final: bool) -> None:
        advance(watch, text, base, pos, end, final)
        watch.asked = (base + len(text), watch.search.starts[0] if watch.search.starts else base + len(text))
        watch.pending = watch.search.starts[0] if watch.search.starts else None

    return mutant


MUTANTS: dict[str, tuple[Any, str, Any]] = {
    "JSON is not dirty": (response_template, "VERBATIM_PARSERS", frozenset({*content.VERBATIM_PARSERS, "json"})),
    "no literal goes on": (delimiters.Delimiter, "may_extend", False),
    "nothing is pending": (delimiters.PlainWatch, "settle", _forget_pending),
    "a match before the end is final": (delimiters.PlainWatch, "changes", lambda *_: False),
    "one before the end by regex, too": (delimiters.RegexWatch, "changes", lambda *_: False),
    "lazy repeats are exact": (delimiters.PlainWatch, "advance", _keep_lazy(delimiters.PlainWatch.advance)),
    "the same search goes on": (Search, "begin_at", _keep_threads),
    "the shortest comes first": (lookout.Watched, "rank", lambda self, span: (span[0], span[1], 0, self.field.name)),
    "closing comes before opening": (
        lookout.Watched,
        "rank",
        lambda self, span: (span[0], span[0] - span[1], self.opens, self.field.name),
    ),
    "all characters are quiet": (delimiters.PlainWatch, "passes", lambda *_: True),
    "empty values stay": (response_parser, "_is_empty", lambda value: False),
    "arguments are not cast": (response_parser, "cast_arguments", lambda *_: None),
    "null is not cast": (argument_types, "CASTS", {**argument_types.CASTS, "null": argument_types.CASTS["object"]}),
    "keys in strings get quotes": (
        lax_json,
        "STRING_OR_BARE_KEY",
        regex.compile(r"(?P<closed>\0)|" + lax_json.BARE_KEY.pattern),
    ),
    "strings are not put back": (lax_json, "_put_back", lambda mark, lifted: mark[0]),
    "surrogates pass": (call_list, "SURROGATE", call_list.re.compile("(?!)")),
    "placeholders are one word": (transforms, "PLACEHOLDER", regex.compile(r"\{(\w+)\}")),
}


@pytest.mark.parametrize("name", MUTANTS)
def test_the_seeds_tell_a_broken_parser(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    owner, attribute, replacement = MUTANTS[name]
    monkeypatch.setattr(owner, attribute, replacement)
    lookout._quiet_characters.cache_clear()
    try:
        assert next(differences(SEEDS), None) is not None
    finally:
        lookout._quiet_characters.cache_clear()


# --- searches ---------------------------------------------------------------------------------------------------------


def random_searches(count: int) -> Iterator[tuple[str, str]]:
    """Yield patterns that are plain, with texts."""
    rng = random.Random(0)
    familiar = list({**FAMILIAR, **ANCHORED}.items())
    for _ in range(count):
        if rng.random() < 0.3:
            pattern, texts = rng.choice(familiar)
            text = "".join(write_match(rng, texts) for _ in range(rng.randint(0, 3)))
        else:
            pattern = invent_pattern(rng, rng.choice((0, 1, 1, 2)), tame=False)
            text = "".join(rng.choice(LETTERS) for _ in range(rng.choice((2, 5, 8, 20))))
        try:
            regex.compile(pattern, regex.DOTALL)
        except regex.error:
            continue
        if (machine := build_machine(pattern)) is not None and not machine.program.or_end:
            yield pattern, text


@pytest.mark.parametrize("short", [1, 24])
def test_a_search_finds_in_a_growing_text_what_regex_finds(short: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pattern_search, "SHORT", short)
    compared = 0
    for pattern, text in random_searches(3000):
        compiled = regex.compile(pattern, regex.DOTALL)
        machine = build_machine(pattern)
        assert machine is not None
        search = Search(machine)
        try:
            for end in range(0, len(text) + 1, 1 if short == 1 else 5):
                search.advance(text[:end], 0, end)
                found = compiled.search(text[:end], partial=True, timeout=0.05)
                if not found.partial:
                    assert search.match == found.span(), (pattern, text[:end])
                    captured = compiled.match(text[:end], *found.span())
                    assert captured.groupdict() == compiled.search(text[:end]).groupdict()
                    continue
                beginning = search.starts[0] if search.starts else end
                assert search.match is None, (pattern, text[:end])
                # Behind a lazy repeat regex believes in beginnings that lead nowhere.
                assert found.start() == beginning or (machine.program.lazy and found.start() < beginning), (
                    pattern,
                    text,
                )
                compared += 1
        except TimeoutError:
            continue
    assert compared > 1500


def test_all_matches_are_those_of_finditer() -> None:
    matches = 0
    for pattern, text in random_searches(4000):
        try:
            theirs = list(regex.finditer(pattern, text, flags=regex.DOTALL, timeout=0.05))
        except TimeoutError:
            continue
        ours = list(find_all(pattern, text))
        assert [(m.span(), m.groups()) for m in ours] == [(m.span(), m.groups()) for m in theirs], (pattern, text)
        matches += len(ours)
    assert matches > 1000
