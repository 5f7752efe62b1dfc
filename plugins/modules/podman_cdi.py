#!/usr/bin/python

# GNU General Public License v3.0+ (see COPYING or https://www.gnu.org/licenses/gpl-3.0.txt)

"""One right CDI spec of the NVIDIA GPUs, in the place that this Podman reads, refreshed before every start."""

from __future__ import annotations

DOCUMENTATION = r"""
module: podman_cdi
short_description: Have one CDI spec of the NVIDIA GPUs that is right for this host and its Podman
version_added: 0.1.0
author:
  - The gpuops founders (@gpuops)
description:
  - Judges the CDI spec by its content. An exit code of C(nvidia-ctk) or the mere existence of a file says nothing.
  - There must be one spec of C(nvidia.com/gpu), of a version that this Podman loads, where this Podman looks. Every path in it must
    exist, every device node must have the numbers and the mode that the spec says, C(nvidia-uvm) must be in it, and its names must
    be exactly the GPUs that the driver knows.
  - Repairs what generating the spec anew repairs, by running C(nvidia-cdi-refresh.service), whose known defects it takes away with
    a drop-in. Where the toolkit brings no such unit (before 1.18) it writes one.
  - Never replaces a good spec by a worse one, and generates nothing while the driver cannot be used.
  - Never restarts a server. It tells which servers of this collection still run with what an older spec gave them.
extends_documentation_fragment:
  - gpuops.vllm_fleet.attributes
attributes:
  check_mode:
    support: full
  diff_mode:
    support: full
options:
  devices:
    description: Full names of the CDI devices that are planned on this host, such as V(nvidia.com/gpu=0). Each must resolve.
    type: list
    elements: str
    default: []
  repair:
    description: Whether to repair what can be repaired. V(false) only judges.
    type: bool
    default: true
  set_aside:
    description:
      - Whether further specs of C(nvidia.com/gpu) are renamed, so that nothing reads them.
      - With V(false) they are only named, and one in the same directory makes the module fail.
    type: bool
    default: true
  disabled_hooks:
    description: Hooks that C(nvidia-ctk) leaves out of the spec, such as V(enable-cuda-compat) against CUDA error 803.
    type: list
    elements: str
    default: []
  feature_flags:
    description:
      - Feature flags for C(nvidia-ctk). For a Podman before 5.1 V(no-additional-gids-for-device-nodes) is always among them, for
        such a Podman does not load what would come out otherwise.
    type: list
    elements: str
    default: []
  name_strategies:
    description: How GPUs are named. Empty means as C(nvidia-ctk) does by itself, by index and by UUID.
    type: list
    elements: str
    choices: [index, uuid, type-index]
    default: []
  coming_toolkit:
    description:
      - In check mode, the version of the toolkit that is going to be installed where it is not there yet, so that the drop-in that
        belongs to it can be shown. Without check mode it counts for nothing.
    type: str
"""

EXAMPLES = r"""
- name: Have the CDI spec right
  gpuops.vllm_fleet.podman_cdi:
    devices: [nvidia.com/gpu=0, nvidia.com/gpu=1]

- name: Only look at it
  gpuops.vllm_fleet.podman_cdi:
    repair: false
  register: cdi
  failed_when: false
"""

RETURN = r"""
ready:
  description: Whether the spec is right. The module fails where it is not, unless no GPU is planned and the host has none.
  type: bool
  returned: always
defects:
  description: What was found, as findings.
  type: list
  elements: dict
  returned: always
findings:
  description: What is left after the repair, as findings.
  type: list
  elements: dict
  returned: always
actions:
  description: What was done, or would be done in check mode.
  type: list
  elements: str
  returned: always
known_after:
  description: In check mode, what has to happen before more can be said; else null.
  type: str
  returned: always
outdated_servers:
  description: Running servers of this collection that do not have what the spec gives now, as instance, unit and reason.
  type: list
  elements: dict
  returned: always
podman_version:
  description: The version of Podman.
  type: str
  returned: always
toolkit_version:
  description: The version of the NVIDIA container toolkit.
  type: str
  returned: always
spec_path:
  description: Where the spec stands.
  type: str
  returned: always
"""

import dataclasses
import typing as t

from ansible.module_utils.basic import AnsibleModule

from ..module_utils._host.cdi_repair import Options, Outcome, make_ready
from ..module_utils._host.command import HostError, runner
from ..module_utils._host.place import Place
from ..module_utils._settings.finding import Finding
from ..module_utils._toolkit.packages import parse

LISTS = ("devices", "feature_flags", "disabled_hooks", "name_strategies")


def _result(outcome: Outcome, place: Place) -> dict[str, t.Any]:
    return {
        **dataclasses.asdict(outcome),
        "defects": [finding.as_dict() for finding in outcome.defects],
        "findings": [finding.as_dict() for finding in outcome.findings],
        "actions": place.actions,
        "changed": bool(place.actions),
        "diff": place.diff,
    }


def _message(findings: list[Finding]) -> str:
    errors = (each for each in findings if each.severity == "error")
    return "\n".join(f"{each.message}. To repair it: {each.fix}." for each in errors)


def main() -> None:
    strings: dict[str, t.Any] = {"type": "list", "elements": "str", "default": []}
    spec: dict[str, dict[str, t.Any]] = {name: dict(strings) for name in LISTS}
    spec["name_strategies"]["choices"] = ["index", "uuid", "type-index"]
    spec.update({name: {"type": "bool", "default": True} for name in ("repair", "set_aside")})
    spec["coming_toolkit"] = {"type": "str"}
    module = AnsibleModule(argument_spec=spec, supports_check_mode=True)
    options = Options(
        **{name: tuple(module.params[name]) for name in LISTS},
        **{name: module.params[name] for name in ("repair", "set_aside")},
        coming_toolkit=parse(module.params["coming_toolkit"] or "") if module.check_mode else None,
    )
    place = Place(runner(module), module.check_mode)
    try:
        outcome = make_ready(place, options)
    except (HostError, OSError) as error:
        module.fail_json(msg=str(error), actions=place.actions, changed=bool(place.actions))
    for each in outcome.findings:
        if each.severity == "warning":
            module.warn(f"{each.message}. To repair it: {each.fix}.")
    message = _message(outcome.findings)
    if message:
        module.fail_json(msg=message, **_result(outcome, place))
    module.exit_json(**_result(outcome, place))


if __name__ == "__main__":
    main()
