"""Prompts encoded from what is known of earlier ones: the ids and offsets are the library's own for the whole text."""

from __future__ import annotations

import random
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier
from typing import Any

import pytest
from tokenizers import AddedToken, Regex, Tokenizer, models, normalizers, pre_tokenizers, processors

from tests.generators.tokenizers import (
    KINDS,
    REBUILT,
    edit_text,
    generate_odd_text,
    make_backend,
    make_odd_backend,
    write_model,
)
from turnwire.loading.files import read_model_files
from turnwire.tokens.anchors import AnchorTokens, find_obstacle
from turnwire.tokens.library_engine import LibraryEngine
from turnwire.tokens.prompt_cache import PromptCache, count_shared
from turnwire.tokens.tokenizer import load_tokenizer

SPECIAL = ("<|start|>", "<|end|>")


class CountingEngine(LibraryEngine):
    """Knows how many characters it was asked to encode."""

    characters = 0

    def encode_ids(self, text: str) -> list[int]:
        self.characters += len(text)
        return super().encode_ids(text)

    def encode_offsets(self, text: str) -> tuple[list[int], list[tuple[int, int]]]:
        self.characters += len(text)
        return super().encode_offsets(text)


def make_cache(
    backend: Tokenizer, anchors: AnchorTokens | None = None, **bounds: int
) -> tuple[PromptCache, CountingEngine]:
    engine = CountingEngine(backend)
    return PromptCache(engine, anchors or AnchorTokens(backend), **{"min_characters": 0, **bounds}), engine


def make_words(*added: AddedToken) -> Tokenizer:
    """Return a byte-level tokenizer that knows a few words, with the tokens *added* to it."""
    backend = make_backend("byte_level", 0)
    backend.add_tokens(list(added) or [AddedToken(token, normalized=False) for token in SPECIAL])
    return backend


def check(cache: PromptCache, backend: Tokenizer, text: str, *, with_offsets: bool = True) -> None:
    whole = backend.encode(text, add_special_tokens=False)
    prompt = cache.encode_prompt(text, with_offsets=with_offsets)
    assert prompt.text == text
    assert prompt.ids == whole.ids, text
    if with_offsets:
        assert prompt.offsets == whole.offsets, text


# --- what is reused ---------------------------------------------------------------------------------------------------


def test_of_a_grown_prompt_only_the_text_from_the_last_shared_anchor_on_is_encoded() -> None:
    backend = make_words()
    cache, engine = make_cache(backend)
    check(cache, backend, "<|start|>hello world<|end|>the fox<|start|>a")
    engine.characters = 0
    check(cache, backend, "<|start|>hello world<|end|>the fox<|start|>a test")
    assert engine.characters == len("<|start|>a test")
    check(cache, backend, "<|start|>hello world<|end|>the fox<|start|>a test")
    assert engine.characters == len("<|start|>a test")  # the same text costs nothing
    check(cache, backend, "<|start|>hello world<|end|>the dog<|end|>")
    assert engine.characters == len("<|start|>a test" + "<|end|>the dog<|end|>")


def test_what_is_handed_out_can_be_changed_without_harm(tmp_path: Path) -> None:
    config = {"tokenizer_class": "TokenizersBackend"}
    tokenizer = load_tokenizer(read_model_files(write_model(tmp_path, make_words(), tokenizer_config=config)))
    text = "<|start|>hello<|end|>" * 100
    arguments: dict[str, Any] = {"add_special_tokens": False, "is_prompt": True, "return_offsets_mapping": True}
    first = tokenizer(text, **arguments)
    first["input_ids"].clear()
    first["offset_mapping"].clear()
    again = tokenizer(text, **arguments)
    whole = tokenizer.backend.encode(text, add_special_tokens=False)
    assert (again["input_ids"], again["offset_mapping"]) == (whole.ids, whole.offsets)


def test_prompts_are_kept_up_to_a_number_and_a_size() -> None:
    backend = make_words()
    texts = [f"<|start|>{number}<|end|>{'hello ' * 10}" for number in range(6)]

    def count_encoded(bounds: dict[str, int], order: list[int]) -> int:
        cache, engine = make_cache(backend, **bounds)
        for number in order:
            engine.characters = 0
            check(cache, backend, texts[number])
        return engine.characters

    assert count_encoded({"max_prompts": 3}, [0, 1, 2, 0]) == 0
    assert count_encoded({"max_prompts": 3}, [0, 1, 2, 3, 0]) == len(texts[0])
    assert count_encoded({"max_prompts": 3}, [0, 1, 2, 0, 3, 0]) == 0  # the one used last stays
    assert count_encoded({"max_characters": 2 * len(texts[0])}, [0, 1, 0]) == 0
    assert count_encoded({"max_characters": 2 * len(texts[0])}, [0, 1, 2, 0]) == len(texts[0])
    assert count_encoded({"max_characters": len(texts[0]) - 1}, [0, 0]) == len(texts[0])


