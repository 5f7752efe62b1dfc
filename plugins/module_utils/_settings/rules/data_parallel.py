"""Replicas of one server: ranks, who spreads the requests, servers without an API."""

from __future__ import annotations

import typing as t

from .rule import Breach, row, rule, rules_of
from .view import View

_EXTERNAL = "data_parallel_external_lb data_parallel_rank"
_MODES = (
    "data_parallel_external_lb data_parallel_rank data_parallel_hybrid_lb data_parallel_start_rank"
    " data_parallel_multi_port_external_lb"
)
_MULTI = "data_parallel_multi_port_external_lb"


def _rank_is_inferred(view: View) -> bool:
    return view.nodes > 1 and view.dp > 1


def _modes(view: View) -> list[str]:
    """The ways of spreading requests that the settings ask for, as `vllm serve` counts them."""
    multi, hybrid = view.flag(_MULTI), view.flag("data_parallel_hybrid_lb")
    if not hybrid and not multi:
        hybrid = view.value("data_parallel_start_rank") is not None
    named = (("external", view.external_balancing), ("hybrid", hybrid), ("multi-port", multi))
    return [name for name, asked in named if asked]


_ROWS = (
    row(
        "local_replicas_above_all",
        "data_parallel_size_local",
        "config/parallel.py:546 (0.33.0)",
        lambda view: view.number("data_parallel_size_local") > view.dp and not view.external_balancing,
        lambda view: (
            f"data_parallel_size_local ({view.number('data_parallel_size_local')}) is above"
            f" data_parallel_size ({view.dp})."
        ),
        "data_parallel_size counts the replicas of all hosts",
    ),
    row(
        "replica_rank_out_of_range",
        "data_parallel_rank",
        "config/parallel.py:1018 (0.33.0)",
        lambda view: view.dp > 1 and not 0 <= view.number("data_parallel_rank") < view.dp,
        lambda view: (
            f"data_parallel_rank is {view.number('data_parallel_rank')}: of {view.dp} replicas it is"
            f" 0 … {view.dp - 1}."
        ),
        "count replicas from 0",
    ),
    row(
        "external_balancing_of_one",
        _EXTERNAL,
        "config/parallel.py:552 (0.33.0)",
        lambda view: view.external_balancing and view.dp <= 1,
        lambda view: "External load balancing needs data_parallel_size above 1.",
        "leave data_parallel_rank and data_parallel_external_lb out: one replica needs neither",
        since="0.11.1",
    ),
    row(
        "external_balancing_without_rank",
        "data_parallel_external_lb",
        "engine/arg_utils.py:2469 (0.33.0)",
        lambda view: (
            view.flag("data_parallel_external_lb")
            and view.value("data_parallel_rank") is None
            and not _rank_is_inferred(view)
        ),
        lambda view: "data_parallel_external_lb needs the rank of this replica.",
        "data_parallel_rank: 0 (1, 2, … on the others), or nnodes with node_rank",
        since="0.11.1",
    ),
    row(
        "external_balancing_of_dense_model",
        _EXTERNAL,
        "engine/arg_utils.py:2461 (0.33.0)",
        lambda view: view.external_balancing and view.dp > 1 and view.model.is_moe is False,
        lambda view: "External data parallelism is for models with experts; this one has none.",
        "run independent instances without data_parallel settings",
        since="0.21.0",
        needs=("model",),
    ),
    row(
        "external_balancing_with_local_replicas",
        "data_parallel_size_local",
        "engine/arg_utils.py:2477 (0.33.0)",
        lambda view: view.external_balancing and view.value("data_parallel_size_local") not in (1, None),
        lambda view: (
            "With external load balancing each server is one replica: data_parallel_size_local is 1."
        ),
        "leave data_parallel_size_local out",
    ),
    row(
        "hybrid_balancing_without_local_replicas",
        "data_parallel_hybrid_lb",
        "engine/arg_utils.py:2520 (0.33.0)",
        lambda view: (
            view.flag("data_parallel_hybrid_lb")
            and view.value("data_parallel_size_local") is None
            and not view.external_balancing
            and view.nodes <= 1
        ),
        lambda view: "data_parallel_hybrid_lb needs the number of replicas on this host.",
        "data_parallel_size_local: n",
    ),
    row(
        "several_balancing_modes",
        _MODES,
        "entrypoints/cli/serve.py:100 (0.33.0)",
        lambda view: len(_modes(view)) > 1,
        lambda view: (
            f"Only one way of spreading requests can be used, not {' and '.join(_modes(view))} together."
        ),
        "keep one of data_parallel_external_lb (or _rank), data_parallel_hybrid_lb (or _start_rank), "
        "data_parallel_multi_port_external_lb",
        since="0.15.0",
    ),
    row(
        "several_balancing_modes",
        "data_parallel_external_lb data_parallel_hybrid_lb",
        "engine/arg_utils.py (0.14.1)",
        lambda view: view.flag("data_parallel_external_lb") and view.flag("data_parallel_hybrid_lb"),
        lambda view: "data_parallel_external_lb and data_parallel_hybrid_lb cannot be used together.",
        "keep one of them",
        since="0.11.1",
        until="0.14.1",
    ),
    row(
        "headless_with_api_servers",
        "headless api_server_count",
        "entrypoints/cli/serve.py:71 (0.33.0)",
        lambda view: view.flag("headless") and view.number("api_server_count") > 0,
        lambda view: "A headless server starts no API servers.",
        "leave api_server_count out",
        since="0.15.0",
    ),
    row(
        "headless_with_api_servers",
        "headless api_server_count",
        "entrypoints/cli/serve.py (0.14.1) run_headless",
        lambda view: view.flag("headless") and view.number("api_server_count") > 1,
        lambda view: "A headless server starts no API servers.",
        "leave api_server_count out",
        until="0.14.1",
        severity="warning",
    ),
    row(
        "headless_with_hybrid_balancing",
        "headless data_parallel_hybrid_lb",
        "engine/arg_utils.py:2380 (0.33.0)",
        lambda view: view.flag("headless") and view.flag("data_parallel_hybrid_lb"),
        lambda view: "data_parallel_hybrid_lb does not apply to a headless server.",
        "leave data_parallel_hybrid_lb out",
    ),
    row(
        "fault_tolerance_without_external_balancing",
        "enable_fault_tolerance",
        "engine/arg_utils.py:2451 (0.33.0)",
        lambda view: view.flag("enable_fault_tolerance") and not view.external_balancing,
        lambda view: "enable_fault_tolerance needs external load balancing.",
        "data_parallel_rank on every replica, or leave enable_fault_tolerance out",
        since="0.27.0",
    ),
    row(
        "fault_tolerance_with_api_servers",
        "enable_fault_tolerance",
        "config/parallel.py:531 (0.33.0)",
        lambda view: view.flag("enable_fault_tolerance") and view.number("api_server_count") > 1,
        lambda view: "enable_fault_tolerance needs a single API server.",
        "api_server_count: 1",
        since="0.27.0",
    ),
    row(
        "runtime_adapters_with_api_servers",
        "api_server_count",
        "entrypoints/cli/serve.py:316 (0.33.0)",
        lambda view: (
            view.number("api_server_count") > 1
            and view.env.get("VLLM_ALLOW_RUNTIME_LORA_UPDATING", "0").lower() in ("1", "true")
        ),
        lambda view: "VLLM_ALLOW_RUNTIME_LORA_UPDATING does not work with several API servers.",
        "api_server_count: 1, or remove the variable from env",
    ),
)


