from __future__ import annotations

import typing as t

import pytest

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._settings.check import check
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._settings.finding import Finding


def advice(now: str, target: str, settings: dict[str, t.Any]) -> list[Finding]:
    checked = check(vllm_version=now, model="m", settings=settings, target_version=target)
    found = [finding for finding in checked.findings if finding.code.startswith("upgrade_")]
    assert all(finding.severity != "error" and finding.stage == "advice" for finding in found)
    return found


def told(now: str, target: str, settings: dict[str, t.Any]) -> dict[str, Finding]:
    return {f.setting or "": f for f in advice(now, target, settings) if f.code != "upgrade_default_changed"}


def test_an_option_that_is_gone_is_told_with_the_release_and_what_replaces_it() -> None:
    found = told("0.12.0", "0.26.0", {"task": "embed"})["task"]
    assert (found.code, found.since) == ("upgrade_removed_option", "0.13.0")
    assert "runner" in f"{found.message} {found.fix}"


@pytest.mark.parametrize(
    ("now", "target", "settings", "setting", "code"),
    [
        ("0.17.1", "0.18.0", {"swap_space": 4}, "swap_space", "upgrade_removed_option"),
        ("0.22.1", "0.23.0", {"all2all_backend": "mori"}, "all2all_backend", "upgrade_invalid_choice"),
        (
            "0.12.0",
            "0.13.0",
            {"compilation_config": {"x": 1}},
            "compilation_config.x",
            "upgrade_unknown_json_key",
        ),
        ("0.11.2", "0.12.0", {"seed": "None"}, None, None),
    ],
)
def test_what_breaks_under_the_target(
    now: str, target: str, settings: dict[str, t.Any], setting: str | None, code: str | None
) -> None:
    found = told(now, target, settings)
    assert (found[setting].code if setting else list(found)) == (code if setting else [])


def test_a_default_that_changes_is_told_where_the_setting_is_left_out() -> None:
    found = {f.setting: f for f in advice("0.19.1", "0.20.0", {}) if f.code == "upgrade_default_changed"}
    assert "0.9" in found["gpu_memory_utilization"].message
    assert found["gpu_memory_utilization"].severity == "info"
    assert "gpu_memory_utilization" not in {
        f.setting for f in advice("0.19.1", "0.20.0", {"gpu_memory_utilization": 0.9})
    }


def test_the_same_release_breaks_nothing() -> None:
    assert advice("0.26.0", "0.26.0", {"max_num_seqs": 4, "kv_cache_dtype": "fp8"}) == []


def test_a_target_that_nobody_knows_is_told() -> None:
    assert [f.code for f in advice("0.33.0", "0.40.0", {})] == ["upgrade_version_not_known"]
