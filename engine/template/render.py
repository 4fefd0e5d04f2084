"""From conversations to text: the stages of a render, in order, with Transformers' outcome at each of them."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from types import MappingProxyType
from typing import Any, NamedTuple

from ..messages import (
    NOT_A_MESSAGE,
    Conversation,
    Message,
    add_reasoning_names,
    is_plain,
    normalize_messages,
    take_plain_messages,
    to_plain,
)
from ..schema import get_json_schema
from .environment import stop_clock
from .generation import Span, exclude_prompt
from .prefill import cut_at_tag, tag_final_message
from .program import Engine, Program, compile_template
from .tools_memory import remember_tools

__all__ = ["RenderedChat", "prepare_conversations", "render_chat", "render_conversations", "render_spans"]


class RenderedChat(NamedTuple):
    """A rendered conversation and the places the model is trained on."""

    text: str
    """The prompt."""
    spans: list[Span]
    """Half-open character ranges of the ``{% generation %}`` blocks, in the order in which the blocks ended."""


def render_chat(
    messages: Conversation,
    chat_template: str,
    *,
    tools: Sequence[dict[str, Any] | Callable[..., Any]] | None = None,
    documents: Sequence[dict[str, Any]] | None = None,
    add_generation_prompt: bool = False,
    continue_final_message: bool | str = False,
    now: datetime | None = None,
    engine: Engine = "compiled",
    **variables: Any,
) -> str:
    """Render one conversation with a template, without a tokenizer.

    Gives what ``apply_chat_template(messages, chat_template=…, tokenize=False)`` gives. Special tokens are ordinary
    variables here: pass ``bos_token="<s>"`` where the template writes it.

    Args:
        messages: Dicts, dataclasses or pydantic models, or an object with such a list in ``messages``.
        chat_template: The template's text.
        tools: JSON schemas, or functions that :func:`get_json_schema` can describe.
        documents: Dicts for templates that render retrieved documents.
        add_generation_prompt: Ask the template to open the assistant's turn.
        continue_final_message: Leave the last message's ``content``, or the field named here, open at its end.
        now: The time that ``strftime_now`` tells; the clock's where it is None.
        engine: ``plain`` lets jinja2 itself do all; the outcome is the same.
        variables: Whatever else the template reads.

    Raises:
        jinja2.TemplateError: the template is broken, or refuses the conversation.
        ValueError, TypeError: the arguments contradict each other or have the wrong shape; also whatever else the
            template's own expressions raise, such as ``TypeError`` for ``"a" + 1``.
    """
    plain = None if continue_final_message else take_plain_messages(messages)
    if plain is not None:
        # What most calls come to, without the detours.
        template = compile_template(chat_template, engine)
        values = _collect_values(template, tools, documents, add_generation_prompt, now, variables)
        values["messages"] = plain
        return template.render(values)
    return _render_one(
        messages,
        chat_template,
        tools=tools,
        documents=documents,
        add_generation_prompt=add_generation_prompt,
        continue_final_message=continue_final_message,
        track_spans=False,
        now=now,
        engine=engine,
        variables=variables,
    ).text


def render_spans(
    messages: Conversation,
    chat_template: str,
    *,
    tools: Sequence[dict[str, Any] | Callable[..., Any]] | None = None,
    documents: Sequence[dict[str, Any]] | None = None,
    add_generation_prompt: bool = False,
    exclude_generation_prompt: bool = False,
    now: datetime | None = None,
    engine: Engine = "compiled",
    **variables: Any,
) -> RenderedChat:
    """Render one conversation and tell which characters stand in ``{% generation %}`` blocks.

    Arguments and errors as in :func:`render_chat`. A template without such blocks gives no spans and a warning on the
    ``turnwire`` logger, once.

    Args:
        exclude_generation_prompt: Let a span begin after the text that a generation prompt writes, such as an empty
            reasoning block: the model never has to write it.

    Raises:
        ValueError: the generation prompt is to be excluded and does not come at the end of the text.
    """

    def render(prompted: bool, track_spans: bool) -> RenderedChat:
        return _render_one(
            messages,
            chat_template,
            tools=tools,
            documents=documents,
            add_generation_prompt=prompted,
            continue_final_message=False,
            track_spans=track_spans,
            now=now,
            engine=engine,
            variables=variables,
        )

    chat = render(add_generation_prompt, True)
    if not exclude_generation_prompt:
        return chat
    text, prompted = render(False, False).text, render(True, False).text
    if not prompted.startswith(text):
        raise ValueError("this template writes the messages differently when it adds a generation prompt")
    return RenderedChat(chat.text, exclude_prompt(chat.text, chat.spans, prompted[len(text) :]))


def _render_one(
    conversation: Any,
    chat_template: str,
    *,
    add_generation_prompt: bool,
    continue_final_message: bool | str,
    track_spans: bool,
    **arguments: Any,
) -> RenderedChat:
    rendered, _ = render_conversation(
        conversation,
        chat_template,
        add_generation_prompt=add_generation_prompt,
        continue_final_message=continue_final_message,
        track_spans=track_spans,
        takes_batches=False,
        **arguments,
    )
    return rendered[0]


def render_conversation(
    conversation: Any,
    chat_template: str,
    *,
    tools: Iterable[Any] | None = None,
    documents: Iterable[Any] | None = None,
    add_generation_prompt: bool = False,
    continue_final_message: bool | str = False,
    track_spans: bool = False,
    now: datetime | None = None,
    engine: Engine = "compiled",
    variables: Mapping[str, Any] = MappingProxyType({}),
    takes_batches: bool = True,
) -> tuple[list[RenderedChat], bool]:
    """Render a conversation, or a batch of them; return the results, and whether it was a batch.

    Raises:
        TypeError: it is a batch, which the caller does not take; or something is no message.
    """
    messages = None if continue_final_message else take_plain_messages(conversation)
    if messages is not None:
        template = _take_template(chat_template, track_spans, engine)
        values = _collect_values(template, tools, documents, add_generation_prompt, now, variables)
        values["messages"] = messages
        return [_render(template, values, track_spans)], False
    conversations, is_batched = prepare_conversations(
        conversation,
        add_generation_prompt=add_generation_prompt,
        continue_final_message=continue_final_message,
        track_spans=track_spans,
    )
    if is_batched and not takes_batches:
        raise TypeError("this is a list of conversations: render them one by one")
    rendered = render_conversations(
        conversations,
        chat_template,
        tools=tools,
        documents=documents,
        add_generation_prompt=add_generation_prompt,
        continue_final_message=continue_final_message,
        track_spans=track_spans,
        now=now,
        engine=engine,
        variables=variables,
    )
    return rendered, is_batched


def prepare_conversations(
    conversation: Any,
    *,
    add_generation_prompt: bool = False,
    continue_final_message: bool | str = False,
    track_spans: bool = False,
) -> tuple[list[list[Message]], bool]:
    """Return the conversations as lists of dicts, and whether the caller passed a batch of them.

    Raises:
        ValueError: there is no message, or the arguments exclude each other.
        TypeError: something is not a message.
    """
    if isinstance(conversation, (list, tuple)) and len(conversation) == 0:
        raise ValueError("Cannot apply chat template to an empty conversation. Provide at least one message.")
    is_batched = isinstance(conversation, (list, tuple)) and (
        isinstance(conversation[0], (list, tuple)) or hasattr(conversation[0], "messages")
    )
    conversations = [normalize_messages(chat) for chat in (conversation if is_batched else [conversation])]
    if continue_final_message:
        if add_generation_prompt:
            raise ValueError(
                "continue_final_message and add_generation_prompt are not compatible. Use continue_final_message when "
                "you want the model to continue the final message, and add_generation_prompt when you want to add a "
                "header that will prompt it to start a new assistant message instead."
            )
        if track_spans:
            raise ValueError("continue_final_message is not compatible with return_assistant_tokens_mask.")
    return conversations, is_batched


def render_conversations(
    conversations: Iterable[Any],
    chat_template: str,
    *,
    tools: Iterable[Any] | None = None,
    documents: Iterable[Any] | None = None,
    add_generation_prompt: bool = False,
    continue_final_message: bool | str = False,
    track_spans: bool = False,
    now: datetime | None = None,
    engine: Engine = "compiled",
    variables: Mapping[str, Any] = MappingProxyType({}),
) -> list[RenderedChat]:
    """Render each of *conversations*; the work horse behind every other entry point.

    *conversations* are lists of messages (or objects with one in ``messages``), which this function copies and does not
    change. Keys whose value is None stay, unlike in the entry points above it.
    """
    template = _take_template(chat_template, track_spans, engine)
    values = _collect_values(template, tools, documents, add_generation_prompt, now, variables)
    rendered = []
    final_text: Any = None
    for conversation in conversations:
        messages = to_plain(getattr(conversation, "messages", conversation))
        for message in messages:
            if not isinstance(message, dict):
                raise TypeError(NOT_A_MESSAGE.format(message))
        messages = add_reasoning_names(messages)
        if continue_final_message:
            field = continue_final_message if isinstance(continue_final_message, str) else "content"
            final_text = tag_final_message(messages, field, chat_template)
        chat = _render(template, {**values, "messages": messages}, track_spans)
        if continue_final_message:
            chat = chat._replace(text=cut_at_tag(chat.text, final_text))
        rendered.append(chat)
    return rendered


def _collect_values(
    template: Program,
    tools: Iterable[Any] | None,
    documents: Iterable[Any] | None,
    add_generation_prompt: bool,
    now: datetime | None,
    variables: Mapping[str, Any],
) -> dict[str, Any]:
    """Return what a template is given beside the messages, plain."""
    values = {
        "tools": None if tools is None else _take_tools(tools),
        "documents": None if documents is None else _take_documents(documents),
        "add_generation_prompt": add_generation_prompt,
    }
    for name, value in variables.items():
        values[name] = value if type(value) is str or is_plain(value) else to_plain(value)
    if now is not None:
        # A variable shadows the global of the same name, in macros as well; one that the caller passed comes first.
        values.setdefault("strftime_now", stop_clock(now))
    if not _OWN_NAMES.isdisjoint(variables):
        # Raises Python's own error for an argument that is passed twice.
        template.plain.render(**dict.fromkeys(_OWN_NAMES), **variables)
    return values


_OWN_NAMES = frozenset({"messages", "tools", "documents", "add_generation_prompt"})


def _take_tools(tools: Iterable[Any]) -> list[Any]:
    schemas = [tool if type(tool) is dict else _tool_schema(tool) for tool in tools]
    kept = remember_tools(schemas)
    return to_plain(schemas) if kept is None else kept


def _take_documents(documents: Iterable[Any]) -> Any:
    for document in documents:
        if not isinstance(document, dict):
            raise TypeError("Documents should be a list of dicts with 'title' and 'text' keys!")
    return documents if is_plain(documents) else to_plain(documents)


def _render(template: Program, values: dict[str, Any], track_spans: bool) -> RenderedChat:
    return RenderedChat(*template.render_tracked(values)) if track_spans else RenderedChat(template.render(values), [])


def _take_template(chat_template: str, track_spans: bool, engine: Engine) -> Program:
    if track_spans and not _GENERATION_TAG.search(chat_template):
        from ..log import warn_once  # Imports logging, which is a tenth of all imports.

        warn_once("return_assistant_tokens_mask==True but chat template does not contain `{% generation %}` keyword.")
    return compile_template(chat_template, engine)


_GENERATION_TAG = re.compile(r"\{\%-?\s*generation\s*-?\%\}")


def _tool_schema(tool: Any) -> dict[str, Any]:
    if isinstance(tool, dict):
        return tool
    if inspect.isfunction(tool) or inspect.ismethod(tool):
        return get_json_schema(tool)
    raise ValueError(
        "Tools should either be a JSON schema, or a callable function with type hints "
        "and a docstring suitable for auto-conversion to a schema."
    )
