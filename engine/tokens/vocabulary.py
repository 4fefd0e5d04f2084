"""The half of a tokenizer that reads no text: its settings, special tokens and vocabulary, and ids back to text.

Law: nothing here changes the Rust tokenizer; assigning to a special token changes only what it is called.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, cast

from ..log import warn_once
from .arrays import to_lists
from .assemble import Assembled
from .engine import TokenEngine
from .library_engine import LibraryEngine
from .special import SpecialTokens
from .strategies import UNLIMITED

if TYPE_CHECKING:
    import tokenizers
    from tokenizers import AddedToken

__all__ = ["TokenTable"]


class TokenTable:
    """Settings, special tokens and vocabulary of one model.

    Every named special token is an attribute: ``bos_token``, ``bos_token_id``, and likewise for names that only this
    model has.
    """

    bos_token: str | None
    eos_token: str | None
    unk_token: str | None
    sep_token: str | None
    pad_token: str | None
    cls_token: str | None
    mask_token: str | None
    bos_token_id: int | None
    eos_token_id: int | None
    unk_token_id: int | None
    pad_token_id: int | None
    extra_special_tokens: list[str]

    def __init__(self, parts: Assembled, name_or_path: str) -> None:
        settings = parts.settings
        self.name_or_path = name_or_path
        """The folder or Hub id it was loaded from."""
        self.class_name = parts.class_name
        """What Transformers calls the class of this tokenizer."""
        max_length = settings.get("model_max_length", settings.get("max_len"))
        self.model_max_length: int = UNLIMITED if max_length is None else max_length
        """Tokens; a very large number where the model does not say."""
        self.padding_side: str = settings.get("padding_side", parts.padding_side)
        """``left`` or ``right``."""
        self.truncation_side: str = settings.get("truncation_side", "right")
        """``left`` or ``right``."""
        self.model_input_names = list(settings.get("model_input_names", parts.model_input_names))
        """Names of the rows that a call returns."""
        self.clean_up_tokenization_spaces: bool = settings.get("clean_up_tokenization_spaces", False)
        """Whether decoding removes the spaces before punctuation; not heeded for BPE, which it would corrupt."""
        self.split_special_tokens: bool = settings.get("split_special_tokens", False)
        """Whether special tokens in a text are encoded as ordinary text."""
        self.response_template: dict[str, Any] | None = settings.get("response_template")
        """The model's own description of how its output is read."""
        self.chat_control_tokens: list[str] | None = settings.get("chat_control_tokens")
        """The tokens that text from outside must not smuggle in, if the model declares them."""
        self._cleans_bpe = settings.get(
            "clean_up_tokenization_spaces_for_bpe_even_though_it_will_corrupt_output", False
        )
        self._special: SpecialTokens = parts.special_tokens
        self._engine: TokenEngine = LibraryEngine(parts.backend)

    def __getattr__(self, name: str) -> Any:
        special: SpecialTokens | None = self.__dict__.get("_special")
        token_name = name.removesuffix("_ids").removesuffix("_id")
        if special is not None and token_name in special.named:
            token = special.named[token_name]
            if token is None:
                return None
            return str(token) if token_name == name else self.convert_tokens_to_ids(str(token))
        if special is not None and token_name == "extra_special_tokens":
            tokens = [str(token) for token in special.extra]
            return tokens if token_name == name else self.convert_tokens_to_ids(tokens)
        raise AttributeError(f"{self.__dict__.get('class_name')} has no attribute {name}")

    def __setattr__(self, name: str, value: Any) -> None:
        special: SpecialTokens | None = self.__dict__.get("_special")
        token_name = name.removesuffix("_ids").removesuffix("_id")
        if special is not None and token_name in special.named:
            if token_name != name and value is not None:
                value = self.convert_ids_to_tokens(value)
            if value is not None and not _is_token(value):
                raise ValueError(f"Cannot set a non-string value as the {token_name}")
            special.named[token_name] = value
        elif special is not None and token_name == "extra_special_tokens":
            if value is not None and not isinstance(value, (list, tuple)):
                raise ValueError(f"extra_special_tokens must be a list or tuple, got {type(value)}")
            if token_name != name and value is not None:
                value = [self.convert_ids_to_tokens(item) for item in value]
            special.extra = list(value or ())
        else:
            object.__setattr__(self, name, value)

    @property
    def special_tokens_map(self) -> dict[str, str]:
        """The named special tokens that are set, which templates see as variables."""
        return {name: str(token) for name, token in self._special.named.items() if token is not None}

    @property
    def all_special_tokens(self) -> list[str]:
        """Every special token once, the named ones first."""
        return list(dict.fromkeys(str(token) for token in self._special.list_all()))

    @property
    def all_special_ids(self) -> list[int]:
        """The ids of :attr:`all_special_tokens`."""
        return cast("list[int]", self.convert_tokens_to_ids(self.all_special_tokens))

    @property
    def added_tokens_decoder(self) -> dict[int, AddedToken]:
        """The tokens that are cut out of a text before the model sees it, by id."""
        return self.backend.get_added_tokens_decoder()

    @property
    def added_tokens_encoder(self) -> dict[str, int]:
        """Their ids by text, in the order of the ids."""
        return {
            token.content: place for place, token in sorted(self.added_tokens_decoder.items(), key=lambda it: it[0])
        }

    @cached_property
    def added_texts(self) -> tuple[str, ...]:
        """The texts of the added tokens in the order of their ids; made once, since models have thousands."""
        return tuple(self.added_tokens_encoder)

    @property
    def backend(self) -> tokenizers.Tokenizer:
        """The Rust tokenizer; read it, never change it."""
        return self._engine.backend

    @property
    def pad_token_type_id(self) -> int:
        """What ``token_type_ids`` are filled with."""
        return 0

    @property
    def vocab_size(self) -> int:
        """Size of the vocabulary without the added tokens."""
        return self.backend.get_vocab_size(with_added_tokens=False)

    def __len__(self) -> int:
        return self.backend.get_vocab_size(with_added_tokens=True)

    def __bool__(self) -> bool:
        return True

    def __repr__(self) -> str:
        return f"Tokenizer({self.name_or_path!r}, class_name={self.class_name!r}, vocab_size={self.vocab_size})"

    def get_vocab(self) -> dict[str, int]:
        """Return the ids of all tokens by their text in the vocabulary."""
        return self.backend.get_vocab(with_added_tokens=True)

    def convert_tokens_to_ids(self, tokens: Any) -> Any:
        """Return the id of a token, or those of several; an unknown one gets that of ``unk_token``."""
        if not isinstance(tokens, str):
            return [self.convert_tokens_to_ids(token) for token in tokens]
        found = self.backend.token_to_id(tokens)
        return self.unk_token_id if found is None else found

    def convert_ids_to_tokens(self, ids: Any, skip_special_tokens: bool = False) -> Any:
        """Return the token of an id, or those of several, as they stand in the vocabulary."""
        if isinstance(ids, int):
            return self.backend.id_to_token(ids)
        skipped = set(self.all_special_ids) if skip_special_tokens else set()
        return [self.backend.id_to_token(int(number)) for number in ids if int(number) not in skipped]

    def convert_tokens_to_string(self, tokens: list[str]) -> str:
        """Join tokens as they stand in the vocabulary to the text they were cut from."""
        decoder = self.backend.decoder
        return " ".join(tokens) if decoder is None else decoder.decode(tokens)

    def num_special_tokens_to_add(self, pair: bool = False) -> int:
        """Return how many special tokens are added to a text, or to a pair of texts."""
        return self.backend.num_special_tokens_to_add(pair)

    def decode(self, token_ids: Any, skip_special_tokens: bool = False, **kwargs: Any) -> Any:
        """Return the text of *token_ids*, or the list of texts of a batch.

        ``clean_up_tokenization_spaces`` may be passed to override the tokenizer's own setting.
        """
        token_ids = to_lists(token_ids)
        if isinstance(token_ids, (list, tuple)) and token_ids and isinstance(token_ids[0], (list, tuple)):
            return [self._decode_row(row, skip_special_tokens, **kwargs) for row in token_ids]
        return self._decode_row(token_ids, skip_special_tokens, **kwargs)

    def batch_decode(
        self,
        sequences: Any,
        skip_special_tokens: bool = False,
        clean_up_tokenization_spaces: bool | None = None,
        **kwargs: Any,
    ) -> list[str]:
        """Return the texts of a batch of ids."""
        sequences = to_lists(sequences)
        if len(sequences) == 0:
            return []
        texts = self.decode(
            sequences, skip_special_tokens, clean_up_tokenization_spaces=clean_up_tokenization_spaces, **kwargs
        )
        if isinstance(texts, str):
            warn_once(
                "Passing a single sequence to `batch_decode` is deprecated and will be removed in a future version, "
                "use `decode` instead."
            )
            return [texts]
        return cast("list[str]", texts)

    def _decode_row(
        self, token_ids: Any, skip_special_tokens: bool, clean_up_tokenization_spaces: bool | None = None, **_: Any
    ) -> str:
        if isinstance(token_ids, int):
            token_ids = [token_ids]
        if isinstance(token_ids, dict):
            token_ids = token_ids["input_ids"]
        text = self.backend.decode(token_ids, skip_special_tokens=skip_special_tokens)
        if clean_up_tokenization_spaces is None:
            clean_up_tokenization_spaces = self.clean_up_tokenization_spaces
        if not clean_up_tokenization_spaces:
            return text
        if type(self.backend.model).__name__ == "BPE" and not self._cleans_bpe:
            warn_once(
                f"Ignoring clean_up_tokenization_spaces=True for BPE tokenizer {self.class_name}. The "
                "clean_up_tokenization post-processing step is designed for WordPiece tokenizers and is destructive "
                "for BPE (it strips spaces before punctuation). Set clean_up_tokenization_spaces=False to suppress "
                "this warning, or set clean_up_tokenization_spaces_for_bpe_even_though_it_will_corrupt_output=True to "
                "force cleanup anyway."
            )
            return text
        for spaced, tight in _SPACED_PUNCTUATION.items():
            text = text.replace(spaced, tight)
        return text


_SPACED_PUNCTUATION = {
    " .": ".",
    " ?": "?",
    " !": "!",
    " ,": ",",
    " ' ": "'",
    " n't": "n't",
    " 'm": "'m",
    " 's": "'s",
    " 've": "'ve",
    " 're": "'re",
}
"""Applied in this order."""


def _is_token(value: Any) -> bool:
    from tokenizers import AddedToken

    return isinstance(value, (str, AddedToken))
