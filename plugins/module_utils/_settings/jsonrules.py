"""What vLLM's configuration classes check by code of their own while the command line is parsed."""

from __future__ import annotations

import collections
import re
import typing as t

from .problem import Problem, under

if t.TYPE_CHECKING:
    from .tables import Field, JsonClass, Table
    from .version import Release

Get = t.Callable[[str], t.Any]
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
_NEVER: Release = (10**6, 0, 0)
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
    if value.upper() in names:
        return []
    return [_invalid(f"takes one of {', '.join(names)}", value, names)]


def _invalid(message: str, value: t.Any, allowed: t.Iterable[t.Any] = ()) -> Problem:
    return Problem("invalid_json_value", message, value=value, allowed=tuple(allowed))


def _backend(table: Table, key: str, value: t.Any) -> Settled:
    if isinstance(value, str) and value.lower() == "auto" and table.release >= (0, 20, 0):
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
    ("IrOpPriorityConfig", "*"): _comma_list,
    ("QuantizationConfigArgs", "linear"): _quant_spec,
    ("QuantizationConfigArgs", "moe"): _quant_spec,
    ("QuantizationConfigArgs", "targets"): _quant_targets,
    ("QuantSpec", "weight"): _quant_key,
    ("QuantSpec", "activation"): _quant_key,
}


# Rules over several keys ---------------------------------------------------------------------------------------------
class Rule(t.NamedTuple):
    """One check of a class: the releases that make it, when it fires, and what is wrong then."""

    owner: str
    fires: t.Callable[[Get], t.Any]
    message: str
    since: Release = (0, 0, 0)
    until: Release = _NEVER


def _on(value: t.Any) -> bool:
    """A boolean key as pydantic reads it."""
    return value.lower() in ("1", "on", "t", "true", "y", "yes") if isinstance(value, str) else bool(value)


def _below(value: t.Any, limit: float) -> bool:
    return isinstance(value, (int, float)) and value < limit


def _custom_ops(get: Get) -> bool:
    """Whether an entry is not ``all``, ``none``, ``+op`` or ``-op``."""
    ops = get("custom_ops") or []
    return any(op not in ("all", "none") and op[:1] not in ("+", "-") for op in ops)


def _one_base(get: Get) -> bool:
    bases = [op for op in get("custom_ops") or [] if op in ("all", "none")]
    return len(bases) > 1


def _two_bases(get: Get) -> bool:
    return len(set(get("custom_ops") or []) & {"all", "none"}) > 1


def _both_ways(get: Get) -> bool:
    signs = collections.defaultdict(set)
    for op in get("custom_ops") or []:
        signs[op[1:]].add(op[:1])
    return any({"+", "-"} <= found for found in signs.values())


def _piecewise(get: Get) -> bool:
    mode = get("mode") if get("mode") is not None else get("level")
    compiled = str(mode).upper() in ("3", "VLLM_COMPILE")
    return compiled and get("backend") not in (None, "", "eager", "inductor")


def _proton(get: Get) -> bool:
    usual = {
        "proton_dir": "",
        "proton_context": "shadow",
        "proton_data": "tree",
        "proton_graph_attribution": False,
    }
    keys = [
        "profiler_dir",
        "context",
        "data",
        "backend",
        "mode",
        "hook",
        "output_format",
        "graph_attribution",
    ]
    given = [key for key in keys if get("proton_" + key) not in (None, "", usual.get("proton_" + key))]
    return bool(given) and get("profiler") != "proton"


def _proton_output(get: Get) -> bool:
    wanted = {"chrome_trace": "trace", "hatchet": "tree", "hatchet_msgpack": "tree"}.get(
        get("proton_output_format")
    )
    return get("profiler") == "proton" and wanted is not None and (get("proton_data") or "tree") != wanted


