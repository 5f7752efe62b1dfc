"""Write plugins/module_utils/_fit/attention_data.py: what every attention backend of every release can serve.

    python tools/attention_backends.py FOLDER

FOLDER holds unpacked source distributions (``0.26.0/vllm/…`` or ``vllm-0.26.0/vllm/…``). Nothing of them is imported:
the classes' own methods are taken out and asked, for each compute capability, by ``attentiontables``.
"""

from __future__ import annotations

import inspect
import sys
import typing as t
from pathlib import Path

from attentiontables import classes, render, stand_ins
from releases import folders_with, release_of

CAPABILITIES = (
    (7, 0),
    (7, 5),
    (8, 0),
    (8, 6),
    (8, 7),
    (8, 9),
    (9, 0),
    (10, 0),
    (10, 3),
    (11, 0),
    (12, 0),
    (12, 1),
)
HEADS = range(8, 1025, 8)
DTYPES = ("float16", "bfloat16", "float32")
_CACHES = """auto float16 bfloat16 fp8 fp8_e4m3 fp8_e5m2 fp8_inc fp8_ds_mla nvfp4 nvfp4_4over6 nvfp4_ds_mla
    int4_per_token_head int8_per_token_head fp8_per_token_head turboquant_k8v4 turboquant_4bit_nc turboquant_k3v4_nc
    turboquant_3bit_nc ultraquant_4bit"""
CACHES = _CACHES.split()
NOT_CUDA = ("PALLAS", "ROCM", "XPU", "CPU", "AMX", "NO_ATTENTION", "CUSTOM", "TORCH_SDPA")


def told(kind: t.Any, question: str, unknown: t.Any, *asked: t.Any, **named: t.Any) -> t.Any:
    """The answer of a class, or what stands for one that depends on more than we ask with."""
    try:
        found = getattr(kind, question)
        return found(*asked, **named) if callable(found) else found
    except (stand_ins.NeedsConfigurationError, AttributeError, NameError, KeyError, TypeError, ImportError):
        return unknown


def serves(kind: t.Any, capability: stand_ins.Capability, dtype: str, sink: bool) -> bool:
    """Whether the backend takes a cache of that format here."""
    mla = told(kind, "is_mla", False)
    asked: dict[str, t.Any] = {
        "head_size": 576 if mla else 128, "dtype": "bfloat16", "kv_cache_dtype": dtype, "block_size": None,
        "use_mla": mla, "has_sink": sink, "use_sparse": told(kind, "is_sparse", False), "use_mm_prefix": False,
        "device_capability": stand_ins.DeviceCapability(*capability),
    }  # fmt: skip
    known = inspect.signature(getattr(kind, "supports_combination", lambda: None)).parameters
    named = {name: value for name, value in asked.items() if name in known}
    refused = told(kind, "supports_combination", None, **named)
    return refused is None and bool(told(kind, "supports_kv_cache_dtype", True, dtype))


def on_gpu(kind: t.Any, capability: stand_ins.Capability) -> tuple[bool, tuple[str, ...]] | None:
    """Whether it takes attention sinks there, and which caches; None where it does not run."""
    if not told(kind, "supports_compute_capability", True, stand_ins.DeviceCapability(*capability)):
        return None
    sink = bool(told(kind, "supports_sink", True)) and serves(kind, capability, "auto", True)
    caches = tuple(each for each in CACHES if serves(kind, capability, each, False))
    return (sink, caches) if caches else None


def describe(release: classes.Release, name: str) -> dict[str, t.Any]:
    """What a backend of a release says of itself."""
    gpus = {each: on_gpu(release.build(name, each), each) for each in CAPABILITIES}
    kind = release.build(name, (9, 0))
    sizes = told(kind, "get_supported_kernel_block_sizes", None)
    sizes = getattr(kind, "supported_kernel_block_sizes", []) if sizes is None else sizes
    return {
        "mla": bool(told(kind, "is_mla", False)),
        "sparse": bool(told(kind, "is_sparse", False)),
        "heads": tuple(size for size in HEADS if told(kind, "supports_head_size", True, size)),
        "dtypes": tuple(each for each in DTYPES if each in told(kind, "supported_dtypes", DTYPES)),
        "blocks": tuple(sorted(getattr(each, "base", each) for each in sizes)),
        "gpus": {key: value for key, value in gpus.items() if value},
    }


def main(folder: str) -> None:
    """Ask every release and write the table."""
    found, tried = {}, {}
    for path in folders_with(Path(folder), "vllm/v1/attention"):
        if release_of(path) < (0, 11, 1):
            continue  # before, the platform chose without asking
        release = classes.Release(path)
        named = {
            name: describe(release, klass)
            for name, klass in release.registered().items()
            if not name.startswith(NOT_CUDA)
        }
        found[release_of(path)] = named
        tried[release_of(path)] = {
            (mla, each[0] * 10 + each[1]): release.candidates(mla, each)
            for mla in (False, True)
            for each in CAPABILITIES
        }
        print(path.name, *named)
    render.write(found, tried)


if __name__ == "__main__":
    main(sys.argv[1])
