"""References of images, and the release that they name."""

from __future__ import annotations

import pytest

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._plan.image import (
    Reference,
    identity_of,
    parse_reference,
    pinned,
    release_of,
)

DIGEST = "sha256:" + "a" * 64
ID = "b" * 64


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("vllm", Reference("vllm", None, None)),
        ("vllm:v1", Reference("vllm", "v1", None)),
        ("lan:5000/a/vllm", Reference("lan:5000/a/vllm", None, None)),
        ("lan:5000/a/vllm:v1", Reference("lan:5000/a/vllm", "v1", None)),
        (f"a/vllm@{DIGEST}", Reference("a/vllm", None, DIGEST)),
        (f"a/vllm:v1@{DIGEST}", Reference("a/vllm", "v1", DIGEST)),
    ],
)
def test_a_reference_falls_into_name_tag_and_digest(text: str, expected: Reference) -> None:
    assert parse_reference(text) == expected


@pytest.mark.parametrize(
    ("image", "version", "release", "code"),
    [
        ("a/vllm:v0.26.0", None, "0.26.0", None),
        ("a/vllm:v0.26.0-cu129", None, "0.26.0", None),
        (f"a/vllm:v0.26.0@{DIGEST}", None, "0.26.0", None),
        ("a/vllm:latest", "0.26.0", "0.26.0", None),
        ("a/vllm:v0.26.0", "0.26", "0.26.0", None),
        (f"a/vllm@{DIGEST}", "v0.26.0", "0.26.0", None),
        ("a/vllm:v0.26.0", "0.25.0", "0.26.0", "version_contradicts_image"),
        ("a/vllm:latest", None, "latest", None),
        ("a/vllm:nightly-0a1b", None, "nightly-0a1b", None),
        ("a/vllm", None, None, None),
        (f"a/vllm@{DIGEST}", None, None, None),
        (None, "0.26.0", "0.26.0", None),
        (None, None, None, None),
    ],
)
def test_the_release_comes_from_the_tag_or_from_version_and_never_from_both(
    image: str | None, version: str | None, release: str | None, code: str | None
) -> None:
    found, findings = release_of(image, version, "vllm_defaults.version")
    assert found == release
    assert [finding.code for finding in findings] == ([code] if code else [])


def test_a_contradiction_is_an_error_at_the_place_of_version() -> None:
    _, (contradiction,) = release_of("a:v0.26.0", "0.25.0", "vllm_defaults.version")
    assert (contradiction.severity, contradiction.origin) == ("error", "vllm_defaults.version")


@pytest.mark.parametrize(
    ("image", "identity", "expected"),
    [
        ("a/vllm:v1", DIGEST, f"a/vllm@{DIGEST}"),
        ("a/vllm:v1", ID, ID),
        ("localhost/vllm:v1", "sha256:" + ID, ID),
        (f"a/vllm:v1@{DIGEST}", None, f"a/vllm@{DIGEST}"),
    ],
)
def test_a_unit_names_the_very_image_and_no_tag(image: str, identity: str | None, expected: str) -> None:
    assert pinned(image, identity) == expected


def test_a_digest_in_the_reference_is_an_identity_without_any_lookup() -> None:
    assert identity_of(f"a/vllm@{DIGEST}", {}) == DIGEST
    assert identity_of("a/vllm:v1", {"a/vllm:v1": DIGEST}) == DIGEST
    assert identity_of("a/vllm:v1", {}) is None
