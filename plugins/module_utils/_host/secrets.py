"""Podman secrets of an instance: immutable, one for each version of a value, and never on a command line."""

from __future__ import annotations

import os
import typing as t
from pathlib import Path

from .._release.ownership import LABEL
from .._release.secret import version_of
from .command import HostError
from .release_files import write_bytes

if t.TYPE_CHECKING:
    from .command import Run

_SALT_BYTES = 32


def salt_of(state: str, make: bool) -> bytes | None:
    """The salt of this host, made when asked for; None where there is none yet, or only what a power cut left of one."""
    path = Path(state) / "salt"
    salt = path.read_bytes() if path.exists() else b""
    if len(salt) == _SALT_BYTES:
        return salt
    if not make:
        return None
    salt = os.urandom(_SALT_BYTES)
    write_bytes(path, salt, 0o600)
    return salt


def exists(run: Run, name: str) -> bool:
    """Whether Podman holds the secret."""
    return run("podman", "secret", "inspect", "--format", "{{.ID}}", name).ok


def create(run: Run, name: str, instance: str, value: str) -> None:
    """Create the secret; Podman reads its value from standard input."""
    labels = ("--label", f"{LABEL}.managed=true", "--label", f"{LABEL}.instance={instance}")
    done = run("podman", "secret", "create", *labels, name, "-", stdin=value)
    if not done.ok:
        raise HostError(f"podman cannot create the secret {name}: {done.said}", done)


def versions(values: t.Mapping[str, str], salt: bytes) -> dict[str, str]:
    """The version of each value by its key."""
    return {key: version_of(value, salt) for key, value in values.items()}
