"""Tiny tokenizers of every kind, made in code, and model folders that store their settings in every form."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from tokenizers import (
    AddedToken,
    Regex,
    Tokenizer,
    decoders,
    models,
    normalizers,
    pre_tokenizers,
    processors,
    trainers,
)

__all__ = [
    "KINDS",
    "REBUILT",
    "SETTINGS",
    "edit_text",
    "generate_folder",
    "generate_odd_text",
    "make_backend",
    "make_odd_backend",
    "write_model",
]

CORPUS = [
    "the quick brown fox jumps over the lazy dog",
    "hello world, this is a test of tokens and words",
    "Hello World! It's 2024, and don't you think 12 is less than 123?",
    "def f(x):\n    return x + 1\n\nprint(f(3))",
    "Straße café naïve 日本語 中文 한국어 😀",
    '{"name": "get_weather", "arguments": {"city": "Paris"}}',
    "user assistant system tool word wordy sword",
]

SPECIAL = ["<unk>", "<s>", "</s>", "<pad>"]
BYTES = [f"<0x{number:02X}>" for number in range(256)]


def _byte_level() -> Tokenizer:
    backend = Tokenizer(models.BPE())
    backend.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    backend.decoder = decoders.ByteLevel()
    backend.post_processor = processors.ByteLevel(trim_offsets=True)
    trainer = trainers.BpeTrainer(
        vocab_size=420,
        special_tokens=SPECIAL,
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    backend.train_from_iterator(CORPUS, trainer)
    return backend


def _llama3_like() -> Tokenizer:
    backend = _byte_level()
    pattern = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s+"
    backend.normalizer = normalizers.NFC()
    backend.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Split(Regex(pattern), behavior="isolated"),
            pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
        ]
    )
    template = processors.TemplateProcessing(
        single="<s> $A", pair="<s> $A <s>:1 $B:1", special_tokens=[("<s>", backend.token_to_id("<s>"))]
    )
    backend.post_processor = processors.Sequence([processors.ByteLevel(trim_offsets=False), template])
    return backend


def _byte_fallback() -> Tokenizer:
    backend = Tokenizer(models.BPE(unk_token="<unk>", fuse_unk=True, byte_fallback=True))
    backend.normalizer = normalizers.Replace(" ", "▁")
    trainer = trainers.BpeTrainer(vocab_size=460, special_tokens=SPECIAL + BYTES, show_progress=False)
    backend.train_from_iterator(CORPUS, trainer)
    return backend


def _llama_like() -> Tokenizer:
    backend = _byte_fallback()
    backend.normalizer = normalizers.Sequence([normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")])
    backend.decoder = decoders.Sequence(
        [decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse(), decoders.Strip(" ", 1, 0)]
    )
    ids = [(token, backend.token_to_id(token)) for token in ("<s>", "</s>")]
    backend.post_processor = processors.TemplateProcessing(
        single="<s>:0 $A:0 </s>:0", pair="<s>:0 $A:0 <s>:1 $B:1", special_tokens=ids
    )
    return backend


def _gemma_like() -> Tokenizer:
    backend = _byte_fallback()
    backend.pre_tokenizer = pre_tokenizers.Split(" ", "merged_with_previous")
    backend.decoder = decoders.Sequence([decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse()])
    return backend


def _wordpiece() -> Tokenizer:
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    backend = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    backend.normalizer = normalizers.BertNormalizer()
    backend.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    backend.decoder = decoders.WordPiece()
    backend.train_from_iterator(
        CORPUS, trainers.WordPieceTrainer(vocab_size=200, special_tokens=special, show_progress=False)
    )
    backend.post_processor = processors.BertProcessing(("[SEP]", 3), ("[CLS]", 2))
    return backend


def _unigram() -> Tokenizer:
    backend = Tokenizer(models.Unigram())
    backend.normalizer = normalizers.Sequence([normalizers.NFKC(), normalizers.Replace(Regex(" {2,}"), " ")])
    backend.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme="always")
    backend.decoder = decoders.Metaspace(prepend_scheme="always")
    trainer = trainers.UnigramTrainer(
        vocab_size=150, special_tokens=["<pad>", "</s>", "<unk>", "<s>"], unk_token="<unk>", show_progress=False
    )
    backend.train_from_iterator(CORPUS, trainer)
    return backend


def _wordlevel() -> Tokenizer:
    backend = Tokenizer(models.WordLevel(unk_token="<unk>"))
    backend.pre_tokenizer = pre_tokenizers.Whitespace()
    backend.train_from_iterator(CORPUS, trainers.WordLevelTrainer(special_tokens=SPECIAL, show_progress=False))
    return backend


KINDS: Mapping[str, Callable[[], Tokenizer]] = {
    "byte_level": _byte_level,
    "llama3_like": _llama3_like,
    "llama_like": _llama_like,
    "gemma_like": _gemma_like,
    "wordpiece": _wordpiece,
    "unigram": _unigram,
    "wordlevel": _wordlevel,
}


@cache
def _trained(kind: str) -> str:
    return KINDS[kind]().to_str()


ADDED = (
    AddedToken("<|im_start|>", special=True),
    AddedToken("<|im_end|>", special=True, normalized=False),
    AddedToken("<image>", lstrip=True),
    AddedToken("<tool>", rstrip=True, normalized=False),
    AddedToken("word", single_word=True),
    AddedToken("Hello", normalized=True),
    AddedToken("\n\n", normalized=False),
    AddedToken("<think>"),
)


def make_backend(kind: str, added: int = len(ADDED)) -> Tokenizer:
    """Return a tokenizer of that kind with the first *added* of the odd tokens in it."""
    backend = Tokenizer.from_str(_trained(kind))
    backend.add_tokens(list(ADDED[:added]))
    return backend


def write_model(folder: Path, backend: Tokenizer | None, **files: Any) -> Path:
    """Write a model's folder: ``tokenizer_config={…}`` becomes ``tokenizer_config.json``; None is left out."""
    folder.mkdir(parents=True, exist_ok=True)
    if backend is not None:
        backend.save(str(folder / "tokenizer.json"))
    for name, content in files.items():
        if content is not None:
            (folder / f"{name}.json").write_text(json.dumps(content), encoding="utf-8")
    return folder


