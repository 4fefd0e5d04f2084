"""Qwen2.5-Coder: calls as JSON in code blocks, in place of the ``<tool_call>`` marks that the template asks for."""

from __future__ import annotations

from turnwire.wire.family import Family
from turnwire.wire.format import CallSyntax, JsonBody, WireFormat
from turnwire.wire.shapes import CHATML_HEADER, CHATML_STOP, TOOL_CALL_JSON

FAMILY = Family(
    name="fenced_json",
    aliases=(),
    models=(
        "Qwen/Qwen2.5-Coder-0.5B-Instruct",
        "Qwen/Qwen2.5-Coder-1.5B-Instruct",
        "Qwen/Qwen2.5-Coder-3B-Instruct",
        "Qwen/Qwen2.5-Coder-7B-Instruct",
        "Qwen/Qwen2.5-Coder-14B-Instruct",
        "Qwen/Qwen2.5-Coder-32B-Instruct",
    ),
    wire_format=WireFormat(
        header=CHATML_HEADER,
        calls=(
            TOOL_CALL_JSON,
            CallSyntax(
                open=("```json\n",),
                close=("```",),
                confirm=r'\s{0,64}(?:\[\s{0,64})?\{\s{0,64}"(?:name|arguments)"\s{0,64}:',
                body=JsonBody(argument_keys=("arguments",), arguments_required=True, wrapper=None),
                tentative=True,
            ),
        ),
        content_trim="calls",
        stop=CHATML_STOP,
    ),
    response_template=None,
    links=("https://huggingface.co/Qwen/Qwen2.5-Coder-7B-Instruct",),
    spellings=("the code block: the models write it, https://github.com/QwenLM/Qwen2.5-Coder; the template does not",),
    loss=(
        "ids of calls, and reasoning: the template does not write them",
        "white space around content: the template writes line breaks of its own there",
        "an answer with a code block that holds a name and arguments is a call; nothing tells them apart",
    ),
)
