"""Has command lines parsed by their images, and says so meanwhile; documented in plugins/modules/vllm_parser_proof.py."""

from __future__ import annotations

from ..plugin_utils.spoken_module import SpokenModule


class ActionModule(SpokenModule):
    doing = "has the planned command lines parsed by vLLM inside the images"
