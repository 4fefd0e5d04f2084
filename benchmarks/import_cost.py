"""What does the import cost? turnwire beside Transformers' AutoTokenizer, each in fresh processes, interleaved.

    python -m benchmarks.import_cost [--rounds 7] [--json FILE]

Seconds are from inside the process (the interpreter's own start is not counted), memory is what the import adds to
the resident set. The median of the rounds counts. Files are warm, modules compiled and the first render's template in
the code cache after the first round, which is thrown away; the row without a cache imports and runs the compiler.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

FIRST_RENDER = "import turnwire; turnwire.render_chat([{'role': 'user', 'content': 'hi'}], '{{ messages[0].content }}')"

SUBJECTS = {
    "import turnwire": "import turnwire",
    "turnwire, first render": FIRST_RENDER,
    "turnwire, without code cache": "import os; os.environ['TURNWIRE_CACHE'] = 'off'; " + FIRST_RENDER,
    "turnwire + tokenizers": "import turnwire, tokenizers",
    "jinja2 alone": "import jinja2.sandbox",
    "Transformers' AutoTokenizer": "from transformers import AutoTokenizer",
}

PROBE = """
import json, resource, sys, time
def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * resource.getpagesize() / 2**20
before, start = resident(), time.perf_counter()
exec(sys.argv[1])
seconds = time.perf_counter() - start
print(json.dumps([seconds, resident() - before, len(sys.modules)]))
"""


def measure(code: str, scratch: str) -> list[float]:
    # Compiled modules are kept on both sides, even where the caller's environment forbids it.
    environment = {**os.environ, "TURNWIRE_CACHE": f"{scratch}/code", "PYTHONPYCACHEPREFIX": f"{scratch}/modules"}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    command = [sys.executable, "-c", PROBE, code]
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    values: list[float] = json.loads(done.stdout.splitlines()[-1])
    return values


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    runs: dict[str, list[list[float]]] = {name: [] for name in SUBJECTS}
    with TemporaryDirectory() as scratch:
        for round_ in range(options.rounds + 1):
            for name, code in SUBJECTS.items():
                values = measure(code, scratch)
                if round_:
                    runs[name].append(values)
            print(f"\rround {round_}/{options.rounds}", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    medians = {
        name: [statistics.median(column) for column in zip(*values, strict=True)] for name, values in runs.items()
    }
    reference = medians["Transformers' AutoTokenizer"][0]
    print(f"{'':30}{'ms':>9}{'MB':>8}{'modules':>9}{'against Transformers':>22}")
    for name, (seconds, megabytes, modules) in medians.items():
        print(f"{name:30}{seconds * 1e3:9.1f}{megabytes:8.1f}{modules:9.0f}{reference / seconds:21.1f}x")
    if options.json:
        rows = {name: dict(zip(("seconds", "megabytes", "modules"), row, strict=True)) for name, row in medians.items()}
        options.json.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
