"""What does a growing chat cost? Every turn rendered and encoded again: turnwire beside Transformers' AutoTokenizer.

    python -m benchmarks.agent [--turns 60] [--rounds 5] [--json FILE]

An agent asks a tool in every turn, and the whole history goes through ``apply_chat_template`` each time: real templates
of the corpus with the real tokenizers that ``python fixtures/fetch_tokenizers.py`` fetches. Templates that know no
tools get a chat of questions and answers instead. Every round has a history of its own, which nobody has seen before,
and each subject gets copies of it; who goes first changes from round to round. The ids of every turn are compared, and
a difference ends the run. Milliseconds are for all turns, the median of the rounds. ``render alone`` is measured apart,
with ``tokenize=False``; ``encode alone`` is the rest.
"""

from __future__ import annotations

import argparse
import copy
import json
import random
import statistics
import sys
import time
from pathlib import Path
from typing import Any

import turnwire
from fixtures.fetch_tokenizers import FETCHED
from turnwire.compare.cases import read_corpus

SUBJECTS = {
    "Qwen3, agent": ("qwen3", "Qwen-Qwen3-0.6B@a55ee1", "agent"),
    "Qwen3, chat": ("qwen3", "Qwen-Qwen3-0.6B@a55ee1", "chat"),
    "Qwen3.5's template, agent": ("qwen3", "Qwen-Qwen3.5-0.8B", "agent"),
    "Llama 3.1, agent": ("llama3_1", "meta-llama-Llama-3.1-8B-Instruct", "agent"),
    "Llama 3, chat": ("llama3", "NousResearch-Meta-Llama-3-8B-Instruct", "chat"),
    "DeepSeek V3.1, agent": ("deepseek_v3", "deepseek-ai-DeepSeek-V3.1", "agent"),
    "gpt-oss, agent": ("gptoss", "openai-gpt-oss-120b", "agent"),
    "Gemma 3, chat": ("gemma3", "unsloth-gemma-3-270m-it", "chat"),
}
"""Tokenizer, template and kind of history."""

TOOLS = [
    {
        "type": "function",
        "function": {
            "name": f"tool_{name}",
            "description": f"Run {name} in the work tree and return what it printed.",
            "parameters": {
                "type": "object",
                "properties": {
                    "path": {"type": "string", "description": "Where to run it."},
                    "options": {
                        "type": "object",
                        "properties": {"depth": {"type": "integer"}, "names": {"type": "array"}},
                        "description": "What to change in the way it runs.",
                    },
                },
                "required": ["path"],
            },
        },
    }
    for name in ("search", "read", "write", "test", "diff")
]
WORDS = (
    *("the", "test", "of", "line", "162", "fails", "since", "parse_rate(text,", "base='EUR')", "returns", "None"),
    *("where", "the", "table", "is", "empty;", "größer", "als", "0.5", "≠", "日本語", "and", "so", "we", "look", "at"),
    *("src/rates/table.py,", "def", "load(self):", "return", "{k:", "v", "for", "k,", "v", "in", "self.rows}\n"),
)


def make_text(rng: random.Random, words: int) -> str:
    return " ".join(rng.choice(WORDS) if rng.random() < 0.9 else str(rng.random())[2:7] for _ in range(words))


def make_history(kind: str, turns: int, seed: int) -> tuple[list[dict[str, Any]], list[int]]:
    """Return messages, and how many of them each turn's prompt holds."""
    rng = random.Random(seed)
    messages: list[dict[str, Any]] = [{"role": "user", "content": make_text(rng, 60)}]
    if kind == "agent":
        messages.insert(0, {"role": "system", "content": make_text(rng, 400)})
    ends = [len(messages)]
    for turn in range(1, turns):
        if kind == "agent":
            options = {"depth": turn, "names": [make_text(rng, 2)]}
            name = f"tool_{rng.choice(['search', 'read', 'test'])}"
            function = {"name": name, "arguments": {"path": make_text(rng, 3), "options": options}}
            call = {"type": "function", "function": function}
            messages.append(
                {"role": "assistant", "content": "", "tool_calls": [call], "reasoning_content": make_text(rng, 40)}
            )
            messages.append({"role": "tool", "content": make_text(rng, 80), "name": name})
        else:
            messages.append({"role": "assistant", "content": make_text(rng, 80)})
            messages.append({"role": "user", "content": make_text(rng, 40)})
        ends.append(len(messages))
    return messages, ends


