"""Judges and repairs the CDI spec of a host, and says so meanwhile; documented in plugins/modules/podman_cdi.py."""

from __future__ import annotations

from ..plugin_utils.spoken_module import SpokenModule


class ActionModule(SpokenModule):
    doing = "has the CDI spec judged and made right"
