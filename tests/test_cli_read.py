"""``turnwire read`` and ``turnwire families`` as commands: output, exit codes, messages."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

REPLY = (
    "<think>\nLook it up.\n</think>\n\nOne moment.\n"
    '<tool_call>\n{"name": "get_rate", "arguments": {"base": "EUR"}}\n</tool_call>'
)


def turnwire(*arguments: str, stdin: str = "", folder: Path | None = None) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "turnwire.cli", *arguments]
    return subprocess.run(command, input=stdin, cwd=folder, capture_output=True, text=True, check=False)


def test_a_reply_is_shown_by_its_parts() -> None:
    done = turnwire("read", "-", "--family", "qwen3", stdin=REPLY)
    assert done.stdout == 'reasoning\nLook it up.\ncontent\nOne moment.\ncall\nget_rate {"base": "EUR"}\n'
    assert (done.returncode, done.stderr) == (0, "")


def test_a_reply_is_printed_as_json(tmp_path: Path) -> None:
    (tmp_path / "reply.txt").write_text(REPLY, encoding="utf-8")
    done = turnwire("read", "reply.txt", "--family", "hermes", "--json", folder=tmp_path)
    reply = json.loads(done.stdout)
    assert (reply["reasoning"], reply["content"], reply["complete"]) == ("Look it up.", "One moment.", True)
    assert [(call["name"], call["arguments"]) for call in reply["tool_calls"]] == [("get_rate", {"base": "EUR"})]


def test_a_stream_prints_events_that_add_up(tmp_path: Path) -> None:
    (tmp_path / "reply.txt").write_text(REPLY, encoding="utf-8")
    done = turnwire("read", "reply.txt", "--family", "qwen3", "--stream", "--json", folder=tmp_path)
    events = [json.loads(line) for line in done.stdout.splitlines()]
    assert "".join(event["text"] for event in events if event["type"] == "ContentDelta") == "One moment."
    assert [event["name"] for event in events if event["type"] == "CallDelta"] == ["get_rate"]


@pytest.mark.parametrize("stream", [(), ("--stream",)])
def test_a_call_that_the_family_cannot_read_is_told_and_is_a_finding(stream: tuple[str, ...]) -> None:
    done = turnwire("read", "-", "--family", "mistral", *stream, stdin=REPLY)
    assert done.returncode == 1
    assert "mistral found no call in text that looks like one" in done.stderr


def test_what_stops_a_terminal_never_reaches_it() -> None:
    done = turnwire("read", "-", "--family", "qwen3", stdin="a\x1b[2Jb")
    assert "\x1b" not in done.stdout
    assert "a␛[2Jb" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("read", "-"), "name the reader by --family or by --model"),
        (
            ("read", "-", "--family", "hermess"),
            "there is no family 'hermess': did you mean hermes or cohere or hermes_llama3?",
        ),
        (("read", "missing.txt", "--family", "qwen3"), "missing.txt: No such file or directory"),
        (("families", "missing.jinja"), "missing.jinja: No such file or directory"),
    ],
)
def test_misuse_is_one_sentence(arguments: tuple[str, ...], message: str, tmp_path: Path) -> None:
    done = turnwire(*arguments, folder=tmp_path)
    assert (done.returncode, done.stderr, done.stdout) == (2, f"turnwire: {message}\n", "")


def test_the_family_of_a_template_is_named_with_what_speaks_for_it() -> None:
    done = turnwire("families", "google-gemma-4-E4B-it")
    assert done.returncode == 0
    assert done.stdout.startswith("gemma4: gemma4 reads back all ")


def test_a_template_that_no_family_reads_is_a_finding(tmp_path: Path) -> None:
    (tmp_path / "plain.jinja").write_text("{% for m in messages %}{{ m.content }}{% endfor %}", encoding="utf-8")
    done = turnwire("families", "plain.jinja", "--json", folder=tmp_path)
    assert done.returncode == 1
    assert json.loads(done.stdout)["family"] is None


def test_the_families_are_listed() -> None:
    names = [family["name"] for family in json.loads(turnwire("families", "--json").stdout)]
    assert len(names) >= 40
    assert {"qwen3", "gemma4", "gpt_oss"} <= set(names)
    assert "qwen3" in turnwire("families").stdout
