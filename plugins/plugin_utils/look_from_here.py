"""The gate as the control node sees it: the same questions, asked over the network."""

from __future__ import annotations

import ssl
import time
import typing as t
from urllib.parse import urlsplit

from ..module_utils._host.http import Server

_REQUEST_SECONDS = 30
_PAUSE_SECONDS = 1


def look(
    gates: t.Mapping[str, t.Mapping[str, t.Any]],
    address: str,
    key_of: t.Callable[[str], str | None],
    seconds: float,
    trust: ssl.SSLContext | None = None,
) -> tuple[bool, str, str]:
    """Whether all of them serve, else who does not and why. ``address`` is the host's, as it is reached from here.

    ``trust`` judges their certificates; None trusts any, and whoever stands between could read the API key.
    """
    until = time.monotonic() + seconds
    for name, wanted in gates.items():
        server = Server(
            _url(str(wanted["url"]), address), _REQUEST_SECONDS, lambda name=name: key_of(name), trust
        )
        problem = _problem(server, wanted)
        while problem and time.monotonic() < until:
            time.sleep(_PAUSE_SECONDS)
            problem = _problem(server, wanted)
        if problem:
            return False, name, problem
    return True, "", "it serves"


def _problem(server: Server, wanted: t.Mapping[str, t.Any]) -> str | None:
    served, problem = server.served()
    if served is None:
        return f"/v1/models: {problem}"
    if set(served) != set(wanted["served_names"]):
        return f"it serves {', '.join(served)}, planned is {', '.join(wanted['served_names'])}"
    done = server.complete(str(wanted["served_names"][0]), str(wanted.get("kind") or "auto"))
    return done.problem or (None if done.tokens else "an empty answer")


def _url(url: str, address: str) -> str:
    parts = urlsplit(url)
    host = f"[{address}]" if ":" in address else address
    return f"{parts.scheme}://{host}:{parts.port}"
