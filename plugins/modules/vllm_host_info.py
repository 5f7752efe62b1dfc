#!/usr/bin/python

# GNU General Public License v3.0+ (see COPYING or https://www.gnu.org/licenses/gpl-3.0.txt)

"""What the plan needs to know of a host: its Podman, its images, the devices that resolve."""

from __future__ import annotations

DOCUMENTATION = r"""
module: vllm_host_info
short_description: Tell what a host has of what its plan needs
version_added: 0.1.0
author:
  - The gpuops founders (@gpuops)
description:
  - Tells the version of Podman, which of the asked images are there and by what identity, and which CDI devices this
    Podman resolves.
  - It asks no registry and starts nothing. What is not there is an answer, not an error.
attributes:
  check_mode:
    description: Can run in check mode and return changed status prediction without modifying target.
    support: full
  diff_mode:
    description: Returns details on what has changed (or possibly needs changing in check mode), when in diff mode.
    support: N/A
options:
  images:
    description: References of images to look for.
    type: list
    elements: str
    default: []
  devices:
    description: Full names of CDI devices to look for, such as V(nvidia.com/gpu=0).
    type: list
    elements: str
    default: []
"""

EXAMPLES = r"""
- name: See what this host has
  gpuops.vllm_fleet.vllm_host_info:
    images: [docker.io/vllm/vllm-openai:v0.26.0]
    devices: [nvidia.com/gpu=0]
  register: host_facts
"""

RETURN = r"""
podman_version:
  description: The version of Podman; null where there is none.
  type: str
  returned: always
image_digests:
  description:
    - The identity of each asked image that is there, by its reference.
    - That is the registry's digest, else the image's ID.
  type: dict
  returned: always
missing_images:
  description: The asked images that are not there.
  type: list
  elements: str
  returned: always
cdi_devices:
  description: Full names of the devices that this Podman resolves.
  type: list
  elements: str
  returned: always
cdi_specs:
  description: The spec files that Podman reads, as path, kind, version, devices and problem.
  type: list
  elements: dict
  returned: always
unresolved_devices:
  description: The asked devices that do not resolve, as name, message and fix.
  type: list
  elements: dict
  returned: always
"""

import dataclasses
import typing as t

from ansible.module_utils.basic import AnsibleModule

from ..module_utils._host import podman
from ..module_utils._host.cdi import Devices, read_devices, resolve
from ..module_utils._host.command import HostError, Run, runner


def _look(run: Run, images: list[str], wanted: list[str]) -> dict[str, t.Any]:
    version = podman.version(run)
    found = {reference: podman.image(run, reference) for reference in images} if version else {}
    devices = read_devices(version) if version else resolve((), ())
    return {
        "podman_version": ".".join(str(part) for part in version) if version else None,
        "image_digests": {reference: image.identity for reference, image in found.items() if image},
        "missing_images": [reference for reference in images if not found.get(reference)],
        "cdi_devices": list(devices.names),
        "cdi_specs": [dataclasses.asdict(spec) for spec in devices.specs],
        "unresolved_devices": _unresolved(devices, wanted, version is not None),
    }


def _unresolved(devices: Devices, wanted: list[str], podman_is_here: bool) -> list[dict[str, str]]:
    found = []
    for name in wanted:
        reason = (
            devices.why_not(name)
            if podman_is_here
            else ("there is no Podman yet", "install Podman (role podman)")
        )
        if reason is not None:
            found.append({"name": name, "message": reason[0], "fix": reason[1]})
    return found


def main() -> None:
    module = AnsibleModule(
        argument_spec={
            "images": {"type": "list", "elements": "str", "default": []},
            "devices": {"type": "list", "elements": "str", "default": []},
        },
        supports_check_mode=True,
    )
    try:
        result = _look(runner(module), module.params["images"], module.params["devices"])
    except HostError as error:
        module.fail_json(msg=str(error))
    module.exit_json(changed=False, **result)


if __name__ == "__main__":
    main()
