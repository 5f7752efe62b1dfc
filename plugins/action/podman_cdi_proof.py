"""Looks at GPUs from inside a container, and says so meanwhile; documented in plugins/modules/podman_cdi_proof.py."""

from __future__ import annotations

from ..plugin_utils.spoken_module import SpokenModule


class ActionModule(SpokenModule):
    doing = "looks from inside a container whether the planned GPUs arrive in it"
