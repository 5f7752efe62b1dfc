#!/usr/bin/python

# GNU General Public License v3.0+ (see COPYING or https://www.gnu.org/licenses/gpl-3.0.txt)

"""How far a release is on its host."""

from __future__ import annotations

DOCUMENTATION = r"""
module: vllm_transaction
short_description: Tell how far a release is on its host, and leave the control node's word for it
version_added: 0.1.0
author:
  - The gpuops founders (@gpuops)
description:
  - Reads the state that a transaction of M(gpuops.vllm_fleet.vllm_release) writes while it works.
    M(gpuops.vllm_fleet.vllm_gate) polls it.
  - With O(serving) it leaves the word that a transaction waits for which was begun with
    O(gpuops.vllm_fleet.vllm_release#module:controller_seconds).
extends_documentation_fragment:
  - gpuops.vllm_fleet.attributes
attributes:
  check_mode:
    support: full
  diff_mode:
    support: N/A
options:
  id:
    description: The transaction.
    type: str
    required: true
  state_dir:
    description: Where the collection keeps its state on the host.
    type: path
    default: /var/lib/vllm-fleet
  known:
    description: The RV(serial) that is known already. With O(watch), come back as soon as there is a newer one.
    type: int
    default: -1
  watch:
    description: Seconds to wait for news. V(0) looks once.
    type: float
    default: 0
  resume:
    description: Whether a program that died before the end is started again, to go back.
    type: bool
    default: false
  transition:
    description: The RV(transition) that O(serving) is about.
    type: int
    default: 0
  serving:
    description: Whether the servers of this transition serve, as seen from the control node.
    type: bool
  instance:
    description: With O(serving=false), the instance that does not serve.
    type: str
    default: ""
  said:
    description: With O(serving), what the control node saw.
    type: str
    default: ""
"""

EXAMPLES = r"""
- name: See how far it is
  gpuops.vllm_fleet.vllm_transaction:
    id: 20261130T120000-abc123
    watch: 10
    known: 4
  register: seen
"""

RETURN = r"""
found:
  description: Whether the host knows the transaction.
  type: bool
  returned: always
running:
  description: Whether its program runs. One that died before RV(ended) is brought to its end by the next run.
  type: bool
  returned: always
serial:
  description: Grows with each change.
  type: int
  returned: when found
step:
  description: What it does, one of check, prepare, drain, stop, memory, switch, start, gate, controller, accept, undo, end.
  type: str
  returned: when found
message:
  description: The same in words, with progress.
  type: str
  returned: when found
ended:
  description: Whether it has come to its end.
  type: bool
  returned: when found
transition:
  description: The number of the group of instances that is worked on.
  type: int
  returned: when found
awaits_controller:
  description: Whether it waits for the control node's word.
  type: bool
  returned: when found
watched:
  description: The gates of that group, by instance, for the control node to look at.
  type: dict
  returned: when found
problem:
  description: Why it did not go as planned; empty where it did.
  type: str
  returned: when found
members:
  description:
    - What was done with each instance, as action, release, from, problem, gate, undone and actions.
  type: dict
  returned: when found
others:
  description: Instances that served before and do not any more, although nothing was to be done with them.
  type: list
  elements: str
  returned: when found
"""

import dataclasses
import typing as t

from ansible.module_utils.basic import AnsibleModule

from ..module_utils._host import release_program, state_dir
from ..module_utils._host.command import HostError, runner


def _watched(state_dir: str, id_: str, transition: int) -> dict[str, t.Any]:
    job = release_program.job_of(state_dir, id_)
    members = job.transitions[transition] if job and transition < len(job.transitions) else ()
    return {member.name: member.record["gate"] for member in members if member.record}


def main() -> None:
    module = AnsibleModule(
        argument_spec={
            "id": {"type": "str", "required": True},
            "state_dir": {"type": "path", "default": "/var/lib/vllm-fleet"},
            "known": {"type": "int", "default": -1},
            "watch": {"type": "float", "default": 0},
            "resume": {"type": "bool", "default": False},
            "transition": {"type": "int", "default": 0},
            "serving": {"type": "bool"},
            "instance": {"type": "str", "default": ""},
            "said": {"type": "str", "default": ""},
        },
        supports_check_mode=True,
    )
    state_dir.normalise(module)
    params = module.params
    place, id_ = params["state_dir"], params["id"]
    try:
        if params["serving"] is not None and not module.check_mode:
            release_program.say(
                place, id_, params["transition"], params["serving"], params["instance"], params["said"]
            )
        run = runner(module)
        state = release_program.watch(place, id_, params["known"], params["watch"])
        if params["resume"] and state and not state.ended and not release_program.is_running(run, id_):
            release_program.resume(run, place, id_)
        result = {"found": state is not None, "running": release_program.is_running(run, id_)}
        if state is not None:
            watched = _watched(place, id_, state.transition) if state.awaits_controller else {}
            result.update(dataclasses.asdict(state), watched=watched)
    except (HostError, OSError, ValueError) as error:
        module.fail_json(msg=f"the transaction {id_} cannot be read: {error}")
    module.exit_json(changed=False, **result)


if __name__ == "__main__":
    main()
