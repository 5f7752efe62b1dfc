"""Waits until no other transaction is under way on the host, then has the module decide and begin one."""

from __future__ import annotations

import time
import typing as t

from ansible.plugins.action import ActionBase

from ..plugin_utils.plain import to_plain
from ..plugin_utils.progress import Progress

_WATCH_SECONDS = 10


class ActionModule(ActionBase):
    _supports_check_mode = True
    TRANSFERS_FILES = False

    def run(self, tmp: str | None = None, task_vars: dict[str, t.Any] | None = None) -> dict[str, t.Any]:
        super().run(tmp, task_vars)
        args = to_plain(self._task.args)
        until = time.monotonic() + float(args.get("busy_seconds", 3600))
        progress = Progress((task_vars or {}).get("inventory_hostname", "host"))
        while True:
            with progress.beating("compares its releases with the plan, to begin what differs"):
                result = self._execute_module(module_args=args, task_vars=task_vars)
            busy = result.get("busy")
            if not busy or result.get("failed") or self._play_context.check_mode:
                return result
            progress.news(f"waits: another run is at work on this host ({busy})")
            if time.monotonic() > until:
                return {
                    **result,
                    "failed": True,
                    "msg": f"another run is still at work on this host ({busy})",
                }
            self._wait(str(busy), args.get("state_dir"), task_vars)

    def _wait(self, id_: str, state_dir: str | None, task_vars: t.Any) -> None:
        """Until there is news of the other transaction."""
        asked = {"id": id_, "watch": _WATCH_SECONDS}
        if state_dir:
            asked["state_dir"] = state_dir
        seen = self._execute_module(
            module_name="gpuops.vllm_fleet.vllm_transaction", module_args=asked, task_vars=task_vars
        )
        if seen.get("found") and not seen.get("ended"):
            asked.update(known=seen["serial"])
            self._execute_module(
                module_name="gpuops.vllm_fleet.vllm_transaction", module_args=asked, task_vars=task_vars
            )
        else:
            time.sleep(1)
