#!/usr/bin/python

# GNU General Public License v3.0+ (see COPYING or https://www.gnu.org/licenses/gpl-3.0.txt)

"""What a host really runs, whatever the inventory says."""

from __future__ import annotations

DOCUMENTATION = r"""
module: vllm_instance_info
short_description: Tell what vLLM instances a host really runs, down to the command line of their processes
version_added: 0.1.0
author:
  - The gpuops founders (@gpuops)
description:
  - Looks at every instance of this fleet on the host, planned or not, and at every planned one, in one call. It sees the
    container, the command line of its process, its unit and what systemd says of it, the accepted release, the CDI spec, and
    asks the server for its version, its models and a few tokens.
  - What looks like vLLM and belongs to nobody or to another fleet is named.
  - It changes nothing, reads no log, and returns no secret. Values of O(secrets) and what looks like a key or a token are hidden
    in command lines.
  - M(gpuops.vllm_fleet.vllm_status) compares the result with the plan.
extends_documentation_fragment:
  - gpuops.vllm_fleet.attributes
attributes:
  check_mode:
    support: full
  diff_mode:
    support: N/A
options:
  gates:
    description:
      - The planned instances by name, each with the C(gate) that M(gpuops.vllm_fleet.vllm_plan) returns, which says where the
        server is asked and what it is to serve.
    type: dict
    default: {}
  images:
    description: References of the planned images.
    type: list
    elements: str
    default: []
  weights:
    description: The repositories of the plan, as M(gpuops.vllm_fleet.vllm_plan) returns them.
    type: list
    elements: dict
    default: []
  secrets:
    description: Secrets of the inventory by key. Only the version that each has on this host is returned.
    type: dict
    default: {}
  fleet:
    description: The fleet whose instances are looked at, C(vllm_fleet_name) of the inventory.
    type: str
    default: default
  state_dir:
    description: Where the collection keeps its state on the host.
    type: path
    default: /var/lib/vllm-fleet
  request_timeout:
    description: Seconds that one request to a server may take.
    type: float
    default: 10
"""

EXAMPLES = r"""
- name: Plan
  gpuops.vllm_fleet.vllm_plan:
  register: plan

- name: See what runs
  gpuops.vllm_fleet.vllm_instance_info:
    gates: "{{ dict(plan.instances.keys() | zip(plan.instances.values() | map(attribute='gate'))) }}"
  register: seen

- name: See what of ours is on a host that no plan names
  gpuops.vllm_fleet.vllm_instance_info:
"""

RETURN = r"""
reality:
  description: What was seen.
  type: dict
  returned: always
  contains:
    podman:
      description: The version of Podman, null where there is none, and when its program was put there.
      type: dict
    driver:
      description: The version of the driver's libraries, of the loaded kernel module, the number of GPUs, and their problem.
      type: dict
    cdi:
      description: The CDI spec that counts, with its path, its age and the driver it was made for; null where there is none.
      type: dict
    transaction:
      description: Who changes servers on this host right now; null where nobody does.
      type: str
    image_digests:
      description: The identity of each of O(images) that is on the host, as a release would take it.
      type: dict
    tagged:
      description: The ID of the image that Podman has under each of O(images) at this moment.
      type: dict
    model_revisions:
      description: By key, the commits of O(weights) that are there in full.
      type: dict
    secret_versions:
      description: The version of each of O(secrets) on this host; empty on a host that has no salt yet.
      type: dict
    instances:
      description:
        - The instances by name. Each has the accepted release (C(record)), how the newest one ended (C(newest)), the C(unit)
          and whether it is as recorded, what systemd says (C(service)), the C(container) with the real command line, whether
          a release is on C(trial), C(missing_secrets), whether its image is here (C(image_here)), and what the C(server) answers.
        - What is not there is null.
      type: dict
    foreign:
      description: What looks like vLLM and is not of this fleet, as kind, name, fleet and what it is.
      type: list
      elements: dict
"""

from ansible.module_utils.basic import AnsibleModule

from ..module_utils._host import state_dir
from ..module_utils._host.command import HostError, runner
from ..module_utils._host.reality import Wish, reality


def main() -> None:
    module = AnsibleModule(
        argument_spec={
            "gates": {"type": "dict", "default": {}},
            "images": {"type": "list", "elements": "str", "default": []},
            "weights": {"type": "list", "elements": "dict", "default": []},
            "secrets": {"type": "dict", "default": {}, "no_log": True},
            "fleet": {"type": "str", "default": "default"},
            "state_dir": {"type": "path", "default": "/var/lib/vllm-fleet"},
            "request_timeout": {"type": "float", "default": 10},
        },
        supports_check_mode=True,
    )
    state_dir.normalise(module)
    params = module.params
    wish = Wish(
        gates=params["gates"],
        images=params["images"],
        values={key: str(value) for key, value in params["secrets"].items()},
        state=params["state_dir"],
        fleet=params["fleet"],
        weights=params["weights"],
        timeout=params["request_timeout"],
    )
    try:
        seen = reality(runner(module), wish)
    except (HostError, OSError) as error:
        module.fail_json(msg=str(error))
    module.exit_json(changed=False, reality=seen)


if __name__ == "__main__":
    main()
