from __future__ import annotations

import json
import typing as t

import pytest

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._host.command import Completed, HostError
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._host.podman import (
    image,
    images,
    parse_images,
    parse_version,
    version,
)

ID, DIGEST, LIST_DIGEST = "a" * 64, "sha256:" + "b" * 64, "sha256:" + "c" * 64


def replay(**answers: tuple[int, str]) -> t.Callable[..., Completed]:
    """A ``run`` that gives recorded answers, by the last words of the command, and fails for any other."""

    def run(*command: str, env: t.Mapping[str, str] | None = None) -> Completed:
        rc, text = answers["_".join(command[1:3]).replace("-", "")]
        return Completed(command, rc, text if rc == 0 else "", "" if rc == 0 else text)

    return run


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("podman version 5.4.2", (5, 4, 2)),
        ("4.9.4-rhel", (4, 9, 4)),
        ("podman version 6.0.0-dev-1a2b", (6, 0, 0)),
        ("podman version 5.5", (5, 5, 0)),
        ("podman", None),
    ],
)
def test_versions_are_read_as_distributions_write_them(text: str, found: tuple[int, int, int] | None) -> None:
    assert parse_version(text) == found


def test_a_host_without_podman_has_no_version() -> None:
    assert version(lambda *command, env=None: Completed(command, 127, "", "podman: not found")) is None


def test_a_podman_that_does_not_say_its_version_is_an_error_with_its_own_words() -> None:
    with pytest.raises(HostError, match="broken store"):
        version(lambda *command, env=None: Completed(command, 125, "", "broken store"))


def entry(**changes: t.Any) -> dict[str, t.Any]:
    return {
        "Id": ID,
        "Names": ["docker.io/vllm/vllm-openai:v0.26.0"],
        "RepoDigests": [f"docker.io/vllm/vllm-openai@{DIGEST}"],
        "Digest": DIGEST,
        "Size": 10,
        **changes,
    }


@pytest.mark.parametrize(
    ("described", "reference", "identity"),
    [
        (entry(), "docker.io/vllm/vllm-openai:v0.26.0", DIGEST),
        (entry(), f"docker.io/vllm/vllm-openai@{DIGEST}", DIGEST),
        (
            entry(Names=["localhost/made-here:1"], RepoDigests=[f"localhost/made-here@{DIGEST}"]),
            "localhost/made-here:1",
            ID,
        ),
        (
            entry(Names=["registry:5000/x:1"], RepoDigests=[f"registry:5000/x@{DIGEST}"]),
            "registry:5000/x:1",
            DIGEST,
        ),
        (entry(Names=["a.io/other:1"]), "a.io/other:1", ID),
        (entry(RepoDigests=None), "docker.io/vllm/vllm-openai:v0.26.0", ID),
        (
            entry(
                RepoDigests=[
                    f"docker.io/vllm/vllm-openai@{LIST_DIGEST}",
                    f"docker.io/vllm/vllm-openai@{DIGEST}",
                ]
            ),
            "docker.io/vllm/vllm-openai:v0.26.0",
            DIGEST,
        ),
        (
            entry(RepoDigests=[f"docker.io/vllm/vllm-openai@{LIST_DIGEST}"]),
            "docker.io/vllm/vllm-openai:v0.26.0",
            LIST_DIGEST,
        ),
    ],
)
def test_an_image_is_known_by_its_registrys_digest_else_by_its_id(
    described: dict[str, t.Any], reference: str, identity: str
) -> None:
    assert parse_images(json.dumps([described]))[reference].identity == identity


@pytest.mark.parametrize("text", ["[]", "null"])
def test_a_host_without_images_has_none(text: str) -> None:
    assert images(replay(images_format=(0, text))) == {}


def test_what_is_no_list_of_images_is_an_error() -> None:
    with pytest.raises(HostError, match="does not list its images: no storage"):
        images(replay(images_format=(125, "no storage")))


def test_an_image_that_is_not_there_is_none() -> None:
    assert image(replay(image_exists=(1, "")), "localhost/x:1") is None


def test_an_image_is_found_by_a_short_name() -> None:
    found = image(replay(image_exists=(0, ""), image_inspect=(0, json.dumps([entry()]))), "vllm-openai")
    assert found is not None
    assert found.id == ID


@pytest.mark.parametrize("answer", [(0, "[]"), (0, "no json"), (125, "gone"), (0, "[{}]")])
def test_an_image_that_cannot_be_described_is_an_error(answer: tuple[int, str]) -> None:
    with pytest.raises(HostError, match="localhost/x:1"):
        image(replay(image_exists=(0, ""), image_inspect=answer), "localhost/x:1")


def test_a_store_that_cannot_be_asked_is_an_error() -> None:
    with pytest.raises(HostError, match="cannot look for the image"):
        image(replay(image_exists=(125, "locked")), "localhost/x:1")