def test_a_normalized_token_is_an_anchor_only_where_nothing_is_normalized() -> None:
    for normalizer, encoded in ((None, len("<end>c")), (normalizers.NFC(), len("a<end>b<end>c"))):
        backend = make_words(AddedToken("<end>", normalized=True))
        if normalizer is not None:
            backend.normalizer = normalizer
        cache, engine = make_cache(backend)
        check(cache, backend, "a<end>b<end>")
        engine.characters = 0
        check(cache, backend, "a<end>b<end>c")
        assert engine.characters == encoded


def test_short_texts_are_encoded_as_they_are() -> None:
    backend = make_words()
    cache, engine = make_cache(backend, min_characters=30)
    for text, encoded in (("<|start|>hello<|end|>", 21), ("<|start|>hello<|end|>", 21), ("<|start|>" * 4, 36)):
        engine.characters = 0
        check(cache, backend, text)
        assert engine.characters == encoded
    engine.characters = 0
    check(cache, backend, "<|start|>" * 4)
    assert engine.characters == 0


def test_offsets_are_not_taken_from_a_prompt_that_has_none() -> None:
    backend = make_words()
    cache, _ = make_cache(backend)
    text = "<|start|>größer 日本<|end|>"
    for with_offsets in (False, True, False, True):
        text += "<|start|>é 😀 fox<|end|>"
        check(cache, backend, text, with_offsets=with_offsets)


# --- what is not ------------------------------------------------------------------------------------------------------


def raw(content: str, **flags: bool) -> AddedToken:
    return AddedToken(content, normalized=False, **flags)


END = raw("<|end|>")
HOSTILE: dict[str, tuple[tuple[AddedToken, ...], list[str]]] = {
    "a longer token begins with it": (
        (raw("<end>"), raw("<end>\n")),
        ["hello<end>", "hello<end>\nworld"],
    ),
    "a longer token holds it": ((raw("<end>"), raw("a<end>b")), ["a<end>", "a<end>b", "a<end>bc"]),
    "another ends with its beginning": ((raw("<end>"), raw("x<")), ["x<end>", "xx<end>", "<end>x<end>"]),
    "another ends with its beginning, later": ((raw("<end>"), raw("x<e")), ["<end>", "<end>x<end>", "x<end>a<end>"]),
    "it ends with its own beginning": ((raw("aba"),), ["aba", "ababa", "abababa"]),
    "it eats the space before it": ((raw("<end>", lstrip=True),), ["a  <end>b", "a  <end>bc", "a   <end>bc"]),
    "it eats the space behind it": ((raw("<end>", rstrip=True),), ["a<end>  ", "a<end>  b", "a<end>  b<end>"]),
    "it counts as a word alone": ((raw("end", single_word=True),), ["an end", "an end.", "an end.end", "an ending"]),
    "another counts as a word alone": (
        (END, raw("fox", single_word=True)),
        ["fox<|end|>", "fox<|end|>fox", "fox<|end|>foxes"],
    ),
    "it is white space": ((raw("\n\n"), raw("<end>", rstrip=True)), ["a\n\n", "a\n\n<end>\n\n", "<end>\n\n\na"]),
    "it is matched in normalized text": ((AddedToken("<end>", normalized=True),), ["a<end>", "a<end>b"]),
    "it is normalized, and a raw token stands in it": (
        (AddedToken("<end>", normalized=True), raw("en")),
        ["a<end>", "a<end>b<end>"],
    ),
    "it is normalized, and a raw token begins with its end": (
        (AddedToken("<end>", normalized=True), raw("d>x")),
        ["a<end>", "a<end>x", "a<end>xd>x<end>"],
    ),
    "it is normalized, and another ends with its beginning": (
        (AddedToken("<end>", normalized=True), AddedToken("a<", normalized=True)),
        ["b<end>", "a<end>", "b<end>a<end>"],
    ),
    "a normalized token reaches over it": (
        (END, AddedToken("hello<|end|>", normalized=True)),
        ["hello<|end|>", "hello<|end|>hello"],
    ),
}


