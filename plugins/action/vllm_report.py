"""Shows what runs where after a run, and what went wrong, whatever the run came to."""

from __future__ import annotations

import typing as t

from ansible.plugins.action import ActionBase
from ansible.utils.display import Display

from ..module_utils._release.outcome import COLUMNS, report_rows, report_text
from ..plugin_utils.fleet import outcomes
from ..plugin_utils.plain import to_plain

display = Display()


class ActionModule(ActionBase):
    _supports_check_mode = True
    _requires_connection = False
    TRANSFERS_FILES = False

    def run(self, tmp: str | None = None, task_vars: dict[str, t.Any] | None = None) -> dict[str, t.Any]:
        super().run(tmp, task_vars)
        _validated, args = self.validate_argument_spec(
            argument_spec={"hosts": {"type": "list", "elements": "str", "required": True}},
        )
        found = outcomes(task_vars or {}, to_plain(args["hosts"]))
        # Not left to the callback: many of them would show the table as one line of JSON.
        predicted = "Predicted; check mode did none of it.\n" if self._play_context.check_mode else ""
        display.display(predicted + report_text(found))
        problems = [f"{each.host}: {problem}" for each in found for problem in each.problems]
        rows = [dict(zip(COLUMNS, row)) for row in report_rows(found)]
        return {"changed": False, "rows": rows, "problems": problems}
