#!/usr/bin/python

# GNU General Public License v3.0+ (see COPYING or https://www.gnu.org/licenses/gpl-3.0.txt)

"""The SELinux boolean that lets containers open the nodes of GPUs."""

from __future__ import annotations

DOCUMENTATION = r"""
module: podman_selinux
short_description: Let containers open the nodes of GPUs where SELinux is enforcing
version_added: 0.1.0
author:
  - The gpuops founders (@gpuops)
description:
  - Where SELinux is enforcing and servers with GPUs are planned, switches on the boolean C(container_use_devices), now and for
    the time after a reboot. The labels of the containers stay, other than with C(security.label_disable) of an instance.
  - A boolean that is on only until the next reboot is switched on for good.
  - Where the policy has no such boolean, it warns and changes nothing. Without SELinux, or where it is permissive, it does nothing.
  - It needs C(getenforce), C(getsebool) and C(setsebool), and no Python library on the host.
extends_documentation_fragment:
  - gpuops.vllm_fleet.attributes
attributes:
  check_mode:
    support: full
  diff_mode:
    support: full
options:
  servers:
    description: The instances that need it; without any, nothing is asked and nothing changed.
    type: list
    elements: str
    default: []
  set:
    description: Whether to switch the boolean on. V(false) only warns.
    type: bool
    default: true
"""

EXAMPLES = r"""
- name: Let the planned servers open their GPUs
  gpuops.vllm_fleet.podman_selinux:
    servers: [qwen, embed]
"""

RETURN = r"""
mode:
  description: V(enforcing), V(permissive) or V(disabled), as it is now. Without servers nothing is asked, and it is V(disabled).
  type: str
  returned: success
active:
  description: Whether the boolean was on; null where the policy has none, or SELinux does not enforce it.
  type: bool
  returned: success
lasting:
  description: Whether it was on for the time after a reboot; null where that cannot be read.
  type: bool
  returned: success
findings:
  description: What an operator has to know, as findings.
  type: list
  elements: dict
  returned: success
known_after:
  description: In check mode, what has to happen before more can be said; else null.
  type: str
  returned: success
actions:
  description: What was done, or would be done in check mode.
  type: list
  elements: str
  returned: success
"""

import dataclasses

from ansible.module_utils.basic import AnsibleModule

from ..module_utils._cdi.selinux import Selinux, judge
from ..module_utils._host import selinux
from ..module_utils._host.command import HostError, runner
from ..module_utils._host.place import Place


def main() -> None:
    module = AnsibleModule(
        argument_spec={
            "servers": {"type": "list", "elements": "str", "default": []},
            "set": {"type": "bool", "default": True},
        },
        supports_check_mode=True,
    )
    servers, may_set = module.params["servers"], module.params["set"]
    place = Place(runner(module), module.check_mode)
    state, known_after = Selinux(), None
    try:
        if servers:
            state = selinux.state(place.run)
        if may_set:
            known_after = selinux.let_in(place, state)
    except HostError as error:
        module.fail_json(msg=str(error), actions=place.actions)
    findings = [] if known_after else judge(state, servers, may_set)
    for each in findings:
        module.warn(f"{each.message}. {each.fix}")
    module.exit_json(
        changed=bool(place.actions),
        diff=place.diff,
        known_after=known_after,
        findings=[each.as_dict() for each in findings],
        actions=place.actions,
        **dataclasses.asdict(state),
    )


if __name__ == "__main__":
    main()
