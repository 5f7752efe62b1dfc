#!/usr/bin/python

# GNU General Public License v3.0+ (see COPYING or https://www.gnu.org/licenses/gpl-3.0.txt)

"""The documentation of the action of the same name."""

from __future__ import annotations

DOCUMENTATION = r"""
module: long_task
short_description: Run a module that takes long, and say meanwhile what it does
version_added: 0.1.0
author:
  - The gpuops founders (@gpuops)
description:
  - Runs another module as a task of its own would, and returns what that returns.
  - While it does not come back, a line on standard error says what it does and for how long. There is one after ten, twenty and
    thirty seconds, and then one in half a minute, in a terminal and in a log alike. What takes less than ten seconds says nothing.
  - The roles of this collection install packages and copy large files this way. The modules of this collection that take long
    say so themselves.
  - C(async) and C(module_defaults) of the other module have no effect.
extends_documentation_fragment:
  - gpuops.vllm_fleet.attributes
attributes:
  check_mode:
    support: full
    details: As the other module does.
  diff_mode:
    support: full
    details: As the other module does.
options:
  doing:
    description: What it does, as words that follow the name of the host, such as V(installs Podman).
    type: str
    required: true
  module:
    description: The full name of the module.
    type: str
    required: true
  arguments:
    description: What the module is given.
    type: dict
    default: {}
"""

EXAMPLES = r"""
- name: Install Podman
  gpuops.vllm_fleet.long_task:
    doing: installs Podman
    module: ansible.builtin.package
    arguments:
      name: podman
      state: present
"""

RETURN = r""" # """
