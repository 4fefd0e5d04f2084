"""What comparisons came to and how it is told: sums, and the first difference under a caret with whitespace visible."""

from __future__ import annotations

import unicodedata
from collections import Counter
from dataclasses import asdict, dataclass, field
from typing import Any

from .cases import Case
from .outcome import Outcome, Verdict

__all__ = ["Comparison", "Finding", "describe_finding", "find_difference", "make_visible", "show_finding"]

_BEFORE, _AFTER = 36, 60
"""How many characters are shown before the first difference, and how many from it on."""


@dataclass(frozen=True)
class Finding:
    """A case whose two outcomes are not the same."""

    template: str
    """The template's name."""
    conversation: str
    """The conversation's name."""
    add_generation_prompt: bool
    """Whether the assistant's turn was opened."""
    aspect: str
    """What was compared."""
    verdict: Verdict
    """How the outcomes differ."""
    pos: int
    """Index of the first character that differs, in both texts."""
    line: int
    """Line of that character, from 1."""
    column: int
    """Column of that character, from 1."""
    ours: str
    """What turnwire gave from *start* on; a window of the text, or of the error."""
    theirs: str
    """What Transformers gave from *start* on."""
    start: int
    """Index at which *ours* and *theirs* start."""
    our_length: int
    """How long the whole of turnwire's text is."""
    their_length: int
    """How long the whole of Transformers' text is."""
    we_raised: bool
    """Whether turnwire raised."""
    they_raised: bool
    """Whether Transformers raised."""


@dataclass
class Comparison:
    """Verdicts by number, and the findings in full."""

    verdicts: Counter[Verdict] = field(default_factory=Counter)
    """How many cases came to which verdict."""
    identical_errors: int = 0
    """How many of the identical outcomes are errors."""
    findings: list[Finding] = field(default_factory=list)
    """The cases that are not identical, in order."""

    def count(self, verdict: Verdict, ours: Outcome) -> None:
        """Add one case."""
        self.verdicts[verdict] += 1
        self.identical_errors += verdict == "identical" and ours.raised

    def add(self, other: Comparison) -> None:
        """Add what another comparison came to."""
        self.verdicts += other.verdicts
        self.identical_errors += other.identical_errors
        self.findings += other.findings

    def summarize(self) -> str:
        """Return the sums in one line."""
        compared, verdicts = self.verdicts.total(), self.verdicts
        return (
            f"{compared:,} outcomes compared: {verdicts['identical']:,} identical "
            f"({self.identical_errors:,} of them errors), {verdicts['differs']:,} differ, "
            f"one side alone raises in {verdicts['one raises']:,}"
        )

    def to_json(self) -> dict[str, Any]:
        """Return the sums and findings as JSON types."""
        return {
            "compared": self.verdicts.total(),
            "identical": self.verdicts["identical"],
            "identical_errors": self.identical_errors,
            "differs": self.verdicts["differs"],
            "one_raises": self.verdicts["one raises"],
            "findings": [asdict(finding) for finding in self.findings],
        }


def describe_finding(case: Case, verdict: Verdict, ours: Outcome, theirs: Outcome) -> Finding:
    """Return what is told about a case whose outcomes are not the same; the texts are cut to the place."""
    # An error and a text have nothing in common, even where they start alike.
    pos = 0 if verdict == "one raises" else find_difference(ours.text, theirs.text)
    start = max(0, pos - _BEFORE)
    return Finding(
        template=case.template.name,
        conversation=case.chat.name,
        add_generation_prompt=case.add_generation_prompt,
        aspect=case.aspect,
        verdict=verdict,
        pos=pos,
        line=ours.text.count("\n", 0, pos) + 1,
        column=pos - ours.text.rfind("\n", 0, pos),
        ours=ours.text[start : pos + _AFTER],
        theirs=theirs.text[start : pos + _AFTER],
        start=start,
        our_length=len(ours.text),
        their_length=len(theirs.text),
        we_raised=ours.raised,
        they_raised=theirs.raised,
    )


def find_difference(one: str, other: str) -> int:
    """Return the index of the first character in which the texts differ; the shorter's length where it is a prefix."""
    shorter = min(len(one), len(other))
    return next((pos for pos in range(shorter) if one[pos] != other[pos]), shorter)


def show_finding(finding: Finding, ours: str = "turnwire", theirs: str = "Transformers") -> str:
    """Return a finding as lines of text: what was compared, both outcomes, and a caret under the first difference.

    *ours* and *theirs* are what the two sides are called, in twelve letters at most.
    """
    prompt = "with" if finding.add_generation_prompt else "without"
    place = f"line {finding.line}, column {finding.column} (character {finding.pos})"
    lead = "…" if finding.start else ""
    agreed = lead + make_visible(finding.ours[: finding.pos - finding.start])
    lines = [
        f"{finding.template}, {finding.conversation}, {prompt} generation prompt, {finding.aspect}: "
        + (finding.verdict if finding.verdict == "one raises" else f"{finding.verdict} at {place}")
    ]
    for side, text, length, raised in (
        (ours, finding.ours, finding.our_length, finding.we_raised),
        (theirs, finding.theirs, finding.their_length, finding.they_raised),
    ):
        more = "…" if finding.start + len(text) < length else ""
        lines.append(f"  {side:12} {'raises' if raised else 'gives '} {lead}{make_visible(text)}{more}")
    if finding.verdict == "differs":
        lines.append(" " * (len("  turnwire     gives  ") + _width(agreed)) + "^")
    return "\n".join(lines)


_SIGNS = {" ": "·", "\n": "⏎", "\r": "␍", "\t": "⇥", "\x7f": "␡"}


def make_visible(text: str) -> str:
    """Return *text* in one line with a sign for each space, line end and control character.

    What a terminal would not show by itself, or would draw over its neighbour, is written as ``‹U+0301›``.
    """
    return "".join(_SIGNS.get(char) or _show_char(char) for char in text)


def _show_char(char: str) -> str:
    if char < " ":
        return chr(0x2400 + ord(char))
    if unicodedata.category(char)[0] in "CMZ":
        return f"‹U+{ord(char):04X}›"
    return char


def _width(text: str) -> int:
    return sum(2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text)
