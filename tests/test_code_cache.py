"""Code kept on disk: what is taken from there is what was written, by this user, for these sources; else it is made."""

from __future__ import annotations

import errno
import marshal
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from pathlib import Path
from typing import Any, NoReturn

import jinja2
import pytest

import turnwire
from turnwire.compare.outcome import Outcome, capture_outcome
from turnwire.template import code_cache
from turnwire.template.program import Program

MESSAGES = [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hello"}]

GREETING = "{% for m in messages %}<{{ m.role }}>{{ m.content }}{% endfor %}"
TEXTS = {
    GREETING: "<user>Hi<assistant>Hello",
    "no tags": "no tags",
    "": "",
    "é\ud800\0": "é\ud800\0",
    "{% macro say(m) %}[{{ m.content | upper }}]{% endmacro %}{{ say(messages[0]) }}": "[HI]",
    "{% set ns = namespace(n=0) %}{% for m in messages %}{% set ns.n = ns.n + 1 %}{% endfor %}{{ ns.n }}": "2",
    "{{ messages[1] | tojson }}": '{"role": "assistant", "content": "Hello"}',
    "{% block left_to_plain_jinja %}{{ messages[0].content }}{% endblock %}": "Hi",
}
ERRORS = {
    "{{ raise_exception('no tools here') }}": "TemplateError: no tools here",
    "{{ messages[0].content + 1 }}": 'TypeError: can only concatenate str (not "int") to str',
    "{{ messages[0].a.b }}": "UndefinedError: 'dict object' has no attribute 'a'",
    "{{ messages[0].content.__class__.mro() }}": (
        "SecurityError: access to attribute '__class__' of 'str' object is unsafe."
    ),
}
BROKEN = {
    "{% for m in messages %}": "Unexpected end of template.",
    "{{ messages | no_such_filter }}": "No filter named 'no_such_filter'.",
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return where entries come to lie, a folder that is not there yet."""
    monkeypatch.setenv("TURNWIRE_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache" / "compiled-templates"


@pytest.fixture
def parses(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the list to which every template is added that gets parsed."""
    parsed = []
    parse = jinja2.Environment._parse

    def note(self: Any, source: str, *args: Any) -> Any:
        parsed.append(source)
        return parse(self, source, *args)

    monkeypatch.setattr(jinja2.Environment, "_parse", note)
    return parsed


@pytest.fixture
def fresh_stamp() -> Iterator[None]:
    """Let the test change what the stamp is made of."""
    code_cache._stamp_sources.cache_clear()
    yield
    code_cache._stamp_sources.cache_clear()


def render(source: str) -> Outcome:
    """Return the outcome of a program that no other call has made."""
    return capture_outcome(lambda: Program(source).render({"messages": MESSAGES}))


def text_of(source: str) -> str:
    return Program(source).render({"messages": MESSAGES})


def entries(folder: Path) -> list[Path]:
    return sorted(folder.iterdir()) if folder.exists() else []


def forge(entry: Path, text: str) -> bytes:
    """Return what an entry would hold whose template writes *text*."""
    code = compile(f"def root(variables, out): out.append({text!r})", "<forged>", "exec")
    payload = marshal.dumps(code)
    return sha256(bytes.fromhex(entry.stem) + payload).digest() + payload


@pytest.mark.parametrize("source", TEXTS)
def test_code_from_the_cache_writes_what_new_code_writes_and_nothing_is_parsed(
    source: str, folder: Path, parses: list[str]
) -> None:
    assert text_of(source) == TEXTS[source]
    assert parses != []
    parses.clear()
    assert text_of(source) == TEXTS[source]
    assert parses == []


@pytest.mark.parametrize("source", ERRORS)
def test_a_template_that_raises_does_so_from_the_cache_as_well_and_nothing_is_parsed(
    source: str, folder: Path, parses: list[str]
) -> None:
    first = render(source)
    assert first == Outcome(ERRORS[source], raised=True)
    parses.clear()
    assert render(source) == first
    assert parses == []


@pytest.mark.parametrize("source", BROKEN)
def test_a_broken_template_raises_each_time(source: str, folder: Path) -> None:
    for _ in range(3):
        with pytest.raises(jinja2.TemplateSyntaxError) as caught:
            Program(source)
        assert (caught.value.message or "").startswith(BROKEN[source])


def test_a_template_that_is_left_to_plain_jinja_is_not_offered_to_the_compiler_again(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = "{% block all %}{{ messages[0].content }}{% endblock %}"
    assert Program(source).root is None

    def refuse(*_: object) -> NoReturn:
        pytest.fail("the compiler was asked")

    monkeypatch.setattr("turnwire.template.compiler.generator.generate_code", refuse)
    assert Program(source).root is None


def test_a_process_that_finds_code_does_not_import_the_compiler(folder: Path) -> None:
    code = (
        f"import sys, turnwire; assert turnwire.render_chat({MESSAGES!r}, {GREETING!r}) == {TEXTS[GREETING]!r}; "
        "print('turnwire.template.compiler.generator' in sys.modules)"
    )
    printed = [
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip()
        for _ in range(2)
    ]
    assert printed == ["True", "False"]


def test_folder_and_entries_are_for_this_user_alone(folder: Path) -> None:
    before = os.umask(0)
    try:
        text_of(GREETING)
    finally:
        os.umask(before)
    assert folder.stat().st_mode & 0o777 == 0o700
    assert [entry.stat().st_mode & 0o777 for entry in entries(folder)] == [0o600]


def test_a_damaged_entry_is_not_used_and_is_written_anew(folder: Path, parses: list[str]) -> None:
    text_of(GREETING)
    [entry] = entries(folder)
    whole = entry.read_bytes()
    flipped = [whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :] for at in range(0, len(whole), 61)]
    cut = [whole[:length] for length in (0, 1, 31, 32, 33, len(whole) // 2, len(whole) - 1)]
    for damaged in [*flipped, *cut, whole + b"\0", whole * 2, b"\0" * (code_cache.MOST_BYTES + 1)]:
        entry.write_bytes(damaged)
        parses.clear()
        assert text_of(GREETING) == TEXTS[GREETING]
        assert parses == [GREETING]
        assert text_of(GREETING) == TEXTS[GREETING]
        assert parses == [GREETING]


def test_the_entry_of_one_template_does_not_serve_another(folder: Path) -> None:
    text_of("one")
    [one] = entries(folder)
    text_of("other")
    [other] = set(entries(folder)) - {one}
    shutil.copy(one, other)
    assert text_of("other") == "other"


def test_an_entry_that_nothing_speaks_against_is_executed(folder: Path) -> None:
    # So that the tests below show what keeps a forged entry from being executed.
    text_of(GREETING)
    [entry] = entries(folder)
    entry.write_bytes(forge(entry, "forged"))
    assert text_of(GREETING) == "forged"


@pytest.mark.parametrize("mode", [0o620, 0o602, 0o666])
def test_an_entry_that_others_could_write_is_written_anew(mode: int, folder: Path) -> None:
    text_of(GREETING)
    [entry] = entries(folder)
    entry.write_bytes(forge(entry, "forged"))
    entry.chmod(mode)
    assert text_of(GREETING) == TEXTS[GREETING]
    assert entry.stat().st_mode & 0o777 == 0o600
    assert entry.read_bytes() != forge(entry, "forged")


@pytest.mark.parametrize("mode", [0o720, 0o702, 0o777, 0o1777])
def test_a_folder_that_others_could_write_in_is_left_alone(mode: int, folder: Path) -> None:
    text_of(GREETING)
    [entry] = entries(folder)
    forged = forge(entry, "forged")
    entry.write_bytes(forged)
    folder.chmod(mode)
    assert text_of(GREETING) == TEXTS[GREETING]
    assert text_of("another") == "another"
    assert entries(folder) == [entry]
    assert entry.read_bytes() == forged


def test_a_folder_and_entries_of_another_user_are_left_alone(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text_of(GREETING)
    [entry] = entries(folder)
    forged = forge(entry, "forged")
    entry.write_bytes(forged)
    own = os.geteuid()
    monkeypatch.setattr(os, "geteuid", lambda: own + 1)
    assert text_of(GREETING) == TEXTS[GREETING]
    assert entry.read_bytes() == forged


def test_an_entry_of_another_user_in_an_own_folder_is_written_anew(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text_of(GREETING)
    [entry] = entries(folder)
    entry.write_bytes(forge(entry, "forged"))
    is_own, inode = code_cache._is_own, entry.stat().st_ino
    monkeypatch.setattr(code_cache, "_is_own", lambda status: status.st_ino != inode and is_own(status))
    assert text_of(GREETING) == TEXTS[GREETING]
    assert entry.stat().st_ino != inode


def test_links_are_not_followed(folder: Path, tmp_path: Path) -> None:
    text_of(GREETING)
    [entry] = entries(folder)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.write_bytes(forge(entry, "forged"))
    elsewhere.chmod(0o600)
    entry.unlink()
    entry.symlink_to(elsewhere)
    assert text_of(GREETING) == TEXTS[GREETING]
    assert not entry.is_symlink()
    assert elsewhere.read_bytes() == forge(entry, "forged")

    entry.write_bytes(forge(entry, "forged"))
    folder.rename(tmp_path / "moved")
    folder.symlink_to(tmp_path / "moved")
    assert text_of(GREETING) == TEXTS[GREETING]


def test_what_is_no_file_in_place_of_an_entry_is_no_entry(folder: Path) -> None:
    text_of(GREETING)
    [entry] = entries(folder)
    entry.unlink()
    os.mkfifo(entry, 0o600)
    assert text_of(GREETING) == TEXTS[GREETING]
    assert entry.is_file()
    entry.unlink()
    entry.mkdir(mode=0o700)
    assert text_of(GREETING) == TEXTS[GREETING]
    assert entries(folder) == [entry]


@pytest.mark.parametrize("call", ["open", "fstat", "read", "makedirs", "replace", "listdir", "stat", "unlink"])
def test_a_system_call_that_fails_is_no_error(call: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> NoReturn:
        raise OSError(errno.ENOSPC, "No space left on device")

    text_of("before")
    with monkeypatch.context() as patch:
        patch.setattr(code_cache, "MOST_ENTRIES", 0)
        patch.setattr(os, call, fail)
        assert text_of("before") == "before"
        assert text_of(GREETING) == TEXTS[GREETING]
        assert render("{{ raise_exception('no') }}") == Outcome("TemplateError: no", raised=True)


def test_a_write_that_fails_leaves_no_part_of_it(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> NoReturn:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "replace", fail)
    assert text_of(GREETING) == TEXTS[GREETING]
    assert folder.exists()
    assert entries(folder) == []


def test_a_place_where_no_folder_can_be_made_is_no_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("TURNWIRE_CACHE", str(tmp_path / "file"))
    assert text_of(GREETING) == TEXTS[GREETING]


def test_the_cache_lies_where_the_variables_say(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    for chosen, place in {
        "off": None,
        "relative": None,
        "": "xdg/turnwire",
        str(tmp_path / "own"): "own",
        "~/of_mine": "home/of_mine",
    }.items():
        monkeypatch.setenv("TURNWIRE_CACHE", chosen)
        assert text_of(GREETING) == TEXTS[GREETING]
        found = list(tmp_path.rglob("*.code"))
        assert [file.parent for file in found] == ([] if place is None else [tmp_path / place / "compiled-templates"])
        for file in found:
            file.unlink()
    monkeypatch.delenv("TURNWIRE_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    text_of(GREETING)
    assert [file.parent.parent for file in tmp_path.rglob("*.code")] == [tmp_path / "home/.cache/turnwire"]


def test_the_oldest_entries_make_room(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(code_cache, "MOST_ENTRIES", 8)
    folder.mkdir(parents=True, mode=0o700)
    (folder / "left behind.tmp").write_bytes(b"")
    (folder / "of somebody else").write_bytes(b"")
    for age, name in enumerate(["left behind.tmp", "of somebody else"]):
        os.utime(folder / name, (age, age))
    names = []
    for number in range(9):
        before = set(entries(folder))
        text_of(f"template {number}")
        [entry] = set(entries(folder)) - before
        os.utime(entry, (1000 + number, 1000 + number))
        names.append(entry)
        assert len(entries(folder)) <= 8 + 1
    assert set(entries(folder)) == {folder / "of somebody else", *names[2:]}


def test_what_cannot_be_removed_does_not_keep_the_others_from_going(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(code_cache, "MOST_ENTRIES", 8)
    (folder / "folder.code").mkdir(parents=True)
    folder.chmod(0o700)
    os.utime(folder / "folder.code", (0, 0))
    listdir = os.listdir
    monkeypatch.setattr(os, "listdir", lambda place: [*listdir(place), "gone.code"])
    for number in range(20):
        text_of(f"template {number}")
    assert (folder / "folder.code").exists()
    assert len(entries(folder)) <= 8


def test_code_that_is_too_large_is_not_kept(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(code_cache, "MOST_BYTES", 500)
    long = "x" * 500
    assert text_of(long) == long
    assert entries(folder) == []
    text_of("short")
    assert len(entries(folder)) == 1


def test_many_processes_and_threads_may_write_the_same_entries(folder: Path) -> None:
    code = (
        "from concurrent.futures import ThreadPoolExecutor\n"
        "from turnwire.template.program import Program\n"
        "def write(number): return Program(f'template {number % 5}').render({})\n"
        "with ThreadPoolExecutor(4) as pool: print(*pool.map(write, range(20)), sep=',')"
    )

    def run(_: int) -> str:
        return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip()

    with ThreadPoolExecutor(4) as pool:
        printed = set(pool.map(run, range(4)))
    assert printed == {",".join(f"template {number % 5}" for number in range(20))}
    assert len(entries(folder)) == 5
    assert {entry.suffix for entry in entries(folder)} == {".code"}


@pytest.mark.parametrize("changed", ["jinja2", "python", "purpose"])
def test_code_for_other_versions_or_purposes_is_other_code(
    changed: str, folder: Path, fresh_stamp: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    text_of(GREETING)
    [first] = entries(folder)
    if changed == "jinja2":
        monkeypatch.setattr(jinja2, "__version__", "3.1.99", raising=False)
    elif changed == "python":
        monkeypatch.setattr(sys, "version", "3.99")
    else:
        monkeypatch.setenv("TURNWIRE_PLAIN", "1")
    code_cache._stamp_sources.cache_clear()
    first.write_bytes(forge(first, "forged"))
    assert text_of(GREETING) == TEXTS[GREETING]
    assert len(entries(folder)) == 2


def test_code_of_an_earlier_compiler_is_not_used(folder: Path, tmp_path: Path) -> None:
    package = tmp_path / "turnwire"
    shutil.copytree(Path(turnwire.__file__).parent, package, ignore=shutil.ignore_patterns("__pycache__"))
    code = f"import turnwire; print(turnwire.__file__); print(turnwire.render_chat({MESSAGES!r}, {GREETING!r}))"

    def run() -> str:
        environment = {**os.environ, "PYTHONPATH": str(tmp_path), "PYTHONDONTWRITEBYTECODE": "1"}
        done = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment, cwd=tmp_path
        )
        file, text = done.stdout.split()
        assert file == str(package / "__init__.py")
        return text

    assert run() == run() == TEXTS[GREETING]
    generator = package / "template" / "compiler" / "generator.py"
    original = generator.read_text(encoding="utf-8")
    line = "def generate_code(*_): return 'def root(variables, out): out.append(\"changed\")'\n"
    generator.write_text(original + line, encoding="utf-8")
    assert run() == run() == "changed"
    generator.write_text(original, encoding="utf-8")
    assert run() == TEXTS[GREETING]


def test_nothing_is_kept_while_sources_are_younger_than_what_runs(
    folder: Path, fresh_stamp: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(code_cache, "_IMPORTED", 0.0)
    assert text_of(GREETING) == TEXTS[GREETING]
    assert entries(folder) == []


def test_nothing_is_kept_where_the_sources_changed_since_they_were_looked_at(
    folder: Path, fresh_stamp: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert code_cache._stamp_sources() is not None
    monkeypatch.setattr(jinja2, "__version__", "3.1.99", raising=False)  # As good as any other part of the stamp.
    assert text_of(GREETING) == TEXTS[GREETING]
    assert entries(folder) == []


@pytest.mark.parametrize("place", ["compiled", "archive.zip"])
def test_a_package_without_sources_keeps_nothing(
    place: str, folder: Path, fresh_stamp: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "compiled" / "compiler").mkdir(parents=True)
    (tmp_path / "archive.zip").write_bytes(b"")
    monkeypatch.setattr(code_cache, "__file__", str(tmp_path / place / "code_cache.pyc"))
    assert text_of(GREETING) == TEXTS[GREETING]
    assert entries(folder) == []
