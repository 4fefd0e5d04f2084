"""Other engines for chat templates, set up as their users do: minijinja, and @huggingface/jinja in a node process."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from turnwire.compare.cases import CLOCK, ChatInput
from turnwire.compare.renderers import Renderer, find_minijinja
from turnwire.errors import PackageMissing

SCRIPT = Path(__file__).with_name("huggingface_jinja.cjs")
PACKAGE = "@huggingface/jinja"


def find_peers(node_modules: Path) -> tuple[list[Renderer], list[str]]:
    """Return the peers that are there, and a sentence about each that is not."""
    peers, missing = [], []
    for find in (find_minijinja, lambda: find_node_jinja(node_modules)):
        try:
            peers.append(find())
        except PackageMissing as error:
            missing.append(str(error))
    return peers, missing


def find_node_jinja(node_modules: Path) -> Renderer:
    """Return @huggingface/jinja as a renderer, in one process of node that stays until this one ends.

    Raises:
        PackageMissing: there is no node, or the folder *node_modules* does not hold the package.
    """
    node, manifest = shutil.which("node"), node_modules / PACKAGE / "package.json"
    if node is None:
        raise PackageMissing(f"{PACKAGE} is left out: node is not on the path")
    if not manifest.is_file():
        raise PackageMissing(f"{PACKAGE} is left out: {node_modules} does not hold it (npm install {PACKAGE})")
    version = json.loads(manifest.read_text(encoding="utf-8"))["version"]
    process = NodeProcess([node, str(SCRIPT), CLOCK.isoformat(), str(manifest.resolve())])
    return Renderer(
        f"{PACKAGE} {version}",
        lambda chat, template: NodeCall(process, chat, template),
        time_node_calls,
        has_own_errors=True,
    )


class NodeProcess:
    """A process that answers lines by lines; it ends by itself when its input does."""

    def __init__(self, command: list[str]) -> None:
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe, encoding="utf-8")

    def ask(self, **question: Any) -> dict[str, Any]:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps(question) + "\n")
        self.process.stdin.flush()
        answer: dict[str, Any] = json.loads(self.process.stdout.readline())
        if "error" in answer:
            raise RuntimeError(answer["error"])
        return answer


@dataclass(eq=False)
class NodeCall:
    """A render that is ready to run over there."""

    process: NodeProcess
    chat: ChatInput
    template: str
    variables: dict[str, Any] = field(init=False)

    def __post_init__(self) -> None:
        if self.chat.continue_final_message:
            raise ValueError(f"{PACKAGE} knows nothing of open messages")
        self.variables = {
            "messages": self.chat.conversation,
            "tools": self.chat.tools,
            "documents": self.chat.documents,
            "add_generation_prompt": bool(self.chat.add_generation_prompt),
            **self.chat.variables,
        }

    def __call__(self) -> str:
        result: str = self.process.ask(text=self.template, chats=[self.variables], repeat=1)["result"]
        return result


def time_node_calls(calls: Sequence[NodeCall]) -> float:
    """Return the processor time of *calls* as node measures it, without the way there and back."""
    first = calls[0]
    # Warm input is one call, again and again: over there, too, it must be the same objects.
    distinct = [first] if all(call is first for call in calls) else calls
    answer = first.process.ask(
        text=first.template, chats=[call.variables for call in distinct], repeat=len(calls) // len(distinct)
    )
    seconds: float = answer["seconds"]
    return seconds
