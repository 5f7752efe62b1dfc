"""How far a server is that does not answer yet, told from its log."""

from __future__ import annotations

import re
import typing as t

# The newest line that matches counts. Wordings of vLLM 0.10 to 0.33: model_loader/weight_utils.py (tqdm),
# v1/worker/gpu_model_runner.py, compilation/, v1/core/kv_cache_utils.py.
_SHARDS = re.compile(r"Loading [\w. -]*checkpoint shards:\s*(?:\d+% Completed \| )?(\d+)/(\d+)")
_STEPS: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"Starting to load model"), "loads the weights"),
    (re.compile(r"Loading weights took ([\d.]+)"), "weights loaded in {0} s"),
    (re.compile(r"Dynamo bytecode transform|torch\.compile|Compiling a graph"), "compiles the model"),
    (re.compile(r"GPU KV cache size: ([\d,]+) tokens"), "KV cache for {0} tokens"),
    (
        re.compile(r"Capturing (?:CUDA|cudagraph)[^:]*:\s*(\d+)%[^|]*\|[^|]*\|\s*(\d+)/(\d+)"),
        "CUDA graphs {1} of {2}",
    ),
    (re.compile(r"Capturing (?:CUDA|cudagraph)"), "captures CUDA graphs"),
    (re.compile(r"Application startup complete"), "the HTTP server is up"),
)


def progress(lines: t.Sequence[str]) -> str | None:
    """What the newest telling line says; None where none tells anything."""
    for line in reversed(lines):
        shards = _SHARDS.search(line)
        if shards:
            return f"weights {shards.group(1)} of {shards.group(2)}"
        for pattern, words in _STEPS:
            found = pattern.search(line)
            if found:
                return words.format(*found.groups())
    return None
