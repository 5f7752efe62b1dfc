"""Looks at weights on a host, and says so meanwhile; documented in plugins/modules/vllm_weights_info.py."""

from __future__ import annotations

import typing as t

from ..plugin_utils.host_look import weights_seen
from ..plugin_utils.spoken_module import SpokenModule


class ActionModule(SpokenModule):
    doing = "looks which weights are there"

    def known(self, seen: t.Mapping[str, t.Any], args: t.Mapping[str, t.Any]) -> dict[str, t.Any] | None:
        if args.get("commits"):
            return None
        return weights_seen(seen, args.get("weights") or [], args.get("paths") or [])
