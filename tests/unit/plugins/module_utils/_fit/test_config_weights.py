"""The size of weights from a config alone, against what the files of public checkpoints have."""

from __future__ import annotations

import pytest

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._fit.config_weights import weights_from_config

from .cases import model


@pytest.mark.parametrize(
    ("name", "gigabytes"),
    [
        pytest.param("Llama-3.1-8B", 16.1, id="dense"),
        pytest.param("Qwen3-30B-A3B", 61.1, id="a mixture of experts"),
        pytest.param("Qwen3.6-27B", 55.6, id="states and attention"),
        pytest.param("Nemotron-3-Nano-30B-A3B", 63.2, id="a letter for each layer, experts without a gate"),
        pytest.param("Nemotron-3-Nano-30B-A3B-NVFP4", 19.0, id="the same in NVFP4"),
    ],
)
def test_the_size_is_about_that_of_the_files(name: str, gigabytes: float) -> None:
    reckoned = weights_from_config(model(name))
    assert reckoned is not None
    assert sum(group.bytes for group in reckoned.groups) == pytest.approx(gigabytes * 1e9, rel=0.1)
