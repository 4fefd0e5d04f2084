"""Trinity: calls as JSON between ``<tool_call>`` marks, also in the middle of reasoning."""

from __future__ import annotations

from turnwire.wire.family import Family
from turnwire.wire.format import Reasoning, WireFormat
from turnwire.wire.shapes import CHATML_HEADER, CHATML_STOP, TOOL_CALL_JSON

NOT_THINKING = ("arcee-ai/Trinity-Nano-Preview", "arcee-ai/Trinity-Large-Preview")

FAMILY = Family(
    name="trinity",
    aliases=(),
    models=("arcee-ai/Trinity-Mini", *NOT_THINKING),
    wire_format=WireFormat(
        header=CHATML_HEADER,
        prefill="<think>\n",
        reasoning=Reasoning(ends_at_call=True, at_start_only=True),
        calls=(TOOL_CALL_JSON,),
        content_trim="calls",
        stop=CHATML_STOP,
    ),
    response_template=None,
    links=("https://huggingface.co/arcee-ai/Trinity-Mini",),
    spellings=("a call that ends reasoning which was not closed: SGLang's parser of this name",),
    loss=(
        "ids of calls, and reasoning: the template does not write them",
        "white space around content: the template writes line breaks of its own there",
    ),
    prefilled={"": NOT_THINKING},
)
