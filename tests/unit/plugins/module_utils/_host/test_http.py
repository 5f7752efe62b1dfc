"""What a server answers is told apart from what it does not: silence, refusals, empty answers, another kind of model."""

from __future__ import annotations

import contextlib
import http.server
import json
import ssl
import subprocess
import threading
import typing as t
from pathlib import Path

import pytest

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._host.http import Server

COMPLETION = {"usage": {"completion_tokens": 4}, "choices": [{"text": "a b c d"}]}
MODELS = {"data": [{"id": "tiny"}, {"id": "adapter"}]}


class Answers(http.server.BaseHTTPRequestHandler):
    """Answers by path, and 401 to whoever does not bring the key, except for /health, as vLLM does."""

    server: Answering

    def do_GET(self) -> None:
        self.server.asked.append(self.path)
        self.rfile.read(int(self.headers.get("Content-Length") or 0))
        status, body = self.server.answers.get(self.path, (404, {"detail": "Not Found"}))
        key = self.server.key
        if key and self.path != "/health" and self.headers.get("Authorization") != f"Bearer {key}":
            status, body = 401, {"error": "Unauthorized"}
        if body is None:
            self.server.ended.wait(10)
            return
        text = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def do_POST(self) -> None:
        self.do_GET()

    def log_message(self, *_words: object) -> None:
        pass


class Answering(http.server.ThreadingHTTPServer):
    """A real server on loopback; what stands for None is never answered."""

    def __init__(self, answers: dict[str, tuple[int, t.Any]], key: str | None) -> None:
        super().__init__(("127.0.0.1", 0), Answers)
        self.answers, self.key = answers, key
        self.asked: list[str] = []
        self.ended = threading.Event()


@contextlib.contextmanager
def serving(
    answers: dict[str, tuple[int, t.Any]], key: str | None = None, certificate: Path | None = None
) -> t.Iterator[tuple[str, list[str]]]:
    """The server while it runs: its URL, and the paths it was asked."""
    server = Answering(answers, key)
    if certificate:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate)
        server.socket = context.wrap_socket(server.socket, server_side=True)
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    try:
        yield f"{'https' if certificate else 'http'}://127.0.0.1:{server.server_port}", server.asked
    finally:
        server.ended.set()
        server.shutdown()
        server.server_close()


def test_a_healthy_server_is_told_by_its_status() -> None:
    with serving({"/health": (200, b"")}) as (url, _asked):
        assert Server(url, 5).health().good
    with serving({"/health": (503, {"error": "dead"})}) as (url, _asked):
        answer = Server(url, 5).health()
        assert (answer.status, answer.good) == (503, False)


def test_a_port_that_nobody_listens_on_is_no_answer() -> None:
    with serving({}) as (url, _asked):
        pass
    answer = Server(url, 5).health()
    assert answer.status is None
    assert "refused" in str(answer.problem)


def test_a_server_that_never_answers_ends_with_the_time() -> None:
    with serving({"/v1/completions": (200, None)}) as (url, _asked):
        done = Server(url, 0.2).complete("tiny", "completion")
    assert (done.tokens, done.problem) == (0, "no answer in 0.2 s")


def test_the_served_names_are_the_ids_of_the_list() -> None:
    with serving({"/v1/models": (200, MODELS)}) as (url, _asked):
        assert Server(url, 5).served() == (("tiny", "adapter"), None)


@pytest.mark.parametrize(
    ("answer", "problem"),
    [
        ((401, {"error": "Unauthorized"}), 'HTTP 401: {"error": "Unauthorized"}'),
        ((200, b"<html>"), "HTTP 200 without JSON"),
        ((200, {"data": "tiny"}), "the answer holds no list `data`"),
    ],
)
def test_a_list_of_models_that_is_none_says_why(answer: tuple[int, t.Any], problem: str) -> None:
    with serving({"/v1/models": answer}) as (url, _asked):
        assert Server(url, 5).served() == (None, problem)


def test_the_version_is_what_the_server_says() -> None:
    with serving({"/version": (200, {"version": "0.26.0"})}) as (url, _asked):
        assert Server(url, 5).version() == "0.26.0"
    with serving({}) as (url, _asked):
        assert Server(url, 5).version() is None


def test_tokens_count_and_not_the_status() -> None:
    with serving({"/v1/completions": (200, COMPLETION)}) as (url, _asked):
        assert Server(url, 5).complete("tiny", "completion").tokens == 4
    with serving({"/v1/completions": (200, {"usage": {"completion_tokens": 0}})}) as (url, _asked):
        assert Server(url, 5).complete("tiny", "completion").tokens == 0


