"""Planning any host of the inventory in one task, from its variables as they stand: no host is contacted."""

from __future__ import annotations

import typing as t

from ansible.template import Templar

from ..module_utils._fit.judge import Judged
from ..module_utils._plan.facts import HostFacts
from ..module_utils._plan.plan import HostPlan, plan_host
from ..module_utils._plan.rollout import rollout_findings
from .inventory import read_inventory


def plan_of(
    host: str, hostvars: t.Any, loader: t.Any, judged: dict[str, Judged], target: str | None = None
) -> HostPlan:
    """The plan of a host with all findings. ``judged`` is shared by the hosts of one task.

    Ansible would template every variable of a host; only those that planning reads are.
    """
    raw = hostvars.raw_get(host)
    templar = Templar(loader=loader, variables={**raw, "hostvars": hostvars})
    read = read_inventory(raw, templar)
    plan = plan_host(read.variables, read.secret_keys, HostFacts(), host, target, judged)
    return plan.with_findings([*read.findings, *rollout_findings(read.variables, tuple(hostvars))], host)
