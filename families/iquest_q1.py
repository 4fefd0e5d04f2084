"""IQuest Q1: GLM's keys and values in turns, between ``<iquest_tool_call>`` marks."""

from __future__ import annotations

from turnwire.wire.family import Family
from turnwire.wire.format import Reasoning, WireFormat
from turnwire.wire.shapes import CHATML_HEADER, CHATML_STOP, argument_pairs

FAMILY = Family(
    name="iquest_q1",
    aliases=("iquest",),
    models=(),
    wire_format=WireFormat(
        header=CHATML_HEADER,
        prefill="<think>\n",
        reasoning=Reasoning(at_start_only=True, ends_at_call=True),
        calls=(argument_pairs("<iquest_tool_call>", "</iquest_tool_call>", recover_at_end=False),),
        content_trim="calls",
        stop=CHATML_STOP,
    ),
    response_template=None,
    links=("https://github.com/sgl-project/sglang", "https://huggingface.co/IQuestLab/IQuest-Coder-V1-40B-Instruct"),
    spellings=(
        "the whole call: SGLang's parser of this name; no template that writes it was seen, and what begins and ends a "
        "turn is that of IQuest Coder",
    ),
    loss=(
        "values as text: types come from the tool's schema; without one they stay text, and the call says so",
        "a value that holds `</arg_value>` and then `<arg_key>` or `</iquest_tool_call>` reads as more than one",
    ),
)
