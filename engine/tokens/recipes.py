r"""How Transformers rebuilds the tokenizers of some classes instead of taking ``tokenizer.json`` as it stands.

A recipe replaces everything but the vocabulary, the merges and (mostly) the post-processor. Its parts are written as in
``tokenizer.json``; a text that starts with ``$`` is filled in from the model's settings, and a part of a sequence that
is filled in with None falls out. What a class does beyond that stands in its ``amend`` and its flags.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

__all__ = ["RECIPES", "Recipe"]


@dataclass(frozen=True)
class Recipe:
    """One class of tokenizers."""

    special_tokens: Mapping[str, str | None]
    """The tokens where the model names none."""
    pre_tokenizer: Mapping[str, Any]
    decoder: Mapping[str, Any]
    normalizer: Mapping[str, Any] | str | None = None
    model: str = "BPE"
    """Kind of model; a file that holds another kind lends its vocabulary only."""
    model_options: Mapping[str, Any] = field(default_factory=dict)
    """What differs from the defaults of that kind."""
    padding_side: str = "right"
    model_input_names: tuple[str, ...] = ("input_ids", "attention_mask")
    add_prefix_space: bool = False
    """Where the model does not say."""
    prepend_scheme: str = "always"
    """When a prefix space is added: ``always``, ``first``, or ``by legacy``, as the setting of that name chooses."""
    amend: Callable[[dict[str, Any]], None] | None = None
    """Changes the model's settings before they are used."""
    template: tuple[str, str] | None = None
    """Single and pair template that replaces the file's post-processor; ``{eos_token}`` stands for the token."""
    template_tokens: Mapping[str, str] = field(default_factory=dict)
    """The tokens in that template, each with the name of the special token whose id it gets."""
    post_processor: Mapping[str, Any] | None = None
    """Used where the file has none."""
    vocabulary_files: tuple[str, str] | None = None
    """Files to build from where there is no ``tokenizer.json``."""
    adds_again: str = ""
    """Whether every special token is added to the vocabulary once more: ``plain``, without its flags, or ``stored``."""
    rebuilds_post_processor: bool = False
    """Whether the post-processor of the file gives way to one that writes what the settings ask for."""


_BYTE_LEVEL = {"type": "ByteLevel", "add_prefix_space": "$add_prefix_space", "trim_offsets": True, "use_regex": True}
_BYTES = {"type": "ByteLevel", "add_prefix_space": True, "trim_offsets": True, "use_regex": True}
_NO_AFFIXES = {"continuing_subword_prefix": "", "end_of_word_suffix": ""}
_VOCAB_AND_MERGES = ("vocab.json", "merges.txt")
_GPT2_TOKENS = {"unk_token": "<|endoftext|>", "bos_token": "<|endoftext|>", "eos_token": "<|endoftext|>"}
_BERT_TOKENS = {
    "unk_token": "[UNK]",
    "sep_token": "[SEP]",
    "pad_token": "[PAD]",
    "cls_token": "[CLS]",
    "mask_token": "[MASK]",
}
_XLMR_TOKENS = {
    "bos_token": "<s>",
    "eos_token": "</s>",
    "sep_token": "</s>",
    "cls_token": "<s>",
    "unk_token": "<unk>",
    "pad_token": "<pad>",
    "mask_token": "<mask>",
}
_LLAMA_TOKENS = {"unk_token": "<unk>", "bos_token": "<s>", "eos_token": "</s>"}
_UNDERLINE_TO_SPACE = {"type": "Replace", "pattern": {"String": "▁"}, "content": " "}
_STRIP_ONE = {"type": "Strip", "content": " ", "start": 1, "stop": 0}


def _split_then_bytes(pattern: str) -> dict[str, Any]:
    bytes_only = {
        "type": "ByteLevel",
        "add_prefix_space": "$add_prefix_space",
        "trim_offsets": True,
        "use_regex": False,
    }
    split = {"type": "Split", "pattern": {"Regex": pattern}, "behavior": "Isolated", "invert": False}
    return {"type": "Sequence", "pretokenizers": [split, bytes_only]}


