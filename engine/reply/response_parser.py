"""The parser of Transformers' response templates, whole and streaming: same messages, same events, same errors.

Law: whatever Transformers' parser does with a template and the same pieces of text, this one does, also where that is
odd: a broken region raises, a delimiter that could still grow is held back, a second text region replaces the first.
The work is linear in the text as long as the template's patterns are plain (:mod:`.plain_pattern`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import deepcopy
from typing import Any

from .argument_types import cast_arguments, read_tool_parameters
from .content import parse_content
from .lookout import Lookout, watch_fields
from .response_template import ResponseField, ResponseTemplate, load_response_template
from .transforms import shape_content

__all__ = ["ResponseParser", "parse_response"]

Event = dict[str, Any]


def parse_response(
    text: str,
    response_template: dict[str, Any] | ResponseTemplate,
    *,
    prefix: str | None = None,
    tools: Sequence[dict[str, Any] | Callable[..., Any]] | None = None,
) -> dict[str, Any]:
    """Parse a model's whole output into an assistant message.

    Args:
        text: What the model wrote, special tokens included.
        response_template: As models ship it in ``tokenizer_config.json``.
        prefix: The prompt, since templates write the first part of a message themselves, such as ``<think>``; ``""``
            where the text is the whole message.
        tools: JSON schemas or functions, to cast arguments that the format writes as bare text.

    Raises:
        ValueError: the template is wrong, the prefix is missing, or a region does not hold what the template says.
    """
    parser = ResponseParser(load_response_template(response_template), prefix=prefix, tools=tools)
    parser.feed(text)
    message, _ = parser.finalize()
    return message


class ResponseParser:
    """Parses a model's output while it is being written; arguments as for :func:`parse_response`.

    Events are dicts. ``{"type": "region_open", "field": …}`` and ``{"type": "region_close", "field": …, "value": …}``
    frame the ``region_chunk`` events with the region's ``text``; ``dirty`` tells that the chunks do not add up to the
    value, as for JSON.
    """

    def __init__(
        self,
        response_template: dict[str, Any] | ResponseTemplate,
        prefix: str | None = None,
        *,
        tools: Sequence[dict[str, Any] | Callable[..., Any]] | None = None,
    ) -> None:
        self._template = template = load_response_template(response_template)
        if prefix is None:
            raise ValueError(
                "`ResponseParser`/`parse_response` requires `prefix` (the chat prompt sent to the model before "
                "generation), because chat templates often pre-write part of the assistant message (e.g. an "
                "opening `<think>` tag) that the parser must see to parse the output correctly. If the generation "
                'already contains the complete message, pass `prefix=""` to opt out explicitly.'
            )
        self._parameters_of = read_tool_parameters(tools)
        self._message: dict[str, Any] = deepcopy(template.defaults)
        self._finalized = False

        self._text = ""
        """The stream from ``_base`` on."""
        self._base = 0
        self._pos = 0
        """All before it has been dealt with."""

        watched = watch_fields(template)
        self._outside = Lookout([w for w in watched if w.opens or w.field.name == template.implicit])
        self._inside = {
            name: Lookout([w for w in watched if not w.opens and w.field.name == name]) for name in template.fields
        }
        self._keeps_past = any(w.watch.looks_back for w in watched)
        self._leave_region()

        self.initial_events: list[Event] = []
        """What the prefix holds of the reply."""
        if prefix and (begun := template.cut_prefix(prefix)):
            self._text = begun
            self._process(self.initial_events, final=False)

    def feed(self, text: str) -> list[Event]:
        """Take more of the output and return the events it brings about.

        Raises:
            ValueError: a region that closes here does not hold what the template says.
            RuntimeError: the output is already complete.
        """
        if self._finalized:
            raise RuntimeError("ResponseParser already finalized")
        lookout = self._lookout
        if text and not self._text and type(text) is str and lookout.quiet.issuperset(text):
            # By far the most frequent case: nothing is held back, and no delimiter is, or begins, here.
            self._base = self._pos = self._pos + len(text)
            if self._opened and (field := self._field) is not None:
                self._body.append(text)
                return [{"type": "region_chunk", "field": field.name, "text": text, "dirty": field.is_parsed}]
            events: list[Event] = []
            self._take_text(events, text)
            return events
        events = []
        if text:
            # Named by nothing else, a text that is held back grows in place instead of being copied for each piece.
            held, self._text = self._text, ""
            try:
                held += text
            finally:
                self._text = held
                del held
        self._process(events, final=False)
        if not self._text and self._lookout is lookout:
            lookout.learn(text)
        return events

    def finalize(self) -> tuple[dict[str, Any], list[Event]]:
        """Take the output as complete and return the message, and the events that its end brings about.

        Raises:
            ValueError: the last region does not hold what the template says, or a field is missing.
            RuntimeError: the output is already complete.
        """
        if self._finalized:
            raise RuntimeError("ResponseParser already finalized")
        events: list[Event] = []
        self._process(events, final=True)
        fields = self._template.fields.values()
        if missing := [field.name for field in fields if not field.optional and field.name not in self._message]:
            raise ValueError(f"Required response_template fields missing from parsed output: {missing}")
        self._message = {
            key: value for key, value in self._message.items() if key in self._template.defaults or not _is_empty(value)
        }
        self._finalized = True
        return self._message, events

    # --- boundaries ---------------------------------------------------------------------------------------------------

    def _process(self, events: list[Event], final: bool) -> None:
        """Take one boundary after the other, then the text that belongs to no further one."""
        emptily_opened: tuple[str, int] | None = None
        while True:
            boundary, hold = self._lookout.find(self._text, self._base, self._pos, final)
            if boundary is None:
                self._take_text(events, self._text[self._pos - self._base : hold - self._base])
                self._pos = max(self._pos, hold)
                if final:
                    self._close_region(events)
                break
            watched, (start, end) = boundary
            self._take_text(events, self._text[self._pos - self._base : start - self._base])
            captures = watched.watch.captures(self._text, self._base, (start, end))
            self._pos = end
            field = watched.field
            if watched.opens:
                if start == end:
                    if emptily_opened == (field.name, end):
                        raise ValueError(
                            f"Field '{field.name}': open and close both match the empty text at position {end} of the "
                            "reply, so that the region would open there again and again."
                        )
                    emptily_opened = (field.name, end)
                self._close_region(events)
                self._enter_region(field, captures)
                events.append({"type": "region_open", "field": field.name})
            else:
                had_opened = self._opened
                self._captures.update(captures)
                self._close_region(events)
                if start == end and not had_opened:
                    break  # it would be found again at once
        self._forget_text()

    # --- regions ------------------------------------------------------------------------------------------------------

    def _enter_region(self, field: ResponseField, captures: dict[str, str]) -> None:
        self._field: ResponseField | None = field
        """The region's field; None outside of regions where no field takes the text."""
        self._lookout: Lookout = self._inside[field.name]
        """For what ends the region, or for what may follow where it has no opening of its own."""
        self._opened = True
        """Whether its opening has been told."""
        self._body: list[str] = []
        self._captures: dict[str, str] = captures

    def _leave_region(self) -> None:
        """Go to where text belongs to the field without an opening, if there is one."""
        implicit = self._template.implicit
        self._field = None if implicit is None else self._template.fields[implicit]
        self._lookout = self._outside
        self._opened = False
        self._body = []
        self._captures = {}

    def _take_text(self, events: list[Event], text: str) -> None:
        """Give *text* to the region, if there is one."""
        field = self._field
        if text and field is not None:
            if not self._opened:
                events.append({"type": "region_open", "field": field.name})
                self._opened = True
            self._body.append(text)
            events.append({"type": "region_chunk", "field": field.name, "text": text, "dirty": field.is_parsed})

    def _close_region(self, events: list[Event]) -> None:
        """Put the region's value into the message, unless nothing has opened it, and leave."""
        if (field := self._field) is not None and self._opened:
            content = parse_content("".join(self._body), field.content, field.content_args)
            value = shape_content(field.name, content, field.transform, field.transform_each, self._captures)
            if self._parameters_of:
                cast_arguments(value, self._parameters_of)
            self._store(field, value)
            events.append({"type": "region_close", "field": field.name, "value": value})
        self._leave_region()

    def _store(self, field: ResponseField, value: Any) -> None:
        message = self._message
        if field.join is not None:
            if not isinstance(value, str):
                raise ValueError(
                    f"Field '{field.name}': 'join' requires each match to parse to a string, "
                    f"got {type(value).__name__}."
                )
            earlier = message.get(field.name)
            if isinstance(earlier, str):
                message[field.name] = None  # named by nothing else, the text grows in place
                earlier += field.join
                earlier += value
                message[field.name] = earlier
            else:
                message[field.name] = value if earlier is None else earlier + field.join + value
        elif field.repeats:
            message.setdefault(field.name, []).append(value)
        else:
            message[field.name] = value

    def _forget_text(self) -> None:
        """Let go of the text that has been dealt with, unless a pattern may look back at it."""
        done = self._pos - self._base
        if not self._keeps_past and 2 * done >= len(self._text):
            self._text = self._text[done:]
            self._base = self._pos


def _is_empty(value: Any) -> bool:
    return value is None or (isinstance(value, (list, dict, str)) and not value)
