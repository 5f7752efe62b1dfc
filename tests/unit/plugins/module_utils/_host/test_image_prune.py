from __future__ import annotations

import json
import typing as t
from pathlib import Path

import pytest

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._host.command import Completed
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._host.image_memory import (
    Known,
    read_memory,
    remember,
    write_memory,
)
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._host.image_prune import prune, release_tag

OLD, NEW, NEXT = "1" * 64, "2" * 64, "3" * 64


class Podman:
    """Images by ID with their names; refuses to remove what a container uses."""

    def __init__(self, images: t.Mapping[str, t.Sequence[str]], used: t.Collection[str] = ()) -> None:
        self.images = {image_id: list(names) for image_id, names in images.items()}
        self.used = used

    def __call__(self, *command: str, env: object = None, stdin: object = None) -> Completed:
        if command[1] == "images":
            listed = [{"Id": image_id, "Names": names} for image_id, names in self.images.items()]
            return Completed(command, 0, json.dumps(listed), "")
        names = set(command[2:] if command[1] == "untag" else command[3:])
        for image_id, held in list(self.images.items()):
            if image_id in self.used and command[1] == "image" and names & {*held, image_id}:
                return Completed(command, 2, "", "image is in use by a container")
            self.images[image_id] = [name for name in held if name not in names]
            if command[1] == "image" and names & {*held, image_id} and not self.images[image_id]:
                del self.images[image_id]
        return Completed(command, 0, "", "")


@pytest.fixture
def state(tmp_path: Path) -> str:
    remember(str(tmp_path), "r/vllm:1", Known("sha256:old", OLD, "registry"))
    remember(str(tmp_path), "r/vllm:2", Known("sha256:new", NEW, "registry"))
    return str(tmp_path)


def images() -> dict[str, list[str]]:
    return {
        OLD: ["r/vllm:1", "r/vllm@sha256:old", release_tag("qwen", 1)],
        NEW: ["r/vllm:2", "r/vllm@sha256:new", release_tag("qwen", 2), release_tag("qwen", 3)],
    }


def test_the_image_of_a_release_that_is_not_kept_goes_and_is_forgotten(state: str, tmp_path: Path) -> None:
    podman = Podman(images())
    actions = prune(podman, state, {"qwen": {2, 3}}, ["r/vllm:2"], str(tmp_path))
    assert set(podman.images) == {NEW}
    assert set(read_memory(state)) == {"r/vllm:2"}
    assert actions == [f"remove the name {release_tag('qwen', 1)}", "remove the image r/vllm:1"]
    assert prune(podman, state, {"qwen": {2, 3}}, ["r/vllm:2"], str(tmp_path)) == []


@pytest.mark.parametrize(
    ("names", "keep"),
    [
        pytest.param([release_tag("other", 7)], {"qwen": {2, 3}}, id="another instance's release"),
        pytest.param(["mine/base:1"], {"qwen": {2, 3}}, id="a name of the operator's"),
        pytest.param([], {"qwen": {1, 2}}, id="a release that is kept"),
        pytest.param([], {"other": {1}}, id="an instance that is not looked at"),
    ],
)
def test_an_image_that_something_needs_stays(
    state: str, tmp_path: Path, names: list[str], keep: dict[str, set[int]]
) -> None:
    there = images()
    there[OLD] += names
    podman = Podman(there)
    prune(podman, state, keep, ["r/vllm:2"], str(tmp_path))
    assert OLD in podman.images


def test_the_image_of_a_unit_stays(state: str, tmp_path: Path) -> None:
    (tmp_path / "vllm-qwen.container").write_text("[Container]\nImage=r/vllm@sha256:old\n")
    podman = Podman({OLD: ["r/vllm:1", release_tag("qwen", 1)]})

    def run(*command: str, env: object = None, stdin: object = None) -> Completed:
        done = podman(*command)
        if command[1] != "images":
            return done
        listed = [{**each, "RepoDigests": ["r/vllm@sha256:old"]} for each in json.loads(done.stdout)]
        return Completed(command, 0, json.dumps(listed), "")

    prune(run, state, {"qwen": {2}}, [], str(tmp_path))
    assert OLD in podman.images


def test_an_image_that_a_container_uses_stays_and_is_not_forgotten(state: str, tmp_path: Path) -> None:
    podman = Podman(images(), used=[OLD])
    prune(podman, state, {"qwen": {2, 3}}, ["r/vllm:2"], str(tmp_path))
    assert OLD in podman.images
    assert "r/vllm:1" in read_memory(state)


def test_what_was_fetched_and_never_released_goes_once_the_plan_is_known(state: str, tmp_path: Path) -> None:
    remember(state, "r/vllm:3", Known("sha256:next", NEXT, "archive"))
    podman = Podman({**images(), NEXT: ["r/vllm:3"]})
    prune(podman, state, {"qwen": {1, 2, 3}}, None, str(tmp_path))
    assert NEXT in podman.images
    prune(podman, state, {"qwen": {1, 2, 3}}, ["r/vllm:2"], str(tmp_path))
    assert NEXT not in podman.images


def test_an_image_whose_tag_went_to_a_newer_one_goes_although_it_has_no_tag(
    state: str, tmp_path: Path
) -> None:
    remember(state, "r/vllm:2", Known("sha256:next", NEXT, "registry"))
    podman = Podman({NEW: ["r/vllm@sha256:new"], NEXT: ["r/vllm:2"]})
    prune(podman, state, {}, ["r/vllm:2"], str(tmp_path))
    assert set(podman.images) == {NEXT}


def test_what_the_operator_brought_stays(tmp_path: Path) -> None:
    write_memory(str(tmp_path), {"r/vllm:1": Known("sha256:old", OLD, "host")})
    podman = Podman({OLD: ["r/vllm:1"]})
    assert prune(podman, str(tmp_path), {}, [], str(tmp_path)) == []
    assert OLD in podman.images
