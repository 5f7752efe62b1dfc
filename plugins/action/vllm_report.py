"""Shows and writes what a run did and what runs where after it, whatever the run came to."""

from __future__ import annotations

import json
import time
import typing as t

from ansible.utils.display import Display

from ..module_utils._release.report import build_report, summary
from ..module_utils._release.report_text import markdown, terminal
from ..module_utils._release.report_words import table
from ..plugin_utils.controller_action import FleetAction
from ..plugin_utils.fleet import outcomes
from ..plugin_utils.report_files import iso, stamp, write_report

display = Display()


class ActionModule(FleetAction):
    ARGUMENTS: t.ClassVar[dict[str, t.Any]] = {
        "directory": {"type": "str", "default": ""},
        "fleet": {"type": "str", "default": "default"},
    }

    def answer(self, variables: dict[str, t.Any]) -> dict[str, t.Any]:
        args = self.options()
        now = time.time()
        check_mode = bool(self._play_context.check_mode)
        found = outcomes(variables, args["hosts"])
        report = build_report(found, check_mode, fleet=args["fleet"], written_at=iso(now))
        # Not left to the callback: many of them would show the table as one line of JSON.
        display.display(terminal(report))
        files = _write(args["directory"], report, now)
        columns, rows = table(report)
        return {
            "rows": [dict(zip(columns, row)) for row in rows],
            "problems": [f"{each['host']}: {each['message']}" for each in report["problems"]],
            "report": report,
            "summary": {**summary(report), "files": files},
            "files": files,
        }


def _write(directory: str, report: dict[str, t.Any], now: float) -> dict[str, str]:
    """The paths of the files. A report that cannot be written fails nothing: the rollout is over, and it was shown."""
    if not directory:
        return {}
    name = f"vllm-fleet-{stamp(now)}" + ("-check" if report["check_mode"] else "")
    texts = {
        "md": markdown(report),
        "json": json.dumps(report, indent=2, ensure_ascii=False, default=str) + "\n",
    }
    try:
        files = write_report(directory, name, texts)
    except OSError as error:
        display.warning(f"vllm_report_dir: no report in {directory}: {error.strerror}")
        return {}
    display.display(f"Report: {files['md']}")
    return files
