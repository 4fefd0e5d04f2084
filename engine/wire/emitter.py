"""Collects what a reader finds into events and the reply, with the white space that belongs to marks left out.

Law: the reply is what the events add up to. Nothing is emitted that might have to be taken back, so white space that a
call or a closing mark may claim is held until something else follows.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Iterable
from typing import Any

from ..reply.reply import CallDelta, ContentDelta, Event, ReasoningDelta, Reply, ToolCall
from .bodies import ParsedCall, ReadContext
from .json_stream import repair_value
from .literals import Undecodable
from .typing_rules import find_misfit
from .values import CODECS

__all__ = ["Emitter"]


class _Text:
    """One stream of text: content or reasoning."""

    __slots__ = ("_event", "_held", "_hold", "_out", "blank", "parts", "skipping")

    def __init__(self, out: Emitter, event: type[ContentDelta] | type[ReasoningDelta], *, hold: bool) -> None:
        self._out = out
        self._event = event
        self._hold = hold
        self._held: list[str] = []
        self.parts: list[str] = []
        self.blank = True
        """Nothing but white space so far."""
        self.skipping = False
        """White space that comes next is dropped."""

    def write(self, text: str) -> None:
        """Emit *text*, less the white space that is to be skipped, and but for what it ends in where that is held."""
        if not (self.blank or self._held or self.skipping or (self._hold and text[-1:].isspace())):
            self.parts.append(text)
            if not self._out.muted:
                self._out.events.append(self._event(text))
            return
        if self.skipping:
            text = text.lstrip()
            if not text:
                return
            self.skipping = False
        if self._hold:
            kept = text.rstrip()
            if not kept:
                self._held.append(text)
                return
            self._release(kept)
            if len(kept) < len(text):
                self._held.append(text[len(kept) :])
        else:
            self._release(text)

    def _release(self, text: str) -> None:
        text = "".join([*self._held, text])
        self._held.clear()
        if text:
            self.parts.append(text)
            self.blank = self.blank and text.isspace()
            if not self._out.muted:
                self._out.events.append(self._event(text))

    def drop_held(self) -> None:
        self._held.clear()

    def forget(self) -> None:
        """Begin anew."""
        self.parts.clear()
        self._held.clear()
        self.blank = True

    def flush(self) -> None:
        """Emit held white space that follows text; alone it is none."""
        if self.parts:
            self._release("")
        self._held.clear()


class OpenCall:
    """A call that was announced and has not ended."""

    __slots__ = ("id", "name", "pieces")

    def __init__(self, name: str, id: str) -> None:
        self.name = name
        self.id = id
        self.pieces: list[str] = []


def new_id() -> str:
    """Make up an id for a call whose format carries none."""
    return f"call_{secrets.token_hex(12)}"


def repaired_arguments(text: str) -> dict[str, Any]:
    """Return what can be saved of arguments whose JSON text was cut off."""
    try:
        value = repair_value(text, CODECS["json"])
    except Undecodable:
        return {}
    return value if isinstance(value, dict) else {}


class Emitter:
    """The outgoing side of a reader."""

    def __init__(
        self, *, trim_content: bool, trim_reasoning: bool, stream_arguments: bool = False, keep_partial: bool = False
    ) -> None:
        self.events: list[Event] = []
        self.muted = False
        self.calls: list[ToolCall] = []
        self.warnings: list[str] = []
        self._unread: list[str] = []
        self.complete = True
        self._open: OpenCall | None = None
        self._stream = stream_arguments
        self._keep_partial = keep_partial
        self._trim_content = trim_content
        self._trim_reasoning = trim_reasoning
        self._content = _Text(self, ContentDelta, hold=trim_content)
        self._reasoning = _Text(self, ReasoningDelta, hold=trim_reasoning)
        self.content = self._content.write
        """Takes text for the user."""
        self.reasoning = self._reasoning.write
        """Takes reasoning."""

    def _add(self, event: Event) -> None:
        if not self.muted:
            self.events.append(event)

    def unmute(self) -> None:
        """Forget what was read so far: it was the prompt's. A call that the prompt began is the model's."""
        self.muted = False
        for text in (self._content, self._reasoning):
            text.forget()
        self.calls.clear()
        self.warnings.clear()
        self.complete = True
        if self._open is not None and self._stream:
            self._add(CallDelta(0, self._open.id, self._open.name, "".join(self._open.pieces)))

    def open_reasoning(self) -> None:
        """Note that reasoning begins."""
        self._content.drop_held()
        self._reasoning.skipping = self._trim_reasoning

    def close_reasoning(self, *, skip: bool) -> None:
        """Note that reasoning ends; *skip* the white space between it and what follows."""
        self._reasoning.drop_held()
        self._content.skipping = skip

    def before_calls(self) -> None:
        """Note that calls begin: the white space in front of them is theirs where the format says so."""
        self._content.drop_held()

    def after_calls(self) -> None:
        """Note that calls ended."""
        self._content.skipping = self._trim_content

    def begin_call(self, name: str, id: str | None) -> Callable[[str], None]:
        """Note a call whose arguments are still to come, and return what takes their JSON text."""
        call = self._open = OpenCall(name, id or new_id())
        index = len(self.calls)
        if self._stream:
            self._add(CallDelta(index, call.id, name, ""))

        def write(piece: str) -> None:
            call.pieces.append(piece)
            if self._stream and piece:
                self._add(CallDelta(index, None, None, piece))

        return write

    def add_calls(self, calls: Iterable[ParsedCall], raw: str, end: int, context: ReadContext) -> None:
        """Take calls that the model has finished, whose text *raw* ends at *end*; some may still be refused."""
        for call in calls:
            misfit = find_misfit(call.name, call.arguments, context.schemas) if context.strict else None
            if misfit and not (self._open and self._stream):
                self._open = None
                self.warnings.append(f"{misfit}: {raw}")
                continue
            open_call, self._open = self._open, None
            id = open_call.id if open_call else call.id or new_id()
            if open_call and self._stream:
                text = "".join(open_call.pieces)
            else:
                text = json.dumps(call.arguments, ensure_ascii=False)
                self._add(CallDelta(len(self.calls), id, call.name, text))
            self.calls.append(ToolCall(call.name, call.arguments, text, raw, (end - len(raw), end), id, call.typed))

    def drop_call(self, raw: str, end: int, *, truncated: bool) -> None:
        """Take note of a call that could not be read; what was passed on of it, or is to be saved, is marked."""
        self.warnings.append(f"this looks like a call and could not be read: {raw}")
        self._unread.append(raw)
        open_call, self._open = self._open, None
        if open_call is None or not (self._stream or (self._keep_partial and truncated)):
            return
        arguments = repaired_arguments("".join(open_call.pieces))
        if self._stream:
            text = "".join(open_call.pieces)
        else:
            text = json.dumps(arguments, ensure_ascii=False)
            self._add(CallDelta(len(self.calls), open_call.id, open_call.name, text))
        self.calls.append(
            ToolCall(
                open_call.name, arguments, text, raw, (end - len(raw), end), open_call.id, typed=False, complete=False
            )
        )

    def finish(self, *, truncated: bool) -> None:
        """Emit what was held and counts as text after all; a call might have claimed it where the model was cut off."""
        if truncated:
            self._content.drop_held()
        self._content.flush()

    @property
    def has_content(self) -> bool:
        """Whether any content was emitted."""
        return bool(self._content.parts)

    @property
    def has_text(self) -> bool:
        """Whether any content but white space was emitted."""
        return not self._content.blank

    @property
    def has_open_call(self) -> bool:
        """Whether a call was announced that has not ended."""
        return self._open is not None

    def reply(self, *, over: bool) -> Reply:
        """Return the reply so far; *over* says that the model's turn is."""
        return Reply(
            "".join(self._content.parts) or None,
            "".join(self._reasoning.parts) or None,
            tuple(self.calls),
            self.complete and over,
            tuple(self.warnings),
            tuple(self._unread),
        )
