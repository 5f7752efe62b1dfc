"""Asks, before a batch of hosts, whether the failure budget of the run still allows it."""

from __future__ import annotations

import typing as t

from ..module_utils._release.outcome import brake
from ..plugin_utils.controller_action import FleetAction
from ..plugin_utils.fleet import outcomes


class ActionModule(FleetAction):
    ARGUMENTS: t.ClassVar[dict[str, t.Any]] = {"failure_budget": {"type": "int", "default": 0}}

    def answer(self, variables: dict[str, t.Any]) -> dict[str, t.Any]:
        args = self.options()
        found = brake(outcomes(variables, args["hosts"]), args["failure_budget"])
        return {"holds": found.holds, "spent": list(found.spent), "msg": found.message}
