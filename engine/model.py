"""What :func:`load` returns: a model's chat template and tokenizer behind the method names of Transformers."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any, Literal

from .loading.chat_templates import save_chat_templates, select_chat_template
from .loading.files import read_model_files
from .log import warn_once
from .messages import Conversation, Message
from .reply.model_output import open_response_parser, parse_model_output
from .reply.reply import Reply
from .reply.response_parser import ResponseParser
from .reply.template_reply import read_by_template
from .session import ChatSession
from .template.render import prepare_conversations, render_conversation, render_conversations
from .tokens.encoding import BatchEncoding
from .tokens.masks import assistant_mask
from .tokens.sanitize import control_tokens, mark_control_tokens
from .tokens.tokenizer import Tokenizer, load_tokenizer
from .wire.choose import FamilyChoice, choose_family
from .wire.family import Family
from .wire.format import WireFormat
from .wire.reader import ReplyReader
from .wire.reading import guard_reply, open_reader, read_reply
from .wire.registry import find_family

__all__ = ["ChatModel", "load"]


def load(
    source: str | os.PathLike[str],
    *,
    revision: str | None = None,
    token: str | bool | None = None,
    cache_dir: str | os.PathLike[str] | None = None,
    local_files_only: bool = False,
    subfolder: str = "",
) -> ChatModel:
    """Load the chat template and the tokenizer of a model, never its weights.

    Args:
        source: A folder, or the id of a model on the Hub.
        revision: Branch, tag or commit on the Hub; ``main`` where it is None.
        token: Access token for the Hub; None takes the one that ``hf auth login`` or ``HF_TOKEN`` provides.
        cache_dir: Where downloads are kept; the Hub client's own cache where it is None.
        local_files_only: Take what the cache has and ask nobody.
        subfolder: Folder inside the repository that holds the files.

    Raises:
        ModelNotFound: there is no such model, or it cannot be reached.
        ModelFileError: one of its files is missing, broken or contradicts another.
    """
    files = read_model_files(
        source,
        revision=revision,
        token=token,
        cache_dir=cache_dir,
        local_files_only=local_files_only,
        subfolder=subfolder,
    )
    return ChatModel(load_tokenizer(files), files.chat_template)


class ChatModel:
    """A tokenizer and its chat template.

    Safe to share between threads: rendering and encoding change nothing in it. Every method that Transformers'
    tokenizers have as well takes the same arguments and returns the same values as there.
    """

    def __init__(self, tokenizer: Tokenizer, chat_template: str | dict[str, str] | None) -> None:
        self.tokenizer = tokenizer
        """Encodes and decodes; holds the special tokens."""
        self.chat_template = chat_template
        """The template's text, or named templates, or None where the model ships none."""
        self.response_template: dict[str, Any] | None = tokenizer.response_template
        """The model's own description of how its output is read, if it ships one."""
        self.now: datetime | None = None
        """The time that ``strftime_now`` tells; None for the clock's."""
        self.engine: Literal["compiled", "plain"] = "compiled"
        """What renders: ``plain`` lets jinja2 itself do all; the outcome is the same."""

    def __repr__(self) -> str:
        return f"ChatModel({self.tokenizer.name_or_path!r})"

    @property
    def special_tokens_map(self) -> dict[str, str]:
        """The named special tokens, which templates see as variables, such as ``{"bos_token": "<s>"}``."""
        return self.tokenizer.special_tokens_map

    def encode(self, text: Any, text_pair: Any = None, **arguments: Any) -> Any:
        """Return the ids of *text*; arguments as in Transformers' ``encode``.

        A rendered chat has its special tokens already: encode it with ``add_special_tokens=False``. Where two BOS
        tokens lead all the same, a warning goes to the ``turnwire`` logger, once.
        """
        ids = self.tokenizer.encode(text, text_pair, **arguments)
        bos = self.tokenizer.bos_token_id
        if bos is not None and isinstance(ids, list) and ids[:2] == [bos, bos]:
            warn_once(
                f"the ids begin with {self.tokenizer.bos_token} twice, once from the text and once from the tokenizer: "
                "encode a rendered chat with add_special_tokens=False"
            )
        return ids

    def decode(self, token_ids: Any, skip_special_tokens: bool = False, **arguments: Any) -> Any:
        """Return the text of *token_ids*, or the texts of a batch; arguments as in Transformers' ``decode``."""
        return self.tokenizer.decode(token_ids, skip_special_tokens=skip_special_tokens, **arguments)

    def get_chat_template(self, chat_template: str | None = None, tools: Sequence[dict[str, Any]] | None = None) -> str:
        """Return the template to use: the one given or named, else ``tool_use`` if there are tools, else the default.

        Raises:
            ValueError: there is none, or several and no default among them.
        """
        return select_chat_template(self.chat_template, chat_template, tools)

    def apply_chat_template(
        self,
        conversation: Conversation | Sequence[Conversation],
        tools: Sequence[dict[str, Any] | Callable[..., Any]] | None = None,
        documents: Sequence[dict[str, Any]] | None = None,
        chat_template: str | None = None,
        add_generation_prompt: bool = False,
        continue_final_message: bool | str = False,
        tokenize: bool = True,
        sanitize_control_tokens: bool = False,
        padding: bool | str = False,
        truncation: bool | str = False,
        max_length: int | None = None,
        return_tensors: str | None = None,
        return_dict: bool = True,
        return_assistant_tokens_mask: bool = False,
        tokenizer_kwargs: Mapping[str, Any] | None = None,
        **kwargs: Any,
    ) -> Any:
        """Render a conversation, or a batch of them, and encode the result.

        Args:
            conversation: Messages as dicts, dataclasses or pydantic models, an object with them in ``messages``, or a
                list of such conversations.
            tools: JSON schemas, or functions that :func:`get_json_schema` can describe.
            documents: Dicts for templates that render retrieved documents.
            chat_template: A template's text, or the name of one of the model's own.
            add_generation_prompt: Ask the template to open the assistant's turn.
            continue_final_message: Leave the last message's ``content``, or the field named here, open at its end.
            tokenize: Encode; otherwise the text is returned.
            sanitize_control_tokens: Encode control tokens that came in with the arguments as ordinary text.
            padding: ``True`` or ``"longest"``, ``"max_length"``, ``False``.
            truncation: Cut to *max_length* tokens, or to the tokenizer's own maximum.
            max_length: Tokens, for the two above.
            return_tensors: ``"np"`` or ``"pt"``; lists of int where it is None.
            return_dict: Return all that the tokenizer gives; otherwise the ids alone.
            return_assistant_tokens_mask: Add ``assistant_masks``: 1 for each token that overlaps a
                ``{% generation %}`` block.
            tokenizer_kwargs: More arguments for the tokenizer.
            kwargs: Whatever else the template reads.

        Returns:
            :class:`BatchEncoding`; the ids with ``return_dict=False``; the text with ``tokenize=False``. Lists of
            these for a batch.

        Raises:
            jinja2.TemplateError: the template is broken, or refuses the conversation.
            ValueError, TypeError: the arguments contradict each other or have the wrong shape; also whatever else the
                template's own expressions raise.
        """
        if return_assistant_tokens_mask and not (return_dict and tokenize):
            raise ValueError("`return_assistant_tokens_mask=True` requires `return_dict=True` and `tokenize=True`")
        template = self.get_chat_template(chat_template, tools)  # type: ignore[arg-type]
        arguments: dict[str, Any] = {
            "add_generation_prompt": add_generation_prompt,
            "continue_final_message": continue_final_message,
            "track_spans": return_assistant_tokens_mask,
        }
        if sanitize_control_tokens:
            conversations, is_batched = prepare_conversations(conversation, **arguments)
            if not tokenize or return_assistant_tokens_mask:
                raise ValueError(
                    "`sanitize_control_tokens=True` requires `tokenize=True` and is not compatible with "
                    "`return_assistant_tokens_mask=True`."
                )
            conversations, tools, documents, kwargs = mark_control_tokens(
                (conversations, tools, documents, kwargs), control_tokens(self.tokenizer, template)
            )
        arguments |= {
            "tools": tools,
            "documents": documents,
            "now": self.now,
            "engine": self.engine,
            "variables": {**self.special_tokens_map, **kwargs},
        }
        if sanitize_control_tokens:
            rendered = render_conversations(conversations, template, **arguments)
        else:
            rendered, is_batched = render_conversation(conversation, template, **arguments)
        texts = [chat.text for chat in rendered]
        if not tokenize:
            return texts if is_batched else texts[0]
        encoding: BatchEncoding = self.tokenizer(
            texts if is_batched else texts[0],
            padding=padding,
            truncation=truncation,
            max_length=max_length,
            add_special_tokens=False,
            return_tensors=return_tensors,
            sanitize_control_tokens=sanitize_control_tokens,
            is_prompt=True,
            needs_offsets=return_assistant_tokens_mask,
            **(tokenizer_kwargs or {}),
        )
        if not return_dict:
            return encoding["input_ids"]
        if return_assistant_tokens_mask:
            rows = encoding["input_ids"] if is_batched or return_tensors else [encoding["input_ids"]]
            masks = [assistant_mask(rendered[row].spans, encoding.row_offsets(row)) for row in range(len(rows))]
            encoding["assistant_masks"] = masks if is_batched or return_tensors else masks[0]
            if return_tensors:
                encoding.convert_to_tensors(return_tensors)
        return encoding

    def session(
        self,
        messages: Conversation = (),
        *,
        tools: Sequence[dict[str, Any] | Callable[..., Any]] | None = None,
        chat_template: str | None = None,
        **variables: Any,
    ) -> ChatSession:
        """Open a chat that grows, with arguments as for :meth:`apply_chat_template`.

        Each of its prompts says how much of the one before it keeps, and the ids that a model generated can stay.
        """
        return ChatSession(self, messages, tools=tools, chat_template=chat_template, **variables)

    def parse_response(
        self, response: Any, schema: dict[str, Any] | None = None, *, prefix: Any = None, tools: Any = None
    ) -> dict[str, Any] | list[dict[str, Any]]:
        """Parse what the model wrote, as text or ids, one or a batch, into messages, by its response template.

        Arguments, results and errors are those of Transformers' method of this name.

        Raises:
            AttributeError: there is no response template.
            ValueError: *prefix*, the prompt, is missing (``""`` for none), or the output does not fit the template.
        """
        return parse_model_output(self, response, schema, prefix=prefix, tools=tools)

    def get_response_parser(
        self, response_template: dict[str, Any] | None = None, *, prefix: Any = None, tools: Any = None
    ) -> ResponseParser:
        """Return a parser that is fed what the model writes, by its response template.

        Raises:
            AttributeError: there is no response template.
            ValueError: *prefix* is missing, or more than one.
        """
        return open_response_parser(self, response_template, prefix=prefix, tools=tools)

    def choose_family(self) -> FamilyChoice:
        """Find the family that reads this model's output: by its Hub id, else by rendering calls with its template."""
        known = find_family(self.tokenizer.name_or_path)
        if known is not None:
            return FamilyChoice(known, f"{self.tokenizer.name_or_path} is one of {known.name}'s models", ())
        template = self.get_chat_template(None, [])
        return choose_family(template, **self.special_tokens_map)

    def read_reply(
        self,
        text: str,
        family: str | Family | WireFormat | None = None,
        *,
        prompt: str | None = None,
        tools: Sequence[Any] | None = None,
        finish_reason: str | None = None,
        strict: bool = False,
        on_error: Literal["raise", "keep"] = "raise",
        **options: Any,
    ) -> Reply:
        """Read what the model wrote.

        The *family* named here reads it; where none is, the response template that the model ships; where it ships
        none, the family that :meth:`choose_family` finds.

        Args:
            text: The output, special tokens included.
            family: A family's name, alias or model, a family, or a wire format.
            prompt: What the model was given.
            tools: The tools that were offered.
            finish_reason: Why the model stopped; ``length`` says that it was cut off.
            strict: Raise where no call was read and the text looks like one, instead of a warning in the reply.
            on_error: What becomes of output that does not fit the model's own response template: ``raise`` as
                Transformers does, or ``keep`` what was read before.
            options: Options of :class:`ReplyReader`, for families.

        Raises:
            UnparsedToolCall: see *strict*.
            ValueError: see *on_error*; or nothing tells how this model's output is read.
        """
        if family is None and self.response_template is not None:
            reply = read_by_template(
                text,
                self.response_template,
                prompt=prompt or "",
                tools=tools,
                finish_reason=finish_reason,
                on_error=on_error,
            )
            return guard_reply(text, reply, "the model's response template", strict=strict)
        return read_reply(
            text,
            self._family(family),
            prompt=prompt,
            tools=tools,
            finish_reason=finish_reason,
            strict=strict,
            **options,
        )

    def reply_reader(self, family: str | Family | WireFormat | None = None, **arguments: Any) -> ReplyReader:
        """Return a reader that is fed this model's output as it comes, as ids or as text, by its family.

        *arguments* are those of :class:`ReplyReader`; with ``tokenizer=model.tokenizer`` it takes ids.

        Raises:
            ValueError: no family is named, and none is found.
        """
        return open_reader(self._family(family), **arguments)

    def _family(self, family: str | Family | WireFormat | None) -> str | Family | WireFormat:
        if family is not None:
            return family
        choice = self.choose_family()
        if choice.family is None:
            raise ValueError(
                f"{self.tokenizer.name_or_path or 'this model'} ships no response template, and no family was chosen "
                f"for it: {choice.reason}. Name one with family=…"
            )
        return choice.family

    def encode_message_with_chat_template(
        self, message: Message, conversation_history: Sequence[Message] | None = None, **kwargs: Any
    ) -> list[int]:
        """Return the ids that *message* adds to the ids of *conversation_history*.

        These are the ids from the first that differs on, which is a guess: some templates write earlier turns
        differently once a turn follows. Arguments of :meth:`apply_chat_template` may follow.

        Raises:
            ValueError: ``add_generation_prompt`` was given.
        """
        if "add_generation_prompt" in kwargs:
            raise ValueError(
                "`encode_message_with_chat_template` does not support `add_generation_prompt`. Please add the "
                "generation prompt separately."
            )

        def encode(messages: Any) -> list[int]:
            ids: list[int] = self.apply_chat_template(
                messages, add_generation_prompt=False, tokenize=True, return_dict=False, **kwargs
            )
            return ids

        if not conversation_history:
            return encode([message])
        ids = encode([*conversation_history, message])
        earlier = encode(conversation_history)
        shared = 0
        while shared < min(len(ids), len(earlier)) and ids[shared] == earlier[shared]:
            shared += 1
        return ids[shared:]

    def save_chat_templates(
        self,
        save_directory: str | os.PathLike[str],
        tokenizer_config: dict[str, Any],
        filename_prefix: str | None,
        save_jinja_files: bool,
    ) -> tuple[dict[str, Any], list[str]]:
        """Write the templates as ``chat_template.jinja`` and ``additional_chat_templates/*.jinja``, or into the config.

        Returns:
            *tokenizer_config*, changed in place, and the paths of the files written.

        Raises:
            ValueError: a template's name would lead out of the folder.
        """
        return save_chat_templates(
            self.chat_template, save_directory, tokenizer_config, filename_prefix, save_jinja_files
        )
