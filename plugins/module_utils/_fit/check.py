"""The one entry: what the model, the GPUs and the arithmetic of memory say of a server."""

from __future__ import annotations

import typing as t

from .._settings.case import Case
from .._settings.finding import Finding
from .advice import advice_findings
from .changes import changes_that_fit
from .findings import fit_findings
from .memory import reckon
from .report import as_data
from .rules import run_fit_rules
from .tensors import read_tensors
from .verdict import judge


def check_fit(
    case: Case,
    tensors: t.Mapping[str, t.Any] | None,
    host_memory_mib: int | None = None,
    driver_version: str | None = None,
    advise: bool = True,
) -> list[Finding]:
    """Findings of stage ``fit``, and at most three of stage ``advice`` unless ``advise`` is off.

    ``case`` brings settings, release, GPUs and the model's config; ``tensors`` is that part of what vllm_model_info
    returns. Whatever of them is not known makes this say less, never something wrong. GPUs of the case are those that
    the server gets, in order (``hardware.select_gpus`` picks them from the host's).
    """
    held = read_tensors(tensors)
    found = [*run_fit_rules(case, held, driver_version), *fit_findings(case, held, host_memory_mib)]
    return found + (advice_findings(case) if advise else [])


def memory_table(
    case: Case, tensors: t.Mapping[str, t.Any] | None, host_memory_mib: int | None = None
) -> dict[str, t.Any] | None:
    """Where the memory goes, per GPU, with verdict and the changes that would fit; None where it cannot be reckoned."""
    held = read_tensors(tensors)
    memory = reckon(case, held, host_memory_mib)
    if memory is None:
        return None
    verdict = judge(memory)
    changes = changes_that_fit(case, held, host_memory_mib, memory, verdict) if verdict.shortage else ()
    return as_data(memory, verdict, [change.text() for change in changes])
