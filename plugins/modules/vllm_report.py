#!/usr/bin/python

# GNU General Public License v3.0+ (see COPYING or https://www.gnu.org/licenses/gpl-3.0.txt)

"""The documentation of the action of the same name."""

from __future__ import annotations

DOCUMENTATION = r"""
module: vllm_report
short_description: Show what runs where after a run, and what went wrong
version_added: 0.1.0
author:
  - The gpuops founders (@gpuops)
description:
  - Prints a table with one row for each instance, and below it every problem in full.
  - It does not fail because of the problems that it shows; the playbook does so afterwards.
  - Runs on the controller and contacts no host.
extends_documentation_fragment:
  - gpuops.vllm_fleet.attributes
attributes:
  check_mode:
    support: full
  diff_mode:
    support: N/A
options:
  hosts:
    description: All hosts of the run.
    type: list
    elements: str
    required: true
"""

EXAMPLES = r"""
- name: Show the table
  gpuops.vllm_fleet.vllm_report:
    hosts: "{{ ansible_play_hosts_all }}"
  run_once: true
"""

RETURN = r"""
rows:
  description: The rows of the table, as dicts by column.
  type: list
  elements: dict
  returned: always
problems:
  description: What went wrong, host by host.
  type: list
  elements: str
  returned: always
"""
