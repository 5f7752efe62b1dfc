"""Each way in which a host may not be what its inventory says, and that nothing else is called drift."""

from __future__ import annotations

import copy
import typing as t

import pytest

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._release.drift import (
    is_pending,
    orphan,
    planned_instance,
)
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._release.drift_kinds import KINDS, Drift
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._release.intent import hash_of, make_intent

Data = dict[str, t.Any]
OLD, NEW = "a" * 64, "b" * 64
ARGV = ["Qwen/Qwen3-8B", "--host", "0.0.0.0", "--max-num-seqs", "4", "--port", "8000"]


def intent(**other: t.Any) -> Data:
    parts: Data = {
        "argv": ARGV,
        "image": OLD,
        "devices": ["nvidia.com/gpu=0"],
        "mounts": [f"/var/lib/vllm-fleet/qwen/cache/{OLD[:12]}:/vllm-fleet/cache:Z,U"],
        "env": {"HOME": "/vllm-fleet/cache/home"},
        "secrets": {"VLLM_API_KEY": "vllm-qwen-key-11111111"},
        "limits": {},
        "network": {"listen": "127.0.0.1", "port": 8000},
        "security": {},
        "container": {},
    }
    return make_intent(**{**parts, **other})


def planned(**other: t.Any) -> Data:
    wanted = other.pop("intent", intent())
    return {
        "name": "qwen",
        "state": "present",
        "image": "docker.io/vllm/vllm-openai:v0.26.0",
        "image_identity": OLD,
        "version": "0.26.0",
        "argv": ARGV,
        "unit_name": "vllm-qwen.service",
        "gate": {"served_names": ["qwen"]},
        "intent": wanted,
        "intent_hash": None if wanted is None else hash_of(wanted),
        "unit_sha256": "text",
        **other,
    }


def seen() -> Data:
    """A server that runs exactly as it was released."""
    return {
        "record": {
            "release": 3,
            "image": "docker.io/vllm/vllm-openai:v0.26.0",
            "image_id": OLD,
            "intent": intent(),
            "intent_hash": hash_of(intent()),
        },
        "recorded_unit": "text",
        "newest": {"release": 3, "state": "accepted"},
        "problem": None,
        "unit": {"path": "/u/vllm-qwen.container", "ours": True, "as_recorded": True, "edited_keys": []},
        "trial": False,
        "service": {"active_state": "active", "restarts": 0, "needs_reload": False},
        "container": {
            "ours": True,
            "running": True,
            "image": "x",
            "image_id": OLD,
            "argv": ARGV,
            "unit": "vllm-qwen.service",
            "outdated": None,
        },
        "image_here": True,
        "missing_secrets": [],
        "server": {"state": "serving", "message": "8 tokens", "served": ["qwen"], "vllm_version": "0.26.0"},
    }


def but(**other: t.Any) -> Data:
    """The same, with what differs; a dict is merged one level deep."""
    found = copy.deepcopy(seen())
    for key, value in other.items():
        found[key] = {**found[key], **value} if isinstance(value, dict) and found[key] else value
    return found


def kinds(drifts: t.Iterable[Drift]) -> list[str]:
    return sorted(each.kind for each in drifts)


def test_a_server_that_runs_as_released_has_no_drift() -> None:
    assert planned_instance(planned(), seen()) == []


@pytest.mark.parametrize(
    ("found", "kind"),
    [
        pytest.param(but(server={"state": "stopped", "message": "inactive"}), "server_stopped", id="stopped"),
        pytest.param(but(server={"state": "failed", "message": "oom"}), "server_failed", id="ended"),
        pytest.param(but(server={"state": "looping", "message": "again"}), "server_looping", id="loops"),
        pytest.param(but(server={"state": "no_tokens", "message": "empty"}), "server_no_tokens", id="no tokens"),
        pytest.param(but(server={"state": "wrong_model", "served": ["other"]}), "wrong_model", id="other names"),
        pytest.param(but(server={"vllm_version": "0.25.1"}), "vllm_version_differs", id="other vLLM"),
        pytest.param(but(service={"restarts": 2}), "server_restarted", id="restarted"),
        pytest.param(but(unit=None), "unit_missing", id="unit deleted"),
        pytest.param(but(unit={"as_recorded": False, "edited_keys": ["[Container] Exec"]}), "unit_edited", id="edited"),
        pytest.param(but(unit={"ours": False}), "unit_foreign", id="a foreign unit"),
        pytest.param(but(service={"needs_reload": True}), "unit_not_reloaded", id="not reloaded"),
        pytest.param(but(container={"argv": [*ARGV, "--seed", "1"]}), "argv_differs", id="other settings"),
        pytest.param(but(container={"image_id": NEW}), "image_differs", id="other image"),
        pytest.param(but(container={"ours": False}), "container_by_hand", id="a container without our labels"),
        pytest.param(but(container={"unit": None}), "container_by_hand", id="labels, and no unit"),
        pytest.param(but(container={"outdated": "no libcuda"}), "cdi_outdated", id="older CDI spec"),
        pytest.param(but(missing_secrets=["vllm-qwen-key-11111111"]), "secret_missing", id="a secret is gone"),
        pytest.param(but(image_here=False), "image_missing", id="the image is gone"),
        pytest.param(but(record=None), "record_missing", id="no record"),
        pytest.param(but(trial=True), "trial_left", id="on trial"),
        pytest.param(but(newest={"release": 4, "state": None}), "release_unfinished", id="no outcome"),
        pytest.param(but(problem="schema 2"), "record_unreadable", id="a record from the future"),
    ],
)  # fmt: skip
def test_one_thing_that_differs_on_the_host_is_one_drift_of_its_kind(found: Data, kind: str) -> None:
    drifts = planned_instance(planned(), found)
    assert kinds(drifts) == [kind]
    assert drifts[0].at("gpu-01", "qwen").fix


