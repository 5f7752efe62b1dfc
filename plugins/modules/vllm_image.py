#!/usr/bin/python

# GNU General Public License v3.0+ (see COPYING or https://www.gnu.org/licenses/gpl-3.0.txt)

"""The documentation of the action of the same name."""

from __future__ import annotations

DOCUMENTATION = r"""
module: vllm_image
short_description: Bring the images of a host's plan to it
version_added: 0.1.0
author:
  - The gpuops founders (@gpuops)
description:
  - Brings each planned image that the host does not have, from its registry, a mirror of it, or an archive.
  - A tag is resolved once in a run and for a platform, by the first host that can, and all hosts get that digest. Each host
    remembers it in C(images.json) of its state directory, so that the next run asks no registry, and a host that joins later
    gets what the others have.
  - Before anything is pulled, the sizes that the registry tells are held against the room where Podman keeps its images.
  - A pull goes on when the connection is lost, and tells on standard error how many bytes are done and to go, at most one line
    for an image in ten seconds.
  - It stops nothing, and a failure keeps nothing of what came by half.
extends_documentation_fragment:
  - gpuops.vllm_fleet.attributes
attributes:
  check_mode:
    support: full
    details: No registry is asked. What would be brought counts as changed.
  diff_mode:
    support: partial
    details: Of the drop-in that tells Podman of registries and mirrors.
options:
  instances:
    description: The instances, as M(gpuops.vllm_fleet.vllm_plan) returns them.
    type: dict
    required: true
  state:
    description:
      - V(looked) only looks, so that the hosts of a play know of one another when V(present) follows as the next task.
      - V(present) brings what is missing.
    type: str
    choices: [looked, present]
    default: present
  seen:
    description:
      - What M(gpuops.vllm_fleet.vllm_host_info) told of this host a moment ago, asked for the images of O(instances). With it V(looked)
        needs no look of its own, unless Podman's drop-in has to change.
    type: dict
  pull:
    description: Whether a missing image may be pulled. Archives are loaded all the same.
    type: bool
    default: true
  refresh:
    description: Whether tags are resolved anew, and archives looked at again, although the image is there.
    type: bool
    default: false
  registries:
    description: Registries by their location, as the variable C(vllm_registries) has them.
    type: dict
  archives:
    description: Archives by the image they hold, as the variable C(vllm_image_archives) has them.
    type: dict
  retries:
    description: How often a pull is tried again where that may help.
    type: int
    default: 3
  retry_delay:
    description: Seconds before it is tried again, doubled each time, up to 120.
    type: float
    default: 5
  stalled_after:
    description: Seconds without any progress after which a pull is ended and tried again.
    type: float
    default: 600
  unpack_factor:
    description: How many times its size a compressed layer is reckoned to be once it is unpacked.
    type: float
    default: 2.5
  state_dir:
    description: Where the state of a host is kept.
    type: str
    default: /var/lib/vllm-fleet
"""

EXAMPLES = r"""
- name: See which images each host has
  gpuops.vllm_fleet.vllm_image:
    instances: "{{ plan.instances }}"
    state: looked

- name: Bring the others
  gpuops.vllm_fleet.vllm_image:
    instances: "{{ plan.instances }}"
    registries: {registry.example.com: {username: puller, password: registry}}
  throttle: 8
"""

RETURN = r"""
missing:
  description: The planned images that are not there.
  type: list
  elements: str
  returned: with O(state=looked)
identities:
  description: By reference, what each image is known by; null where that is known after the fetch.
  type: dict
  returned: with O(state=present)
actions:
  description: What was done, or in check mode would be done.
  type: list
  elements: str
  returned: with O(state=present)
findings:
  description: Why images did not come, one for each instance that needs one.
  type: list
  elements: dict
  returned: when an image did not come
"""
