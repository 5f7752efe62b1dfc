"""Puts the hosts of a run into batches, before the play that releases them is cut by them."""

from __future__ import annotations

import typing as t

from ansible.plugins.action import ActionBase

from ..module_utils._release.batches import DEFAULT_SIZES, BatchesError, Serving, batches
from ..plugin_utils.plain import to_plain
from ..plugin_utils.plan_hosts import plan_of

if t.TYPE_CHECKING:
    from ..module_utils._fit.judge import Judged
    from ..module_utils._plan.plan import HostPlan


class ActionModule(ActionBase):
    _supports_check_mode = True
    _requires_connection = False
    TRANSFERS_FILES = False

    def run(self, tmp: str | None = None, task_vars: dict[str, t.Any] | None = None) -> dict[str, t.Any]:
        super().run(tmp, task_vars)
        _validated, args = self.validate_argument_spec(
            argument_spec={
                "hosts": {"type": "list", "elements": "str", "required": True},
                "canaries": {"type": "list", "elements": "str"},
                "batches": {"type": "list", "elements": "raw"},
            },
        )
        args = to_plain(args)
        judged: dict[str, Judged] = {}
        hostvars = (task_vars or {})["hostvars"]
        serving = [
            _serving(host, plan_of(host, hostvars, self._loader, judged), _gpus(hostvars.raw_get(host)))
            for host in args["hosts"]
        ]
        sizes = DEFAULT_SIZES if args["batches"] is None else args["batches"]
        try:
            found = batches(serving, args["canaries"], sizes)
        except BatchesError as problem:
            return {"changed": False, "failed": True, "msg": str(problem)}
        order = [host for batch in found for host in batch]
        return {"changed": False, "batches": found, "order": order, "serial": [len(batch) for batch in found]}


def _serving(host: str, plan: HostPlan, gpus: str) -> Serving:
    present = [each for each in plan.instances.values() if each.state == "present"]
    kinds = frozenset((str(each.image), str(each.model), gpus) for each in present)
    return Serving(host, kinds, frozenset(name for each in present for name in each.served_names))


def _gpus(variables: t.Mapping[str, t.Any]) -> str:
    """The names of the host's GPUs: as prepare.yml saw them on this run, else as the inventory says; empty where neither."""
    seen = (variables.get("__vllm_fleet_host") or {}).get("host_facts") or {}
    facts = to_plain(seen.get("gpu_facts") or variables.get("vllm_gpu_facts") or [])
    return ", ".join(sorted({str(gpu.get("name")) for gpu in facts if isinstance(gpu, dict)}))
