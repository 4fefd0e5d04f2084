"""Gemma 4: calls with bare keys and ``<|"|>`` around strings, reasoning in a channel."""

from __future__ import annotations

from turnwire.wire.family import Family
from turnwire.wire.format import CallSyntax, HeadBody, Reasoning, WireFormat

LARGE = (
    "google/gemma-4-12B-it",
    "google/gemma-4-26B-A4B-it",
    "google/gemma-4-31B-it",
    "google/gemma-4-12B-it-qat-q4_0-unquantized",
    "google/gemma-4-26B-A4B-it-qat-q4_0-unquantized",
    "google/gemma-4-31B-it-qat-q4_0-unquantized",
)

FAMILY = Family(
    name="gemma4",
    aliases=(),
    models=(
        "google/gemma-4-E2B-it",
        "google/gemma-4-E4B-it",
        "google/gemma-4-E2B-it-qat-q4_0-unquantized",
        "google/gemma-4-E4B-it-qat-q4_0-unquantized",
        "google/diffusiongemma-26B-A4B-it",
        *LARGE,
    ),
    wire_format=WireFormat(
        header=("<|turn>model\n", "<tool_response|>"),
        reasoning=Reasoning(
            open=("<|channel>thought\n", "<|channel>thought"), close=("\n<channel|>", "<channel|>"), trim=False
        ),
        calls=(
            CallSyntax(
                open=("<|tool_call>",),
                close=("<tool_call|>",),
                confirm=r"\s{0,64}call:",
                body=HeadBody(
                    until=("{",),
                    keeps_mark=True,
                    pattern=r"\s*call:\s*(?P<name>[^{\s](?:[^{]*[^{\s])?)\s*",
                    codec="gemma",
                ),
            ),
        ),
        dropped=("<channel|>",),
        stop=("<turn|>", "<|tool_response>", "<eos>"),
    ),
    response_template={
        "defaults": {"role": "assistant"},
        # The second is where the model goes on after a tool's result, which stands inside its own turn.
        "start_anchor_pattern": r"<\|turn>model\n|<tool_response\|>",
        "fields": {
            "reasoning_content": {"open": "<|channel>thought\n", "close": "<channel|>", "content": "text"},
            "tool_calls": {
                "open_pattern": r"<\|tool_call>call:(?P<name>\w+)",
                "close": "<tool_call|>",
                "repeats": True,
                "content": "json",
                "content_args": {"string_delims": [['<|"|>', '<|"|>']], "unquoted_keys": True},
                "transform": {"type": "function", "function": {"name": "{name}", "arguments": "{content}"}},
            },
            "content": {"close": ["<turn|>", "<|tool_response>", "<eos>"], "content": "text"},
        },
    },
    links=("https://huggingface.co/google/gemma-4-E4B-it", "https://huggingface.co/google/gemma-4-31B-it"),
    spellings=(
        "keys in quotation marks or with spaces in them, JSON strings, numbers as Python writes them, names with `-` "
        "and `.`: canitoolcall's gemma4 fixtures",
        "`None`: the earlier templates write it for null",
    ),
    loss=(
        "the order of arguments: the template sorts them by key",
        "ids of calls: the template does not write them",
        "white space around content: the template strips it",
        'a text value that holds `<|"|>` ends there: nothing is escaped',
    ),
    unmarked=r"\bcall:[\w.\-]{1,128}\{",
    prefilled={"<|channel>thought\n<channel|>": LARGE},
)
