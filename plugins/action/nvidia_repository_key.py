"""Has the key of a repository, and says so meanwhile; documented in plugins/modules/nvidia_repository_key.py."""

from __future__ import annotations

from ..plugin_utils.spoken_module import SpokenModule


class ActionModule(SpokenModule):
    doing = "fetches the key of the repository"
