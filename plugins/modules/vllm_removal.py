#!/usr/bin/python

# GNU General Public License v3.0+ (see COPYING or https://www.gnu.org/licenses/gpl-3.0.txt)

"""Instances of ours taken off a host, with all that belongs to them."""

from __future__ import annotations

DOCUMENTATION = r"""
module: vllm_removal
short_description: Take vLLM instances off a host, with all that this collection put there for them
version_added: 0.1.0
author:
  - The gpuops founders (@gpuops)
description:
  - Stops the servers and removes their units, containers, Podman secrets, records, compile caches and local tags.
  - Images that a release names go too, when nothing else names or uses them and a registry can give them again.
  - Weights stay, unless O(weights=true).
  - What does not carry the labels of this collection and of this O(fleet) is never touched.
  - With O(all) it also removes what the instances share, the salt of the secrets and the transactions. What made the host
    ready stays, which is Podman, the NVIDIA container toolkit, the CDI spec and its refresh unit.
  - While a release is under way on the host it does nothing and fails.
extends_documentation_fragment:
  - gpuops.vllm_fleet.attributes
attributes:
  check_mode:
    support: full
  diff_mode:
    support: none
options:
  names:
    description: The names of the instances to remove.
    type: list
    elements: str
    default: []
  all:
    description: Whether every instance of this fleet on this host goes, and what they share.
    type: bool
    default: false
  fleet:
    description: The fleet that the instances belong to, C(vllm_fleet_name) of the inventory.
    type: str
    default: default
  weights:
    description:
      - Whether weights in our own cache go too, those that no instance which stays names.
      - A cache that is a mount or a link stays, for other hosts may use it. A model that is a directory of the host stays.
    type: bool
    default: false
  images:
    description: Whether images go that nothing else names or uses, and that a registry has.
    type: bool
    default: true
  state_dir:
    description: Where the collection keeps its state on the host.
    type: path
    default: /var/lib/vllm-fleet
"""

EXAMPLES = r"""
- name: See what would be removed
  gpuops.vllm_fleet.vllm_removal:
    names: [qwen]
  check_mode: true
  register: listed

- name: Take everything of ours off this host
  gpuops.vllm_fleet.vllm_removal:
    all: true
"""

RETURN = r"""
instances:
  description: The instances that were looked for, whether anything of them was there or not.
  type: list
  elements: str
  returned: always
actions:
  description: What was removed (in check mode would be), in order.
  type: list
  elements: str
  returned: always
  sample: [stop vllm-qwen.service, remove /etc/containers/systemd/vllm-qwen.container, daemon-reload]
stays:
  description: What was left, and why.
  type: list
  elements: str
  returned: always
"""

import shutil
import typing as t
from pathlib import Path

from ansible.module_utils.basic import AnsibleModule

from ..module_utils._host import state_dir
from ..module_utils._host.command import HostError, runner
from ..module_utils._host.lock import held, holder
from ..module_utils._host.release_files import UNIT_DIRECTORY
from ..module_utils._host.removal import Step, look
from ..module_utils._host.removal_host import RUN_DIRECTORY, Wish, plan


def _wish(params: t.Mapping[str, t.Any]) -> Wish:
    return Wish(
        None if params["all"] else tuple(params["names"]),
        params["state_dir"],
        params["fleet"],
        params["weights"],
        params["images"],
    )


def _do(steps: t.Sequence[Step], done: list[str]) -> str | None:
    """Take all steps; who holds the host's lock where that is somebody else, and nothing was done."""
    was_there = Path(RUN_DIRECTORY).exists()
    with held("vllm_removal", wait=False) as ours:
        if not ours:
            return holder() or "somebody else"
        for step in steps:
            step.act()
            done.append(step.text)
        if not was_there:
            shutil.rmtree(RUN_DIRECTORY, ignore_errors=True)  # the lock made it
    return None


def main() -> None:
    module = AnsibleModule(
        argument_spec={
            "names": {"type": "list", "elements": "str", "default": []},
            "all": {"type": "bool", "default": False},
            "fleet": {"type": "str", "default": "default"},
            "weights": {"type": "bool", "default": False},
            "images": {"type": "bool", "default": True},
            "state_dir": {"type": "path", "default": "/var/lib/vllm-fleet"},
        },
        required_one_of=[("names", "all")],
        supports_check_mode=True,
    )
    state_dir.normalise(module)
    done: list[str] = []
    try:
        removal = plan(look(runner(module), UNIT_DIRECTORY), _wish(module.params))
        busy = holder() if removal.steps else None
        if busy is None and removal.steps and not module.check_mode:
            busy = _do(removal.steps, done)
    except (HostError, OSError) as error:
        module.fail_json(msg=str(error), actions=done, changed=bool(done))
    if busy is not None:
        module.fail_json(
            msg=f"servers of this host are being changed right now ({busy}): let that end", changed=False
        )
    module.exit_json(
        changed=bool(removal.steps),
        instances=removal.instances,
        actions=[step.text for step in removal.steps],
        stays=removal.stays,
    )


if __name__ == "__main__":
    main()
