"""Mixtures of experts: who holds which expert, how they are balanced, how tokens travel to them."""

from __future__ import annotations

import typing as t

from .rule import Breach, row, rule, rules_of
from .view import View

_PASSING = ("flashinfer_moe_ep_mega_deep_gemm", "flashinfer_moe_ep_cutedsl", "flashinfer_moe_ep_mega_cutedsl")
_MEGA = ("deep_gemm_mega_moe", "aiter_mega_moe", *_PASSING)


def moe_backend(view: View) -> str:
    """The backend of experts, from its own option or from kernel_config."""
    own = view.text("moe_backend")
    nested = view.json("kernel_config").get("moe_backend")
    return own if own not in ("", "auto") else str(nested or "").lower().replace("-", "_")


def _microbatching(view: View) -> bool:
    return view.flag("enable_dbo") or view.number("ubatch_size") > 1


def _microbatch_backends(view: View) -> tuple[str, ...]:
    early = ("deepep_low_latency", "deepep_high_throughput")
    return (*early, "nixl_ep") if view.since(0, 24, 0) else early


def _redundant(view: View) -> bool:
    value = view.json("eplb_config").get("num_redundant_experts")
    return value not in (None, 0, "0")


_ROWS = (
    row(
        "experts_of_dense_model",
        "enable_expert_parallel",
        "config/model.py:1500 (0.33.0)",
        lambda view: view.flag("enable_expert_parallel") and view.model.is_moe is False,
        lambda view: "enable_expert_parallel is set, but the model's config.json names no experts.",
        "leave enable_expert_parallel out",
        needs=("model",),
    ),
    row(
        "balancer_without_expert_parallel",
        "enable_eplb",
        "config/parallel.py:570 (0.33.0)",
        lambda view: view.flag("enable_eplb") and not view.flag("enable_expert_parallel"),
        lambda view: "enable_eplb balances experts over GPUs and needs enable_expert_parallel.",
        "enable_expert_parallel: true",
    ),
    row(
        "balancer_on_one_gpu",
        "enable_eplb",
        "config/parallel.py:579 (0.33.0)",
        lambda view: (
            view.flag("enable_eplb") and view.tp * view.dp * (view.pcp if view.since(0, 26, 0) else 1) <= 1
        ),
        lambda view: "enable_eplb needs tensor or data parallelism: there is one GPU to balance.",
        "leave enable_eplb out",
    ),
    row(
        "redundant_experts_without_balancer",
        "eplb_config",
        "config/parallel.py:587 (0.33.0)",
        lambda view: _redundant(view) and not view.flag("enable_eplb"),
        lambda view: "eplb_config sets num_redundant_experts, but enable_eplb is not set.",
        "enable_eplb: true",
        since="0.10.2",
    ),
    row(
        "redundant_experts_without_balancer",
        "num_redundant_experts",
        "config/parallel.py:297 (0.10.1.1)",
        lambda view: view.number("num_redundant_experts") != 0 and not view.flag("enable_eplb"),
        lambda view: "num_redundant_experts is set, but enable_eplb is not.",
        "enable_eplb: true",
        until="0.10.1",
    ),
    row(
        "microbatching_backend",
        "enable_dbo ubatch_size",
        "config/vllm.py:2198 (0.33.0), :1414 (0.23.0)",
        lambda view: (
            _microbatching(view)
            and view.text("all2all_backend") not in _microbatch_backends(view)
            and "VLLM_ALL2ALL_BACKEND" not in view.env
        ),
        lambda view: (
            "Microbatching (enable_dbo, ubatch_size) needs all2all_backend"
            f" {' or '.join(_microbatch_backends(view))}; it is {view.text('all2all_backend') or 'not set'}."
        ),
        "all2all_backend: deepep_low_latency",
        since="0.11.0",
    ),
    row(
        "microbatching_thresholds",
        "dbo_decode_token_threshold dbo_prefill_token_threshold enable_dbo ubatch_size",
        "config/parallel.py:1184 (0.33.0)",
        lambda view: (
            _microbatching(view)
            and min(
                view.number("dbo_decode_token_threshold", 32), view.number("dbo_prefill_token_threshold", 512)
            )
            < max(2, view.number("ubatch_size"))
        ),
        lambda view: (
            "dbo_decode_token_threshold and dbo_prefill_token_threshold must reach the number of"
            " microbatches."
        ),
        "leave the thresholds out",
        since="0.30.0",
    ),
    row(
        "elastic_without_balancer",
        "enable_elastic_ep",
        "config/parallel.py:976 (0.33.0)",
        lambda view: view.flag("enable_elastic_ep") and not view.flag("enable_eplb"),
        lambda view: "enable_elastic_ep needs enable_eplb.",
        "enable_eplb: true",
        since="0.17.0",
    ),
    row(
        "elastic_with_pipeline",
        "enable_elastic_ep",
        "config/parallel.py:978 (0.33.0)",
        lambda view: view.flag("enable_elastic_ep") and view.pp > 1,
        lambda view: "enable_elastic_ep does not go together with pipeline_parallel_size.",
        "pipeline_parallel_size: 1",
        since="0.17.0",
    ),
    row(
        "elastic_with_balancing",
        "enable_elastic_ep",
        "config/parallel.py:983 (0.33.0), :964 (0.32.0)",
        lambda view: (
            view.flag("enable_elastic_ep")
            and (
                view.flag("data_parallel_hybrid_lb")
                or (view.flag("data_parallel_external_lb") and not view.since(0, 33, 0))
            )
        ),
        lambda view: "enable_elastic_ep needs the internal load balancer of this release.",
        "leave data_parallel_hybrid_lb and data_parallel_external_lb out",
        since="0.17.0",
    ),
    row(
        "elastic_size_below_start",
        "elastic_ep_max_dp_size",
        "config/parallel.py:1043 (0.33.0)",
        lambda view: (
            view.flag("enable_elastic_ep")
            and view.given("elastic_ep_max_dp_size")
            and view.number("elastic_ep_max_dp_size") < view.dp
        ),
        lambda view: "elastic_ep_max_dp_size is below data_parallel_size.",
        "raise it, or leave it out",
        since="0.30.0",
    ),
    row(
        "passing_backend_with_all2all",
        "all2all_backend",
        "config/kernel.py:211 (0.33.0)",
        lambda view: (
            moe_backend(view) in _PASSING
            and view.text("all2all_backend") not in ("", "allgather_reducescatter", "passthrough")
        ),
        lambda view: f"moe_backend {moe_backend(view)} moves tokens itself and takes no all2all_backend.",
        "leave all2all_backend out",
        since="0.32.0",
    ),
    row(
        "passing_backend_of_other_model",
        "moe_backend kernel_config",
        "config/kernel.py:238 (0.33.0)",
        lambda view: (
            moe_backend(view) in _PASSING
            and not any("deepseekv4" in name.lower() for name in view.model.architectures)
        ),
        lambda view: f"moe_backend {moe_backend(view)} runs DeepSeek-V4 models only.",
        "moe_backend: auto",
        since="0.29.0",
        needs=("model",),
    ),
    row(
        "adapters_on_mega_backend",
        "moe_backend kernel_config",
        "config/lora.py:142 (0.33.0)",
        lambda view: view.flag("enable_lora") and moe_backend(view) in _MEGA,
        lambda view: f"moe_backend {moe_backend(view)} does not run LoRA adapters.",
        "moe_backend: auto, or leave enable_lora out",
        since="0.33.0",
    ),
)


@rule("moonep_conditions", "all2all_backend", "config/vllm.py:2111-2134 (0.33.0)", "0.31.0")
def moonep_runs_plain_experts(view: View) -> t.Iterator[Breach]:
    """The backend moonep wants unquantized bfloat16, no balancer, experts in order."""
    if view.text("all2all_backend") != "moonep":
        return
    stored = view.model.quantization if view.model else None
    demands = (
        (bool(view.text("quantization") or stored), "quantization", "an unquantized model"),
        (view.dtype not in (None, "bfloat16"), "dtype", "dtype bfloat16"),
        (view.flag("enable_eplb"), "enable_eplb", "no enable_eplb"),
        (
            view.text("expert_placement_strategy") not in ("", "linear"),
            "expert_placement_strategy",
            "expert_placement_strategy linear",
        ),
    )
    for broken, setting, demand in demands:
        if broken:
            yield Breach(setting, f"all2all_backend moonep wants {demand}.", "another all2all_backend")


RULES = rules_of(globals())
