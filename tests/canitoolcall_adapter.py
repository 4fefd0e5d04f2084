"""turnwire as an engine of ``canitoolcall``: its fixtures, read whole and as streams of the tokens they were made of.

    canitoolcall run --engine tests.canitoolcall_adapter:TurnwireAdapter --out results

Where a model's tokenizer lies in ``fixtures/fetched``, ids are fed as they came. Elsewhere the text is cut into pieces
about as long as tokens, marks whole, and the number of a piece stands for its id.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import Any

import tokenizers
from canitoolcall.adapters.base import Adapter, ReplayInput, Support, ToolSpec
from canitoolcall.fixtures import load_families
from canitoolcall.results import ParsedToolCall, ParseResult, StreamAccumulator

from turnwire.reply.reply import CallDelta, ContentDelta, Event, Reply
from turnwire.wire.reader import ReplyReader
from turnwire.wire.registry import find_family

ROOT = Path(__file__).resolve().parent.parent
FETCHED = ROOT / "fixtures" / "fetched"

TOKENIZERS: dict[str, tuple[str, dict[int, str]]] = {
    r"Qwen/Qwen3-.*": ("qwen3", {}),
    r"deepseek-ai/DeepSeek-V3(-0324|\.1|\.2)": (
        "deepseek_v3",
        {128793: "｜DSML｜", 128798: "<think>", 128799: "</think>"},
    ),
    r"openai/gpt-oss-.*": ("gptoss", {}),
    r"google/gemma-4-.*": (
        "gemma3",
        {48: "<|tool_call>", 49: "<tool_call|>", 52: '<|"|>', 100: "<|channel>", 101: "<channel|>"},
    ),
    r"meta-llama/Llama-3\.3-.*": ("llama3_1", {128010: "<|python_tag|>"}),
}
"""Models to the fetched tokenizer that is theirs but for a few tokens, and those tokens."""


class FetchedTokenizer:
    """What a reader needs of a tokenizer: ids to text, and which of them are tokens of their own."""

    def __init__(self, file: Path, overlay: dict[int, str]) -> None:
        self._backend = tokenizers.Tokenizer.from_file(str(file))
        self._overlay = overlay
        self.added_tokens_decoder = self._backend.get_added_tokens_decoder() | {
            id: tokenizers.AddedToken(text, special=True) for id, text in overlay.items()
        }

    def decode(self, ids: Sequence[int]) -> str:
        """Return the text of *ids*, special tokens included."""
        pieces = []
        for changed, group in groupby(ids, self._overlay.__contains__):
            if changed:
                pieces += map(self._overlay.__getitem__, group)
            else:
                pieces.append(self._backend.decode(list(group), skip_special_tokens=False))
        return "".join(pieces)


def find_tokenizer(raw: ReplayInput) -> FetchedTokenizer | None:
    """Return the tokenizer that made the fixture's ids; None where it was not fetched, or the fixture has no ids."""
    for number, (pattern, (folder, _)) in enumerate(TOKENIZERS.items()):
        if raw.token_ids is not None and re.fullmatch(pattern, raw.model) and (FETCHED / folder).is_dir():
            return _build_tokenizer(number)
    return None


@cache
def _build_tokenizer(number: int) -> FetchedTokenizer:
    folder, overlay = list(TOKENIZERS.values())[number]
    return FetchedTokenizer(FETCHED / folder / "tokenizer.json", overlay)


@cache
def _piece_pattern() -> re.Pattern[str]:
    marks = sorted({mark for family in load_families().values() for mark in family.markers}, key=len, reverse=True)
    return re.compile(rf"(?P<mark>{'|'.join(map(re.escape, marks))})| ?\w{{1,5}}|\s+|[^\w\s]{{1,2}}")


def cut_text(text: str) -> list[tuple[str, bool]]:
    """Cut *text* into pieces about as long as tokens, and say which of them are marks."""
    pieces = [(match.group(), match["mark"] is not None) for match in _piece_pattern().finditer(text)]
    assert "".join(piece for piece, _ in pieces) == text
    return pieces


