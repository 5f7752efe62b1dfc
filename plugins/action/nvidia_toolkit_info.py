"""Looks at the toolkit of a host, and says so meanwhile; documented in plugins/modules/nvidia_toolkit_info.py."""

from __future__ import annotations

from ..plugin_utils.spoken_module import SpokenModule


class ActionModule(SpokenModule):
    doing = "looks at the packages of the NVIDIA container toolkit"
