"""Has SELinux let containers open GPUs, and says so meanwhile; documented in plugins/modules/podman_selinux.py."""

from __future__ import annotations

from ..plugin_utils.spoken_module import SpokenModule


class ActionModule(SpokenModule):
    doing = "looks at SELinux, and has it let containers open GPUs"
