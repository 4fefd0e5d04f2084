"""Differential fuzzing: random cases through turnwire and through the installed Transformers, in any number.

    python -m tests.fuzz templates --count 20000 [--start 0] [--jobs 2]
    python -m tests.fuzz conversations --each 26 [--start 0] [--jobs 2] [--every 1]
    python -m tests.fuzz compiled --count 100000 [--start 0] [--jobs 2]

``templates`` writes a template and an input for each seed. ``conversations`` renders each template of the corpus (each
n-th one: ``--every n``), and a few that print all they see, with so many random conversations. ``compiled`` runs the
compiled code of generated templates by itself, against plain Jinja and without Transformers. Progress and findings go
to stderr, the sum to stdout; the exit code is 1 where something differs. To see the template of a seed and its
input, and not compare them: ``templates --start SEED --count 1 --show``.

Two outcomes are the same when both are the same text (and spans), or errors of the same type and text, with two
exceptions:

* ``RecursionError``: only the type counts. How deep the interpreter's stack is when a template starts, and in what call
  it overflows, differs between any two callers. The generators bound every recursion but the endless ones, so that no
  case comes near the limit from below.
* Text that depends on memory addresses in a form that :mod:`turnwire.compare.outcome` cannot recognise (sorted, cut,
  measured): a case whose outcomes differ is rendered again among other objects, and counted apart where turnwire's own
  outcome changes with them.
"""

from __future__ import annotations

import argparse
import copy
import random
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, tzinfo
from multiprocessing import get_context
from typing import Any
from unittest import mock

from tests.compiled_outcomes import compare_compiled
from tests.generators.conversations import generate_chat
from tests.generators.templates import generate_template_case
from turnwire.compare.cases import CLOCK, Aspect, Case, NamedTemplate, read_corpus
from turnwire.compare.outcome import Outcome, capture_outcome, judge_outcomes
from turnwire.compare.reference import reference_outcome
from turnwire.compare.report import describe_finding, show_finding
from turnwire.compare.run import own_outcome
from turnwire.template import environment
from turnwire.template.program import compile_template
from turnwire.template.render import render_chat, render_spans

__all__ = [
    "REVEALING",
    "FuzzResult",
    "compare_case",
    "fuzz_compiled",
    "fuzz_conversations",
    "fuzz_templates",
    "make_chat_case",
    "public_outcome",
    "run_side",
]

Side = Callable[[Case], Outcome]

SECONDS_PER_CASE = 30
"""A case that takes longer hangs: the generators bound everything a template does."""


@dataclass
class FuzzResult:
    """What a number of cases came to."""

    counts: Counter[str] = field(default_factory=Counter)
    """Cases by what came out: ``rendered`` and ``raised`` where both sides agree, ``different``, ``unstable``; for
    compiled code also ``retreated`` where it alone raises, and ``not compiled``."""
    errors: Counter[str] = field(default_factory=Counter)
    """Types of the errors that both sides raised."""
    findings: list[str] = field(default_factory=list)
    """What is told about each difference."""
    unstable: list[str] = field(default_factory=list)
    """Names of the cases that depend on memory addresses."""

    def add(self, other: FuzzResult) -> None:
        """Add what other cases came to."""
        self.counts += other.counts
        self.errors += other.errors
        self.findings += other.findings
        self.unstable += other.unstable


# --- one case ---------------------------------------------------------------------------------------------------------


class StoppedClock(datetime):
    """A clock that always tells the time of comparisons."""

    @classmethod
    def now(cls, tz: tzinfo | None = None) -> Any:
        """Return that time."""
        return CLOCK


def public_outcome(case: Case) -> Outcome:
    """Return what the public functions make of *case*, with the clock stopped from outside.

    ``now=`` would replace the function ``strftime_now`` by a method, and a template can tell the two apart.
    """
    chat = case.chat
    arguments: dict[str, Any] = {
        "tools": chat.tools,
        "documents": chat.documents,
        "add_generation_prompt": case.add_generation_prompt,
        **chat.template_variables(),
    }

    def render() -> str:
        if case.aspect == "spans":
            text, spans = render_spans(chat.conversation, case.template.text, **arguments)
            return f"{spans}\n{text}"
        return render_chat(chat.conversation, case.template.text, **arguments)

    with mock.patch.object(environment, "datetime", StoppedClock):
        return capture_outcome(render)


