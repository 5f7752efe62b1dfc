"""Which attention backend serves a model here, as vLLM itself asks (``validate_configuration``, since 0.11.1).

Everything that a release, a backend or a GPU is not known for counts as served, so that what is refused is certain.
"""

from __future__ import annotations

import dataclasses
import functools
import typing as t

from .._settings.version import Release
from .attention_data import BACKENDS, CANDIDATES

SINCE = (0, 11, 1)  # before, the platform chose by rules of its own
_BLOCK_ASKED_SINCE = (0, 18, 0)  # before, the size of a block was taken from the backend
_STEP = 8  # of the head sizes that the table knows


@dataclasses.dataclass(frozen=True)
class Backend:
    """What a backend of one release can serve."""

    mla: bool
    sparse: bool
    heads: t.Any  # (smallest, largest) in steps of 8, or a list
    dtypes: tuple[str, ...]
    blocks: tuple[int, ...]
    gpus: t.Mapping[
        int, tuple[bool, tuple[str, ...]]
    ]  # by compute capability: attention sinks, formats of the cache

    def takes_heads_of(self, size: int) -> bool:
        """Whether it has a kernel for heads of that size."""
        if size % _STEP:
            return True  # not asked when the table was made
        if isinstance(self.heads, tuple):
            return bool(self.heads[0] <= size <= self.heads[1])
        return size in self.heads


@dataclasses.dataclass(frozen=True)
class Asked:
    """What a model asks of its attention backend; None is not known."""

    release: Release
    capability: int
    heads: tuple[int, ...]
    mla: bool
    sparse: bool
    sinks: bool
    dtype: str | None
    cache: str  # format of the KV cache: auto, fp8, …
    block: int = 0  # 0: not asked for


@functools.cache
def backend(name: str, release: Release) -> Backend | None:
    """The backend as that release has it; None where we do not know."""
    for first, last, *facts in BACKENDS.get(name, ()):
        if first <= release[:2] <= last:
            mla, sparse, heads, dtypes, blocks, gpus = facts
            where = {each: (sinks, tuple(caches.split())) for many, sinks, caches in gpus for each in many}
            return Backend(mla, sparse, heads, tuple(dtypes.split()), blocks, where) if where else None
    return None


def refusals(name: str, asked: Asked) -> tuple[str, ...] | None:
    """Why a backend refuses, in vLLM's own words; nothing where it serves, None where we do not know."""
    known = backend(name, asked.release)
    if known is None:
        return None
    found = [
        ("head_size not supported", not all(known.takes_heads_of(size) for size in asked.heads)),
        ("dtype not supported", asked.dtype is not None and asked.dtype not in known.dtypes),
        ("block_size not supported", _refuses_block(known, asked)),
        ("MLA not supported" if asked.mla else "non-MLA not supported", asked.mla != known.mla),
        (
            "sparse not supported" if asked.sparse else "non-sparse not supported",
            asked.sparse != known.sparse,
        ),
    ]
    here = known.gpus.get(asked.capability)
    if here is None:
        found.append(("compute capability not supported", asked.capability in _KNOWN_GPUS))
    else:
        found.append(("kv_cache_dtype not supported", asked.cache not in here[1]))
        found.append(("attention sinks not supported", asked.sinks and not here[0]))
    return tuple(reason for reason, holds in found if holds)


def candidates(asked: Asked) -> tuple[str, ...]:
    """What vLLM tries where no backend is asked for, in its order; empty where we do not know."""
    for first, last, gpus, names in CANDIDATES[asked.mla]:
        if first <= asked.release[:2] <= last and asked.capability in gpus:
            return tuple(names.split())
    return ()


def all_refusals(asked: Asked) -> dict[str, tuple[str, ...]] | None:
    """What each candidate refuses for; None where one of them serves, or may."""
    found: dict[str, tuple[str, ...]] = {}
    for name in candidates(asked):
        reasons = refusals(name, asked)
        if not reasons:
            return None
        found[name] = reasons
    return found or None


def chosen(asked: Asked) -> str | None:
    """The first candidate that serves; None where that is not certain."""
    for name in candidates(asked):
        reasons = refusals(name, asked)
        if reasons is None:
            return None
        if not reasons:
            return name
    return None


def _refuses_block(known: Backend, asked: Asked) -> bool:
    if not asked.block or not known.blocks or asked.release < _BLOCK_ASKED_SINCE:
        return False
    return all(asked.block % size for size in known.blocks)


_KNOWN_GPUS = frozenset(gpu for _first, _last, gpus, _names in CANDIDATES[False] for gpu in gpus)
