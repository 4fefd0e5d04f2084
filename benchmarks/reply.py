"""How fast is a reply read, and how does the time grow? Families, response templates, Transformers, SGLang's detectors.

    python -m benchmarks.reply [--tokens 10000] [--rounds 5] [--json FILE]

One reply of reasoning, an answer and a call with a long argument, fed whole and four characters at a time (about a
token). All subjects read the same text in turn, and what each of them read is checked against the message that the
text was made of, so that no figure stands for wrong output. ``x2`` is the time for twice the text over the time for
the text. SGLang's detectors run where the package ``llm-router-utils`` is installed. CPU seconds, best of the rounds.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import turnwire

PIECE = 4
TOOLS = [
    {
        "type": "function",
        "function": {
            "name": "write_file",
            "description": "Write a file.",
            "parameters": {"type": "object", "properties": {"path": {"type": "string"}, "text": {"type": "string"}}},
        },
    }
]
WORDS = "The quick brown fox jumps over the lazy dog, and then it sleeps. "

QWEN3_TEMPLATE = {
    "defaults": {"role": "assistant"},
    "start_anchor": "<|im_start|>assistant\n",
    "fields": {
        "reasoning_content": {"open": "<think>", "close": "</think>", "content": "text"},
        "tool_calls": {
            "open": "<tool_call>",
            "close": "</tool_call>",
            "repeats": True,
            "content": "json",
            "transform": {
                "type": "function",
                "function": {"name": "{content.name}", "arguments": "{content.arguments}"},
            },
        },
        "content": {"close": "<|im_end|>", "content": "text"},
    },
}

Message = tuple[str, str, dict[str, str]]
"""Reasoning, content, and the arguments of the one call."""
Pieces = list[str]


def make_message(tokens: int) -> Message:
    third = WORDS * (tokens * PIECE // len(WORDS) // 3)
    return third.strip(), third.strip(), {"path": "a.txt", "text": third.replace(". ", ".\n").strip()}


def write_qwen3(message: Message) -> str:
    reasoning, content, arguments = message
    call = json.dumps({"name": "write_file", "arguments": arguments})
    return f"<think>{reasoning}</think>{content}<tool_call>\n{call}\n</tool_call>"


def write_qwen3_coder(message: Message) -> str:
    reasoning, content, arguments = message
    parameters = "".join(f"<parameter={key}>\n{value}\n</parameter>\n" for key, value in arguments.items())
    return (
        f"<think>{reasoning}</think>{content}<tool_call>\n<function=write_file>\n{parameters}</function>\n</tool_call>"
    )


def write_gemma4(message: Message) -> str:
    reasoning, content, arguments = message
    pairs = ",".join(f'{key}:<|"|>{value}<|"|>' for key, value in arguments.items())
    return f"<|channel>thought\n{reasoning}<channel|>{content}<|tool_call>call:write_file{{{pairs}}}<tool_call|>"


def read_by_family(name: str, **options: Any) -> Callable[[Pieces], Message]:
    family = turnwire.load_family(name)

    def read(pieces: Pieces) -> Message:
        reader = turnwire.ReplyReader(family.wire_format, prompt="", tools=TOOLS, **options)
        for piece in pieces:
            reader.feed(piece)
        reader.finish("stop")
        reply = reader.reply
        return reply.reasoning or "", reply.content or "", reply.tool_calls[0].arguments

    return read


def read_by_template(parser: Any, template: dict[str, Any]) -> Callable[[Pieces], Message]:
    def read(pieces: Pieces) -> Message:
        stream = parser(template, prefix="", tools=TOOLS)
        for piece in pieces:
            stream.feed(piece)
        message, _ = stream.finalize()
        [call] = message["tool_calls"]
        return message["reasoning_content"].strip(), message["content"], call["function"]["arguments"]

    return read


def read_by_detector(detector: Any, tools: Any) -> Callable[[Pieces], Message]:
    """SGLang's detectors read content and calls; reasoning is another parser's, so it is cut off beforehand."""

    def read(pieces: Pieces) -> Message:
        reasoning, _, rest = "".join(pieces).removeprefix("<think>").partition("</think>")
        step = max(map(len, pieces))
        stream, content, arguments = detector(), "", ""
        for start in range(0, len(rest), step):
            result = stream.parse_streaming_increment(rest[start : start + step], tools)
            content += result.normal_text or ""
            arguments += "".join(call.parameters or "" for call in result.calls)
        return reasoning, content, json.loads(arguments or "{}")

    return read


Subject = tuple[str, Callable[[Message], str], Callable[[Pieces], Message]]


def subjects() -> Iterator[Subject]:
    gemma4 = dict(turnwire.load_family("gemma4").response_template or {})
    for name, write in (("qwen3", write_qwen3), ("qwen3_coder", write_qwen3_coder), ("gemma4", write_gemma4)):
        yield f"{name}: family", write, read_by_family(name)
    yield "qwen3: family, stream_arguments", write_qwen3, read_by_family("qwen3", stream_arguments=True)
    yield "qwen3: response template", write_qwen3, read_by_template(turnwire.ResponseParser, QWEN3_TEMPLATE)
    yield "gemma4: response template", write_gemma4, read_by_template(turnwire.ResponseParser, gemma4)
    try:
        from transformers.utils.chat_parsing import ResponseParser
    except ImportError:
        print("Transformers is not installed: pip install 'transformers==5.24.0'", file=sys.stderr)
    else:
        yield "qwen3: Transformers", write_qwen3, read_by_template(ResponseParser, QWEN3_TEMPLATE)
        yield "gemma4: Transformers", write_gemma4, read_by_template(ResponseParser, gemma4)
    try:
        from llm_router_utils.sglang.srt.entrypoints.openai.protocol import Tool
        from llm_router_utils.sglang.srt.function_call.qwen3_coder_detector import Qwen3CoderDetector
        from llm_router_utils.sglang.srt.function_call.qwen25_detector import Qwen25Detector
    except ImportError:
        print("SGLang's detectors are not installed: pip install llm-router-utils", file=sys.stderr)
    else:
        tools = [Tool(**tool) for tool in TOOLS]
        yield "qwen3: SGLang", write_qwen3, read_by_detector(Qwen25Detector, tools)
        yield "qwen3_coder: SGLang", write_qwen3_coder, read_by_detector(Qwen3CoderDetector, tools)


def measure(read: Callable[[Pieces], Message], text: str, size: int) -> tuple[float, Message]:
    pieces = [text[start : start + size] for start in range(0, len(text), size)]
    start = time.process_time()
    message = read(pieces)
    return time.process_time() - start, message


def check(message: Message, read: Message) -> str:
    wrong = [
        name
        for name, ours, theirs in zip(("reasoning", "content", "call"), message, read, strict=True)
        if ours != theirs
    ]
    return "" if not wrong else "differs: " + ", ".join(wrong)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tokens", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    messages = [make_message(options.tokens), make_message(2 * options.tokens)]
    rows: dict[str, dict[str, Any]] = {}
    entries = list(subjects())
    for round_ in range(options.rounds):
        for number, (name, write, read) in enumerate(entries):
            print(
                f"\rround {round_ + 1}/{options.rounds}, {number + 1}/{len(entries)}  ",
                end="",
                file=sys.stderr,
                flush=True,
            )
            row = rows.setdefault(name, {"remark": ""})
            for key, message, size in (
                ("whole", messages[0], 1 << 30),
                ("tokens", messages[0], PIECE),
                ("twice", messages[1], PIECE),
            ):
                text = write(message)
                seconds, result = measure(read, text, size)
                row[key] = min(seconds, row.get(key, seconds))
                row["characters"] = len(write(messages[0]))
                row["remark"] = row["remark"] or check(message, result)
    print("\r" + " " * 40 + "\r", end="", file=sys.stderr)
    print(f"{'':34}{'whole ms':>10}{'by tokens ms':>14}{'M chars/s':>11}{'x2':>6}")
    for name, row in rows.items():
        speed = row["characters"] / row["tokens"] / 1e6
        growth = row["twice"] / row["tokens"]
        print(
            f"{name:34}{row['whole'] * 1e3:10.2f}{row['tokens'] * 1e3:14.1f}{speed:11.2f}{growth:6.2f}  {row['remark']}"
        )
    if options.json:
        options.json.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
