"""How each class of failures shows itself: where, with which exit code, and which of the recorded lines are taken."""

from __future__ import annotations

import json
import re
import typing as t
from pathlib import Path

RECORDED = Path(__file__).resolve().parents[2] / "fixtures/diagnosis"

# class -> phase, exit code, what it does then, and a pattern that chooses among its records where the first is not apt.
BEHAVIOUR: dict[str, tuple[str, int, str, str]] = {
    "attention_backend_invalid_for_config": ("load", 1, "exit", "No valid attention"),
    "compile_cache_stale": ("capture", 1, "exit", ""),
    "container_user_or_cache_permissions": ("config", 1, "exit", r"Permission denied: '/\.cache'"),
    "cuda_compat_libs_shadow_driver": ("load", 1, "exit", "^RuntimeError"),
    "cuda_illegal_memory_access": ("serving", 1, "exit", "^RuntimeError"),
    "draft_model_arch_unsupported": ("config", 1, "exit", ""),
    "driver_older_than_image_cuda": ("load", 1, "exit", "insufficient"),
    "dtype_not_supported_on_gpu": ("load", 1, "exit", ""),
    "env_invalid": ("config", 1, "exit", "VLLM_MARLIN"),
    "free_memory_below_utilization": ("load", 1, "exit", r"2\.6/121\.63"),
    "host_memory": ("load", 137, "exit", ""),
    "hybrid_mamba_blocks": ("profile", 1, "exit", r"max_num_seqs \(1024\)"),
    "image_lacks_gpu_arch": ("load", 1, "exit", "no kernel image"),
    "kernel_not_for_gpu": ("profile", 1, "exit", "Unknown SF"),
    "kv_cache_too_small_for_max_model_len": ("profile", 1, "exit", "262144"),
    "kv_dtype_not_supported_on_gpu": ("profile", 1, "exit", "fp8e4nv"),
    "lora": ("load", 1, "exit", ""),
    "max_model_len_above_model": ("config", 1, "exit", "User-specified"),
    "missing_package": ("config", 1, "exit", "lmcache"),
    "model_access": ("config", 1, "exit", "OSError: You are trying"),
    "model_arch_unsupported": ("config", 1, "exit", "ValidationError"),
    "mtp_weights": ("load", 1, "exit", "not initialized|weights missing"),
    "nccl_hang_or_error": ("load", 1, "hang", "vLLM is using nccl"),
    "no_gpu_visible": ("config", 1, "exit", "Failed to infer"),
    "no_memory_for_kv_cache": ("profile", 1, "exit", "cache blocks"),
    "oom_generic": ("load", 1, "exit", "OutOfMemoryError"),
    "oom_warmup_or_graph_capture": ("capture", 1, "exit", "OutOfMemoryError"),
    "parallel_size_not_divisible": ("config", 1, "exit", "^ValueError: Total number"),
    "parser_unknown": ("config", 1, "exit", "^KeyError: 'invalid tool"),
    "port_in_use": ("config", 1, "exit", "^OSError"),
    "quantization_mismatch": ("config", 1, "exit", ""),
    "removed_or_unknown_argument": ("parse", 2, "exit", "--disable-log-requests"),
    "shm_too_small": ("load", 1, "exit", "h100"),
    "speculative_config_invalid": ("config", 1, "exit", "num_speculative_tokens"),
    "startup_timeout": ("capture", 1, "exit", "Timed out waiting for engine core"),
}
# The same line, told apart by how far the start had come; and a death that leaves no line.
LINES_OF = {"oom_warmup_or_graph_capture": "oom_generic"}
WITHOUT_LINES = ("host_memory",)


def data() -> dict[str, dict[str, t.Any]]:
    """What travels with the image."""
    return {
        name: {"phase": phase, "exit_code": code, "then": then, "lines": _lines(name, pattern or ".")}
        for name, (phase, code, then, pattern) in BEHAVIOUR.items()
    }


def _lines(name: str, pattern: str) -> list[str]:
    if name in WITHOUT_LINES:
        return []
    pattern = "OutOfMemoryError" if name in LINES_OF else pattern
    name = LINES_OF.get(name, name)
    return next(lines for lines in _recorded(name) if re.search(pattern, "\n".join(lines), re.MULTILINE))


def _recorded(name: str) -> t.Iterator[list[str]]:
    """Lines as they were posted, and single lines in other wordings."""
    for text in (RECORDED / "failures.jsonl").read_text().splitlines():
        record = json.loads(text)
        if record["failure_class"] == name:
            yield record["lines"]
    for text in (RECORDED / "wordings.txt").read_text().splitlines():
        known, _bar, line = text.partition("|")
        if known == name:
            yield [line]