def test_auto_goes_on_to_the_kind_that_this_server_has() -> None:
    no_text = (400, {"error": {"message": "The model does not support Completions API"}})
    answers = {
        "/v1/completions": no_text,
        "/v1/chat/completions": no_text,
        "/v1/embeddings": (200, {"data": [{"embedding": [0.1]}]}),
    }
    with serving(answers) as (url, asked):
        done = Server(url, 5).complete("bert", "auto")
    assert (done.kind, done.tokens, done.problem) == ("embedding", 1, None)
    assert asked == ["/v1/completions", "/v1/chat/completions", "/v1/embeddings"]


def test_auto_does_not_hide_the_failure_of_a_server_that_has_completions() -> None:
    with serving({"/v1/completions": (500, {"error": "CUDA error"})}) as (url, asked):
        done = Server(url, 5).complete("tiny", "auto")
    assert done.problem == 'HTTP 500: {"error": "CUDA error"}'
    assert asked == ["/v1/completions"]


def test_a_kind_that_was_asked_for_is_the_only_one_tried() -> None:
    with serving({"/v1/completions": (200, COMPLETION)}) as (url, asked):
        done = Server(url, 5).complete("tiny", "chat")
    assert done.problem == 'HTTP 404: {"detail": "Not Found"}'
    assert asked == ["/v1/chat/completions"]


def test_a_server_that_wants_a_key_gets_it_and_only_then() -> None:
    asked_for: list[str] = []

    def find_key() -> str:
        asked_for.append("key")
        return "sk-right"

    with serving(
        {"/health": (200, b""), "/v1/models": (200, MODELS), "/v1/completions": (200, COMPLETION)}, "sk-right"
    ) as (
        url,
        _asked,
    ):
        server = Server(url, 5, find_key)
        assert server.health().good
        assert not asked_for
        assert server.served() == (("tiny", "adapter"), None)
        assert server.complete("tiny", "completion").tokens == 4
    assert asked_for == ["key"]


@pytest.mark.parametrize("key", [None, "sk-wrong"])
def test_a_key_that_is_missing_or_wrong_is_told(key: str | None) -> None:
    with serving({"/v1/models": (200, MODELS)}, "sk-right") as (url, _asked):
        assert Server(url, 5, lambda: key).served() == (None, 'HTTP 401: {"error": "Unauthorized"}')


def certificate(folder: Path, name: str) -> tuple[Path, Path]:
    """One that nobody else vouches for, with its key as a server takes it, and alone as a client does."""
    both, alone = folder / "server.pem", folder / "certificate.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", "/CN=server",
         "-addext", f"subjectAltName={name}", "-keyout", both, "-out", alone],
        check=True, capture_output=True,
    )  # fmt: skip
    both.write_text(both.read_text() + alone.read_text())
    return both, alone


def test_a_server_with_a_certificate_of_its_own_is_asked_by_https(tmp_path: Path) -> None:
    both, _alone = certificate(tmp_path, "DNS:llm.example.com")
    with serving({"/health": (200, b"")}, certificate=both) as (url, _asked):
        assert Server(url, 5).health().good


@pytest.mark.parametrize(
    ("name", "known", "good"),
    [("IP:127.0.0.1", True, True), ("IP:127.0.0.1", False, False), ("DNS:llm.example.com", True, False)],
)
def test_who_judges_certificates_gives_no_key_to_a_wrong_one(
    tmp_path: Path, name: str, known: bool, good: bool
) -> None:
    both, alone = certificate(tmp_path, name)
    trust = ssl.create_default_context(cafile=str(alone) if known else None)
    with serving({"/v1/models": (200, MODELS)}, "sk", both) as (url, asked):
        served, problem = Server(url, 5, lambda: "sk", trust).served()
    assert (served is not None) is good
    assert bool(asked) is good
    assert good or "certificate verify failed" in str(problem)


@pytest.mark.parametrize(
    ("key", "why"),
    [("k\n", "a line break"), (" k", "a blank"), ("k\tk", "a control character"), ("k…", "beyond Latin-1")],
)
def test_an_api_key_that_no_client_can_send_is_told_and_not_shown(key: str, why: str) -> None:
    with serving({"/v1/models": (200, MODELS)}, key="other") as (url, _asked):
        served, problem = Server(url, 5, lambda: key).served()
    assert served is None
    assert why in (problem or "")
    assert repr(key) not in (problem or "")
