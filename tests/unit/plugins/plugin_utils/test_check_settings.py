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
    assert set(result) == {
        "valid", "findings", "settings", "argv", "model", "vllm_version", "table_version", "fit",
    }  # fmt: skip
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
        ({"vllm_version": "0.26.0", "gpu_facts": ["L4"]}, "list of mappings"),
        ({"vllm_version": "0.26.0", "host_memory_mib": True}, "host_memory_mib takes a whole number"),
        ({"vllm_version": "0.26.0", "driver_version": 580.95}, "driver_version takes text"),
        ({"vllm_version": "0.26.0", "advise": "no"}, "advise takes true or false"),
    ],
)
def test_a_wrong_option_is_said_in_words(options: dict[str, t.Any], says: str) -> None:
    with pytest.raises(AnsibleError, match=says):
        check_settings(options)


def test_a_config_file_beside_the_playbook_is_read(tmp_path: pathlib.Path) -> None:
    (tmp_path / "vllm.yaml").write_text("max-model-len: 32k\n")
    checked = check_settings({"vllm_version": "0.26.0", "argv": "vllm serve m --config vllm.yaml"}, tmp_path)
    assert (checked.valid, checked.checked.argv) == (True, ["m", "--max-model-len", "32000"])


def test_a_config_file_that_is_not_there_is_a_finding(tmp_path: pathlib.Path) -> None:
    checked = check_settings({"vllm_version": "0.26.0", "argv": ["m", "--config", "vllm.yaml"]}, tmp_path)
    assert [finding.setting for finding in checked.findings if finding.severity == "error"] == ["config"]


def test_the_filter_writes_the_command_line_or_fails_with_everything_that_is_wrong() -> None:
    write = FilterModule().filters()["vllm_argv"]
    assert write({"max_model_len": "32k"}, "0.26.0", "m") == ["m", "--max-model-len", "32000"]
    with pytest.raises(AnsibleFilterError, match=r"max_num_sekqs.*dtype|dtype.*max_num_sekqs"):
        write({"max_num_sekqs": 1, "dtype": "fp16"}, "0.26.0", "m")


# with facts ----------------------------------------------------------------------------------------------------------
CONFIG = {
    "architectures": ["LlamaForCausalLM"],
    "model_type": "llama",
    "num_hidden_layers": 32,
    "num_attention_heads": 32,
    "num_key_value_heads": 8,
    "hidden_size": 4096,
    "intermediate_size": 14336,
    "vocab_size": 128256,
    "max_position_embeddings": 131072,
}
L4 = {"index": 0, "name": "NVIDIA L4", "compute_capability": "8.9", "memory_total_mib": 23034}
WITH_FACTS = {
    "vllm_version": "0.26.0",
    "model": "m/m",
    "gpu_facts": [L4],
    "model_facts": {"config": CONFIG, "tensors": {"total_bytes": 15 << 30}},
}


def codes(**options: t.Any) -> list[str]:
    return [each["code"] for each in as_result(check_settings({**WITH_FACTS, **options}))["findings"]]


def test_with_facts_it_is_told_whether_the_server_fits() -> None:
    result = as_result(check_settings(WITH_FACTS))
    assert result["fit"]["shortage"] == "kv_cache_too_small_for_max_model_len"
    assert "kv_cache_too_small_for_max_model_len" in [each["code"] for each in result["findings"]]
    assert result["valid"] is False
    assert as_result(check_settings({**WITH_FACTS, "gpu_facts": None}))["fit"] is None


def test_a_partitioned_gpu_is_its_slices() -> None:
    slices = [{"name": "0:0", "profile": "3g.40gb", "memory_total_mib": 40192}] * 2
    facts = [{**L4, "memory_total_mib": 81920, "mig_devices": slices}]
    fit = as_result(check_settings({**WITH_FACTS, "gpu_facts": facts}))["fit"]
    assert fit["gpus"][0]["total_gib"]["high"] == 39.25


def test_driver_memory_of_the_host_and_advice_are_options() -> None:
    assert "driver_older_than_image_cuda" in codes(driver_version="570.86.15")
    assert "host_memory" in codes(host_memory_mib=4000, settings={"cpu_offload_gb": 8})
    assert "advice_context_length" in codes()
    assert "advice_context_length" not in codes(advise=False)


def test_adapters_are_held_against_the_rank_that_the_server_allows() -> None:
    settings = {"enable_lora": True, "lora_modules": [{"name": "sql", "path": "/lora/sql"}]}
    assert "lora" in codes(settings=settings, adapter_facts={"/lora/sql": {"adapter_rank": 64}})
    assert "lora" not in codes(settings=settings, adapter_facts={"/lora/sql": {"adapter_rank": 16}})
    assert "lora" not in codes(settings=settings)


def test_what_is_free_of_the_given_gpus_counts_as_it_stands() -> None:
    used = {**L4, "memory_free_mib": 2000, "processes": []}
    assert "free_memory_below_utilization" in codes(gpu_facts=[used])
