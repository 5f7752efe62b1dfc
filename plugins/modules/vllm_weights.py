#!/usr/bin/python

# GNU General Public License v3.0+ (see COPYING or https://www.gnu.org/licenses/gpl-3.0.txt)

"""The documentation of the action of the same name."""

from __future__ import annotations

DOCUMENTATION = r"""
module: vllm_weights
short_description: Bring the repositories of a plan to a host, each at one commit, and prove that all of it is there
version_added: 0.1.0
author:
  - The gpuops founders (@gpuops)
description:
  - Fetches what is missing with C(huggingface_hub) of the planned image, in a short container without a GPU. What is there
    in full is not asked for again.
  - A branch, a tag, or no revision at all is resolved to a commit once for all hosts of a run, and remembered on each host.
    It is resolved again only with O(refresh).
  - Before anything is fetched, the sizes that the hub tells are held against the free space.
  - A hub that answers 429, or that fails, is asked again after the time it asks for. What has come is kept for the next run.
  - While it fetches, it tells on standard error what has come and what is to go, about every ten seconds. The work goes on
    by itself when the connection is lost, and a run that asks for the same finds it.
extends_documentation_fragment:
  - gpuops.vllm_fleet.attributes
attributes:
  check_mode:
    support: full
    details: In check mode it looks at the host and asks no hub.
  diff_mode:
    support: N/A
options:
  weights:
    description: The repositories, as M(gpuops.vllm_fleet.vllm_plan) returns them.
    type: list
    elements: dict
    required: true
  seen:
    description:
      - What M(gpuops.vllm_fleet.vllm_weights_info) told of O(weights) a moment ago. Without it, the host is asked.
    type: dict
    default: {}
  state_dir:
    description: Where the collection keeps its state on the host, the models among it.
    type: str
    default: /var/lib/vllm-fleet
  token_versions:
    description: By instance, the versions of its secrets by key, as M(gpuops.vllm_fleet.vllm_secret) returns them.
    type: dict
    default: {}
  endpoint:
    description: The hub, where it is not the public one; E(HF_ENDPOINT) in the environment of an instance does the same.
    type: str
  refresh:
    description: Whether names are resolved again.
    type: bool
    default: false
  keep_free:
    description: Bytes that stay free on the disk of the models.
    type: int
    default: 1073741824
  tries:
    description: How often a hub that is busy or does not answer is asked.
    type: int
    default: 6
"""

EXAMPLES = r"""
- name: Plan
  gpuops.vllm_fleet.vllm_plan:
  register: plan

- name: Fetch what the plan needs
  gpuops.vllm_fleet.vllm_weights:
    weights: "{{ plan.weights }}"
  register: fetched
"""

RETURN = r"""
model_revisions:
  description: By key, the commits that are there in full.
  type: dict
  returned: always
fetched:
  description: The keys of those that were (in check mode would be) fetched.
  type: list
  elements: str
  returned: always
findings:
  description: Why some could not be fetched.
  type: list
  elements: dict
  returned: when something could not be fetched
"""
