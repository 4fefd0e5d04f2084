"""ERNIE 4.5 Thinking: calls as JSON between ``<tool_call>`` marks, answers between ``<response>`` marks."""

from __future__ import annotations

from turnwire.wire.family import Family
from turnwire.wire.format import Reasoning, WireFormat
from turnwire.wire.shapes import CHATML_HEADER, CHATML_STOP, TOOL_CALL_JSON

FAMILY = Family(
    name="ernie45",
    aliases=(),
    models=(),
    wire_format=WireFormat(
        header=(*CHATML_HEADER, "Assistant: "),
        prefill="<think>\n",
        reasoning=Reasoning(at_start_only=True),
        calls=(TOOL_CALL_JSON,),
        content_trim="calls",
        dropped=("<response>\n", "<response>", "\n</response>\n", "\n</response>", "</response>\n", "</response>"),
        stop=(*CHATML_STOP, "<|end_of_sentence|>", "</s>"),
    ),
    response_template=None,
    links=("https://github.com/vllm-project/vllm", "https://huggingface.co/baidu/ERNIE-4.5-21B-A3B-Thinking"),
    spellings=("the whole format: vLLM's parser of this name; no template that writes calls was seen",),
    loss=("everything: the templates of ERNIE 4.5 that were seen take no tools",),
)
