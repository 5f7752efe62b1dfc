"""How vLLM lays the cache out: groups of layers, pages of one size, and what one sequence takes of them.

The arithmetic is that of vllm/v1/core/kv_cache_utils.py (kv_cache_planning.py since 0.33.0).
"""

from __future__ import annotations

import dataclasses
import functools
import typing as t

from .demand import Demand
from .layers import Layer
from .units import ceil_div

DEFAULT_BLOCK = 16
_STATE_BLOCKS = {"none": 1, "align": 2}


@dataclasses.dataclass(frozen=True)
class Group:
    """Layers that share one block table."""

    layer: Layer
    block: int  # tokens per block; 0: a page per sequence
    members: tuple[int, ...]  # indices of its layers


@dataclasses.dataclass(frozen=True)
class Cache:
    """The cache of one server as one rank of a pipeline holds it."""

    groups: tuple[Group, ...]
    page: int
    demand: Demand
    sizes: tuple[int, ...] = ()  # bytes per token of layers that only differ in size, and lie side by side

    @property
    def block(self) -> int:
        """Tokens of one block of the layers that attend."""
        return next((group.block for group in self.groups if group.layer.kind == "full"), DEFAULT_BLOCK)

    @property
    def has_states(self) -> bool:
        """Whether sequences keep states."""
        return any(group.layer.kind == "state" for group in self.groups)

    @property
    def stack(self) -> int:
        """Bytes of one block over all layers that share its number."""
        if self.sizes:
            return sum(self.sizes) * self.block
        return self.page * max((len(group.members) for group in self.groups), default=0)

    def blocks_of(self, length: int) -> int:
        """Blocks that one sequence of that length takes."""
        return sum(_blocks(group, length, self.demand) for group in self.groups)

    def needed(self, length: int) -> int:
        """Bytes that one sequence of that length takes."""
        return self.stack * self.blocks_of(length)

    def blocks_in(self, available: float) -> int:
        """Blocks that this many bytes hold."""
        return max(0, int(available // self.stack)) if self.stack else 0

    def longest(self, available: float, limit: int) -> int:
        """The longest sequence that fits, up to the limit; 0 where none does."""
        usable = available - self.reserved
        if self.needed(1) > usable:
            return 0
        low, high = 1, limit
        while low < high:
            middle = (low + high + 1) // 2
            low, high = (middle, high) if self.needed(middle) <= usable else (low, middle - 1)
        return low

    @property
    def reserved(self) -> int:
        """One block that the pool keeps for itself counts since 0.29."""
        return self.stack if self.demand.release >= (0, 29, 0) else 0

    def concurrency(self, available: float, length: int) -> float:
        """How many sequences of that length fit at once, as vLLM prints it."""
        return self.blocks_in(available) / self.blocks_of(length) if self.blocks_of(length) else 0.0


def lay_out(layers: t.Sequence[Layer], demand: Demand, wide_blocks: bool = False) -> tuple[Cache, ...]:
    """The cache of every rank of the pipeline; the first one stands for all where there is none."""
    block = block_size(layers, demand, wide_blocks)
    if not layers:
        return ()
    if all(layer.kind == "full" for layer in layers):
        whole = Cache(
            (Group(layers[0], block, tuple(range(len(layers)))),),
            0,
            demand,
            tuple(each.token_bytes for each in layers),
        )
    else:
        whole = _mixed(_managed(layers, demand), block, demand)
    if demand.pipeline_parallel == 1 or demand.release < (0, 17, 0):
        return (whole,)  # before 0.17 every rank was held against the need of the whole model
    return tuple(_rank(whole, layers, part) for part in _parts(len(layers), demand))


def block_size(layers: t.Sequence[Layer], demand: Demand, wide_blocks: bool = False) -> int:
    """Tokens per block: as asked for, and as large as a page must be to hold a state."""
    block = demand.block_size or (32 if wide_blocks else DEFAULT_BLOCK)
    state = max((layer.state_bytes for layer in layers), default=0)
    token = max((layer.token_bytes for layer in layers), default=0)
    return max(block, block * ceil_div(state, block * token)) if state and token else block


def _managed(layers: t.Sequence[Layer], demand: Demand) -> list[Layer]:
    """With the hybrid manager switched off, windows save no memory where some layers attend to everything."""
    if demand.hybrid_manager or not any(layer.kind == "full" for layer in layers):
        return list(layers)
    return [
        dataclasses.replace(each, kind="full", window=0) if each.kind in ("sliding", "chunked") else each
        for each in layers
    ]


def _mixed(layers: list[Layer], block: int, demand: Demand) -> Cache:
    """Layers of several kinds: pages of one size, groups of one number of layers."""
    kinds: dict[Layer, list[int]] = {}
    for index, layer in enumerate(layers):
        kinds.setdefault(layer, []).append(index)
    page = max(max(layer.token_bytes * block, layer.state_bytes) for layer in kinds)
    sizes = [len(members) for members in kinds.values()]
    size = max(sizes) if max(sizes) < min(sizes) * 1.5 else min(sizes)
    groups = []
    for layer, members in kinds.items():
        count = ceil_div(len(members), size)
        tokens = page // layer.token_bytes if layer.token_bytes else 0
        groups += [Group(layer, tokens, tuple(members[at::count])) for at in range(count)]
    return Cache(tuple(groups), page, demand)


def _blocks(group: Group, length: int, demand: Demand) -> int:
    if group.layer.kind == "state":
        if demand.states.mode == "all":
            return ceil_div(length, group.block or length)
        return _STATE_BLOCKS.get(demand.states.mode, 1) + demand.draft_tokens
    if group.layer.kind == "full":
        return ceil_div(ceil_div(length, demand.context_parallel), group.block)
    held = min(group.layer.window - (group.layer.kind == "sliding") + _in_flight(demand), length)
    return ceil_div(held, group.block) + (group.layer.kind == "sliding")


def _in_flight(demand: Demand) -> int:
    """Tokens of steps that are under way: several at once count since 0.26."""
    if demand.release < (0, 26, 0):
        return demand.step_tokens
    batches = demand.pipeline_parallel
    if demand.async_scheduling:
        batches = max(2, batches)
    return batches * demand.step_tokens


def _parts(count: int, demand: Demand) -> list[range]:
    """Which layers each rank of the pipeline takes."""
    ranks = demand.pipeline_parallel
    sizes = list(demand.pipeline_partition)
    if len(sizes) != ranks or sum(sizes) > count:
        sizes = [count // ranks] * ranks
        for back in range(2, count % ranks + 2):
            sizes[-back] += 1
    ends = [sum(sizes[: at + 1]) for at in range(ranks)]
    ends[-1] = count  # drafting layers sit on the last rank
    return [range(start, end) for start, end in zip([0, *ends[:-1]], ends)]


def _rank(whole: Cache, layers: t.Sequence[Layer], part: range) -> Cache:
    sizes = tuple(layers[at].token_bytes for at in part) if whole.sizes else ()
    groups = [
        dataclasses.replace(group, members=tuple(at for at in group.members if at in part))
        for group in whole.groups
    ]
    return dataclasses.replace(whole, groups=tuple(groups), sizes=sizes)


def token_bytes(layers: t.Iterable[Layer]) -> int:
    """Bytes that one more token takes over all layers that attend to everything."""
    return functools.reduce(
        lambda total, layer: total + (layer.token_bytes if layer.kind == "full" else 0), layers, 0
    )
