"""Reading a model's output by its wire format, whole or as it arrives.

Law: however the text is cut, the events add up to the same reply; no text raises; any prefix is readable, and gives no
call that the model did not finish.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Literal

from ..reply.reply import Event, Reply
from ..tokens.detokenizer import Detokenizer
from .bodies import ReadContext
from .cursor import SPECIAL, Cursor, Wait, mark_tokens
from .emitter import Emitter
from .format import WireFormat
from .harmony import read_harmony
from .output import read_output
from .typing_rules import parameter_schemas

if TYPE_CHECKING:
    from ..tokens.tokenizer import Tokenizer

__all__ = ["ReplyReader"]

SCANNERS = {None: read_output, "harmony": read_harmony}


class ReplyReader:
    """Reads one reply as it arrives.

    Args:
        wire_format: How the model writes.
        prompt: What the model was given, so that prefilled text such as an open ``<think>`` counts; None takes what
            the format's templates usually prefill.
        tools: The tools that were offered; formats that write every argument as text take the types from them.
        tokenizer: Where ids are fed instead of text: decodes them. Marks that are tokens of its vocabulary then count
            only where they arrive as tokens, and the same letters are text.
        stream_arguments: Pass arguments on as they come. Otherwise a call appears when the model has finished it.
        calls_in_reasoning: Whether a call that the model writes while it reasons is a call or a thought. (In formats
            whose models leave reasoning by calling, such a call always counts.)
        on_truncated: What becomes of a call that the model was cut off in: ``drop`` it, or keep what is there as a
            ``partial`` call, marked as not complete. Calls of a list that was not closed are dropped all together,
            or those in front of the last are kept as complete.
        strict_schema: Take calls of unknown tools, with unknown parameters or with values of the wrong type for no
            calls; the reply's warnings name them.
    """

    def __init__(
        self,
        wire_format: WireFormat,
        *,
        prompt: str | None = None,
        tools: Iterable[Any] | None = None,
        tokenizer: Tokenizer | None = None,
        stream_arguments: bool = False,
        calls_in_reasoning: Literal["ignore", "read"] = "ignore",
        on_truncated: Literal["drop", "partial"] = "drop",
        strict_schema: bool = False,
    ) -> None:
        reasoning = wire_format.reasoning
        keep_partial = on_truncated == "partial"
        self._tokens = special_tokens(wire_format, tokenizer) if tokenizer is not None else {}
        self._detokenizer = Detokenizer(tokenizer.decode) if tokenizer is not None else None
        self._cursor = Cursor(frozenset(self._tokens.values()))
        self._emitter = Emitter(
            trim_content=wire_format.content_trim == "calls",
            trim_reasoning=reasoning is not None and reasoning.trim,
            stream_arguments=stream_arguments,
            keep_partial=keep_partial,
        )
        begin = self._emitter.begin_call if stream_arguments or keep_partial else None
        self._context = ReadContext(
            parameter_schemas(tools),
            stop=wire_format.stop,
            strict=strict_schema and tools is not None,
            keep_partial=keep_partial,
            calls_in_reasoning=calls_in_reasoning == "read",
            begin=begin,
        )
        self._finished = False
        scan = SCANNERS[wire_format.scanner]
        self._run: Wait[None] | None = scan(self._cursor, wire_format, self._emitter, self._context)
        # What the prompt has written of the model's turn is read as if the model had, and then forgotten.
        self._emitter.muted = True
        self._resume()
        prefill = wire_format.prefill if prompt is None else prefilled_text(wire_format, prompt)
        self.feed(mark_tokens(prefill, self._cursor.special))
        self._emitter.unmute()
        self._cursor.taken = self._cursor.pos - len(self._cursor.text)

    def feed(self, text: str) -> list[Event]:
        """Take the next piece of output and return what it brings."""
        if text and not self._finished and not self._cursor.pass_by(text):
            self._cursor.feed(text)
            self._resume()
        return self._drain()

    def feed_ids(self, ids: Iterable[int]) -> list[Event]:
        """Take the next ids of the output and return what they bring; needs the tokenizer."""
        if self._detokenizer is None:
            raise ValueError("feed_ids needs the reader to be made with tokenizer=")
        pieces = []
        for id in ids:
            if id in self._tokens:
                pieces += [self._detokenizer.flush(), SPECIAL, self._tokens[id]]
                self._detokenizer.note_token(id)
            else:
                pieces.append(self._detokenizer.feed(id))
        return self.feed("".join(pieces))

    def finish(self, finish_reason: str | None = None) -> list[Event]:
        """Note that the output has ended; ``length`` says that the model was cut off."""
        if not self._finished:
            if self._detokenizer is not None:
                self.feed(self._detokenizer.flush())
            self._finished = True
            self._context.truncated = finish_reason == "length"
            self._cursor.cut_off = self._context.truncated
            self._cursor.ended = True
            self._resume()
            self._emitter.finish(truncated=self._context.truncated)
            self._emitter.complete = self._emitter.complete and not self._context.truncated
        return self._drain()

    @property
    def reply(self) -> Reply:
        """The reply as far as it was read; not complete before the end of the turn, or of the text."""
        return self._emitter.reply(over=self._finished or self._run is None)

    def _resume(self) -> None:
        if self._run is not None:
            try:
                next(self._run)
            except StopIteration:
                self._run = None

    def _drain(self) -> list[Event]:
        events, self._emitter.events = self._emitter.events, []
        return events


def prefilled_text(wire_format: WireFormat, prompt: str) -> str:
    """Return what *prompt* has behind the last header or end of a turn."""
    ends = [prompt.rfind(mark) + len(mark) for mark in (*wire_format.header, *wire_format.stop) if mark in prompt]
    return prompt[max(ends, default=0) :]


def special_tokens(wire_format: WireFormat, tokenizer: Tokenizer) -> dict[int, str]:
    """Return the added tokens of *tokenizer* that matter to the format, by id."""
    mentioned = repr(wire_format)
    return {
        id: token.content
        for id, token in tokenizer.added_tokens_decoder.items()
        if not token.content.isspace() and (token.content in mentioned or (wire_format.scanner and token.special))
    }
