"""What tokenizers return and raise, ours beside Transformers': calls, padding, decoding, encodings, sanitised chats."""

from __future__ import annotations

import logging
import pickle
import random
import shutil
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tokenizers import AddedToken, processors

from tests.generators.texts import NASTY_TEXTS, generate_text
from tests.generators.tokenizers import KINDS, SETTINGS, generate_folder, make_backend, write_model
from turnwire.loading.files import read_model_files
from turnwire.log import warn_once
from turnwire.tokens.encoding import BatchEncoding
from turnwire.tokens.sanitize import control_tokens, encode_marked_chat, mark_control_tokens
from turnwire.tokens.tokenizer import Tokenizer, load_tokenizer

transformers = pytest.importorskip("transformers", reason="Transformers, the reference, is not installed")
torch = pytest.importorskip("torch", reason="PyTorch, for tensors, is not installed")

from transformers.utils import chat_template_utils  # noqa: E402

from tests.reference.tokenizer_outcomes import (  # noqa: E402
    CALLS,
    capture,
    describe_call,
    generate_call,
    load_both,
    plain,
    warned_texts,
)

Pair = tuple[Tokenizer, Any]
NAMED = {"bos_token": "<s>", "eos_token": "</s>", "unk_token": "<unk>", "pad_token": "<pad>"}


