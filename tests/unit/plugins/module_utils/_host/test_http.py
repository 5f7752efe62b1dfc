"""What a server answers is told apart from what it does not: silence, refusals, empty answers, another kind of model."""

from __future__ import annotations

import contextlib
import http.server
import json
import threading
import typing as t

import pytest

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._host.http import Server

COMPLETION = {"usage": {"completion_tokens": 4}, "choices": [{"text": "a b c d"}]}
MODELS = {"data": [{"id": "tiny"}, {"id": "adapter"}]}


@contextlib.contextmanager
def serving(answers: dict[str, tuple[int, t.Any]]) -> t.Iterator[tuple[str, list[str]]]:
    """A real HTTP server on loopback; what stands for None is never answered. Yields its URL and the paths it was asked."""
    asked: list[str] = []
    silence = threading.Event()

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            self.rfile.read(int(self.headers.get("Content-Length") or 0))
            status, body = answers.get(self.path, (404, {"detail": "Not Found"}))
            if body is None:
                silence.wait(10)
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

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", asked
    finally:
        silence.set()
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
