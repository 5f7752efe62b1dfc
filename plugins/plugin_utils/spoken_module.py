"""A module that works for longer than ten seconds and cannot speak: the control node says meanwhile what it does."""

from __future__ import annotations

import typing as t

from ansible.plugins.action.normal import ActionModule as Normal

from .plain import to_plain
from .progress import Progress

Data = t.Mapping[str, t.Any]


class SpokenModule(Normal):
    """Runs the module of the same name, with lines on what it does while it does not come back."""

    doing = ""

    def run(self, tmp: str | None = None, task_vars: dict[str, t.Any] | None = None) -> dict[str, t.Any]:
        """What Ansible itself does for the module, with lines meanwhile."""
        seen = self._task.args.pop("seen", None)
        known = self.known(to_plain(seen), to_plain(self._task.args)) if seen else None
        if known is not None:
            return {"changed": False, **known}
        host = str((task_vars or {}).get("inventory_hostname", "host"))
        with Progress(host).beating(self.doing):
            result: dict[str, t.Any] = super().run(tmp, task_vars)
        return result

    def known(self, seen: Data, args: Data) -> dict[str, t.Any] | None:
        """What an earlier look at the host (``seen``) answers already; None where the host has to be asked."""
        return None
