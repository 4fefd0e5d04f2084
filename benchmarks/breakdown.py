"""Where does the time of a render go? The stages of ``turnwire.render_chat``, each timed by itself.

    python -m benchmarks.breakdown [--every 6] [--rounds 3] [--json FILE]

``messages`` is the look at every message, whether it is plain; ``tools`` the same for tools and variables; ``template``
the compiled code; ``rest`` is what is left of the whole call: passing arguments, finding the template. Microseconds of
CPU time, best of the rounds, then the median over the templates; ``whole`` is measured and not added up.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

import turnwire
from turnwire.compare.cases import SPECIAL_TOKENS, read_corpus
from turnwire.compare.chats import CHATS, make_chat
from turnwire.messages import take_plain_messages
from turnwire.template.program import compile_template
from turnwire.template.render import _collect_values

STAGES = ("messages", "tools", "template", "rest", "whole")
SECONDS = 0.001


def measure(call: Callable[[], object], rounds: int) -> float:
    """Return the microseconds of one call."""
    call()
    start = time.process_time()
    call()
    repeat = max(1, int(SECONDS / max(time.process_time() - start, 1e-7)))
    best = float("inf")
    for _ in range(rounds):
        start = time.process_time()
        for _ in range(repeat):
            call()
        best = min(best, (time.process_time() - start) / repeat)
    return best * 1e6


def break_down(source: str, name: str, rounds: int) -> list[float] | None:
    """Return the times of the stages; None where the template refuses the conversation."""
    chat = make_chat(name)
    messages, tools = chat.conversation, chat.tools
    program = compile_template(source)
    arguments = (program, tools, None, True, None, SPECIAL_TOKENS)
    for _ in range(3):  # The third time, tools are known.
        values = {**_collect_values(*arguments), "messages": take_plain_messages(messages)}
    root = program.root
    if root is None:
        return None

    def run_template() -> str:
        pieces: list[str] = []
        root(values, pieces)
        return "".join(pieces)

    try:
        run_template()
    except Exception:
        return None
    stages = [
        measure(lambda: take_plain_messages(messages), rounds),
        measure(lambda: _collect_values(*arguments), rounds),
        measure(run_template, rounds),
    ]
    whole = measure(
        lambda: turnwire.render_chat(messages, source, tools=tools, add_generation_prompt=True, **SPECIAL_TOKENS),
        rounds,
    )
    return [*stages, whole - sum(stages), whole]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--every", type=int, default=6, help="take every n-th template")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    templates = read_corpus()[:: options.every]
    times: dict[str, list[list[float]]] = {name: [] for name in CHATS}
    for number, template in enumerate(templates, 1):
        for name in CHATS:
            stages = break_down(template.text, name, options.rounds)
            if stages is not None:
                times[name].append(stages)
        print(f"\r{number}/{len(templates)} templates", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    medians = {name: [statistics.median(column) for column in zip(*rows, strict=True)] for name, rows in times.items()}
    print(f"{'µs':12}" + "".join(f"{stage:>10}" for stage in STAGES))
    for name, row in medians.items():
        print(f"{name:12}" + "".join(f"{value:10.1f}" for value in row))
    if options.json:
        rows = {name: dict(zip(STAGES, row, strict=True)) for name, row in medians.items()}
        options.json.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
