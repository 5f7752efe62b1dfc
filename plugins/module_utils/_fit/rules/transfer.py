"""What travels between GPUs and servers: caches over a connector, sums over shared memory."""

from __future__ import annotations

import typing as t

from ..._settings.rules.rule import Breach, rule, rules_of
from ..._settings.rules.view import View
from ..demand import is_hybrid

# Until then every connector switched the manager off, unless the settings asked for it.
_ALL_SWITCH_OFF_UNTIL = (0, 21, 0)
# Later only those do that are not made for it. Others may come with a package of their own, so these are named.
_NOT_MADE_FOR_IT = ("LMCacheConnectorV1", "FlexKVConnectorV1", "HF3FSKVConnector", "ExampleConnector")
_EVENTS_UNTIL = (0, 19, 1)
_WORLDS = (2, 4, 6, 8)


@rule(
    "kv_connector_with_hybrid_model",
    "kv_transfer_config kv_events_config disable_hybrid_kv_cache_manager",
    "v1/core/kv_cache_utils.py unify_hybrid_kv_cache_specs, config/vllm.py (0.10.2 to 0.33.0)",
    "0.10.2",
    needs=("model",),
    stage="fit",
)
def states_keep_their_manager(view: View) -> t.Iterator[Breach]:
    """Attention and states in one model need the hybrid manager of the cache, which some settings switch off."""
    if not is_hybrid(view.model) or view.given("hf_overrides"):
        return
    setting, what = _switched_off_by(view)
    if setting:
        yield Breach(
            setting,
            f"{what} switches off the hybrid manager of the KV cache, without which this model of attention and state"
            ' layers does not start: "Hybrid KV cache manager is disabled but failed to convert the KV cache specs to'
            ' one unified type".',
            _instead(view, setting),
        )


def _switched_off_by(view: View) -> tuple[str, str]:
    """The setting that does it, and in words; empty where none does, or where it may go well."""
    if view.flag("disable_hybrid_kv_cache_manager"):
        return "disable_hybrid_kv_cache_manager", "disable_hybrid_kv_cache_manager"
    if view.off("disable_hybrid_kv_cache_manager"):
        return "", ""
    transfer, connector = view.json("kv_transfer_config"), _connector(view)
    own = bool(transfer.get("kv_connector_module_path"))
    if connector and (view.release <= _ALL_SWITCH_OFF_UNTIL or (connector in _NOT_MADE_FOR_IT and not own)):
        return "kv_transfer_config", f"The KV connector {connector}"
    events = view.json("kv_events_config")
    if events.get("enable_kv_cache_events") is True and view.release <= _EVENTS_UNTIL:
        return "kv_events_config", "kv_events_config"
    return "", ""


def _connector(view: View) -> str:
    return str(view.json("kv_transfer_config").get("kv_connector") or "")


def _instead(view: View, setting: str) -> str:
    if setting != "kv_transfer_config":
        return f"leave {setting} out"
    if view.release > _ALL_SWITCH_OFF_UNTIL:
        return "another connector (NixlConnector, OffloadingConnector, MooncakeConnector), or none"
    return (
        "leave kv_transfer_config out, or vLLM 0.22.0 or newer with a connector that supports hybrid models"
    )


@rule(
    "allocator_env",
    "tensor_parallel_size",
    "reported for 0.20.2 to 0.28.0 (vllm#42609, #49101, #56180); custom_all_reduce.cu",
    severity="warning",
    stage="fit",
)
def memory_that_moves_is_not_shared(view: View) -> t.Iterator[Breach]:
    """The custom all-reduce shares memory between processes, which expandable segments cannot."""
    moving = any(
        "expandable_segments:true" in view.env.get(name, "").lower()
        for name in ("PYTORCH_CUDA_ALLOC_CONF", "PYTORCH_ALLOC_CONF")
    )
    if not moving or view.tp not in _WORLDS or view.flag("disable_custom_all_reduce") or _only_pcie(view):
        return
    yield Breach(
        "env.PYTORCH_CUDA_ALLOC_CONF",
        "expandable_segments:True and the custom all-reduce of tensor parallelism were reported to end the start with"
        ' "custom_all_reduce.cuh invalid argument", while CUDA graphs are captured.',
        "leave expandable_segments out of env, or disable_custom_all_reduce: true",
    )


def _only_pcie(view: View) -> bool:
    """More than two GPUs without NVLink do not use it anyway."""
    names = [(gpu.name or "") for gpu in view.gpus]
    return (
        view.tp > 2
        and bool(names)
        and all(any(mark in name for mark in ("RTX", "L4", "A10")) for name in names)
    )


RULES = rules_of(globals())
