"""Speeds as a table with bars, a block a conversation, and the sentences below it."""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Sequence

from rich.console import Console
from rich.text import Text

from ..compare.report import Finding, show_finding
from ..compare.speed import ChatSpeed, Entrant, geometric_mean

__all__ = ["list_ratios", "print_speeds", "show_differences", "sum_up"]

_BAR = 24
_EIGHTHS = " ▏▎▍▌▋▊▉"


def list_ratios(speeds: Sequence[ChatSpeed], name: str, own: str) -> list[float]:
    """Return how many times as long as *own* the entrant *name* takes, for each conversation in which both were timed.

    Of each the median of the rounds counts.
    """
    return [
        statistics.median(speed.seconds[name]) / statistics.median(speed.seconds[own])
        for speed in speeds
        if {name, own} <= speed.seconds.keys()
    ]


def print_speeds(console: Console, speeds: Sequence[ChatSpeed], entrants: Sequence[Entrant]) -> None:
    """Write a block for each conversation: a line for each entrant, the first of which is what ratios refer to."""
    width = max(len(entrant.name) for entrant in entrants)
    for speed in speeds:
        lines = [Text(_describe_chat(speed), "bold")]
        if speed.refusal:
            lines.append(Text(f"  not timed, since the template refuses it: {_one_line(speed.refusal)}"))
        else:
            lines.append(Text(f"  {'':{width}}{'median':>13}{'best':>13}{'ratio':>8}", "dim"))
            lines += [_describe_entrant(entrant, speed, width, entrants[0]) for entrant in entrants]
        for line in [*lines, ""]:
            console.print(line, soft_wrap=True)


def _describe_entrant(entrant: Entrant, speed: ChatSpeed, width: int, own: Entrant) -> Text:
    line = Text(f"  {entrant.name:{width}}")
    finding = speed.findings.get(entrant.renderer.name)
    if finding is not None:
        return line.append(f"  not timed, since it {_describe_finding(finding)}", "yellow")
    medians = {name: statistics.median(times) for name, times in speed.seconds.items()}
    ratio = "".join(f"{ratio:.1f}x" for ratio in list_ratios([speed], entrant.name, own.name))
    line.append(f"{_show_time(medians[entrant.name]):>13}{_show_time(min(speed.seconds[entrant.name])):>13}{ratio:>8}")
    bar = _draw_bar(medians[entrant.name] / max(medians.values()))
    return line.append("  ").append(bar, "green" if entrant is own else "cyan")


def sum_up(speeds: Sequence[ChatSpeed], entrants: Sequence[Entrant], reference: str) -> Iterator[str]:
    """Yield what the blocks come to, line by line."""
    own, new, *others = entrants
    for entrant in others:
        ratios = list_ratios(speeds, entrant.name, own.name)
        if ratios:
            fresh = geometric_mean(list_ratios(speeds, entrant.name, new.name))
            yield (
                f"{entrant.name} takes {geometric_mean(ratios):.1f}x as long as turnwire ({min(ratios):.1f}x to "
                f"{max(ratios):.1f}x), {fresh:.1f}x where turnwire has new input"
            )
    compared = [entrant.renderer.name for entrant in (own, *others) if entrant.renderer.name != reference]
    for name in compared:
        findings = [speed.findings[name] for speed in speeds if name in speed.findings]
        if findings:
            yield f"{name} differs from {reference} in {len(findings)} of {_count(speeds, 'conversation')}"
        else:
            yield f"{name} does as {reference} does in {_count(speeds, 'conversation')}, and with new texts in them"


def show_differences(speeds: Sequence[ChatSpeed], names: Sequence[str], reference: str) -> Iterator[str]:
    """Yield the first difference of each of the renderers *names* in each conversation, with its place."""
    for speed in speeds:
        for name in names:
            if name in speed.findings:
                yield show_finding(speed.findings[name], name, reference)


def _describe_chat(speed: ChatSpeed) -> str:
    chat = speed.chat
    parts = [_count(chat.conversation, "message")]
    if chat.tools:
        parts.append(_count(chat.tools, "tool"))
    if not speed.refusal:
        parts.append(f"a prompt of {speed.characters:,} characters")
    return f"{chat.name}: {', '.join(parts)}"


def _count(things: Sequence[object], kind: str) -> str:
    return f"{len(things)} {kind}{'' if len(things) == 1 else 's'}"


def _describe_finding(finding: Finding) -> str:
    if finding.verdict == "differs":
        return f"differs at line {finding.line}, column {finding.column}"
    return f"fails: {_one_line(finding.ours)}" if finding.we_raised else "renders what has to be refused"


def _one_line(text: str) -> str:
    first = " ".join(text.split())
    return first if len(first) <= 100 else first[:99] + "…"


def _show_time(seconds: float) -> str:
    return f"{seconds * 1e6:,.1f} µs"


def _draw_bar(share: float) -> str:
    eighths = max(1, round(share * _BAR * 8))
    return "█" * (eighths // 8) + _EIGHTHS[eighths % 8].strip()
