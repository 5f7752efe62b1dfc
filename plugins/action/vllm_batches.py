"""Puts the hosts of a run into batches, before the play that releases them is cut by them."""

from __future__ import annotations

import typing as t

from ..module_utils._plan.rollout import unknown_canaries
from ..module_utils._release.batches import DEFAULT_SIZES, Serving, batches
from ..plugin_utils.controller_action import FleetAction
from ..plugin_utils.plain import to_plain
from ..plugin_utils.plan_hosts import plan_of

if t.TYPE_CHECKING:
    from ..module_utils._fit.judge import Judged
    from ..module_utils._plan.plan import HostPlan

_PROBLEM = "__vllm_fleet_problem"  # why prepare.yml or fetch.yml left a host out


class ActionModule(FleetAction):
    ARGUMENTS: t.ClassVar[dict[str, t.Any]] = {
        "canaries": {"type": "list", "elements": "str"},
        "batches": {"type": "list", "elements": "raw"},
    }

    def answer(self, variables: dict[str, t.Any]) -> dict[str, t.Any]:
        args = self.options()
        judged: dict[str, Judged] = {}
        hostvars = variables["hostvars"]
        unknown = unknown_canaries(args["canaries"], tuple(hostvars))
        if unknown:
            raise ValueError(unknown)
        # They release nothing, so none is a canary, and none makes a batch smaller. But they spend the budget.
        known = {host: hostvars.raw_get(host) for host in args["hosts"]}
        troubled = [host for host, facts in known.items() if facts.get(_PROBLEM)]
        serving = [
            _serving(host, plan_of(host, hostvars, self._loader, judged), _gpus(facts))
            for host, facts in known.items()
            if not facts.get(_PROBLEM)
        ]
        sizes = DEFAULT_SIZES if args["batches"] is None else args["batches"]
        found = batches(serving, args["canaries"], sizes)
        found += [troubled] if troubled else []
        order = [host for batch in found for host in batch]
        return {"batches": found, "order": order, "serial": [len(batch) for batch in found]}


def _serving(host: str, plan: HostPlan, gpus: str) -> Serving:
    present = [each for each in plan.instances.values() if each.state == "present"]
    kinds = frozenset((str(each.image), str(each.model), gpus) for each in present)
    return Serving(host, kinds, frozenset(name for each in present for name in each.served_names))


def _gpus(variables: t.Mapping[str, t.Any]) -> str:
    """The names of the host's GPUs: as prepare.yml saw them on this run, else as the inventory says; empty where neither."""
    seen = (variables.get("__vllm_fleet_host") or {}).get("host_facts") or {}
    facts = to_plain(seen.get("gpu_facts") or variables.get("vllm_gpu_facts") or [])
    return ", ".join(sorted({str(gpu.get("name")) for gpu in facts if isinstance(gpu, dict)}))