@rule("multi_port_balancing", _MULTI, "entrypoints/launchers/dp_supervisor.py:54-112 (0.33.0)", "0.22.0")
def multi_port_balancing_is_complete(view: View) -> t.Iterator[Breach]:
    """A supervisor that gives every replica a port of its own has its conditions."""
    if not view.flag(_MULTI):
        return
    local = view.number("data_parallel_size_local")
    demands = (
        (view.flag("grpc"), "grpc", "does not support grpc"),
        (view.given("uds"), "uds", "does not support uds"),
        (
            view.given("ssl_keyfile") != view.given("ssl_certfile"),
            "ssl_keyfile",
            "needs key and certificate together",
        ),
        (view.value("api_server_count") not in (None, 1), "api_server_count", "needs api_server_count 1"),
        (view.dp < 2, "data_parallel_size", "needs data_parallel_size above 1"),
        (
            view.dp >= 2 and local < 2,
            "data_parallel_size_local",
            "needs data_parallel_size_local of 2 or more",
        ),
        (local >= 2 and view.dp % local != 0, "data_parallel_size_local", "must divide data_parallel_size"),
    )
    for broken, setting, demand in demands:
        if broken:
            yield Breach(setting, f"data_parallel_multi_port_external_lb {demand}.", None)


RULES = rules_of(globals())
