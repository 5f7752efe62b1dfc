"""Plan all hosts at once on the controller, and report; documented in plugins/modules/vllm_findings.py."""

from __future__ import annotations

import pathlib
import typing as t

from ansible.utils.display import Display

from ..module_utils._fit.judge import Judged
from ..module_utils._plan.report import format_findings, format_for, summary
from ..module_utils._settings.finding import Finding, has_errors, in_order
from ..plugin_utils.controller_action import ControllerAction
from ..plugin_utils.plain import to_plain
from ..plugin_utils.plan_hosts import plan_of
from ..plugin_utils.terminal import width

OPTIONS = ("hosts", "findings_file", "target_version")
display = Display()


class ActionModule(ControllerAction):
    def answer(self, variables: dict[str, t.Any]) -> dict[str, t.Any]:
        options = self._options()
        hosts = options.get("hosts") or to_plain(variables.get("ansible_play_hosts_all", []))
        files = _files(options.get("findings_file"))
        judged: dict[str, Judged] = {}
        target = options.get("target_version")
        plans = [plan_of(host, variables["hostvars"], self._loader, judged, target) for host in hosts]
        findings = in_order(finding for plan in plans for finding in plan.findings)
        for file, text_of in files:
            _write(file, text_of(findings))
        said = summary(findings, len(hosts))
        self._show(findings, said)
        return {
            "valid": not has_errors(findings),
            "msg": said,
            "findings": [finding.as_dict() for finding in findings],
            "hosts": len(hosts),
            "instances": sum(len(plan.instances) for plan in plans),
        }

    def _options(self) -> dict[str, t.Any]:
        options: dict[str, t.Any] = to_plain(self._task.args)
        unknown = sorted(set(options) - set(OPTIONS))
        if unknown:
            raise ValueError(f"vllm_findings has no option {unknown[0]}; it has {', '.join(OPTIONS)}")
        return options

    def _show(self, findings: t.Sequence[Finding], said: str) -> None:
        """Notes are for who asks for more (-v): with a thousand hosts they would hide what matters."""
        shown = [each for each in findings if display.verbosity or _matters(each)]
        hint = "" if len(shown) == len(findings) else " (-v shows the notes)"
        display.display("\n".join([format_findings(shown, width()), said + hint]).lstrip())


def _matters(finding: Finding) -> bool:
    """Also what another release would do by itself: whoever names one wants to know."""
    return finding.severity != "info" or finding.code.startswith("upgrade_")


def _files(given: t.Any) -> list[tuple[pathlib.Path, t.Callable[[t.Sequence[Finding]], str]]]:
    """The files that were asked for, and who writes each; known before the work begins."""
    paths = [] if given is None else given if isinstance(given, list) else [given]
    return [(pathlib.Path(str(path)).expanduser(), format_for(str(path))) for path in paths if path]


def _write(path: pathlib.Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as problem:
        raise ValueError(f"findings_file: {path} cannot be written: {problem.strerror}") from problem
