"""Looks at what runs on a host, and says so meanwhile; documented in plugins/modules/vllm_instance_info.py."""

from __future__ import annotations

from ..plugin_utils.spoken_module import SpokenModule


class ActionModule(SpokenModule):
    doing = "looks at what runs, and asks the servers for tokens"
