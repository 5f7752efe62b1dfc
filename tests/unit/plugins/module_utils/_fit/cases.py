"""Cases for the tests of this package: GPUs, models by name, settings as a release's parser would leave them."""

from __future__ import annotations

import functools
import json
import typing as t
from pathlib import Path

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._fit.demand import read_demand
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._fit.kv_cache import Cache, lay_out
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._fit.layers import layers_of
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._fit.model import Model, parse_model
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._settings.case import Case, Gpu
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._settings.version import parse_release

FIXTURES = Path(__file__).parents[4] / "fixtures" / "fit"

# Memory as nvidia-smi prints it.
GPUS = {
    "RTX 3090": Gpu("NVIDIA GeForce RTX 3090", "8.6", 24576),
    "RTX 4090": Gpu("NVIDIA GeForce RTX 4090", "8.9", 24564),
    "RTX 5090": Gpu("NVIDIA GeForce RTX 5090", "12.0", 32607),
    "RTX 5070 Ti": Gpu("NVIDIA GeForce RTX 5070 Ti", "12.0", 16303),
    "RTX 5090 D": Gpu("NVIDIA GeForce RTX 5090 D", "12.0", 32607),
    "RTX PRO 6000": Gpu("NVIDIA RTX PRO 6000 Blackwell Workstation Edition", "12.0", 97887),
    "L4": Gpu("NVIDIA L4", "8.9", 23034),
    "A100": Gpu("NVIDIA A100-SXM4-80GB", "8.0", 81920),
    "H100": Gpu("NVIDIA H100 80GB HBM3", "9.0", 81559),
    "H200": Gpu("NVIDIA H200", "9.0", 143771),
    "B200": Gpu("NVIDIA B200", "10.0", 183359),
    "V100": Gpu("Tesla V100-SXM2-32GB", "7.0", 32768),
    "GB10": Gpu("NVIDIA GB10", "12.1", None),
}


@functools.cache
def configs() -> dict[str, dict[str, t.Any]]:
    """The config.json of public models, cut down to the fields that decide."""
    return json.loads((FIXTURES / "models.json").read_text(encoding="utf-8"))


@functools.cache
def model(name: str) -> Model:
    return parse_model(configs()[name])


def case(
    model_name: str | None,
    release: str = "0.26.0",
    gpus: t.Sequence[Gpu | str] = ("H100",),
    env: t.Mapping[str, str] | None = None,
    draft: Model | None = None,
    **settings: t.Any,
) -> Case:
    found = tuple(GPUS[gpu] if isinstance(gpu, str) else gpu for gpu in gpus)
    return Case(
        release=parse_release(release) or (0, 0, 0),
        model=model_name,
        values=settings,
        given=frozenset(settings),
        env=env or {},
        gpus=found or None,
        model_facts=model(model_name) if model_name else None,
        draft_facts=draft,
    )


def caches(of: Case) -> tuple[Cache, ...]:
    """The cache of every rank."""
    demand = read_demand(of, of.model_facts)
    layers = layers_of(of.model_facts, demand)
    assert layers is not None
    return lay_out(layers, demand)


def mtp(tokens: int) -> dict[str, t.Any]:
    return {"method": "mtp", "num_speculative_tokens": tokens}
