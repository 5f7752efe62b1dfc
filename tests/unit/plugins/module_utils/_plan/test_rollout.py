"""The variables of a rollout are judged with the plan, before any host is touched."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._plan.rollout import (
    VARIABLES,
    rollout_findings,
)

HOSTS = ("gpu-01", "gpu-02")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("vllm_canaries", ["gpu-01"]),
        ("vllm_canaries", []),
        ("vllm_canaries", "gpu-01,gpu-02"),  # -e vllm_canaries=…
        ("vllm_batches", [1, "25%", "100%"]),
        ("vllm_batches", "1,50%"),
        ("vllm_failure_budget", 0),
        ("vllm_failure_budget", "2"),
        ("vllm_gate_from", "both"),
        ("vllm_lost_seconds", 60.5),
        ("vllm_controller_seconds", "90"),
        ("vllm_remove_orphans", "true"),
        ("vllm_apply_pending", False),
        ("vllm_drain_tasks", "drain.yml"),
        ("vllm_undrain_tasks", ""),
        ("vllm_gate_address", None),
    ],
)
def test_what_fits_is_silent(name: str, value: t.Any) -> None:
    assert rollout_findings({name: value}, HOSTS) == []


@pytest.mark.parametrize(
    ("name", "value", "says"),
    [
        ("vllm_canaries", ["gpu-1"], "no host gpu-1; did you mean gpu-01"),
        ("vllm_canaries", "gpu-1", "no host gpu-1"),
        ("vllm_canaries", 3, "must be a list of hosts, not the number 3"),
        ("vllm_batches", [], "vllm_batches is empty"),
        ("vllm_batches", ["many"], "'many' is no number of hosts"),
        ("vllm_batches", [0], "0 is no number of hosts"),
        ("vllm_batches", 2, "must be a list of sizes, not the number 2"),
        ("vllm_failure_budget", "10%", 'must be a number of hosts, not the text "10%"'),
        ("vllm_failure_budget", -1, "must be a number of hosts"),
        ("vllm_failure_budget", True, "must be a number of hosts"),
        ("vllm_failure_budget", "²", "must be a number of hosts"),
        ("vllm_gate_from", "controler", "must be one of host, controller, both"),
        ("vllm_gate_address", 7, "must be an address or a name"),
        ("vllm_gate_validate_certs", "perhaps", "must be true or false"),
        ("vllm_gate_ca_path", 7, "must be the path of a file"),
        ("vllm_lost_seconds", 0, "must be a number of seconds above 0"),
        ("vllm_controller_seconds", "soon", "must be a number of seconds above 0"),
        ("vllm_remove_orphans", "maybe", "must be true or false"),
        ("vllm_apply_pending", [], "must be true or false"),
        ("vllm_refresh_tags", 7, "must be true or false"),
        ("vllm_drain_tasks", ["drain.yml"], "must be the path of a file of tasks"),
        ("vllm_undrain_tasks", 1, "must be the path of a file of tasks"),
    ],
)
def test_what_does_not_is_an_error_with_what_to_write(name: str, value: t.Any, says: str) -> None:
    (finding,) = rollout_findings({name: value}, HOSTS)
    assert (finding.severity, finding.setting, finding.origin, finding.value) == ("error", name, name, value)
    assert says in finding.message
    assert finding.fix


def test_every_variable_is_tried_above() -> None:
    (mark,) = test_what_does_not_is_an_error_with_what_to_write.pytestmark
    assert {name for name, _value, _says in mark.args[1]} == set(VARIABLES)