def _flags(content: str, **flags: bool) -> dict[str, Any]:
    return {"content": content, "lstrip": False, "normalized": False, "rstrip": False, "single_word": False, **flags}


SETTINGS: Mapping[str, Mapping[str, Any]] = {
    "nothing": {},
    "strings": {
        "tokenizer_config": {"bos_token": "<s>", "eos_token": "</s>", "unk_token": "<unk>", "pad_token": "<pad>"}
    },
    "new_strings": {"tokenizer_config": {"bos_token": "<begin>", "eos_token": "<end>", "mask_token": "<|new|>"}},
    "nulls": {
        "tokenizer_config": {"bos_token": None, "eos_token": "</s>", "extra_special_tokens": None, "max_len": None}
    },
    "typed_dicts": {
        "tokenizer_config": {
            "bos_token": {"__type": "AddedToken", **_flags("<s>", normalized=True)},
            "eos_token": {"__type": "AddedToken", **_flags("<eot>", rstrip=True)},
            "image_token": {"__type": "AddedToken", **_flags("<image>", lstrip=True)},
        }
    },
    "plain_dict": {"tokenizer_config": {"bos_token": _flags("<s>")}},
    "decoder": {
        "tokenizer_config": {
            "added_tokens_decoder": {
                "1": {**_flags("<s>"), "special": True},
                "2": {**_flags("</s>", rstrip=True), "special": True},
                "9000": {**_flags("<far>"), "special": False},
                "8999": {**_flags("<near>", lstrip=True), "special": False},
            },
            "bos_token": "<s>",
            "eos_token": "<far>",
            "additional_special_tokens": ["<near>", "<more>"],
        },
        "special_tokens_map": {"bos_token": "<ignored>"},
        "added_tokens": {"<ignored too>": 1},
    },
    "odd_decoder": {"tokenizer_config": {"added_tokens_decoder": {"1": "<s>"}}},
    "special_map_strings": {
        "tokenizer_config": {"bos_token": "<old>"},
        "special_tokens_map": {"bos_token": "<s>", "eos_token": "</s>", "additional_special_tokens": ["<a>", "<b>"]},
    },
    "special_map_dicts": {
        "special_tokens_map": {
            "bos_token": _flags("<s>"),
            "eos_token": {**_flags("</s>", lstrip=True), "special": False},
            "pad_token": "<pad>",
            "image_token": "<image>",
            "extra_special_tokens": [_flags("<c>"), "<d>"],
        },
        "tokenizer_config": {"extra_special_tokens": ["<d>", "<e>"], "audio_token": "<audio>"},
    },
    "special_map_extra_dict": {
        "special_tokens_map": {"extra_special_tokens": {"image_token": "<image>"}, "unk_token": "<unk>"}
    },
    "special_map_list_of_dicts": {"special_tokens_map": {"additional_special_tokens": [_flags("<a>")]}},
    "added_tokens_file": {
        "added_tokens": {"<x>": 5000, "<y>": 5001, "<eot>": 5002},
        "tokenizer_config": {"eos_token": "<eot>", "additional_special_tokens": ["<y>"]},
    },
    "extra_list": {"tokenizer_config": {"extra_special_tokens": ["<a>", "<|im_start|>", "<a>"], "pad_token": "<a>"}},
    "extra_dict": {
        "tokenizer_config": {
            "extra_special_tokens": {"image_token": "<image>", "boi_token": "<boi>"},
            "eoi_token": "<eoi>",
            "image_token": "<other>",
        }
    },
    "extra_wrong": {"tokenizer_config": {"extra_special_tokens": "<a>"}},
    "extra_dict_wrong": {"tokenizer_config": {"extra_special_tokens": {"image_token": 3}}},
    "both_extras": {"tokenizer_config": {"extra_special_tokens": ["<a>"], "additional_special_tokens": ["<b>"]}},
    "own_tokens": {"tokenizer_config": {"model_specific_special_tokens": {"a_token": "<a>"}, "eos_token": "</s>"}},
    "own_tokens_wrong": {"tokenizer_config": {"model_specific_special_tokens": ["<a>"]}},
    "sides": {
        "tokenizer_config": {
            "padding_side": "left",
            "truncation_side": "left",
            "model_max_length": 20,
            "pad_token": "<pad>",
        }
    },
    "wrong_side": {"tokenizer_config": {"padding_side": "up"}},
    "wrong_truncation_side": {"tokenizer_config": {"truncation_side": "down"}},
    "max_len": {"tokenizer_config": {"max_len": 12, "pad_token": "<pad>"}},
    "type_ids": {"tokenizer_config": {"model_input_names": ["input_ids", "token_type_ids", "attention_mask"]}},
    "ids_only": {"tokenizer_config": {"model_input_names": ["input_ids"], "pad_token": "<pad>"}},
    "adds_bos_and_eos": {
        "tokenizer_config": {"add_bos_token": True, "add_eos_token": True, "bos_token": "<s>", "eos_token": "</s>"}
    },
    "splits_special": {"tokenizer_config": {"split_special_tokens": True, "bos_token": "<s>", "eos_token": "</s>"}},
    "cleans_up": {"tokenizer_config": {"clean_up_tokenization_spaces": True}},
    "cleans_up_bpe": {
        "tokenizer_config": {
            "clean_up_tokenization_spaces": True,
            "clean_up_tokenization_spaces_for_bpe_even_though_it_will_corrupt_output": True,
        }
    },
    "control_tokens": {"tokenizer_config": {"chat_control_tokens": ["<tool>"], "response_template": {"a": 1}}},
    "wrong_control_tokens": {"tokenizer_config": {"chat_control_tokens": "<tool>"}},
    "named_like_vocabulary": {"tokenizer_config": {"eos_token": "the", "pad_token": "quick", "bos_token": "Hello"}},
    "prefix_space": {"tokenizer_config": {"add_prefix_space": True, "legacy": True}},
    "no_prefix_space": {"tokenizer_config": {"add_prefix_space": False, "legacy": False}},
}
"""Ways to store settings, right and wrong, each as the files that hold them."""

