"""Secrets by name and version. The version tells one value from another without telling the value."""

from __future__ import annotations

import hashlib

_BYTES = 4  # eight digits tell two versions apart; the salt keeps them from being guessed at


def version_of(value: str, salt: bytes) -> str:
    """The version of this value on the host with this salt, as eight hexadecimal digits."""
    return hashlib.blake2b(value.encode(), key=salt, digest_size=_BYTES).hexdigest()


def secret_name(instance: str, key: str, version: str) -> str:
    """The Podman secret that holds this version of a secret for this instance."""
    return f"vllm-{instance}-{key}-{version}"
