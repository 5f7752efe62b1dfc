#!/usr/bin/python

# GNU General Public License v3.0+ (see COPYING or https://www.gnu.org/licenses/gpl-3.0.txt)

"""Which repositories this host holds in full."""

from __future__ import annotations

DOCUMENTATION = r"""
module: vllm_weights_info
short_description: Tell which repositories of a plan a host holds, at which commit, and whether all of it is there
version_added: 0.1.0
author:
  - The gpuops founders (@gpuops)
description:
  - Looks for repositories of the Hugging Face hub in the folder that servers of this collection read.
  - Complete means that every file that the hub told of has its size, that every file of the index is there, and that no
    file ends within its tensors. It asks nobody.
extends_documentation_fragment:
  - gpuops.vllm_fleet.attributes
attributes:
  check_mode:
    support: full
  diff_mode:
    support: N/A
options:
  weights:
    description: The repositories, as M(gpuops.vllm_fleet.vllm_plan) returns them.
    type: list
    elements: dict
    required: true
  paths:
    description: Directories and files of the host, as M(gpuops.vllm_fleet.vllm_plan) returns them.
    type: list
    elements: dict
    default: []
  commits:
    description: By key of a repository, the commit to look for; otherwise the one that its name stands for on this host.
    type: dict
    default: {}
  seen:
    description:
      - What M(gpuops.vllm_fleet.vllm_host_info) told of this host a moment ago. Where it says that all of O(weights) and
        O(paths) are there, the host is not asked again.
    type: dict
  state_dir:
    description: Where the collection keeps its state on the host, the models among it.
    type: path
    default: /var/lib/vllm-fleet
"""

EXAMPLES = r"""
- name: Plan
  gpuops.vllm_fleet.vllm_plan:
  register: plan

- name: See what is there already
  gpuops.vllm_fleet.vllm_weights_info:
    weights: "{{ plan.weights }}"
  register: found
"""

RETURN = r"""
weights:
  description: By key, what is there.
  type: dict
  returned: always
  contains:
    commit:
      description: The commit; null where the name was never resolved on this host.
      type: str
    complete:
      description: Whether all of it is there.
      type: bool
    path:
      description: Where it is; null where it is not.
      type: str
    files:
      description: The number of files.
      type: int
    total_bytes:
      description: Their bytes.
      type: int
    problem:
      description: What is missing; null where nothing is.
      type: str
model_revisions:
  description:
    - By key, the commits that are there in full.
    - It is what M(gpuops.vllm_fleet.vllm_plan) takes as O(gpuops.vllm_fleet.vllm_plan#module:host_facts.model_revisions).
  type: dict
  returned: always
missing_weights:
  description: The keys of those that are not there in full.
  type: list
  elements: str
  returned: always
missing_paths:
  description: What is missing of the directories and files, by path.
  type: dict
  returned: always
"""

from pathlib import Path

from ansible.module_utils.basic import AnsibleModule

from ..module_utils._host import state_dir
from ..module_utils._host.weights import look_at_all, told


def main() -> None:
    module = AnsibleModule(
        argument_spec={
            "weights": {"type": "list", "elements": "dict", "required": True},
            "paths": {"type": "list", "elements": "dict", "default": []},
            "commits": {"type": "dict", "default": {}},
            "seen": {"type": "dict"},  # of the action
            "state_dir": {"type": "path", "default": "/var/lib/vllm-fleet"},
        },
        supports_check_mode=True,
    )
    state_dir.normalise(module)
    params = module.params
    models = Path(params["state_dir"]) / "models"
    try:
        looked = look_at_all(models, params["weights"], params["paths"], params["commits"])
    except OSError as error:
        module.fail_json(msg=f"the models of this host cannot be read: {error}")
    module.exit_json(changed=False, **told(looked))


if __name__ == "__main__":
    main()
