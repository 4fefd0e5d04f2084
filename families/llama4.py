"""Llama 4: a list of calls as Python writes them, or JSON, behind ``<|python_start|>`` or alone."""

from __future__ import annotations

from turnwire.wire.family import Family
from turnwire.wire.format import CallSyntax, JsonBody, PythonBody, WireFormat

LIST = PythonBody("always")
OBJECT = JsonBody(shape="object", arguments_required=True, wrapper=None)
OBJECT_BEGINS = r'\s{0,64}\{\s{0,64}"(?:name|type)"\s{0,64}:'

FAMILY = Family(
    name="llama4",
    aliases=("pythonic", "llama4_pythonic", "llama4_json"),
    models=(
        "meta-llama/Llama-4-Scout-17B-16E-Instruct",
        "meta-llama/Llama-4-Maverick-17B-128E-Instruct",
        "meta-llama/Llama-4-Maverick-17B-128E-Instruct-FP8",
        "unsloth/Llama-4-Scout-17B-16E-Instruct",
    ),
    wire_format=WireFormat(
        header=("<|header_start|>assistant<|header_end|>\n\n",),
        calls=(
            CallSyntax(open=("<|python_start|>",), confirm=r"\s{0,64}\[\s{0,64}[A-Za-z_]", body=LIST),
            CallSyntax(open=("<|python_start|>",), confirm=r"\s{0,64}\{", body=OBJECT),
            CallSyntax(confirm=r"\s{0,64}\[\s{0,64}[A-Za-z_][\w.\-]{0,128}\(", body=LIST),
            CallSyntax(open=("<|python_end|>",), confirm=OBJECT_BEGINS, separators=(";",), body=OBJECT),
            CallSyntax(confirm=OBJECT_BEGINS, separators=(";",), body=OBJECT),
        ),
        dropped=("<|python_start|>", "<|python_end|>"),
        stop=("<|eot|>", "<|eom|>", "<|end_of_text|>"),
    ),
    response_template=None,
    links=("https://huggingface.co/meta-llama/Llama-4-Scout-17B-16E-Instruct",),
    spellings=(
        "JSON objects: the template writes them in place of the list that its system prompt asks for, behind content "
        "between `<|python_start|>` and `<|python_end|>`",
        "`None` and `null`, both quotation marks, names with `.` and `-`: canitoolcall's llama fixtures",
    ),
    loss=("ids of calls, and reasoning: the template does not write them",),
)
