"""Brings weights that the operator has; documented in plugins/modules/vllm_weights_source.py."""

from __future__ import annotations

import typing as t

from ansible.errors import AnsibleActionFail
from ansible.plugins.action import ActionBase

from ..plugin_utils.plain import to_plain
from ..plugin_utils.progress import Progress, follow

_WATCH_SECONDS = 5


class ActionModule(ActionBase):
    TRANSFERS_FILES = False
    _supports_check_mode = True

    def run(self, tmp: str | None = None, task_vars: dict[str, t.Any] | None = None) -> dict[str, t.Any]:
        super().run(tmp, task_vars)
        self._vars: dict[str, t.Any] = task_vars or {}
        args = to_plain(self._task.args)
        if args.get("step") or self._play_context.check_mode:
            return self._module(args, args.get("step") or "adopt")
        if args.get("path") or args.get("command"):
            self._bring(args)
        return self._module(args, "adopt")

    def _bring(self, args: dict[str, t.Any]) -> None:
        """Fill the folder by a job of the host that goes on when the connection is lost."""
        who = f"{self._vars.get('inventory_hostname', 'host')}: {args.get('target')}"
        seen = self._module(args, "look")
        if not seen["running"]:
            self._module(args, "stage")
            self._module(args, "start")
        seen = follow(
            Progress(who),
            lambda: self._module({**args, "watch": _WATCH_SECONDS}, "look"),
            lambda progress, now: progress.bytes(now["done_bytes"], None, "came"),
        )
        if seen["rc"] != 0:
            last = (seen["output"].strip().splitlines() or ["it said nothing"])[-1]
            how = args.get("command") or f"copying {args.get('path')}"
            raise AnsibleActionFail(f"{who}: {how} ended with {seen['rc']}: {last}", result=seen)

    def _module(self, args: dict[str, t.Any], step: str) -> dict[str, t.Any]:
        who = str(self._vars.get("inventory_hostname", "host"))
        with Progress(f"{who}: {args.get('target')}").beating("looks at the files, and puts them in place"):
            done: dict[str, t.Any] = self._execute_module(
                module_name="gpuops.vllm_fleet.vllm_weights_source",
                module_args={**args, "step": step},
                task_vars=self._vars,
            )
        if done.get("failed"):
            raise AnsibleActionFail(done.get("msg", "it failed"), result=done)
        return done
