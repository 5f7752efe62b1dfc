"""What a release is known by: not its text, but what it asks for."""

from __future__ import annotations

import hashlib
import json
import typing as t

Intent = dict[str, t.Any]


def make_intent(
    argv: t.Sequence[str],
    image: str,
    devices: t.Sequence[str],
    mounts: t.Sequence[str],
    env: t.Mapping[str, str],
    secrets: t.Mapping[str, str],
    limits: t.Mapping[str, t.Any],
    network: t.Mapping[str, t.Any],
    security: t.Mapping[str, t.Any],
    container: t.Mapping[str, t.Any],
) -> Intent:
    """The parts of an intent. ``image`` is its identity, ``secrets`` hold versions and no values."""
    return {
        "argv": list(argv),
        "image": image,
        "devices": list(devices),
        "mounts": list(mounts),
        "env": dict(env),
        "secrets": dict(secrets),
        "limits": _said(limits),
        "network": _said(network),
        "security": _said(security),
        "container": _said(container),
    }


def _said(part: t.Mapping[str, t.Any]) -> dict[str, t.Any]:
    """Without what is not asked for: a key that a later version of this collection brings is no other intent."""
    return {key: value for key, value in part.items() if value is not None and value is not False}


def hash_of(intent: Intent) -> str:
    """SHA-256 over canonical JSON.

    Every part has its name in the hash, so that no value can pass for one of another part. The order of argv, devices
    and mounts is part of the intent, that of keys is not.
    """
    text = json.dumps(intent, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()