def open_reader(raw: ReplayInput, tools: Sequence[ToolSpec], **options: Any) -> ReplyReader:
    """Return a reader for the fixture's first model."""
    family = find_family(raw.model)
    assert family is not None, raw.model
    return ReplyReader(family.wire_format, prompt=raw.generation_prompt, tools=tools, **options)


def finish_reason(raw: ReplayInput) -> str:
    """Return why the model stopped."""
    return "length" if raw.truncated else "stop"


def result_of_events(events: Iterable[Event]) -> ParseResult:
    """Add *events* up as an OpenAI client would."""
    client = StreamAccumulator()
    for event in events:
        if isinstance(event, CallDelta):
            client.add_tool_call(event.index, event.name, event.arguments)
        elif isinstance(event, ContentDelta):
            client.add_content(event.text)
        else:
            client.add_reasoning(event.text)
    return client.result()


def result_of_reply(reply: Reply) -> ParseResult:
    """Return a reply in the suite's terms."""
    return ParseResult(
        content=reply.content,
        reasoning_content=reply.reasoning,
        tool_calls=tuple(
            ParsedToolCall(call.name, json.dumps(call.arguments, ensure_ascii=False)) for call in reply.tool_calls
        ),
    )


class TurnwireAdapter(Adapter):
    """Reads by the family of the fixture's first model."""

    name = "turnwire"
    pinned_version = re.search(r'^version = "(.+)"$', (ROOT / "pyproject.toml").read_text(), re.MULTILINE)[1]  # type: ignore[index]
    tokens_per_step = "many"
    supports_text_deltas = True

    def version(self) -> str:
        return self.pinned_version

    def supports(self, family: str, model: str) -> Support:
        return Support(find_family(model) is not None, f"no family of turnwire has {model}")

    def parser_config(self, raw: ReplayInput) -> dict[str, Any]:
        family = find_family(raw.model)
        return {"family": family.name if family else None, "token_ids": find_tokenizer(raw) is not None}

    def units(self, raw: ReplayInput) -> list[int]:
        if find_tokenizer(raw) is not None:
            return list(raw.token_ids or ())
        return list(range(len(cut_text(raw.text))))

    def special_token_ids(self, raw: ReplayInput) -> frozenset[int]:
        tokenizer = find_tokenizer(raw)
        if tokenizer is not None:
            return frozenset(tokenizer.added_tokens_decoder)
        return frozenset(number for number, (_, is_mark) in enumerate(cut_text(raw.text)) if is_mark)

    def parse(self, raw: ReplayInput, tools: Sequence[ToolSpec]) -> ParseResult:
        reader = open_reader(raw, tools)
        reader.feed(raw.text)
        reader.finish(finish_reason(raw))
        return result_of_reply(reader.reply)

    def parse_stream(self, raw: ReplayInput, chunks: Sequence[Sequence[int]], tools: Sequence[ToolSpec]) -> ParseResult:
        return result_of_events(self.stream(raw, chunks, tools))

    def stream(self, raw: ReplayInput, chunks: Sequence[Sequence[int]], tools: Sequence[ToolSpec]) -> Iterator[Event]:
        """Yield what a stream brings, ids fed as ids where their tokenizer is there."""
        tokenizer = find_tokenizer(raw)
        reader = open_reader(raw, tools, tokenizer=tokenizer)
        pieces = cut_text(raw.text) if tokenizer is None else []
        for chunk in chunks:
            if tokenizer is None:
                yield from reader.feed("".join(pieces[number][0] for number in chunk))
            else:
                yield from reader.feed_ids(chunk)
        yield from reader.finish(finish_reason(raw))

    def parse_stream_text(self, raw: ReplayInput, deltas: Sequence[str], tools: Sequence[ToolSpec]) -> ParseResult:
        reader = open_reader(raw, tools)
        events = [event for delta in deltas for event in reader.feed(delta)]
        return result_of_events([*events, *reader.finish(finish_reason(raw))])
