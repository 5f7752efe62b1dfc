"""How many bytes one token takes in one layer's cache, by the format of the cache (vllm/v1/kv_cache_interface.py)."""

from __future__ import annotations

from .units import ceil_div

# Bits of keys and of values; None stands for one byte per element without a norm beside it.
_TURBOQUANT = {
    "turboquant_k8v4": (None, 4),
    "turboquant_4bit_nc": (4, 4),
    "turboquant_k3v4_nc": (3, 4),
    "turboquant_3bit_nc": (3, 3),
}
_SCALE_BYTES = 4  # one fp32 scale per token, head and half
_ONE_BYTE = ("fp8", "fp8_e4m3", "fp8_e5m2", "fp8_inc", "int8_per_token_head", "fp8_per_token_head")
_TWO_BYTES = ("float16", "bfloat16", "half")
_SPARSE_MLA_BYTES = 656  # fp8_ds_mla: 512 quantized, their scales, 64 positions unquantized


def is_turboquant(kv_dtype: str) -> bool:
    """Whether it is one of the packed TurboQuant formats."""
    return kv_dtype in _TURBOQUANT


def element_size(kv_dtype: str, model_bytes: int) -> int | None:
    """Bytes per element of a plain format; None for packed and unknown ones."""
    if kv_dtype == "auto":
        return model_bytes
    if kv_dtype in _TWO_BYTES:
        return 2
    return 1 if kv_dtype in _ONE_BYTE else None


def heads_bytes(kv_dtype: str, kv_heads: int, key_size: int, value_size: int, model_bytes: int) -> int | None:
    """Bytes of keys and values of one token in one layer; None for a format that we do not know."""
    scales = 2 * kv_heads * _SCALE_BYTES if kv_dtype.endswith("_per_token_head") else 0
    size = element_size(kv_dtype, model_bytes)
    if size is not None:
        return kv_heads * (key_size + value_size) * size + scales
    if kv_dtype == "int4_per_token_head":
        return kv_heads * (key_size // 2 + value_size // 2) + scales
    if kv_dtype in ("nvfp4", "nvfp4_4over6"):
        return kv_heads * sum(half // 2 + half // 16 for half in (key_size, value_size))
    if kv_dtype in _TURBOQUANT:
        return kv_heads * turboquant_slot(kv_dtype, key_size)
    return None


def turboquant_slot(kv_dtype: str, head_size: int) -> int:
    """Bytes of one token and head: packed keys with their norm, packed values with scale and zero, an even number."""
    key_bits, value_bits = _TURBOQUANT[kv_dtype]
    keys = head_size if key_bits is None else ceil_div(head_size * key_bits, 8) + 2
    slot = keys + ceil_div(head_size * value_bits, 8) + 4
    return slot + slot % 2


def latent_bytes(kv_dtype: str, latent_size: int, model_bytes: int) -> int | None:
    """Bytes of one token's latent vector (MLA): one for all heads, not divided among GPUs."""
    if kv_dtype == "fp8_ds_mla":
        return _SPARSE_MLA_BYTES
    size = element_size(kv_dtype, model_bytes)
    return None if size is None else latent_size * size
