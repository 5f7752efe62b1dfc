from __future__ import annotations

import base64
import hashlib
import http.server
import json
import threading
import typing as t

import pytest

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._host.registry import (
    Layer,
    Registry,
    login_text,
)
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._plan.registries import Source

GZIP = "application/vnd.oci.image.layer.v1.tar+gzip"
MANIFEST = json.dumps(
    {
        "layers": [
            {"digest": "sha256:a", "size": 10, "mediaType": GZIP},
            {"digest": "sha256:b", "size": 20, "mediaType": "application/vnd.oci.image.layer.v1.tar"},
        ]
    }
).encode()


def digest_of(content: bytes) -> str:
    return "sha256:" + hashlib.sha256(content).hexdigest()


INDEX = json.dumps(
    {
        "manifests": [
            {"digest": "sha256:0", "platform": {"os": "unknown", "architecture": "unknown"}},
            {"digest": digest_of(MANIFEST), "platform": {"os": "linux", "architecture": "arm64"}},
        ]
    }
).encode()
LAYERS = [Layer("sha256:a", 10), Layer("sha256:b", 20, packed=False)]


class Handler(http.server.BaseHTTPRequestHandler):
    """Serves two manifests, to whom `way` wants to see."""

    way = "open"

    def do_GET(self) -> None:
        if self.path.startswith("/token"):
            right = self.headers.get("Authorization") == "Basic " + login_text("u", "p")
            return self.answer(200 if right else 401, b'{"token": "T"}')
        wanted = {"basic": "Basic " + login_text("u", "p"), "token": "Bearer T"}.get(self.way)
        if self.headers.get("Authorization") != wanted:
            return self.answer(401, b"")
        found = {digest_of(each): each for each in (MANIFEST, INDEX)}.get(self.path.rpartition("/")[2])
        if self.way == "lies":
            found = b"{}"
        return self.answer(200 if found else 404, found or b"")

    def answer(self, status: int, body: bytes) -> None:
        self.send_response(status)
        host = self.headers["Host"]
        wants = {
            "basic": 'Basic realm="test"',
            "token": f'Bearer realm="http://{host}/token",service="s",scope="repository:vllm/a:pull"',
        }
        if status == 401 and self.way in wants:
            self.send_header("WWW-Authenticate", wants[self.way])
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_words: t.Any) -> None:
        pass


@pytest.fixture
def server() -> t.Iterator[t.Callable[[str], Source]]:
    listening = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=listening.serve_forever, daemon=True).start()

    def source(way: str) -> Source:
        Handler.way = "open" if way == "none" else way
        return Source(f"127.0.0.1:{listening.server_port}/vllm/a", insecure=True)

    yield source
    listening.shutdown()
    listening.server_close()


def auth(source: Source, password: str = "p") -> dict[str, t.Any]:
    return {"auths": {source.location.partition("/")[0]: {"auth": login_text("u", password)}}}


@pytest.mark.parametrize("way", ["open", "basic", "token"])
def test_the_layers_are_told_whatever_the_registry_wants_to_see(
    server: t.Callable[[str], Source], way: str
) -> None:
    source = server(way)
    assert Registry(auth(source)).layers([source], digest_of(MANIFEST), "amd64") == LAYERS


def test_of_an_index_the_image_of_the_platform_is_meant(server: t.Callable[[str], Source]) -> None:
    source = server("open")
    assert Registry(None).layers([source], digest_of(INDEX), "arm64") == LAYERS
    assert Registry(None).layers([source], digest_of(INDEX), "amd64") is None


def test_a_mirror_that_does_not_answer_is_passed_over(server: t.Callable[[str], Source]) -> None:
    gone = Source("127.0.0.1:1/vllm/a", insecure=True)
    assert Registry(None).layers([gone, server("open")], digest_of(MANIFEST), "amd64") == LAYERS


@pytest.mark.parametrize(
    ("way", "password"),
    [("basic", "wrong"), ("token", "wrong"), pytest.param("lies", "p", id="another manifest than asked for")],
)
def test_figures_that_cannot_be_had_are_not_known(
    server: t.Callable[[str], Source], way: str, password: str
) -> None:
    source = server(way)
    assert Registry(auth(source, password), timeout=5).layers([source], digest_of(MANIFEST), "amd64") is None


def test_a_login_is_written_as_auth_files_hold_it() -> None:
    assert base64.b64decode(login_text("user", "p:ä")).decode() == "user:p:ä"
