"""GLM 4 (9B, 0414, Z1): the name of a tool on the first line, JSON arguments on the next, or it is content."""

from __future__ import annotations

from turnwire.wire.family import Family
from turnwire.wire.format import CallSyntax, HeadBody, Reasoning, WireFormat

Z1 = ("zai-org/GLM-Z1-9B-0414", "zai-org/GLM-Z1-32B-0414")

FAMILY = Family(
    name="glm4",
    aliases=(),
    models=("zai-org/GLM-4-9B-0414", "zai-org/GLM-4-32B-0414", "zai-org/glm-4-9b-chat", *Z1),
    wire_format=WireFormat(
        header=("<|assistant|>",),
        lead=("\n",),
        reasoning=Reasoning(at_start_only=True),
        calls=(CallSyntax(confirm=r"[A-Za-z_][\w.\-]{0,127}\n\s{0,16}\{", body=HeadBody(until=("\n",))),),
        content_trim="after_reasoning",
        stop=("<|user|>", "<|observation|>", "<|endoftext|>"),
    ),
    response_template=None,
    links=("https://huggingface.co/zai-org/GLM-4-9B-0414", "https://huggingface.co/zai-org/GLM-Z1-32B-0414"),
    spellings=("the whole call: the model cards of the 0414 models; the templates write it from a key `metadata`",),
    loss=(
        "calls: the templates do not write them; a key `metadata` has to carry the name, and content the arguments",
        "an answer of one word and a JSON object on the next line is a call; nothing tells them apart",
    ),
    prefilled={"<think>\n": Z1},
)