REBUILT: Mapping[str, str] = {
    "LlamaTokenizer": "llama_like",
    "CodeLlamaTokenizer": "llama_like",
    "GemmaTokenizer": "gemma_like",
    "Qwen2Tokenizer": "byte_level",
    "Qwen3_5Tokenizer": "byte_level",
    "GPT2Tokenizer": "byte_level",
    "CodeGenTokenizer": "llama3_like",
    "GPTNeoXTokenizer": "llama3_like",
    "CohereTokenizer": "byte_level",
    "BertTokenizer": "wordpiece",
    "T5Tokenizer": "unigram",
    "XLMRobertaTokenizer": "unigram",
}
"""The classes whose tokenizers are rebuilt, each with the kind of tokenizer that it expects."""

_CLASSES = (
    *(
        "PreTrainedTokenizerFast",
        "TokenizersBackend",
        "PreTrainedTokenizer",
        "BloomTokenizerFast",
        "NoSuchTokenizer",
        None,
    ),
    *("LlamaTokenizer", "LlamaTokenizerFast", "CodeLlamaTokenizer", "GemmaTokenizer", "GemmaTokenizerFast"),
    *("Qwen2Tokenizer", "Qwen2TokenizerFast", "Qwen3_5Tokenizer", "GPT2Tokenizer", "CodeGenTokenizerFast"),
    *("GPTNeoXTokenizerFast", "CohereTokenizerFast", "BertTokenizer", "T5Tokenizer", "XLMRobertaTokenizer"),
)
_MODEL_TYPES = (
    *(
        None,
        "llama",
        "qwen2",
        "qwen3",
        "gemma3",
        "mistral",
        "phi3",
        "gpt2",
        "gpt_neox",
        "cohere",
        "nosuch",
        "t5",
        "bert",
    ),
)