@pytest.fixture(scope="module", params=[*KINDS, "rebuilt"])
def pair(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Pair:
    """A tokenizer of each kind, loaded by both."""
    rebuilt = request.param == "rebuilt"
    config = {**NAMED, "model_max_length": 30, "model_input_names": ["input_ids", "token_type_ids", "attention_mask"]}
    config["tokenizer_class"] = "LlamaTokenizer" if rebuilt else "PreTrainedTokenizerFast"
    backend = make_backend("llama_like" if rebuilt else request.param)
    return load_both(write_model(tmp_path_factory.mktemp(request.param), backend, tokenizer_config=config))


def both(pair: Pair, call: Callable[[Any], Any]) -> tuple[Any, Any]:
    """Return what *call* comes to with each of the two."""
    return capture(lambda: call(pair[0])), capture(lambda: call(pair[1]))


# --- text to ids ------------------------------------------------------------------------------------------------------


def test_nasty_texts_give_the_same_encodings_and_texts(pair: Pair) -> None:
    for text in NASTY_TEXTS:
        ours, theirs = both(pair, lambda tokenizer, text=text: describe_call(tokenizer, text))
        assert ours == theirs, text
        ids = pair[1].encode(text)
        for arguments in ({}, {"skip_special_tokens": True}, {"clean_up_tokenization_spaces": True}):
            ours, theirs = both(pair, lambda tokenizer, a=arguments, ids=ids: tokenizer.decode(ids, **a))
            assert ours == theirs, (text, arguments)
        ours, theirs = both(pair, lambda tokenizer, text=text: tokenizer.tokenize(text, add_special_tokens=True))
        assert ours == theirs, text


@pytest.mark.parametrize("number", range(len(CALLS)))
def test_arguments_give_the_same_rows_or_errors(pair: Pair, number: int) -> None:
    texts = ("the quick <image> brown fox", "hello <s> world, this is a test")
    for inputs in ((texts[0],), (list(texts),), texts, (list(texts), list(texts[::-1])), ([],), ("",), ([texts],)):
        ours, theirs = (describe_call(tokenizer, *inputs, **CALLS[number]) for tokenizer in pair)
        assert ours == theirs, inputs


@pytest.mark.parametrize(
    ("inputs", "arguments"),
    [
        ((), {}),
        ((None,), {}),
        ((3,), {}),
        (([3],), {}),
        (([["a", 3]],), {}),
        (("a", 3), {}),
        ((["a", "b"], "c"), {}),
        ((["a", "b"], ["c"]), {}),
        (([["hello", "world"], ["test"]],), {"is_split_into_words": True, "padding": True}),
        ((["hello", "world"],), {"is_split_into_words": True, "truncation": True, "max_length": 3}),
        (([],), {"is_split_into_words": True}),
        (([[]],), {"is_split_into_words": True}),
        ((["hello", "world"], ["a", "test"]), {"is_split_into_words": True}),
        (([[["hello"], ["world"]]],), {"is_split_into_words": True}),
        (("hello", ""), {}),
        (("hello",), {"text_target": "world", "max_target_length": 1, "truncation": True}),
        ((), {"text_target": ["world", "a"], "text_pair_target": ["b", "c"]}),
        (("hello",), {"padding": "max_length", "model_max_length": 3}),
    ],
)
def test_shapes_of_input_give_the_same_rows_or_errors(
    pair: Pair, inputs: tuple[Any, ...], arguments: dict[str, Any]
) -> None:
    ours, theirs = (describe_call(tokenizer, *inputs, **arguments) for tokenizer in pair)
    assert ours == theirs


def test_encode_takes_the_same_arguments(pair: Pair) -> None:
    for arguments in (
        {},
        {"text_pair": "a test"},
        {"add_special_tokens": False, "max_length": 3},
        {"padding": "max_length", "max_length": 20, "pad_to_multiple_of": 8, "padding_side": "left"},
        {"padding": "max_length", "max_length": 20, "truncation": True, "pad_to_multiple_of": 8},
        {"return_tensors": "np"},
        {"split_special_tokens": True},
        {"return_overflowing_tokens": True, "max_length": 4, "stride": 1},
    ):
        ours, theirs = both(pair, lambda tokenizer, a=arguments: plain(tokenizer.encode("hello <s> world", **a)))
        assert ours == theirs, arguments


def test_random_calls_on_random_models_are_the_same(tmp_path: Path) -> None:
    counts: Counter[str] = Counter()
    for seed in range(120):
        folder = generate_folder(tmp_path / "model", seed)
        loaded = capture(lambda: load_both(folder))  # noqa: B023
        shutil.rmtree(folder)
        if isinstance(loaded[0], str):
            continue
        rng = random.Random(f"calls {seed}")
        for _ in range(40):
            batch = [generate_text(rng) for _ in range(rng.randint(1, 4))]
            inputs = rng.choice([(batch,), (batch[0],), (batch[0],), (batch, batch[::-1]), (batch[0], batch[-1])])
            arguments = generate_call(rng)
            ours, theirs = (describe_call(tokenizer, *inputs, **arguments) for tokenizer in loaded)
            assert ours == theirs, (seed, inputs, arguments)
            counts["raised" if isinstance(ours, tuple) else "returned"] += 1
    assert counts["returned"] > 3000
    assert counts["raised"] > 50


@pytest.fixture
def _forgotten_warnings() -> None:
    """Let warnings that come once a process come again."""
    logging.Logger.warning_once.cache_clear()  # type: ignore[attr-defined]
    warn_once.cache_clear()


@pytest.mark.usefixtures("_forgotten_warnings")
def test_warnings_are_the_same(tmp_path: Path) -> None:
    config = {
        **NAMED,
        "model_max_length": 4,
        "clean_up_tokenization_spaces": True,
        "tokenizer_class": "TokenizersBackend",
    }
    folder = write_model(tmp_path / "a", make_backend("byte_level"), tokenizer_config=config)

    def use(tokenizer: Any) -> None:
        for _ in range(2):
            tokenizer("short")
            tokenizer("the quick brown fox jumps over", verbose=False)
            tokenizer(["a", "the quick brown fox jumps over"], return_overflowing_tokens=True)
            tokenizer.decode(tokenizer.encode("hello , world"))
            tokenizer.batch_decode([1, 2])

    ours, theirs = load_both(folder)
    with warned_texts("turnwire") as own_texts:
        use(ours)
    with warned_texts("transformers") as their_texts:
        use(theirs)
    assert own_texts == their_texts
    assert len(own_texts) == 3


@pytest.mark.usefixtures("_forgotten_warnings")
def test_a_byte_level_llama_is_told_of_by_both(tmp_path: Path) -> None:
    config = {"tokenizer_class": "LlamaTokenizerFast"}
    folder = write_model(tmp_path, make_backend("byte_level"), tokenizer_config=config)
    with warned_texts("transformers") as theirs, warned_texts("turnwire") as ours:
        load_both(folder)
    assert ours == [text for text in theirs if "ByteLevel" in text]
    assert len(ours) == 1


# --- special tokens ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("pad_token", "</s>"),
        ("pad_token", None),
        ("pad_token", AddedToken("hello", lstrip=True)),
        ("pad_token", 3),
        ("pad_token_id", 2),
        ("pad_token_id", None),
        ("bos_token_id", 10_000),
        ("extra_special_tokens", ["<tool>", AddedToken("<image>")]),
        ("extra_special_tokens", None),
        ("extra_special_tokens", "<tool>"),
        ("extra_special_tokens_ids", [1, 2]),
        ("padding_side", "left"),
        ("truncation_side", "left"),
        ("model_max_length", 5),
    ],
)
def test_assigning_to_an_attribute_has_the_same_effect(name: str, value: Any, tmp_path: Path) -> None:
    folder = write_model(tmp_path, make_backend("byte_level"), tokenizer_config=NAMED)
    tokenizers = load_both(folder)

    def use(tokenizer: Any) -> Any:
        setattr(tokenizer, name, value)
        arguments = {"padding": "max_length", "max_length": 12, "truncation": True}
        return (
            tokenizer.special_tokens_map,
            tokenizer.all_special_ids,
            tokenizer.extra_special_tokens,
            describe_call(tokenizer, "hello <tool> world", **arguments),
            describe_call(tokenizer, "the quick brown fox", truncation=True),
        )

    ours, theirs = both(tokenizers, use)
    assert ours == theirs


