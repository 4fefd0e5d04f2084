"""A whole model on both sides: its prompts, its ids and its masks."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from importlib import import_module
from typing import Any

from ..errors import ModelNotComparable
from ..model import load
from .cases import CLOCK, Case, ChatInput, NamedTemplate, list_model_cases
from .outcome import capture_outcome, join_texts
from .reference import pin_reference_clock, reference_version
from .report import Comparison
from .run import Side, compare_cases

__all__ = ["apply_side", "compare_model"]


def compare_model(source: str, chats: Sequence[ChatInput]) -> Iterator[Comparison]:
    """Load the model *source* on both sides, compare them, and yield what each of *chats* came to.

    Raises:
        PackageMissing: Transformers is not installed.
        ModelNotFound, ModelFileError: turnwire cannot load the model.
        ModelNotComparable: Transformers cannot load it, or it has no chat template.
    """
    reference_version()
    ours = load(source)
    try:
        theirs = import_module("transformers").AutoTokenizer.from_pretrained(source)
    except Exception as error:
        raise ModelNotComparable(f"{source}: Transformers cannot load it ({type(error).__name__}: {error})") from error
    own_template = ours.chat_template
    if own_template is None:
        raise ModelNotComparable(f"{source}: this model has no chat template")
    ours.now = CLOCK
    texts = own_template.values() if isinstance(own_template, dict) else [own_template]
    template = NamedTemplate(source, "\n".join(texts))
    for chat in chats:
        with pin_reference_clock(CLOCK):
            yield compare_cases(list_model_cases(template, [chat]), apply_side(ours), apply_side(theirs))


def apply_side(model: Any) -> Side:
    """Return the side that asks *model*, turnwire's or Transformers', by ``apply_chat_template``."""
    return lambda case: capture_outcome(lambda: _apply(model, case))


def _apply(model: Any, case: Case) -> str:
    applied = model.apply_chat_template(
        case.chat.conversation,
        tools=case.chat.tools,
        documents=case.chat.documents,
        add_generation_prompt=case.add_generation_prompt,
        continue_final_message=case.chat.continue_final_message,
        tokenize=case.aspect != "prompt",
        return_assistant_tokens_mask=case.aspect == "mask",
        **case.chat.variables,
    )
    if case.aspect == "prompt":
        return applied if isinstance(applied, str) else join_texts(applied)
    return "\n".join(f"{name}: {json.dumps(applied[name])}" for name in sorted(applied))
