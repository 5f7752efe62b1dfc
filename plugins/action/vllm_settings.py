"""Judge settings of vLLM on the controller; documented in plugins/modules/vllm_settings.py."""

from __future__ import annotations

import pathlib
import typing as t

from ansible.errors import AnsibleError
from ansible.plugins.action import ActionBase

from ..module_utils._settings.finding import SEVERITIES, Finding
from ..plugin_utils.check_settings import as_result, check_settings
from ..plugin_utils.plain import to_plain

FAIL_ON = ("error", "warning", "never")


class ActionModule(ActionBase):
    TRANSFERS_FILES = False
    _requires_connection = False
    _supports_check_mode = True

    def run(self, tmp: str | None = None, task_vars: dict[str, t.Any] | None = None) -> dict[str, t.Any]:
        result: dict[str, t.Any] = super().run(tmp, task_vars)
        given = dict(self._task.args)
        fail_on = to_plain(given.pop("fail_on", None)) or "error"
        if fail_on not in FAIL_ON:
            raise AnsibleError(f"fail_on takes one of {', '.join(FAIL_ON)}, not {fail_on!r}")
        judged = check_settings(given, pathlib.Path(self._loader.get_basedir()))
        result.update(as_result(judged), changed=False)
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