def test_names_that_do_not_exist_are_attribute_errors(pair: Pair) -> None:
    for name in ("no_such_thing", "nosuch_token", "nosuch_token_id", "chat"):
        for tokenizer in pair:
            with pytest.raises(AttributeError):
                getattr(tokenizer, name)


def test_ids_and_tokens_convert_the_same(pair: Pair) -> None:
    for call in (
        lambda tokenizer: tokenizer.convert_tokens_to_ids("<s>"),
        lambda tokenizer: tokenizer.convert_tokens_to_ids("no such token"),
        lambda tokenizer: tokenizer.convert_tokens_to_ids(["<s>", "the", "no such token"]),
        lambda tokenizer: tokenizer.convert_ids_to_tokens(5),
        lambda tokenizer: tokenizer.convert_ids_to_tokens(100_000),
        lambda tokenizer: tokenizer.convert_ids_to_tokens([1, 5, 7], skip_special_tokens=True),
        lambda tokenizer: tokenizer.convert_ids_to_tokens(np.array([1, 5, 7])),
        lambda tokenizer: tokenizer.convert_tokens_to_string(tokenizer.tokenize(" hello  world")),
        lambda tokenizer: sorted(tokenizer.get_vocab().items()),
        lambda tokenizer: bool(tokenizer),
    ):
        ours, theirs = both(pair, call)
        assert ours == theirs


# --- ids to text ------------------------------------------------------------------------------------------------------


def decode_inputs(ids: list[int]) -> Iterator[Any]:
    yield from (
        [],
        [[]],
        ids,
        tuple(ids),
        [ids, ids[:3]],
        ids[0],
        np.array(ids),
        torch.tensor(ids),
        torch.tensor([ids]),
    )
    yield from (
        [np.int64(ids[0])],
        [torch.tensor(ids), torch.tensor(ids[:2])],
        {"input_ids": ids},
        np.int64(3),
        [1.5],
        "a",
        None,
    )
    yield [np.array(ids), np.array(ids[:2])]


def test_everything_that_holds_ids_decodes_the_same(pair: Pair) -> None:
    for ids in decode_inputs(pair[1].encode("hello <s> world , a test . don't")):
        for arguments in ({}, {"skip_special_tokens": True, "clean_up_tokenization_spaces": True, "unknown": 1}):
            for method in ("decode", "batch_decode"):
                ours, theirs = both(pair, lambda tokenizer, i=ids, a=arguments, m=method: getattr(tokenizer, m)(i, **a))
                assert ours == theirs, (ids, arguments, method)
    for tokenizer, other in (pair, pair[::-1]):
        encoding = tokenizer(["hello", "a test"])
        assert capture(lambda t=tokenizer, e=encoding: t.decode(e)) == capture(lambda t=other, e=encoding: t.decode(e))


# --- padding of encoded rows ------------------------------------------------------------------------------------------


