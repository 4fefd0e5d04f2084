"""GLM 4.5 to 5: the name, then ``<arg_key>`` and ``<arg_value>`` in turns, between ``<tool_call>`` marks."""

from __future__ import annotations

from turnwire.wire.family import Family
from turnwire.wire.format import Reasoning, WireFormat
from turnwire.wire.shapes import argument_pairs

THINKING = (
    "zai-org/GLM-4.7",
    "zai-org/GLM-4.7-Flash",
    "zai-org/GLM-5",
    "zai-org/GLM-5.1",
    "zai-org/GLM-5.2",
    "zai-org/GLM-5.3",
)
NEXT_LINE = ("zai-org/GLM-4.5V", "zai-org/GLM-4.6V", "zai-org/GLM-4.6V-Flash", "zai-org/GLM-OCR")

FAMILY = Family(
    name="glm45",
    aliases=("glm", "glm47"),
    models=(
        "zai-org/GLM-4.5",
        "zai-org/GLM-4.5-Air",
        "zai-org/GLM-4.6",
        "unsloth/GLM-4.5-Air",
        *THINKING,
        *NEXT_LINE,
    ),
    wire_format=WireFormat(
        header=("<|assistant|>",),
        reasoning=Reasoning(at_start_only=True),
        calls=(argument_pairs("<tool_call>", "</tool_call>"),),
        content_trim="calls",
        stop=("<|endoftext|>", "<|user|>", "<|observation|>"),
    ),
    response_template=None,
    links=(
        "https://huggingface.co/zai-org/GLM-4.5",
        "https://huggingface.co/zai-org/GLM-4.7",
        "https://huggingface.co/zai-org/GLM-5.2",
    ),
    spellings=(
        "line breaks between the marks (4.5, 4.6) and none (4.7, 5): the templates",
        "the last value without its closing mark: canitoolcall's glm fixtures; where the model was cut off it counts "
        "as not finished",
    ),
    loss=(
        "values as text: types come from the tool's schema; without one they stay text, and the call says so",
        "a type like string or integer: the first that fits is taken, in the schema's order, text last",
        "a value that holds `</arg_value>` and then `<arg_key>` or `</tool_call>` reads as more than one",
        "a value that holds `</tool_call>` and then a mark that ends the turn: it ends there as well",
        "ids of calls: the template does not write them",
        "white space around content and reasoning: the template writes line breaks of its own there",
    ),
    prefilled={"<think>": ("glm47", *THINKING), "\n": NEXT_LINE},
)
