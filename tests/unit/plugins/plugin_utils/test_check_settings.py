from __future__ import annotations

import pathlib
import typing as t

import pytest
from ansible.errors import AnsibleError, AnsibleFilterError

from ansible_collections.gpuops.vllm_fleet.plugins.filter.vllm_argv import FilterModule
from ansible_collections.gpuops.vllm_fleet.plugins.plugin_utils.check_settings import (
    as_result,
    check_settings,
)

KEYS = {
    "severity", "stage", "code", "message", "fix", "host", "instance", "setting", "value", "origin", "source", "since",
    "until",
}  # fmt: skip


def test_the_result_has_what_the_documentation_promises() -> None:
    result = as_result(
        check_settings({"vllm_version": "0.26.0", "model": "m", "settings": {"dtype": "fp16"}})
    )
    assert set(result) == {"valid", "findings", "settings", "argv", "model", "vllm_version", "table_version"}
    assert all(set(finding) == KEYS for finding in result["findings"])
    assert result["valid"] is False


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({}, "vllm_version is missing"),
        ({"vllm_version": 0.26}, "quote it"),
        ({"vllm_version": "0.26.0", "setings": {}}, "no option setings"),
        ({"vllm_version": "0.26.0", "settings": []}, "settings takes a mapping"),
        ({"vllm_version": "0.26.0", "argv": {}}, "argv takes text or a list"),
        ({"vllm_version": "0.26.0", "model_facts": {}}, "needs the key config"),
    ],
)
def test_a_wrong_option_is_said_in_words(options: dict[str, t.Any], says: str) -> None:
    with pytest.raises(AnsibleError, match=says):
        check_settings(options)


def test_a_config_file_beside_the_playbook_is_read(tmp_path: pathlib.Path) -> None:
    (tmp_path / "vllm.yaml").write_text("max-model-len: 32k\n")
    checked = check_settings({"vllm_version": "0.26.0", "argv": "vllm serve m --config vllm.yaml"}, tmp_path)
    assert (checked.valid, checked.argv) == (True, ["m", "--max-model-len", "32000"])


def test_a_config_file_that_is_not_there_is_a_finding(tmp_path: pathlib.Path) -> None:
    checked = check_settings({"vllm_version": "0.26.0", "argv": ["m", "--config", "vllm.yaml"]}, tmp_path)
    assert [finding.setting for finding in checked.findings if finding.severity == "error"] == ["config"]


def test_the_filter_writes_the_command_line_or_fails_with_everything_that_is_wrong() -> None:
    write = FilterModule().filters()["vllm_argv"]
    assert write({"max_model_len": "32k"}, "0.26.0", "m") == ["m", "--max-model-len", "32000"]
    with pytest.raises(AnsibleFilterError, match=r"max_num_sekqs.*dtype|dtype.*max_num_sekqs"):
        write({"max_num_sekqs": 1, "dtype": "fp16"}, "0.26.0", "m")
