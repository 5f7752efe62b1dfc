from __future__ import annotations

import pytest

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._host.image_words import CODES, explain

# As Podman 5.4.2 said them, on a host with Debian's docker-registry.
SAID = [
    (
        "image_login_refused",
        False,
        "Error: initializing source docker://r:5001/a:1: reading manifest 1 in r:5001/a: unauthorized: authentication required",
    ),
    ("image_unknown", False, "Error: reading manifest nope in 10.89.2.2:5000/vllm/t: manifest unknown"),
    (
        "image_registry_broke_off",
        True,
        'Error: writing blob: storing blob to file "/t/1": happened during read: unexpected EOF (while reconnecting: Get "http://r:5002/v2/a": EOF)',
    ),
    (
        "image_registry_out_of_reach",
        True,
        'Error: pinging container registry r:5001: Get "https://r:5001/v2/": dial tcp 10.89.2.2:5001: connect: connection refused',
    ),
    (
        "image_registry_without_tls",
        False,
        'Error: pinging container registry r:5000: Get "https://r:5000/v2/": http: server gave HTTP response to HTTPS client',
    ),
    (
        "image_disk_full",
        False,
        "Error: unpacking failed (error: exit status 1; output: write /bytes: no space left on device)",
    ),
    (
        "image_rate_limited",
        True,
        "Error: reading manifest: toomanyrequests: You have reached your pull rate limit",
    ),
    (
        "image_wrong_platform",
        False,
        "Error: choosing an image from manifest list docker://r/a:1: no image found in image index for architecture amd64",
    ),
    (
        "image_certificate",
        False,
        "Error: tls: failed to verify certificate: x509: certificate signed by unknown authority",
    ),
    ("image_missing", True, "Error: something that nobody has seen yet"),
]


@pytest.mark.parametrize(("code", "again", "said"), SAID, ids=[code for code, _again, _said in SAID])
def test_what_podman_says_becomes_a_trouble_with_a_fix(code: str, again: bool, said: str) -> None:
    trouble = explain("Trying to pull r/a:1...\nGetting image source signatures\n" + said + "\n")
    assert (trouble.code, trouble.again) == (code, again)
    assert said[len("Error: ") :] in trouble.message
    assert trouble.fix


def test_every_trouble_of_the_words_has_a_meaning_in_the_docs() -> None:
    assert {code for code, _again, _said in SAID} - {"image_missing"} <= set(CODES)


def test_the_progress_before_an_error_is_not_taken_for_it() -> None:
    trouble = explain("Copying blob sha256:404abc not found in cache\nError: manifest unknown")
    assert trouble.message.endswith("manifest unknown")
