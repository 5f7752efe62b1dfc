"""What a host really runs is read from processes, files and labels, without a secret in it."""

from __future__ import annotations

import json
import typing as t
from pathlib import Path

import pytest

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._host import owned
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._host.command import Completed
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._host.podman import Image
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._host.reality_instance import (
    Instance,
    describe,
)
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._host.release_files import InstanceFiles

UNIT = """[Container]
Exec=serve m --seed 1
Secret=vllm-qwen-key-1,type=env,target=K
Label=io.gpuops.vllm-fleet.managed=true
Label=io.gpuops.vllm-fleet.instance=qwen
"""
SPEC = {
    "devices": [{"name": "0", "containerEdits": {}}],
    "containerEdits": {"mounts": [{"hostPath": "/lib/libcuda.so.580.1", "containerPath": "/lib/libcuda.so.580.1"}]},
}  # fmt: skip


def run(*command: str, **_further: t.Any) -> Completed:
    """A unit that nobody started since boot; no server is asked then."""
    assert command[0] == "systemctl"
    shown = "LoadState=loaded\nActiveState=inactive\nNRestarts=3\nNeedDaemonReload=yes\n"
    return Completed(command, 0, shown, "")


@pytest.fixture
def files(tmp_path: Path) -> InstanceFiles:
    """A host with one accepted release."""
    files = InstanceFiles("qwen", str(tmp_path / "state"), str(tmp_path / "units"), str(tmp_path / "trial"))
    files.release(4).mkdir(parents=True)
    files.unit.parent.mkdir()
    files.unit.write_text(UNIT)
    (files.release(4) / "unit.container").write_text(UNIT)
    record = {
        "schema": 1, "instance": "qwen", "release": 4, "fleet": "default", "intent_hash": "0",
        "intent": {"argv": ["m", "--api-key", "canary"], "env": {"HF_TOKEN": "canary"}}, "model": "m",
        "vllm_version": "0.26.0", "image": "i", "image_identity": "a", "image_id": "a", "url": "http://127.0.0.1:8000",
        "listen": "127.0.0.1", "port": 8000, "devices": [], "gate": {}, "service": files.service,
        "collection_version": "0.1.0", "made_at": "2026-11-30T00:00:00+00:00",
    }  # fmt: skip
    (files.release(4) / "record.json").write_text(json.dumps(record))
    files.current.symlink_to("releases/4")
    return files


def container(tmp_path: Path, words: list[str] | None, **other: t.Any) -> owned.Container:
    """A container; its process has these words."""
    if words is not None:
        (tmp_path / "proc" / "42").mkdir(parents=True)
        (tmp_path / "proc" / "42" / "cmdline").write_text("\0".join(words) + "\0")
    (tmp_path / "config.json").write_text('{"mounts": []}')
    given: dict[str, t.Any] = {
        "running": True,
        "pid": 42,
        "command": ("vllm", "serve", "as", "made"),
        "started_at": "2026-11-30T16:20:03.324209661+01:00",
        "oci_config": "/config.json",
        "create_command": ("podman", "run", "--device", "nvidia.com/gpu=0"),
        **other,
    }
    return owned.Container("vllm-qwen", "qwen", "default", **given)


def seen(
    tmp_path: Path, files: InstanceFiles, there: owned.Container | None, fleet: str = "default"
) -> dict[str, t.Any]:
    things = owned.Owned({there.name: there} if there else {}, owned.unit_files(str(files.unit.parent)))
    here = Instance(
        run,
        things,
        {"i": Image("a", "a")},
        set(),
        SPEC,
        1,
        ("known-value",),
        fleet,
        tmp_path / "proc",
        tmp_path,
    )
    return describe(here, files, None)


def test_the_command_line_is_that_of_the_process_with_its_secrets_hidden(
    tmp_path: Path, files: InstanceFiles
) -> None:
    words = ["/usr/bin/python3", "/usr/local/bin/vllm", "serve", "m", "--api-key", "canary", "known-value"]
    found = seen(tmp_path, files, container(tmp_path, words))["container"]
    assert found["argv"] == ["m", "--api-key", "********", "********"]
    assert found["argv_from"] == "process"


def test_a_process_that_hides_its_words_is_told_by_how_its_container_was_made(
    tmp_path: Path, files: InstanceFiles
) -> None:
    found = seen(tmp_path, files, container(tmp_path, ["VLLM::APIServer"]))["container"]
    assert (found["argv"], found["argv_from"]) == (["as", "made"], "container")


def test_dates_of_podman_become_utc(tmp_path: Path, files: InstanceFiles) -> None:
    found = seen(tmp_path, files, container(tmp_path, None))["container"]
    assert found["started_at"] == "2026-11-30T15:20:03+00:00"


def test_a_server_without_what_the_spec_gives_today_is_outdated(tmp_path: Path, files: InstanceFiles) -> None:
    found = seen(tmp_path, files, container(tmp_path, None))["container"]
    assert found["outdated"] == "it does not have /lib/libcuda.so.580.1"


def test_a_server_that_does_not_run_is_not_outdated(tmp_path: Path, files: InstanceFiles) -> None:
    found = seen(tmp_path, files, container(tmp_path, None, running=False))["container"]
    assert found["outdated"] is None


def test_an_edited_unit_is_told_by_its_keys_alone(tmp_path: Path, files: InstanceFiles) -> None:
    files.unit.write_text(UNIT.replace("--seed 1", "--api-key canary"))
    unit = seen(tmp_path, files, None)["unit"]
    assert (unit["as_recorded"], unit["edited_keys"]) == (False, ["[Container] Exec"])
    assert "canary" not in json.dumps(unit)


def test_a_unit_as_it_was_written_is_as_recorded(tmp_path: Path, files: InstanceFiles) -> None:
    unit = seen(tmp_path, files, None)["unit"]
    assert (unit["ours"], unit["as_recorded"], unit["edited_keys"]) == (True, True, [])


def test_what_another_fleet_runs_under_a_name_of_ours_is_not_ours(
    tmp_path: Path, files: InstanceFiles
) -> None:
    files.unit.write_text(UNIT + "Label=io.gpuops.vllm-fleet.fleet=theirs\n")
    found = seen(tmp_path, files, container(tmp_path, None), "ours")
    assert (found["unit"]["ours"], found["container"]["ours"]) == (False, False)


def test_a_record_never_brings_a_secret_along(tmp_path: Path, files: InstanceFiles) -> None:
    found = seen(tmp_path, files, None)
    assert "canary" not in json.dumps(found)
    assert found["record"]["intent"]["argv"] == ["m", "--api-key", "********"]


def test_a_secret_that_podman_lost_and_an_image_that_is_there_are_told(
    tmp_path: Path, files: InstanceFiles
) -> None:
    found = seen(tmp_path, files, None)
    assert found["missing_secrets"] == ["vllm-qwen-key-1"]
    assert found["image_here"] is True


def test_a_record_of_a_newer_collection_is_a_problem_and_no_traceback(
    tmp_path: Path, files: InstanceFiles
) -> None:
    (files.release(4) / "record.json").write_text('{"schema": 2, "collection_version": "9.0.0"}')
    found = seen(tmp_path, files, None)
    assert "schema 2" in found["problem"]
    assert found["record"] is None
