#!/usr/bin/python

# GNU General Public License v3.0+ (see COPYING or https://www.gnu.org/licenses/gpl-3.0.txt)

"""The documentation of the action of the same name."""

from __future__ import annotations

DOCUMENTATION = r"""
module: vllm_status
short_description: Show what a fleet runs and what of it is not as planned
version_added: 0.1.0
author:
  - The gpuops founders (@gpuops)
description:
  - Compares what M(gpuops.vllm_fleet.vllm_instance_info) saw on each host with what M(gpuops.vllm_fleet.vllm_plan) plans for it,
    and prints a table with one row for each instance, and below it everything that is not as planned, with its fix.
  - It tells drift, which works and is not what the inventory says, from failures, which give no tokens or could not be looked at.
  - Hosts that differ from most hosts with the same plan come first.
  - It compares what is asked for, and not the text of units. A text that only a newer version of this collection would write
    otherwise is shown as pending, and is no drift.
  - It does not fail because of what it shows; the playbook does so afterwards.
  - Runs on the controller and contacts no host.
extends_documentation_fragment:
  - gpuops.vllm_fleet.attributes.fleet
options:
  inventory:
    description:
      - The name of the variable in which each host has the result of M(gpuops.vllm_fleet.vllm_plan) without any facts of the
        host, for hosts that cannot be looked at.
    type: str
    required: true
  plan:
    description:
      - The name of the variable in which each host has the result of M(gpuops.vllm_fleet.vllm_plan) with what
        M(gpuops.vllm_fleet.vllm_instance_info) saw as its O(gpuops.vllm_fleet.vllm_plan#module:host_facts).
    type: str
    required: true
  reality:
    description: The name of the variable in which each host has the result of M(gpuops.vllm_fleet.vllm_instance_info).
    type: str
    required: true
  problem:
    description: The name of the variable in which a host that could not be looked at has the reason.
    type: str
    required: true
  file:
    description: A file on the control node that gets RV(status) as JSON.
    type: str
"""

EXAMPLES = r"""
- name: Show the status of all hosts
  gpuops.vllm_fleet.vllm_status:
    hosts: "{{ ansible_play_hosts_all }}"
    inventory: inventory_alone
    plan: plan
    reality: seen
    problem: problem
  run_once: true
"""

RETURN = r"""
status:
  description: The status of the fleet.
  type: dict
  returned: always
  contains:
    schema:
      description: The version of this shape.
      type: int
    result:
      description: V(good), V(drift) where all works, or V(failure).
      type: str
    counts:
      description: Numbers of hosts, reached hosts, instances, serving instances, failures and drifts.
      type: dict
    drifts:
      description: What is not as planned. Every one has severity, kind, host, instance, what, planned, found and fix.
      type: list
      elements: dict
    outliers:
      description: Where a host differs from most hosts with the same plan, as host, what, found and most.
      type: list
      elements: dict
    hosts:
      description: The hosts with their instances, the most unlike first.
      type: list
      elements: dict
"""
