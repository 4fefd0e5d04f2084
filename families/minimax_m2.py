"""MiniMax M2: ``<invoke name="NAME">`` with ``<parameter name="KEY">`` inside, in a section of calls."""

from __future__ import annotations

from turnwire.wire.family import Family
from turnwire.wire.format import CallSyntax, Reasoning, TaggedBody, WireFormat

FAMILY = Family(
    name="minimax_m2",
    aliases=("minimax-m2", "minimax_m2_append_think"),
    models=(
        "MiniMaxAI/MiniMax-M2",
        "MiniMaxAI/MiniMax-M2.1",
        "MiniMaxAI/MiniMax-M2.5",
        "MiniMaxAI/MiniMax-M2.7",
    ),
    wire_format=WireFormat(
        header=("]~b]ai\n",),
        prefill="<think>\n",
        reasoning=Reasoning(at_start_only=True),
        calls=(
            CallSyntax(
                open=("<minimax:tool_call>",),
                close=("</minimax:tool_call>",),
                call_open=('<invoke name="',),
                call_close=("</invoke>",),
                confirm=r'\s{0,64}<invoke name="',
                body=TaggedBody(
                    name_until=('">',),
                    key_open=('<parameter name="',),
                    key_until=('">',),
                    value_close=("</parameter>",),
                    strict_close=True,
                ),
            ),
        ),
        content_trim="calls",
        stop=("[e~[",),
    ),
    response_template=None,
    links=("https://huggingface.co/MiniMaxAI/MiniMax-M2", "https://huggingface.co/MiniMaxAI/MiniMax-M2.5"),
    loss=(
        "values as text: types come from the tool's schema; without one they stay text, and the call says so",
        "a value that holds `</parameter>` and then `<parameter name=` or `</invoke>` reads as more than one",
        "ids of calls: the template does not write them",
        "white space around content and reasoning: the template writes line breaks of its own there",
    ),
)
