"""A Hub on loopback: the part of the Hub's HTTP that its real client uses to look up and fetch a model's files."""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import unquote, urlsplit


@dataclass
class Repository:
    """A model repository: files by commit, and the branches and tags that name commits."""

    commits: dict[str, dict[str, bytes]]
    refs: dict[str, str]
    private: bool = False
    gated: bool = False
    large: frozenset[str] = frozenset()
    """Files that are answered with a redirect to another place, as the Hub does with all that lies in LFS."""

    def commit_of(self, revision: str) -> str | None:
        return revision if revision in self.commits else self.refs.get(revision)


@dataclass
class LoopbackHub:
    """What the server serves, how it misbehaves, and what it was asked."""

    repositories: dict[str, Repository]
    token: str = "hf_right"
    endpoint: str = ""
    storage: str = ""
    """Where redirects lead: by another host name, since the client treats those of its own host otherwise."""
    status: int = 200
    """Any other status is the answer to everything."""
    breaking: set[str] = field(default_factory=set)
    """Files whose first download stops in the middle and whose next ones fail."""
    moves: dict[str, str] = field(default_factory=dict)
    """Branch to the commit it moves to as soon as somebody has looked it up."""
    requests: list[tuple[str, str]] = field(default_factory=list)
    """Method and path of each request."""
    delivered: list[str] = field(default_factory=list)
    """The repository paths of the files that were handed out whole."""
    authorizations: set[str | None] = field(default_factory=set)
    """The ``Authorization`` headers seen, except by the storage."""
    storage_authorizations: set[str | None] = field(default_factory=set)

    def forget(self) -> None:
        for record in (self.requests, self.delivered, self.authorizations, self.storage_authorizations):
            record.clear()


@contextmanager
def serve_hub(hub: LoopbackHub) -> Iterator[LoopbackHub]:
    """Serve *hub* on a free port of 127.0.0.1 meanwhile."""

    class Handler(_HubHandler):
        served = hub

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    hub.endpoint = f"http://127.0.0.1:{server.server_address[1]}"
    hub.storage = f"http://localhost:{server.server_address[1]}"
    try:
        yield hub
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class _HubHandler(BaseHTTPRequestHandler):
    served: LoopbackHub
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        self._answer_request()

    def do_HEAD(self) -> None:
        self._answer_request()

    def log_message(self, *_: Any) -> None:
        pass

    def _answer_request(self) -> None:
        hub = self.served
        # A branch name may hold slashes, which the client quotes: take the path apart before unquoting.
        parts = [unquote(part) for part in urlsplit(self.path).path.strip("/").split("/")]
        hub.requests.append((self.command, "/" + "/".join(parts)))
        is_storage = parts[0] == "storage"
        seen = hub.storage_authorizations if is_storage else hub.authorizations
        seen.add(self.headers.get("Authorization"))
        if hub.status != 200:
            self._send(hub.status, b"out of order")
        elif is_storage:
            repo_id, commit, file = "/".join(parts[1:3]), parts[3], "/".join(parts[4:])
            self._deliver(file, hub.repositories[repo_id].commits[commit][file], {})
        else:
            is_api = parts[:2] == ["api", "models"]
            self._answer_for_repository(is_api, *_split(parts[2:] if is_api else parts))

    def _answer_for_repository(self, is_api: bool, repo_id: str, action: str, revision: str, file: str) -> None:
        hub = self.served
        repository = hub.repositories.get(repo_id)
        is_known = self.headers.get("Authorization") == f"Bearer {hub.token}"
        commit = repository and repository.commit_of(revision)
        if repository is None or (repository.private and not is_known):
            self._fail(404 if is_known else 401, "RepoNotFound")
        elif repository.gated and not is_known and action != "revision":
            self._fail(403, "GatedRepo")
        elif commit is None:
            self._fail(404, "RevisionNotFound")
        elif is_api and action == "tree":
            files = sorted(repository.commits[commit].items())
            self._send_json(
                [{"type": "file", "path": name, "size": len(data), "oid": _blob_id(data)} for name, data in files]
            )
        elif is_api:
            names = sorted(repository.commits[commit])
            repository.refs[revision] = hub.moves.get(revision, commit)
            self._send_json({"id": repo_id, "sha": commit, "siblings": [{"rfilename": name} for name in names]})
        elif file not in repository.commits[commit]:
            self._fail(404, "EntryNotFound", {"X-Repo-Commit": commit})
        else:
            data = repository.commits[commit][file]
            headers = {"ETag": f'"{_blob_id(data)}"', "X-Repo-Commit": commit}
            if file in repository.large:
                headers["X-Linked-Etag"] = f'"{hashlib.sha256(data).hexdigest()}"'
                headers["X-Linked-Size"] = str(len(data))
                headers["Location"] = f"{hub.storage}/storage/{repo_id}/{commit}/{file}"
                self._send(302, b"", headers)
            elif file in hub.breaking and self.command == "GET":
                self._break_off(data)
            else:
                self._deliver(file, data, headers)

    def _break_off(self, data: bytes) -> None:
        if self.served.requests.count(self.served.requests[-1]) > 1:
            return self._send(500, b"broken")
        self.send_response(200)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data[: len(data) // 2])
        self.close_connection = True

    def _deliver(self, file: str, data: bytes, headers: dict[str, str]) -> None:
        if self.command == "GET":
            self.served.delivered.append(file)
        self._send(200, data, headers)

    def _send_json(self, value: Any) -> None:
        self._send(200, json.dumps(value).encode(), {"Content-Type": "application/json"})

    def _fail(self, status: int, code: str, headers: dict[str, str] | None = None) -> None:
        self._send(status, b"", {"X-Error-Code": code, **(headers or {})})

    def _send(self, status: int, body: bytes, headers: dict[str, str] | None = None) -> None:
        self.send_response(status)
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)


def _split(parts: list[str]) -> tuple[str, str, str, str]:
    """Take ``org/name/ACTION/REVISION/FILE`` apart, of which all after the name may be missing."""
    action, revision, *file = [*parts[2:], "revision", "main"][: max(2, len(parts) - 2)]
    return "/".join(parts[:2]), action, revision, "/".join(file)


def _blob_id(data: bytes) -> str:
    return hashlib.sha1(b"blob %d\0" % len(data) + data).hexdigest()
