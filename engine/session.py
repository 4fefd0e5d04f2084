"""A chat that grows: its prompts one after the other, and how much of each the next one keeps.

Law: the ids are those of a full encode of the rendered text. The one exception is asked for: where a reply was appended
with the ids that the model generated, these ids stay as they are, and only what the template writes after them is
encoded. That is done only if the template writes earlier prompt and reply exactly as they were; else it is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from .errors import ReplyNotKept
from .messages import Conversation, Message
from .tokens.prompt_cache import count_shared
from .tokens.tokenizer import Tokenizer

__all__ = ["ChatSession", "PromptChange", "SessionPrompt"]

_EXCERPT = 60
"""Characters of a prompt that a change shows."""


class RendersChats(Protocol):
    """What a session needs of a model."""

    tokenizer: Tokenizer

    def apply_chat_template(self, conversation: Any, *, tokenize: bool, **arguments: Any) -> Any:
        """Render a conversation."""


@dataclass(frozen=True)
class PromptChange:
    """Where a prompt departs from the one before it, and from the reply to that one if its ids are known."""

    token: int
    """Number of the first id that differs or is missing; those before it are the same."""
    pos: int
    """The first character that differs, in both prompts."""
    message: int
    """Index of the message in whose text that character stands."""
    cause: int | None
    """Index of the message with whose arrival the text changed; None if no message was added."""
    before: str
    """The earlier prompt from that character on, cut short."""
    after: str
    """The new prompt from that character on, cut short."""

    def __str__(self) -> str:
        cause = "" if self.cause is None else f", since message {self.cause} was added"
        return f"message {self.message} is written as {self.after!r} where it was {self.before!r}{cause}"


@dataclass(frozen=True)
class SessionPrompt:
    """One prompt of a session."""

    text: str
    """The rendered conversation."""
    ids: list[int]
    """What the model is given."""
    kept: int
    """How many leading ids are the same as before: those of the earlier prompt, and of the reply if they are known."""
    change: PromptChange | None
    """Why not all of the earlier ids were kept; None if they were."""

    @property
    def new_ids(self) -> list[int]:
        """The ids that a model still has to read, if it remembers the others."""
        return self.ids[self.kept :]


@dataclass
class _Known:
    """What a model that remembers everything has read and written so far."""

    text: str
    """Prompt and reply; the reply's part is empty where its ids are not known."""
    ids: list[int]
    messages: int
    """How many messages were in the prompt."""
    awaits_reply: bool
    has_generated_ids: bool


