#!/usr/bin/python

# GNU General Public License v3.0+ (see COPYING or https://www.gnu.org/licenses/gpl-3.0.txt)

"""The documentation of the action of the same name."""

from __future__ import annotations

DOCUMENTATION = r"""
module: vllm_batches
short_description: In which order, and how many at once, the hosts of a run are released
version_added: 0.1.0
author:
  - The gpuops founders (@gpuops)
description:
  - Puts canaries first, and cuts the other hosts as C(serial) would.
  - No batch holds every host that serves a name which several hosts serve.
  - Hosts for which an earlier play noted a problem come last, in a batch of their own.
  - Plans the hosts from their variables. It runs on the controller and contacts no host.
extends_documentation_fragment:
  - gpuops.vllm_fleet.attributes.fleet
options:
  canaries:
    description:
      - The hosts that go first. One that is not among O(hosts) is passed over, and one that no inventory has is an error. An
        empty list means no canaries.
      - Without it one host for each distinct image, model and GPU goes first.
    type: list
    elements: str
  batches:
    description:
      - Sizes of the batches after the canaries, each a number of hosts or a share of all hosts, such as V(25%).
        The last one counts for all that follow.
      - The default is V([100%]).
    type: list
    elements: raw
"""

EXAMPLES = r"""
- name: Cut the fleet into batches
  gpuops.vllm_fleet.vllm_batches:
    hosts: "{{ ansible_play_hosts_all }}"
    batches: [1, "25%"]
  run_once: true
  register: cut
"""

RETURN = r"""
batches:
  description: The hosts, batch by batch.
  type: list
  elements: list
  returned: success
order:
  description: The same in one list.
  type: list
  elements: str
  returned: success
serial:
  description: The size of each batch.
  type: list
  elements: int
  returned: success
"""