def generate_folder(folder: Path, seed: int) -> Path:
    """Write the model folder of that seed: a random kind, class, model type and mix of settings."""
    rng = random.Random(f"tokenizer {seed}")
    class_name = rng.choice(_CLASSES)
    kind = rng.choice(list(KINDS))
    if rng.random() < 0.6:
        kind = REBUILT.get(str(class_name).removesuffix("Fast"), kind)
    backend = make_backend(kind, rng.randint(0, len(ADDED)))
    if rng.random() < 0.2:
        backend.enable_padding(direction=rng.choice(["left", "right"]), pad_token="<pad>", pad_id=3)
    if rng.random() < 0.2:
        backend.enable_truncation(max_length=9, direction=rng.choice(["left", "right"]))
    if rng.random() < 0.2:
        backend.post_processor = processors.ByteLevel(trim_offsets=rng.random() < 0.5)
    files: dict[str, dict[str, Any]] = {"tokenizer_config": {}}
    for name in rng.sample(
        [name for name in SETTINGS if "wrong" not in name or rng.random() < 0.15], rng.randint(0, 3)
    ):
        for file, content in SETTINGS[name].items():
            files.setdefault(file, {}).update(content)
    if class_name is not None and rng.random() < 0.8:
        files["tokenizer_config"]["tokenizer_class"] = class_name
    if rng.random() < 0.6:
        files["config"] = {
            name: value
            for name, value in {"model_type": rng.choice(_MODEL_TYPES), "tokenizer_class": rng.choice(_CLASSES)}.items()
            if value is not None and (name == "model_type" or rng.random() < 0.3)
        }
    if rng.random() < 0.1:
        del files["tokenizer_config"]
    return write_model(folder, backend, **files)


# --- odd tokenizers, for the law by which ids are reused --------------------------------------------------------------

_ODD_LETTERS = "abAB<>▁Ġ é\u0301\n\u00a0日"
_ODD_ADDED = (
    "<a>",
    "<b>",
    "<",
    "<<",
    "a",
    "ab",
    "<a><b>",
    "b>",
    "\n",
    "\n\n",
    " ",
    " <b>",
    "<a> ",
    "<é>",
    "<日>",
    "Ġ<",
)
_ODD_NORMALIZERS: tuple[Callable[[], Any], ...] = (
    normalizers.NFC,
    normalizers.NFD,
    normalizers.NFKC,
    normalizers.NFKD,
    normalizers.Lowercase,
    normalizers.StripAccents,
    normalizers.Strip,
    normalizers.Nmt,
    normalizers.BertNormalizer,
    normalizers.ByteLevel,
    lambda: normalizers.Prepend("▁"),
    lambda: normalizers.Replace(" ", "▁"),
    lambda: normalizers.Replace(Regex("a+"), ""),
    lambda: normalizers.Replace("b", "<a>"),
)
_ODD_PRE_TOKENIZERS: tuple[Callable[[], Any], ...] = (
    lambda: pre_tokenizers.ByteLevel(add_prefix_space=True),
    lambda: pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
    lambda: pre_tokenizers.Metaspace(prepend_scheme="first"),
    lambda: pre_tokenizers.Metaspace(prepend_scheme="always", split=False),
    lambda: pre_tokenizers.Metaspace(prepend_scheme="never"),
    lambda: pre_tokenizers.Split(" ", "merged_with_previous"),
    lambda: pre_tokenizers.Split(Regex("^a|b$"), "isolated"),
    lambda: pre_tokenizers.Split("a", "removed", invert=True),
    lambda: pre_tokenizers.CharDelimiterSplit("b"),
    lambda: pre_tokenizers.FixedLength(2),
    lambda: pre_tokenizers.Digits(individual_digits=True),
    pre_tokenizers.Whitespace,
    pre_tokenizers.WhitespaceSplit,
    pre_tokenizers.BertPreTokenizer,
    pre_tokenizers.Punctuation,
    pre_tokenizers.UnicodeScripts,
)
_ODD_POST_PROCESSORS: tuple[Callable[[], Any], ...] = (
    lambda: processors.ByteLevel(trim_offsets=True, add_prefix_space=True),
    lambda: processors.ByteLevel(trim_offsets=True, add_prefix_space=False),
    lambda: processors.BertProcessing(("a", 0), ("b", 1)),
    lambda: processors.RobertaProcessing(("a", 0), ("b", 1), trim_offsets=True),
    lambda: processors.TemplateProcessing(single="a $A:1 b", special_tokens=[("a", 0), ("b", 1)]),
)


