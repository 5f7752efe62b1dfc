"""What the rules of this package look at beyond settings and model: the weights on disk and the driver."""

from __future__ import annotations

import functools
import re

from ..._settings.case import Case
from ..._settings.rules.view import View
from ..._settings.version import Release
from ..demand import Demand, read_demand
from ..tensors import Tensors


class FitView(View):
    """A case with the weights' headers and the host's driver; None where they are not known."""

    def __init__(self, case: Case, tensors: Tensors | None = None, driver_version: str | None = None) -> None:
        super().__init__(case)
        self.tensors = tensors
        self.driver_version = driver_version

    @functools.cached_property
    def demand(self) -> Demand:
        """The case with defaults filled in."""
        return read_demand(self.case, self.model)


def tensors_of(view: View) -> Tensors | None:
    """The headers of the weights."""
    return view.tensors if isinstance(view, FitView) else None


def driver_of(view: View) -> int | None:
    """The driver's branch: 580 for 580.95.05."""
    text = view.driver_version if isinstance(view, FitView) else None
    found = re.match(r"\d{3,4}", text or "")
    return int(found.group()) if found else None


def demand_of(view: View) -> Demand:
    """The case with defaults filled in."""
    return view.demand if isinstance(view, FitView) else read_demand(view.case, view.model)


def family_of(view: View) -> str:
    """The model's family as its config names it; empty where it does not."""
    return str(getattr(view.model, "text_model_type", None) or getattr(view.model, "model_type", None) or "")


def takes_own_class(view: View) -> bool:
    """Whether the model runs as vLLM's own class, and not as that of Transformers."""
    return view.text("model_impl") in ("", "auto", "vllm")


def in_span(release: Release, first: Release, last: Release) -> bool:
    """Whether a release is one of those from ``first`` to ``last``, whose tables are by minor releases."""
    return first[:2] <= release[:2] <= last[:2]


def divisors(value: int, below: int) -> str:
    """The sizes below that one that divide the value, for a fix."""
    return ", ".join(str(size) for size in range(1, below) if value % size == 0)
