"""Which image a tag names at this moment, for the platform of this host."""

from __future__ import annotations

import hashlib
import json
import typing as t

from .command import Run
from .image_words import Trouble, explain

_SECONDS = "60"


def resolve(run: Run, reference: str, env: t.Mapping[str, str]) -> tuple[str | None, Trouble | None]:
    """The digest, or why it cannot be had.

    Podman itself asks, so that its mirrors, certificates and logins count: it notes the image in a list of images, and
    the list, which nobody else sees, goes again. Nothing else is downloaded.
    """
    name = f"localhost/vllm-fleet-ask:{hashlib.sha256(reference.encode()).hexdigest()[:12]}"
    run("podman", "manifest", "rm", name)
    made = run("podman", "manifest", "create", name)
    if not made.ok:
        return None, explain(made.said)
    try:
        added = run("timeout", _SECONDS, "podman", "manifest", "add", name, f"docker://{reference}", env=env)
        if added.rc == 124:
            return None, explain(f"no answer in {_SECONDS} s")
        if not added.ok:
            return None, explain(added.said)
        listed = run("podman", "manifest", "inspect", name)
        return str(json.loads(listed.stdout)["manifests"][0]["digest"]), None
    except (ValueError, KeyError, IndexError, TypeError) as problem:
        return None, explain(f"podman does not tell the digest of {reference}: {problem}")
    finally:
        run("podman", "manifest", "rm", name)
