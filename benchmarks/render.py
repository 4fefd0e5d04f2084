"""How fast are chat templates rendered? turnwire beside Transformers and other engines, on the 786 of the corpus.

    python -m benchmarks.render [--fresh] [--plain] [--peers] [--node-modules DIR]
        [--every N] [--rounds N] [--json FILE]

Each template renders six conversations, by ``turnwire.render_chat`` and Transformers' ``render_jinja_template`` (which
does less than its ``apply_chat_template``) in turn in one process. All are warm: their templates are compiled. Warm
input is the same objects again and again; with ``--fresh`` every call gets new objects with new texts, so that no cache
is mistaken for speed. ``--plain`` measures turnwire without its compiler as well, ``--peers`` minijinja and
``@huggingface/jinja``, where they are installed; the latter is timed inside of node.

What comes out is compared in the same run, for the conversation and for new texts in its place. A difference between
turnwire and Transformers ends the run. What a peer gets wrong is counted, and it is timed on the rest alone. Cases that
Transformers refuses are counted and not timed. Processor time, best of the rounds; ratios are Transformers' time over
another's.
"""

from __future__ import annotations

import argparse
import gc
import json
import statistics
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from benchmarks.peers import find_peers
from turnwire.compare.cases import NamedTemplate, read_corpus
from turnwire.compare.chats import CHATS, make_chat
from turnwire.compare.renderers import OWN, PLAIN, Renderer, make_reference
from turnwire.compare.report import Finding, show_finding
from turnwire.compare.speed import Entrant, compare_speed, geometric_mean


@dataclass
class Row:
    """A template and a conversation."""

    template: str
    chat: str
    verdicts: dict[str, str]
    """How the outcome of each peer that is wrong compares with Transformers'."""
    seconds: dict[str, float]
    """Of one call, for all that are right; empty where Transformers refuses."""


def measure_case(
    template: NamedTemplate, name: str, reference: Renderer, others: Sequence[Renderer], is_new: bool, rounds: int
) -> Row:
    chat = make_chat(name)
    chat = replace(chat, variables=chat.template_variables())
    entrants = [Entrant(renderer.name, renderer, is_new) for renderer in (reference, *others)]
    speed = compare_speed(template, chat, reference, entrants, rounds)
    for side in (OWN, PLAIN):
        if side.name in speed.findings:
            sys.exit("\n" + show_finding(speed.findings[side.name], side.name))
    verdicts = {peer: judge_peer(finding) for peer, finding in speed.findings.items()}
    # Of the times of the rounds the best: whatever disturbs only adds.
    return Row(template.name, name, verdicts, {side: min(times) for side, times in speed.seconds.items()})


def judge_peer(finding: Finding) -> str:
    if finding.verdict == "differs":
        return "differs"
    return "fails" if finding.we_raised else "renders"


def show_own(rows: Sequence[Row], theirs: str, ours: str) -> None:
    print(f"{'':12}{'cases':>7}{theirs:>14}{ours:>14}{'ratio':>8}{'p10':>7}{'least':>7}  of")
    for chat in [*CHATS, "all"]:
        chosen = [row for row in rows if chat in (row.chat, "all")]
        ratios = sorted((row.seconds[theirs] / row.seconds[ours], row.template) for row in chosen)
        if not ratios:
            continue
        only = [ratio for ratio, _ in ratios]
        times = {name: statistics.median(row.seconds[name] for row in chosen) * 1e6 for name in (theirs, ours)}
        print(
            f"{chat:12}{len(chosen):7}{times[theirs]:11.1f} µs{times[ours]:11.1f} µs"
            f"{geometric_mean(only):7.1f}x{only[len(only) // 10]:6.1f}x{only[0]:6.1f}x  {ratios[0][1]}"
        )
    print()


def count_verdicts(rows: Sequence[Row], peer: str) -> dict[str, int]:
    """Return how often *peer* was right and wrong where Transformers renders, and how often it alone rendered."""
    rendered = [row.verdicts.get(peer, "identical") for row in rows if row.seconds]
    return {
        **{verdict: rendered.count(verdict) for verdict in ("identical", "differs", "fails")},
        "templates": len({row.template for row in rows if row.seconds and peer in row.verdicts}),
        "renders": sum(row.verdicts.get(peer) == "renders" for row in rows),
    }


def show_peers(rows: Sequence[Row], theirs: str, peers: Sequence[str]) -> None:
    print(
        f"{'':26}{'identical':>10}{'differs':>9}{'fails':>7}{'templates':>11}{'ratio':>8}{'p10–p90':>13}{'turnwire':>10}"
    )
    for peer in peers:
        counts = count_verdicts(rows, peer)
        chosen = [row for row in rows if peer in row.seconds]
        ratios = sorted(row.seconds[theirs] / row.seconds[peer] for row in chosen)
        if not ratios:
            continue
        own = geometric_mean([row.seconds[theirs] / row.seconds[OWN.name] for row in chosen])
        spread = f"{ratios[len(ratios) // 10]:.1f}–{ratios[len(ratios) * 9 // 10]:.1f}"
        print(
            f"{peer:26}{counts['identical']:10}{counts['differs']:9}{counts['fails']:7}{counts['templates']:11}"
            f"{geometric_mean(ratios):7.1f}x{spread:>13}{own:9.1f}x"
        )
    print("templates: those with a case that is wrong; turnwire: its ratio on the cases the peer has right\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--every", type=int, default=1, help="take every n-th template")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--fresh", action="store_true", help="new objects and texts for every call")
    parser.add_argument("--plain", action="store_true", help="turnwire without its compiler as well")
    parser.add_argument("--peers", action="store_true", help="other engines as well")
    parser.add_argument("--node-modules", type=Path, default=Path("node_modules"), help="where npm installed to")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    reference, own = make_reference(), [OWN, *([PLAIN] if options.plain else [])]
    peers, missing = find_peers(options.node_modules) if options.peers else ([], [])
    for sentence in missing:
        print(sentence, file=sys.stderr)
    templates = list(read_corpus())[:: options.every]
    gc.freeze()  # What was imported is not gone over again while somebody's time is taken.
    rows = []
    for number, template in enumerate(templates, 1):
        rows += [
            measure_case(template, name, reference, [*own, *peers], options.fresh, options.rounds) for name in CHATS
        ]
        print(f"\r{number}/{len(templates)} templates", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    timed = [row for row in rows if row.seconds]
    for side in own:
        show_own(timed, reference.name, side.name)
    if peers:
        show_peers(rows, reference.name, [peer.name for peer in peers])
    print(f"{len(rows) - len(timed)} cases refused by both; medians of the times, geometric means of the ratios")
    if options.json:
        result = {
            "input": "fresh" if options.fresh else "warm",
            "refused": len(rows) - len(timed),
            "peers": {peer.name: count_verdicts(rows, peer.name) for peer in peers},
            "rows": [vars(row) for row in rows],
        }
        options.json.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
