"""Every exception that turnwire raises on purpose, grouped by who has to mend the cause.

The entry points that stand in for Transformers raise Transformers' own types (``ValueError``, ``TypeError``,
``jinja2.TemplateError``, the two schema exceptions below) with Transformers' own texts; the classes here are for
everything Transformers has no word for.
"""

from __future__ import annotations

from typing import Any

__all__ = [
    "CaseFileError",
    "DocstringParsingException",
    "FamilyError",
    "ModelFileError",
    "ModelNotComparable",
    "ModelNotFound",
    "PackageMissing",
    "ReplyNotKept",
    "TurnwireError",
    "TypeHintParsingException",
    "UnparsedToolCall",
]


class TurnwireError(Exception):
    """Root of the errors that only turnwire raises."""


# --- the caller mends these -------------------------------------------------------------------------------------------


class TypeHintParsingException(Exception):
    """A tool's type hints cannot be written as a JSON schema."""


class DocstringParsingException(Exception):
    """A tool's docstring does not describe the tool."""


class CaseFileError(TurnwireError, ValueError):
    """A conversation or template file cannot be read as one; the text names the file and the place."""


class ModelNotFound(TurnwireError, OSError):
    """No model lies at the given path or under the given Hub id, or it cannot be reached."""


class ModelNotComparable(TurnwireError):
    """Transformers cannot load a model that turnwire can, or the model has no chat template."""


class PackageMissing(TurnwireError, ImportError):
    """An optional package that a command or a test needs is not installed."""


class ReplyNotKept(TurnwireError, ValueError):
    """A session cannot go on from the ids that a model generated; ``change`` tells where the texts part."""

    def __init__(self, change: Any, problem: str) -> None:
        self.change = change
        super().__init__(
            f"{problem}: {change}. Append the reply as it was written (without the token that ended it, if the "
            "template writes another one), or give its ids up with keep_generated_ids=False"
        )


# --- the author of the model repository mends these -------------------------------------------------------------------


class ModelFileError(TurnwireError, ValueError):
    """A file of a model is missing, broken or at odds with another file; the text names the file and the mend."""

    def __init__(self, path: str, problem: str, mend: str) -> None:
        self.path = path
        self.problem = problem
        self.mend = mend
        super().__init__(f"{path}: {problem}. {mend}")


# --- the model's text is the cause ------------------------------------------------------------------------------------


class UnparsedToolCall(TurnwireError, ValueError):
    """A reader found no call in text that looks like one."""


# --- the author of a family mends these -------------------------------------------------------------------------------


class FamilyError(TurnwireError, ValueError):
    """A module of ``turnwire.families`` exports no family, or one whose names are taken."""
