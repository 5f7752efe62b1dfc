#!/usr/bin/python
# GNU General Public License v3.0+ (see COPYING or https://www.gnu.org/licenses/gpl-3.0.txt)
"""Documentation of the action plugin of the same name."""

from __future__ import annotations

DOCUMENTATION = r"""
module: vllm_findings
short_description: Report what is wrong with the inventory of all hosts
version_added: 0.1.0
description:
  - Plans every host of the play, as M(gpuops.vllm_fleet.vllm_plan) does, and shows all findings as one table.
  - Runs once for all hosts (C(run_once)), on the controller, and contacts no host. That is many times faster than a
    task that plans its own host on each of a thousand hosts.
  - Never fails because of a finding, so that everything is said first. Look at RV(valid).
author:
  - The gpuops founders (@gpuops)
options:
  hosts:
    description: The hosts to plan; all hosts of the play if unset.
    type: list
    elements: str
  findings_file:
    description:
      - A file on the controller, or a list of them, for the findings; C(.json) or C(.sarif) by the name.
      - Written in check mode as well, for a report changes nothing. Relative to the working directory.
    type: raw
  target_version:
    description:
      - A release of vLLM. What this release would make of each instance is reported as well, what breaks, what is
        renamed, and which defaults change.
    type: str
attributes:
  check_mode:
    description: It only looks, so it does in check mode what it does otherwise.
    support: full
  diff_mode:
    description: It changes nothing that could differ.
    support: none
notes:
  - The variables of a host are read as the inventory, facts and extra variables give them; variables of the play are
    not among them.
"""

EXAMPLES = r"""
- name: Validate the inventory
  hosts: gpu_hosts
  gather_facts: false
  tasks:
    - name: Report on every host
      gpuops.vllm_fleet.vllm_findings:
        findings_file: findings.sarif
      run_once: true
      register: __report
"""

RETURN = r"""
valid:
  description: Whether no finding of any host is an error.
  returned: always
  type: bool
msg:
  description: How many findings there are.
  returned: always
  type: str
  sample: 2 errors and 1 warning on 10 hosts
findings:
  description: All findings, as M(gpuops.vllm_fleet.vllm_plan) returns them.
  returned: always
  type: list
  elements: dict
hosts:
  description: How many hosts were planned.
  returned: always
  type: int
instances:
  description: How many instances they have.
  returned: always
  type: int
"""
