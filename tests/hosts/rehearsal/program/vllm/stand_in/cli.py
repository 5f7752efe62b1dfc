"""`vllm serve`: read the words, load, serve, stop, as the scenario says."""

from __future__ import annotations

import argparse
import dataclasses
import json
import os
import signal
import socket
import socketserver
import ssl
import sys
import threading
import time
import traceback
import typing as t
from pathlib import Path

from . import failures, loading, log, parser
from .metrics import Metrics
from .scenario import PHASES, ScenarioError, Source
from .server import App, Handler

DEFAULT_MODEL = "Qwen/Qwen3-0.6B"
DEFAULT_CONTEXT = 8192
DEFAULT_SLOTS = 256
_TERMINATED = (
    130  # what Python ends with when the signal comes as KeyboardInterrupt, as vLLM makes it while it loads
)
_LOOK_SECONDS = 0.1


@dataclasses.dataclass(frozen=True)
class Options:
    """What of the command line matters to a server that has no model."""

    model: str
    names: tuple[str, ...]
    context: int
    task: str
    keys: tuple[str, ...]
    adapters: tuple[dict[str, t.Any], ...]
    cache: dict[str, str]
    quiet: bool


def read(args: argparse.Namespace, environ: t.Mapping[str, str]) -> Options:
    """From the words that the parser took, and VLLM_API_KEY."""
    model = args.model_tag or getattr(args, "model", None) or DEFAULT_MODEL
    key = getattr(args, "api_key", None) or environ.get("VLLM_API_KEY")
    return Options(
        model=model,
        names=tuple(args.served_model_name or [model]),
        context=_context(args, model),
        task=_task(args),
        keys=tuple(key if isinstance(key, list) else [key] if key else []),
        adapters=tuple(getattr(args, "lora_modules", None) or ()),
        cache=_cache(args),
        quiet=bool(getattr(args, "disable_uvicorn_access_log", False)),
    )


def _context(args: argparse.Namespace, model: str) -> int:
    """--max-model-len, or the model's own where its files are here."""
    if (args.max_model_len or -1) > 0:
        return int(args.max_model_len)
    file = Path(model) / "config.json"
    config = json.loads(file.read_text()) if model.startswith("/") and file.is_file() else {}
    return int(config.get("max_position_embeddings", DEFAULT_CONTEXT))


def _task(args: argparse.Namespace) -> str:
    convert, runner = getattr(args, "convert", None), getattr(args, "runner", None)
    if convert == "classify":
        return "score"
    return "embed" if convert == "embed" or runner == "pooling" else "generate"


def _cache(args: argparse.Namespace) -> dict[str, str]:
    names = ("gpu_memory_utilization", "kv_cache_memory_bytes", "enable_prefix_caching")
    told = {name: str(getattr(args, name, None)) for name in names}
    blocks = {"block_size": "16", "num_gpu_blocks": "4096", "num_cpu_blocks": "None"}
    return {**told, **blocks, "cache_dtype": str(getattr(args, "kv_cache_dtype", "auto"))}


def listen(args: argparse.Namespace, handler: type[Handler]) -> socketserver.TCPServer:
    """Bind the port, long before anybody listens on it."""
    host = args.host or "0.0.0.0"
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    kind = type("_Server", (_Server,), {"address_family": family})
    server: socketserver.TCPServer = kind((host, args.port), handler, bind_and_activate=False)
    server.server_bind()
    if getattr(args, "ssl_certfile", None):
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(args.ssl_certfile, args.ssl_keyfile)
        server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
    return server


class _Server(socketserver.ThreadingTCPServer):
    allow_reuse_address = True
    daemon_threads = True
    request_queue_size = 128

    def handle_error(self, _request: t.Any, _client: t.Any) -> None:
        """A client that speaks no TLS, or leaves, is no news."""


