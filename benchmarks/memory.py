"""How much memory does rendering take, and does it stop growing? turnwire beside Transformers, in fresh processes.

    python -m benchmarks.memory [--templates 100] [--many 10000] [--rounds 3] [--json FILE]

What a process holds in memory (its resident set, after a garbage collection) more than before: for the imports, for
real templates of the corpus rendered once each, and for rendering them many times more. Then, in other processes, what
different templates and different lists of tools leave behind: the first half of them fills the caches, and what the
second half adds should be nothing but scattered free memory. The code cache lies in an empty folder; how many files it
holds in the end is told. Both sides have to write the same texts, or the run ends. Medians of the rounds; Linux.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import resource
import statistics
import subprocess
import sys
from collections.abc import Callable, Iterator
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.import_cost import measure

MESSAGES = [
    {"role": "user", "content": "Is the harbour quiet?"},
    {"role": "assistant", "content": "It is; the boats have not come back."},
    {"role": "user", "content": "When do they?"},
]
VARIABLES = {"bos_token": "<s>", "eos_token": "</s>", "add_generation_prompt": True}
IMPORTS = {
    "turnwire": "import turnwire; turnwire.render_chat",
    "Transformers": "from transformers.utils.chat_template_utils import render_jinja_template",
}
SIDES = tuple(IMPORTS)
AGAIN = 20
"""Times that the real templates are rendered again."""

Render = Callable[[str, Any], str]
"""From a template and tools to the text."""


def measure_resident() -> float:
    gc.collect()
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * resource.getpagesize() / 2**20


def import_render(side: str) -> Render:
    if side == "turnwire":
        own = import_module("turnwire").render_chat

        def render(template: str, tools: Any) -> str:
            text: str = own(MESSAGES, template, tools=tools, **VARIABLES)
            return text

        return render
    reference = import_module("transformers.utils.chat_template_utils").render_jinja_template

    def render_reference(template: str, tools: Any) -> str:
        text: str = reference([MESSAGES], tools=tools, chat_template=template, **VARIABLES)[0][0]
        return text

    return render_reference


def read_sample(count: int) -> list[str]:
    # Imported here, and here alone, so that what is measured does not hold it.
    read_corpus = import_module("turnwire.compare.cases").read_corpus
    corpus = [template.text for template in read_corpus()]
    return corpus[:: max(1, len(corpus) // count)][:count]


def make_tools(number: int) -> list[dict[str, Any]]:
    properties = {
        f"argument_{place}": {"type": "string", "description": f"What is said of argument {place} of tool {number}."}
        for place in range(20)
    }
    function = {
        "name": f"tool_{number}",
        "description": "A tool.",
        "parameters": {"type": "object", "properties": properties},
    }
    return [{"type": "function", "function": function}]


def list_inputs(what: str, count: int) -> Iterator[tuple[str, Any]]:
    for number in range(count):
        if what == "templates":
            yield "{% for m in messages %}" + f"<{number}|" + "{{ m.role }}>{{ m.content }}{% endfor %}", None
        else:
            # Each comes twice, since turnwire keeps what it has met before.
            yield from [("{{ tools | tojson }}", make_tools(number))] * 2


def watch_process(side: str, what: str, count: int, sample: list[str]) -> dict[str, Any]:
    """Do the work in this process; return what each step adds, and a digest of all texts."""
    render = import_render(side)
    last = measure_resident()
    added: dict[str, float] = {}
    digest = sha256()

    def note(step: str) -> None:
        nonlocal last
        now = measure_resident()
        added[step], last = now - last, now

    if what == "corpus":
        for name, times in {"first render of each": 1, f"{AGAIN} times more": AGAIN}.items():
            for _ in range(times):
                for template in sample:
                    try:
                        digest.update(render(template, None).encode())
                    except Exception as error:
                        digest.update(str(error).encode())
            note(name)
    else:
        inputs = list(list_inputs(what, count))
        note("inputs")
        for place, (template, tools) in enumerate(inputs):
            digest.update(render(template, tools).encode())
            if place + 1 == len(inputs) // 2:
                note("the first half")
        note("the second half")
    return {"added": added, "digest": digest.hexdigest()}


def run_process(side: str, what: str, count: int, sample: list[str], cache: str) -> dict[str, Any]:
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.memory", "--side", side, "--what", what, "--many", str(count)],
        env={**os.environ, "TURNWIRE_CACHE": cache},
        input=json.dumps(sample),
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    result: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return result


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--templates", type=int, default=100, help="templates of the corpus")
    parser.add_argument("--many", type=int, default=10_000, help="different templates, and lists of tools")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--side", choices=SIDES, help=argparse.SUPPRESS)
    parser.add_argument("--what", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.side:
        print(json.dumps(watch_process(options.side, options.what, options.many, json.load(sys.stdin))))
        return
    runs: dict[tuple[str, str, str], list[float]] = {}
    files = 0
    sample = read_sample(options.templates)
    works = {"corpus": len(sample), "templates": options.many, "tools": options.many}
    for round_ in range(options.rounds):
        for what, count in works.items():
            digests = set()
            for side in SIDES:
                with TemporaryDirectory() as cache:
                    if what == "corpus":
                        _, megabytes, _ = measure(IMPORTS[side], cache)
                        runs.setdefault((what, "import", side), []).append(megabytes)
                    result = run_process(side, what, count, sample, cache)
                    files = max(files, sum(file.is_file() for file in Path(cache).rglob("*")))
                digests.add(result["digest"])
                for step, megabytes in result["added"].items():
                    runs.setdefault((what, step, side), []).append(megabytes)
            if len(digests) > 1:
                sys.exit(f"{what}: the two sides write different texts")
        print(f"\rround {round_ + 1}/{options.rounds}", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    medians = {key: statistics.median(values) for key, values in runs.items()}
    names = {what: f"{count} {'real templates' if what == 'corpus' else what}" for what, count in works.items()}
    print(f"{'MB that are added by':44}{SIDES[0]:>10}{SIDES[1]:>14}")
    for what, step in dict.fromkeys((what, step) for what, step, _ in medians if step != "inputs"):
        print(
            f"{names[what] + ': ' + step:44}{medians[what, step, SIDES[0]]:10.1f}{medians[what, step, SIDES[1]]:14.1f}"
        )
    print(f"files in the code cache, at most: {files}")
    if options.json:
        rows = [
            {"work": names[what], "step": step, "side": side, "megabytes": value}
            for (what, step, side), value in medians.items()
        ]
        options.json.write_text(json.dumps({"rows": rows, "files": files}, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
