"""Builds the Rust tokenizer: as ``tokenizer.json`` has it, or along a recipe.

Law: what comes out serialises to the same text as the tokenizer that Transformers builds from the same files.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ..errors import ModelFileError
from ..loading.files import ModelFiles
from .recipes import Recipe

if TYPE_CHECKING:
    import tokenizers
    from tokenizers.models import Model

__all__ = ["follow_recipe", "missing_tokenizer_json", "read_tokenizer_json", "stored_added_tokens"]

_NO_TOKENIZER_JSON = (
    "Load the model once with Transformers (which needs the packages sentencepiece, protobuf, tiktoken or "
    "mistral-common for such files) and save_pretrained(…) it; that writes tokenizer.json."
)


def read_tokenizer_json(data: bytes, path: str) -> tokenizers.Tokenizer:
    """Return the tokenizer that the file describes; *path* is named in errors.

    Raises:
        ModelFileError: it describes none.
    """
    from tokenizers import Tokenizer

    try:
        return Tokenizer.from_buffer(data)
    except Exception as error:
        raise ModelFileError(
            path, f"the tokenizers library cannot read it ({error})", "Fetch or save the file again."
        ) from error


def stored_added_tokens(data: bytes) -> list[dict[str, Any]]:
    """Return the ``added_tokens`` of a ``tokenizer.json`` without parsing its vocabulary."""
    text = data[data.find(b'"added_tokens"') :].decode("utf-8", "replace")
    try:
        found, _ = json.JSONDecoder().raw_decode(text, text.index("["))
        if all("content" in token and "id" in token for token in found):
            return list(found)
    except (ValueError, TypeError):
        pass  # what was found is not the key; the long way finds it wherever it stands
    listed: list[dict[str, Any]] = json.loads(data).get("added_tokens", [])
    return listed


def follow_recipe(
    recipe: Recipe,
    files: ModelFiles,
    data: bytes | None,
    stored: tokenizers.Tokenizer | None,
    settings: Mapping[str, Any],
) -> tokenizers.Tokenizer:
    """Return the rebuilt tokenizer, still without added tokens.

    *data* is ``tokenizer.json`` and *stored* what it describes, which must not be used afterwards; *settings* are the
    model's own, with the recipe's special tokens where it names none.
    """
    from tokenizers import Tokenizer

    if stored is None:
        model = _model_from_lists(recipe, files, settings)
    elif type(stored.model).__name__ == recipe.model and recipe.model != "Unigram" and _has_no_prefix(stored.model):
        model = _set_options(recipe, stored.model, settings)
    else:
        model = _model_from_json(recipe, json.loads(data or b""), str(files.paths["tokenizer.json"]), settings)
    backend = Tokenizer(model)

    options = _fill_options(recipe, settings, stored)
    parts = {
        name: _fill_part(getattr(recipe, name), options)
        for name in ("normalizer", "pre_tokenizer", "post_processor", "decoder")
    }
    # The library reads parts from JSON only as parts of a whole tokenizer.
    whole = {"version": "1.0", "truncation": None, "padding": None, "added_tokens": [], **parts}
    whole["model"] = {"type": "BPE", "vocab": {}, "merges": []}
    skeleton = Tokenizer.from_str(json.dumps(whole))
    for name, part in parts.items():
        if part is not None:
            setattr(backend, name, getattr(skeleton, name))
    if stored is not None and stored.post_processor is not None:
        backend.post_processor = stored.post_processor
    return backend


def _has_no_prefix(model: Any) -> bool:
    # The table of merges was built with it, so it cannot be changed afterwards.
    return type(model).__name__ != "BPE" or not model.continuing_subword_prefix


_DEFAULT_OPTIONS: Mapping[str, Mapping[str, Any]] = {
    "BPE": {
        "dropout": None,
        "unk_token": None,
        "continuing_subword_prefix": None,
        "end_of_word_suffix": None,
        "fuse_unk": False,
        "byte_fallback": False,
        "ignore_merges": False,
    },
    "WordPiece": {"unk_token": "[UNK]", "continuing_subword_prefix": "##", "max_input_chars_per_word": 100},
    "Unigram": {"unk_id": None, "byte_fallback": False},
}


def _model_options(recipe: Recipe, settings: Mapping[str, Any]) -> dict[str, Any]:
    chosen = {**_DEFAULT_OPTIONS[recipe.model], **recipe.model_options}
    return {name: str(settings["unk_token"]) if value == "$unk_token" else value for name, value in chosen.items()}


def _set_options(recipe: Recipe, model: Model, settings: Mapping[str, Any]) -> Model:
    """Change the options of *model* in place: its vocabulary stays where it is, which saves most of the loading."""
    for name, value in _model_options(recipe, settings).items():
        setattr(model, name, value)
    return model


def _model_from_json(recipe: Recipe, content: Mapping[str, Any], path: str, settings: Mapping[str, Any]) -> Model:
    """Build a model of the recipe's kind from the vocabulary of a file that may hold another kind."""
    from tokenizers import models

    stored = content["model"]
    # Making a model, unlike changing one, takes no None.
    options = {name: value for name, value in _model_options(recipe, settings).items() if value is not None}
    vocabulary = stored["vocab"]
    try:
        if recipe.model == "Unigram":
            return models.Unigram([(token, score) for token, score in vocabulary], **options)
        if isinstance(vocabulary, list):
            vocabulary = {
                entry[0] if isinstance(entry, list) else entry: place for place, entry in enumerate(vocabulary)
            }
        if recipe.model == "WordPiece":
            return models.WordPiece(vocabulary, **options)
        merges = stored.get("merges", ())
        pairs: list[Any] = [tuple(merge.split(" ") if isinstance(merge, str) else merge) for merge in merges]
        return models.BPE(vocabulary, pairs, **options)
    except (TypeError, ValueError) as error:
        raise ModelFileError(
            path,
            f"no {recipe.model} model can be made of its {stored.get('type')} model ({error})",
            'Correct "tokenizer_class" in tokenizer_config.json; "TokenizersBackend" takes tokenizer.json as it is.',
        ) from error


