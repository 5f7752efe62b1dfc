"""The door of a release leaves alone what is not ours, before anything is run on the host."""

from __future__ import annotations

import typing as t
from pathlib import Path

import pytest

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._host.command import Completed, HostError
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._host.release_files import InstanceFiles
from ansible_collections.gpuops.vllm_fleet.plugins.modules.vllm_release import Release

FOREIGN = "[Container]\nImage=docker.io/vllm/vllm-openai:latest\n"


def nothing_may_run(*command: str, **_further: t.Any) -> Completed:
    raise AssertionError(f"{command} was run on a host that holds somebody's own unit")


@pytest.fixture
def release(tmp_path: Path) -> Release:
    files = InstanceFiles("qwen", str(tmp_path / "state"), str(tmp_path / "units"), str(tmp_path / "run"))
    files.unit.parent.mkdir()
    files.unit.write_text(FOREIGN)
    return Release(nothing_may_run, files, check_mode=False)


@pytest.mark.parametrize(
    "act",
    [lambda release: release.start("[Container]\n"), Release.stop, Release.remove],
    ids=["start", "stop", "remove"],
)
def test_a_unit_that_somebody_else_wrote_is_left_alone(
    release: Release, act: t.Callable[[Release], object]
) -> None:
    with pytest.raises(
        HostError, match=r"vllm-qwen\.container is left alone: it was not written by this collection"
    ):
        act(release)
    assert release.files.unit.read_text() == FOREIGN
    assert release.actions == []


def test_a_container_that_somebody_else_made_is_not_replaced(tmp_path: Path) -> None:
    files = InstanceFiles("qwen", str(tmp_path / "state"), str(tmp_path / "units"), str(tmp_path / "run"))

    def run(*command: str, **_further: t.Any) -> Completed:
        assert command[:3] == ("podman", "container", "inspect")
        return Completed(command, 0, "\n", "")  # it is there, and has no label of ours

    release = Release(run, files, check_mode=True)
    with pytest.raises(HostError, match="container vllm-qwen that this collection did not make"):
        release.start("[Container]\nImage=localhost/i@(known after fetch)\n")
    assert release.actions == []
