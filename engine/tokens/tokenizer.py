"""The tokenizer that Transformers' ``AutoTokenizer`` would build for a model, as far as chats need it.

Law: one tokenizer serves any number of threads. Nothing that encodes or decodes changes it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Sized
from functools import cached_property
from typing import TYPE_CHECKING, Any, cast

from ..loading.files import ModelFiles
from ..log import logger
from .anchors import AnchorTokens, find_obstacle
from .assemble import Assembled, assemble_backend
from .encoding import BatchEncoding
from .engine import Filling, Truncation
from .padding import Pad, check_rows, merge_examples, pad_rows
from .prompt_cache import PromptCache
from .rows import WantedRows, collect_batch, collect_prompt, collect_rows
from .sanitize import encode_marked_chat
from .strategies import Limits, PaddingStrategy, TensorType, TruncationStrategy, choose_strategies
from .vocabulary import TokenTable

if TYPE_CHECKING:
    from tokenizers import Encoding

__all__ = ["Tokenizer", "load_tokenizer"]


def load_tokenizer(files: ModelFiles) -> Tokenizer:
    """Build the tokenizer of a model whose files have been found.

    Raises:
        ModelFileError: a file is missing or broken, or the tokenizer is of a class that turnwire does not build.
        TypeError, ValueError: the settings have values that Transformers refuses as well.
    """
    return Tokenizer(assemble_backend(files), files.source)


class Tokenizer(TokenTable):
    """Texts to ids and back.

    Attributes and methods are those of Transformers' tokenizers, and so are their results and errors.
    """

    def __init__(self, parts: Assembled, name_or_path: str) -> None:
        super().__init__(parts, name_or_path)
        self._warned_of_length = False

    def __call__(
        self,
        text: Any = None,
        text_pair: Any = None,
        text_target: Any = None,
        text_pair_target: Any = None,
        add_special_tokens: bool = True,
        padding: bool | str | PaddingStrategy = False,
        truncation: bool | str | TruncationStrategy | None = None,
        max_length: int | None = None,
        stride: int = 0,
        is_split_into_words: bool = False,
        pad_to_multiple_of: int | None = None,
        padding_side: str | None = None,
        return_tensors: str | TensorType | None = None,
        return_token_type_ids: bool | None = None,
        return_attention_mask: bool | None = None,
        return_overflowing_tokens: bool = False,
        return_special_tokens_mask: bool = False,
        return_offsets_mapping: bool = False,
        return_length: bool = False,
        verbose: bool = True,
        tokenizer_kwargs: Mapping[str, Any] | None = None,
        **kwargs: Any,
    ) -> BatchEncoding:
        """Encode a text, a batch of texts, or pairs of texts; arguments as in Transformers.

        Raises:
            ValueError, TypeError, OverflowError: the arguments contradict each other or have the wrong shape.
        """
        arguments = {
            "add_special_tokens": add_special_tokens,
            "padding": padding,
            "truncation": truncation,
            "max_length": max_length,
            "stride": stride,
            "is_split_into_words": is_split_into_words,
            "pad_to_multiple_of": pad_to_multiple_of,
            "padding_side": padding_side,
            "return_tensors": return_tensors,
            "return_token_type_ids": return_token_type_ids,
            "return_attention_mask": return_attention_mask,
            "return_overflowing_tokens": return_overflowing_tokens,
            "return_special_tokens_mask": return_special_tokens_mask,
            "return_offsets_mapping": return_offsets_mapping,
            "return_length": return_length,
            "split_special_tokens": kwargs.pop("split_special_tokens", self.split_special_tokens),
            "verbose": verbose,
        }
        max_target_length = kwargs.pop("max_target_length", None)
        arguments.update(tokenizer_kwargs or {})
        arguments.update(kwargs)
        if text is None and text_target is None:
            raise ValueError("You need to specify either `text` or `text_target`.")
        limits = self._choose_limits(
            arguments.pop("padding", False),
            arguments.pop("truncation", None),
            arguments.pop("max_length", None),
            arguments["pad_to_multiple_of"],
            verbose=arguments["verbose"],
        )
        encoding = None if text is None else self._encode(text, text_pair, limits, **arguments)
        if text_target is not None:
            if max_target_length is not None:
                limits = limits._replace(max_length=max_target_length)
            target = self._encode(text_target, text_pair_target, limits, **arguments)
            if encoding is None:
                return target
            encoding["labels"] = target["input_ids"]
        return cast("BatchEncoding", encoding)

    def encode(
        self,
        text: Any,
        text_pair: Any = None,
        add_special_tokens: bool = True,
        padding: bool | str | PaddingStrategy = False,
        truncation: bool | str | TruncationStrategy | None = None,
        max_length: int | None = None,
        stride: int = 0,
        padding_side: str | None = None,
        return_tensors: str | TensorType | None = None,
        **kwargs: Any,
    ) -> Any:
        """Return the ids of a text; arguments and errors as in a call."""
        limits = self._choose_limits(
            padding, truncation, max_length, kwargs.get("pad_to_multiple_of"), verbose=kwargs.get("verbose", True)
        )
        return self._encode(
            text,
            text_pair,
            limits,
            add_special_tokens=add_special_tokens,
            stride=stride,
            padding_side=padding_side,
            return_tensors=return_tensors,
            **kwargs,
        )["input_ids"]

    def tokenize(self, text: Any, pair: Any = None, add_special_tokens: bool = False, **kwargs: Any) -> list[str]:
        """Return the tokens of a text as they stand in the vocabulary."""
        nothing = Limits(PaddingStrategy.DO_NOT_PAD, TruncationStrategy.DO_NOT_TRUNCATE, None)
        return self._encode(text, pair, nothing, add_special_tokens=add_special_tokens, **kwargs).tokens()

    def encode_without_added_tokens(self, text: str) -> list[int]:
        """Return the ids of *text* as if the vocabulary had no added tokens, special or not."""
        if self.backend.normalizer is not None:
            text = self.backend.normalizer.normalize_str(text)
        pieces = [text]
        if self.backend.pre_tokenizer is not None:
            pieces = [piece for piece, _ in self.backend.pre_tokenizer.pre_tokenize_str(text)]
        return [token.id for piece in pieces for token in self.backend.model.tokenize(piece)]

    def _choose_limits(
        self, padding: Any, truncation: Any, max_length: int | None, pad_to_multiple_of: int | None, *, verbose: bool
    ) -> Limits:
        return choose_strategies(
            padding,
            truncation,
            max_length,
            pad_to_multiple_of,
            verbose=verbose,
            model_max_length=self.model_max_length,
            can_pad=lambda: self.pad_token is not None and self.pad_token_id >= 0,  # type: ignore[operator]
        )

    def _encode(
        self,
        text: Any,
        text_pair: Any,
        limits: Limits,
        *,
        add_special_tokens: bool = True,
        stride: int = 0,
        is_split_into_words: bool = False,
        pad_to_multiple_of: int | None = None,
        padding_side: str | None = None,
        return_tensors: str | TensorType | None = None,
        return_token_type_ids: bool | None = None,
        return_attention_mask: bool | None = None,
        return_overflowing_tokens: bool = False,
        return_special_tokens_mask: bool = False,
        return_offsets_mapping: bool = False,
        return_length: bool = False,
        verbose: bool = True,
        split_special_tokens: bool | None = None,
        sanitize_control_tokens: bool = False,
        is_prompt: bool = False,
        needs_offsets: bool = False,
        **_: Any,
    ) -> BatchEncoding:
        if self.class_name == "CodeLlamaTokenizer" and isinstance(text, str) and str(self.fill_token) in text:
            raise NotImplementedError(
                f"{self.fill_token} asks for infilling, which rearranges the text; turnwire encodes text as it stands"
            )
        batch, is_batched = collect_batch(text, text_pair, is_split_into_words=is_split_into_words)
        truncation = filling = None
        if limits.truncation is not TruncationStrategy.DO_NOT_TRUNCATE:
            truncation = Truncation(
                cast("int", limits.max_length), stride, limits.truncation.value, self.truncation_side
            )
        if limits.padding is not PaddingStrategy.DO_NOT_PAD:
            filling = Filling(
                limits.max_length if limits.padding is PaddingStrategy.MAX_LENGTH else None,
                self.padding_side if padding_side is None else padding_side,
                cast("int", self.pad_token_id),
                cast("str", self.pad_token),
                self.pad_token_type_id,
                pad_to_multiple_of,
            )
        if sanitize_control_tokens:
            self._engine.refuse_settings(truncation, filling)
            if add_special_tokens and self.num_special_tokens_to_add():
                raise NotImplementedError("`sanitize_control_tokens=True` needs a template that writes special tokens")
            ids = [encode_marked_chat(self, chat) for chat in batch]
            if truncation is not None:
                cut = (
                    slice(truncation.max_length)
                    if truncation.direction == "right"
                    else slice(-truncation.max_length, None)
                )
                ids = [row[cut] for row in ids]
            padded: BatchEncoding = self.pad(
                {"input_ids": ids if is_batched or return_tensors else ids[0]},
                padding=limits.padding,
                max_length=limits.max_length,
                pad_to_multiple_of=pad_to_multiple_of,
                padding_side=padding_side,
                return_attention_mask=return_attention_mask,
                return_tensors=return_tensors,
            )
            return padded
        names = self.model_input_names
        wanted = WantedRows(
            token_type_ids="token_type_ids" in names if return_token_type_ids is None else return_token_type_ids,
            attention_mask="attention_mask" in names if return_attention_mask is None else return_attention_mask,
            special_tokens_mask=return_special_tokens_mask,
            offset_mapping=return_offsets_mapping,
            length=return_length,
            overflowing=return_overflowing_tokens,
        )
        splits = self.split_special_tokens if split_special_tokens is None else split_special_tokens

        def encode() -> list[Encoding]:
            return self._engine.encode_batch(
                batch,
                add_special_tokens=add_special_tokens,
                is_split_into_words=is_split_into_words,
                split_special_tokens=splits,
                truncation=truncation,
                filling=filling,
            )

        warns = limits.max_length is None and verbose and not self._warned_of_length
        if (
            is_prompt
            and isinstance(text, str)
            and not (text_pair or truncation or filling or splits or is_split_into_words or add_special_tokens)
            and not wanted.need_encodings
            and (prompts := self._prompts) is not None
        ):
            prompt = prompts.encode_prompt(text, with_offsets=needs_offsets or return_offsets_mapping)
            if warns:
                self._warn_of_length([prompt.ids])
            return collect_prompt(prompt, wanted, encode, tensor_type=return_tensors)
        encodings = encode()
        if warns:
            self._warn_of_length(encodings)
        return collect_rows(encodings, wanted, is_batched=is_batched, tensor_type=return_tensors)

    @cached_property
    def _prompts(self) -> PromptCache | None:
        """The prompts encoded lately; None for a tokenizer whose ids cannot be reused."""
        if find_obstacle(self.backend) is not None:
            return None
        return PromptCache(self._engine, AnchorTokens(self.backend))

    def _warn_of_length(self, rows: Sequence[Sized]) -> None:
        limit = self.model_max_length
        longer = next((len(row) for row in rows if len(row) > limit), None)
        if limit != 0 and longer is not None:
            self._warned_of_length = True
            logger.warning(
                "Token indices sequence length is longer than the specified maximum sequence length "
                f"for this model ({longer} > {limit}). Running this sequence through the model will result in "
                "indexing errors"
            )

    def pad(
        self,
        encoded_inputs: Any,
        padding: bool | str | PaddingStrategy = True,
        max_length: int | None = None,
        pad_to_multiple_of: int | None = None,
        padding_side: str | None = None,
        return_attention_mask: bool | None = None,
        return_tensors: str | TensorType | None = None,
        verbose: bool = True,
    ) -> Any:
        """Fill up rows that are already encoded; arguments as in Transformers.

        Raises:
            ValueError: the rows lack ``input_ids``, or there is no padding token.
        """
        rows = merge_examples(encoded_inputs)
        if not check_rows(rows, self.model_input_names[0]):
            if return_attention_mask:
                rows["attention_mask"] = []
            return rows
        with_mask = (
            "attention_mask" in self.model_input_names if return_attention_mask is None else return_attention_mask
        )
        return pad_rows(
            rows,
            lambda: self._choose_limits(padding, None, max_length, None, verbose=verbose),
            Pad(
                self.model_input_names[0],
                self.pad_token_id,
                self.pad_token_type_id,
                self.padding_side if padding_side is None else padding_side,
                with_mask,
            ),
            pad_to_multiple_of,
            return_tensors,
        )