def pad_inputs() -> Iterator[Any]:
    rows = {"input_ids": [[1, 2, 3], [4]], "token_type_ids": [[0, 0, 1], [0]], "special_tokens_mask": [[1, 0, 0], [0]]}
    yield rows
    yield {**rows, "attention_mask": [[1, 1, 0], [1]]}
    yield {"input_ids": [1, 2, 3]}
    yield {"input_ids": [1, 2, 3], "labels": [1, 2, 3]}
    yield [{"input_ids": [1, 2, 3]}, {"input_ids": [4]}]
    yield [{"input_ids": np.array([1, 2, 3])}, {"input_ids": np.array([4])}]
    yield [{"input_ids": torch.tensor([1, 2, 3])}, {"input_ids": torch.tensor([4])}]
    yield {"input_ids": torch.tensor([[1, 2, 3], [4, 5, 6]])}
    yield {"input_ids": np.array([[1, 2, 3], [4, 5, 6]])}
    yield {"input_ids": [[], [1, 2]]}
    yield {"input_ids": [[], []]}
    yield {"input_ids": []}
    yield {"input_ids": None}
    yield {"ids": [1]}
    yield {"input_ids": [[1], [2]], "labels": [1]}
    yield {"input_ids": ["a"]}
    yield {"input_ids": [[1, 2], [3]], "attention_mask": [np.ones((2, 2)), np.ones((2, 2))]}
    yield {"input_ids": [[1, 2], [3]], "attention_mask": [torch.ones(2, 2), torch.ones(2, 2)]}
    yield []


PAD_ARGUMENTS: tuple[dict[str, Any], ...] = (
    {},
    {"padding": False},
    {"padding": "max_length", "max_length": 5},
    {"padding": "max_length"},
    {"padding": "max_length", "max_length": 2},
    {"padding": "longest", "pad_to_multiple_of": 4},
    {"padding_side": "left", "return_attention_mask": True},
    {"padding_side": "up"},
    {"return_attention_mask": False},
    {"return_tensors": "np"},
    {"return_tensors": "pt", "pad_to_multiple_of": 8},
    {"padding": "nonsense"},
    {"max_length": 9},
)


@pytest.mark.filterwarnings("ignore:`max_length` is ignored")
@pytest.mark.parametrize("setting", ["strings", "sides", "ids_only", "nothing"])
def test_encoded_rows_are_padded_the_same(setting: str, tmp_path: Path) -> None:
    tokenizers = load_both(write_model(tmp_path, make_backend("byte_level"), **SETTINGS[setting]))
    outcomes: Counter[bool] = Counter()
    for number in range(len(list(pad_inputs()))):
        for arguments in PAD_ARGUMENTS:

            def pad(tokenizer: Any, number: int = number, arguments: dict[str, Any] = arguments) -> Any:
                result = tokenizer.pad(list(pad_inputs())[number], **arguments)
                return [(key, plain(value)) for key, value in result.items()], type(result).__name__

            ours, theirs = both(tokenizers, pad)
            assert ours == theirs, (number, arguments)
            outcomes[isinstance(ours[0], str)] += 1
    assert min(outcomes.values()) > 40


# --- encodings --------------------------------------------------------------------------------------------------------


def test_encodings_map_between_characters_words_and_tokens_the_same(pair: Pair) -> None:
    by_row = [(), (0,), (1,), (5,)]
    by_position = [(0,), (3,), (1, 2), (1, 0), (0, 99), (-1,), (0, -1), (-1, 0), (7, 0)]
    methods = dict.fromkeys(("tokens", "word_ids", "sequence_ids"), by_row)
    methods |= dict.fromkeys(("token_to_sequence", "token_to_word", "word_to_tokens"), by_position)
    methods |= dict.fromkeys(("token_to_chars", "char_to_token", "char_to_word", "word_to_chars"), by_position)
    encodings = [tokenizer(["hello world, a test", "the <image> fox"], ["a b", "c"]) for tokenizer in pair]
    for method, positions in methods.items():
        for position in positions:
            ours, theirs = (capture(lambda e=e: getattr(e, method)(*position)) for e in encodings)  # noqa: B023
            if ours != theirs and ours[0] == "TypeError":  # names the class by its module
                ours, theirs = ((error[0], error[1].rpartition("CharSpan")[2]) for error in (ours, theirs))
            assert ours == theirs, (method, position)
            assert type(ours).__name__ == type(theirs).__name__
    for method in ("word_to_tokens", "char_to_token", "word_to_chars", "char_to_word"):
        ours, theirs = (capture(lambda e=e: getattr(e, method)(0, 0, sequence_index=1)) for e in encodings)  # noqa: B023
        assert ours == theirs, method