class ChatSession:
    """Messages that are appended one after the other, and the prompts made of them; for one thread at a time."""

    def __init__(
        self,
        model: RendersChats,
        messages: Conversation = (),
        *,
        tools: Sequence[dict[str, Any] | Callable[..., Any]] | None = None,
        chat_template: str | None = None,
        **variables: Any,
    ) -> None:
        self._model = model
        self._arguments = {"tools": tools, "chat_template": chat_template, **variables}
        self.messages: list[Message] = list(getattr(messages, "messages", messages))
        """The conversation; a message in it may be changed, and the next prompt says what that did."""
        self._known = _Known("", [], 0, awaits_reply=False, has_generated_ids=False)

    def append(self, message: Message, *, ids: Sequence[int] | None = None) -> None:
        """Add a message.

        Args:
            message: The message.
            ids: For the reply to the last prompt, the ids that the model generated. The prompts that follow keep them
                as they are: decoding and encoding them again may give others.

        Raises:
            ValueError: there are ids, and the last prompt did not ask for a reply or has had one.
        """
        if ids is not None:
            known = self._known
            if not known.awaits_reply or known.messages != len(self.messages):
                raise ValueError(
                    "ids are those of the reply to the last prompt: call render(), then append the reply before "
                    "anything else"
                )
            everything = [*known.ids, *map(int, ids)]
            reply = self._decode(everything).removeprefix(self._decode(known.ids))
            self._known = _Known(known.text + reply, everything, known.messages, False, True)
        self.messages.append(message)

    def extend(self, messages: Sequence[Message]) -> None:
        """Add several messages."""
        self.messages.extend(messages)

    def render(self, *, add_generation_prompt: bool = True, keep_generated_ids: bool = True) -> SessionPrompt:
        """Return the prompt of the messages so far, and what became of the earlier one.

        Args:
            add_generation_prompt: Ask the template to open the assistant's turn.
            keep_generated_ids: Keep the ids that replies were appended with; otherwise the text is encoded anew, and
                they are forgotten.

        Raises:
            ReplyNotKept: there are such ids, and the template does not write what they stand for, or goes on in the
                middle of a token.
            Exception: whatever ``apply_chat_template`` raises.
        """
        known = self._known
        text = self._render(self.messages, add_generation_prompt=add_generation_prompt)
        keeps = keep_generated_ids and known.has_generated_ids
        ids = self._continue_ids(text) if keeps else self._encode(text)
        kept = count_shared(known.ids, ids)
        change = None if kept == len(known.ids) else self._describe_change(text, kept)
        self._known = _Known(text, ids, len(self.messages), add_generation_prompt, keeps)
        return SessionPrompt(text, ids.copy(), kept, change)

    def _render(self, messages: Sequence[Message], *, add_generation_prompt: bool = False) -> str:
        text: str = self._model.apply_chat_template(
            messages, tokenize=False, add_generation_prompt=add_generation_prompt, **self._arguments
        )
        return text

    def _encode(self, text: str) -> list[int]:
        ids: list[int] = self._model.tokenizer(text, add_special_tokens=False, is_prompt=True)["input_ids"]
        return ids

    def _decode(self, ids: list[int]) -> str:
        text: str = self._model.tokenizer.decode(ids, clean_up_tokenization_spaces=False)
        return text

    def _continue_ids(self, text: str) -> list[int]:
        """Return the known ids and those of what *text* has behind the known text."""
        known, place = self._known, len(self._known.text)
        if not text.startswith(known.text):
            raise ReplyNotKept(self._describe_change(text, len(known.ids)), "the template does not keep the reply")
        if len(text) == place:
            return known.ids.copy()
        encoding = self._model.tokenizer(text, add_special_tokens=False, is_prompt=True, return_offsets_mapping=True)
        ids, offsets = encoding["input_ids"], encoding["offset_mapping"]
        first = next((number for number, (start, _) in enumerate(offsets) if start >= place), len(offsets))
        end = offsets[first - 1][1] if first else 0
        if end > place and ids[first - 1] == known.ids[-1] and text[place:end].isspace():
            place = end  # an added token with ``rstrip``, which takes the space behind it
        if end != place or (first < len(ids) and offsets[first][0] != place):
            raise ReplyNotKept(
                self._describe_change(text, len(known.ids)), "the reply ends inside a token of the next prompt"
            )
        rest: list[int] = ids[first:]
        return known.ids + rest

    def _describe_change(self, text: str, kept: int) -> PromptChange:
        known = self._known
        pos = count_shared(known.text, text)
        return PromptChange(
            kept,
            pos,
            self._find_message(text, pos),
            self._find_cause(pos),
            known.text[pos : pos + _EXCERPT],
            text[pos : pos + _EXCERPT],
        )

    def _find_message(self, text: str, pos: int) -> int:
        """Return the index of the message that character *pos* belongs to.

        The first messages alone give a text that agrees with one of the two prompts up to where the next message
        begins. (Maybe with one of them only, or with none, since a template may write the last message in its own way;
        a text that departs before its end does so in a message before.)
        """
        low, high = 0, len(self.messages)
        while high - low > 1:
            middle = (low + high) // 2
            agreed, count = self._count_agreed(middle, high, text)
            if agreed <= pos:
                low = count
            else:
                high = middle
        return low

    def _count_agreed(self, count: int, limit: int, text: str) -> tuple[int, int]:
        """Return how far *count* messages agree with a prompt, or as many more as the template takes, and how many."""
        for number in range(count, limit):
            try:
                alone = self._render(self.messages[:number])
            except Exception:  # templates raise what they like, and many refuse some beginnings of a chat
                continue
            agreed = max(count_shared(alone, self._known.text), count_shared(alone, text))
            return agreed + (agreed < len(alone)), number
        return len(text) + 1, limit

    def _find_cause(self, pos: int) -> int | None:
        """Return the index of the first new message with which the known text is no longer written up to its end."""
        known, last = self._known, len(self.messages) - 1
        for number in range(known.messages, last):
            try:
                alone = self._render(self.messages[: number + 1])
            except Exception:  # see above
                continue
            if count_shared(alone, known.text) <= pos:
                return number
        return last if last >= known.messages else None
