"""KV caches that travel to other servers, and experts that are reported back."""

from __future__ import annotations

import typing as t

from .registered import unregistered
from .rule import Breach, row, rule, rules_of
from .view import View


def _connector(view: View) -> str:
    return str(view.json("kv_transfer_config").get("kv_connector") or "")


def _check_connector(view: View, tail: str = "") -> t.Iterator[Breach]:
    if not view.json("kv_transfer_config").get("kv_connector_module_path"):
        setting, plugin = "kv_transfer_config.kv_connector", "kv_connector_module_path"
        yield from unregistered(
            view, "kv_connectors", setting, _connector(view), "KV connector", plugin, tail
        )


@rule(
    "unknown_connector",
    "kv_transfer_config",
    "distributed/kv_transfer/kv_connector/factory.py, config/vllm.py (0.33.0)",
    "0.17.0",
)
def connector_is_known(view: View) -> t.Iterator[Breach]:
    """The configuration looks the class up."""
    yield from _check_connector(view)


@rule(
    "unknown_connector",
    "kv_transfer_config",
    "distributed/kv_transfer/kv_connector/factory.py (0.16.0)",
    until="0.16.0",
    severity="warning",
)
def early_connector_is_known(view: View) -> t.Iterator[Breach]:
    """The worker looks the class up."""
    yield from _check_connector(view, " The worker refuses it after the weights are loaded.")


def _expandable(view: View) -> bool:
    return "expandable_segments:True" in view.env.get("PYTORCH_CUDA_ALLOC_CONF", "")


_TRANSFER = (
    row(
        "connector_with_moving_memory",
        "kv_transfer_config",
        "config/vllm.py:1291 (0.33.0)",
        lambda view: (
            bool(_connector(view))
            and _expandable(view)
            and not view.flag("enable_cumem_allocator")
            and not view.flag("enable_sleep_mode")
        ),
        lambda view: "KV connectors do not work with PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True.",
        "remove expandable_segments from env",
        since="0.21.0",
    ),
    row(
        "replay_with_connector",
        "use_replayssm",
        "config/vllm.py:3549 (0.33.0)",
        lambda view: view.flag("use_replayssm") and bool(_connector(view)),
        lambda view: "use_replayssm does not go together with KV connectors.",
        "leave use_replayssm out",
        since="0.27.0",
        until="0.28.0",
    ),
)

_ROUTED = (
    row(
        "routed_experts_of_dense_model",
        "enable_return_routed_experts",
        "config/vllm.py:1206 (0.33.0)",
        lambda view: view.flag("enable_return_routed_experts") and view.model.is_moe is False,
        lambda view: "enable_return_routed_experts is for models with experts; this one has none.",
        "leave it out",
        since="0.31.0",
        needs=("model",),
    ),
    row(
        "routed_experts_with_pipeline",
        "enable_return_routed_experts",
        "config/vllm.py:1218 (0.33.0)",
        lambda view: view.flag("enable_return_routed_experts") and view.pp > 1,
        lambda view: "enable_return_routed_experts does not go together with pipeline_parallel_size.",
        "leave it out",
        since="0.22.0",
    ),
    row(
        "routed_experts_with_async",
        "enable_return_routed_experts",
        "config/vllm.py:1936 (0.21.0)",
        lambda view: (
            view.flag("enable_return_routed_experts")
            and not view.off("async_scheduling")
            and view.speculation is None
            and view.pp == 1
        ),
        lambda view: "0.21 does not return routed experts while it schedules ahead, which is its default.",
        "async_scheduling: false, or leave enable_return_routed_experts out",
        since="0.21.0",
        until="0.21.0",
    ),
    row(
        "routed_experts_with_context_parallel",
        "enable_return_routed_experts",
        "config/vllm.py:1226 (0.33.0)",
        lambda view: view.flag("enable_return_routed_experts") and max(view.dcp, view.pcp) > 1,
        lambda view: "enable_return_routed_experts does not go together with context parallelism.",
        "leave it out",
        since="0.28.0",
    ),
    row(
        "routed_experts_with_connector",
        "enable_return_routed_experts",
        "config/vllm.py:1306 (0.30.0)",
        lambda view: view.flag("enable_return_routed_experts") and bool(_connector(view)),
        lambda view: "enable_return_routed_experts does not go together with KV connectors in this release.",
        "leave it out",
        since="0.22.0",
        until="0.30.0",
    ),
    row(
        "routed_experts_without_prefix_caching",
        "enable_return_routed_experts",
        "config/vllm.py:1208 (0.33.0)",
        lambda view: view.flag("enable_return_routed_experts") and view.off("enable_prefix_caching"),
        lambda view: "enable_return_routed_experts needs enable_prefix_caching.",
        "leave enable_prefix_caching out",
        since="0.31.0",
    ),
)

RULES = rules_of(globals())
