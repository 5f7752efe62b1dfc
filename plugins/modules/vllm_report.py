#!/usr/bin/python

# GNU General Public License v3.0+ (see COPYING or https://www.gnu.org/licenses/gpl-3.0.txt)

"""The documentation of the action of the same name."""

from __future__ import annotations

DOCUMENTATION = r"""
module: vllm_report
short_description: Show and write what a run did, what runs where after it, and what went wrong
version_added: 0.1.0
author:
  - The gpuops founders (@gpuops)
description:
  - Prints a table with one row for each instance, what changed in settings, and every problem in full.
  - Writes the same as Markdown and as JSON into O(directory), under names that begin with C(vllm-fleet-) and the time in
    UTC; in check mode they end in C(-check).
  - Values of settings and variables whose names look secret are not shown.
  - It does not fail because of the problems that it shows; the playbook does so afterwards. A directory that cannot be
    written is a warning.
  - Runs on the controller and contacts no host.
extends_documentation_fragment:
  - gpuops.vllm_fleet.attributes.fleet
options:
  directory:
    description:
      - Where the files go, on the control node; made where it is not there. A relative path begins at the working
        directory. Empty for no files.
    type: str
    default: ""
  fleet:
    description: The name of the inventory, which the report shows.
    type: str
    default: default
"""

EXAMPLES = r"""
- name: Show the table and write the files
  gpuops.vllm_fleet.vllm_report:
    hosts: "{{ ansible_play_hosts_all }}"
    directory: reports
  register: report
  run_once: true

- name: Keep the result where files die with their container
  ansible.builtin.set_stats:
    data:
      vllm_report: "{{ report.summary }}"
  run_once: true
"""

RETURN = r"""
rows:
  description: The rows of the table, as dicts by column; columns that are empty in all rows are left out.
  type: list
  elements: dict
  returned: always
problems:
  description: What went wrong, host by host.
  type: list
  elements: str
  returned: always
report:
  description: The whole report, as the JSON file holds it. docs/report.md describes its keys.
  type: dict
  returned: always
summary:
  description: The report in little, for statistics of the run.
  type: dict
  returned: always
files:
  description: The paths of the files by their endings (C(md), C(json)); empty where none was written.
  type: dict
  returned: always
"""
