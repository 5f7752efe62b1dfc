#!/usr/bin/python

# GNU General Public License v3.0+ (see COPYING or https://www.gnu.org/licenses/gpl-3.0.txt)

"""The NVIDIA GPUs of a host as data, and what is wrong with them."""

from __future__ import annotations

DOCUMENTATION = r"""
module: nvidia_gpu_info
short_description: Tell the NVIDIA GPUs of a host, and what keeps them from being used
version_added: 0.1.0
author:
  - The gpuops founders (@gpuops)
description:
  - Asks C(nvidia-smi) with three calls at most, however many GPUs there are.
  - A bad state (no driver, a library missing, a reboot needed, a GPU lost) is an answer with cause and remedy, not an error.
  - What a driver does not tell is null, such as the memory of a GB10.
extends_documentation_fragment:
  - gpuops.vllm_fleet.attributes
attributes:
  check_mode:
    support: full
  diff_mode:
    support: N/A
options:
  required:
    description: Whether to fail, with cause and remedy, where the GPUs cannot be used.
    type: bool
    default: false
"""

EXAMPLES = r"""
- name: Look at the GPUs
  gpuops.vllm_fleet.nvidia_gpu_info:
  register: gpu_facts

- name: Stop here unless the GPUs can be used
  gpuops.vllm_fleet.nvidia_gpu_info:
    required: true
"""

RETURN = r"""
gpus:
  description: The GPUs in the order of their indices.
  type: list
  elements: dict
  returned: always
  contains:
    index:
      description: The index, as CDI names it too. It may change when a card is added.
      type: int
    uuid:
      description: The name that stays.
      type: str
    name:
      description: The name of the product.
      type: str
    memory_total_mib:
      description: Its memory in MiB; null where the GPU shares the host's memory.
      type: int
    memory_free_mib:
      description: How much of it is free now.
      type: int
    compute_capability:
      description: Such as V(9.0); by the name of the product where the driver is too old to tell.
      type: str
    mig_mode:
      description: V(enabled) or V(disabled), null where the GPU cannot be partitioned.
      type: str
    mig_devices:
      description: The slices of a partitioned GPU, as name (V(0:1)), uuid, profile and memory_total_mib.
      type: list
      elements: dict
    pci_bus_id:
      description: Where it is plugged in.
      type: str
    persistence_mode:
      description: Whether the driver stays loaded while nobody uses the GPU.
      type: bool
    fabric_state:
      description: V(Completed) where the NVSwitch fabric is ready, null where there is none.
      type: str
    fabric_status:
      description: V(Success) where the NVSwitch fabric is ready, null where there is none.
      type: str
    processes:
      description: Who holds its memory, as pid, name, used_memory_mib and the systemd unit that it belongs to.
      type: list
      elements: dict
driver_version:
  description: The version of the driver.
  type: str
  returned: always
cuda_version:
  description: The newest CUDA that the driver can serve.
  type: str
  returned: always
problem:
  description: Why the GPUs cannot be used, as code, message and fix; null where they can.
  type: dict
  returned: always
"""

import dataclasses

from ansible.module_utils.basic import AnsibleModule

from ..module_utils._host.command import runner
from ..module_utils._host.nvidia_smi import gpus


def main() -> None:
    module = AnsibleModule(
        argument_spec={"required": {"type": "bool", "default": False}}, supports_check_mode=True
    )
    found = gpus(runner(module))
    result = dataclasses.asdict(found)
    if found.problem is not None and module.params["required"]:
        module.fail_json(
            msg=f"The GPUs of this host cannot be used: {found.problem.message}. To repair it: {found.problem.fix}.",
            **result,
        )
    module.exit_json(changed=False, **result)


if __name__ == "__main__":
    main()
