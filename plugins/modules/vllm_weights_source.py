#!/usr/bin/python

# GNU General Public License v3.0+ (see COPYING or https://www.gnu.org/licenses/gpl-3.0.txt)

"""One step of bringing weights that the operator has."""

from __future__ import annotations

DOCUMENTATION = r"""
module: vllm_weights_source
short_description: Bring weights that the operator has already to where servers read them
version_added: 0.1.0
author:
  - The gpuops founders (@gpuops)
description:
  - Whatever comes is put aside first, and counts once it is whole (index, shards, sizes). A server never sees half of it.
  - A repository without a commit gets one, a hash over names, sizes and the contents of small files. It is the same on
    every host that was given the same.
extends_documentation_fragment:
  - gpuops.vllm_fleet.attributes
attributes:
  check_mode:
    support: full
    details: In check mode nothing is brought.
  diff_mode:
    support: N/A
options:
  target:
    description: A repository, or an absolute path of the host.
    type: str
    required: true
  step:
    description:
      - V(stage) tells where files are to be put, and makes that folder empty. V(start) begins to bring them, V(look) sees
        how that goes, V(adopt) puts them into place.
      - Without it all of that is done, except V(stage).
    type: str
    choices: [stage, start, look, adopt]
  revision:
    description: The revision that the inventory names for a repository.
    type: str
  kinds:
    description: What it is for, as M(gpuops.vllm_fleet.vllm_plan) returns it.
    type: list
    elements: str
    default: []
  path:
    description: A directory or a file of the host, such as one of a network file system, that is copied.
    type: str
  command:
    description: A command of a shell that brings the files to the folder it runs in, from another host for example.
    type: str
  watch:
    description: How long a look waits, in seconds.
    type: float
    default: 0
  state_dir:
    description: Where the collection keeps its state on the host, the models among it.
    type: path
    default: /var/lib/vllm-fleet
"""

EXAMPLES = r"""
- name: Copy a model from a host that has it
  gpuops.vllm_fleet.vllm_weights_source:
    target: Qwen/Qwen3-0.6B
    kinds: [model]
    command: rsync -a gpu-01:/srv/models/qwen3-0.6b/ .
"""

RETURN = r"""
commit:
  description: The commit that a repository has from now on.
  type: str
  returned: when a repository was put into place
folder:
  description: The folder that files are put into before they count.
  type: str
  returned: with O(step=stage)
running:
  description: Whether it goes on.
  type: bool
  returned: with O(step=look)
rc:
  description: The exit code.
  type: int
  returned: with O(step=look)
done_bytes:
  description: What has come.
  type: int
  returned: with O(step=look)
output:
  description: The end of what it printed.
  type: str
  returned: with O(step=look)
"""

import hashlib
import shutil
import typing as t

from ansible.module_utils.basic import AnsibleModule

from ..module_utils._host import jobs, state_dir
from ..module_utils._host.adopt import adopt_path, adopt_repository, staging_of
from ..module_utils._host.command import HostError, Run, runner

_COPY = 'if [ -d "$1" ]; then cp -a --reflink=auto "$1"/. .; else cp -a --reflink=auto "$1" .; fi'


def _job(options: dict[str, t.Any]) -> jobs.Job:
    name = hashlib.sha256(options["target"].encode()).hexdigest()[:12]
    return jobs.kept(options["state_dir"], f"source-{name}")


def _stage(_run: Run, options: dict[str, t.Any]) -> dict[str, t.Any]:
    folder = staging_of(options["state_dir"], options["target"])
    if folder.exists():
        shutil.rmtree(folder)
    folder.mkdir(mode=0o755, parents=True)
    return {"folder": str(folder), "changed": True}


def _start(run: Run, options: dict[str, t.Any]) -> dict[str, t.Any]:
    folder = staging_of(options["state_dir"], options["target"])
    command = options["command"] or _COPY
    inside = 'cd "$1" && shift && eval "$0" || exit'
    words = ["/bin/sh", "-c", inside, command, str(folder), *([options["path"]] if options["path"] else [])]
    return {"started": jobs.start(run, _job(options), words, {}), "changed": True}


def _look(run: Run, options: dict[str, t.Any]) -> dict[str, t.Any]:
    seen = jobs.look(run, _job(options), options["watch"])
    folder = staging_of(options["state_dir"], options["target"])
    done = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    return {"running": seen.running, "rc": seen.rc, "output": seen.output, "done_bytes": done}


def _adopt(_run: Run, options: dict[str, t.Any]) -> dict[str, t.Any]:
    source = options["path"] or options["command"] or "the control node"
    if options["target"].startswith("/"):
        adopt_path(options["target"], options["kinds"], source)
        return {"changed": True}
    commit = adopt_repository(
        options["state_dir"], options["target"], options["revision"], options["kinds"], source
    )
    return {"commit": commit, "changed": True}


def main() -> None:
    module = AnsibleModule(
        argument_spec={
            "target": {"type": "str", "required": True},
            "step": {"type": "str", "choices": ["stage", "start", "look", "adopt"]},
            "revision": {"type": "str"},
            "kinds": {"type": "list", "elements": "str", "default": []},
            "path": {"type": "str"},
            "command": {"type": "str"},
            "watch": {"type": "float", "default": 0},
            "state_dir": {"type": "path", "default": "/var/lib/vllm-fleet"},
        },
        supports_check_mode=True,
    )
    state_dir.normalise(module)
    options = module.params
    if module.check_mode:
        module.exit_json(changed=True, folder=str(staging_of(options["state_dir"], options["target"])))
    steps = {"stage": _stage, "start": _start, "look": _look, "adopt": _adopt}
    try:
        result = steps[options["step"]](runner(module), options)
    except (HostError, OSError) as error:
        module.fail_json(msg=f"{options['target']}: {error}")
    module.exit_json(**{"changed": False, **result})


if __name__ == "__main__":
    main()
