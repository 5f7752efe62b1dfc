#!/usr/bin/env python3
"""A small hub: the part of the Hugging Face hub's download API that ``huggingface_hub`` uses, for repositories in a folder.

    tests/hosts/hub.py ROOT --port 8900 --log requests.jsonl

ROOT/owner/name holds the files of a repository, of one commit: a hash over them. Branch ``main`` is that commit.
``PUT /_faults`` with a JSON object of repositories changes how it behaves from then on, for each of them:

    gated: token               401 without a token, 403 with another one
    busy: n, retry_after: s    the next n requests are answered 429
    bytes_per_second: n        bodies of files come that slowly
    die_after: n               connections break off after so many bytes of a file
    sizes: {path: n}           the listing tells other sizes than the files have

Each request is a line of the log. Standard library only.
"""

from __future__ import annotations

import argparse
import hashlib
import http.server
import json
import pathlib
import re
import threading
import time
import typing as t
import urllib.parse

_CHUNK = 64 * 1024
_LARGE = (".safetensors", ".bin")  # what the hub keeps in its large file storage
_PATH = re.compile(
    r"/(?:api/models/(?P<api>[\w.-]+/[\w.-]+)/(?P<kind>revision|tree)/(?P<revision>[^/]+)(?:/.*)?"
    r"|(?P<repo>[\w.-]+/[\w.-]+)/resolve/(?P<at>[^/]+)/(?P<file>.+))"
)


class Hub(http.server.ThreadingHTTPServer):
    """What it serves, how it misbehaves, and where it writes down who asked for what."""

    daemon_threads = True

    def __init__(self, root: pathlib.Path, port: int, log: pathlib.Path) -> None:
        """Listen on every address."""
        super().__init__(("0.0.0.0", port), Handler)
        self.root, self.log, self.lock = root, log, threading.Lock()
        self.faults: dict[str, dict[str, t.Any]] = {}

    def note(self, line: dict[str, t.Any]) -> None:
        """Write a line of the log."""
        with self.lock, self.log.open("a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")

    def fault(self, repo: str, name: str) -> t.Any:
        """One of the ways in which it misbehaves with a repository; None where it does not."""
        return self.faults.get(repo, {}).get(name)

    def is_busy(self, repo: str) -> bool:
        """Whether this request is one of those that are turned away."""
        with self.lock:
            left = int(self.fault(repo, "busy") or 0)
            if left:
                self.faults[repo]["busy"] = left - 1
        return left > 0


