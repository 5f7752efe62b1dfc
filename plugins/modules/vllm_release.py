#!/usr/bin/python

# GNU General Public License v3.0+ (see COPYING or https://www.gnu.org/licenses/gpl-3.0.txt)

"""One deployed state of a vLLM instance on its host."""

from __future__ import annotations

DOCUMENTATION = r"""
module: vllm_release
short_description: The Quadlet unit of a vLLM instance and what systemd does with it
version_added: 0.1.0
author:
  - The gpuops founders (@gpuops)
description:
  - Puts the unit of one instance in place, has systemd read it, and starts or restarts its server when that is needed.
  - The unit is shown to the host's own Quadlet generator first. Where the generator drops it, nothing is written and
    nothing is stopped.
  - A unit or a container of that name which this collection did not make, or which another C(vllm_fleet_name) made, is
    left alone, and the module fails.
  - The server is started without waiting. Whether it serves is for M(gpuops.vllm_fleet.vllm_probe) and
    M(gpuops.vllm_fleet.vllm_gate) to see.
  - A unit that was written but never accepted is not started at boot.
extends_documentation_fragment:
  - gpuops.vllm_fleet.attributes
attributes:
  check_mode:
    support: full
  diff_mode:
    support: full
options:
  name:
    description: The name of the instance.
    type: str
    required: true
  state:
    description:
      - V(started) puts O(unit_text) in place and has its server run; a running server is restarted only when the text differs.
      - V(accepted) lets the unit start at boot, after its gate has opened.
      - V(stopped) stops the server and takes the unit back from boot; the unit file stays, for a look at it.
      - V(absent) stops the server and removes the unit. Weights, images and secrets stay.
    type: str
    choices: [started, accepted, stopped, absent]
    default: started
  unit_text:
    description:
      - The text of the C(.container) unit, as RV(gpuops.vllm_fleet.vllm_plan#module:instances) holds it.
      - Absent in check mode on a host whose Podman is not installed yet, where the text is not known.
    type: str
  state_dir:
    description: Where the collection keeps its state on the host.
    type: path
    default: /var/lib/vllm-fleet
"""

EXAMPLES = r"""
- name: Have the planned server run
  gpuops.vllm_fleet.vllm_release:
    name: qwen
    unit_text: "{{ plan.instances.qwen.unit_text }}"

- name: Take it away again
  gpuops.vllm_fleet.vllm_release:
    name: qwen
    state: absent
"""

RETURN = r"""
name:
  description: The name of the instance.
  type: str
  returned: always
service:
  description: The systemd unit that Quadlet makes of it.
  type: str
  returned: always
actions:
  description: What was done (in check mode would be done), in order.
  type: list
  elements: str
  returned: always
  sample: [write /etc/containers/systemd/vllm-qwen.container, daemon-reload, restart vllm-qwen.service]
started:
  description: Whether a start or a restart was queued.
  type: bool
  returned: always
stopped_at:
  description: When service ended, in seconds on the host's monotonic clock; null where nothing was serving.
  type: float
  returned: always
began_at:
  description: When the start was queued, in seconds on the host's monotonic clock; null where nothing was started.
  type: float
  returned: always
accepted:
  description: Whether the unit may start at boot already.
  type: bool
  returned: always
restarts:
  description: Automatic restarts of the unit that the gate is not to count.
  type: int
  returned: always
"""

import dataclasses
import time
import typing as t

from ansible.module_utils.basic import AnsibleModule

from ..module_utils._host import systemd
from ..module_utils._host.command import HostError, Run, runner
from ..module_utils._host.podman import is_foreign_container
from ..module_utils._host.quadlet_generator import refusal
from ..module_utils._host.release_files import InstanceFiles, read, remove, write
from ..module_utils._release.ownership import why_not_ours

_NOT_KNOWN_YET = "(known after "
_UNKNOWN = f"{_NOT_KNOWN_YET}Podman is installed)\n"


