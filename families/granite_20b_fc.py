"""Granite 20B for function calling: ``<function_call>`` in front of each call as JSON."""

from __future__ import annotations

from turnwire.wire.family import Family
from turnwire.wire.format import CallSyntax, JsonBody, WireFormat

FAMILY = Family(
    name="granite_20b_fc",
    aliases=("granite-20b-fc",),
    models=("ibm-granite/granite-20b-functioncalling",),
    wire_format=WireFormat(
        header=("ASSISTANT:",),
        calls=(
            CallSyntax(
                open=("<function_call>",),
                confirm=r"\s{0,64}\{",
                body=JsonBody(shape="object", argument_keys=("arguments",), arguments_required=True),
            ),
        ),
        content_trim="calls",
        stop=("<|endoftext|>",),
    ),
    response_template=None,
    links=("https://huggingface.co/ibm-granite/granite-20b-functioncalling",),
    spellings=("the whole call: the template shows one in the system prompt, and takes no messages; vLLM's parser",),
    loss=(
        "everything: the template takes a query and texts about functions, not messages",
        "`no_function`, which the model calls in order to call none, is a call like any other",
    ),
)
