"""From a model's files to its finished Rust tokenizer: class, settings, added tokens and post-processor, in that order.

Law: after this module the Rust tokenizer is never changed again, so that any number of threads can share it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..errors import ModelFileError
from ..loading.files import ModelFiles
from ..log import logger
from .classes import PLAIN, choose_class
from .rebuild import follow_recipe, missing_tokenizer_json, read_tokenizer_json, stored_added_tokens
from .recipes import RECIPES, Recipe
from .special import SpecialTokens, merge_settings

if TYPE_CHECKING:
    import tokenizers
    from tokenizers import AddedToken

__all__ = ["Assembled", "assemble_backend"]


@dataclass
class Assembled:
    """All that a tokenizer is made of."""

    backend: tokenizers.Tokenizer
    """The finished Rust tokenizer, with truncation and padding off."""
    special_tokens: SpecialTokens
    settings: dict[str, Any]
    """What ``tokenizer_config.json`` and the class say besides the special tokens."""
    class_name: str
    """What Transformers calls the class."""
    padding_side: str
    model_input_names: tuple[str, ...]


def assemble_backend(files: ModelFiles) -> Assembled:
    """Build the Rust tokenizer of a model.

    Raises:
        ModelFileError: a file is missing or broken, or the class of the tokenizer is one that turnwire does not build.
        TypeError, ValueError: the settings have values that Transformers refuses as well.
    """
    path = files.paths.get("tokenizer.json")
    data = None if path is None else path.read_bytes()
    class_name = choose_class(files, data)
    recipe = RECIPES.get(class_name)
    if recipe is None and class_name != PLAIN:
        raise ModelFileError(
            str(files.paths.get("tokenizer_config.json") or files.paths["config.json"]),
            f"the tokenizer class {class_name} is not one that turnwire can build",
            'Set "tokenizer_class" to "TokenizersBackend" to take tokenizer.json as it stands. Transformers may '
            "rebuild the tokenizer for that class, so compare a few ids with its own.",
        )
    if recipe is None and data is None:
        raise missing_tokenizer_json(files)
    stored = None if data is None else read_tokenizer_json(data, str(path))

    settings, added = merge_settings(files, None if data is None else lambda: stored_added_tokens(data))
    if recipe is None:
        assert stored is not None
        backend = stored
    else:
        settings = {**recipe.special_tokens, **settings}
        if recipe.amend is not None:
            recipe.amend(settings)
        backend = follow_recipe(recipe, files, data, stored, settings)
    _take_over_limits(settings, stored)
    backend.no_truncation()
    backend.no_padding()

    write_post_processor = "add_bos_token" in settings or "add_eos_token" in settings or backend.post_processor is None
    special_tokens = SpecialTokens(settings)
    _refuse_settings(settings)
    _add_tokens(backend, special_tokens, added)
    if backend.get_vocab_size() > 100_000 and backend.pre_tokenizer is not None and _is_unmended_mistral(files):
        _mend_mistral_pattern(backend, files.source, settings.get("fix_mistral_regex"))
    if write_post_processor:
        _write_post_processor(backend, special_tokens, settings)
    if recipe is not None:
        _finish_class(recipe, backend, special_tokens, settings, write_post_processor)
    return Assembled(
        backend,
        special_tokens,
        settings,
        class_name,
        padding_side=recipe.padding_side if recipe is not None else "right",
        model_input_names=recipe.model_input_names if recipe is not None else ("input_ids", "attention_mask"),
    )


def _take_over_limits(settings: dict[str, Any], stored: tokenizers.Tokenizer | None) -> None:
    """Let the padding and truncation in ``tokenizer.json`` stand in for settings that the model does not have."""
    if stored is not None and (truncation := stored.truncation) is not None:
        settings.setdefault("truncation_side", truncation["direction"])
    if stored is not None and (padding := stored.padding) is not None:
        settings.setdefault("pad_token", padding["pad_token"])
        settings.setdefault("padding_side", padding["direction"])


def _refuse_settings(settings: dict[str, Any]) -> None:
    for name in ("padding", "truncation"):
        side = settings.get(f"{name}_side", "right")
        if side not in ("right", "left"):
            raise ValueError(
                f"{name.capitalize()} side should be selected between 'right' and 'left', current value: {side}"
            )
    declared = settings.get("chat_control_tokens")
    if declared is not None and not isinstance(declared, (list, tuple)):
        raise TypeError(f"`chat_control_tokens` should be a list of strings, got {declared!r}")


def _add_tokens(backend: tokenizers.Tokenizer, special_tokens: SpecialTokens, added: dict[int, AddedToken]) -> None:
    from tokenizers import AddedToken

    tokens: list[Any] = [token for _, token in sorted(added.items(), key=lambda item: item[0])]
    known = {token.content for token in backend.get_added_tokens_decoder().values()} | {str(token) for token in tokens}
    for token in special_tokens.list_all():
        if str(token) not in known and token not in tokens:
            tokens.append(token)
    names = {str(token) for token in special_tokens.named.values() if token}
    for place, token in enumerate(tokens):
        if isinstance(token, str):
            tokens[place] = AddedToken(token, special=True)
        elif isinstance(token, AddedToken) and not token.special and str(token) in names:
            token.special = True
    if tokens:
        backend.add_tokens(tokens)


def _write_post_processor(
    backend: tokenizers.Tokenizer, special_tokens: SpecialTokens, settings: dict[str, Any]
) -> None:
    """Set the post-processor that adds what ``add_bos_token`` and ``add_eos_token`` ask for."""
    from tokenizers.processors import TemplateProcessing

    id_of = _id_lookup(backend, special_tokens)
    used = []
    marks = []
    for name in ("bos_token", "eos_token"):
        token = special_tokens.named[name]
        is_used = token is not None and settings.get(f"add_{name}", False)
        marks.append(str(token) if is_used else "")
        if is_used:
            used.append((str(token), id_of(str(token))))
    bos, eos = marks
    single = f"{bos + ':0 ' if bos else ''}$A:0{' ' + eos + ':0' if eos else ''}"
    pair = f"{single}{' ' + bos + ':1' if bos else ''} $B:1{' ' + eos + ':1' if eos else ''}"
    backend.post_processor = TemplateProcessing(single=single, pair=pair, special_tokens=used)


def _id_lookup(backend: tokenizers.Tokenizer, special_tokens: SpecialTokens) -> Callable[[str], Any]:
    def id_of(token: str) -> Any:
        found = backend.token_to_id(token)
        if found is None and (unknown := special_tokens.named["unk_token"]) is not None:
            return backend.token_to_id(str(unknown))
        return found

    return id_of


def _finish_class(
    recipe: Recipe,
    backend: tokenizers.Tokenizer,
    special_tokens: SpecialTokens,
    settings: dict[str, Any],
    write_post_processor: bool,
) -> None:
    from tokenizers import AddedToken
    from tokenizers.processors import TemplateProcessing

    if recipe.adds_again == "plain":
        contents = dict.fromkeys(str(token) for token in special_tokens.list_all())
        backend.add_tokens([AddedToken(content, special=True) for content in contents])
    elif recipe.adds_again == "stored":
        backend.add_special_tokens(
            [
                AddedToken(token, special=True, normalized=False) if isinstance(token, str) else token
                for token in special_tokens.list_all()
            ]
        )
        if write_post_processor:
            _write_post_processor(backend, special_tokens, settings)
    if recipe.rebuilds_post_processor:
        _write_post_processor(backend, special_tokens, settings)
    if recipe.template is not None:
        id_of = _id_lookup(backend, special_tokens)
        names = {name: str(token) for name, token in special_tokens.named.items()}
        single, pair = (text.format(**names) for text in recipe.template)
        backend.post_processor = TemplateProcessing(
            single=single,
            pair=pair,
            special_tokens=[
                (mark.format(**names), None if special_tokens.named[name] is None else id_of(names[name]))
                for mark, name in recipe.template_tokens.items()
            ],
        )


_MISTRAL_TYPES = frozenset({"mistral", "mistral3", "voxtral", "ministral", "pixtral"})
_MISTRAL_PATTERN = (
    r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+"
    r"|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*"
    r"|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)


def _is_unmended_mistral(files: ModelFiles) -> bool:
    """Tell whether the model may have the pattern that early conversions of Mistral's tokenizers got wrong."""
    if "config.json" not in files.paths:
        return False
    version = files.config.get("transformers_version")
    if version and int(version.split(".")[0]) >= 5 and not re.match(r"5\.0\.0\.?(dev|rc|a|b)", version):
        return False
    model_type = files.config.get("model_type")
    return model_type is None or model_type in _MISTRAL_TYPES


def _mend_mistral_pattern(backend: tokenizers.Tokenizer, source: str, is_wanted: bool | None) -> None:
    from tokenizers import Regex
    from tokenizers.pre_tokenizers import ByteLevel, Metaspace, Sequence, Split

    if is_wanted is None:
        logger.warning(
            f"The tokenizer you are loading from '{source}' with an incorrect regex pattern: "
            "https://huggingface.co/mistralai/Mistral-Small-3.1-24B-Instruct-2503/discussions/84#69121093e8b480e709447d5e."
            " This will lead to incorrect tokenization. You should set the `fix_mistral_regex=True` flag when loading "
            "this tokenizer to fix this issue."
        )
    if not is_wanted:
        return
    split = Split(pattern=Regex(_MISTRAL_PATTERN), behavior="isolated")
    current = backend.pre_tokenizer
    if isinstance(current, Sequence):
        current[0] = split
        return
    if isinstance(current, Metaspace):
        current = ByteLevel(add_prefix_space=False, use_regex=False)
    backend.pre_tokenizer = Sequence([split, current])
