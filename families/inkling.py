"""Inkling: a message of its own for each piece of reasoning, of content, and for each call as JSON."""

from __future__ import annotations

from turnwire.wire.family import Family
from turnwire.wire.format import CallSyntax, JsonBody, Reasoning, WireFormat

BEGIN, END = "<|message_model|>", "<|end_message|>"

FAMILY = Family(
    name="inkling",
    aliases=(),
    models=(),
    wire_format=WireFormat(
        header=(END,),
        reasoning=Reasoning(open=("<|content_thinking|>", f"{BEGIN}<|content_thinking|>"), close=(END,), trim=False),
        calls=(
            CallSyntax(
                open=(BEGIN,),
                close=(END,),
                call_open=("<|content_invoke_tool_json|>",),
                # The name stands here as well, and is passed over.
                confirm=r"[^<]{0,256}<\|content_invoke_tool_json\|>",
                bare_confirm=r"\s{0,64}\{",
                body=JsonBody(shape="object", argument_keys=("args",), wrapper=None, arguments_required=True),
            ),
        ),
        dropped=(BEGIN, "<|content_text|>", END),
        stop=("<|content_model_end_sampling|>", "<|endoftext|>"),
    ),
    response_template=None,
    links=("https://github.com/sgl-project/sglang",),
    spellings=(
        "the whole format: SGLang's parser of this name; no template that writes it was seen",
        "a call without the name in front of its mark: the same",
    ),
    loss=("calls whose arguments are plain text, behind `<|content_invoke_tool_text|>`: they stay content",),
)
