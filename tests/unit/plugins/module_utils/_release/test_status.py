"""A fleet as a status tells it: who comes first, what fails, and what hosts of one plan have in common."""

from __future__ import annotations

import copy
import json
import typing as t

import pytest

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._release.drift_host import (
    HostLook,
    drifts_of,
    outliers,
)
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._release.status import (
    build_status,
    status_text,
    to_json,
)

from .test_drift import planned, seen

Data = dict[str, t.Any]
HOST: Data = {
    "podman": {"version": "5.4.2", "installed_at": "2026-11-01T08:00:00+00:00"},
    "driver": {"version": "580.95.05", "loaded": "580.95.05", "problem": None, "gpus": 1},
    "cdi": {"path": "/var/run/cdi/nvidia.yaml", "made_for": "580.95.05", "age_seconds": 60},
    "transaction": None,
    "tagged": {},
    "foreign": [],
}


def look(host: str, plans: Data | None = None, **other: t.Any) -> HostLook:
    """A host as planned, with what differs on the machine or of its one server."""
    found = copy.deepcopy({**HOST, **{key: value for key, value in other.items() if key in HOST}})
    instance = {**seen(), **{key: value for key, value in other.items() if key not in HOST}}
    instance["container"] = {**instance["container"], "started_at": "2026-11-02T08:00:00+00:00"}
    return HostLook(
        host, {"qwen": planned()} if plans is None else plans, {**found, "instances": {"qwen": instance}}
    )


STOPPED: Data = {
    "state": "stopped",
    "message": "inactive",
    "served": None,
    "vllm_version": None,
    "answer": None,
}


def kinds(look: HostLook) -> list[str]:
    return sorted(each.kind for each in drifts_of(look))


def test_a_fleet_as_planned_is_good() -> None:
    status = build_status([look("gpu-01"), look("gpu-02")])
    assert status["result"] == "good"
    assert status["counts"] == {
        "hosts": 2,
        "reached": 2,
        "instances": 2,
        "serving": 2,
        "failures": 0,
        "drifts": 0,
    }


@pytest.mark.parametrize(
    ("other", "kind"),
    [
        pytest.param({"driver": {**HOST["driver"], "loaded": "575.1"}}, "driver_changed", id="no reboot yet"),
        pytest.param({"cdi": {**HOST["cdi"], "made_for": "575.1"}}, "driver_changed", id="the spec is older"),
        pytest.param(
            {"podman": {"version": "5.8.0", "installed_at": "2026-11-03T08:00:00+00:00"}},
            "podman_changed",
            id="Podman is newer than the server",
        ),
        pytest.param(
            {"driver": {**HOST["driver"], "problem": {"code": "gpu_lost", "message": "m", "fix": "f"}}},
            "gpus_not_usable",
            id="a GPU is lost",
        ),
    ],
)
def test_what_changed_under_the_servers_is_told_of_the_host(other: Data, kind: str) -> None:
    plans = {"qwen": planned(devices=["nvidia.com/gpu=0"])}
    assert kinds(look("gpu-01", plans, **other)) == [kind]


def test_a_host_without_planned_gpus_needs_no_driver() -> None:
    lost = {**HOST["driver"], "problem": {"code": "nvidia_smi_missing", "message": "m", "fix": "f"}}
    assert kinds(look("gpu-01", {"qwen": planned(devices=[])}, driver=lost)) == []


@pytest.mark.parametrize(
    ("host", "kind"),
    [
        pytest.param(HostLook("h", unreachable="no route"), "host_unreachable", id="does not answer"),
        pytest.param(HostLook("h", problem="podman: I/O error"), "host_unreadable", id="cannot be looked at"),
    ],
)
def test_a_host_that_was_not_seen_is_a_failure_and_is_listed(host: HostLook, kind: str) -> None:
    status = build_status([look("gpu-01"), host])
    assert status["result"] == "failure"
    assert [each["kind"] for each in status["drifts"]] == [kind]
    assert "NOT SEEN" in status_text(status)


def test_drift_alone_is_no_failure() -> None:
    status = build_status([look("gpu-01", service={"restarts": 1, "needs_reload": False})])
    assert status["result"] == "drift"


