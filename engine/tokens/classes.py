"""Which tokenizer class Transformers would build for a model's files.

Law: the class decides whether ``tokenizer.json`` is taken as it stands or rebuilt, so a wrong answer means wrong ids.
The tables in ``classes.json`` are recorded from Transformers 5.24.0 without mistral-common; the steps below are those
of its ``AutoTokenizer``, in their order.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from fnmatch import fnmatch
from functools import cache
from pathlib import Path
from typing import Any

from ..errors import ModelFileError
from ..loading.files import ModelFiles
from ..log import warn_once

__all__ = ["PLAIN", "choose_class"]

PLAIN = "TokenizersBackend"
"""The class that takes ``tokenizer.json`` as it stands; ``PreTrainedTokenizerFast`` is its old name."""

_UNSPECIFIC = frozenset({PLAIN, "PythonBackend", "PreTrainedTokenizerFast"})


def choose_class(files: ModelFiles, tokenizer_json: bytes | None) -> str:
    """Return the name of the tokenizer class that Transformers builds for *files*.

    *tokenizer_json* is the content of that file, or None where there is none.

    Raises:
        ModelFileError: the tokenizer is code in the model's repository, or there is no such class.
    """
    tables = _read_tables()
    model_type = _find_model_type(files.config)
    registered = tables["class_of_model_type"].get(model_type)
    stored = files.tokenizer_config.get("tokenizer_class")
    declared = stored or files.config.get("tokenizer_class")
    wrong_on_hub = model_type in tables["wrong_on_hub"] or files.config.get("model_name") in tables["wrong_on_hub"]
    code = _find_own_code(files.tokenizer_config)

    if code is None:
        # Transformers knows the model's id at this point only if it knows the model's type.
        is_known = model_type in tables["model_types"]
        if is_known and any(fnmatch(files.source.lower(), pattern) for pattern in tables["plain_model_ids"]):
            return PLAIN
        if (
            declared is not None
            and _strip_fast(declared) == "LlamaTokenizer"
            and not wrong_on_hub
            and b'"ByteLevel"' in (tokenizer_json or b"")
        ):
            # Llama 3 and its kin carry the class name of Llama 2, whose pipeline would spoil their ids.
            warn_once(
                f"`tokenizer_class` is `{declared}` but `tokenizer.json` is ByteLevel; "
                "loading `TokenizersBackend`. Set `tokenizer_class` to `TokenizersBackend` in `tokenizer_config.json`."
            )
            return PLAIN
        if declared is not None and registered is not None and _strip_fast(registered) != _strip_fast(declared):
            if _strip_fast(registered) in _UNSPECIFIC:
                return PLAIN
            found = _find_class(_strip_fast(registered) if wrong_on_hub else declared)
            return PLAIN if found is None or found in _UNSPECIFIC else found

    has_class = model_type in tables["class_of_config"] or (stored is not None and _find_class(stored) is not None)
    if code is not None and not has_class and model_type not in tables["wrong_on_hub"]:
        raise ModelFileError(
            str(files.paths["tokenizer_config.json"]),
            f"the tokenizer is code in the repository (`auto_map`: {code}), which turnwire does not run",
            "Save it once with Transformers (`AutoTokenizer.from_pretrained(…, trust_remote_code=True)"
            '.save_pretrained(…)`), then set "tokenizer_class" to "TokenizersBackend" and drop "auto_map".',
        )
    if stored is not None:
        found = _find_class(_strip_fast(stored))
        return PLAIN if found is None or found == "PythonBackend" else found
    if declared:
        found = _find_class(declared if "PreTrainedTokenizerFast" in declared else _strip_fast(declared))
        if found is None:
            raise ModelFileError(
                str(files.paths["config.json"]),
                f"there is no tokenizer class {declared!r}",
                'Correct or drop "tokenizer_class".',
            )
        return found
    # The table has null where the class needs a package such as sentencepiece, which Transformers may not have either.
    return tables["class_of_config"].get(model_type, PLAIN) or "SentencePieceBackend"


@cache
def _read_tables() -> dict[str, Any]:
    tables: dict[str, Any] = json.loads(Path(__file__).with_name("classes.json").read_text(encoding="utf-8"))
    return tables


def _find_model_type(config: Mapping[str, Any]) -> str:
    model_type = config.get("model_type", "")
    return "ministral" if model_type == "mistral" and "layer_types" in config else model_type


def _find_own_code(tokenizer_config: Mapping[str, Any]) -> Any:
    auto_map = tokenizer_config.get("auto_map")
    return auto_map.get("AutoTokenizer") if isinstance(auto_map, Mapping) else auto_map


def _find_class(name: str) -> str | None:
    """Return the class that goes by *name* in Transformers, or None."""
    if name in ("BloomTokenizer", "BloomTokenizerFast"):
        return PLAIN
    classes: Mapping[str, str] = _read_tables()["class_of_name"]
    while name not in classes and name.endswith("Fast"):
        name = _strip_fast(name)
    return classes.get(name)


def _strip_fast(name: str) -> str:
    return name.removesuffix("Fast")
