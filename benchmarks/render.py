"""How fast are chat templates rendered? turnwire beside Transformers, on the 786 templates of the corpus.

    python -m benchmarks.render [--every 1] [--rounds 3] [--fresh] [--json FILE]

Each template renders six conversations, by ``turnwire.render_chat`` and Transformers' ``render_jinja_template`` (which
does less than its ``apply_chat_template``) in turn in one process. Both are warm: their templates are compiled. Warm
input is the same objects again and again; with ``--fresh`` every call gets new objects with new texts, so that no cache
is mistaken for speed. What both return is compared in the same run, and a difference ends it. Cases that both refuse
are counted and not timed. CPU time, best of the rounds; ratios are Transformers' time over turnwire's.
"""

from __future__ import annotations

import argparse
import json
import math
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from importlib import import_module
from itertools import cycle
from pathlib import Path

import turnwire
from benchmarks.chats import CHATS, Chat, make_chat
from turnwire.compare.cases import SPECIAL_TOKENS, NamedTemplate, read_corpus

Render = Callable[[Chat, str], str]
SECONDS = 0.002
"""One timing takes at least this long, by repetition."""
FRESH = 12
"""Different conversations that a timing goes through when input is fresh."""


def render_own(chat: Chat, template: str) -> str:
    return turnwire.render_chat(
        chat["messages"], template, tools=chat["tools"], add_generation_prompt=True, **SPECIAL_TOKENS
    )


def make_reference() -> Render:
    render = import_module("transformers.utils.chat_template_utils").render_jinja_template

    def render_reference(chat: Chat, template: str) -> str:
        texts, _ = render(
            conversations=[chat["messages"]],
            tools=chat["tools"],
            chat_template=template,
            add_generation_prompt=True,
            **SPECIAL_TOKENS,
        )
        text: str = texts[0]
        return text

    return render_reference


def outcome(render: Render, chat: Chat, template: str) -> str | None:
    """Return what *render* gives, None where it raises."""
    try:
        return render(chat, template)
    except Exception:
        return None


def time_call(render: Render, chats: Iterator[Chat], template: str, repeat: int) -> float:
    """Return the seconds of one call, over *repeat* calls with one conversation after the other."""
    chosen = [next(chats) for _ in range(repeat)]
    start = time.process_time()
    for chat in chosen:
        render(chat, template)
    return (time.process_time() - start) / repeat


def compare_template(
    template: NamedTemplate, sides: dict[str, Render], chats: dict[str, list[Chat]], rounds: int
) -> Iterator[tuple[str, list[float] | None]]:
    """Yield each conversation's name and the seconds of both sides; None where both refuse it."""
    for name, inputs in chats.items():
        for chat in inputs:
            outcomes = [outcome(render, chat, template.text) for render in sides.values()]
            if outcomes[0] != outcomes[1]:
                sys.exit(f"{template.name} / {name}: the two sides differ")
        if outcomes[0] is None:
            yield name, None
            continue
        best = [math.inf] * len(sides)
        for _ in range(rounds):
            for side, render in enumerate(sides.values()):
                first = time_call(render, cycle(inputs), template.text, len(inputs))
                repeat = max(1, math.ceil(SECONDS / max(first, 1e-7) / len(inputs))) * len(inputs)
                best[side] = min(best[side], first, time_call(render, cycle(inputs), template.text, repeat))
        yield name, best


def geometric_mean(values: list[float]) -> float:
    return math.exp(statistics.fmean(map(math.log, values)))


def show(rows: list[tuple[str, str, list[float]]], refused: int) -> None:
    print(f"{'':12}{'cases':>7}{'Transformers':>14}{'turnwire':>10}{'ratio':>8}{'p10':>7}{'least':>7}  of")
    for chat in [*CHATS, "all"]:
        chosen = [(template, times) for template, name, times in rows if chat in (name, "all")]
        ratios = sorted((times[1] / times[0], template) for template, times in chosen)
        only = [ratio for ratio, _ in ratios]
        print(
            f"{chat:12}{len(chosen):7}"
            f"{statistics.median(times[1] for _, times in chosen) * 1e6:11.1f} µs"
            f"{statistics.median(times[0] for _, times in chosen) * 1e6:7.1f} µs"
            f"{geometric_mean(only):7.1f}x{only[len(only) // 10]:6.1f}x{only[0]:6.1f}x  {ratios[0][1]}"
        )
    print(f"{refused} cases refused by both; medians of the times, geometric mean of the ratios")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--every", type=int, default=1, help="take every n-th template")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--fresh", action="store_true", help="new objects and texts for every call")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    sides = {"turnwire": render_own, "Transformers": make_reference()}
    chats = {name: [make_chat(name, seed) for seed in range(FRESH if options.fresh else 1)] for name in CHATS}
    templates = list(read_corpus())[:: options.every]
    rows, refused = [], 0
    for number, template in enumerate(templates, 1):
        # New objects for each template: none of them has been seen before by either side.
        if options.fresh:
            chats = {name: [make_chat(name, number * FRESH + seed) for seed in range(FRESH)] for name in CHATS}
        for name, times in compare_template(template, sides, chats, options.rounds):
            if times is None:
                refused += 1
            else:
                rows.append((template.name, name, times))
        print(f"\r{number}/{len(templates)} templates", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    show(rows, refused)
    if options.json:
        listed = [
            {"template": template, "chat": name, "seconds": dict(zip(sides, times, strict=True))}
            for template, name, times in rows
        ]
        options.json.write_text(json.dumps(listed, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
