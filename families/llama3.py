"""Llama 3.1 to 3.3: the whole output is one JSON object with a name and parameters, or it is content."""

from __future__ import annotations

from turnwire.wire.family import Family
from turnwire.wire.format import CallSyntax, JsonBody, WireFormat
from turnwire.wire.shapes import LLAMA3_HEADER, LLAMA3_STOP

OBJECT = JsonBody(shape="object", arguments_required=True, wrapper=None)

FAMILY = Family(
    name="llama3",
    aliases=("llama3_json",),
    models=(
        "meta-llama/Llama-3.1-8B-Instruct",
        "meta-llama/Llama-3.1-70B-Instruct",
        "meta-llama/Llama-3.1-405B-Instruct",
        "meta-llama/Llama-3.2-1B-Instruct",
        "meta-llama/Llama-3.2-3B-Instruct",
        "meta-llama/Llama-3.3-70B-Instruct",
        "unsloth/Llama-3.1-8B-Instruct",
        "unsloth/Meta-Llama-3.1-8B-Instruct",
        "unsloth/Meta-Llama-3.1-70B-Instruct",
        "unsloth/Llama-3.2-1B-Instruct",
        "unsloth/Llama-3.2-3B-Instruct",
        "unsloth/Llama-3.3-70B-Instruct",
        "nvidia/Llama-3.1-Nemotron-70B-Instruct-HF",
        "arcee-ai/Arcee-SuperNova-v1",
        "KISTI-KONI/KONI-Llama3.1-8B-Instruct-20241024",
    ),
    wire_format=WireFormat(
        header=(*LLAMA3_HEADER, "<|start_header_id|>KONI<|end_header_id|>\n\n"),
        calls=(
            CallSyntax(open=("<|python_tag|>",), confirm=r"\s{0,64}\{", separators=(";",), body=OBJECT),
            CallSyntax(
                confirm=r'\s{0,64}\{\s{0,64}"(?:name|type|function|parameters|arguments)"\s{0,64}:',
                separators=(";",),
                body=OBJECT,
            ),
        ),
        stop=LLAMA3_STOP,
    ),
    response_template=None,
    links=("https://huggingface.co/meta-llama/Llama-3.3-70B-Instruct",),
    spellings=(
        "`arguments` for `parameters`, more keys such as `type`, line breaks inside: canitoolcall's llama fixtures",
        "`<|python_tag|>` in front, with text before it: canitoolcall's llama fixtures",
        "several objects, with `;` or white space between them: Llama 3.1, https://github.com/vllm-project/vllm",
    ),
    loss=(
        "ids of calls, content beside a call, more than one call: the template writes one call alone, or refuses",
        "an answer that is a JSON object with a name and parameters is a call; nothing tells them apart",
    ),
)