class Program:
    """One life of the server."""

    def __init__(self, args: argparse.Namespace, source: Source, changed: dict[str, t.Any]) -> None:
        self._args = args
        self._source = source
        self._options = read(args, os.environ)
        self._changed = changed
        self._stopping = threading.Event()
        slots = int(getattr(args, "max_num_seqs", None) or DEFAULT_SLOTS)
        self._metrics = Metrics(self._options.names[0], slots)
        self._app = App(self._options, source, self._metrics, slots)

    def run(self) -> int:
        """Load, serve, stop."""
        signal.signal(signal.SIGTERM, self._terminated_early)
        signal.signal(signal.SIGINT, self._terminated_early)
        loading.banner(self._options.model, self._changed)
        server = listen(self._args, type("_Handler", (Handler,), {"app": self._app}))
        self._load()
        signal.signal(signal.SIGTERM, lambda *_: self._stopping.set())
        signal.signal(signal.SIGINT, lambda *_: self._stopping.set())
        server.server_activate()
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.1}, daemon=True).start()
        self._announce()
        self._watch()
        self._stop()
        server.server_close()
        return 0

    def _terminated_early(self, *_: t.Any) -> None:
        time.sleep(self._source.now().stop_seconds)
        failures.end(_TERMINATED)

    def _load(self) -> None:
        self._find_model()
        scenario = failures.check(self._source.now())
        if failures.phase_of(scenario) == "config":
            failures.fail(scenario, "config")
        work = loading.Loading(self._options.model, self._options.context, scenario.load_seconds)
        for phase in PHASES[2:-1]:
            if failures.phase_of(scenario) == phase:
                work.run(phase, whole=False)
                failures.fail(scenario, phase)
            if phase == "capture" and getattr(self._args, "enforce_eager", False):
                continue
            work.run(phase)
            while self._source.now().hang == "load":
                time.sleep(_LOOK_SECONDS)

    def _find_model(self) -> None:
        model = self._options.model
        if model.startswith("/") and not Path(model).exists():
            log.raw(
                f"OSError: Repo id must be in the form 'repo_name' or 'namespace/repo_name': '{model}'."
                " Use `repo_type` argument if needed.\n"
            )
            failures.end(1)

    def _announce(self) -> None:
        scheme = "https" if getattr(self._args, "ssl_certfile", None) else "http"
        log.api("entry.py:136", f"Supported tasks: ['{self._app.task}']")
        log.api(
            "entry.py:140",
            f"Starting vLLM server on {scheme}://{self._args.host or '0.0.0.0'}:{self._args.port}",
        )
        log.uvicorn(f"Started server process [{os.getpid()}]")
        log.uvicorn("Waiting for application startup.")
        log.uvicorn("Application startup complete.")

    def _watch(self) -> None:
        """Until somebody stops it, or the scenario lets it die."""
        healthy = time.monotonic()
        while not self._stopping.wait(_LOOK_SECONDS):
            scenario = self._source.now()
            due = time.monotonic() - healthy >= scenario.fail_after
            if scenario.fail in failures.FAILURES and due and scenario.fail_at in ("", "serving"):
                failures.fail(scenario, "serving")

    def _stop(self) -> None:
        time.sleep(self._source.now().stop_seconds)
        timeout = int(getattr(self._args, "shutdown_timeout", 0) or 0)
        log.api("launcher.py:254", "[shutdown] API server: shutdown triggered")
        mode = "drain" if timeout else "abort"
        log.api(
            "launcher.py:270", f"[shutdown] API server: stopping engine client mode={mode} timeout={timeout}s"
        )
        self._app.draining.set()
        if timeout:
            text = f"draining in-flight requests count={self._metrics.open_requests} timeout={timeout}s"
            log.core("core.py:1655", f"[shutdown] EngineCore: {text}")
        until = time.monotonic() + timeout
        while self._metrics.open_requests and time.monotonic() < until:
            time.sleep(0.02)
        self._app.aborting.set()
        log.core(
            "core.py:1666", "[shutdown] EngineCore: request processing complete; starting resource teardown"
        )
        log.api("launcher.py:304", "[shutdown] API server: shutting down FastAPI HTTP server")
        until = time.monotonic() + 1
        while self._metrics.open_requests and time.monotonic() < until:
            time.sleep(0.02)
        for line in ("Shutting down", "Waiting for application shutdown.", "Application shutdown complete."):
            log.uvicorn(line)


def changed(args: argparse.Namespace, defaults: argparse.Namespace) -> dict[str, t.Any]:
    """What differs from the defaults, for the log."""
    return {
        name: value
        for name, value in vars(args).items()
        if name != "subparser" and value != getattr(defaults, name, None)
    }


def main() -> int:
    """The program `vllm`."""
    try:
        source = Source(os.environ)
        scenario = failures.check(source.now())
    except ScenarioError as error:
        print(f"rehearsal: REHEARSAL: {error}", file=sys.stderr)
        return 2
    if failures.phase_of(scenario) == "parse":
        failures.fail(scenario, "parse")
    root = parser.serve_parser()
    args = root.parse_args()
    try:
        return Program(args, source, changed(args, root.parse_args(["serve"]))).run()
    except OSError:
        traceback.print_exc()  # as vLLM: the port is taken, the certificate is not there
        return 1
