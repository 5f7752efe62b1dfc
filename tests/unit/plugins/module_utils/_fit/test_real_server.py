"""The cache of toy models against what a real server (the CPU build of vLLM 0.32.0) made of 1 GiB.

The records are of that server with ``VLLM_CPU_KVCACHE_SPACE=1`` and dummy weights. On a CPU its blocks are 128 tokens long,
it keeps states in 32 bits, and it does not schedule ahead: the settings say so.
"""

from __future__ import annotations

import json
import typing as t

import pytest

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._fit.demand import read_demand
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._fit.kv_cache import Cache, lay_out
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._fit.layers import layers_of
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._fit.model import parse_model
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._fit.units import GIB

from .cases import FIXTURES, case

RECORDS: list[dict[str, t.Any]] = json.loads((FIXTURES / "cpu_server.json").read_text(encoding="utf-8"))


def cache(record: dict[str, t.Any]) -> Cache:
    model = parse_model(record["config"])
    demand = read_demand(case(None, record["release"], (), **record["settings"]), model)
    layers = layers_of(model, demand)
    assert layers is not None
    return lay_out(layers, demand)[0]


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: record["name"])
def test_a_real_server_makes_the_same_of_its_memory(record: dict[str, t.Any]) -> None:
    ours = cache(record)
    length = record["settings"]["max_model_len"]
    assert ours.block == record["block_size"]
    assert ours.blocks_in(record["cache_gib"] * GIB) == record["blocks"]
    assert int(ours.concurrency(record["cache_gib"] * GIB, length) * length) == record["tokens"]


def test_every_kind_of_layer_was_served() -> None:
    kinds = {group.layer.kind for record in RECORDS for group in cache(record).groups}
    assert {"full", "sliding", "state"} <= kinds
    assert any("kv_lora_rank" in record["config"] for record in RECORDS)
