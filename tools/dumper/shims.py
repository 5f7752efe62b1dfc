"""What lets an old vLLM be imported beside a newer torch; nothing here touches the parser."""

from __future__ import annotations

import os

QUIET = {
    "VLLM_LOGGING_LEVEL": "ERROR",
    "VLLM_NO_USAGE_STATS": "1",
    "HF_HUB_OFFLINE": "1",
    "CUDA_VISIBLE_DEVICES": "",
}
PROBES = (
    "avx512_supported",
    "amx_tile_supported",
    "avx2_supported",
    "avx512_vnni_supported",
    "avx512_bf16_supported",
)


def prepare() -> None:
    """Call before the first import of vLLM."""
    for name, value in QUIET.items():
        os.environ.setdefault(name, value)
    import torch

    for probe in PROBES:  # 0.17.x asks torch for these
        if not hasattr(torch._C._cpu, f"_is_{probe}"):
            setattr(torch._C._cpu, f"_is_{probe}", lambda: False)
