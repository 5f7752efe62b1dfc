#!/usr/bin/python

# GNU General Public License v3.0+ (see COPYING or https://www.gnu.org/licenses/gpl-3.0.txt)

"""Containers that serve with vLLM and are nobody's yet."""

from __future__ import annotations

DOCUMENTATION = r"""
module: vllm_container_info
short_description: Tell what containers of vLLM run on a host that this collection did not make
version_added: 0.1.0
author:
  - The gpuops founders (@gpuops)
description:
  - Reads the containers of Podman, and of Docker where it is there, that run vLLM, and tells what they were asked for, so
    that M(gpuops.vllm_fleet.vllm_adopt) can write it as an inventory.
  - The environment is told without what the image sets by itself, and a command line as its process has it. A server that
    answers is asked for its release.
  - Values of secrets are never returned. They are stars, by their names and by what they look like.
  - Containers of this collection are left out. Nothing is changed.
extends_documentation_fragment:
  - gpuops.vllm_fleet.attributes
attributes:
  check_mode:
    support: full
  diff_mode:
    support: N/A
options:
  names:
    description: Names of containers, running or not; all that run vLLM if unset.
    type: list
    elements: str
    default: []
"""

EXAMPLES = r"""
- name: See what runs
  gpuops.vllm_fleet.vllm_container_info:
  register: seen
"""

RETURN = r"""
containers:
  description:
    - The containers, each with its C(tool), C(image), C(entrypoint), C(command), C(env), C(options) as C(podman run) has
      them, C(name) and C(version).
  type: list
  elements: dict
  returned: always
"""

from ansible.module_utils.basic import AnsibleModule

from ..module_utils._host.command import HostError, runner
from ..module_utils._host.serving_containers import serving_containers


def main() -> None:
    module = AnsibleModule(
        argument_spec={"names": {"type": "list", "elements": "str", "default": []}},
        supports_check_mode=True,
    )
    try:
        found = serving_containers(runner(module), module.params["names"])
    except (HostError, OSError) as error:
        module.fail_json(msg=str(error))
    module.exit_json(changed=False, containers=[each.as_dict() for each in found])


if __name__ == "__main__":
    main()