def test_an_inventory_with_errors_is_told_and_nothing_is_called_an_orphan() -> None:
    broken = HostLook("gpu-01", {}, look("gpu-01").seen, invalid="max_num_seqs must be a number")
    assert kinds(broken) == ["plan_invalid"]


def test_what_the_plan_does_not_name_is_an_orphan() -> None:
    assert kinds(look("gpu-01", {})) == ["instance_orphaned"]


def test_a_host_under_change_is_a_note_and_no_drift() -> None:
    status = build_status([look("gpu-01", transaction="20261130T1-ab", server=STOPPED)])
    assert status["result"] == "good"
    assert "servers are being changed right now (20261130T1-ab)" in status_text(status)


def test_hosts_that_differ_from_the_majority_of_their_plan_come_first() -> None:
    odd = {"version": "5.8.0", "installed_at": "2026-11-01T08:00:00+00:00"}
    looks = [look("gpu-01", server=STOPPED), look("gpu-02"), look("gpu-03"), look("gpu-04", podman=odd)]
    found = [(each.host, each.what) for each in outliers(looks)]
    assert found == [("gpu-04", "Podman"), ("gpu-01", "qwen: vLLM"), ("gpu-01", "qwen: state")]
    assert [each["host"] for each in build_status(looks)["hosts"]] == ["gpu-01", "gpu-04", "gpu-02", "gpu-03"]


def test_two_hosts_that_differ_have_no_majority() -> None:
    odd = {"version": "5.8.0", "installed_at": None}
    assert outliers([look("gpu-01"), look("gpu-02", podman=odd)]) == []


def test_hosts_of_other_plans_are_not_compared() -> None:
    odd = {"version": "5.8.0", "installed_at": None}
    other = look("gpu-03", {"qwen": planned(argv=["another/model"])}, podman=odd)
    assert outliers([look("gpu-01"), look("gpu-02"), other]) == []


def test_a_server_whose_text_waits_is_shown_as_pending() -> None:
    status = build_status([look("gpu-01", {"qwen": planned(unit_sha256="newer")})])
    assert status["result"] == "good"
    assert status_text(status).splitlines()[1].endswith("pending")


def test_what_is_not_ours_is_named() -> None:
    foreign = [{"kind": "container", "name": "theirs", "fleet": "other", "what": "vllm:1 (running)"}]
    text = status_text(build_status([look("gpu-01", foreign=foreign)]))
    assert "gpu-01: not ours, and left alone: container theirs of the fleet other: vllm:1 (running)" in text


def test_the_file_for_a_program_says_the_same() -> None:
    status = build_status([look("gpu-01", server=STOPPED)])
    assert json.loads(to_json(status)) == status
    assert status["drifts"][0] == {
        "severity": "failure",
        "kind": "server_stopped",
        "what": "inactive",
        "planned": "tokens",
        "found": None,
        "fix": "start it again: site.yml --limit gpu-01, or systemctl start vllm-qwen.service on the host",
        "host": "gpu-01",
        "instance": "qwen",
    }


def test_the_servers_of_a_host_that_was_not_seen_are_counted_and_named() -> None:
    status = build_status([look("gpu-01"), HostLook("gpu-02", {"qwen": planned()}, unreachable="no route")])
    assert (status["counts"]["serving"], status["counts"]["instances"]) == (1, 2)
    rows = status_text(status).split("\n\n")[0].splitlines()
    assert [row.split()[:2] for row in rows[1:]] == [["gpu-02", "-"], ["gpu-02", "qwen"], ["gpu-01", "qwen"]]


def test_what_is_the_same_on_several_hosts_is_told_once() -> None:
    text = status_text(build_status([look(f"gpu-0{number}", unit=None) for number in range(1, 8)]))
    assert text.count("[unit_missing]") == 1
    assert "gpu-01,gpu-02,gpu-03,gpu-04,gpu-05,… qwen: the unit" in text
    assert "--limit gpu-01,gpu-02,gpu-03,gpu-04,gpu-05,…" in text
