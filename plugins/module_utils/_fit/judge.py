"""A server judged whole: its settings by the parser and rules of its release, then what model and GPUs say to them."""

from __future__ import annotations

import dataclasses
import typing as t

from .._settings.case import Case, Gpu
from .._settings.check import Checked, check
from .._settings.finding import Finding, has_errors, in_order
from .._settings.tables import choose
from .._settings.upgrade import case_there, only_there
from .check import fit_and_table

# A release newer than the tables, or a tag that names none, may know what they do not; so may a build of one's own,
# which is what takes options that the release does not have.
_MAY_BE_NEW = (
    *("model_arch_unsupported", "draft_model_arch_unsupported"),
    *("quant_scheme_not_for_gpu", "kv_connector_with_hybrid_model"),
)
_UNLIKE_THE_TABLES = ("version_not_known", "version_too_old", "unknown_option")


@dataclasses.dataclass(frozen=True)
class Known:
    """What is known of a server beyond its settings; what is not is None."""

    tensors: t.Mapping[str, t.Any] | None = None
    host_memory_mib: int | None = None
    driver_version: str | None = None
    advise: bool = True
    adapters: t.Mapping[str, t.Mapping[str, t.Any]] = dataclasses.field(default_factory=dict)


@dataclasses.dataclass(frozen=True)
class Judged:
    """The verdict on settings, model and GPUs together, and the table of the memory where it can be reckoned."""

    checked: Checked
    findings: tuple[Finding, ...]
    fit: dict[str, t.Any] | None

    @property
    def valid(self) -> bool:
        """Whether nothing is wrong; warnings may be there."""
        return not has_errors(self.findings)


def judge_server(known: Known, **asked: t.Any) -> Judged:
    """The check of settings (``asked`` is what ``check`` takes) and the check of fit on what it understood."""
    checked = check(**asked)
    case = dataclasses.replace(_of_known_gpus(checked.case), adapters=_comparable(known, checked))
    found, table = fit_and_table(
        case, known.tensors, known.host_memory_mib, known.driver_version, known.advise
    )
    if asked.get("target_version"):
        found += _after_upgrade(case, found, known, str(asked["target_version"]))
    if any(each.code in _UNLIKE_THE_TABLES for each in checked.findings):
        found = [_softened(each) for each in found]
    return Judged(checked, tuple(in_order([*checked.findings, *found])), table)


def _after_upgrade(case: Case, here: t.Sequence[Finding], known: Known, target: str) -> list[Finding]:
    """What model and GPUs say of the release that may come next, and do not say of this one."""
    goal = choose(target)
    there, _table = fit_and_table(
        case_there(case, goal), known.tensors, known.host_memory_mib, known.driver_version, advise=False
    )
    return list(only_there(here, there, goal))


def _of_known_gpus(case: Case) -> Case:
    """Of GPUs that are only counted nothing is reckoned."""
    return dataclasses.replace(case, gpus=None) if Gpu() in (case.gpus or ()) else case


def _comparable(known: Known, checked: Checked) -> t.Mapping[str, t.Mapping[str, t.Any]]:
    """A limit that the release refuses is not what an adapter is held against, nor is the default in its place."""
    refused = any(each.setting == "max_lora_rank" and each.severity == "error" for each in checked.findings)
    return {} if refused else known.adapters


def _softened(finding: Finding) -> Finding:
    unsure = finding.severity == "error" and finding.code in _MAY_BE_NEW
    return dataclasses.replace(finding, severity="warning") if unsure else finding
