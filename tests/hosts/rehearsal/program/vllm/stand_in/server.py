"""HTTP as vLLM's server speaks it."""

from __future__ import annotations

import http.server
import json
import select
import socket
import ssl
import threading
import time
import typing as t

from . import answers, log
from .release import VERSION
from .requests import RefusedError, Request

if t.TYPE_CHECKING:
    from .answers import Body
    from .metrics import Metrics
    from .scenario import Source

GUARDED = ("/v1", "/v2", "/inference", "/cohere")
_BOTH = {"/ping": ("GET", "POST")}
_COMMON = ("/health", "/version", "/v1/models", "/metrics", "/load", "/ping")
_POSTS = {
    "generate": ("/v1/chat/completions", "/v1/completions"),
    "embed": ("/v1/embeddings", "/pooling", "/score", "/v1/score", "/rerank", "/v1/rerank", "/v2/rerank"),
    "score": ("/pooling", "/score", "/v1/score", "/rerank", "/v1/rerank", "/v2/rerank"),
}
_LOOK_SECONDS = 0.05
_NO_NEW = "cannot schedule new futures after shutdown"


class App:
    """What the requests share."""

    def __init__(self, options: t.Any, source: Source, metrics: Metrics, slots: int) -> None:
        """`options`: what the command line came to (cli.Options)."""
        self.options = options
        self.source = source
        self.metrics = metrics
        self.slots = threading.Semaphore(slots)
        self.draining = threading.Event()
        self.aborting = threading.Event()

    @property
    def names(self) -> tuple[str, ...]:
        """The served names, perhaps not those that were asked for."""
        return tuple(self.source.now().serve_as.split()) or t.cast("tuple[str, ...]", self.options.names)

    @property
    def task(self) -> str:
        """What the model can do."""
        return self.source.now().task or t.cast(str, self.options.task)

    def methods(self, path: str) -> tuple[str, ...]:
        """The methods of a route; none where there is no such route."""
        if path in _COMMON:
            return _BOTH.get(path, ("GET",))
        return ("POST",) if path in (*_POSTS[self.task], "/tokenize", "/detokenize") else ()

    def take_slot(self, is_over: t.Callable[[], bool]) -> bool:
        """Wait for a place in the batch; False where the request is over before."""
        while not self.slots.acquire(timeout=_LOOK_SECONDS):
            if self.aborting.is_set() or is_over():
                return False
        return True

    def wait_for_token(self, is_over: t.Callable[[], bool]) -> bool:
        """The time that one token takes, or as long as the scenario lets it hang; False where the request is over before."""
        pace = self.source.now().tokens_per_second
        until = time.monotonic() + (1 / pace if pace > 0 else 0.0)
        while self.source.now().hang == "tokens" or time.monotonic() < until:
            left = until - time.monotonic()
            if self.aborting.wait(min(_LOOK_SECONDS, left) if left > 0 else _LOOK_SECONDS) or is_over():
                return False
        return not self.aborting.is_set()