def compare_case(case: Case, own: Side, theirs: Outcome | None = None) -> FuzzResult:
    """Run *case* on both sides, each with a copy of its own, and check that turnwire leaves its copy as it was.

    *theirs* is Transformers' outcome where it is known already.
    """
    if theirs is None:
        theirs = run_side(reference_outcome, case)
    given = copy.deepcopy(case)
    ours = run_side(own, case, given)
    if repr(given) != repr(case):
        return FuzzResult(Counter(different=1), findings=[f"{case.chat.name}: turnwire changed its input"])
    if ours == theirs:
        kind = "raised" if ours.raised else "rendered"
        return FuzzResult(Counter({kind: 1}), Counter([ours.text.split(":")[0]] if ours.raised else []))
    if _depends_on_memory(case, own):
        return FuzzResult(Counter(unstable=1), unstable=[f"{case.template.name}, {case.chat.name}"])
    verdict = judge_outcomes(ours, theirs)
    return FuzzResult(Counter(different=1), findings=[show_finding(describe_finding(case, verdict, ours, theirs))])


def run_side(side: Side, case: Case, given: Case | None = None) -> Outcome:
    """Return what *side* makes of a copy of *case*, or of the copy that is given."""
    # The filter `random` and the function `lipsum` draw from the one generator that all of Python shares.
    random.seed(case.chat.name)
    outcome = side(copy.deepcopy(case) if given is None else given)
    if outcome.raised and outcome.text.startswith("RecursionError:"):
        return Outcome("RecursionError: …", raised=True)
    return outcome


def _depends_on_memory(case: Case, own: Side) -> bool:
    outcomes, ballast = set(), []
    for size in (0, 1, 7, 50, 300):
        # Objects of the kinds whose addresses templates can print, so that the next ones lie elsewhere.
        ballast.append([(object(), (letter for letter in "x"), f"text {number}".join) for number in range(size)])
        compile_template.cache_clear()
        outcomes.add(run_side(own, case))
    return len(outcomes) > 1


# --- many cases -------------------------------------------------------------------------------------------------------


def fuzz_templates(seeds: Sequence[int], own: Side = public_outcome) -> FuzzResult:
    """Compare the generated templates of *seeds*."""
    return _fuzz((generate_template_case(seed) for seed in seeds), own)


def fuzz_conversations(pairs: Sequence[tuple[NamedTemplate, int]], own: Side = own_outcome) -> FuzzResult:
    """Compare real templates, each with the generated conversation of the seed beside it."""
    return _fuzz((make_chat_case(template, seed) for template, seed in pairs), own)


REVEALING = [
    NamedTemplate("prints all", "{{ messages }}\n{{ tools }}\n{{ documents }}\n{{ add_generation_prompt }}"),
    NamedTemplate("prints all as JSON", "{{ [messages, tools, documents]|tojson(indent=1) }}"),
    NamedTemplate(
        "prints content", "{% for message in messages %}{{ message.role }}: {{ message.content }}\n{% endfor %}"
    ),
    NamedTemplate(
        "reads thinking, trims",
        "{% for message in messages %}{{ message.thinking|default('')|trim }}|{{ message.content|trim }}{% endfor %}",
    ),
    NamedTemplate(
        "marks the assistant",
        "{% for message in messages %}{% if message.role == 'assistant' %}{% generation %}{{ message }}"
        "{% endgeneration %}{% else %}{{ message.reasoning_content }}{{ message.content }}{% endif %}{% endfor %}",
    ),
]
"""Templates that show what real ones hardly do: the order of a message's keys, and everything that is passed."""


def make_chat_case(template: NamedTemplate, seed: int) -> Case:
    """Make the case of a template with a generated conversation; every third one asks for spans, if it has any."""
    chat = generate_chat(seed)
    tracks = "endgeneration" in template.text and not chat.continue_final_message and seed % 3 == 0
    aspect: Aspect = "spans" if tracks else "prompt"
    return Case(template, chat, bool(chat.add_generation_prompt), aspect)