@pytest.mark.parametrize(
    ("wanted", "kind"),
    [
        pytest.param(intent(argv=[*ARGV, "--seed", "1"]), "plan_changed", id="a setting"),
        pytest.param(intent(secrets={"VLLM_API_KEY": "vllm-qwen-key-22222222"}), "secret_rotated", id="a secret"),
        pytest.param(intent(env={"HOME": "/", "A": "b"}), "plan_changed", id="an environment variable"),
        pytest.param(
            intent(image=NEW, mounts=[f"/var/lib/vllm-fleet/qwen/cache/{NEW[:12]}:/vllm-fleet/cache:Z,U"]),
            "image_retagged",
            id="the same reference, another image",
        ),
    ],
)  # fmt: skip
def test_an_inventory_that_went_on_is_told_by_what_changed(wanted: Data, kind: str) -> None:
    assert kinds(planned_instance(planned(intent=wanted), seen())) == [kind]


def test_a_tag_that_podman_has_elsewhere_is_told_though_the_next_release_would_keep_the_image() -> None:
    reference = planned()["image"]
    assert kinds(planned_instance(planned(), seen(), tagged={reference: NEW})) == ["image_retagged"]
    assert planned_instance(planned(), seen(), tagged={reference: OLD}) == []


def test_another_reference_is_a_changed_plan() -> None:
    other = planned(image="docker.io/vllm/vllm-openai:v0.27.0", version="0.26.0", intent=intent(image=NEW))
    (drift,) = planned_instance(other, seen())
    assert drift.kind == "plan_changed"
    assert NEW[:12] in (drift.planned or "")


def test_a_value_with_a_secret_name_is_compared_and_never_shown() -> None:
    wanted = intent(env={"HOME": "/vllm-fleet/cache/home", "MY_TOKEN": "canary"})
    (drift,) = planned_instance(planned(intent=wanted), seen())
    assert drift.kind == "plan_changed"
    assert "canary" not in repr(drift)


def test_settings_in_another_order_are_the_same_settings() -> None:
    found = but(
        container={"argv": ["Qwen/Qwen3-8B", "--port", "8000", "--max-num-seqs", "4", "--host", "0.0.0.0"]}
    )
    assert planned_instance(planned(), found) == []


@pytest.mark.parametrize("said", ["0.26.0", "0.26.0+cpu", "0.26.0.post1"])
def test_a_build_of_the_planned_version_is_that_version(said: str) -> None:
    assert planned_instance(planned(), but(server={"vllm_version": said})) == []


def test_another_patch_that_begins_alike_is_another_version() -> None:
    found = but(server={"vllm_version": "0.26.01"})
    assert kinds(planned_instance(planned(), found)) == ["vllm_version_differs"]


def test_a_text_that_a_newer_renderer_writes_is_pending_and_no_drift() -> None:
    newer = planned(unit_sha256="newer text")
    assert planned_instance(newer, seen()) == []
    assert is_pending(newer, seen())
    assert not is_pending(planned(), seen())


def test_a_plan_that_changed_is_not_merely_pending() -> None:
    assert not is_pending(planned(unit_sha256="other", intent=intent(env={})), seen())


def test_nothing_on_the_host_is_a_server_that_was_never_released() -> None:
    nothing = dict.fromkeys(seen())
    assert kinds(planned_instance(planned(), nothing)) == ["instance_missing"]


def test_while_a_transaction_is_under_way_what_is_half_done_is_no_drift() -> None:
    half = but(server={"state": "loading", "message": ""}, unit=None, trial=True)
    assert planned_instance(planned(), half, busy=True) == []


def test_what_is_to_be_absent_and_is_there_is_drift() -> None:
    assert kinds(planned_instance({**planned(), "state": "absent"}, seen())) == ["instance_not_removed"]
    assert planned_instance({**planned(), "state": "absent"}, {}) == []


def test_an_image_that_is_not_known_is_missing_and_nothing_else_is_guessed() -> None:
    unknown = planned(intent=None, image_identity=None)
    assert kinds(planned_instance(unknown, seen())) == ["image_missing"]


def test_an_orphan_says_how_to_remove_it() -> None:
    drift = orphan(seen()).at("gpu-01", "qwen")
    assert drift.severity == "drift"
    assert drift.fix is not None
    assert drift.fix.endswith("remove.yml --limit gpu-01 -e vllm_remove=qwen")


def test_every_kind_is_a_drift_or_a_failure_with_its_meaning() -> None:
    assert {severity for severity, _meaning in KINDS.values()} == {"drift", "failure"}
    assert all(meaning.endswith(".") for _severity, meaning in KINDS.values())
