"""How far a server is, from its log."""

from __future__ import annotations

import pytest

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._release.loading import progress

BANNER = "INFO 11-30 12:00:00 [api_utils.py:286] non-default args: {'port': 8000}"


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (
            "Loading safetensors checkpoint shards:  33% Completed | 1/3 [00:01<00:02,  1.1s/it]",
            "weights 1 of 3",
        ),
        ("Loading pt checkpoint shards: 100% Completed | 2/2 [00:01<00:00]", "weights 2 of 2"),
        ("INFO [default_loader.py:267] Loading weights took 12.34 seconds", "weights loaded in 12.34 s"),
        ("INFO [gpu_model_runner.py:1843] Starting to load model Qwen/Qwen3-0.6B...", "loads the weights"),
        ("INFO [backends.py:548] Dynamo bytecode transform time: 3.53 s", "compiles the model"),
        ("INFO [kv_cache_utils.py:864] GPU KV cache size: 1,048,576 tokens", "KV cache for 1,048,576 tokens"),
        (
            "Capturing CUDA graphs (mixed prefill-decode, PIECEWISE):  40%|████      | 27/67 [00:01<00:02]",
            "CUDA graphs 27 of 67",
        ),
        ("INFO:     Application startup complete.", "the HTTP server is up"),
    ],
)
def test_the_line_is_told_in_words(line: str, expected: str) -> None:
    assert progress([BANNER, line, BANNER]) == expected


def test_the_newest_line_counts() -> None:
    lines = ["Starting to load model m", "Loading safetensors checkpoint shards:  50% Completed | 1/2"]
    assert progress(lines) == "weights 1 of 2"


def test_nothing_is_made_up() -> None:
    assert progress([BANNER]) is None
    assert progress([]) is None
