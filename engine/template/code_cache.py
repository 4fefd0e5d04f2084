"""Code of templates kept on disk, so that a process need not parse and compile what an earlier one has.

Law: what is kept gets executed. So nothing is taken from here that another user could have written, or that is not
byte for byte what was written, and nothing that other sources of ours, another jinja2 or another Python made. Whatever
is wrong with the folder or an entry, the code is made anew: no error comes from here.
"""

from __future__ import annotations

import marshal
import os
import stat
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import lru_cache
from hashlib import sha256
from importlib.util import MAGIC_NUMBER
from types import CodeType

import jinja2

__all__ = ["fetch_code"]

MOST_ENTRIES = 512
"""Files; when there are more, the oldest go until three quarters are left."""
MOST_BYTES = 1 << 18
"""Of one entry; larger code is not kept."""

_DIGEST = sha256().digest_size
_IMPORTED = time.time()
"""Source files that are younger are not those that this process runs."""
# Links are not followed, and a pipe in place of a file does not make anyone wait. Windows has only the last.
_SAFELY = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
_HAS_OWNERS = hasattr(os, "geteuid") and os.open in os.supports_dir_fd


def fetch_code(purpose: str, source: str, make: Callable[[], CodeType | None]) -> CodeType | None:
    """Return what *make* makes of the template text *source* for *purpose*, from the cache if it is there.

    None, which says that no code can be made, is kept as well.

    Raises:
        Exception: whatever *make* raises; nothing is kept then.
    """
    folder = _find_folder()
    stamp = _stamp_sources() if folder is not None and type(source) is str else None
    if folder is None or stamp is None:
        return make()
    key = sha256(b"\0".join((stamp, purpose.encode(), source.encode("utf-8", "surrogatepass")))).digest()
    kept = _read_entry(folder, key)
    if kept is not None:
        return kept[0]
    code = make()
    # What made it may be younger than the stamp, where modules were imported or files changed since.
    if _stamp_sources.__wrapped__() == stamp:
        _write_entry(folder, key, code)
    return code


def _find_folder() -> str | None:
    chosen = os.environ.get("TURNWIRE_CACHE") or os.path.join(_find_user_cache(), "turnwire")
    folder = os.path.join(os.path.expanduser(chosen), "compiled-templates")
    # Not absolute are "off" and what would depend on where the process starts, which may be somebody else's checkout.
    return folder if os.path.isabs(folder) else None


def _find_user_cache() -> str:
    chosen = os.environ.get("XDG_CACHE_HOME", "")
    if os.path.isabs(chosen):
        return chosen
    if sys.platform == "win32":
        return os.environ.get("LOCALAPPDATA") or os.path.join("~", "AppData", "Local")
    return os.path.join("~", "Library", "Caches") if sys.platform == "darwin" else os.path.join("~", ".cache")


@lru_cache(maxsize=1)
def _stamp_sources() -> bytes | None:
    """Return a digest of all that code depends on beside the template; None where that cannot be told."""
    own = os.path.dirname(__file__)
    try:
        version = vars(jinja2).get("__version__") or _find_version("jinja2")
        digest = sha256(repr((version, sys.version, MAGIC_NUMBER, sys.flags.optimize)).encode())
        # All of the package, since the code is only as right as the functions that it calls.
        for folder in (own, os.path.join(own, "compiler")):
            names = sorted(name for name in os.listdir(folder) if name.endswith(".py"))
            if not names:
                return None
            for name in names:
                with open(os.path.join(folder, name), "rb", buffering=0) as file:
                    if os.fstat(file.fileno()).st_mtime > _IMPORTED:
                        return None
                    text = file.read()
                digest.update(f"{name} {len(text)} ".encode() + text)
    except (OSError, ImportError):  # Installed without sources or metadata, or inside of an archive.
        return None
    return digest.digest()


def _find_version(package: str) -> str:
    from importlib.metadata import version  # Slow to import, and jinja2 up to 3.1 says its version itself.

    return version(package)


def _read_entry(folder: str, key: bytes) -> tuple[CodeType | None] | None:
    try:
        with _open_folder(folder) as (descriptor, prefix):
            entry = _read_file(os.open(f"{prefix}{key.hex()}.code", os.O_RDONLY | _SAFELY, dir_fd=descriptor))
    except OSError:
        return None
    if sha256(key + entry[_DIGEST:]).digest() != entry[:_DIGEST]:
        return None
    return (marshal.loads(memoryview(entry)[_DIGEST:]),)


def _read_file(descriptor: int) -> bytes:
    """Read and close an open file; nothing where others could have written it."""
    try:
        return os.read(descriptor, MOST_BYTES) if _is_own(os.fstat(descriptor)) else b""
    finally:
        os.close(descriptor)


def _write_entry(folder: str, key: bytes, code: CodeType | None) -> None:
    payload = marshal.dumps(code)
    entry = sha256(key + payload).digest() + payload
    if len(entry) > MOST_BYTES:
        return
    with suppress(OSError):
        os.makedirs(folder, mode=0o700, exist_ok=True)
        with _open_folder(folder) as (descriptor, prefix):
            temporary = f"{prefix}{os.urandom(16).hex()}.tmp"
            flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | _SAFELY
            created = os.open(temporary, flags, 0o600, dir_fd=descriptor)
            try:
                with open(created, "wb") as file:
                    file.write(entry)
                os.replace(temporary, f"{prefix}{key.hex()}.code", src_dir_fd=descriptor, dst_dir_fd=descriptor)
            except BaseException:
                os.unlink(temporary, dir_fd=descriptor)
                raise
            _drop_oldest(descriptor, prefix)


def _drop_oldest(descriptor: int | None, prefix: str) -> None:
    names = [name for name in os.listdir(prefix or descriptor) if name.endswith((".code", ".tmp"))]
    if len(names) <= MOST_ENTRIES:
        return
    ages = []
    for name in names:
        with suppress(OSError):  # Another process has removed it.
            ages.append((os.stat(prefix + name, dir_fd=descriptor, follow_symlinks=False).st_mtime_ns, name))
    for _, name in sorted(ages)[: len(ages) - MOST_ENTRIES * 3 // 4]:
        with suppress(OSError):
            os.unlink(prefix + name, dir_fd=descriptor)


@contextmanager
def _open_folder(folder: str) -> Iterator[tuple[int | None, str]]:
    """Yield the folder's descriptor, or None and what stands before names where files cannot be opened by one.

    Raises:
        OSError: it is not there, or others may write in it.
    """
    if not _HAS_OWNERS:
        yield None, os.path.join(folder, "")
        return
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | _SAFELY)
    try:
        if not _is_own(os.fstat(descriptor)):
            raise PermissionError(folder)
        yield descriptor, ""
    finally:
        os.close(descriptor)


def _is_own(status: os.stat_result) -> bool:
    """Tell whether only this user can have written what has this *status*, as far as the system can tell."""
    if not _HAS_OWNERS:
        return True
    return status.st_uid == os.geteuid() and not status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
