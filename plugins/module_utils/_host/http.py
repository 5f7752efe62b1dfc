"""HTTP to a vLLM server from the host it runs on, with the standard library alone."""

from __future__ import annotations

import http.client
import json
import re
import socket
import ssl
import time
import typing as t
import urllib.error
import urllib.request

from .._release.gate import Answer, Completion
from .._release.secret import why_no_key

# Room for the answer of a server that says more than it should.
_MOST_BYTES = 1 << 20

_OK = 200
_UNAUTHORIZED = 401
_RUNNING = re.compile(r"^vllm:num_requests_running(?:\{[^}]*\})? (\S+)$", re.MULTILINE)
_PROMPT = "Hello"
_MOST_TOKENS = 8


class Server:
    """A vLLM server at a base URL such as ``http://127.0.0.1:8000``; each request ends after ``timeout`` seconds."""

    def __init__(
        self,
        url: str,
        timeout: float,
        find_key: t.Callable[[], str | None] = lambda: None,
        trust: ssl.SSLContext | None = None,
    ) -> None:
        """Reach the server without any proxy: it is on this host, or one that the inventory names.

        ``find_key`` is asked for the API key when the server wants one. ``trust`` judges its certificate; without it
        none is: on the host itself it is made out to the name that clients use, and nobody stands between.
        """
        self._url = url.rstrip("/")
        self._timeout = timeout
        self._find_key = find_key
        self._key: str | None = None
        handlers: list[urllib.request.BaseHandler] = [urllib.request.ProxyHandler({})]
        if self._url.startswith("https:"):
            handlers.append(urllib.request.HTTPSHandler(context=trust or ssl._create_unverified_context()))
        self._opener = urllib.request.build_opener(*handlers)

    def health(self) -> Answer:
        """GET /health."""
        status, _body, problem = self._request("/health")
        return Answer(status, problem)

    def served(self) -> tuple[tuple[str, ...] | None, str | None]:
        """The names of /v1/models, or None and why."""
        status, body, problem = self._request("/v1/models")
        if problem or not isinstance(body, dict):
            return None, problem or f"HTTP {status} without JSON"
        models = body.get("data")
        if not isinstance(models, list):
            return None, "the answer holds no list `data`"
        return tuple(str(model.get("id")) for model in models if isinstance(model, dict)), None

    def version(self) -> str | None:
        """The vLLM version as the server itself says it, None where it does not."""
        _status, body, _problem = self._request("/version")
        return str(body["version"]) if isinstance(body, dict) and "version" in body else None

    def running_requests(self) -> int | None:
        """How many requests run at this moment (``vllm:num_requests_running``); None where it does not say."""
        status, body, _problem = self._raw("/metrics", None)  # vLLM wants no key for it
        if status != _OK:
            return None
        text = body.decode(errors="replace")
        counts = [float(found.group(1)) for found in _RUNNING.finditer(text)]
        return int(sum(counts)) if counts else None

    def complete(self, model: str, kind: str) -> Completion:
        """One bounded request of the kind; ``auto`` takes the first kind that this server has."""
        kinds = tuple(KINDS) if kind == "auto" else (kind,)
        done = Completion(kinds[0], 0, 0.0, "not asked")
        for name in kinds:
            done, missing = self._complete(model, name)
            if not missing:
                break
        return done

    def _complete(self, model: str, kind: str) -> tuple[Completion, bool]:
        """The completion, and whether this server does not have that kind."""
        path, ask, count = KINDS[kind]
        began = time.monotonic()
        status, body, problem = self._request(path, {"model": model, **ask})
        seconds = time.monotonic() - began
        tokens = count(body) if not problem and isinstance(body, dict) else 0
        # 404: no such route; 400 and 501: vLLM's "The model does not support … API".
        return Completion(kind, tokens, seconds, problem), status in (400, 404, 405, 501)

    def _request(
        self, path: str, data: dict[str, t.Any] | None = None
    ) -> tuple[int | None, t.Any, str | None]:
        """As ``_once``; a server that wants an API key is asked once more, with the key."""
        answer = self._once(path, data)
        if answer[0] == _UNAUTHORIZED and self._key is None:
            key = self._find_key()
            why = why_no_key(key) if key else None
            if why:
                return (
                    answer[0],
                    None,
                    f"HTTP {_UNAUTHORIZED}, and no client can send the API key of this server: {why}",
                )
            self._key = key
            answer = self._once(path, data) if self._key else answer
        return answer

    def _once(self, path: str, data: dict[str, t.Any] | None) -> tuple[int | None, t.Any, str | None]:
        """Status, JSON body (None where there is none) and problem (None for 200)."""
        status, body, problem = self._raw(path, data)
        return status, None if problem else _json(body), problem

    def _raw(self, path: str, data: dict[str, t.Any] | None) -> tuple[int | None, bytes, str | None]:
        """Status, body and problem."""
        request = urllib.request.Request(self._url + path)
        if self._key:
            request.add_header("Authorization", f"Bearer {self._key}")
        if data is not None:
            request.data = json.dumps(data).encode()
            request.add_header("Content-Type", "application/json")
        try:
            with self._opener.open(request, timeout=self._timeout) as answer:
                return answer.status, answer.read(_MOST_BYTES), None
        except urllib.error.HTTPError as error:
            with error:
                return error.code, b"", f"HTTP {error.code}: {_first_line(error.read(_MOST_BYTES))}"
        except (OSError, http.client.HTTPException) as error:
            return None, b"", _why(error, self._timeout)


def _usage_tokens(body: dict[str, t.Any]) -> int:
    usage = body.get("usage")
    tokens = usage.get("completion_tokens") if isinstance(usage, dict) else None
    return tokens if isinstance(tokens, int) else 0


def _vectors(body: dict[str, t.Any]) -> int:
    data = body.get("data")
    return len(data) if isinstance(data, list) else 0


# Path, what to ask, how to count what came back. In the order in which ``auto`` tries them.
KINDS: dict[str, tuple[str, dict[str, t.Any], t.Callable[[dict[str, t.Any]], int]]] = {
    "completion": (
        "/v1/completions",
        {"prompt": _PROMPT, "max_tokens": _MOST_TOKENS, "temperature": 0},
        _usage_tokens,
    ),
    "chat": (
        "/v1/chat/completions",
        {"messages": [{"role": "user", "content": _PROMPT}], "max_tokens": _MOST_TOKENS, "temperature": 0},
        _usage_tokens,
    ),
    "embedding": ("/v1/embeddings", {"input": _PROMPT}, _vectors),
    "score": ("/score", {"text_1": _PROMPT, "text_2": _PROMPT}, _vectors),
}


def _json(body: bytes) -> t.Any:
    try:
        return json.loads(body)
    except ValueError:
        return None


def _first_line(body: bytes) -> str:
    text = body.decode(errors="replace").strip()
    return text.splitlines()[0][:300] if text else "no text"


def _why(error: Exception, timeout: float) -> str:
    reason = getattr(error, "reason", error)
    if isinstance(reason, (TimeoutError, socket.timeout)):
        return f"no answer in {timeout:g} s"
    return str(getattr(reason, "strerror", None) or reason or type(error).__name__)