def test_encodings_behave_as_mappings_the_same(pair: Pair) -> None:
    def use(tokenizer: Any) -> Any:
        encoding = tokenizer(["hello world", "a"], return_offsets_mapping=True)
        padded = tokenizer.pad({"input_ids": [[1, 2], [3]]})
        copy = pickle.loads(pickle.dumps(padded))
        return [
            capture(thing)
            for thing in (
                lambda: list(encoding.keys()),
                lambda: encoding.input_ids,
                lambda: encoding.nothing,
                lambda: encoding["nothing"],
                lambda: encoding[1].tokens,
                lambda: [item.ids for item in encoding[:1]],
                lambda: padded[:1],
                lambda: padded[0],
                lambda: padded.tokens(),
                lambda: padded.char_to_token(0),
                lambda: (encoding.is_fast, padded.is_fast, encoding.n_sequences, padded.n_sequences),
                lambda: (copy.data, copy.encodings),
                lambda: "input_ids" in encoding,
                lambda: {**encoding},
                lambda: plain(encoding.convert_to_tensors("np", prepend_batch_axis=True)["input_ids"]),
                lambda: plain(tokenizer("hello").convert_to_tensors("pt", prepend_batch_axis=True)["input_ids"]),
                lambda: tokenizer(["hello", "a b"]).convert_to_tensors("pt"),
                lambda: tokenizer(["hello", "a b"]).convert_to_tensors("jax"),
                lambda: tokenizer("a", return_tensors="pt").to("cpu")["input_ids"].tolist(),
                lambda: tokenizer("a", return_tensors="pt").to(torch.device("cpu"))["input_ids"].tolist(),
                lambda: tokenizer("a", return_tensors="pt").to("no such device"),
                lambda: tokenizer("a", return_tensors="pt").to(torch.float16)["input_ids"].dtype,
            )
        ]

    ours, theirs = both(pair, use)
    assert ours == theirs


def test_arrays_are_made_the_same() -> None:
    values: list[Any] = [
        [1, 2],
        [[1, 2], [3, 4]],
        [[1], [2, 3]],
        [],
        [[]],
        [[], [1]],
        [[(0, 1)], [(1, 2)]],
        "ab",
        [1.5],
    ]
    values += [[np.array([1]), np.array([2])], np.array([1]), torch.tensor([1]), [None], ["a", "b"], ((1, 2), (3, 4))]
    for value in values:
        for kind in ("np", "pt", "mlx", "tf"):
            for key in ("input_ids", "overflowing_tokens"):
                ours, theirs = (
                    capture(lambda c=c: plain(c({key: value}, tensor_type=kind)[key]))  # noqa: B023
                    for c in (BatchEncoding, transformers.BatchEncoding)
                )
                assert ours == theirs, (value, kind, key)


# --- control tokens that came in with the conversation ----------------------------------------------------------------

TEMPLATE = "{{ '<|im_start|>' }}<tool>{% for m in messages %}{{ m.content }}{% endfor %}\n\n"


@pytest.mark.parametrize("declared", [None, [], ["<think>"]])
def test_the_same_tokens_count_as_control_tokens(declared: list[str] | None, tmp_path: Path) -> None:
    config = NAMED if declared is None else {**NAMED, "chat_control_tokens": declared}
    ours, theirs = load_both(write_model(tmp_path, make_backend("byte_level"), tokenizer_config=config))
    for template in (TEMPLATE, "", "{{ '<think>' }} Hello", "word{# <think> #}"):
        assert control_tokens(ours, template) == theirs._get_control_tokens(template), template


def test_the_same_text_is_marked() -> None:
    tokens = ("<s>", "<s><s>", "a|b", "<think>")
    pattern, _ = chat_template_utils._get_control_token_patterns(tokens)
    start, end = chat_template_utils._CONTROL_TOKEN_START, chat_template_utils._CONTROL_TOKEN_END
    for value in (
        "<s> a|b aXb <s><s><s>",
        f"<{start}s>{end}<s>{start}<s>{end}",
        {"content": "<s>", "<s>": ["<think>", ("a|b", 3, None)], "n": {"m": True}},
        3,
    ):
        assert mark_control_tokens(value, tokens) == chat_template_utils.mark_control_tokens(value, pattern)
    assert mark_control_tokens("<s>", ()) == "<s>"


