"""FunctionGemma: calls with bare keys and ``<escape>`` around strings."""

from __future__ import annotations

from turnwire.wire.family import Family
from turnwire.wire.format import CallSyntax, HeadBody, WireFormat

FAMILY = Family(
    name="functiongemma",
    aliases=(),
    models=("unsloth/functiongemma-270m-it", "distil-labs/distil-home-assistant-functiongemma"),
    wire_format=WireFormat(
        header=("<start_of_turn>model\n", "<end_function_response>"),
        calls=(
            CallSyntax(
                open=("<start_function_call>",),
                close=("<end_function_call>",),
                confirm=r"\s{0,64}call:",
                body=HeadBody(
                    until=("{",),
                    keeps_mark=True,
                    pattern=r"\s*call:\s*(?P<name>[^{\s](?:[^{]*[^{\s])?)\s*",
                    codec="functiongemma",
                ),
            ),
        ),
        stop=("<end_of_turn>", "<start_function_response>", "<eos>"),
    ),
    response_template=None,
    links=("https://huggingface.co/unsloth/functiongemma-270m-it",),
    loss=(
        "the order of arguments: the template sorts them by key",
        "ids of calls, and reasoning: the template does not write them",
        "white space around content: the template strips it",
        "a text value that holds `<escape>` ends there: nothing is escaped",
    ),
)
