"""Looks at the GPUs of a host, and says so meanwhile; documented in plugins/modules/nvidia_gpu_info.py."""

from __future__ import annotations

from ..plugin_utils.spoken_module import SpokenModule


class ActionModule(SpokenModule):
    doing = "asks nvidia-smi about the GPUs"
