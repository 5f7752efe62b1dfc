from __future__ import annotations

import json
import time
import typing as t
from pathlib import Path

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._host.command import Completed
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._host.image_memory import Known, read_memory
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._host.image_steps import Asked, Steps

REFERENCE, DIGEST, ID = "r.test/vllm:v0.26.0", "sha256:" + "a" * 64, "1" * 64


class Podman:
    """Has one image under every name; notes the commands."""

    def __init__(self, root: Path) -> None:
        self.root, self.commands = root, []

    def __call__(self, *command: str, env: object = None, stdin: object = None) -> Completed:
        self.commands.append(" ".join(command))
        if command[1] == "info":
            return Completed(command, 0, f"{self.root}\n", "")
        if command[1] == "--version":
            return Completed(command, 0, "podman version 5.4.2\n", "")
        if command[1:3] == ("image", "inspect"):
            described = [{"Id": ID, "Digest": DIGEST, "RepoDigests": [f"r.test/vllm@{DIGEST}"]}]
            return Completed(command, 0, json.dumps(described), "")
        return Completed(command, 0, "", "")


def steps(tmp_path: Path, podman: Podman, **asked: t.Any) -> Steps:
    return Steps(podman, Asked(**{"state_dir": str(tmp_path), "image": REFERENCE, **asked}), False, time)


def test_an_image_that_came_by_hand_keeps_its_name_as_it_is(tmp_path: Path) -> None:
    podman = Podman(tmp_path)
    kept = steps(tmp_path, podman).keep()
    assert kept["identity"] == DIGEST
    assert read_memory(str(tmp_path)) == {REFERENCE: Known(DIGEST, ID, "host")}
    assert not [each for each in podman.commands if each.startswith("podman tag")]


def test_an_image_that_was_pulled_by_digest_gets_the_name_of_the_plan(tmp_path: Path) -> None:
    podman = Podman(tmp_path)
    steps(tmp_path, podman, digest=DIGEST).keep()
    assert f"podman tag {ID} {REFERENCE}" in podman.commands
    assert read_memory(str(tmp_path))[REFERENCE].way == "registry"


def test_an_image_of_an_archive_is_known_by_its_id_and_our_copy_goes(tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    copy.write_text("x")
    kept = steps(tmp_path, Podman(tmp_path), image_id=ID, archive=str(copy)).keep()
    assert (kept["identity"], copy.exists()) == (ID, False)


def test_a_pinned_image_needs_no_name(tmp_path: Path) -> None:
    podman = Podman(tmp_path)
    steps(tmp_path, podman, image=f"r.test/vllm@{DIGEST}", digest=DIGEST).keep()
    assert not [each for each in podman.commands if each.startswith("podman tag")]


def test_the_pieces_of_an_archive_make_the_whole_also_when_one_comes_twice(tmp_path: Path) -> None:
    target = tmp_path / "state" / "archive"
    for piece, offset in ((b"one,", 0), (b"tw", 4), (b"two,", 4), (b"three", 8)):
        there = tmp_path / "piece"
        there.write_bytes(piece)
        answer = steps(
            tmp_path, Podman(tmp_path), archive=str(target), piece=str(there), offset=offset
        ).receive()
        assert not there.exists()
    assert target.read_bytes() == b"one,two,three"
    assert answer["size"] == 13


def test_an_archive_that_is_larger_than_the_disk_is_told_before_it_is_copied(tmp_path: Path) -> None:
    answer = steps(tmp_path, Podman(tmp_path), archive=str(tmp_path / "archive"), size=1 << 60).receive()
    assert answer["trouble"]["code"] == "image_no_space"


def test_a_host_without_podman_has_no_images_and_that_is_an_answer(tmp_path: Path) -> None:
    def none(*command: str, env: object = None, stdin: object = None) -> Completed:
        return Completed(command, 127, "", "podman: not found on this host")

    seen = Steps(none, Asked(str(tmp_path), images=[REFERENCE]), True, time).look()
    assert (seen["podman_version"], seen["images"]) == (None, {})
