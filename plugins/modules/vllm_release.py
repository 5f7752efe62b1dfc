#!/usr/bin/python

# GNU General Public License v3.0+ (see COPYING or https://www.gnu.org/licenses/gpl-3.0.txt)

"""The releases that make a host what its plan says."""

from __future__ import annotations

DOCUMENTATION = r"""
module: vllm_release
short_description: Make a host run what its plan says, as one transaction on the host
version_added: 0.1.0
author:
  - The gpuops founders (@gpuops)
description:
  - Compares the bound plan of a host with the releases that the host keeps, and hands the host a transaction for what
    differs. M(gpuops.vllm_fleet.vllm_gate) follows it.
  - The transaction is a systemd unit of its own. It stops the old servers, waits until the memory of their GPUs is free,
    starts the new ones on trial, waits until they show tokens, and then accepts them, or puts the old ones back and
    proves that they serve. It comes to its end whatever becomes of the control node, and holds a lock meanwhile.
  - Only another intent is another release. A unit whose text a newer renderer wrote otherwise is pending, and restarts
    nobody.
  - Instances whose old or new GPUs or ports overlap are stopped, started and undone together.
  - C(/etc/containers/systemd) holds accepted releases only, so a reboot in the middle brings back the accepted one.
  - Whatever is missing is found before anything is stopped. A unit, a container or an instance that this collection did
    not make, or another C(vllm_fleet_name), is left alone.
  - Where another transaction is under way, the task waits until it is over, and looks again. One whose program died is
    brought to its end first.
extends_documentation_fragment:
  - gpuops.vllm_fleet.attributes
attributes:
  check_mode:
    support: full
  diff_mode:
    support: full
options:
  instances:
    description: The instances of the host's bound plan, as M(gpuops.vllm_fleet.vllm_plan) returns them in a dict.
    type: dict
    default: {}
  fleet:
    description: The C(vllm_fleet_name) of the inventory.
    type: str
    default: default
  state_dir:
    description: Where the collection keeps its state on the host.
    type: path
    default: /var/lib/vllm-fleet
  begin:
    description: Whether the transaction is begun. V(false) only tells what is to be done.
    type: bool
    default: true
  busy_seconds:
    description: How long another transaction on the host is waited for.
    type: float
    default: 3600
  remove_orphans:
    description: Whether instances of this fleet that the plan does not name are removed. Else they are only told.
    type: bool
    default: false
  apply_pending:
    description: Whether a unit whose text alone differs is released as well, which restarts its server.
    type: bool
    default: false
  roll_back:
    description:
      - Instead of the plan, releases of before by instance. V(0) is the one that was accepted before the current one.
      - The name V(all) stands for every instance of the host. An instance that this host does not have is passed over.
    type: dict
  controller_seconds:
    description: How long the transaction waits for the control node's word after its own gate opened. V(0) asks for none.
    type: float
    default: 0
"""

EXAMPLES = r"""
- name: Begin what the plan asks for
  gpuops.vllm_fleet.vllm_release:
    instances: "{{ plan.instances }}"
  register: begun

- name: Follow it to its end
  gpuops.vllm_fleet.vllm_gate:
    transaction: "{{ begun.transaction }}"
  when: begun.transaction is not none

- name: Back to what ran before
  gpuops.vllm_fleet.vllm_release:
    roll_back: {qwen: 0}
"""

RETURN = r"""
transaction:
  description: The transaction that was begun; null where there is nothing to do.
  type: str
  returned: always
busy:
  description: The transaction of another run that is under way; null where none is. Nothing else was done then.
  type: str
  returned: always
decisions:
  description:
    - For each instance what is done (in check mode would be done), as name, action, reason, changes, pending, and the
      release that is accepted now.
    - An action is C(none), C(start), C(release) or C(remove). A change has what, before and after.
  type: list
  elements: dict
  returned: always
stops:
  description: The servers that have served and that the decisions replace or remove.
  type: list
  elements: str
  returned: always
serving:
  description:
    - By name, each planned instance that nothing is to be done with and that gives tokens, as M(gpuops.vllm_fleet.vllm_probe)
      tells of one. One that does not is left out, for its gate to wait for it.
    - Empty where a transaction was begun, which may end otherwise.
  type: dict
  returned: always
orphans:
  description: Instances of this fleet on this host that the plan does not name.
  type: list
  elements: str
  returned: always
"""

import dataclasses
import typing as t

from ansible.module_utils.basic import AnsibleModule

from ..module_utils._host import lock, release_program, release_store, state_dir
from ..module_utils._host.command import HostError, runner
from ..module_utils._host.gate import probe_of, seen
from ..module_utils._host.release_plan import Site, Task, back_to, job_of, of_this_fleet, orphans, tasks
from ..module_utils._release.service import about_to_stop

_NOT_KNOWN_YET = "(known after "


def _work(module: AnsibleModule, site: Site) -> tuple[list[Task], list[str]]:
    params = module.params
    if params["roll_back"] is not None:
        return [back_to(site, name, number) for name, number in _wanted_back(site, params["roll_back"])], []
    planned = list(params["instances"].values())
    left = orphans(site, [each["name"] for each in planned])
    return tasks(site, planned, left if params["remove_orphans"] else (), params["apply_pending"]), left