def _model_from_lists(recipe: Recipe, files: ModelFiles, settings: Mapping[str, Any]) -> Model:
    from tokenizers import models

    for name in recipe.vocabulary_files or ("tokenizer.json",):
        if name not in files.paths:
            raise missing_tokenizer_json(files, name)
    vocabulary, merges = (str(files.paths[name]) for name in recipe.vocabulary_files or ())
    try:
        options = {name: value for name, value in _model_options(recipe, settings).items() if value is not None}
        return models.BPE(vocabulary, merges, **options)
    except Exception as error:
        raise ModelFileError(
            vocabulary, f"it and merges.txt do not fit together ({error})", "Fetch or save both files again."
        ) from error


def missing_tokenizer_json(files: ModelFiles, missing: str = "tokenizer.json") -> ModelFileError:
    """Return the error that says which other vocabulary was found instead, if any."""
    others = [name for name in files.paths if name.endswith((".model", ".tiktoken", "tekken.json"))]
    problem = "is missing" + (f", and turnwire does not read {others[0]}" if others else "")
    return ModelFileError(missing, problem, _NO_TOKENIZER_JSON if others else "Add the file to the model's folder.")


def _fill_options(recipe: Recipe, settings: Mapping[str, Any], stored: tokenizers.Tokenizer | None) -> dict[str, Any]:
    add_prefix_space = settings.get("add_prefix_space")
    if add_prefix_space is None:
        add_prefix_space = recipe.add_prefix_space
    scheme = recipe.prepend_scheme
    if scheme == "by legacy":
        scheme = "always" if settings.get("legacy", False) else "first"
    return {
        "add_prefix_space": add_prefix_space,
        "prepend_scheme": scheme if add_prefix_space else "never",
        "strip_prefix": {"type": "Strip", "content": " ", "start": 1, "stop": 0} if add_prefix_space else None,
        "trim_offsets": settings.get("trim_offsets", True),
        "tokenize_chinese_chars": settings.get("tokenize_chinese_chars", True),
        "strip_accents": settings.get("strip_accents"),
        "do_lower_case": settings.get("do_lower_case", True),
        "precompiled": _find_precompiled(stored),
    }


def _find_precompiled(stored: tokenizers.Tokenizer | None) -> dict[str, Any] | None:
    """Return the file's table of SentencePiece normalisations, if it has one."""
    if stored is None or stored.normalizer is None:
        return None
    part = json.loads(stored.normalizer.__getstate__())
    parts = part["normalizers"] if part["type"] == "Sequence" else [part]
    return next((part for part in parts if part["type"] == "Precompiled"), None)


def _fill_part(part: Any, options: Mapping[str, Any]) -> Any:
    if isinstance(part, str) and part.startswith("$"):
        return options[part[1:]]
    if isinstance(part, Mapping):
        return {name: _fill_part(value, options) for name, value in part.items()}
    if isinstance(part, list):
        filled = [_fill_part(item, options) for item in part]
        return [item for item in filled if item is not None]
    return part