@dataclasses.dataclass
class Release:
    """One instance on this host, and what is done to it."""

    run: Run
    files: InstanceFiles
    check_mode: bool
    actions: list[str] = dataclasses.field(default_factory=list)
    stopped_at: float | None = None
    began_at: float | None = None
    wrote: bool = False  # in check mode: would have

    def do(self, what: str, act: t.Callable[[], object]) -> None:
        """Note the step, and take it unless in check mode."""
        self.actions.append(what)
        if not self.check_mode:
            act()

    def start(self, text: str | None) -> dict[str, str]:
        """Put the text in place and have its server run; returns the difference."""
        before = self._own(text)
        differs = text is None or before != text
        if differs and text is not None:
            self._refuse(text)
        if before is None and text is not None and is_foreign_container(self.run, self.files.unit.stem):
            raise HostError(
                f"there is a container {self.files.unit.stem} that this collection did not make, and starting the server "
                "would remove it. Name the instance otherwise, or take that container away first"
            )
        self.wrote = differs
        if differs:
            self.do(f"write {self.files.unit}", lambda: self._write(text or ""))
        service = self.files.service
        if differs or systemd.needs_reload(self.run, service):
            self.do("daemon-reload", lambda: systemd.daemon_reload(self.run))
        active = systemd.unit_state(self.run, service).active_state in ("active", "activating", "reloading")
        if differs or not (active or self.files.accepted.exists()):
            # Until it is accepted, the unit may only start while this mark is there, and a reboot takes it away.
            self.do(f"mark {self.files.trial}", lambda: write(self.files.trial, ""))
        if not active:
            self._begin(f"start {service}", systemd.start)
        elif differs:
            self.stopped_at = time.monotonic()
            self._begin(f"restart {service}", systemd.restart)
        after = _UNKNOWN if text is None else text
        return {"before": before or "", "after": after if differs else before or ""}

    def _own(self, text: str | None = None) -> str | None:
        """The text of the unit that is there, None where there is none; what is not ours is not touched."""
        there = read(self.files.unit)
        why = why_not_ours(there, text)
        if why:
            raise HostError(
                f"{self.files.unit} is left alone: {why}. Name the instance otherwise, or take that unit away first"
            )
        return there

    def _begin(self, what: str, act: t.Callable[[Run, str], None]) -> None:
        self.began_at = time.monotonic()
        self.do(what, lambda: act(self.run, self.files.service))

    def _write(self, text: str) -> None:
        remove([self.files.accepted])
        write(self.files.unit, text)

    def _refuse(self, text: str) -> None:
        """Stop before anything is written where the unit is not whole, or this host's generator would drop it."""
        if _NOT_KNOWN_YET in text:
            if self.check_mode:
                return
            raise HostError(
                "the unit names an image or a secret that is not on this host yet, so nothing was written: fetch first"
            )
        why = refusal(self.run, self.files.unit.stem, text)
        if why:
            raise HostError(
                f"this host's Quadlet drops the unit of {self.files.unit.stem}, so nothing was written: {why}"
            )

    def accept(self) -> dict[str, str]:
        """Let the unit start at boot."""
        if not self.files.accepted.exists():
            self.do(f"mark {self.files.accepted}", lambda: write(self.files.accepted, ""))
        if not self.check_mode:
            remove([self.files.trial])
        return {}

    def stop(self) -> dict[str, str]:
        """Stop the server and keep it from boot."""
        self._own()
        marks = [mark for mark in (self.files.accepted, self.files.trial) if mark.exists()]
        if marks:
            self.do("keep it from boot", lambda: remove(marks))
        if systemd.unit_state(self.run, self.files.service).active_state not in ("inactive", "failed"):
            self.do(f"stop {self.files.service}", lambda: systemd.stop(self.run, self.files.service))
        return {}

    def remove(self) -> dict[str, str]:
        """Stop the server and remove its unit."""
        before = self._own()
        self.stop()
        if before is not None:
            self.do(f"remove {self.files.unit}", lambda: remove([self.files.unit]))
            self.do("daemon-reload", lambda: systemd.daemon_reload(self.run))
        return {"before": before or "", "after": ""}


def main() -> None:
    module = AnsibleModule(
        argument_spec={
            "name": {"type": "str", "required": True},
            "state": {
                "type": "str",
                "choices": ["started", "accepted", "stopped", "absent"],
                "default": "started",
            },
            "unit_text": {"type": "str"},
            "state_dir": {"type": "path", "default": "/var/lib/vllm-fleet"},
        },
        supports_check_mode=True,
    )
    params = module.params
    files = InstanceFiles(params["name"], params["state_dir"])
    release = Release(runner(module), files, module.check_mode)
    if params["state"] == "started" and params["unit_text"] is None and not module.check_mode:
        module.fail_json(msg=f"{params['name']}: unit_text is needed to start it")
    act = {
        "started": lambda: release.start(params["unit_text"]),
        "accepted": release.accept,
        "stopped": release.stop,
        "absent": release.remove,
    }[params["state"]]
    try:
        difference = act()
    except (HostError, OSError) as error:
        module.fail_json(msg=f"{params['name']}: {error}", name=params["name"], actions=release.actions)
    result = {
        "changed": bool(release.actions),
        "name": params["name"],
        "service": files.service,
        "actions": release.actions,
        "started": release.began_at is not None,
        "stopped_at": release.stopped_at,
        "began_at": release.began_at,
        "accepted": files.accepted.exists() and not release.wrote,
        "restarts": 0 if release.began_at else _restarts(release),
    }
    if difference.get("before") != difference.get("after"):
        result["diff"] = {**difference, "before_header": str(files.unit), "after_header": str(files.unit)}
    module.exit_json(**result)


def _restarts(release: Release) -> int:
    """What systemd counted before; a start on purpose sets its counter back to 0."""
    try:
        return systemd.unit_state(release.run, release.files.service).n_restarts
    except HostError:  # check mode on a host without systemd
        return 0


if __name__ == "__main__":
    main()