def test_marked_chats_give_the_same_ids_or_refusals(pair: Pair) -> None:
    start, end = chat_template_utils._CONTROL_TOKEN_START, chat_template_utils._CONTROL_TOKEN_END
    tokens = tuple(pair[1].added_tokens_encoder)
    rng = random.Random(0)
    outcomes: Counter[bool] = Counter()
    for _ in range(150):
        pieces = [
            mark_control_tokens(generate_text(rng, tokens, 6), tokens)
            if rng.random() < 0.5
            else generate_text(rng, tokens, 6)
            for _ in range(rng.randint(1, 4))
        ]
        chat = "".join(pieces)
        if rng.random() < 0.2:
            chat = chat.replace(rng.choice([start, end]), "", 1)
        ours = capture(lambda: encode_marked_chat(pair[0], chat))  # noqa: B023
        theirs = capture(lambda: chat_template_utils.encode_marked_chat(pair[1], chat))  # noqa: B023
        assert ours == theirs, chat
        outcomes[isinstance(ours, tuple)] += 1
        arguments = {
            "sanitize_control_tokens": True,
            "add_special_tokens": rng.random() < 0.2,
            "truncation": rng.choice([False, True]),
            "max_length": rng.choice([None, 0, 3, 9]),
            "padding": rng.choice([False, True, "max_length"]),
            "padding_side": rng.choice([None, "left"]),
            "return_tensors": rng.choice([None, None, "np"]),
        }
        for inputs in (chat, [chat, "hello"]):
            assert describe_call(pair[0], inputs, **arguments) == describe_call(pair[1], inputs, **arguments)
    assert outcomes[False] > 20


def test_a_post_processor_that_adds_tokens_is_refused_where_chats_are_sanitised(tmp_path: Path) -> None:
    backend = make_backend("byte_level")
    backend.post_processor = processors.TemplateProcessing(single="<s> $A", special_tokens=[("<s>", 1)])
    ours, theirs = load_both(write_model(tmp_path, backend, tokenizer_config=NAMED))
    outcomes = [describe_call(tokenizer, "a", sanitize_control_tokens=True) for tokenizer in (ours, theirs)]
    assert outcomes[0] == outcomes[1]
    assert outcomes[0][0] == "NotImplementedError"


@pytest.mark.filterwarnings("ignore:`max_length` is ignored")
def test_masks_are_those_of_transformers(tmp_path: Path) -> None:
    from turnwire.model import ChatModel

    template = "{% for m in messages %}{{ m.role }}: {% generation %}{{ m.content }}{% endgeneration %}\n{% endfor %}"
    nested = "{% generation %}a{% generation %}{{ messages[0].content }}{% endgeneration %}b{% endgeneration %}"
    rng = random.Random(1)
    for kind in ("byte_level", "llama_like", "gemma_like", "unigram"):
        folder = write_model(tmp_path / kind, make_backend(kind), tokenizer_config={**NAMED, "model_max_length": 50})
        theirs = load_both(folder)[1]
        ours = ChatModel(load_tokenizer(read_model_files(folder)), None)
        for number in range(40):
            chats = [
                [
                    {"role": rng.choice(["user", "assistant"]), "content": generate_text(rng, (), 8)}
                    for _ in range(rng.randint(1, 4))
                ]
                for _ in range(rng.randint(1, 3))
            ]
            side = rng.choice(["left", "right"])
            ours.tokenizer.truncation_side = theirs.truncation_side = side
            arguments = {
                "chat_template": nested if number % 8 == 0 else template,
                "return_assistant_tokens_mask": True,
                "truncation": rng.random() < 0.5,
                "max_length": rng.choice([None, 5, 20]),
                "padding": rng.choice([False, True, "max_length"]),
                "return_tensors": rng.choice([None, None, "np"]),
                "tokenizer_kwargs": {"padding_side": rng.choice(["left", "right"])},
            }
            inputs = chats if rng.random() < 0.6 else chats[0]
            outcomes = [
                capture(lambda m=m: [(k, plain(v)) for k, v in m.apply_chat_template(inputs, **arguments).items()])  # noqa: B023
                for m in (ours, theirs)
            ]
            assert outcomes[0] == outcomes[1], (inputs, arguments)
