"""What a call came to, text or error, in a form that two implementations can be compared by."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

__all__ = ["Outcome", "Verdict", "capture_outcome", "join_texts", "judge_outcomes"]

Verdict = Literal["identical", "differs", "one raises"]
"""What two outcomes are to each other; two errors of different type or message differ."""


@dataclass(frozen=True)
class Outcome:
    """The text a call returned, or the error it raised."""

    text: str
    """The returned text, or ``NameOfType: message`` of the error."""
    raised: bool = False
    """Whether the call raised."""


def capture_outcome(call: Callable[[], str]) -> Outcome:
    """Run *call* and return what came of it; whatever it raises is an outcome as well."""
    try:
        return Outcome(_forget_names(call()))
    except RecursionError:
        # How the message ends depends on what was called last, and so on how deep the caller's own stack was.
        return Outcome("RecursionError: maximum recursion depth exceeded", raised=True)
    except Exception as error:
        return Outcome(_forget_names(f"{type(error).__name__}: {error}"), raised=True)


def join_texts(texts: Sequence[str]) -> str:
    """Return the texts of a batch as one, with a record separator between them."""
    return "\x1e".join(texts)


def judge_outcomes(ours: Outcome, theirs: Outcome) -> Verdict:
    """Compare two outcomes."""
    if ours.raised != theirs.raised:
        return "one raises"
    return "identical" if ours.text == theirs.text else "differs"


# The two written exceptions to parity: a template that prints an object of its environment shows where its class is
# defined, or where in memory it lies.
_OWN_NAMES = re.compile(
    r"transformers\.utils\.chat_template_utils\."
    r"|_cached_compile_jinja_template\.(?:<locals>|&lt;locals&gt;)\."  # The second where a template escapes HTML.
    r"|turnwire\.template\.(?:environment|generation)\."
)
_ADDRESS = re.compile(r"\bat 0x[0-9a-f]+")


def _forget_names(text: str) -> str:
    if "0x" in text:
        text = _ADDRESS.sub("at 0x…", text)
    return _OWN_NAMES.sub("", text) if "template" in text else text
