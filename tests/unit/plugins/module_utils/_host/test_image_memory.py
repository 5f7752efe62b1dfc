from __future__ import annotations

import json
from pathlib import Path

import pytest

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._host.command import Completed, HostError
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._host.image_memory import (
    Known,
    find,
    read_memory,
    read_outdated,
    remember,
)

REFERENCE = "r.test/vllm:v0.26.0"
FIRST = Known("sha256:a", "1" * 64, "registry")
SECOND = Known("sha256:b", "2" * 64, "registry")


def test_what_was_remembered_is_read_again(tmp_path: Path) -> None:
    remember(str(tmp_path), REFERENCE, FIRST)
    assert read_memory(str(tmp_path)) == {REFERENCE: FIRST}


def test_nothing_is_remembered_on_a_bare_host(tmp_path: Path) -> None:
    assert read_memory(str(tmp_path / "none")) == {}


def test_an_image_that_lost_its_name_to_a_newer_one_is_outdated_until_it_comes_back(tmp_path: Path) -> None:
    for known in (FIRST, SECOND):
        remember(str(tmp_path), REFERENCE, known)
    assert read_outdated(str(tmp_path)) == {FIRST.image_id}
    remember(str(tmp_path), REFERENCE, FIRST)
    assert read_outdated(str(tmp_path)) == {SECOND.image_id}


def test_an_image_that_the_operator_brought_is_never_outdated(tmp_path: Path) -> None:
    remember(str(tmp_path), REFERENCE, Known("sha256:a", "1" * 64, "host"))
    remember(str(tmp_path), REFERENCE, SECOND)
    assert read_outdated(str(tmp_path)) == set()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        pytest.param(json.dumps({"schema": 2, "images": {}}), "upgrade the collection", id="a newer schema"),
        pytest.param("{", "remove it", id="half a file"),
        pytest.param(json.dumps({"schema": 1, "images": {"a": {"x": 1}}}), "remove it", id="other content"),
    ],
)
def test_a_memory_that_cannot_be_read_is_told(tmp_path: Path, text: str, words: str) -> None:
    (tmp_path / "images.json").write_text(text)
    with pytest.raises(HostError, match=words):
        read_memory(str(tmp_path))


class Podman:
    """Has one image, under one name and its ID."""

    def __call__(self, *command: str, env: object = None, stdin: object = None) -> Completed:
        asked = command[-1]
        if command[2] == "exists":
            return Completed(command, 0 if asked in (REFERENCE, FIRST.image_id) else 1, "", "")
        described = [{"Id": "9" * 64, "Digest": "sha256:c", "RepoDigests": ["r.test/vllm@sha256:c"]}]
        return Completed(command, 0, json.dumps(described), "")


def test_the_remembered_image_comes_before_what_has_its_name_now() -> None:
    assert find(Podman(), REFERENCE, {REFERENCE: FIRST}) == FIRST


def test_an_image_that_is_no_longer_there_is_not_found_by_memory() -> None:
    assert find(Podman(), "r.test/gone:1", {"r.test/gone:1": SECOND}) is None


def test_an_image_that_was_there_before_us_is_the_hosts_own() -> None:
    assert find(Podman(), REFERENCE, {}) == Known("sha256:c", "9" * 64, "host")
