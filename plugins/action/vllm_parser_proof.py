"""Has command lines parsed by their images, and says so meanwhile; documented in plugins/modules/vllm_parser_proof.py."""

from __future__ import annotations

import typing as t

from ..plugin_utils.host_look import proofs_seen
from ..plugin_utils.plain import to_plain
from ..plugin_utils.spoken_module import SpokenModule


class ActionModule(SpokenModule):
    doing = "has the planned command lines parsed by vLLM inside the images"

    def run(self, tmp: str | None = None, task_vars: dict[str, t.Any] | None = None) -> dict[str, t.Any]:
        seen = self._task.args.pop("seen", None)
        instances = self._task.args.get("instances")
        if seen and isinstance(instances, t.Mapping):
            answers = proofs_seen(to_plain(seen), to_plain(instances))
            if answers is not None:
                return {"changed": False, "answers": answers, "findings": []}
        return super().run(tmp, task_vars)
