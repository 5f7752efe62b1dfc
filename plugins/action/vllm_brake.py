"""Asks, before a batch of hosts, whether the failure budget of the run still allows it."""

from __future__ import annotations

import typing as t

from ansible.plugins.action import ActionBase

from ..module_utils._release.outcome import brake
from ..plugin_utils.fleet import outcomes
from ..plugin_utils.plain import to_plain


class ActionModule(ActionBase):
    _supports_check_mode = True
    _requires_connection = False
    TRANSFERS_FILES = False

    def run(self, tmp: str | None = None, task_vars: dict[str, t.Any] | None = None) -> dict[str, t.Any]:
        super().run(tmp, task_vars)
        _validated, args = self.validate_argument_spec(
            argument_spec={
                "hosts": {"type": "list", "elements": "str", "required": True},
                "failure_budget": {"type": "int", "default": 0},
            },
        )
        args = to_plain(args)
        found = brake(outcomes(task_vars or {}, args["hosts"]), args["failure_budget"])
        return {"changed": False, "holds": found.holds, "spent": list(found.spent), "msg": found.message}
