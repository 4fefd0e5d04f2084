"""``parse_response`` and ``get_response_parser`` of a tokenizer: text or ids, one output or a batch of them."""

from __future__ import annotations

from typing import Any, Protocol

from .response_parser import ResponseParser, parse_response

__all__ = ["open_response_parser", "parse_model_output"]


class Decoder(Protocol):
    """What is needed of a model."""

    response_template: dict[str, Any] | None

    def decode(self, token_ids: Any) -> Any:
        """Return the text of ids, or the texts of a batch."""
        ...


def parse_model_output(
    model: Decoder, response: Any, schema: dict[str, Any] | None, *, prefix: Any, tools: Any
) -> dict[str, Any] | list[dict[str, Any]]:
    """Parse one output, or each of a batch, given as text or as ids.

    Raises:
        AttributeError: neither *schema* nor the model has a response template.
        ValueError: there is no prefix, not one for each output, or an output does not fit the template.
    """
    template = schema if schema is not None else model.response_template
    if template is None:
        raise AttributeError("This tokenizer does not have a `response_template` for parsing chat responses!")
    if prefix is None:
        raise ValueError(
            "`parse_response` requires `prefix=` (the prompt that came before generation), because chat "
            "templates often pre-write part of the assistant message (e.g. an opening `<think>` tag) that the "
            "parser must see to parse correctly. If you're sure you don't need the prefix, you can pass an "
            "empty string or list."
        )
    texts, is_batch = _to_texts(model, response)
    # An empty list stands for no prefix, while as a response it is an empty batch.
    prefixes, has_several = ([""], False) if _is_empty_list(prefix) else _to_texts(model, prefix)
    if not has_several:
        prefixes *= len(texts)
    elif len(prefixes) != len(texts):
        raise ValueError(
            f"Got {len(texts)} response(s) but {len(prefixes)} prefix(es); `prefix` must be "
            "a single sequence (broadcast to every response), or one prefix per response."
        )
    parsed = [
        parse_response(text, template, prefix=before, tools=tools)
        for text, before in zip(texts, prefixes, strict=False)
    ]
    return parsed if is_batch else parsed[0]


def open_response_parser(
    model: Decoder, response_template: dict[str, Any] | None, *, prefix: Any, tools: Any
) -> ResponseParser:
    """Return a parser for an output that is still to come.

    Raises:
        AttributeError: neither the argument nor the model has a response template.
        ValueError: there is no prefix, or more than one.
    """
    template = response_template if response_template is not None else model.response_template
    if template is None:
        raise AttributeError(
            "This tokenizer does not have a `response_template` set; cannot create a response event stream."
        )
    if prefix is not None and not isinstance(prefix, str):
        prefix = model.decode(prefix)
        if not isinstance(prefix, str):
            raise ValueError(
                "`prefix=` must be a single sequence (str, list[int], or 1D tensor) for `get_response_parser`."
            )
    return ResponseParser(template, prefix=prefix, tools=tools)


def _is_empty_list(value: Any) -> bool:
    return isinstance(value, (list, tuple)) and not value


def _to_texts(model: Decoder, value: Any) -> tuple[list[str], bool]:
    """Return the texts of *value*, and whether it is a batch."""
    if isinstance(value, str):
        return [value], False
    if isinstance(value, (list, tuple)) and (not value or isinstance(value[0], str)):
        return list(value), True
    decoded = model.decode(value)
    return ([decoded], False) if isinstance(decoded, str) else (decoded, True)