@pytest.mark.parametrize("case", HOSTILE)
@pytest.mark.parametrize("kind", sorted(KINDS))
def test_added_tokens_that_could_mislead_do_not(case: str, kind: str) -> None:
    added, texts = HOSTILE[case]
    backend = make_backend(kind, 0)
    backend.add_tokens([*added, raw("<|x|>")])
    cache, _ = make_cache(backend)
    for prefix in ("", "<|x|>", "a <|x|>é ", "<|x|> <|x|>  "):
        for text in [prefix + text for text in texts for _ in range(2)]:
            check(cache, backend, text)
            check(cache, backend, text + text)


def test_a_token_that_the_model_makes_of_other_text_as_well_is_passed_over() -> None:
    backend = Tokenizer(models.BPE({"a": 0, "b": 1, "ab": 2, "c": 3}, [("a", "b")]))
    backend.normalizer = normalizers.Lowercase()
    backend.add_tokens([raw("ab"), raw("<|x|>")])
    cache, engine = make_cache(backend)
    check(cache, backend, "cABcabc")  # two tokens of that id, and one place in the text
    engine.characters = 0
    check(cache, backend, "cABcabcc")
    assert engine.characters == len("cABcabcc")


def test_prefix_spaces_and_trimmed_offsets_are_those_of_the_middle_of_a_text() -> None:
    for pre_tokenizer in (
        pre_tokenizers.ByteLevel(add_prefix_space=True),
        pre_tokenizers.Metaspace(prepend_scheme="first"),
        pre_tokenizers.Metaspace(prepend_scheme="always"),
    ):
        backend = make_words(END, raw("Ġx"))
        backend.pre_tokenizer = pre_tokenizer
        backend.post_processor = processors.ByteLevel(trim_offsets=True, add_prefix_space=True)
        cache, _ = make_cache(backend)
        text = "hello"
        for piece in ("<|end|>", "world", "<|end|> the fox ", "Ġx", " a", "Ġx", "<|end|>", "  "):
            text += piece
            check(cache, backend, text)


class Upper:
    """A normalizer in Python; it may count its calls, and nobody can know."""

    def normalize(self, normalized: Any) -> None:
        normalized.uppercase()


def refuse(change: Callable[[Tokenizer], None]) -> str | None:
    backend = make_words()
    change(backend)
    return find_obstacle(backend)


def test_tokenizers_for_which_nothing_is_proved_are_refused_with_the_reason() -> None:
    def set_part(name: str, part: Any) -> Callable[[Tokenizer], None]:
        return lambda backend: setattr(backend, name, part)

    assert refuse(lambda backend: None) is None
    custom = normalizers.Normalizer.custom(Upper())  # type: ignore[attr-defined]
    assert refuse(set_part("normalizer", custom)) == "a normalizer written in Python"
    assert refuse(set_part("normalizer", normalizers.Sequence([normalizers.NFC(), custom]))) is not None
    twice = processors.TemplateProcessing(single="$A $A")
    assert refuse(set_part("post_processor", twice)) == "a post_processor that does not hold the text once"
    for template in (twice, processors.TemplateProcessing(single="$B")):
        chain = processors.Sequence([processors.ByteLevel(), template])
        assert refuse(set_part("post_processor", chain)) is not None
    assert refuse(lambda backend: setattr(backend.model, "dropout", 0.1)) == "a model with dropout"
    assert refuse(lambda backend: setattr(backend.model, "dropout", 0.0)) is None
    for change in (
        lambda backend: backend.enable_truncation(5),
        lambda backend: backend.enable_padding(),
        lambda backend: setattr(backend, "encode_special_tokens", True),
    ):
        assert "in the tokenizer itself" in str(refuse(change))


def test_a_refused_tokenizer_still_encodes_prompts(tmp_path: Path) -> None:
    backend = make_words()
    backend.post_processor = processors.TemplateProcessing(single="$A $A")
    config = {"tokenizer_class": "TokenizersBackend"}
    tokenizer = load_tokenizer(read_model_files(write_model(tmp_path, backend, tokenizer_config=config)))
    text = "<|start|>hello<|end|>" * 100
    for _ in range(2):
        encoding = tokenizer(text, add_special_tokens=False, is_prompt=True)
        assert encoding["input_ids"] == backend.encode(text, add_special_tokens=False).ids
        assert len(encoding["input_ids"]) == 2 * len(make_words().encode(text).ids)


