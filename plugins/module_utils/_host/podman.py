"""Podman on this host: its version and its images."""

from __future__ import annotations

import dataclasses
import json
import re
import typing as t

from .._release.ownership import LABEL
from .command import HostError, Run

Version = tuple[int, int, int]

_VERSION = re.compile(r"(\d+)\.(\d+)(?:\.(\d+))?")


@dataclasses.dataclass(frozen=True)
class Image:
    """An image that is on this host.

    ``identity`` tells whether two hosts have the same: the registry's digest (``sha256:…``) where there is one, else the
    64 digits of the image's ID, for an image made here or loaded from an archive has no registry.
    """

    id: str
    identity: str


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


def images(run: Run) -> dict[str, Image]:
    """Every image on this host by each of its names, with tag or with digest."""
    completed = run("podman", "images", "--format", "json")
    try:
        return parse_images(completed.stdout)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise HostError(f"podman does not list its images: {completed.said}", completed) from error


def parse_images(listed: str) -> dict[str, Image]:
    """What ``podman images --format json`` says."""
    found: dict[str, Image] = {}
    for each in json.loads(listed) or []:
        names = [*(each.get("Names") or each.get("RepoTags") or []), *(each.get("RepoDigests") or [])]
        found.update({name: _image(name, each) for name in names})
    return found


def is_foreign_container(run: Run, name: str) -> bool:
    """Whether there is a container of that name which does not carry our label; a unit's start would replace it."""
    label = '{{index .Config.Labels "' + LABEL + '.managed"}}'
    done = run("podman", "container", "inspect", "--format", label, name)
    return done.ok and done.stdout.strip() != "true"


def image(run: Run, reference: str) -> Image | None:
    """An image by any reference that Podman understands, a short one too; None where this host does not have it."""
    exists = run("podman", "image", "exists", reference)
    if exists.rc == 1:
        return None
    if not exists.ok:
        raise HostError(f"podman cannot look for the image {reference}: {exists.said}", exists)
    completed = run("podman", "image", "inspect", reference)
    try:
        return _image(reference, json.loads(completed.stdout)[0])
    except (ValueError, KeyError, IndexError, TypeError, AttributeError) as error:
        raise HostError(
            f"podman does not describe the image {reference}: {completed.said}", completed
        ) from error


def _image(reference: str, described: t.Mapping[str, t.Any]) -> Image:
    id_ = described["Id"].split(":")[-1]
    return Image(id_, _registry_digest(reference, described) or id_)


def _registry_digest(reference: str, described: t.Mapping[str, t.Any]) -> str | None:
    """The digest under which a registry knows it: of the reference itself, else of the repository it names."""
    if "@" in reference:
        return reference.partition("@")[2]
    if reference.startswith("localhost/"):
        return None
    repository = re.sub(r":[^/:]*$", "", reference)
    pairs = [each.partition("@") for each in described.get("RepoDigests") or []]
    known = [digest for name, _at, digest in pairs if name == repository]
    if described.get("Digest") in known:
        return str(described["Digest"])
    return known[0] if known else None
