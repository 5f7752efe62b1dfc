"""Looks at weights on a host, and says so meanwhile; documented in plugins/modules/vllm_weights_info.py."""

from __future__ import annotations

from ..plugin_utils.spoken_module import SpokenModule


class ActionModule(SpokenModule):
    doing = "looks which weights are there"
