"""Llama 3.2 and Gemma 3 that were taught Python: all of the output is a list of calls, ``[f(a=1)]``, or content."""

from __future__ import annotations

from turnwire.wire.family import Family
from turnwire.wire.format import CallSyntax, PythonBody, WireFormat
from turnwire.wire.shapes import LLAMA3_HEADER, LLAMA3_STOP

FAMILY = Family(
    name="llama32_pythonic",
    aliases=(),
    models=("baseten/Llama-3.2-3B-Instruct-pythonic", "typhoon-ai/typhoon2.1-gemma3-4b"),
    wire_format=WireFormat(
        header=(*LLAMA3_HEADER, "<start_of_turn>model\n"),
        calls=(CallSyntax(confirm=r"\s{0,64}\[\s{0,64}[A-Za-z_][\w.\-]{0,128}\(", body=PythonBody("always")),),
        stop=(*LLAMA3_STOP, "<end_of_turn>"),
    ),
    response_template=None,
    links=(
        "https://huggingface.co/baseten/Llama-3.2-3B-Instruct-pythonic",
        "https://huggingface.co/typhoon-ai/typhoon2.1-gemma3-4b",
    ),
    spellings=("quotation marks around text, commas between arguments: their system prompts ask for Python",),
    loss=(
        "text that is an argument: the template of baseten's model writes it without quotation marks",
        "white space around content: the template of Typhoon 2.1 strips it",
        "more than one argument: the template of Typhoon 2.1 writes no commas between them",
        "ids of calls, and reasoning: the templates do not write them",
        "an answer that is a list of Python calls is calls; nothing tells them apart",
    ),
)
