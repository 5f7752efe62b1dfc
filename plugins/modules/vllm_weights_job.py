#!/usr/bin/python

# GNU General Public License v3.0+ (see COPYING or https://www.gnu.org/licenses/gpl-3.0.txt)

"""One step of fetching a repository on this host."""

from __future__ import annotations

DOCUMENTATION = r"""
module: vllm_weights_job
short_description: Begin to fetch a repository on a host, or see how that goes
version_added: 0.1.0
author:
  - The gpuops founders (@gpuops)
description:
  - M(gpuops.vllm_fleet.vllm_weights) uses it; it is seldom of use by itself.
  - The work is done by a transient unit of systemd, so it goes on when the connection is lost, and whoever asks for the
    same finds it running.
extends_documentation_fragment:
  - gpuops.vllm_fleet.attributes
attributes:
  check_mode:
    support: none
  diff_mode:
    support: none
options:
  step:
    description:
      - V(start) begins, unless the same runs already. V(look) waits up to O(watch) seconds for the end or another phase.
      - V(remember) only notes what commit a name means from now on.
    type: str
    choices: [start, look, remember]
    required: true
  repo:
    description: The repository.
    type: str
    required: true
  asked:
    description: The branch, tag or commit that the inventory names.
    type: str
    default: main
  commit:
    description: The commit to fetch. Without it the hub is only asked which commit is meant.
    type: str
  image:
    description: The image whose tool fetches it.
    type: str
  env:
    description: The environment of the server; what concerns the hub and proxies of it is passed on.
    type: dict
    default: {}
  secrets:
    description: Environment variables with names of Podman secrets.
    type: dict
    default: {}
  ignore:
    description: Patterns of files to leave out.
    type: list
    elements: str
    default: []
  keep_free:
    description: Bytes that must stay free on the disk.
    type: int
    default: 0
  tries:
    description: How often a busy hub is asked.
    type: int
    default: 6
  watch:
    description: How long a look waits, in seconds.
    type: float
    default: 0
  known:
    description: The phase that is known already.
    type: str
    default: ""
  state_dir:
    description: Where the collection keeps its state on the host, the models among it.
    type: path
    default: /var/lib/vllm-fleet
"""

EXAMPLES = r"""
- name: Begin to fetch a model
  gpuops.vllm_fleet.vllm_weights_job:
    step: start
    repo: Qwen/Qwen3-0.6B
    commit: c1899de289a04d12100db370d81485cdf75e47ca
    image: docker.io/vllm/vllm-openai:v0.26.0
"""

RETURN = r"""
started:
  description: Whether this step began the work.
  type: bool
  returned: with O(step=start)
running:
  description: Whether it goes on.
  type: bool
  returned: with O(step=look)
rc:
  description: The exit code; null while it runs, and where it was lost with a reboot.
  type: int
  returned: with O(step=look)
job_state:
  description: What it says of itself, among it phase, commit, total, base and problem.
  type: dict
  returned: with O(step=look)
done_bytes:
  description: What has come since it began.
  type: int
  returned: with O(step=look)
output:
  description: The end of what it printed.
  type: str
  returned: with O(step=look)
"""

import typing as t
from pathlib import Path

from ansible.module_utils.basic import AnsibleModule

from ..module_utils._host import hub, jobs, state_dir
from ..module_utils._host.command import HostError, Run, runner
from ..module_utils._host.hub_program import size_of
from ..module_utils._host.weights import home_of, remember


def _request(options: dict[str, t.Any]) -> dict[str, t.Any]:
    return {
        "repo": options["repo"],
        "revision": options["commit"] or options["asked"],
        "asked": options["asked"],
        "only_resolve": options["commit"] is None,
        "ignore": options["ignore"],
        "keep_free": options["keep_free"],
        "tries": options["tries"],
    }


def _start(run: Run, options: dict[str, t.Any]) -> dict[str, t.Any]:
    request = _request(options)
    job = hub.job_of(options["state_dir"], request)
    models = Path(options["state_dir"]) / "models"
    models.mkdir(mode=0o755, parents=True, exist_ok=True)
    command = hub.command(job, options["image"], str(models), options["secrets"])
    files = hub.files(request, {name: str(value) for name, value in options["env"].items()})
    return {"started": jobs.start(run, job, command, files, stdin="program.py")}


def _look(run: Run, options: dict[str, t.Any]) -> dict[str, t.Any]:
    job = hub.job_of(options["state_dir"], _request(options))
    seen = jobs.look(run, job, options["watch"], options["known"])
    home = home_of(Path(options["state_dir"]) / "models", options["repo"])
    done = size_of(home) - seen.state["base"] if "base" in seen.state else 0
    return {
        "running": seen.running,
        "rc": seen.rc,
        "job_state": seen.state,
        "done_bytes": max(0, done),
        "output": seen.output,
    }


def _remember(options: dict[str, t.Any]) -> dict[str, t.Any]:
    remember(Path(options["state_dir"]) / "models", options["repo"], options["asked"], options["commit"])
    return {}


def main() -> None:
    module = AnsibleModule(
        argument_spec={
            "step": {"type": "str", "choices": ["start", "look", "remember"], "required": True},
            "repo": {"type": "str", "required": True},
            "asked": {"type": "str", "default": "main"},
            "commit": {"type": "str"},
            "image": {"type": "str"},
            "env": {"type": "dict", "default": {}},
            "secrets": {"type": "dict", "default": {}, "no_log": False},
            "ignore": {"type": "list", "elements": "str", "default": []},
            "keep_free": {"type": "int", "default": 0},
            "tries": {"type": "int", "default": 6},
            "watch": {"type": "float", "default": 0},
            "known": {"type": "str", "default": ""},
            "state_dir": {"type": "path", "default": "/var/lib/vllm-fleet"},
        },
        required_if=[("step", "start", ("image",)), ("step", "remember", ("commit",))],
    )
    state_dir.normalise(module)
    options, run = module.params, runner(module)
    steps = {"start": lambda: _start(run, options), "look": lambda: _look(run, options)}
    try:
        result = steps.get(options["step"], lambda: _remember(options))()
    except (HostError, OSError, ValueError) as error:
        module.fail_json(msg=f"{options['repo']}: {error}")
    module.exit_json(changed=bool(result.get("started")) or options["step"] == "remember", **result)


if __name__ == "__main__":
    main()
