"""Command R and R+ of 2024: ``Action:`` and a JSON code block with an array of calls."""

from __future__ import annotations

from turnwire.wire.family import Family
from turnwire.wire.format import CallSyntax, JsonBody, WireFormat

FAMILY = Family(
    name="command_r",
    aliases=(),
    models=(),
    wire_format=WireFormat(
        header=("<|START_OF_TURN_TOKEN|><|CHATBOT_TOKEN|>",),
        calls=(
            CallSyntax(
                open=("Action:\n```json\n", "Action: ```json\n", "Action:```json\n"),
                close=("```",),
                confirm=r"\s{0,64}\[",
                body=JsonBody(
                    name_keys=("tool_name",), argument_keys=("parameters",), shape="array", arguments_required=True
                ),
                tentative=True,
            ),
        ),
        content_trim="calls",
        # The template of R+ writes no end of the turn where a call ends it.
        stop=("<|END_OF_TURN_TOKEN|>", "<|START_OF_TURN_TOKEN|>"),
    ),
    response_template=None,
    links=(
        "https://huggingface.co/CohereLabs/c4ai-command-r-plus",
        "https://huggingface.co/CohereLabs/c4ai-command-r-v01",
    ),
    spellings=("a space in front of the code block: the model card of Command R",),
    loss=(
        "ids of calls, and reasoning: the template does not write them",
        "objects: the template refuses tools that take any, unless their schema has `additionalProperties`",
        "white space around content: the template writes line breaks of its own there",
        "line separators, such as U+2028, in text: the template indents them as if they ended a line",
        "`directly-answer`, the tool that Command R calls in order to call none, is a call like any other",
    ),
)
