"""Keys of JSON options that vLLM reads by code of its own, beyond or instead of what their type says."""

from __future__ import annotations

import re
import typing as t

from .problem import Problem, under

if t.TYPE_CHECKING:
    from .tables import Field, Table
    from .version import Release

Settled = tuple[t.Any, t.Optional[list[Problem]]]  # the value to go on with, or the verdict

KV_GROUPS = (
    "full_attention",
    "mla_attention",
    "sliding_window",
    "sliding_window_mla",
    "mamba",
    "chunked_local_attention",
    "sink_full_attention",
    "encoder_only_attention",
    "cross_attention",
    "unknown",
)
# Names that QuantizationConfigArgs understands, with the first release of each.
QUANT_KEYS: dict[str, Release] = {
    "fp8_per_tensor_static": (0, 22, 0),
    "fp8_per_tensor_dynamic": (0, 22, 0),
    "fp8_per_token": (0, 22, 0),
    "fp8_per_block_static": (0, 22, 0),
    "fp8_per_block_dynamic": (0, 22, 0),
    "mxfp8": (0, 22, 0),
    "mxfp4": (0, 22, 0),
    "int8_per_channel_static": (0, 22, 0),
    "fp8_per_channel_static": (0, 24, 0),
    "nvfp4_per_token": (0, 32, 0),
    "int4_per_group_32": (0, 32, 0),
    "int8_per_group_32": (0, 33, 0),
}
QUANT_SHORTHANDS: dict[str, Release] = {
    "fp8_per_tensor": (0, 22, 0),
    "fp8_per_block": (0, 22, 0),
    "mxfp8": (0, 22, 0),
    "int8_per_channel_weight_only": (0, 22, 0),
    "fp8_per_channel": (0, 24, 0),
    "nvfp4_per_token": (0, 26, 0),
    "mxfp4": (0, 28, 0),
}
ONLY_MOE = ("int8_per_channel_weight_only", "nvfp4_per_token")


def own_validator(table: Table, owner: str, key: str, field: Field, value: t.Any) -> Settled:
    """What vLLM's validator of that key makes of the value, before or instead of the check of its type."""
    special = _SPECIAL.get((owner, key)) or _SPECIAL.get((owner, "*"))
    if special:
        return special(table, key, value)
    kind = field.type[1] if field.type[0] == "opt" else field.type
    if isinstance(value, str) and kind[0] == "enum":
        return value, _member(table, kind[1], value)
    return value, None


def _member(table: Table, enum: str, value: str) -> list[Problem]:
    """Members of enumerations are named, in any case."""
    names = tuple(str(name) for name, _value in table.named(enum))
    # Up to 0.13.0 CUSTOM was a second name of another member, which the tables do not tell.
    alias = enum == "enum AttentionBackendEnum" and value.upper() == "CUSTOM" and table.release < (0, 14, 0)
    if value.upper() in names or alias:
        return []
    return [_invalid(f"takes one of {', '.join(names)}", value, names)]


def _invalid(message: str, value: t.Any, allowed: t.Iterable[t.Any] = ()) -> Problem:
    return Problem("invalid_json_value", message, value=value, allowed=tuple(allowed))


def _backend(table: Table, key: str, value: t.Any) -> Settled:
    if isinstance(value, str) and value.lower() == "auto" and table.release >= (0, 18, 0):
        return None, []
    return value, _member(table, "enum AttentionBackendEnum", value) if isinstance(value, str) else None


def _backend_per_kind(table: Table, key: str, value: t.Any) -> Settled:
    if not isinstance(value, dict):
        return value, None
    problems = [
        _invalid(f"takes only the groups {', '.join(KV_GROUPS)}", k, KV_GROUPS)
        for k in value
        if k not in KV_GROUPS
    ]
    for group, backend in value.items():
        found = _member(table, "enum AttentionBackendEnum", backend) if isinstance(backend, str) else []
        problems += [under(problem, group) for problem in found]
    return value, problems


def _lower_underscore(table: Table, key: str, value: t.Any) -> Settled:
    return value.lower().replace("-", "_") if isinstance(value, str) else value, None


def _save_format(table: Table, key: str, value: t.Any) -> Settled:
    if isinstance(value, str) and value not in ("binary", "unpacked"):
        return value, [_invalid("takes one of binary, unpacked", value, ("binary", "unpacked"))]
    return value, None


def _path(table: Table, key: str, value: t.Any) -> Settled:
    fits = value is None or isinstance(value, str)
    return value, None if fits else [_invalid("takes a path", value)]


def _comma_list(table: Table, key: str, value: t.Any) -> Settled:
    return value.replace(" ", "").split(",") if isinstance(value, str) else value, None


def _at(names: t.Mapping[str, Release], release: Release) -> list[str]:
    return [name for name, since in names.items() if since <= release]


def _quant_spec(table: Table, key: str, value: t.Any) -> Settled:
    if not isinstance(value, str):
        return value, None
    shorthands = _at(QUANT_SHORTHANDS, table.release)
    if value in shorthands:
        refused = key == "linear" and value in ONLY_MOE
        return value, [_invalid("has nothing for linear layers", value)] if refused else []
    allowed = [*shorthands, *_at(QUANT_KEYS, table.release)]
    return value, [] if value in allowed else [_invalid(f"takes one of {', '.join(allowed)}", value, allowed)]


def _quant_key(table: Table, key: str, value: t.Any) -> Settled:
    allowed = _at(QUANT_KEYS, table.release)
    fits = value is None or value in allowed
    return value, [] if fits else [_invalid(f"takes one of {', '.join(allowed)}", value, allowed)]


def _quant_targets(table: Table, key: str, value: t.Any) -> Settled:
    if not isinstance(value, dict):
        return value, None
    allowed = _at(QUANT_SHORTHANDS, table.release)
    problems = []
    for pattern, name in value.items():
        if name not in allowed:
            problems.append(under(_invalid(f"takes one of {', '.join(allowed)}", name, allowed), pattern))
        elif pattern.startswith("re:") and not _compiles(pattern[3:]):
            problems.append(_invalid("has a key that is no regular expression", pattern))
    return value, problems


def _compiles(pattern: str) -> bool:
    try:
        re.compile(pattern)
    except re.error:
        return False
    return True


_SPECIAL: dict[tuple[str, str], t.Callable[[Table, str, t.Any], Settled]] = {
    ("AttentionConfig", "backend"): _backend,
    ("AttentionConfig", "backend_per_kind"): _backend_per_kind,
    ("SpeculativeConfig", "attention_backend"): _backend,
    ("KernelConfig", "*"): _lower_underscore,
    ("CompilationConfig", "compile_cache_save_format"): _save_format,
    ("CompilationConfig", "debug_dump_path"): _path,
    ("IrOpPriorityConfig", "*"): _comma_list,
    ("QuantizationConfigArgs", "linear"): _quant_spec,
    ("QuantizationConfigArgs", "moe"): _quant_spec,
    ("QuantizationConfigArgs", "targets"): _quant_targets,
    ("QuantSpec", "weight"): _quant_key,
    ("QuantSpec", "activation"): _quant_key,
}
