"""What a release is known by: not its text, but what it asks for."""

from __future__ import annotations

import hashlib
import json
import typing as t


def intent_hash(
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
) -> str:
    """SHA-256 over canonical JSON. ``image`` is its identity, ``secrets`` hold versions and no values.

    Every part has its name in the hash, so that no value can pass for one of another part. The order of argv, devices
    and mounts is part of the intent, that of keys is not.
    """
    intent = {
        "argv": list(argv),
        "image": image,
        "devices": list(devices),
        "mounts": list(mounts),
        "env": dict(env),
        "secrets": dict(secrets),
        "limits": dict(limits),
        "network": dict(network),
        "security": dict(security),
        "container": dict(container),
    }
    text = json.dumps(intent, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()
