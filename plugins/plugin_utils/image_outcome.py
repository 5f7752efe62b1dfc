"""How images are to be brought, and what came of one."""

from __future__ import annotations

import dataclasses
import typing as t

from ..module_utils._host.image_words import Trouble
from ..module_utils._plan.registries import Archive, Registry
from .image_run import Told


@dataclasses.dataclass(frozen=True)
class Options:
    """How images are brought, as ``vllm_image`` takes it."""

    registries: t.Sequence[Registry] = ()
    archives: t.Mapping[str, Archive] = dataclasses.field(default_factory=dict)
    pull: bool = True
    refresh: bool = False
    retries: int = 3
    retry_delay: float = 5
    stalled_after: float = 600
    unpack_factor: float = 2.5
    predict: bool = False


@dataclasses.dataclass(frozen=True)
class Outcome:
    """What came of one image."""

    identity: str | None = None
    changed: bool = False
    action: str | None = None
    where: str = ""
    trouble: Told | None = None


class TroubleError(Exception):
    """It does not come; ``told`` is the trouble as a dictionary."""

    def __init__(self, told: Told) -> None:
        """Keep it."""
        super().__init__(told["message"])
        self.told = told


def trouble_of(code: str, message: str, fix: str, again: bool = False) -> Told:
    """A trouble as it travels."""
    return dataclasses.asdict(Trouble(code, message, fix, again))
