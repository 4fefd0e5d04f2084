"""MiniCPM 3: a block of Python code with one call a line, then the answer."""

from __future__ import annotations

from turnwire.wire.family import Family
from turnwire.wire.format import CallSyntax, PythonBody, Reasoning, WireFormat
from turnwire.wire.shapes import CHATML_HEADER, CHATML_STOP

FAMILY = Family(
    name="minicpm3",
    aliases=("minicpm",),
    models=("openbmb/MiniCPM3-4B", "openbmb/MiniCPM4-MCP"),
    wire_format=WireFormat(
        header=CHATML_HEADER,
        reasoning=Reasoning(open=("<|thought_start|>",), close=("<|thought_end|>",), at_start_only=True),
        calls=(
            CallSyntax(
                open=("<|tool_call_start|>\n```python\n", "<|tool_call_start|>"),
                close=("```\n<|tool_call_end|>", "<|tool_call_end|>"),
                confirm=r"\s{0,64}(?:```python\s{0,64})?[A-Za-z_][\w.\-]{0,128}\(",
                body=PythonBody("never"),
            ),
        ),
        content_trim="calls",
        stop=CHATML_STOP,
    ),
    response_template=None,
    links=("https://huggingface.co/openbmb/MiniCPM3-4B",),
    spellings=("no code block around the calls; `true`, `false` and `null`: the template writes values as JSON",),
    loss=(
        "the place of content beside calls: the template writes it behind them",
        "ids of calls: the template does not write them",
        "reasoning: the template takes it from a key `thought` alone",
        "names of tools and arguments that Python would not take",
        "white space around content and reasoning: the template writes line breaks of its own there",
    ),
)
