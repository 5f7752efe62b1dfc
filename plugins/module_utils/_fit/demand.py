"""What of a server's settings decides how much memory it wants, with vLLM's own defaults filled in."""

from __future__ import annotations

import dataclasses
import typing as t

from .._settings.case import Case, Gpu
from .._settings.rules.speculation import Speculation, read_speculation
from .._settings.version import Release
from .config_fields import text_config
from .units import DTYPE_BYTES, GIB, MIB
from .wishes import Wishes

if t.TYPE_CHECKING:
    from .model import Model

_SMALL_STEP, _SMALL_SEQUENCES = 2048, 256
_LARGE_SEQUENCES = 1024
# Of GPUs without memory of their own NVML tells no size, and before 0.33 vLLM took them for small ones
# (platforms/cuda.py get_device_total_memory); a GB10 is kept small since.
INTEGRATED = ("8.7", "10.1", "11.0", "12.1")
# Families of which every layer attends and keeps a state.
BOTH_IN_EVERY_LAYER = ("falcon_h1",)


@dataclasses.dataclass(frozen=True)
class States:
    """How the states of a hybrid model are kept."""

    mode: str  # none, align, all
    dtype: str
    convolution_dtype: str


@dataclasses.dataclass(frozen=True)
class Graphs:
    """CUDA graphs: none where eager; how many sizes are captured, and whether the budget is charged for them."""

    eager: bool
    sizes: int
    charged: bool


@dataclasses.dataclass(frozen=True)
class Offload:
    """What is to stay in the host's memory."""

    bytes: int
    segments: tuple[str, ...]
    prefetch: bool


@dataclasses.dataclass(frozen=True)
class Demand:
    """One server's wishes; every number is what vLLM itself would work with."""

    release: Release
    tensor_parallel: int
    pipeline_parallel: int
    data_parallel: int
    context_parallel: int  # decode x prefill: both share the cache of one sequence
    utilization: float
    kv_bytes: int | None  # kv_cache_memory_bytes: utilization does not count then
    kv_dtype: str
    block_size: int  # 0: vLLM chooses
    length: int | None  # None: not known, or vLLM is to find the longest that fits
    length_is_auto: bool
    is_overridden: bool  # hf_overrides and the like: the model may differ from its config
    sequences: int
    sequences_given: bool
    step_tokens: int
    prefix_caching: bool
    states: States
    graphs: Graphs
    async_scheduling: bool
    hybrid_manager: bool
    language_model_only: bool
    speculation: Speculation | None
    draft_tokens: int
    offload: Offload
    blocks_override: int | None
    samples: bool = True  # a server that embeds has no sampler
    pipeline_partition: tuple[int, ...] = ()

    @property
    def ranks(self) -> int:
        """GPUs of one replica."""
        return self.tensor_parallel * self.pipeline_parallel


def default_utilization(release: Release) -> float:
    """The share of a GPU's memory that a server asks for when nobody says (config/cache.py; 0.92 since 0.20.0)."""
    return 0.92 if release >= (0, 20, 0) else 0.9


def read_demand(case: Case, model: Model | None) -> Demand:
    """The demand of a case; what is absent takes the default of its release and GPU."""
    asked = Wishes(case)
    speculation = read_speculation(case)
    drafts = (speculation.tokens or 0) if speculation else 0
    sequences, step = _batch(asked, model)
    prefix = _prefix_caching(asked, model)
    return Demand(
        release=case.release,
        tensor_parallel=asked.count("tensor_parallel_size"),
        pipeline_parallel=asked.count("pipeline_parallel_size"),
        data_parallel=asked.count("data_parallel_size"),
        context_parallel=asked.count("decode_context_parallel_size")
        * asked.count("prefill_context_parallel_size"),
        utilization=asked.real("gpu_memory_utilization", default_utilization(case.release)),
        kv_bytes=asked.whole("kv_cache_memory_bytes"),
        kv_dtype=asked.text("kv_cache_dtype") or "auto",
        block_size=asked.whole("block_size") or 0,
        length=asked.length(model),
        length_is_auto=case.values.get("max_model_len") in (-1, "auto"),
        is_overridden=asked.overrides_the_model(),
        sequences=sequences,
        sequences_given=asked.whole("max_num_seqs") is not None,
        step_tokens=step,
        prefix_caching=prefix,
        states=_states(asked, prefix, model),
        graphs=_graphs(asked, _capture_sizes(asked, sequences, step, drafts)),
        async_scheduling=case.release >= (0, 14, 0) and case.values.get("async_scheduling") is not False,
        hybrid_manager=case.values.get("disable_hybrid_kv_cache_manager") is not True,
        language_model_only=asked.flag("language_model_only"),
        speculation=speculation,
        draft_tokens=drafts,
        offload=_offload(asked),
        blocks_override=asked.whole("num_gpu_blocks_override"),
        samples=asked.text("runner") != "pooling",
        pipeline_partition=_partition(case),
    )


def smallest_gpu(gpus: t.Sequence[Gpu]) -> Gpu | None:
    """The GPU with the least memory: the one that counts where they differ."""
    known = [gpu for gpu in gpus if gpu.memory_total_mib]
    return min(known, key=lambda gpu: gpu.memory_total_mib or 0) if known else None


