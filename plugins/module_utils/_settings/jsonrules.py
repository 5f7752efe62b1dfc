"""What vLLM's configuration classes refuse although each key for itself is right: found while the line is parsed."""

from __future__ import annotations

import collections
import typing as t

from .problem import Problem

if t.TYPE_CHECKING:
    from .tables import JsonClass, Table
    from .version import Release

_NEVER: Release = (10**6, 0, 0)


class Keys:
    """The value of every key of one JSON option, given or default; None for keys that the release does not have."""

    def __init__(self, table: Table, json_class: JsonClass, value: dict[str, t.Any]) -> None:
        """Keep what is asked for."""
        self.table = table
        self.json_class = json_class
        self.value = value

    def __call__(self, key: str) -> t.Any:
        """The value of one key."""
        field = self.json_class.fields.get(key)
        return self.value.get(key, field.default) if field else None


class Rule(t.NamedTuple):
    """One check of a class: the releases that make it, when it fires, and what is wrong then."""

    owner: str
    fires: t.Callable[[Keys], t.Any]
    message: str
    since: Release = (0, 0, 0)
    until: Release = _NEVER


def _on(value: t.Any) -> bool:
    """A boolean key as pydantic reads it."""
    return value.lower() in ("1", "on", "t", "true", "y", "yes") if isinstance(value, str) else bool(value)


def _below(value: t.Any, limit: float) -> bool:
    return isinstance(value, (int, float)) and value < limit


def _custom_ops(get: Keys) -> bool:
    """Whether an entry is not ``all``, ``none``, ``+op`` or ``-op``."""
    ops = get("custom_ops") or []
    return any(op not in ("all", "none") and op[:1] not in ("+", "-") for op in ops)


def _one_base(get: Keys) -> bool:
    bases = [op for op in get("custom_ops") or [] if op in ("all", "none")]
    return len(bases) > 1


def _nameless(get: Keys) -> bool:
    return any(op in ("+", "-") for op in get("custom_ops") or [])


def _no_module(get: Keys) -> bool:
    return any(not path.rpartition(".")[0] for path in (get("inductor_passes") or {}).values())


def _both_ways(get: Keys) -> bool:
    signs = collections.defaultdict(set)
    for op in get("custom_ops") or []:
        signs[op[1:]].add(op[:1])
    return any({"+", "-"} <= found for found in signs.values())


def _piecewise(get: Keys) -> bool:
    mode = get("mode") if get("mode") is not None else get("level")
    compiled = str(mode).upper() in ("3", "VLLM_COMPILE")
    return compiled and get("backend") not in (None, "", "eager", "inductor")


_PROTON = {
    "proton_profiler_dir": "",
    "proton_context": "shadow",
    "proton_data": "tree",
    "proton_backend": None,
    "proton_mode": None,
    "proton_hook": None,
    "proton_output_format": None,
}


def _kept_on_gpu(get: Keys) -> bool:
    """Whether offloading is off by what is written; 0.30.0 takes its default, on, from the environment."""
    return get("cpu_offload") is not None and not _on(get("cpu_offload"))


def _proton(get: Keys) -> bool:
    """Whether a key for that profiler differs from its default, even as an empty text, with another profiler."""
    given = [key for key, usual in _PROTON.items() if key in get.json_class.fields and get(key) != usual]
    return get("profiler") != "proton" and (bool(given) or _on(get("proton_graph_attribution")))


def _proton_output(get: Keys) -> bool:
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
        since=(0, 16, 0),  # before, a directory alone chose the profiler
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
        "StructuredOutputsConfig",
        lambda get: (
            get("reasoning_parser")
            and not get("reasoning_parser_plugin")
            and get("reasoning_parser") not in get.table.registry("reasoning_parsers")
        ),
        "names a reasoning_parser that this release does not have",
        since=(0, 11, 1),
        until=(0, 12, 0),
    ),
    Rule(
        "AttentionConfig",
        lambda get: (
            _on(get("minimax_m3_indexer_cp"))
            and get("indexer_kv_dtype") not in (None, "auto", "bf16", "fp8", "fp8_e4m3")
        ),
        "takes minimax_m3_indexer_cp only with an indexer_kv_dtype of auto, bf16, fp8 or fp8_e4m3",
        since=(0, 33, 0),
    ),
    Rule(
        "PoolerConfig",
        lambda get: get("pooling_type") and (get("seq_pooling_type") or get("tok_pooling_type")),
        "takes pooling_type or one of seq_pooling_type and tok_pooling_type, not both",
        since=(0, 14, 0),
    ),
    Rule(
        "PoolerConfig",
        lambda get: get("logit_sigma") == 0,
        "needs a logit_sigma other than 0",
        since=(0, 20, 0),
    ),
    Rule(
        "PoolerConfig",
        lambda get: get("logit_bias") is not None and get("logit_mean") is not None,
        "takes one of logit_bias and logit_mean",
        since=(0, 20, 0),
        until=(0, 22, 99),
    ),
    Rule(
        "PoolerConfig",
        lambda get: get("logit_scale") is not None and get("logit_sigma") is not None,
        "takes one of logit_scale and logit_sigma",
        since=(0, 20, 0),
        until=(0, 22, 99),
    ),
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
        lambda get: _on(get("dp_shared_memory")) and _kept_on_gpu(get),
        "takes dp_shared_memory only with cpu_offload",
    ),
    Rule(
        "EngramConfig",
        lambda get: _on(get("use_thp")) and (_kept_on_gpu(get) or _on(get("dp_shared_memory"))),
        "takes use_thp only with cpu_offload and without dp_shared_memory",
    ),
    Rule(
        "CompilationConfig",
        lambda get: (
            _below(get("encoder_cudagraph_max_vision_items_per_batch"), 0)
            and _on(get("cudagraph_mm_encoder"))
        ),
        "needs an encoder_cudagraph_max_vision_items_per_batch of 0 or more",
        since=(0, 20, 0),
    ),
    Rule(
        "CompilationConfig",
        lambda get: (
            _below(get("encoder_cudagraph_max_frames_per_batch"), 0) and _on(get("cudagraph_mm_encoder"))
        ),
        "needs an encoder_cudagraph_max_frames_per_batch of 0 or more",
        since=(0, 20, 0),
    ),
    Rule(
        "CompilationConfig",
        lambda get: any(_below(size, 1) for size in get("encoder_cudagraph_token_budgets") or []),
        "needs encoder_cudagraph_token_budgets above 0",
        since=(0, 22, 0),
    ),
    Rule(
        "CompilationConfig",
        lambda get: any(_below(size, 1) for size in get("decoder_replay_cudagraph_capture_sizes") or []),
        "needs decoder_replay_cudagraph_capture_sizes above 0",
        since=(0, 32, 0),
    ),
    Rule("CompilationConfig", _custom_ops, "takes all, none, +op or -op in custom_ops", since=(0, 11, 0)),
    Rule("CompilationConfig", _nameless, "takes the name of an operation behind + and -", since=(0, 27, 0)),
    Rule("CompilationConfig", _one_base, "takes one of all and none in custom_ops, once"),
    Rule("CompilationConfig", _no_module, "takes dotted paths of functions in inductor_passes"),
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
    keys = Keys(table, json_class, value)
    return [
        Problem("invalid_json_value", rule.message, value=value)
        for rule in RULES
        if rule.owner == json_class.name and rule.since <= table.release <= rule.until and rule.fires(keys)
    ]
