"""What does the first render of a template cost? turnwire beside Transformers, in fresh processes, interleaved.

    python -m benchmarks.cold_start [--every 8] [--rounds 5] [--json FILE]

A process renders each template of a sample of the corpus once, so every one is new to it. turnwire does so with a code
cache that an earlier process has filled, with an empty one, and with none; Transformers' ``render_jinja_template`` has
no other way than to compile. Modules are imported beforehand on both sides (``benchmarks.import_cost`` measures that);
all else that a process does once is part of the first render that needs it, and the order of the templates changes from
round to round. What all of them return is compared, and a difference ends the run. Wall time, medians of the rounds;
ratios are Transformers' time over turnwire's. Templates that refuse the conversation are counted apart: finding that
out takes turnwire two programs, its own and plain Jinja's.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import turnwire
from turnwire.compare.cases import SPECIAL_TOKENS, read_corpus
from turnwire.compare.outcome import capture_outcome

MESSAGES = [
    {"role": "user", "content": "Is the harbour quiet?"},
    {"role": "assistant", "content": "It is; the boats have not come back."},
    {"role": "user", "content": "When do they?"},
]
VARIABLES: dict[str, Any] = {"add_generation_prompt": True, **SPECIAL_TOKENS}
REFERENCE = "Transformers"
WARM, EMPTY, OFF = "code cache, filled", "code cache, empty", "code cache, off"
SIDES = (WARM, EMPTY, OFF, REFERENCE)

Timing = tuple[str, float, str, bool]
"""Of one first render: the template, seconds, the outcome and whether it is an error."""


def time_templates(side: str, every: int, first: int) -> list[Timing]:
    """Render every template of the sample once, in this process, beginning with number *first*."""
    import_module("turnwire.template.render")
    import_module("turnwire.template.compiler.generator")
    if side == REFERENCE:
        import_module("jinja2.sandbox")
        render = import_module("transformers.utils.chat_template_utils").render_jinja_template
    sample = list(read_corpus())[::every]
    first %= len(sample)
    timings = []
    for template in [*sample[first:], *sample[:first]]:

        def call(text: str = template.text) -> str:
            if side == REFERENCE:
                texts, _ = render([MESSAGES], chat_template=text, **VARIABLES)
                rendered: str = texts[0]
                return rendered
            return turnwire.render_chat(MESSAGES, text, **VARIABLES)

        start = time.perf_counter()
        outcome = capture_outcome(call)
        timings.append((template.name, time.perf_counter() - start, outcome.text, outcome.raised))
    return timings


def run_process(side: str, cache: str, every: int, first: int) -> list[Timing]:
    command = [sys.executable, "-m", "benchmarks.cold_start", "--side", side]
    done = subprocess.run(
        [*command, "--every", str(every), "--first", str(first)],
        env={**os.environ, "TURNWIRE_CACHE": cache},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    timings: list[Timing] = json.loads(done.stdout.splitlines()[-1])
    return timings


def collect_rounds(
    every: int, rounds: int
) -> tuple[dict[str, dict[str, list[float]]], dict[str, list[float]], set[str]]:
    """Return the seconds by side and template, those of each process's very first render, and who refuses."""
    seconds: dict[str, dict[str, list[float]]] = {side: {} for side in SIDES}
    opening: dict[str, list[float]] = {side: [] for side in SIDES}
    outcomes: dict[str, tuple[str, bool]] = {}
    with TemporaryDirectory() as filled:
        run_process(WARM, filled, every, 0)
        for round_ in range(rounds):
            for side in SIDES:
                with TemporaryDirectory() as empty:
                    cache = {WARM: filled, EMPTY: empty}.get(side, "off")
                    timings = run_process(side, cache, every, round_ * 7)
                opening[side].append(timings[0][1])
                for name, time_, text, raised in timings:
                    if outcomes.setdefault(name, (text, raised)) != (text, raised):
                        sys.exit(f"{name}: {side} gives something else than {SIDES[0]}")
                    seconds[side].setdefault(name, []).append(time_)
            print(f"\rround {round_ + 1}/{rounds}", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    return seconds, opening, {name for name, (_, raised) in outcomes.items() if raised}


def summarize(own: dict[str, float], reference: dict[str, float]) -> dict[str, Any]:
    ratios = sorted((reference[name] / own[name], name) for name in own)
    only = [ratio for ratio, _ in ratios]
    return {
        "templates": len(only),
        "ms": statistics.median(own.values()) * 1e3,
        "geometric mean": statistics.geometric_mean(only),
        "median": statistics.median(only),
        "least": only[0],
        "least of": ratios[0][1],
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--every", type=int, default=8, help="take every n-th template")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--side", choices=SIDES, help=argparse.SUPPRESS)
    parser.add_argument("--first", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.side:
        print(json.dumps(time_templates(options.side, options.every, options.first)))
        return
    seconds, opening, refusing = collect_rounds(options.every, options.rounds)
    medians = {side: {name: statistics.median(times) for name, times in seconds[side].items()} for side in SIDES}
    rows = []
    print(f"{'':9}{'':20}{'templates':>10}{'ms':>9}{'geo. mean':>11}{'median':>9}{'least':>8}  of")
    for kind, names in {"renders": medians[REFERENCE].keys() - refusing, "refuses": refusing}.items():
        if not names:
            continue
        reference = {name: medians[REFERENCE][name] for name in names}
        for side in SIDES:
            row = summarize({name: medians[side][name] for name in names}, reference)
            rows.append({"outcome": kind, "side": side, **row})
            print(
                f"{kind:9}{side:20}{row['templates']:10}{row['ms']:9.2f}{row['geometric mean']:10.1f}x"
                f"{row['median']:8.1f}x{row['least']:7.1f}x  {row['least of']}"
            )
    print("the very first render of a process, ms, median of the rounds:")
    for side in SIDES:
        print(f"{'':9}{side:20}{statistics.median(opening[side]) * 1e3:19.2f}")
    if options.json:
        listed = {"rows": rows, "seconds": seconds, "first of a process": opening}
        options.json.write_text(json.dumps(listed, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
