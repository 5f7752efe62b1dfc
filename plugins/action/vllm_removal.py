"""Takes servers off a host, and says so meanwhile; documented in plugins/modules/vllm_removal.py."""

from __future__ import annotations

from ..plugin_utils.spoken_module import SpokenModule


class ActionModule(SpokenModule):
    doing = "finds out what goes, or removes it: servers are stopped, images and weights deleted"
