"""Has command lines parsed by their images, and says so meanwhile; documented in plugins/modules/vllm_parser_proof.py."""

from __future__ import annotations

import typing as t

from ..plugin_utils.host_look import proofs_seen
from ..plugin_utils.spoken_module import SpokenModule


class ActionModule(SpokenModule):
    doing = "has the planned command lines parsed by vLLM inside the images"

    def known(self, seen: t.Mapping[str, t.Any], args: t.Mapping[str, t.Any]) -> dict[str, t.Any] | None:
        instances = args.get("instances")
        answers = proofs_seen(seen, instances) if isinstance(instances, t.Mapping) else None
        return None if answers is None else {"answers": answers, "findings": []}