def fuzz_compiled(seeds: Sequence[int]) -> FuzzResult:
    """Compare the compiled code of the generated templates of *seeds* with plain Jinja."""
    result = FuzzResult()
    for seed in seeds:
        case = generate_template_case(seed)
        with _limit_time(case):
            verdict, compiled, plain = compare_compiled(case)
            again = compare_compiled(case) if verdict == "different" else None
        if again is not None and again.plain != plain:
            result.add(FuzzResult(Counter(unstable=1), unstable=[case.template.name]))
            continue
        result.add(FuzzResult(Counter({verdict: 1})))
        if verdict == "different":
            result.findings.append(f"{case.template.name}\n  compiled {compiled}\n  plain    {plain}")
    return result


def _fuzz(cases: Iterator[Case], own: Side) -> FuzzResult:
    result = FuzzResult()
    for case in cases:
        with _limit_time(case):
            result.add(compare_case(case, own))
    return result


class CaseHangs(BaseException):
    """Not an Exception, so that no outcome is made of it."""


@contextmanager
def _limit_time(case: Case) -> Iterator[None]:
    """Raise CaseHangs when the block takes too long, where the system has such timers."""
    if not hasattr(signal, "setitimer"):
        yield
        return

    def stop(*_: object) -> None:
        raise CaseHangs(f"{case.template.name}, {case.chat.name}: no result after {SECONDS_PER_CASE} s")

    previous = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, SECONDS_PER_CASE)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, previous)


# --- the command ------------------------------------------------------------------------------------------------------


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a campaign and return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description="Fuzz turnwire against Transformers.")
    parser.add_argument("what", choices=("templates", "conversations", "compiled"))
    parser.add_argument("--count", type=int, default=20_000, help="how many templates")
    parser.add_argument("--each", type=int, default=26, help="how many conversations for each real template")
    parser.add_argument("--every", type=int, default=1, help="take every n-th real template")
    parser.add_argument("--start", type=int, default=0, help="the first seed")
    parser.add_argument("--jobs", type=int, default=1, help="how many processes")
    parser.add_argument("--show", action="store_true", help="print the templates of the seeds and do not compare")
    options = parser.parse_args(arguments)
    blocks: list[Any]
    if options.what != "conversations":
        seeds = range(options.start, options.start + options.count)
        if options.show:
            for seed in seeds:
                case = generate_template_case(seed)
                print(f"--- {case.template.name}, {case.aspect}\n{case.template.text}\n--- {case.chat}")
            return 0
        work: Callable[[Any], FuzzResult] = fuzz_templates if options.what == "templates" else fuzz_compiled
        blocks = [seeds[pos : pos + 200] for pos in range(0, len(seeds), 200)]
    else:
        work = fuzz_conversations
        # Every template meets conversations of its own.
        blocks = [
            [(template, options.start + number * options.each + index) for index in range(options.each)]
            for number, template in enumerate([*REVEALING, *read_corpus()[:: options.every]])
        ]
    return _run_campaign(work, blocks, options.jobs)


def _run_campaign(work: Callable[[Any], FuzzResult], blocks: Sequence[Any], jobs: int) -> int:
    started, total, result = time.monotonic(), sum(map(len, blocks)), FuzzResult()
    # Spawned and not forked: the tokenizers library has threads, which do not live through a fork.
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        for block in pool.map(work, blocks):
            result.add(block)
            for finding in block.findings:
                print(f"\r{finding}", file=sys.stderr)
            print(f"\r{result.counts.total():,} of {total:,} {dict(result.counts)}", end="", file=sys.stderr)
    print(file=sys.stderr)
    seconds = time.monotonic() - started
    print(f"{result.counts.total():,} cases in {seconds:.0f} s, {jobs} at a time: {dict(result.counts)}")
    print(f"errors on both sides: {dict(result.errors.most_common())}")
    if result.unstable:
        print("dependent on memory addresses:", *result.unstable, sep="\n  ")
    return 1 if result.findings else 0


if __name__ == "__main__":
    sys.exit(main())
