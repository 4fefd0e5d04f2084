"""Qwen3-Coder, Qwen 3.5 to 3.8 and who writes like them: ``<function=NAME>`` with ``<parameter=KEY>`` inside."""

from __future__ import annotations

from turnwire.wire.family import Family
from turnwire.wire.format import Reasoning, WireFormat
from turnwire.wire.shapes import CHATML_HEADER, CHATML_STOP, FUNCTION_TAGS

PLAIN = (
    "Qwen/Qwen3-Coder-30B-A3B-Instruct",
    "Qwen/Qwen3-Coder-480B-A35B-Instruct",
    "Qwen/Qwen3-Coder-Next",
    "Kwaipilot/KAT-Dev",
)
THINKING = (
    "Qwen/Qwen3.5-4B",
    "Qwen/Qwen3.5-9B",
    "Qwen/Qwen3.5-27B",
    "Qwen/Qwen3.5-35B-A3B",
    "Qwen/Qwen3.5-122B-A10B",
    "Qwen/Qwen3.5-397B-A17B",
    "Qwen/Qwen3.6-27B",
    "Qwen/Qwen3.6-35B-A3B",
    "Qwen/Qwen3.8-27B",
    "Qwen/Qwen-AgentWorld-35B-A3B",
    "deepreinforce-ai/Ornith-1.0-9B",
    "deepreinforce-ai/Ornith-1.0-35B",
    "stepfun-ai/Step-3.5-Flash",
    "stepfun-ai/Step-3.7-Flash",
    "nvidia/NVIDIA-Nemotron-3-Nano-30B-A3B-BF16",
    "nvidia/Nemotron-Cascade-2-30B-A3B",
)
SHORT_THINKING = ("PrimeIntellect/INTELLECT-3", "PrimeIntellect/INTELLECT-3.1", "arcee-ai/Trinity-Large-Thinking")
NOT_THINKING = ("Qwen/Qwen3.5-0.8B", "Qwen/Qwen3.5-2B", "openbmb/MiniCPM-V-4.6")
SHORT_NOT_THINKING = ("nvidia/Nemotron-Labs-Diffusion-8B",)

FAMILY = Family(
    name="qwen3_coder",
    aliases=("qwen3_xml", "qwen3_coder_xml", "step3p5", "nanbeige"),
    models=(*PLAIN, *THINKING, *SHORT_THINKING, *NOT_THINKING, *SHORT_NOT_THINKING),
    wire_format=WireFormat(
        header=CHATML_HEADER,
        reasoning=Reasoning(ends_at_call=True, at_start_only=True),
        calls=(FUNCTION_TAGS,),
        content_trim="calls",
        stop=CHATML_STOP,
    ),
    response_template=None,
    links=(
        "https://huggingface.co/Qwen/Qwen3-Coder-30B-A3B-Instruct",
        "https://huggingface.co/Qwen/Qwen3.5-9B",
    ),
    spellings=(
        "`<function=` without `<tool_call>` around it, also behind prose: Qwen3-Coder-30B-A3B-Instruct",
        "a parameter without its closing mark: Qwen3-Coder-30B-A3B-Instruct, canitoolcall's qwen3-xml fixtures",
        "`True`, `False` and `None`: the templates of Qwen3-Coder and Qwen 3.5 write them so",
        "no line breaks between marks and values: Qwen3-Coder-30B-A3B-Instruct, canitoolcall's qwen3-xml fixtures",
        "a call that ends reasoning which was not closed: Qwen 3.5, Step 3.5",
    ),
    loss=(
        "values as text: types come from the tool's schema; without one they stay text, and the call says so",
        "a type like string or integer: the first that fits is taken, in the schema's order, text last",
        "a value that holds `</parameter>` and then `<parameter=` or `</function>` reads as more than one",
        "a value in which a line begins with `<parameter=`, or with `</function>` and `</tool_call>`, ends there",
        "ids of calls: the template does not write them",
        "white space around content and reasoning: the template writes line breaks of its own there",
    ),
    prefilled={
        "<think>\n": THINKING,
        "<think>": SHORT_THINKING,
        "<think>\n\n</think>\n\n": NOT_THINKING,
        "<think></think>": SHORT_NOT_THINKING,
    },
)
