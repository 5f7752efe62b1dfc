"""Mounts, and what is left out of them."""

from __future__ import annotations

import pytest

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._adopt.found import Found, Option, Tool
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._adopt.mounts import (
    Mounts,
    absolute,
    mounts_of,
)

HUB = "/root/.cache/huggingface"


def mounts(*volumes: str, tool: Tool = "docker", texts: tuple[str, ...] = (), **places: str) -> Mounts:
    options = tuple(Option("--mount" if "=" in each else "--volume", each) for each in volumes)
    return mounts_of(Found("x", tool, image="i", options=options), places, texts)


@pytest.mark.parametrize(
    ("volume", "kept"),
    [
        ("/a:/b", "/a:/b"),
        ("/a:/b:ro,Z", "/a:/b:ro,Z"),
        ("/a:/b:rw,cached", "/a:/b"),
        ("type=bind,source=/a,target=/b,readonly", "/a:/b:ro"),
        ("type=bind,src=/a,dst=/b,readonly=false", "/a:/b"),
        ("./a:/b", "/srv/a:/b"),
        ("../a:/b", "/a:/b"),
        ("~/a:/b", "/home/u/a:/b"),
        (f"/hf:{HUB}", f"/hf:{HUB}"),
        (f"~/.cache/huggingface:{HUB}", f"/home/u/.cache/huggingface:{HUB}"),
    ],
)
def test_a_mount_is_kept_with_an_absolute_source(volume: str, kept: str) -> None:
    assert [each.text() for each in mounts(volume, PWD="/srv", HOME="/home/u").kept] == [kept]


@pytest.mark.parametrize(
    "volume",
    [
        "/dev/shm:/dev/shm", "/var/run/docker.sock:/var/run/docker.sock", "/a:/root/.cache/vllm", f"~/.cache/huggingface:{HUB}",
        f"$HOME/hf:{HUB}", f"hf:{HUB}", "/only-inside", "type=image,source=x,target=/y",
    ],
)  # fmt: skip
def test_what_is_left_out_is_told(volume: str) -> None:
    read = mounts(volume)
    assert read.kept == []
    assert len(read.findings) == 1


def test_a_volume_with_a_name_is_podmans_and_not_dockers() -> None:
    assert mounts("models:/models", tool="podman").findings == []
    assert [each.code for each in mounts("models:/models").findings] == ["adoption_loses"]


def test_a_volume_that_a_unit_makes_goes_by_the_name_that_podman_knows() -> None:
    read = mounts("type=volume,source=hf.volume,dest=/models", tool="podman")
    assert [each.text() for each in read.kept] == ["systemd-hf:/models"]
    assert [each.code for each in read.findings] == ["adoption_guesses"]


def test_a_cache_that_the_settings_name_stays() -> None:
    assert mounts("/a:/root/.cache/vllm", texts=("/root/.cache/vllm/x",)).kept


@pytest.mark.parametrize(
    ("source", "path"),
    [
        ("~", "/home/u"),
        ("~/a", "/home/u/a"),
        ("~v/a", "/home/v/a"),
        (".", "/srv/w"),
        ("../a/./b", "/srv/a/b"),
    ],
)
def test_a_relative_path_begins_where_the_container_was_started(source: str, path: str) -> None:
    assert absolute(source, {"HOME": "/home/u", "PWD": "/srv/w"}) == path