def _wanted_back(site: Site, asked: dict[str, t.Any]) -> list[tuple[str, int | None]]:
    """Instance and number; None is the release that was accepted before the current one."""
    for name, number in asked.items():
        if not str(number).isdigit():
            raise HostError(f"{name}: {number!r} is no number of a release")
    numbers = {str(name): int(number) or None for name, number in asked.items()}
    here = release_store.instances(site.state_dir)
    if "all" in numbers:
        return [(name, numbers["all"]) for name in of_this_fleet(site)]
    return [(name, number) for name, number in numbers.items() if name in here]


def _refuse_unknown(work: list[Task]) -> None:
    """A text with holes is for check mode alone."""
    for task in work:
        text = (task.planned or {}).get("unit_text")
        if task.decision.action == "release" and task.planned and (not text or _NOT_KNOWN_YET in text):
            raise HostError(
                f"{task.decision.name}: its unit names an image or a secret that is not on this host yet, so nothing was"
                " touched: fetch first"
            )


def _busy(module: AnsibleModule, site: Site) -> str | None:
    """Another transaction that has not come to its end; one that died is started again."""
    id_ = release_program.unfinished(site.state_dir)
    if id_ is None:
        return lock.holder()
    if not module.check_mode and lock.holder() is None and not release_program.is_running(site.run, id_):
        release_program.resume(site.run, site.state_dir, id_)
    return id_


def _diff(work: list[Task]) -> list[dict[str, str]]:
    found = []
    for task in work:
        if task.decision.action not in ("release", "remove"):
            continue
        member, planned = task.member, task.planned or {}
        text = (member.unit_text if member else planned.get("unit_text")) or ""
        if task.decision.action == "release" and not text:
            text = f"{_NOT_KNOWN_YET}Podman is installed)\n"
        name = f"/etc/containers/systemd/vllm-{task.decision.name}.container"
        found.append(
            {
                "before": task.before_text or "",
                "after": text,
                "before_header": name,
                "after_header": name,
            }
        )
    return found


def _tell_orphans(module: AnsibleModule, left: list[str]) -> None:
    if left and not module.params["remove_orphans"]:
        names = ", ".join(left)
        module.warn(
            f"The inventory does not name what runs here of this fleet: {names}. It is left alone;"
            " vllm_remove_orphans: true removes it, and so does remove.yml"
        )


def _result(module: AnsibleModule, site: Site) -> dict[str, t.Any]:
    params = module.params
    result: dict[str, t.Any] = {
        "transaction": None, "busy": None, "decisions": [], "orphans": [], "serving": {}, "stops": [],
    }  # fmt: skip
    busy = _busy(module, site)
    if busy and not module.check_mode:
        return {**result, "busy": busy}
    work, left = _work(module, site)
    _tell_orphans(module, left)
    decisions = [{**dataclasses.asdict(task.decision), "release": task.release} for task in work]
    result.update(
        decisions=decisions,
        stops=about_to_stop(decisions),
        orphans=left,
        changed=any(task.decision.action != "none" for task in work),
        diff=_diff(work),
    )
    if module.check_mode or not params["begin"]:
        return {**result, "changed": result["changed"] and module.check_mode and params["begin"]}
    _refuse_unknown(work)
    job = job_of(site, work, controller_seconds=params["controller_seconds"])
    if job is not None:
        release_program.begin(site.run, job)
        result["transaction"] = job.id
    elif params["roll_back"] is None:
        result["serving"] = _serving(site, work)
    return result


def _serving(site: Site, work: list[Task]) -> dict[str, t.Any]:
    """One look at each server that stays as it is, so that a run with nothing to do need not come back for it."""
    found = {}
    for task in work:
        planned = task.planned or {}
        if planned.get("state") != "present" or task.decision.action != "none" or not planned.get("gate"):
            continue
        probe = probe_of(site.run, task.decision.name, planned["gate"])
        look, verdict = probe.look()
        if verdict.serving:
            found[task.decision.name] = seen(probe, look, verdict)
    return found


def main() -> None:
    module = AnsibleModule(
        argument_spec={
            "instances": {"type": "dict", "default": {}},
            "fleet": {"type": "str", "default": "default"},
            "state_dir": {"type": "path", "default": "/var/lib/vllm-fleet"},
            "begin": {"type": "bool", "default": True},
            "busy_seconds": {"type": "float", "default": 3600},  # of the action
            "remove_orphans": {"type": "bool", "default": False},
            "apply_pending": {"type": "bool", "default": False},
            "roll_back": {"type": "dict"},
            "controller_seconds": {"type": "float", "default": 0},
        },
        supports_check_mode=True,
    )
    state_dir.normalise(module)
    site = Site(runner(module), module.params["fleet"], module.params["state_dir"])
    try:
        module.exit_json(**{"changed": False, **_result(module, site)})
    except (HostError, OSError, ValueError) as error:
        module.fail_json(msg=str(error))


if __name__ == "__main__":
    main()
