"""One server as a release's parser understood it, with what is known of its host and its model."""

from __future__ import annotations

import dataclasses
import typing as t

if t.TYPE_CHECKING:
    from .version import Release


@dataclasses.dataclass(frozen=True)
class Gpu:
    """One GPU as ``nvidia_gpu_info`` returns it; what the driver does not tell is None."""

    name: str | None = None
    compute_capability: str | None = None  # "9.0"
    memory_total_mib: int | None = None  # None: it shares the host's memory, or nobody said
    memory_free_mib: int | None = None  # without what the server's own earlier release holds
    used_by: tuple[str, ...] = ()  # who holds the rest, where that is known


@dataclasses.dataclass(frozen=True)
class Case:
    """What rules look at. They never look at the text of a command line again."""

    release: Release  # of the flag table in use
    model: str | None  # the positional model, None where the release falls back to its own default
    values: t.Mapping[str, t.Any]  # every option of the release by its dest: the parsed value, or the default
    given: frozenset[str]  # the dests that were given
    env: t.Mapping[str, str] = dataclasses.field(default_factory=dict)
    gpus: tuple[Gpu, ...] | None = None  # None: not known
    model_facts: t.Any = None  # a _fit.model.Model; None: not known
    draft_facts: t.Any = None  # the same of the draft model that speculation uses
    adapters: t.Mapping[str, t.Mapping[str, t.Any]] = dataclasses.field(
        default_factory=dict
    )  # by the path in lora_modules, as vllm_model_info returns them
