"""xLAM: the whole output is an array of calls as JSON, or it is content."""

from __future__ import annotations

from turnwire.wire.family import Family
from turnwire.wire.format import CallSyntax, JsonBody, Reasoning, WireFormat
from turnwire.wire.shapes import CHATML_HEADER, CHATML_STOP, LLAMA3_HEADER, LLAMA3_STOP

ARRAY = JsonBody(shape="array", arguments_required=True, wrapper=None)
BEGINS = r'\s{0,64}\[\s{0,64}\{\s{0,64}"(?:name|arguments|id|type)"\s{0,64}:'

FAMILY = Family(
    name="xlam",
    aliases=(),
    models=(
        "Salesforce/Llama-xLAM-2-8b-fc-r",
        "Salesforce/Llama-xLAM-2-70b-fc-r",
        "Salesforce/xLAM-2-1b-fc-r",
        "Salesforce/xLAM-2-3b-fc-r",
        "Salesforce/xLAM-2-32b-fc-r",
        "DeepHat/DeepHat-V1-7B",
    ),
    wire_format=WireFormat(
        header=(*LLAMA3_HEADER, *CHATML_HEADER),
        reasoning=Reasoning(at_start_only=True),
        calls=(
            CallSyntax(confirm=BEGINS, body=ARRAY),
            CallSyntax(open=("[TOOL_CALLS]",), confirm=BEGINS, body=ARRAY),
            CallSyntax(open=("<tool_call>",), close=("</tool_call>",), confirm=BEGINS, body=ARRAY),
        ),
        content_trim="after_reasoning",
        stop=(*LLAMA3_STOP, *CHATML_STOP),
    ),
    response_template=None,
    links=(
        "https://huggingface.co/Salesforce/Llama-xLAM-2-8b-fc-r",
        "https://huggingface.co/Salesforce/xLAM-2-32b-fc-r",
    ),
    spellings=(
        "reasoning in front, `[TOOL_CALLS]` before the array, `<tool_call>` around it: vLLM's parser of this name",
    ),
    loss=(
        "ids of calls, and reasoning: the templates do not write them",
        "content beside calls: the templates write either the one or the other",
        "an answer that is an array of objects with a name and arguments is calls; nothing tells them apart",
    ),
)
