"""The one entry: what the model, the GPUs and the arithmetic of memory say of a server."""

from __future__ import annotations

import typing as t

from .._settings.case import Case
from .._settings.finding import Finding
from .advice import advice_findings
from .findings import fit_findings, reckon_whole
from .report import as_data
from .rules import run_fit_rules
from .tensors import read_tensors


def fit_and_table(
    case: Case,
    tensors: t.Mapping[str, t.Any] | None,
    host_memory_mib: int | None = None,
    driver_version: str | None = None,
    advise: bool = True,
) -> tuple[list[Finding], dict[str, t.Any] | None]:
    """Findings of stage ``fit``, and at most three of stage ``advice`` unless ``advise`` is off; and where the memory goes.

    The second is per GPU, with verdict and the changes that would fit; None where it cannot be reckoned.

    ``case`` brings settings, release, GPUs and the model's config; ``tensors`` is that part of what vllm_model_info
    returns. Whatever of them is not known makes this say less, never something wrong. GPUs of the case are those that
    the server gets, in order (``hardware.select_gpus`` picks them from the host's).
    """
    held = read_tensors(tensors)
    reckoned = reckon_whole(case, held, host_memory_mib)
    found = [*run_fit_rules(case, held, driver_version), *fit_findings(case, reckoned, host_memory_mib)]
    table = None
    if reckoned is not None:
        table = as_data(reckoned.memory, reckoned.verdict, [change.text() for change in reckoned.changes])
    return found + (advice_findings(case) if advise else []), table