def _decode_bytes_of(*parts: Any) -> dict[str, Any]:
    return {"type": "Sequence", "decoders": [_UNDERLINE_TO_SPACE, {"type": "ByteFallback"}, {"type": "Fuse"}, *parts]}


def _qwen(pattern: str, **more: Any) -> Recipe:
    return Recipe(
        special_tokens={
            "unk_token": "<|endoftext|>",
            "bos_token": None,
            "eos_token": "<|endoftext|>",
            "pad_token": "<|endoftext|>",
        },
        model_options=_NO_AFFIXES,
        normalizer={"type": "NFC"},
        pre_tokenizer=_split_then_bytes(pattern),
        decoder=_BYTES,
        **more,
    )


def _metaspace(scheme: str = "$prepend_scheme", *, split: bool = True) -> dict[str, Any]:
    return {"type": "Metaspace", "replacement": "▁", "prepend_scheme": scheme, "split": split}


def _add_infilling_tokens(settings: dict[str, Any]) -> None:
    names = ("prefix_token", "middle_token", "suffix_token", "eot_token", "fill_token")
    listed = list(settings.get("additional_special_tokens") or [])
    settings["additional_special_tokens"] = listed + [settings[name] for name in names if settings[name] is not None]
    settings.setdefault("add_bos_token", True)


def _add_sentinels(settings: dict[str, Any]) -> None:
    count = settings.setdefault("extra_ids", 100)
    listed = settings.get("additional_special_tokens")
    sentinels = [token for token in listed or () if "<extra_id_" in str(token)]
    if not sentinels:
        settings["additional_special_tokens"] = [*(listed or ()), *(f"<extra_id_{number}>" for number in range(count))]
    elif count > 0 and count != len(sentinels):
        raise ValueError(
            f"Both extra_ids ({count}) and additional_special_tokens ({listed}) are provided to T5Tokenizer. In this "
            "case the additional_special_tokens must include the extra_ids tokens"
        )


