"""gpt-oss: Harmony, in which a message's header says whether it is reasoning, content or a call."""

from __future__ import annotations

from turnwire.wire.family import Family
from turnwire.wire.format import WireFormat

FAMILY = Family(
    name="gpt_oss",
    aliases=("harmony", "openai", "gpt-oss", "openai_gptoss"),
    models=(
        "openai/gpt-oss-20b",
        "openai/gpt-oss-120b",
        "openai/gpt-oss-safeguard-20b",
        "openai/gpt-oss-safeguard-120b",
        "unsloth/gpt-oss-20b",
        "RedHatAI/gpt-oss-20b",
        "RedHatAI/gpt-oss-120b",
        "nvidia/gpt-oss-puzzle-88B",
        "OpenGVLab/InternVL3_5-GPT-OSS-20B-A4B-Preview",
        "llm-jp/llm-jp-4-8b-instruct",
        "llm-jp/llm-jp-4-8b-thinking",
        "llm-jp/llm-jp-4-32b-a3b-thinking",
        "microsoft/OptiMind-SFT",
    ),
    wire_format=WireFormat(header=("<|start|>assistant",), scanner="harmony"),
    response_template=None,
    links=("https://huggingface.co/openai/gpt-oss-20b", "https://github.com/openai/harmony"),
    spellings=(
        "the recipient behind the channel as well as in front of it, `<|constrain|>json`, ` json` or neither: the "
        "model writes `<|channel|>commentary to=functions.f <|constrain|>json`, the template the other order",
        "calls on the analysis channel, calls that end in `<|end|>`, headers that make no sense: canitoolcall's "
        "gpt-oss fixtures",
    ),
    loss=(
        "content beside a call: the template writes it as analysis, so it comes back as reasoning",
        "reasoning of earlier turns: the template writes it for the turn that is still going on only",
        "ids of calls: the template does not write them",
    ),
    unmarked=r"\bto=functions\.[\w.\-]{1,128}(?:\s{0,4}(?:commentary|analysis|json|code)){0,2}\s{0,4}\{",
)
