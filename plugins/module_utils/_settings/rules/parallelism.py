"""How one model is spread over GPUs: tensor, pipeline and context parallelism, executors, several hosts."""

from __future__ import annotations

import typing as t

from .rule import Breach, row, rule, rules_of
from .view import View

_KNOWN_EXECUTORS = ("ray", "mp", "uni", "external_launcher")


@rule("heads_not_divisible", "tensor_parallel_size", "config/model.py:1560 (0.33.0)", needs=("model",))
def tensor_parallelism_divides_heads(view: View) -> t.Iterator[Breach]:
    """Every GPU takes the same number of attention heads."""
    heads = view.model.attention_heads
    if heads and view.tp > 1 and heads % view.tp:
        fitting = ", ".join(str(size) for size in range(1, min(view.tp, heads) + 1) if heads % size == 0)
        yield Breach(
            "tensor_parallel_size",
            f"The model's {heads} attention heads are not divisible by tensor_parallel_size {view.tp}.",
            f"tensor_parallel_size: one of {fitting}; further GPUs by pipeline_parallel_size",
        )


@rule(
    "too_few_gpus",
    "tensor_parallel_size pipeline_parallel_size prefill_context_parallel_size",
    "config/parallel.py:1071 (0.33.0)",
    needs=("gpu",),
    since="0.11.1",
    also=lambda view: view.tp * view.pp * view.pcp > 1 and view.nodes <= 1 and not view.executor,
)
def gpus_suffice(view: View) -> t.Iterator[Breach]:
    """One replica's GPUs are on this host, unless Ray or several nodes were asked for."""
    wanted = view.tp * view.pp * view.pcp
    if wanted > len(view.gpus):
        yield Breach(
            "tensor_parallel_size",
            f"{wanted} GPUs are asked for (tensor x pipeline parallel), the server has {len(view.gpus)}.",
            "fewer, or more GPUs for the instance (its `gpus`)",
        )


@rule(
    "unknown_executor",
    "distributed_executor_backend",
    "v1/executor/abstract.py, config/vllm.py (0.33.0)",
    "0.19.0",
)
def executor_is_known(view: View) -> t.Iterator[Breach]:
    """An executor is one of four words, or the import path of a class."""
    name = view.executor
    if name and name not in _KNOWN_EXECUTORS and "." not in name and name not in view.plugin_names:
        yield Breach(
            "distributed_executor_backend",
            f"There is no executor {name}: one of {', '.join(_KNOWN_EXECUTORS)}, or the import path of a class.",
            "distributed_executor_backend: mp, or leave it out",
        )


