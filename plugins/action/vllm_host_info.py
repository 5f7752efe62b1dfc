"""Looks at a host, and says so meanwhile; documented in plugins/modules/vllm_host_info.py."""

from __future__ import annotations

from ..plugin_utils.spoken_module import SpokenModule


class ActionModule(SpokenModule):
    doing = "looks at GPUs, images and weights"
