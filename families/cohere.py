"""Command R7B, A and A+: an array of calls as JSON between ``<|START_ACTION|>`` and ``<|END_ACTION|>``."""

from __future__ import annotations

from turnwire.wire.family import Family
from turnwire.wire.format import CallSyntax, JsonBody, Reasoning, WireFormat

FAMILY = Family(
    name="cohere",
    aliases=("cohere_command4",),
    models=("CohereLabs/command-a-plus-05-2026-w4a4", "CohereLabs/North-Mini-Code-1.0"),
    wire_format=WireFormat(
        header=("<|START_OF_TURN_TOKEN|><|CHATBOT_TOKEN|>",),
        prefill="<|START_THINKING|>",
        reasoning=Reasoning(open=("<|START_THINKING|>",), close=("<|END_THINKING|>",), trim=False, ends_at_call=True),
        calls=(
            CallSyntax(
                open=("<|START_ACTION|>",),
                close=("<|END_ACTION|>",),
                confirm=r"\s{0,64}[\[{]",
                body=JsonBody(
                    name_keys=("tool_name", "name"), argument_keys=("parameters",), id_keys=("tool_call_id",)
                ),
            ),
        ),
        dropped=("<|START_TEXT|>", "<|END_TEXT|>", "<|START_RESPONSE|>", "<|END_RESPONSE|>"),
        stop=("<|END_OF_TURN_TOKEN|>",),
    ),
    response_template=None,
    links=(
        "https://huggingface.co/CohereLabs/command-a-plus-05-2026-w4a4",
        "https://huggingface.co/CohereLabs/c4ai-command-r7b-12-2024",
    ),
    spellings=("`name` for `tool_name`: SGLang's parser of the name cohere_command4",),
    loss=(
        "ids of calls: the templates count them anew",
        "content beside calls: the templates write either the one or the other",
        "reasoning: the templates take it from a key `thinking` or `tool_plan` alone",
    ),
)
