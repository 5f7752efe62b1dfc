"""Judge settings of vLLM on the controller; documented in plugins/modules/vllm_settings.py."""

from __future__ import annotations

import pathlib
import typing as t

from ..module_utils._settings.finding import SEVERITIES, Finding
from ..plugin_utils.check_settings import as_result, check_settings
from ..plugin_utils.controller_action import ControllerAction
from ..plugin_utils.plain import to_plain

FAIL_ON = ("error", "warning", "never")


class ActionModule(ControllerAction):
    def answer(self, variables: dict[str, t.Any]) -> dict[str, t.Any]:
        given = dict(self._task.args)
        fail_on = to_plain(given.pop("fail_on", None)) or "error"
        if fail_on not in FAIL_ON:
            raise ValueError(f"fail_on takes one of {', '.join(FAIL_ON)}, not {fail_on!r}")
        judged = check_settings(given, pathlib.Path(self._loader.get_basedir()))
        result = as_result(judged)
        bad = [finding for finding in judged.findings if _fails(finding, fail_on)]
        if bad:
            result.update(failed=True, msg=_message(bad))
        return result


def _fails(finding: Finding, fail_on: str) -> bool:
    return fail_on != "never" and SEVERITIES.index(finding.severity) <= SEVERITIES.index(
        t.cast(t.Any, fail_on)
    )


def _message(findings: t.Sequence[Finding]) -> str:
    lines = [
        f"{finding.severity}: {finding.message}" + (f" -> {finding.fix}" if finding.fix else "")
        for finding in findings
    ]
    return "\n".join(lines)
