"""Runs a module of somebody else that takes long, and says so meanwhile; documented in plugins/modules/long_task.py."""

from __future__ import annotations

import typing as t

from ansible.plugins.action import ActionBase

from ..plugin_utils.progress import Progress


class ActionModule(ActionBase):
    _supports_check_mode = True
    TRANSFERS_FILES = True

    def run(self, tmp: str | None = None, task_vars: dict[str, t.Any] | None = None) -> dict[str, t.Any]:
        super().run(tmp, task_vars)
        _validated, args = self.validate_argument_spec(
            argument_spec={
                "doing": {"type": "str", "required": True},
                "module": {"type": "str", "required": True},
                "arguments": {"type": "dict", "default": {}},
            },
        )
        host = str((task_vars or {}).get("inventory_hostname", "host"))
        with Progress(host).beating(str(args["doing"])):
            result: dict[str, t.Any] = self._action(str(args["module"]), args["arguments"]).run(
                task_vars=task_vars
            )
        return result

    def _action(self, module: str, arguments: dict[str, t.Any]) -> ActionBase:
        """What Ansible itself would run for a task of that module."""
        task = self._task.copy()
        task.action, task.args = module, arguments
        actions = self._shared_loader_obj.action_loader
        found: ActionBase = actions.get(
            module if actions.has_plugin(module) else "ansible.builtin.normal",
            task=task,
            connection=self._connection,
            play_context=self._play_context,
            loader=self._loader,
            templar=self._templar,
            shared_loader_obj=self._shared_loader_obj,
        )
        return found
