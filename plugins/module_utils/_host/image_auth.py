"""The auth file that a pull needs: never an argument of a program, never on a disk."""

from __future__ import annotations

import json
import shutil
import tempfile
import typing as t
from pathlib import Path

from .command import HostError, Run
from .image_job import write_auth
from .registry import login_text

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
    if login.get("podman_secret"):
        name = login["podman_secret"]
        done = run("podman", "secret", "inspect", "--showsecret", "--format", "{{.SecretData}}", name)
        if not done.ok:
            raise HostError(f"the Podman secret {name} of {location} cannot be read: {done.stderr.strip()}")
        password = done.stdout.rstrip("\n")
    return {location: {"auth": login_text(login["username"], password or "")}}


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
        return {"REGISTRY_AUTH_FILE": write_auth(Path(self._folder), self._auth)}

    def __exit__(self, *_why: object) -> None:
        """Remove it."""
        if self._folder:
            shutil.rmtree(self._folder, ignore_errors=True)