def make_odd_backend(rng: random.Random) -> Tokenizer:
    """Return a tokenizer of random parts over few letters, whose added tokens overlap, nest and carry every flag."""
    letters = dict.fromkeys([*_ODD_LETTERS, *(pre_tokenizers.ByteLevel.alphabet() if rng.random() < 0.5 else [])])
    pairs = [(first, second) for first in "ab<>▁ Ġ" for second in "ab<>"]
    merges = rng.sample(pairs, 8)
    words = dict.fromkeys([*letters, *("".join(pair) for pair in merges)])
    vocabulary = {word: number for number, word in enumerate([*words, "<unk>"])}
    kind = rng.choice(["BPE", "BPE", "BPE", "WordLevel", "WordPiece", "Unigram"])
    model: Any
    if kind == "BPE":
        unknown = {"unk_token": "<unk>", "fuse_unk": rng.random() < 0.5} if rng.random() < 0.7 else {}
        model = models.BPE(vocabulary, merges, ignore_merges=rng.random() < 0.3, **unknown)
    elif kind == "Unigram":
        model = models.Unigram([(word, -rng.random()) for word in vocabulary], unk_id=vocabulary["<unk>"])
    else:
        model = getattr(models, kind)(vocabulary, unk_token="<unk>")
    backend = Tokenizer(model)
    for name, makers, wrap in (
        ("normalizer", _ODD_NORMALIZERS, normalizers.Sequence),
        ("pre_tokenizer", _ODD_PRE_TOKENIZERS, pre_tokenizers.Sequence),
        ("post_processor", _ODD_POST_PROCESSORS, processors.Sequence),
    ):
        chosen = [make() for make in rng.sample(makers, rng.choice([0, 1, 1, 2]))]
        if chosen:
            setattr(backend, name, chosen[0] if len(chosen) == 1 else wrap(chosen))
    normalize = backend.normalizer.normalize_str if backend.normalizer is not None else str
    long = [content for content in _ODD_ADDED if len(content) > 2]
    backend.add_tokens(
        [
            AddedToken(
                content,
                special=rng.random() < 0.5,
                # The library never comes back from a token that its normalizer makes empty.
                normalized=rng.random() < 0.35 and normalize(content) != "",
                **{flag: rng.random() < 0.1 for flag in ("lstrip", "rstrip", "single_word")},
            )
            for content in rng.sample(long if rng.random() < 0.5 else _ODD_ADDED, rng.randint(1, 5))
        ]
    )
    return backend


def generate_odd_text(rng: random.Random, length: int) -> str:
    """Return letters and added tokens of :func:`make_odd_backend`, whole and in halves."""
    pieces = []
    for _ in range(length):
        token = rng.choice(_ODD_ADDED)
        pieces.append(rng.choice([token, token, token[: rng.randint(0, len(token))], rng.choice(_ODD_LETTERS)]))
    return "".join(pieces)


def edit_text(rng: random.Random, text: str, generate: Callable[[], str]) -> str:
    """Return *text* grown, cut, or changed in the middle."""
    place = rng.randint(0, len(text))
    return rng.choice(
        [
            lambda: text + generate(),
            lambda: text + generate(),
            lambda: text[:place],
            lambda: text[:place] + generate() + text[place:],
            lambda: text[:place] + generate(),
            lambda: generate() + text,
            lambda: text,
        ]
    )()
