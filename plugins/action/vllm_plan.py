"""Plan the vLLM servers of a host on the controller; documented in plugins/modules/vllm_plan.py."""

from __future__ import annotations

import typing as t

from ansible.utils.display import Display

from ..module_utils._plan.facts import is_list_of_mappings, read_facts
from ..module_utils._plan.layers import is_layer
from ..module_utils._plan.plan import HostPlan, plan_host
from ..module_utils._plan.report import format_findings, summary
from ..plugin_utils.controller_action import ControllerAction
from ..plugin_utils.inventory import PLAIN_VARIABLES, read_inventory
from ..plugin_utils.plain import to_plain

display = Display()
_SAME = ("code", "instance", "setting", "origin", "message")
FAIL_ON = {"error": ("error",), "warning": ("error", "warning"), "never": ()}


class ActionModule(ControllerAction):
    def answer(self, variables: dict[str, t.Any]) -> dict[str, t.Any]:
        options = self._options()
        fail_on = options.get("fail_on", "error")
        if fail_on not in FAIL_ON:
            raise ValueError(f"fail_on is one of {', '.join(FAIL_ON)}, not {fail_on}")
        told = options.get("told")
        if told is not None and not is_list_of_mappings(told):
            raise ValueError("told takes the findings of an earlier plan, a list of mappings")
        facts = read_facts(options.get("host_facts"))
        taken = {name: value for name, value in options.items() if name.startswith("vllm_")}
        read = read_inventory(variables, self._templar, taken)
        host = str(variables.get("inventory_hostname", "")) or None
        plan = plan_host(read.variables, read.secret_keys, facts, host).with_findings(read.findings, host)
        _show_new(plan, told)
        return self._outcome(plan, fail_on)

    def _options(self) -> dict[str, t.Any]:
        options: dict[str, t.Any] = to_plain(self._task.args, reveal=False)
        known = {"host_facts", "fail_on", "told", *PLAIN_VARIABLES}
        unknown = sorted(name for name in options if name not in known and not is_layer(name))
        if unknown:
            raise ValueError(f"vllm_plan has no option {unknown[0]}; it has {', '.join(sorted(known))}")
        return options

    def _outcome(self, plan: HostPlan, fail_on: str) -> dict[str, t.Any]:
        failed = any(finding.severity in FAIL_ON[fail_on] for finding in plan.findings)
        outcome = {
            "valid": plan.valid,
            "findings": [finding.as_dict() for finding in plan.findings],
            "instances": plan.described(),
            "models": plan.models,
            "weights": plan.weights,
            "paths": plan.paths,
        }
        if failed:
            text = format_findings([each for each in plan.findings if each.severity in FAIL_ON[fail_on]])
            outcome.update(failed=True, msg=f"{summary(plan.findings, 1)}\n{text}")
        return outcome


def _show_new(plan: HostPlan, told: t.Sequence[t.Any] | None) -> None:
    """The warnings that an earlier plan of this host, made with fewer facts, could not give."""
    if told is None:
        return
    known = [[finding.get(key) for key in _SAME] for finding in told]
    warnings = [each for each in plan.findings if each.severity == "warning"]
    new = [each for each in warnings if [getattr(each, key) for key in _SAME] not in known]
    if new:
        display.display(format_findings(new))
