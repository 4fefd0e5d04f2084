r"""Anchors: the added tokens at which a text can be cut without changing a single id.

Law: let an anchor stand at character p of a text, and let i ids come before it. Then ::

    encode(text) == encode(text)[:i] + encode(text[p:])         (offsets: the second part moved by p)

and the first part is the same for every text that begins with the same p characters and the anchor. So whoever has
encoded one text needs only the rest of another one that shares its beginning, from the last shared anchor on.

Proof, for what :func:`find_obstacle` lets pass. The library first cuts the *raw* tokens (those with ``normalized`` off)
out of the text: one scan from left to right, always the leftmost and of these the longest, without overlaps. Let t be
the text of an anchor. No other raw token contains t, and none ends with a beginning of t (``_can_anchor``). So nothing
that the scan takes can reach into t from the left, nor begin with t and go on: it takes every t that stands in the
text, whatever stands around it, and starts afresh behind it. Flags of other tokens do not reach across: ``lstrip`` and
``rstrip`` eat white space, and t neither begins nor ends with any; ``single_word`` looks at the next character on each
side, which is t's own or on the same side of the cut. (t itself may have ``rstrip``, since its right side is always
encoded again; with ``lstrip`` or ``single_word`` it is no anchor.)

What lies between raw tokens are pieces, and from there on the library works piece by piece: it normalises the piece,
cuts the ``normalized`` added tokens out of it, pre-tokenizes, and lets the model cut each part. None of these sees
another piece. Two things depend on a position, and neither can tell the two sides apart, because the second part begins
with t and not with a piece: Metaspace's ``first`` asks whether a piece begins the text, and trimming of offsets spares
the prefix space of the first token (t begins with no space, nor with the ``Ġ`` that stands for one). Post-processors
add nothing here, since prompts are encoded without special tokens.

Where there is no normalizer, a ``normalized`` token can be an anchor, too. The scan for these comes second and sees
what the raw tokens have left, so no raw token may stand in t, nor begin with an end of t; the rest is as above.

How each kind of tokenizer is decided, by its JSON, after the source of tokenizers 0.23.3: a part of a kind that is not
listed here, or written in Python, is an obstacle.

* Normalizers, pre-tokenizers: every kind of the library is listed; they see one piece at a time.
* Models: BPE, WordPiece, WordLevel, Unigram; BPE with ``dropout`` is an obstacle, since it rolls dice.
* Post-processors: ByteLevel, Bert, Roberta, and a template whose single form holds the text once; any other template
  repeats or drops the text.
* Truncation, padding and special tokens read as text are settings of a call, for which nothing is reused; set in the
  tokenizer itself they are an obstacle.
* Added tokens decide one by one whether they are anchors; where none is, nothing is ever reused.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    import tokenizers
    from tokenizers import AddedToken

__all__ = ["Anchor", "AnchorTokens", "find_obstacle"]

_NORMALIZERS = {
    *("BertNormalizer", "ByteLevel", "Lowercase", "NFC", "NFD", "NFKC", "NFKD", "Nmt", "Precompiled", "Prepend"),
    *("Replace", "Sequence", "Strip", "StripAccents"),
}
_PRE_TOKENIZERS = {
    *("BertPreTokenizer", "ByteLevel", "CharDelimiterSplit", "Digits", "FixedLength", "Metaspace", "Punctuation"),
    *("Sequence", "Split", "UnicodeScripts", "Whitespace", "WhitespaceSplit"),
}
_POST_PROCESSORS = {"BertProcessing", "ByteLevel", "RobertaProcessing", "Sequence", "TemplateProcessing"}
_KINDS = {"normalizer": _NORMALIZERS, "pre_tokenizer": _PRE_TOKENIZERS, "post_processor": _POST_PROCESSORS}
_MODELS = {"BPE", "Unigram", "WordLevel", "WordPiece"}
_NOTHING: Mapping[str, Any] = {"type": "Sequence", "normalizers": []}


class Anchor(NamedTuple):
    """One anchor in a text."""

    end: int
    """Character behind it."""
    start: int
    """Its first character."""
    before: int
    """How many ids come before it."""


def find_obstacle(backend: tokenizers.Tokenizer) -> str | None:
    """Return what keeps the law from holding for this tokenizer, or None if it holds."""
    for name, kinds in _KINDS.items():
        part = getattr(backend, name)
        if part is None:
            continue
        try:
            described = _describe(part)
        except Exception:  # parts written in Python have no JSON form, and say so in various ways
            return f"a {name} written in Python"
        for single in _flatten(described):
            if single.get("type") not in kinds:
                return f"a {name} of the kind {single.get('type')}"
            if single["type"] == "TemplateProcessing" and not _holds_text_once(single):
                return "a post_processor that does not hold the text once"
    model = backend.model
    if type(model).__name__ not in _MODELS:
        return f"a model of the kind {type(model).__name__}"
    if getattr(model, "dropout", None):
        return "a model with dropout"
    if backend.truncation is not None or backend.padding is not None or backend.encode_special_tokens:
        return "truncation, padding or special tokens read as text in the tokenizer itself"
    return None


def _describe(part: Any) -> dict[str, Any]:
    described: dict[str, Any] = json.loads(part.__getstate__())
    return described


def _flatten(part: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield part
    for name in ("normalizers", "pretokenizers", "processors"):
        for inner in part.get(name, ()) if part.get("type") == "Sequence" else ():
            yield from _flatten(inner)


def _holds_text_once(template: Mapping[str, Any]) -> bool:
    return [piece["Sequence"]["id"] for piece in template["single"] if "Sequence" in piece] == ["A"]


class AnchorTokens:
    """The anchors of a tokenizer without obstacle."""

    def __init__(self, backend: tokenizers.Tokenizer) -> None:
        added = backend.get_added_tokens_decoder()
        self._raw = [token.content for token in added.values() if not token.normalized]
        self._all = [token.content for token in added.values()]
        is_plain = backend.normalizer is None or list(_flatten(_describe(backend.normalizer))) == [_NOTHING]
        self._candidates = {number: token for number, token in added.items() if is_plain or not token.normalized}
        self._decided: dict[int, bool] = {}

    def locate_anchors(self, text: str, ids: list[int]) -> list[Anchor]:
        """Find the anchors of *text*, whose ids are *ids*.

        The k-th place where an anchor's text stands is the k-th place of its id, unless the model makes the same id
        out of other text as well; then their numbers differ, and that token is passed over.
        """
        anchors: list[Anchor] = []
        for number in self._candidates.keys() & set(ids):
            content = self._candidates[number].content
            if self._is_anchor(number) and (count := ids.count(number)) == text.count(content):
                end, before = 0, -1
                for _ in range(count):
                    start, before = text.index(content, end), ids.index(number, before + 1)
                    end = start + len(content)
                    anchors.append(Anchor(end, start, before))
        return sorted(anchors)

    def _is_anchor(self, number: int) -> bool:
        # Decided when it is met first, since some models have thousands of them and use five.
        if number not in self._decided:
            self._decided[number] = self._can_anchor(self._candidates[number])
        return self._decided[number]

    def _can_anchor(self, token: AddedToken) -> bool:
        content = token.content
        if token.lstrip or token.single_word or content != content.strip() or content[0] == "Ġ":
            return False
        beginnings = tuple(content[:length] for length in range(1, len(content)))
        for other in self._all if token.normalized else self._raw:
            if (content in other and other != content) or (beginnings and other.endswith(beginnings)):
                return False
        endings = tuple(content[-length:] for length in range(1, len(content)))
        return not token.normalized or not any(
            other in content or (endings and other.startswith(endings)) for other in self._raw
        )
