"""Looks at weights on a host, and says so meanwhile; documented in plugins/modules/vllm_weights_info.py."""

from __future__ import annotations

import typing as t

from ..plugin_utils.host_look import weights_seen
from ..plugin_utils.plain import to_plain
from ..plugin_utils.spoken_module import SpokenModule


class ActionModule(SpokenModule):
    doing = "looks which weights are there"

    def run(self, tmp: str | None = None, task_vars: dict[str, t.Any] | None = None) -> dict[str, t.Any]:
        seen = self._task.args.pop("seen", None)
        asked = to_plain({name: self._task.args.get(name) or [] for name in ("weights", "paths")})
        if seen and not self._task.args.get("commits"):
            known = weights_seen(to_plain(seen), asked["weights"], asked["paths"])
            if known is not None:
                return {"changed": False, **known}
        return super().run(tmp, task_vars)