class Handler(http.server.BaseHTTPRequestHandler):
    """One connection."""

    protocol_version = "HTTP/1.1"
    server_version, sys_version = "uvicorn", ""
    app: App
    _streaming = False

    def version_string(self) -> str:
        """As uvicorn names itself."""
        return self.server_version

    def log_request(self, code: t.Any = "-", _size: t.Any = "-") -> None:
        """An access line, unless it is switched off."""
        if not self.app.options.quiet:
            host, port = self.client_address[:2]
            log.uvicorn(f'{host}:{port} - "{self.requestline}" {int(code)} {self.responses[int(code)][0]}')

    def log_error(self, *_arguments: t.Any) -> None:
        """What a client does wrong is its own affair."""

    def do_GET(self) -> None:
        """GET."""
        self._handle("GET")

    def do_POST(self) -> None:
        """POST."""
        self._handle("POST")

    def _handle(self, method: str) -> None:
        self._streaming = False
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        path = self.path.partition("?")[0]
        methods = self.app.methods(path)
        if path.startswith(GUARDED) and not self._knows_key():
            self._json(401, {"error": "Unauthorized"})
        elif not methods:
            self._json(404, {"detail": "Not Found"})
        elif method not in methods:
            self._json(405, {"detail": "Method Not Allowed"}, {"Allow": ", ".join(methods)})
        elif path in _COMMON:
            self._tell(path)
        else:
            self._answer(path, body)

    def _knows_key(self) -> bool:
        scheme, _space, key = (self.headers.get("Authorization") or "").partition(" ")
        return not self.app.options.keys or (scheme.lower() == "bearer" and key in self.app.options.keys)

    def _tell(self, path: str) -> None:
        app = self.app
        if path in ("/health", "/ping"):
            while app.source.now().hang == "health" and not app.aborting.wait(0.1):
                pass
            self._send(app.source.now().health, b"", None)
        elif path == "/version":
            self._json(200, {"version": VERSION})
        elif path == "/v1/models":
            root = app.source.now().root or app.options.model
            self._json(200, answers.models(app.names, app.options.adapters, root, app.options.context))
        elif path == "/load":
            self._json(200, {"server_load": app.metrics.open_requests})
        else:
            text = app.metrics.text(app.options.cache)
            self._send(200, text.encode(), "text/plain; version=1.0.0; charset=utf-8")

    def _answer(self, path: str, body: bytes) -> None:
        try:
            request = Request(self.app, path, body)
            if path in ("/tokenize", "/detokenize"):
                self._json(200, request.tokenized())
            elif self.app.draining.is_set():
                self._json(500, answers.error(500, _NO_NEW))
            else:
                self._run(request)
        except RefusedError as refused:
            self._json(refused.status, refused.body)

    def _run(self, request: Request) -> None:
        """Through the engine, counted."""
        metrics, began, tokens = self.app.metrics, time.monotonic(), request.tokens()
        metrics.began()
        made, reason, first = 0, "", 0.0

        def count(ended: str) -> None:
            metrics.ended(ended, request.prompt_tokens, made, first, time.monotonic() - began)

        try:
            for made in self._made(tokens):
                first = first or time.monotonic() - began
                if request.stream:
                    self._stream(request, tokens[made - 1], made, "length" if made == len(tokens) else None)
            reason = "length" if made == len(tokens) else "abort"
            count(reason)  # before the answer is sent: who has it may ask for the metrics at once
            if not request.stream:
                self._json(200, request.body(tokens[:made], reason))
            elif reason == "abort":
                self._stream(request, "", made, reason)
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True
        finally:
            if not reason:
                count("abort")
            metrics.left()

    def _made(self, tokens: list[str]) -> t.Iterator[int]:
        """How many tokens there are, each time there is one more; it ends early when the server stops."""
        if not self.app.take_slot(self._is_left):
            return
        try:
            for made, _token in enumerate(tokens, start=1):
                if not self.app.wait_for_token(self._is_left):
                    return
                yield made
        finally:
            self.app.slots.release()

    def _is_left(self) -> bool:
        """Whether the client has closed the connection; behind TLS that cannot be seen."""
        if isinstance(self.connection, ssl.SSLSocket) or not select.select([self.connection], [], [], 0)[0]:
            return False
        try:
            return not self.connection.recv(1, socket.MSG_PEEK)
        except OSError:
            return True

    def _stream(self, request: Request, token: str, made: int, reason: str | None) -> None:
        if not self._streaming:
            self._streaming = True
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream; charset=utf-8")
            self.send_header("Transfer-Encoding", "chunked")
            self.end_headers()
        data = request.event(token, made, reason).encode()
        self.wfile.write(f"{len(data):x}\r\n".encode() + data + b"\r\n" + (b"0\r\n\r\n" if reason else b""))

    def _json(self, status: int, body: Body, headers: t.Mapping[str, str] | None = None) -> None:
        self._send(status, json.dumps(body, separators=(",", ":")).encode(), "application/json", headers)

    def _send(
        self, status: int, data: bytes, kind: str | None, headers: t.Mapping[str, str] | None = None
    ) -> None:
        self.send_response(status)
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(data)))
        if kind:
            self.send_header("Content-Type", kind)
        self.end_headers()
        self.wfile.write(data)