def run_turns(model: Any, history: Any, ends: list[int], arguments: dict[str, Any]) -> tuple[float, list[Any]]:
    """Return the seconds for the prompts of all turns, and their ids or texts."""
    messages, arguments = copy.deepcopy((history, arguments))
    results = []
    start = time.perf_counter()
    for end in ends:
        prompt = model.apply_chat_template(messages[:end], add_generation_prompt=True, **arguments)
        results.append(prompt if isinstance(prompt, str) else prompt["input_ids"])
    return time.perf_counter() - start, results


def run_round(models: dict[str, Any], history: Any, ends: list[int], arguments: dict[str, Any], seed: int) -> Any:
    """Return the seconds of each subject, those of its renders alone, and the number of ids of the last prompt."""
    totals, renders, ids = {}, {}, {}
    for name in sorted(models, reverse=seed % 2 == 1):
        totals[name], ids[name] = run_turns(models[name], history, ends, arguments)
        renders[name], _ = run_turns(models[name], history, ends, {**arguments, "tokenize": False})
    first, second = ids.values()
    for turn, (one, other) in enumerate(zip(first, second, strict=True)):
        if one != other:
            sys.exit(f"the ids of turn {turn} differ (history {seed})")
    return totals, renders, len(first[-1])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--turns", type=int, default=60)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    if not FETCHED.is_dir():
        sys.exit("the real tokenizers are not there: run `python fixtures/fetch_tokenizers.py`")
    from transformers import AutoTokenizer

    templates = {template.name: template.text for template in read_corpus()}
    rows: dict[str, dict[str, float]] = {}
    head = ("", "tokens", "Transformers ms", "turnwire ms", "ratio", "render alone", "encode alone")
    print("{:27}{:>8}{:>17}{:>13}{:>8}{:>14}{:>14}".format(*head))
    for title, (folder, template, kind) in SUBJECTS.items():
        models = {
            "Transformers": AutoTokenizer.from_pretrained(FETCHED / folder),
            "turnwire": turnwire.load(FETCHED / folder),
        }
        arguments = {"chat_template": templates[template], **({"tools": TOOLS} if kind == "agent" else {})}
        rounds = []
        for seed in range(options.rounds + 1):
            print(f"\r{title}: round {seed}/{options.rounds} ", end="", file=sys.stderr, flush=True)
            history, ends = make_history(kind, options.turns if seed else 3, seed)
            result = run_round(models, history, ends, arguments, seed)
            if seed:  # the first only compiles the template
                rounds.append(result)
        print("\r" + " " * 50 + "\r", end="", file=sys.stderr)
        total, render = (
            {name: statistics.median(result[place][name] for result in rounds) * 1e3 for name in models}
            for place in (0, 1)
        )
        theirs, ours = total["Transformers"], total["turnwire"]
        encode = {name: total[name] - render[name] for name in models}
        rows[title] = row = {
            "turns": options.turns,
            "tokens": rounds[-1][2],
            "transformers_ms": theirs,
            "turnwire_ms": ours,
            "ratio": theirs / ours,
            "render_ratio": render["Transformers"] / render["turnwire"],
            "encode_ratio": encode["Transformers"] / encode["turnwire"],
            "transformers_render_ms": render["Transformers"],
            "turnwire_render_ms": render["turnwire"],
        }
        print(
            f"{title:27}{row['tokens']:8}{theirs:17.1f}{ours:13.1f}{row['ratio']:7.1f}x"
            f"{row['render_ratio']:13.1f}x{row['encode_ratio']:13.1f}x",
            flush=True,
        )
    if options.json:
        options.json.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
