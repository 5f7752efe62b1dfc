"""One step with images of a host, and says so meanwhile; documented in plugins/modules/vllm_image_host.py."""

from __future__ import annotations

from ..plugin_utils.spoken_module import SpokenModule


class ActionModule(SpokenModule):
    doing = "works on images"