def _batch(asked: Wishes, model: Model | None) -> tuple[int, int]:
    """Sequences and tokens of a step; unset, they follow the GPU (get_batch_defaults of the API server)."""
    gpu = (asked.case.gpus or (Gpu(),))[0]
    step, sequences = _default_batch(gpu, asked.case.release)
    doubled = 2 if asked.text("performance_mode") == "throughput" else 1
    given_sequences, given_step = asked.whole("max_num_seqs"), asked.whole("max_num_batched_tokens")
    sequences = given_sequences or sequences * doubled
    if given_step:
        return min(sequences, given_step) if not given_sequences else sequences, given_step
    step *= doubled
    length = asked.length(model)
    if asked.case.values.get("enable_chunked_prefill") is False and length:
        step = max(step, length)
    if length:
        step = min(step, sequences * length)
    return sequences, max(step, given_sequences or 0)


def _default_batch(gpu: Gpu, release: Release) -> tuple[int, int]:
    memory = (gpu.memory_total_mib or 0) * MIB
    if memory >= 160 * GIB and release >= (0, 28, 0):
        return 16384, _LARGE_SEQUENCES
    kept_small = gpu.compute_capability in INTEGRATED and (
        release < (0, 33, 0) or gpu.compute_capability == "12.1"
    )
    if memory >= 70 * GIB and "a100" not in (gpu.name or "").lower() and not kept_small:
        return 8192, _LARGE_SEQUENCES
    return _SMALL_STEP, _SMALL_SEQUENCES


def is_hybrid(model: Model | None) -> bool:
    """Whether attention and states live together, also where a config says so in its own way (Nemotron-H, Kimi)."""
    if model is None:
        return False
    config = text_config(model.raw)
    told = config.get("hybrid_override_pattern") or config.get("linear_attn_config")
    return bool(model.is_hybrid or told or model.text_model_type in BOTH_IN_EVERY_LAYER)


def _prefix_caching(asked: Wishes, model: Model | None) -> bool:
    """On by default, except that hybrid models had to ask for it until 0.27."""
    value = asked.case.values.get("enable_prefix_caching")
    if isinstance(value, bool) and "enable_prefix_caching" in asked.case.given:
        return value
    if is_hybrid(model):
        return asked.case.release >= (0, 28, 0)
    return not (model and model.is_attention_free)


def _state_mode(asked: Wishes, prefix_caching: bool, model: Model | None) -> str:
    """How states are kept with prefix caching: ``align`` since 0.15 where a model does not know ``all``."""
    if not prefix_caching or not is_hybrid(model):
        return "none"
    mode = asked.text("mamba_cache_mode")
    return mode if mode in ("align", "all") else "align"


def _states(asked: Wishes, prefix_caching: bool, model: Model | None) -> States:
    return States(
        _state_mode(asked, prefix_caching, model),
        asked.text("mamba_ssm_cache_dtype") or "auto",
        asked.text("mamba_cache_dtype") or "auto",
    )


def _offload(asked: Wishes) -> Offload:
    grouped = (asked.whole("offload_group_size") or 0) > 0
    return Offload(
        int(asked.real("cpu_offload_gb", 0.0) * GIB),
        asked.words("cpu_offload_params") or asked.words("offload_params"),
        asked.text("offload_backend") == "prefetch" or grouped,
    )


def _graphs(asked: Wishes, sizes: int) -> Graphs:
    none = asked.compilation().get("cudagraph_mode") in ("NONE", "none", 0)
    return Graphs(asked.flag("enforce_eager") or none, sizes, _charges_graphs(asked))


def _charges_graphs(asked: Wishes) -> bool:
    said = asked.case.env.get("VLLM_MEMORY_PROFILER_ESTIMATE_CUDAGRAPHS", "").strip()
    if said in ("0", "1"):
        return said == "1"
    return asked.case.release >= (0, 20, 0)


def _capture_sizes(asked: Wishes, sequences: int, step: int, drafts: int) -> int:
    """How many batch sizes are captured: 1, 2, 4, then every 8th up to 256, then every 16th."""
    given = asked.words("cudagraph_capture_sizes") or asked.compilation().get("cudagraph_capture_sizes")
    if isinstance(given, (list, tuple)) and given:
        return len(given)
    largest = asked.whole("max_cudagraph_capture_size")
    largest = largest if largest is not None else asked.compilation().get("max_cudagraph_capture_size")
    if not isinstance(largest, int):
        largest = min(sequences * (1 + drafts) * 2, 512)
    largest = min(largest, step)
    small = len([size for size in (1, 2, 4) if size <= largest])
    return small + len(range(8, min(largest + 1, 256), 8)) + len(range(256, largest + 1, 16))


def _partition(case: Case) -> tuple[int, ...]:
    parts = case.env.get("VLLM_PP_LAYER_PARTITION", "").split(",")
    return tuple(int(part) for part in parts) if all(part.strip().isdigit() for part in parts) else ()


def element_bytes(dtype: str | None) -> int:
    """Bytes of one element of a named number format; 2 where it is not known, as vLLM serves nearly everything."""
    return DTYPE_BYTES.get((dtype or "").replace("torch.", ""), 2)
