#!/usr/bin/python

# GNU General Public License v3.0+ (see COPYING or https://www.gnu.org/licenses/gpl-3.0.txt)

"""The documentation of the action of the same name."""

from __future__ import annotations

DOCUMENTATION = r"""
module: vllm_brake
short_description: Whether the failure budget of a run still allows the next batch of hosts
version_added: 0.1.0
author:
  - The gpuops founders (@gpuops)
description:
  - Counts the hosts of the run for which an earlier play noted a problem, or whose gate stayed shut.
  - Runs on the controller and contacts no host.
extends_documentation_fragment:
  - gpuops.vllm_fleet.attributes.fleet
options:
  failure_budget:
    description: How many hosts may have a problem before the rollout stops.
    type: int
    default: 0
"""

EXAMPLES = r"""
- name: Ask the brake
  gpuops.vllm_fleet.vllm_brake:
    hosts: "{{ ansible_play_hosts_all }}"
    failure_budget: 1
  run_once: true
  register: brake
"""

RETURN = r"""
holds:
  description: Whether the rollout stops here.
  type: bool
  returned: always
spent:
  description: The hosts that spent the budget.
  type: list
  elements: str
  returned: always
"""