_ROWS = (
    row(
        "unknown_executor",
        "distributed_executor_backend",
        "v1/executor/abstract.py (0.18.1)",
        lambda view: (
            bool(view.executor) and view.executor not in _KNOWN_EXECUTORS and "." not in view.executor
        ),
        lambda view: f"There is no executor {view.executor}: one of {', '.join(_KNOWN_EXECUTORS)}.",
        "distributed_executor_backend: mp, or leave it out",
        until="0.18.1",
        severity="warning",
    ),
    row(
        "executor_without_pipeline",
        "pipeline_parallel_size distributed_executor_backend",
        "engine/arg_utils.py (0.14.1, 0.33.0) _check_feature_supported",
        lambda view: view.pp > 1 and view.executor == "uni",
        lambda view: (
            "pipeline_parallel_size above 1 needs the executor mp, ray or external_launcher, not uni."
        ),
        "distributed_executor_backend: mp, or leave it out",
        since="0.11.1",
    ),
    row(
        "nsight_without_ray",
        "ray_workers_use_nsight",
        "config/parallel.py:1174 (0.33.0)",
        lambda view: view.flag("ray_workers_use_nsight") and view.executor != "ray",
        lambda view: "ray_workers_use_nsight profiles workers that run with Ray only.",
        "leave it out, or distributed_executor_backend: ray",
    ),
    row(
        "executor_not_for_nodes",
        "nnodes",
        "config/parallel.py:1111 (0.33.0)",
        lambda view: view.nodes > 1 and bool(view.executor) and view.executor not in _node_executors(view),
        lambda view: (
            f"nnodes above 1 needs the executor {' or '.join(_node_executors(view))}, not {view.executor}."
        ),
        "distributed_executor_backend: mp, or leave it out",
        since="0.11.1",
    ),
    row(
        "nodes_need_mp",
        "nnodes",
        "engine/arg_utils.py:2391 (0.33.0)",
        lambda view: view.nodes > 1 and view.text("data_parallel_backend") not in ("", "mp"),
        lambda view: (
            f"nnodes above 1 needs data_parallel_backend mp, not {view.text('data_parallel_backend')}."
        ),
        "data_parallel_backend: mp, or leave it out",
        since="0.11.1",
    ),
    row(
        "nodes_not_divisible",
        "nnodes",
        "engine/arg_utils.py:2407 (0.33.0)",
        lambda view: (
            view.nodes > 1
            and (view.tp * view.pp * view.dp) % view.nodes != 0
            and (view.tp * view.pp * view.dp * view.pcp) % view.nodes != 0
        ),
        lambda view: (
            f"{view.tp * view.pp * view.dp * view.pcp} workers cannot be spread evenly over {view.nodes}"
            " nodes."
        ),
        "let nnodes divide tensor x pipeline x data parallel size",
        since="0.11.1",
    ),
    row(
        "node_rank_out_of_range",
        "nnodes node_rank",
        "engine/arg_utils.py:2415 (0.33.0)",
        lambda view: view.nodes > 1 and not 0 <= view.number("node_rank") < view.nodes,
        lambda view: (
            f"node_rank is {view.number('node_rank')}: with {view.nodes} nodes it is 0 … {view.nodes - 1}."
        ),
        "count nodes from 0",
        since="0.11.1",
    ),
    row(
        "numa_without_binding",
        "numa_bind_nodes numa_bind_cpus",
        "config/parallel.py:559 (0.33.0)",
        lambda view: view.given("numa_bind_nodes", "numa_bind_cpus") and not view.flag("numa_bind"),
        lambda view: "numa_bind_nodes and numa_bind_cpus need numa_bind.",
        "numa_bind: true",
        since="0.20.0",
    ),
)


def _node_executors(view: View) -> tuple[str, ...]:
    if view.since(0, 13, 0):
        return ("mp", "uni", "external_launcher")
    return ("mp", "uni") if view.since(0, 12, 0) else ("mp",)


@rule(
    "numa_cpus_malformed", "numa_bind_cpus numa_bind_nodes", "config/parallel.py:490-516 (0.33.0)", "0.20.0"
)
def numa_lists_are_well_formed(view: View) -> t.Iterator[Breach]:
    """Node numbers count from 0, CPU lists are numactl's: 0-3 or 0,2,4-7."""
    nodes, cpus = view.value("numa_bind_nodes"), view.value("numa_bind_cpus")
    if isinstance(nodes, (list, tuple)) and any(isinstance(node, int) and node < 0 for node in nodes):
        yield Breach("numa_bind_nodes", "numa_bind_nodes holds a negative number.", "NUMA nodes count from 0")
    for cpu_list in cpus if isinstance(cpus, (list, tuple)) else ():
        if not _is_cpu_list(str(cpu_list)):
            yield Breach(
                "numa_bind_cpus",
                f"numa_bind_cpus: {cpu_list!r} is no CPU list of numactl.",
                "for example 0-3 or 0,2,4-7",
            )


def _is_cpu_list(text: str) -> bool:
    for part in text.split(","):
        first, dash, last = part.partition("-")
        if not first.isdigit() or (dash and not (last.isdigit() and int(first) <= int(last))):
            return False
    return True


RULES = rules_of(globals())
