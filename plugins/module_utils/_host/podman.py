"""Podman on this host: its version and its images."""

from __future__ import annotations

import dataclasses
import json
import re
import typing as t

from .command import HostError, Run

Version = tuple[int, int, int]

_VERSION = re.compile(r"(\d+)\.(\d+)(?:\.(\d+))?")


@dataclasses.dataclass(frozen=True)
class Image:
    """An image that is on this host.

    ``identity`` tells whether two hosts have the same: the registry's digest where there is one, else the image's ID
    (an image made here or loaded from an archive has no registry).
    """

    reference: str
    id: str
    digest: str | None
    identity: str
    size_bytes: int | None = None


def parse_version(text: str) -> Version | None:
    """(5, 4, 2) from ``5.4.2``, ``4.9.4-rhel`` or ``podman version 5.8.0-dev``."""
    found = _VERSION.search(text)
    if not found:
        return None
    major, minor, patch = found.groups(default="0")
    return int(major), int(minor), int(patch)


def version(run: Run) -> Version | None:
    """The version of Podman; None where there is none."""
    completed = run("podman", "--version")
    if completed.rc == 127:
        return None
    found = parse_version(completed.stdout)
    if not completed.ok or found is None:
        raise HostError(f"podman does not say its version: {completed.said}", completed)
    return found


def image(run: Run, reference: str) -> Image | None:
    """An image by any of its names; None where this host does not have it."""
    exists = run("podman", "image", "exists", reference)
    if exists.rc == 1:
        return None
    if not exists.ok:
        raise HostError(f"podman cannot look for the image {reference}: {exists.said}", exists)
    completed = run("podman", "image", "inspect", reference)
    try:
        found = parse_image(reference, completed.stdout)
    except (ValueError, KeyError, IndexError, TypeError, AttributeError) as error:
        raise HostError(
            f"podman does not describe the image {reference}: {completed.said}", completed
        ) from error
    return found


def parse_image(reference: str, inspected: str) -> Image:
    """What ``podman image inspect`` says of one image."""
    data: dict[str, t.Any] = json.loads(inspected)[0]
    id_ = "sha256:" + data["Id"].split(":")[-1]
    digest = _registry_digest(reference, data)
    return Image(reference, id_, digest, digest or id_, data.get("Size"))


def _registry_digest(reference: str, data: t.Mapping[str, t.Any]) -> str | None:
    """The digest under which a registry knows it: of the reference itself, else of the repository it names."""
    if "@" in reference:
        return reference.partition("@")[2]
    if reference.startswith("localhost/"):
        return None
    repository = re.sub(r":[^/:]*$", "", reference)
    known = [
        each.partition("@")[2]
        for each in data.get("RepoDigests") or []
        if each.partition("@")[0] == repository
    ]
    if data.get("Digest") in known:
        return str(data["Digest"])
    return known[0] if known else None
