"""Special and added tokens, out of every form in which models have stored them over the years.

Law: the files are merged in Transformers' order, so that where two of them disagree the same one wins.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from copy import copy
from typing import TYPE_CHECKING, Any

from ..loading.files import ModelFiles

if TYPE_CHECKING:
    from tokenizers import AddedToken

__all__ = ["NAMED_TOKENS", "SpecialTokens", "merge_settings"]

NAMED_TOKENS = ("bos_token", "eos_token", "unk_token", "sep_token", "pad_token", "cls_token", "mask_token")
"""The names that every tokenizer has; a model may bring more of its own, such as ``image_token``."""

_OWN_TOKENS = "model_specific_special_tokens"


def merge_settings(
    files: ModelFiles, stored_tokens: Callable[[], list[dict[str, Any]]] | None
) -> tuple[dict[str, Any], dict[int, AddedToken]]:
    """Return the settings of a model, and the added tokens that come with them by id.

    *stored_tokens* reads the added tokens out of ``tokenizer.json``, and is None where there is none.

    Raises:
        TypeError: a token is stored in a form that Transformers does not take either.
    """
    from tokenizers import AddedToken

    settings: dict[str, Any] = dict(files.tokenizer_config)
    settings.pop("tokenizer_class", None)
    if stored_tokens is not None:
        # The post-processor in tokenizer.json has the last word on these.
        settings.pop("add_bos_token", None)
        settings.pop("add_eos_token", None)
    if "additional_special_tokens" in settings and not settings.get("extra_special_tokens"):
        settings["extra_special_tokens"] = settings.pop("additional_special_tokens")

    own_tokens = {name: settings.pop(name) for name in list(settings) if _is_own_token(name, settings[name])}
    if isinstance(settings.get("extra_special_tokens"), dict):
        own_tokens.update(settings.pop("extra_special_tokens"))
    if own_tokens:
        settings[_OWN_TOKENS] = own_tokens

    added: dict[int, AddedToken] = {}
    if "added_tokens_decoder" in settings:
        for place, token in settings.pop("added_tokens_decoder").items():
            if not isinstance(token, dict):
                raise TypeError(
                    f"Found a {token.__class__} in the saved `added_tokens_decoder`, "
                    "should be a dictionary or an AddedToken instance"
                )
            added[int(place)] = AddedToken(**{name: value for name, value in token.items() if name != "__type"})
        by_content = {str(token): token for token in added.values()}
    else:
        _merge_special_tokens_map(settings, files.special_tokens_map)
        by_content = {}
        special = {str(settings[name]) for name in NAMED_TOKENS if settings.get(name)}
        special |= {str(token) for token in settings.get("extra_special_tokens") or ()}
        for content, place in files.added_tokens.items():
            is_special = content in special
            added[place] = AddedToken(
                content, rstrip=False, lstrip=False, normalized=not is_special, special=is_special
            )
            by_content[content] = added[place]
        for stored in stored_tokens() if stored_tokens is not None else ():
            place = stored.pop("id")
            added[place] = AddedToken(**stored)
            by_content[str(added[place])] = added[place]

    settings = _revive_tokens(settings)
    for name in NAMED_TOKENS:
        if settings.get(name) is not None:
            settings[name] = by_content.get(str(settings[name]), settings[name])
    return settings, added


def _is_own_token(name: str, value: Any) -> bool:
    return name.endswith("_token") and name not in NAMED_TOKENS and isinstance(value, str)


def _merge_special_tokens_map(settings: dict[str, Any], stored: Mapping[str, Any]) -> None:
    from tokenizers import AddedToken

    for name, value in stored.items():
        if isinstance(value, dict) and name != "extra_special_tokens":
            value = AddedToken(**{**value, "special": True})
        elif name == "extra_special_tokens" and isinstance(value, list):
            tokens = list(settings.get("extra_special_tokens") or [])
            for token in value:
                token = AddedToken(**token, special=True) if isinstance(token, dict) else token
                if token not in tokens:
                    tokens.append(token)
            value = tokens
        settings[name] = value
    if isinstance(settings.get("extra_special_tokens"), dict):
        settings[_OWN_TOKENS] = copy(settings.get(_OWN_TOKENS, {}))
        settings[_OWN_TOKENS].update(settings.pop("extra_special_tokens"))


def _revive_tokens(value: Any) -> Any:
    """Turn ``{"__type": "AddedToken", …}`` into that, at any depth."""
    from tokenizers import AddedToken

    if isinstance(value, dict):
        if value.get("__type") == "AddedToken":
            return AddedToken(**{name: item for name, item in value.items() if name != "__type"})
        return {name: _revive_tokens(item) for name, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_revive_tokens(item) for item in value]
    return value


class SpecialTokens:
    """The special tokens by name, and those without a name."""

    def __init__(self, settings: dict[str, Any]) -> None:
        """Take the tokens out of *settings*, which loses them.

        Raises:
            TypeError: one of them is neither text nor an added token.
        """
        from tokenizers import AddedToken

        self.named: dict[str, str | AddedToken | None] = dict.fromkeys(NAMED_TOKENS)
        """Each with its flags, if it was stored with some; in the order in which Transformers lists them."""
        self.extra: list[str | AddedToken] = []
        if "additional_special_tokens" in settings and "extra_special_tokens" not in settings:
            settings["extra_special_tokens"] = settings.pop("additional_special_tokens")
        explicit = settings.pop(_OWN_TOKENS, None)
        if explicit is not None and not isinstance(explicit, dict):
            raise TypeError("model_specific_special_tokens must be a dictionary of token name to token value")
        own_tokens = {}
        for name in list(settings):
            if name in NAMED_TOKENS:
                if (value := settings.pop(name)) is not None:
                    self._set_named(name, value)
            elif name == "extra_special_tokens":
                if (value := settings.pop(name)) is None:
                    continue
                if isinstance(value, dict):
                    for own_name, token in value.items():
                        self._set_named(own_name, token)
                elif isinstance(value, (list, tuple)):
                    self.extra = list(value)
                else:
                    raise TypeError("extra_special_tokens must be a list/tuple of tokens or a dict of named tokens")
            elif name.endswith("_token") and isinstance(settings[name], (str, AddedToken)):
                own_tokens[name] = settings.pop(name)
        for name, token in {**own_tokens, **(explicit or {})}.items():
            self._set_named(name, token)

    def _set_named(self, name: str, token: Any) -> None:
        from tokenizers import AddedToken

        if not isinstance(token, (str, AddedToken)):
            raise TypeError(f"Special token {name} has to be either str or AddedToken but got: {type(token)}")
        self.named[name] = token

    def list_all(self) -> list[str | AddedToken]:
        """Return the named ones that are set, then the others, duplicates included."""
        return [token for token in self.named.values() if token is not None] + self.extra