RECIPES: Mapping[str, Recipe] = {
    "LlamaTokenizer": Recipe(
        special_tokens=_LLAMA_TOKENS,
        model_options={"fuse_unk": True, "byte_fallback": True},
        pre_tokenizer=_metaspace(split=False),
        decoder=_decode_bytes_of("$strip_prefix"),
        padding_side="left",
        add_prefix_space=True,
        prepend_scheme="by legacy",
    ),
    "CodeLlamaTokenizer": Recipe(
        special_tokens={
            **_LLAMA_TOKENS,
            "prefix_token": "▁<PRE>",
            "middle_token": "▁<MID>",
            "suffix_token": "▁<SUF>",
            "eot_token": "▁<EOT>",
            "fill_token": "<FILL_ME>",
        },
        model_options={"fuse_unk": True, "byte_fallback": True, "unk_token": "$unk_token"},
        pre_tokenizer=_metaspace(split=False),
        decoder=_decode_bytes_of(_STRIP_ONE),
        padding_side="left",
        add_prefix_space=True,
        prepend_scheme="first",
        amend=_add_infilling_tokens,
    ),
    "GemmaTokenizer": Recipe(
        special_tokens={
            "unk_token": "<unk>",
            "bos_token": "<bos>",
            "eos_token": "<eos>",
            "pad_token": "<pad>",
            "mask_token": "<mask>",
        },
        model_options={"fuse_unk": True, "byte_fallback": True, "unk_token": "$unk_token"},
        normalizer={"type": "Replace", "pattern": {"String": " "}, "content": "▁"},
        pre_tokenizer={
            "type": "Split",
            "pattern": {"String": " "},
            "behavior": "MergedWithPrevious",
            "invert": False,
        },
        decoder=_decode_bytes_of(),
        padding_side="left",
    ),
    "Qwen2Tokenizer": _qwen(
        r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}"
        r"| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+",
        vocabulary_files=_VOCAB_AND_MERGES,
        adds_again="plain",
    ),
    "Qwen3_5Tokenizer": _qwen(
        r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?[\p{L}\p{M}]+|\p{N}"
        r"| ?[^\s\p{L}\p{M}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+",
    ),
    "GPT2Tokenizer": Recipe(
        special_tokens={**_GPT2_TOKENS, "pad_token": None},
        model_options=_NO_AFFIXES,
        pre_tokenizer=_BYTE_LEVEL,
        decoder=_BYTES,
        vocabulary_files=_VOCAB_AND_MERGES,
    ),
    "CodeGenTokenizer": Recipe(
        special_tokens={**_GPT2_TOKENS, "pad_token": None},
        model_options=_NO_AFFIXES,
        pre_tokenizer=_BYTE_LEVEL,
        decoder=_BYTES,
        post_processor={**_BYTES, "trim_offsets": False},
        vocabulary_files=_VOCAB_AND_MERGES,
    ),
    "GPTNeoXTokenizer": Recipe(
        special_tokens={**_GPT2_TOKENS, "pad_token": "<|padding|>"},
        model_options=_NO_AFFIXES,
        normalizer={"type": "NFC"},
        pre_tokenizer={**_BYTE_LEVEL, "trim_offsets": "$trim_offsets"},
        decoder=_BYTES,
        vocabulary_files=_VOCAB_AND_MERGES,
        rebuilds_post_processor=True,
    ),
    "CohereTokenizer": Recipe(
        special_tokens={
            "unk_token": "<UNK>",
            "bos_token": "<BOS_TOKEN>",
            "eos_token": "<|END_OF_TURN_TOKEN|>",
            "pad_token": "<PAD>",
            "cls_token": "<CLS>",
            "sep_token": "<SEP>",
            "mask_token": "<MASK_TOKEN>",
        },
        model_options=_NO_AFFIXES,
        normalizer={"type": "NFC"},
        pre_tokenizer={
            "type": "Sequence",
            "pretokenizers": [{"type": "Digits", "individual_digits": True}, _BYTE_LEVEL],
        },
        decoder=_BYTES,
        padding_side="left",
        vocabulary_files=_VOCAB_AND_MERGES,
        adds_again="stored",
    ),
    "BertTokenizer": Recipe(
        special_tokens=_BERT_TOKENS,
        model="WordPiece",
        model_options={"unk_token": "$unk_token"},
        normalizer={
            "type": "BertNormalizer",
            "clean_text": True,
            "handle_chinese_chars": "$tokenize_chinese_chars",
            "strip_accents": "$strip_accents",
            "lowercase": "$do_lower_case",
        },
        pre_tokenizer={"type": "BertPreTokenizer"},
        decoder={"type": "WordPiece", "prefix": "##", "cleanup": True},
        model_input_names=("input_ids", "token_type_ids", "attention_mask"),
        template=(
            "{cls_token}:0 $A:0 {sep_token}:0",
            "{cls_token}:0 $A:0 {sep_token}:0 $B:1 {sep_token}:1",
        ),
        template_tokens={"{cls_token}": "cls_token", "{sep_token}": "sep_token"},
    ),
    "T5Tokenizer": Recipe(
        special_tokens={"eos_token": "</s>", "unk_token": "<unk>", "pad_token": "<pad>"},
        model="Unigram",
        model_options={"unk_id": 2},
        normalizer="$precompiled",
        pre_tokenizer={"type": "Sequence", "pretokenizers": [{"type": "WhitespaceSplit"}, _metaspace("always")]},
        decoder=_metaspace("always"),
        amend=_add_sentinels,
        template=("$A </s>", "$A </s> $B </s>"),
        template_tokens={"</s>": "eos_token"},
    ),
    "XLMRobertaTokenizer": Recipe(
        special_tokens=_XLMR_TOKENS,
        model="Unigram",
        model_options={"unk_id": 3},
        normalizer="$precompiled",
        pre_tokenizer={"type": "Sequence", "pretokenizers": [{"type": "WhitespaceSplit"}, _metaspace()]},
        decoder=_metaspace(),
        add_prefix_space=True,
        template=("{bos_token} $A {eos_token}", "{bos_token} $A {eos_token} {eos_token} $B {eos_token}"),
        template_tokens={"{bos_token}": "bos_token", "{eos_token}": "eos_token"},
    ),
}
"""The classes that chat models use; for any other class that rebuilds, loading raises."""
