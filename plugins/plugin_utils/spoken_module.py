"""A module that works for longer than ten seconds and cannot speak: the control node says meanwhile what it does."""

from __future__ import annotations

import typing as t

from ansible.plugins.action.normal import ActionModule as Normal

from .progress import Progress


class SpokenModule(Normal):
    """Runs the module of the same name, with lines on what it does while it does not come back."""

    doing = ""

    def run(self, tmp: str | None = None, task_vars: dict[str, t.Any] | None = None) -> dict[str, t.Any]:
        """What Ansible itself does for the module, with lines meanwhile."""
        host = str((task_vars or {}).get("inventory_hostname", "host"))
        with Progress(host).beating(self.doing):
            result: dict[str, t.Any] = super().run(tmp, task_vars)
        return result
