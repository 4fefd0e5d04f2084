"""MiniMax M3: one element for each argument, named after it, each tag behind the mark ``]<]minimax[>[``."""

from __future__ import annotations

from turnwire.wire.family import Family
from turnwire.wire.format import CallSyntax, ElementBody, Reasoning, WireFormat

MARK = "]<]minimax[>["

FAMILY = Family(
    name="minimax_m3",
    aliases=("minimax-m3",),
    models=("MiniMaxAI/MiniMax-M3", "MiniMaxAI/MiniMax-M3-MXFP8"),
    wire_format=WireFormat(
        header=("]~b]ai\n",),
        reasoning=Reasoning(open=("<mm:think>",), close=("</mm:think>",), trim=False, at_start_only=True),
        calls=(
            CallSyntax(
                open=(f"{MARK}<tool_call>",),
                close=(f"{MARK}</tool_call>",),
                call_open=(f'{MARK}<invoke name="',),
                call_close=(f"{MARK}</invoke>",),
                confirm=r'\s{0,64}\]<\]minimax\[>\[<invoke name="',
                body=ElementBody(name_until=('">',), open=f"{MARK}<", close=f"{MARK}</"),
            ),
        ),
        stop=("[e~[",),
    ),
    response_template=None,
    links=("https://huggingface.co/MiniMaxAI/MiniMax-M3",),
    spellings=("`</mm:think>` in front of an answer without reasoning: the template writes it so",),
    loss=(
        "values as text: types come from the tool's schema; without one they stay text, and the call says so",
        "arguments that are null: the template leaves them out",
        "null inside of arrays and objects: the template leaves it out as well, or writes an empty element",
        "a text value that holds its own closing tag ends there: nothing is escaped",
        "ids of calls: the template does not write them",
    ),
)
