"""HTTP as vLLM's server speaks it."""

from __future__ import annotations

import http.server
import json
import threading
import time
import typing as t

from . import answers, log
from .release import VERSION
from .requests import Refused, Request

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

    def wait(self, seconds: float) -> None:
        """For a token; as long as the scenario lets requests hang, and not beyond an abort."""
        until = time.monotonic() + seconds
        while time.monotonic() < until or self.source.now().hang == "tokens":
            if self.aborting.wait(min(0.05, max(0.0, until - time.monotonic()) or 0.05)):
                raise Refused(500, "EngineCore encountered an issue. See stack trace (above) for the root cause.")

    def wait_for_token(self) -> None:
        """The time that one token takes."""
        pace = self.source.now().tokens_per_second
        self.wait(1 / pace if pace > 0 else 0.0)


class Handler(http.server.BaseHTTPRequestHandler):
    """One connection."""

    protocol_version = "HTTP/1.1"
    server_version, sys_version = "uvicorn", ""
    app: App

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

    def do_GET(self) -> None:  # noqa: N802
        """GET."""
        self._handle("GET")

    def do_POST(self) -> None:  # noqa: N802
        """POST."""
        self._handle("POST")

    def _handle(self, method: str) -> None:
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
                raise Refused(500, _NO_NEW)
            else:
                self._run(request)
        except Refused as refused:
            self._json(refused.status, refused.body)

    def _run(self, request: Request) -> None:
        """Through the engine, counted."""
        metrics, began = self.app.metrics, time.monotonic()
        metrics.began()
        reason, first, made = "error", 0.0, 0
        try:
            with self.app.slots:
                tokens = request.tokens()
                for made, _token in enumerate(tokens, start=1):
                    self.app.wait_for_token()
                    first = first or time.monotonic() - began
                    if request.stream:
                        self._stream(request, made, tokens)
            if not request.stream:
                self._json(200, request.body(tokens))
            reason = "length"
        except (BrokenPipeError, ConnectionResetError):
            reason, self.close_connection = "abort", True
        finally:
            metrics.ended(reason, request.prompt_tokens, made, first, time.monotonic() - began)

    def _stream(self, request: Request, made: int, tokens: list[str]) -> None:
        if made == 1:
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream; charset=utf-8")
            self.send_header("Transfer-Encoding", "chunked")
            self.end_headers()
            request.begin_stream(tokens)
        for event in request.events(made, len(tokens)):
            data = f"data: {event}\n\n".encode()
            self.wfile.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")
        if made == len(tokens):
            self.wfile.write(b"0\r\n\r\n")

    def _json(self, status: int, body: Body, headers: t.Mapping[str, str] | None = None) -> None:
        self._send(status, json.dumps(body, separators=(",", ":")).encode(), "application/json", headers)

    def _send(self, status: int, data: bytes, kind: str | None, headers: t.Mapping[str, str] | None = None) -> None:
        self.send_response(status)
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(data)))
        if kind:
            self.send_header("Content-Type", kind)
        self.end_headers()
        self.wfile.write(data)
