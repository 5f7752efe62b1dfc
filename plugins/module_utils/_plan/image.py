"""References of container images, and the release of vLLM that they name."""

from __future__ import annotations

import dataclasses
import re
import typing as t

from .._settings.finding import Finding
from .._settings.version import format_release, parse_release

KNOWN_AFTER_FETCH = "(known after fetch)"
UNKNOWN = "0-known-after-fetch-0"  # stands for it where a name may hold no blanks
_OFFICIAL = "vllm-openai"
_VARIANT = re.compile(r"cu\d{2,3}")
_ABOUT_CUDA = ("driver_older_than_image_cuda", "image_cuda_newer_than_driver")
_IMAGE_ID = re.compile(r"[0-9a-f]{64}")


@dataclasses.dataclass(frozen=True)
class Reference:
    """``name[:tag][@digest]``; the name holds the registry."""

    name: str
    tag: str | None
    digest: str | None


def parse_reference(text: str) -> Reference:
    """The parts of a reference. A colon before the last slash is a registry's port."""
    rest, _at, digest = text.partition("@")
    folder, slash, last = rest.rpartition("/")
    base, _colon, tag = last.partition(":")
    return Reference(folder + slash + base, tag or None, digest or None)


def pinned(image: str, identity: str | None) -> str:
    """What a unit names, so that it is this image and no later one of the same tag.

    ``identity`` is a registry's digest (``sha256:…``), or the ID of an image that has none: 64 hex digits, or any form
    of it where the image was made on the host (``localhost/…``).
    """
    reference = parse_reference(image)
    if reference.digest:
        return f"{reference.name}@{reference.digest}"
    if identity is None:
        return f"{reference.name}@{UNKNOWN}"
    image_id = identity.rpartition(":")[2]
    if _IMAGE_ID.fullmatch(image_id) and (image_id == identity or reference.name.startswith("localhost/")):
        return image_id
    return f"{reference.name}@{identity}"


def identity_of(image: str, digests: t.Mapping[str, str]) -> str | None:
    """The digest or ID that an image is known by; None before it was resolved."""
    return digests.get(image) or parse_reference(image).digest


def release_of(
    image: str | None, version: str | None, version_origin: str | None
) -> tuple[str | None, list[Finding]]:
    """The release of vLLM in an image, as text: its tag says it, or ``version`` where the tag tells nothing.

    A tag that names no release (`latest`) is returned as it is, and None where there is no tag.
    """
    tag = parse_reference(image).tag if image else None
    told = parse_release(tag) if tag else None
    if version is not None:
        given = parse_release(version)
        if told and given != told:
            return format_release(told), [_contradiction(version, told, image or "", version_origin)]
        return (format_release(given) if given else version), []
    return (format_release(told) if told else tag), []


def concerns_image(finding: Finding, image: str | None) -> bool:
    """Whether what is known of the official images holds for this one: others are built in their own ways."""
    reference = parse_reference(image or "")
    if reference.name.rpartition("/")[2] != _OFFICIAL:
        return False
    # A variant for CUDA 12 runs on older drivers than the image of the plain tag.
    return finding.code not in _ABOUT_CUDA or not _VARIANT.search(reference.tag or "")


def _contradiction(
    version: str, told: tuple[int, int, int], image: str, version_origin: str | None
) -> Finding:
    return Finding(
        "error",
        "plan",
        "version_contradicts_image",
        f"version is {version}, and the tag of {image} says {format_release(told)}",
        fix="remove version, or change the image",
        setting="version",
        value=version,
        origin=version_origin,
    )
