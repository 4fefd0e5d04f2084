"""Mistral from its v11 tokenizer on (Small 3.2, Devstral, Ministral 3): ``[TOOL_CALLS]NAME[ARGS]{…}``."""

from __future__ import annotations

from turnwire.wire.family import Family
from turnwire.wire.format import Reasoning, WireFormat
from turnwire.wire.shapes import MISTRAL_HEADER, MISTRAL_STOP, NAMED_TOOL_CALLS, TOOL_CALLS_ARRAY, UNMARKED_NAMED_CALL

FAMILY = Family(
    name="mistral",
    aliases=(),
    models=(
        "mistralai/Mistral-Small-3.2-24B-Instruct-2506",
        "mistralai/Devstral-Small-2507",
        "mistralai/Devstral-Small-2-24B-Instruct-2512",
        "mistralai/Devstral-2-123B-Instruct-2512",
        "mistralai/Ministral-3-3B-Instruct-2512",
        "mistralai/Ministral-3-8B-Instruct-2512",
        "mistralai/Ministral-3-14B-Instruct-2512",
        "mistralai/Ministral-3-3B-Reasoning-2512",
        "mistralai/Ministral-3-8B-Reasoning-2512",
        "mistralai/Ministral-3-14B-Reasoning-2512",
        "mistralai/Mistral-Small-4-119B-2603",
        "mistralai/Mistral-Medium-3.5-128B",
        "mistralai/Mistral-Large-3-675B-Instruct-2512",
        "dphn/Dolphin-Mistral-24B-Venice-Edition",
    ),
    wire_format=WireFormat(
        header=MISTRAL_HEADER,
        reasoning=Reasoning(open=("[THINK]",), close=("[/THINK]",), trim=False, at_start_only=True),
        calls=(NAMED_TOOL_CALLS, TOOL_CALLS_ARRAY),
        stop=MISTRAL_STOP,
    ),
    response_template=None,
    links=(
        "https://huggingface.co/mistralai/Mistral-Small-3.2-24B-Instruct-2506",
        "https://huggingface.co/mistralai/Ministral-3-14B-Instruct-2512",
    ),
    spellings=(
        "`[CALL_ID]` behind the name: Mistral Small 3.2",
        "the array of the v3 tokenizer: servers know both under the name mistral",
    ),
    unmarked=UNMARKED_NAMED_CALL,
    loss=("ids of calls: the templates from Devstral 2507 on do not write them",),
)