@pytest.mark.parametrize("class_name", sorted(REBUILT))
def test_each_class_that_is_rebuilt_has_no_obstacle(class_name: str, tmp_path: Path) -> None:
    backend = make_backend(REBUILT[class_name], 0)
    backend.add_tokens([raw(token) for token in SPECIAL])
    folder = write_model(tmp_path, backend, tokenizer_config={"tokenizer_class": class_name})
    tokenizer = load_tokenizer(read_model_files(folder))
    assert find_obstacle(tokenizer.backend) is None
    cache, engine = make_cache(tokenizer.backend)
    text = "".join(f"<|start|>Hello {number}, é 日本<|end|>\n" for number in range(20))
    check(cache, tokenizer.backend, text)
    engine.characters = 0
    check(cache, tokenizer.backend, text + "and the fox")
    assert engine.characters < 60


# --- at random --------------------------------------------------------------------------------------------------------


def test_random_edits_of_texts_give_the_ids_and_offsets_of_the_whole_text() -> None:
    encoded = reused = 0
    for seed in range(1000):
        rng = random.Random(f"odd {seed}")
        backend = make_odd_backend(rng)
        assert find_obstacle(backend) is None
        bounds = {"max_prompts": rng.choice([1, 3, 16]), "max_characters": rng.choice([200, 5000])}
        cache, engine = make_cache(backend, **bounds)
        text = generate_odd_text(rng, 20)
        for _ in range(20):
            check(cache, backend, text, with_offsets=rng.random() < 0.5)
            encoded += len(text)
            text = edit_text(rng, text, lambda rng=rng: generate_odd_text(rng, rng.randint(1, 6)))[-400:]  # type: ignore[misc]
        reused += engine.characters
    assert reused < 0.9 * encoded  # or nothing was tried


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_random_edits_of_chats_give_the_ids_and_offsets_of_the_whole_chat(kind: str) -> None:
    from tests.generators.texts import generate_text

    backend = make_backend(kind)
    cache, engine = make_cache(backend)
    contents = tuple(token.content for token in backend.get_added_tokens_decoder().values())
    rng = random.Random(kind)
    text, encoded = "", 0
    for _ in range(300):
        check(cache, backend, text, with_offsets=rng.random() < 0.5)
        encoded += len(text)
        text = edit_text(rng, text, lambda: "<|im_start|>" + generate_text(rng, contents, 8))[-3000:]
    assert engine.characters < 0.9 * encoded


def test_many_threads_get_what_each_gets_alone() -> None:
    backend = make_words()
    cache, _ = make_cache(backend, max_prompts=4, max_characters=20_000)
    chats = [[f"<|start|>{chat} {turn}: the fox<|end|>\n" * 9 for turn in range(12)] for chat in range(8)]
    whole = {text: backend.encode(text, add_special_tokens=False) for text in map("".join, chats)}
    barrier = Barrier(24)

    def work(number: int) -> bool:
        barrier.wait()
        chat = chats[number % len(chats)]
        for turn in range(1, len(chat) + 1):
            prompt = cache.encode_prompt("".join(chat[:turn]), with_offsets=number % 2 == 0)
        expected = whole["".join(chat)]
        return prompt.ids == expected.ids and prompt.offsets in (None, expected.offsets)

    with ThreadPoolExecutor(24) as pool:
        assert all(pool.map(work, range(24)))


def test_shared_beginnings_are_counted() -> None:
    rng = random.Random(0)
    for _ in range(500):
        one = [rng.randint(0, 1) for _ in range(rng.randint(0, 9))]
        other = [rng.randint(0, 1) for _ in range(rng.randint(0, 9))]
        expected = next((place for place, pair in enumerate(zip(one, other, strict=False)) if pair[0] != pair[1]), None)
        assert count_shared(one, other) == (min(len(one), len(other)) if expected is None else expected)
    assert count_shared("größer", "größte") == 4


def test_a_regex_that_looks_around_sees_its_own_piece_only() -> None:
    backend = make_words()
    backend.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.Split(Regex("(?<=>)h|o(?=<)"), "isolated"), pre_tokenizers.ByteLevel(use_regex=False)]
    )
    cache, _ = make_cache(backend)
    text = "hello"
    for piece in ("<|start|>", "hello", "<|end|>", "hello>hello<", "<|start|>ho"):
        text += piece
        check(cache, backend, text)
