# GNU General Public License v3.0+ (see COPYING or https://www.gnu.org/licenses/gpl-3.0.txt)

"""Tells what a host lacks of what its plan needs."""

from __future__ import annotations

DOCUMENTATION = r"""
name: vllm_host_needs
short_description: Tell what a host lacks of what its plan needs
positional: host, missing_images, unresolved_devices, weights, missing_weights, paths, missing_paths
version_added: 0.1.0
author:
  - The gpuops founders (@gpuops)
description:
  - Turns what M(gpuops.vllm_fleet.vllm_host_info) found missing into a text for people, with the host, the instance that
    needs it, the cause and what to do.
options:
  _input:
    description: The instances, as M(gpuops.vllm_fleet.vllm_plan) returns them.
    type: dict
    required: true
  host:
    description: The name of the host.
    type: str
    required: true
  missing_images:
    description: Images that are not there.
    type: list
    elements: str
    default: []
  unresolved_devices:
    description: Devices that do not resolve, as M(gpuops.vllm_fleet.vllm_host_info) returns them.
    type: list
    elements: dict
    default: []
  weights:
    description: The repositories of the plan, as M(gpuops.vllm_fleet.vllm_plan) returns them.
    type: list
    elements: dict
    default: []
  missing_weights:
    description: By their keys, what is missing of them, as M(gpuops.vllm_fleet.vllm_host_info) returns it.
    type: dict
    default: {}
  paths:
    description: Directories and files of the host that the plan names, as M(gpuops.vllm_fleet.vllm_plan) returns them.
    type: list
    elements: dict
    default: []
  missing_paths:
    description: What is missing of them, by path, as M(gpuops.vllm_fleet.vllm_weights_info) returns it.
    type: dict
    default: {}
"""

EXAMPLES = r"""
- name: Stop where a planned device does not resolve
  ansible.builtin.fail:
    msg: "{{ plan.instances | gpuops.vllm_fleet.vllm_host_needs(inventory_hostname, unresolved_devices=lost) }}"
  vars:
    lost: "{{ found.unresolved_devices }}"
  when: lost | length > 0
"""

RETURN = r"""
_value:
  description: A table of what is missing; empty where nothing is.
  type: str
"""

import typing as t

from ansible.errors import AnsibleFilterError

from ..module_utils._host.needs import missing_images as images_findings
from ..module_utils._host.needs import unresolved_devices as devices_findings
from ..module_utils._host.weight_needs import missing_paths as paths_findings
from ..module_utils._host.weight_needs import missing_weights as weights_findings
from ..module_utils._plan.report import format_findings
from ..plugin_utils.plain import to_plain


def vllm_host_needs(
    instances: t.Any,
    host: str,
    missing_images: t.Any = (),
    unresolved_devices: t.Any = (),
    weights: t.Any = (),
    missing_weights: t.Any = (),
    paths: t.Any = (),
    missing_paths: t.Any = (),
) -> str:
    if not isinstance(instances, t.Mapping):
        raise AnsibleFilterError("vllm_host_needs takes the instances as vllm_plan returns them")
    planned = to_plain(instances)
    findings = images_findings(planned, to_plain(list(missing_images)))
    findings += devices_findings(planned, to_plain(list(unresolved_devices)))
    findings += weights_findings(to_plain(list(weights)), to_plain(dict(missing_weights)))
    findings += paths_findings(to_plain(list(paths)), to_plain(dict(missing_paths)))
    return format_findings([finding.at(host=to_plain(host)) for finding in findings])


class FilterModule:
    """The filter, under its name."""

    def filters(self) -> dict[str, t.Callable[..., t.Any]]:
        return {"vllm_host_needs": vllm_host_needs}