class Handler(http.server.BaseHTTPRequestHandler):
    """One request."""

    protocol_version = "HTTP/1.1"
    server: Hub

    def do_GET(self) -> None:
        """Answer, with a body."""
        self._answer(body=True)

    def do_HEAD(self) -> None:
        """Answer, without one."""
        self._answer(body=False)

    def do_PUT(self) -> None:
        """Change how the hub behaves."""
        length = int(self.headers.get("Content-Length", 0))
        self.server.faults = json.loads(self.rfile.read(length) or b"{}")
        self._end(200, b"{}", body=True)

    def log_message(self, *_words: t.Any) -> None:
        """The log is another one."""

    def _answer(self, body: bool) -> None:
        url = urllib.parse.urlsplit(self.path)
        found = _PATH.fullmatch(urllib.parse.unquote(url.path))
        repo = (found["api"] or found["repo"]) if found else None
        refusal = self._refusal(repo)
        if refusal is not None:
            self._end(*refusal[:1], b"{}", body, refusal[1])
            return
        assert found is not None
        assert repo is not None
        folder = self.server.root / repo
        commit = commit_of(folder)
        if (found["revision"] or found["at"]) not in ("main", commit):
            headers = {"X-Error-Code": "RevisionNotFound", "X-Error-Message": "Invalid rev id"}
            self._end(404, b"{}", body, headers)
        elif found["file"]:
            self._file(repo, found["file"], commit, body)
        else:
            listed = tree(folder, self.server.fault(repo, "sizes") or {})
            told = listed if found["kind"] == "tree" else described(repo, commit, listed)
            self._end(200, json.dumps(told).encode(), body, {"Content-Type": "application/json"})

    def _refusal(self, repo: str | None) -> tuple[int, dict[str, str]] | None:
        """Why this request is not answered, as the hub puts it."""
        if repo is None or not (self.server.root / repo).is_dir():
            return 401, {"X-Error-Code": "RepoNotFound", "X-Error-Message": "Repository not found"}
        if self.server.is_busy(repo):
            return 429, {"Retry-After": str(self.server.fault(repo, "retry_after") or 1)}
        token = self.server.fault(repo, "gated")
        given = self.headers.get("Authorization", "")
        if token is None or given == f"Bearer {token}":
            return None
        if given == "Bearer hf_invalid":
            return 401, {"X-Error-Message": "Invalid credentials in Authorization header"}
        return (403 if given else 401), {
            "X-Error-Code": "GatedRepo",
            "X-Error-Message": "Access is restricted",
        }

    def _file(self, repo: str, name: str, commit: str, body: bool) -> None:
        folder = self.server.root / repo
        path = folder / name
        if not path.is_file() or not path.resolve().is_relative_to(folder.resolve()):
            self._end(404, b"", body, {"X-Error-Code": "EntryNotFound", "X-Repo-Commit": commit})
            return
        size, digest = path.stat().st_size, digest_of(path)
        first, last = span(self.headers.get("Range"), size)
        headers = {"X-Repo-Commit": commit, "ETag": f'"{digest}"', "Accept-Ranges": "bytes"}
        if name.endswith(_LARGE):
            headers.update({"X-Linked-Size": str(size), "X-Linked-ETag": f'"{digest}"'})
        if last - first + 1 < size:
            headers["Content-Range"] = f"bytes {first}-{last}/{size}"
        self._head(206 if "Content-Range" in headers else 200, last - first + 1, headers)
        if body:
            self._send(repo, path, first, last)

    def _send(self, repo: str, path: pathlib.Path, first: int, last: int) -> None:
        """The bytes, as fast and as far as the hub is set to."""
        pace, mortal = self.server.fault(repo, "bytes_per_second"), self.server.fault(repo, "die_after")
        chunk, sent = min(_CHUNK, max(1, pace // 4)) if pace else _CHUNK, 0
        with path.open("rb") as file:
            file.seek(first)
            while sent <= last - first:
                data = file.read(min(chunk, last - first + 1 - sent))
                if mortal is not None and sent + len(data) > mortal:
                    self.close_connection = True
                    self.connection.close()
                    return
                self.wfile.write(data)
                sent += len(data)
                if pace:
                    time.sleep(len(data) / pace)

    def _end(self, status: int, text: bytes, body: bool, headers: dict[str, str] | None = None) -> None:
        self._head(status, len(text), headers or {})
        if body:
            self.wfile.write(text)

    def _head(self, status: int, length: int, headers: dict[str, str]) -> None:
        known = bool(self.headers.get("Authorization"))
        asked = {"method": self.command, "path": self.path, "status": status, "token": known}
        self.server.note({**asked, "range": self.headers.get("Range"), "from": self.client_address[0]})
        self.send_response(status)
        for name, value in {**headers, "Content-Length": str(length)}.items():
            self.send_header(name, value)
        self.end_headers()


def files_of(folder: pathlib.Path) -> list[pathlib.Path]:
    """The files of a repository."""
    return sorted(path for path in folder.rglob("*") if path.is_file())


def digest_of(path: pathlib.Path) -> str:
    """What the hub knows a file by: SHA-256 of large ones, Git's hash of the others."""
    data = path.read_bytes()
    if path.name.endswith(_LARGE):
        return hashlib.sha256(data).hexdigest()
    return hashlib.sha1(b"blob %d\0" % len(data) + data).hexdigest()


def commit_of(folder: pathlib.Path) -> str:
    """The commit: a hash over names and contents."""
    text = "".join(f"{path.relative_to(folder)} {digest_of(path)}\n" for path in files_of(folder))
    return hashlib.sha1(text.encode()).hexdigest()


def tree(folder: pathlib.Path, sizes: dict[str, int]) -> list[dict[str, t.Any]]:
    """The files as ``/tree`` lists them."""
    listed = []
    for path in files_of(folder):
        name, digest = str(path.relative_to(folder)), digest_of(path)
        size = sizes.get(name, path.stat().st_size)
        entry: dict[str, t.Any] = {"type": "file", "path": name, "size": size, "oid": digest[:40]}
        if name.endswith(_LARGE):
            entry["lfs"] = {"oid": digest, "size": size, "pointerSize": 134}
        listed.append(entry)
    return listed


def described(repo: str, commit: str, listed: list[dict[str, t.Any]]) -> dict[str, t.Any]:
    """The repository as ``/revision`` describes it."""
    siblings = [
        {"rfilename": each["path"], "size": each["size"], "blobId": each["oid"]}
        | (
            {"lfs": {"sha256": each["lfs"]["oid"], "size": each["size"], "pointerSize": 134}}
            if "lfs" in each
            else {}
        )
        for each in listed
    ]
    known = {"private": False, "downloads": 0, "likes": 0, "tags": []}
    return {"_id": "0", "id": repo, "modelId": repo, "sha": commit, "siblings": siblings, **known}


def span(header: str | None, size: int) -> tuple[int, int]:
    """First and last byte of ``Range: bytes=a-b``; all of them without one."""
    found = re.fullmatch(r"bytes=(\d+)-(\d*)", header or "")
    if not found:
        return 0, size - 1
    return int(found[1]), min(size - 1, int(found[2])) if found[2] else size - 1


def main() -> None:
    """Serve until somebody ends it."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("root", type=pathlib.Path)
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--log", type=pathlib.Path, required=True)
    options = parser.parse_args()
    Hub(options.root, options.port, options.log).serve_forever()


if __name__ == "__main__":
    main()
