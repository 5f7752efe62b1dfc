"""Secrets by name and version. The version tells one value from another without telling the value."""

from __future__ import annotations

import hashlib
import re

_BYTES = 4  # eight digits tell two versions apart; the salt keeps them from being guessed at


_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")


def why_unusable(value: str) -> str | None:
    """Why this cannot be the value that was meant; None where it can. What it holds is not told.

    A file or a vault block often ends with a line break, and a key with one is a key that no client can send.
    """
    if not value:
        return "it is empty"
    if value != value.strip():
        return "it begins or ends with a blank or a line break: write {{ … | trim }}"
    return "it holds a control character" if _CONTROL.search(value) else None


def why_no_key(key: str) -> str | None:
    """Why no client can send this as an API key; None where one can."""
    if why_unusable(key) or "\n" in key or "\t" in key:
        return "it holds a blank, a line break or a control character where none may be"
    try:
        key.encode("latin-1")
    except UnicodeEncodeError:
        return "it holds a letter beyond Latin-1"
    return None


def version_of(value: str, salt: bytes) -> str:
    """The version of this value on the host with this salt, as eight hexadecimal digits."""
    return hashlib.blake2b(value.encode(), key=salt, digest_size=_BYTES).hexdigest()


def secret_name(instance: str, key: str, version: str) -> str:
    """The Podman secret that holds this version of a secret for this instance."""
    return f"vllm-{instance}-{key}-{version}"