RULES = (
    Rule(
        "KVTransferConfig",
        lambda get: get("kv_connector") is not None and get("kv_role") is None,
        "needs kv_role (kv_producer, kv_consumer or kv_both) beside kv_connector",
    ),
    Rule(
        "ECTransferConfig",
        lambda get: get("ec_connector") is not None and get("ec_role") is None,
        "needs ec_role beside ec_connector",
    ),
    Rule(
        "ProfilerConfig",
        lambda get: get("profiler") == "torch" and not get("torch_profiler_dir"),
        "needs torch_profiler_dir when profiler is torch",
    ),
    Rule(
        "ProfilerConfig",
        lambda get: get("torch_profiler_dir") and get("profiler") != "torch",
        "takes torch_profiler_dir only when profiler is torch",
    ),
    Rule(
        "ProfilerConfig",
        lambda get: get("torch_profiler_activities") is not None and get("profiler") != "torch",
        "takes torch_profiler_activities only when profiler is torch",
    ),
    Rule(
        "ProfilerConfig",
        lambda get: _on(get("capture_torch_profiler")) and get("profiler") != "torch",
        "takes capture_torch_profiler only when profiler is torch",
    ),
    Rule(
        "ProfilerConfig",
        lambda get: get("profiler") == "proton" and not get("proton_profiler_dir"),
        "needs proton_profiler_dir when profiler is proton",
    ),
    Rule("ProfilerConfig", _proton, "takes proton_… keys only when profiler is proton"),
    Rule("ProfilerConfig", _proton_output, "has a proton_output_format that does not fit proton_data"),
    Rule(
        "EPLBConfig",
        lambda get: _on(get("use_async")) and get("policy") not in (None, "default"),
        "takes use_async only with the policy default",
        since=(0, 14, 0),
    ),
    Rule(
        "EPLBConfig",
        lambda get: _on(get("use_async")) and get("communicator") in ("torch_nccl", "pynccl"),
        "takes use_async only with the communicator torch_gloo or nixl",
        since=(0, 24, 0),
    ),
    Rule(
        "EPLBConfig",
        lambda get: _on(get("log_balancedness")) and _below(get("log_balancedness_interval"), 1),
        "needs a log_balancedness_interval above 0",
        since=(0, 14, 0),
    ),
    Rule(
        "StructuredOutputsConfig",
        lambda get: _on(get("disable_any_whitespace")) and get("backend") not in ("xgrammar", "guidance"),
        "takes disable_any_whitespace only with the backend xgrammar or guidance",
    ),
    Rule(
        "StructuredOutputsConfig",
        lambda get: _on(get("disable_additional_properties")) and get("backend") != "guidance",
        "takes disable_additional_properties only with the backend guidance",
    ),
    Rule(
        "PoolerConfig",
        lambda get: get("pooling_type") and (get("seq_pooling_type") or get("tok_pooling_type")),
        "takes pooling_type or one of seq_pooling_type and tok_pooling_type, not both",
        since=(0, 14, 0),
    ),
    Rule("PoolerConfig", lambda get: get("logit_sigma") == 0, "needs a logit_sigma other than 0"),
    Rule(
        "PoolerConfig",
        lambda get: get("logit_scale") == 0,
        "needs a logit_scale other than 0",
        since=(0, 20, 0),
    ),
    Rule(
        "EncoderCacheManagerConfig",
        lambda get: get("encoder_cache_manager_cls") is None and get("manager_config"),
        "needs encoder_cache_manager_cls beside manager_config",
        since=(0, 28, 0),
    ),
    Rule(
        "QuantizationConfigArgs",
        lambda get: get("targets") is not None and (get("linear") is not None or get("moe") is not None),
        "takes targets or linear and moe, not both",
    ),
    Rule(
        "EngramConfig",
        lambda get: _on(get("dp_shared_memory")) and not _on(get("cpu_offload")),
        "takes dp_shared_memory only with cpu_offload",
    ),
    Rule(
        "EngramConfig",
        lambda get: _on(get("use_thp")) and (not _on(get("cpu_offload")) or _on(get("dp_shared_memory"))),
        "takes use_thp only with cpu_offload and without dp_shared_memory",
    ),
    Rule("CompilationConfig", _custom_ops, "takes all, none, +op or -op in custom_ops"),
    Rule("CompilationConfig", _one_base, "takes all or none once in custom_ops", until=(0, 26, 99)),
    Rule("CompilationConfig", _two_bases, "takes all or none in custom_ops, not both", since=(0, 27, 0)),
    Rule("CompilationConfig", _both_ways, "has an operation as + and as - in custom_ops", since=(0, 27, 0)),
    Rule(
        "CompilationConfig",
        _piecewise,
        "takes the backend inductor or eager with this mode",
        since=(0, 11, 1),
    ),
    Rule(
        "AttentionConfig",
        lambda get: (
            _on(get("use_fp4_indexer_cache")) and get("indexer_kv_dtype") not in (None, "auto", "mxfp4")
        ),
        "takes only one of use_fp4_indexer_cache and indexer_kv_dtype",
        since=(0, 28, 0),
        until=(0, 29, 99),
    ),
)


def check_rules(table: Table, json_class: JsonClass, value: dict[str, t.Any]) -> list[Problem]:
    """What the class refuses when each key for itself is right."""

    def get(key: str) -> t.Any:
        field = json_class.fields.get(key)
        return value.get(key, field.default) if field else None

    return [
        Problem("invalid_json_value", rule.message, value=value)
        for rule in RULES
        if rule.owner == json_class.name and rule.since <= table.release <= rule.until and rule.fires(get)
    ]
