"""The frame of an action that works on the controller alone: it contacts no host and changes nothing."""

from __future__ import annotations

import typing as t

from ansible.plugins.action import ActionBase

from .plain import to_plain

Data = dict[str, t.Any]
HOSTS = {"hosts": {"type": "list", "elements": "str", "required": True}}


class ControllerAction(ActionBase):
    """What such actions share; each says its ``answer``."""

    TRANSFERS_FILES = False
    _requires_connection = False
    _supports_check_mode = True

    def run(self, tmp: str | None = None, task_vars: Data | None = None) -> Data:
        """The result of the task; a ``ValueError`` of ``answer`` is told to the operator as it is."""
        result: Data = super().run(tmp, task_vars)
        try:
            return {**result, "changed": False, **self.answer(task_vars or {})}
        except ValueError as problem:
            return {**result, "changed": False, "failed": True, "msg": str(problem)}

    def answer(self, variables: Data) -> Data:
        """What the task returns beside ``changed``, from its options and the variables of its host."""
        raise NotImplementedError


class FleetAction(ControllerAction):
    """One whose options are ``hosts`` and what ``ARGUMENTS`` says, as an argument spec does."""

    ARGUMENTS: t.ClassVar[Data] = {}

    def options(self) -> Data:
        """The options, checked and plain."""
        _validated, args = self.validate_argument_spec(argument_spec={**HOSTS, **self.ARGUMENTS})
        plain: Data = to_plain(args)
        return plain
