"""What a host keeps of its releases."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._host import release_store as store
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._host.command import HostError
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._host.release_files import InstanceFiles
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._release.records import Outcome
from ansible_collections.gpuops.vllm_fleet.tests.unit.plugins.module_utils._release.a_record import RECORD


@pytest.fixture
def files(tmp_path: Path) -> InstanceFiles:
    return InstanceFiles("q", str(tmp_path), str(tmp_path / "units"), str(tmp_path / "run"))


def keep(files: InstanceFiles, number: int, state: str | None) -> None:
    store.put(files, dataclasses.replace(RECORD, release=number), f"text {number}")
    if state:
        store.conclude(files, number, Outcome(state, "2026-11-30T12:00:00+00:00"))
    if state == "accepted":
        store.make_current(files, number)


def test_nothing_is_known_of_a_host_that_has_none(files: InstanceFiles, tmp_path: Path) -> None:
    assert store.current(files) is None
    assert store.previous(files) is None
    assert store.records(files) == {}
    assert store.instances(str(tmp_path / "no")) == []


def test_the_accepted_release_is_the_current_one(files: InstanceFiles, tmp_path: Path) -> None:
    keep(files, 1, "accepted")
    keep(files, 2, "undone")
    keep(files, 3, None)
    now = store.current(files)
    assert now is not None
    assert now.release == 1
    assert store.unit_text(files, 1) == "text 1"
    assert store.numbers(files) == [1, 2, 3]
    assert store.instances(str(tmp_path)) == ["q"]


def test_the_release_before_is_one_that_was_accepted(files: InstanceFiles) -> None:
    for number, state in ((1, "accepted"), (2, "accepted"), (3, "undone"), (10, "accepted")):
        keep(files, number, state)
    assert store.previous(files) == 2


def test_a_record_of_a_newer_collection_stops_before_anything_is_done(files: InstanceFiles) -> None:
    keep(files, 1, "accepted")
    (files.release(1) / "record.json").write_text('{"schema": 2}')
    with pytest.raises(HostError, match="schema 2"):
        store.current(files)


def test_a_release_that_is_forgotten_leaves_nothing(files: InstanceFiles) -> None:
    keep(files, 1, "undone")
    store.forget(files, 1)
    assert not files.release(1).exists()
