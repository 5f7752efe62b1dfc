#!/usr/bin/python

# GNU General Public License v3.0+ (see COPYING or https://www.gnu.org/licenses/gpl-3.0.txt)

"""What a model on this host is: its config, the weight of its weights, and what is missing of it."""

from __future__ import annotations

DOCUMENTATION = r"""
module: vllm_model_info
short_description: Tell what a model on a host is, and whether all of it is there
version_added: 0.1.0
author:
  - The gpuops founders (@gpuops)
description:
  - Reads a model's C(config.json) and the headers of its safetensors files, never a tensor, and asks no hub.
  - A model that is missing, gated, broken off in its download or not readable is an answer with cause and remedy, not an error.
  - The result is what M(gpuops.vllm_fleet.vllm_plan) and M(gpuops.vllm_fleet.vllm_settings) take as a model's facts. An
    inventory may hold the same data, so that a fleet is planned before any weight is on disk.
extends_documentation_fragment:
  - gpuops.vllm_fleet.attributes
attributes:
  check_mode:
    support: full
  diff_mode:
    support: N/A
options:
  model:
    description: A directory of this host, as an absolute path, or a repository such as V(Qwen/Qwen3.6-35B-A3B).
    type: str
    required: true
  revision:
    description: Branch, tag or commit of a repository. Without it V(main), as it was when it was fetched.
    type: str
  cache:
    description:
      - Where this host keeps repositories, in the layout of the Hugging Face hub.
      - Without it what E(HF_HUB_CACHE) or E(HF_HOME) says on the host, else C(~/.cache/huggingface/hub).
    type: path
  required:
    description: Whether to fail, with cause and remedy, where the model is not there in full.
    type: bool
    default: false
"""

EXAMPLES = r"""
- name: See what the model is
  gpuops.vllm_fleet.vllm_model_info:
    model: Qwen/Qwen3.6-35B-A3B
    cache: /var/lib/vllm-fleet/models
  register: model

- name: Stop here unless all of it is there
  gpuops.vllm_fleet.vllm_model_info:
    model: /srv/models/qwen3.6-35b-a3b-nvfp4
    required: true
"""

RETURN = r"""
found:
  description: Whether there is a directory of that model.
  type: bool
  returned: always
path:
  description: Where it is.
  type: str
  returned: always
revision:
  description: The commit of a repository.
  type: str
  returned: always
config:
  description: What its C(config.json) says; null where there is none.
  type: dict
  returned: always
generation_config:
  description: What its C(generation_config.json) says; null where there is none.
  type: dict
  returned: always
tensors:
  description: What the headers of its weights say; null where there are no weights.
  type: dict
  returned: always
  contains:
    files:
      description: How many files of weights it has, or should have.
      type: int
    complete:
      description: Whether all of them are there in full.
      type: bool
    total_bytes:
      description: Bytes of all tensors.
      type: int
    by_dtype:
      description: Bytes by number format, as safetensors names them (V(BF16), V(F8_E4M3), V(U8)).
      type: dict
    expert_bytes:
      description: Bytes of the experts of a mixture of experts.
      type: int
    vision_bytes:
      description: Bytes of encoders for pictures and sound.
      type: int
    mtp_bytes:
      description: Bytes of the layers that multi-token prediction drafts with.
      type: int
    has_mtp:
      description: Whether those layers are really there, whatever the config says.
      type: bool
    groups:
      description: Tensors whose names differ only in numbers, as name, dtype, bytes, count and part.
      type: list
      elements: dict
has_tokenizer:
  description: Whether a tokenizer is there.
  type: bool
  returned: always
has_chat_template:
  description: Whether a chat template is there.
  type: bool
  returned: always
adapter_rank:
  description: The rank, where this is a LoRA adapter.
  type: int
  returned: always
problem:
  description: Why it cannot be served from here, as code, message and fix; null where it can.
  type: dict
  returned: always
"""

import dataclasses

from ansible.module_utils.basic import AnsibleModule

from ..module_utils._host.model_files import cache_of_the_host, look_at


def main() -> None:
    module = AnsibleModule(
        argument_spec={
            "model": {"type": "str", "required": True},
            "revision": {"type": "str"},
            "cache": {"type": "path"},
            "required": {"type": "bool", "default": False},
        },
        supports_check_mode=True,
    )
    options = module.params
    found = look_at(options["model"], cache_of_the_host(options["cache"]), options["revision"])
    result = dataclasses.asdict(found)
    if found.problem is not None and options["required"]:
        module.fail_json(
            msg=f"{options['model']}: {found.problem.message}. To repair it: {found.problem.fix}.", **result
        )
    module.exit_json(changed=False, **result)


if __name__ == "__main__":
    main()
