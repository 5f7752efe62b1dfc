"""How large the layers of an image are, asked of its registry: Podman does not tell before it has pulled them.

Only for figures: where this cannot ask as Podman would (a mirror of the host's own, a helper for logins), the answer is
that they are not known.
"""

from __future__ import annotations

import base64
import dataclasses
import hashlib
import http.client
import json
import re
import ssl
import typing as t
import urllib.error
import urllib.parse
import urllib.request
from pathlib import Path

from .._plan.registries import Source

_MOST_BYTES = 4 << 20
_ACCEPT = (
    "application/vnd.oci.image.manifest.v1+json, application/vnd.docker.distribution.manifest.v2+json,"
    " application/vnd.oci.image.index.v1+json, application/vnd.docker.distribution.manifest.list.v2+json"
)
_CERTS = "/etc/containers/certs.d"
_UNAUTHORIZED = 401
_PROBLEMS = (OSError, http.client.HTTPException, ValueError, KeyError, TypeError, AttributeError)


@dataclasses.dataclass(frozen=True)
class Layer:
    """A layer as it travels."""

    digest: str
    size: int
    packed: bool = True


class Registry:
    """Asks for manifests; ``auth`` is the content of an auth file."""

    def __init__(self, auth: t.Mapping[str, t.Any] | None, timeout: float = 15) -> None:
        """Nothing is asked yet."""
        self._auths = (auth or {}).get("auths") or {}
        self._timeout = timeout

    def layers(self, sources: t.Iterable[Source], digest: str, architecture: str) -> list[Layer] | None:
        """The layers of an image by its digest, from the first source that tells; None where none does."""
        asked = (self._layers(source, digest, architecture) for source in sources)
        return next((layers for layers in asked if layers is not None), None)

    def _layers(self, source: Source, digest: str, architecture: str) -> list[Layer] | None:
        try:
            manifest = self._manifest(source, digest)
            if "manifests" in manifest:
                manifest = self._manifest(source, _for_platform(manifest, architecture))
            return [
                Layer(each["digest"], int(each["size"]), str(each["mediaType"]).endswith(("gzip", "zstd")))
                for each in manifest["layers"]
            ]
        except _PROBLEMS:
            return None

    def _manifest(self, source: Source, digest: str) -> dict[str, t.Any]:
        host, name = _address(source.location)
        scheme = "http" if source.insecure else "https"
        body = self._get(f"{scheme}://{host}/v2/{name}/manifests/{digest}", source)
        if "sha256:" + hashlib.sha256(body).hexdigest() != digest:
            raise ValueError("not the manifest that was asked for")
        content: dict[str, t.Any] = json.loads(body)
        return content

    def _get(self, url: str, source: Source, authorization: str | None = None) -> bytes:
        request = urllib.request.Request(url, headers={"Accept": _ACCEPT})
        wants = ""
        if authorization:
            request.add_unredirected_header("Authorization", authorization)
        try:
            with _opener(url).open(request, timeout=self._timeout) as answer:
                content: bytes = answer.read(_MOST_BYTES)
                return content
        except urllib.error.HTTPError as error:
            wants = error.headers.get("WWW-Authenticate", "")
            error.close()
            if error.code != _UNAUTHORIZED or authorization:
                raise
        return self._get(url, source, self._authorize(wants, source))

    def _authorize(self, wants: str, source: Source) -> str:
        """What the registry wants to see: the login itself, or a token that is had for it."""
        kind, _blank, rest = wants.partition(" ")
        login = self._login(source.location)
        if kind.lower() == "basic" and login:
            return f"Basic {login}"
        told = dict(re.findall(r'(\w+)="([^"]*)"', rest))
        query = urllib.parse.urlencode({key: told[key] for key in ("service", "scope") if key in told})
        request = urllib.request.Request(f"{told['realm']}?{query}")
        if login:
            request.add_unredirected_header("Authorization", f"Basic {login}")
        with _opener(told["realm"]).open(request, timeout=self._timeout) as answer:
            token = json.loads(answer.read(_MOST_BYTES))
        return f"Bearer {token.get('token') or token['access_token']}"

    def _login(self, location: str) -> str | None:
        """The longest entry of the auth file that fits."""
        fitting = [key for key in self._auths if location == key or location.startswith(key + "/")]
        best = max(fitting, key=len, default="")
        login = self._auths.get(best, {}).get("auth")
        return str(login) if login else None


def login_text(username: str, password: str) -> str:
    """A login as auth files hold it."""
    return base64.b64encode(f"{username}:{password}".encode()).decode()


def _address(location: str) -> tuple[str, str]:
    host, _slash, name = location.partition("/")
    if host != "docker.io":
        return host, name
    return "registry-1.docker.io", name if "/" in name else f"library/{name}"


def _for_platform(index: t.Mapping[str, t.Any], architecture: str) -> str:
    for each in index["manifests"]:
        platform = each.get("platform") or {}
        if platform.get("os") == "linux" and platform.get("architecture") == architecture:
            return str(each["digest"])
    raise ValueError("no image for this platform")


def _opener(url: str) -> urllib.request.OpenerDirector:
    """With the CAs of the system, and those that Podman knows for this registry."""
    if not url.startswith("https:"):
        return urllib.request.build_opener()
    context = ssl.create_default_context()
    for certificate in Path(_CERTS, urllib.parse.urlsplit(url).netloc).glob("*.crt"):
        context.load_verify_locations(certificate)
    return urllib.request.build_opener(urllib.request.HTTPSHandler(context=context))
