"""Kimi K2: calls in a section, each with an id that holds the name, and JSON arguments."""

from __future__ import annotations

from turnwire.wire.family import Family
from turnwire.wire.format import CallSyntax, HeadBody, WireFormat
from turnwire.wire.shapes import VERBATIM_THINKING

THINKING = ("moonshotai/Kimi-K2.5", "moonshotai/Kimi-K2.6", "moonshotai/Kimi-K2.7-Code")

FAMILY = Family(
    name="kimi_k2",
    aliases=(),
    models=(
        "moonshotai/Kimi-K2-Instruct",
        "moonshotai/Kimi-K2-Instruct-0905",
        "moonshotai/Kimi-K2-Thinking",
        "moonshotai/Kimi-Linear-48B-A3B-Instruct",
        *THINKING,
    ),
    wire_format=WireFormat(
        header=("<|im_assistant|>assistant<|im_middle|>",),
        reasoning=VERBATIM_THINKING,
        calls=(
            CallSyntax(
                open=("<|tool_calls_section_begin|>",),
                close=("<|tool_calls_section_end|>",),
                call_open=("<|tool_call_begin|>",),
                call_close=("<|tool_call_end|>",),
                confirm=r"[^<\n]{0,64}<\|tool_call_begin\|>|\s{0,64}<\|tool_calls_section_end\|>",
                body=HeadBody(
                    until=("<|tool_call_argument_begin|>",),
                    pattern=r"\s*(?P<id>(?:functions(?:\.|(?P<joined>_)))?(?P<name>\S+?)"
                    r"(?:(?(joined)_|:)(?P<index>\d+))?)\s*",
                    id="functions.{name}:{index}",
                ),
            ),
        ),
        stop=("<|im_end|>",),
    ),
    response_template=None,
    links=("https://huggingface.co/moonshotai/Kimi-K2-Instruct-0905", "https://huggingface.co/moonshotai/Kimi-K2.6"),
    spellings=(
        "`NAME:0` for `functions.NAME:0`, a space before the arguments and behind them: canitoolcall's kimi fixtures",
        "`functions_NAME_0`, which the model picks up from histories whose ids a client has rewritten: "
        "https://github.com/MoonshotAI/Kimi-K2",
    ),
    loss=(
        "an id that is not `functions.NAME:INDEX`: the template writes the id alone, and the name is read out of it",
    ),
    prefilled={"<think>": THINKING},
)
