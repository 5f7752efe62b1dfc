"""The canonical command line of a server, as a filter."""

from __future__ import annotations

import typing as t

from ansible.errors import AnsibleFilterError

from ..plugin_utils.check_settings import check_settings

DOCUMENTATION = r"""
name: vllm_argv
short_description: Write the command line of a vLLM server
version_added: 0.1.0
author:
  - The gpuops founders (@gpuops)
description:
  - Turns settings into what follows C(vllm serve), the model first, then the options in alphabetical order, as the
    parser of that release takes them.
  - Fails with everything that the release would refuse. M(gpuops.vllm_fleet.vllm_settings) says more.
positional: vllm_version, model
options:
  _input:
    description: The settings, in snake case, in kebab case, or with dots into JSON options.
    type: dict
    required: true
  vllm_version:
    description: The release, C(0.26.0) or the tag of an image. Quote it.
    type: str
    required: true
  model:
    description: The model.
    type: str
"""

EXAMPLES = r"""
# --> ["Qwen/Qwen3-8B", "--max-model-len", "32000", "--trust-remote-code"]
argv: "{{ settings | gpuops.vllm_fleet.vllm_argv('0.26.0', 'Qwen/Qwen3-8B') }}"
settings: {max_model_len: 32k, trust_remote_code: true}
"""

RETURN = r"""
_value:
  description: The command line.
  type: list
  elements: str
"""


def vllm_argv(settings: t.Any, vllm_version: str, model: str | None = None) -> list[str]:
    judged = check_settings({"vllm_version": vllm_version, "model": model, "settings": settings})
    errors = [finding.message for finding in judged.findings if finding.severity == "error"]
    if errors:
        raise AnsibleFilterError("vllm_argv: " + "; ".join(errors))
    return judged.checked.argv


class FilterModule:
    def filters(self) -> dict[str, t.Callable[..., t.Any]]:
        return {"vllm_argv": vllm_argv}
