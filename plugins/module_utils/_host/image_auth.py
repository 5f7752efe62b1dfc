"""The auth file that a pull needs: never an argument of a program, never on a disk."""

from __future__ import annotations

import base64
import json
import shutil
import tempfile
import typing as t
from pathlib import Path

from .._release.secret import why_unusable
from .command import HostError, Run
from .registry import login_text
from .release_files import write

_OF_THE_HOST = ("/run/containers/0/auth.json", "~/.config/containers/auth.json", "~/.docker/config.json")
Login = t.Mapping[str, t.Any]  # location, and username with password or podman_secret, or auth_file


def auth_of(run: Run, logins: t.Sequence[Login]) -> dict[str, t.Any] | None:
    """The content of an auth file; None where no login is given, and Podman looks where it always does."""
    if not logins:
        return None
    auths: dict[str, t.Any] = {}
    for place in reversed(_OF_THE_HOST):
        auths.update(_auths(place) or {})
    for login in logins:
        auths.update(_of(run, login))
    return {"auths": auths}


def _of(run: Run, login: Login) -> dict[str, t.Any]:
    location = login["location"]
    if login.get("auth_file"):
        found = _auths(login["auth_file"])
        if found is None:
            raise HostError(
                f"the auth file {login['auth_file']} of {location} (vllm_registries) cannot be read"
            )
        return found
    password = login.get("password")
    why = why_unusable(password) if password else None
    if why:
        raise HostError(f"vllm_registries.{location}.password: {why}")
    if login.get("podman_secret"):
        password = _podman_secret(run, login["podman_secret"], location).rstrip("\n")
    return {location: {"auth": login_text(login["username"], password or "")}}


def _podman_secret(run: Run, name: str, location: str) -> str:
    """The value of a Podman secret. Podman shows it from 4.7 on; before, the file that it keeps them in is read."""
    done = run("podman", "secret", "inspect", "--showsecret", "--format", "{{.SecretData}}", name)
    if done.ok:
        return done.stdout
    if "unknown flag" not in done.said:
        raise HostError(f"the Podman secret {name} of {location} cannot be read: {done.said}")
    described = run("podman", "secret", "inspect", name)
    try:
        (secret,) = json.loads(described.stdout)
        store = Path(secret["Spec"]["Driver"]["Options"]["path"], "secretsdata.json")
        return base64.b64decode(json.loads(store.read_text(encoding="utf-8"))[secret["ID"]]).decode()
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise HostError(
            f"the Podman secret {name} of {location} cannot be read ({described.said if not described.ok else error}): this"
            " Podman is older than 4.7 and does not show it. Give password, a key of vllm_secrets, or an auth_file"
        ) from error


def _auths(path: str) -> dict[str, t.Any] | None:
    try:
        found = json.loads(Path(path).expanduser().read_text(encoding="utf-8")).get("auths") or {}
    except (OSError, ValueError, AttributeError):
        return None
    return found if isinstance(found, dict) else None


class AuthFile:
    """An auth file in memory for one question; its environment is empty where no login is given."""

    def __init__(self, auth: t.Mapping[str, t.Any] | None) -> None:
        """Nothing is written yet."""
        self._auth = auth
        self._folder: str | None = None

    def __enter__(self) -> dict[str, str]:
        """The environment that names the file."""
        if self._auth is None:
            return {}
        self._folder = tempfile.mkdtemp(prefix="vllm-fleet-", dir="/run")
        path = Path(self._folder, "auth.json")
        write(path, json.dumps(self._auth), mode=0o600)
        return {"REGISTRY_AUTH_FILE": str(path)}

    def __exit__(self, *_why: object) -> None:
        """Remove it."""
        if self._folder:
            shutil.rmtree(self._folder, ignore_errors=True)
