"""Granite 3: an array of calls as JSON behind ``<|tool_call|>``."""

from __future__ import annotations

from turnwire.wire.family import Family
from turnwire.wire.format import CallSyntax, JsonBody, Reasoning, WireFormat

FAMILY = Family(
    name="granite",
    aliases=(),
    models=(
        "ibm-granite/granite-3.0-1b-a400m-instruct",
        "ibm-granite/granite-3.0-2b-instruct",
        "ibm-granite/granite-3.0-3b-a800m-instruct",
        "ibm-granite/granite-3.0-8b-instruct",
        "ibm-granite/granite-3.1-1b-a400m-instruct",
        "ibm-granite/granite-3.1-2b-instruct",
        "ibm-granite/granite-3.1-3b-a800m-instruct",
        "ibm-granite/granite-3.1-8b-instruct",
        "ibm-granite/granite-3.2-2b-instruct",
        "ibm-granite/granite-3.2-8b-instruct",
        "ibm-granite/granite-3.3-2b-instruct",
        "ibm-granite/granite-3.3-8b-instruct",
    ),
    wire_format=WireFormat(
        header=("<|start_of_role|>assistant<|end_of_role|>",),
        reasoning=Reasoning(at_start_only=True),
        calls=(
            CallSyntax(
                open=("<|tool_call|>", "<tool_call>"), confirm=r"\s{0,64}\[\s{0,64}[{\]]", body=JsonBody(shape="array")
            ),
        ),
        content_trim="calls",
        dropped=("<response>", "</response>"),
        stop=("<|end_of_text|>",),
    ),
    response_template=None,
    links=(
        "https://huggingface.co/ibm-granite/granite-3.3-8b-instruct",
        "https://huggingface.co/ibm-granite/granite-3.1-8b-instruct",
    ),
    spellings=(
        "the whole call: the templates ask for it in the system prompt, and write none",
        "`<tool_call>` for the mark: Granite 3.1, vLLM's parser of this name",
        "`<response>` around what follows the reasoning: Granite 3.2 and 3.3, whose system prompt asks for it",
    ),
    loss=("calls, and reasoning: the templates do not write them",),
)
