#!/usr/bin/python

# GNU General Public License v3.0+ (see COPYING or https://www.gnu.org/licenses/gpl-3.0.txt)

"""What the plan needs to know of a host: its Podman, its images, its GPUs, its models, the devices that resolve."""

from __future__ import annotations

DOCUMENTATION = r"""
module: vllm_host_info
short_description: Tell what a host has of what its plan needs
version_added: 0.1.0
author:
  - The gpuops founders (@gpuops)
description:
  - Tells the version of Podman, its images and by what identity they are known, the GPUs, the models that are asked for,
    the memory of the host, and which CDI devices this Podman resolves.
  - It asks no registry and starts nothing. What is not there is an answer, not an error.
extends_documentation_fragment:
  - gpuops.vllm_fleet.attributes
attributes:
  check_mode:
    support: full
  diff_mode:
    support: N/A
options:
  images:
    description: References of images to look for.
    type: list
    elements: str
    default: []
  instances:
    description: Instances to look for what their images said of their command lines before, see M(gpuops.vllm_fleet.vllm_parser_proof).
    type: list
    elements: str
    default: []
  devices:
    description: Full names of CDI devices to look for, such as V(nvidia.com/gpu=0).
    type: list
    elements: str
    default: []
  models:
    description: Models to look for, each as M(gpuops.vllm_fleet.vllm_model_info) looks at one.
    type: list
    elements: dict
    default: []
    suboptions:
      model:
        description: A directory of this host, as an absolute path, or a repository.
        type: str
        required: true
      revision:
        description: Branch, tag or commit of a repository.
        type: str
  weights:
    description: Repositories to look for in O(cache), as M(gpuops.vllm_fleet.vllm_plan) returns them.
    type: list
    elements: dict
    default: []
  paths:
    description: Directories and files of the host to look for, as M(gpuops.vllm_fleet.vllm_plan) returns them.
    type: list
    elements: dict
    default: []
  cache:
    description:
      - Where this host keeps repositories, in the layout of the Hugging Face hub.
      - Without it what E(HF_HUB_CACHE) or E(HF_HOME) says on the host, else C(~/.cache/huggingface/hub).
    type: path
  state_dir:
    description: Where the state of a host is kept; what is remembered there of an image is its identity.
    type: path
    default: /var/lib/vllm-fleet
"""

EXAMPLES = r"""
- name: See what this host has
  gpuops.vllm_fleet.vllm_host_info:
    images: [docker.io/vllm/vllm-openai:v0.26.0]
    devices: [nvidia.com/gpu=0]
    models: [{model: Qwen/Qwen3-0.6B}]
    cache: /var/lib/vllm-fleet/models
  register: found

- name: Plan with it
  gpuops.vllm_fleet.vllm_plan:
    host_facts: "{{ found.host_facts }}"
"""

RETURN = r"""
host_facts:
  description: What M(gpuops.vllm_fleet.vllm_plan) takes as O(gpuops.vllm_fleet.vllm_plan#module:host_facts).
  type: dict
  returned: always
  contains:
    podman_version:
      description: The version of Podman; null where there is none.
      type: str
    image_digests:
      description: The identity of each image by each of its names. It is the registry's digest, else the image's ID.
      type: dict
    gpu_facts:
      description: The GPUs, as M(gpuops.vllm_fleet.nvidia_gpu_info) tells them; null where they cannot be read.
      type: list
      elements: dict
    gpu_problem:
      description: Why the GPUs cannot be used, as code, message and fix; null where they can.
      type: dict
    driver_version:
      description: The version of the driver; null where there is none that answers.
      type: str
    host_memory_mib:
      description: The memory of the host in MiB; null where it cannot be read.
      type: int
    model_facts:
      description:
        - By model, what M(gpuops.vllm_fleet.vllm_model_info) tells of it; where several revisions of one are asked for,
          by model and revision, such as V(Qwen/Qwen3-0.6B@v2), empty where one is not here.
        - A repository that is not here is left out, a directory that is not here is told with its problem.
      type: dict
    model_revisions:
      description: By key of O(weights), the commits that are here in full.
      type: dict
gpu_problem:
  description: Why the GPUs cannot be used, as code, message and fix; null where they can.
  type: dict
  returned: always
missing_images:
  description: The asked images that are not there.
  type: list
  elements: str
  returned: always
missing_weights:
  description: By key of O(weights), what is missing of those that are not here in full.
  type: dict
  returned: always
image_look:
  description:
    - What of O(images) is there and by what it is known, what is remembered of images, and the drop-in for Podman's registries.
    - It is for M(gpuops.vllm_fleet.vllm_image) and M(gpuops.vllm_fleet.vllm_parser_proof), which take the whole result as C(seen).
  type: dict
  returned: always
parser_proofs:
  description: By name, what is kept of what an image said of each of O(instances).
  type: dict
  returned: always
weights_look:
  description:
    - C(weights) by key of O(weights), as M(gpuops.vllm_fleet.vllm_weights_info) tells them, and C(paths) with what is missing of each of
      O(paths), null where nothing is.
    - It is for M(gpuops.vllm_fleet.vllm_weights_info), which takes the whole result as C(seen).
  type: dict
  returned: always
selinux:
  description: V(enforcing), V(permissive) or V(disabled); V(unknown) where it is on and does not tell.
  type: str
  returned: always
cdi_devices:
  description: Full names of the devices that this Podman resolves.
  type: list
  elements: str
  returned: always
cdi_specs:
  description: The spec files that Podman reads, as path, kind, version, devices and problem.
  type: list
  elements: dict
  returned: always
unresolved_devices:
  description: The asked devices that do not resolve, as name, message and fix.
  type: list
  elements: dict
  returned: always
"""

import dataclasses
import typing as t
from pathlib import Path

from ansible.module_utils.basic import AnsibleModule

from ..module_utils._cdi.specs import Devices, resolve
from ..module_utils._host import podman, selinux, state_dir
from ..module_utils._host.cdi import read_devices
from ..module_utils._host.command import HostError, Run, runner
from ..module_utils._host.image_look import look as look_at_images
from ..module_utils._host.memory import total_mib
from ..module_utils._host.model_files import cache_of_the_host, look_at
from ..module_utils._host.nvidia_problems import Problem
from ..module_utils._host.nvidia_smi import gpus
from ..module_utils._host.parser_proof import memory_of
from ..module_utils._host.place import Place
from ..module_utils._host.weights import look_at_all, told
from ..module_utils._plan.registries import CONF
from ..module_utils._settings.version import format_release


def _look(
    run: Run, wanted_images: list[str], wanted_devices: list[str], models: dict[str, t.Any], state: str
) -> dict[str, t.Any]:
    version = podman.version(run)
    images = look_at_images(run, version, wanted_images, state)
    digests = _digests(run, images["images"]) if version else {}
    devices = read_devices(version) if version else resolve((), ())
    nvidia = gpus(run)
    problem = dataclasses.asdict(nvidia.problem) if nvidia.problem else None
    return {
        "host_facts": {
            "podman_version": format_release(version) if version else None,
            "image_digests": digests,
            "gpu_facts": [dataclasses.asdict(gpu) for gpu in nvidia.gpus] or None,
            "gpu_problem": problem,
            "driver_version": nvidia.driver_version,
            "host_memory_mib": total_mib(),
            "model_facts": models,
        },
        "gpu_problem": problem,
        "image_look": {**images, "asked": wanted_images, "registries_conf": Place(run).read(CONF)},
        "selinux": _selinux(run),
        "missing_images": [reference for reference in wanted_images if reference not in digests],
        "cdi_devices": list(devices.names),
        "cdi_specs": [dataclasses.asdict(spec) for spec in devices.specs],
        "unresolved_devices": _unresolved(devices, wanted_devices, version is not None, nvidia.problem),
    }


def _digests(run: Run, looked: dict[str, dict[str, str]]) -> dict[str, str]:
    """What the host remembers of an image comes first: by that it was resolved, and by that it was loaded."""
    found = {name: image.identity for name, image in podman.images(run).items()}
    return {**found, **{name: image["identity"] for name, image in looked.items()}}


def _selinux(run: Run) -> str:
    """Whoever needs more than the mode asks anew, and hears why it cannot be told."""
    try:
        return selinux.mode(run)
    except HostError:
        return "unknown"


def _unresolved(
    devices: Devices, wanted: list[str], podman_is_here: bool, problem: Problem | None
) -> list[dict[str, str]]:
    found = []
    for name in wanted:
        reason = (
            devices.why_not(name) if podman_is_here else ("there is no Podman yet", "install it: role podman")
        )
        if reason is not None:
            message, fix = reason
            if problem is not None and name.startswith("nvidia.com/"):  # the driver comes before its spec
                message, fix = f"{message}; and {problem.message}", f"first {problem.fix}"
            found.append({"name": name, "message": message, "fix": fix})
    return found


def _models(wanted: list[dict[str, t.Any]], cache: Path) -> dict[str, t.Any]:
    """A repository that is not here will be fetched: there is nothing to say of it yet."""
    found: dict[str, t.Any] = {}
    for each in wanted:
        name, revision = each["model"], each["revision"]
        several = any(other["model"] == name and other["revision"] != revision for other in wanted)
        files = look_at(name, cache, revision)
        if files.found or name.startswith("/") or several:
            known = dataclasses.asdict(files) if files.found or name.startswith("/") else {}
            found[f"{name}@{revision}" if several and revision else name] = known
    return found


def _add_weights(result: dict[str, t.Any], looked: dict[str, t.Any]) -> None:
    weights = looked["weights"]
    result["weights_look"] = looked
    result["host_facts"]["model_revisions"] = told(looked)["model_revisions"]
    result["missing_weights"] = {
        key: each["problem"] for key, each in weights.items() if not each["complete"]
    }


def main() -> None:
    model_spec = {"model": {"type": "str", "required": True}, "revision": {"type": "str"}}
    module = AnsibleModule(
        argument_spec={
            "images": {"type": "list", "elements": "str", "default": []},
            "instances": {"type": "list", "elements": "str", "default": []},
            "devices": {"type": "list", "elements": "str", "default": []},
            "models": {"type": "list", "elements": "dict", "default": [], "options": model_spec},
            "weights": {"type": "list", "elements": "dict", "default": []},
            "paths": {"type": "list", "elements": "dict", "default": []},
            "cache": {"type": "path"},
            "state_dir": {"type": "path", "default": "/var/lib/vllm-fleet"},
        },
        supports_check_mode=True,
    )
    state_dir.normalise(module)
    cache = cache_of_the_host(module.params["cache"])
    try:
        models = _models(module.params["models"], cache)
        wanted = (module.params["images"], module.params["devices"], models, module.params["state_dir"])
        result = _look(runner(module), *wanted)
        _add_weights(result, look_at_all(cache, module.params["weights"], module.params["paths"], {}))
        names, state = module.params["instances"], module.params["state_dir"]
        result["parser_proofs"] = {name: memory_of(state, name) for name in names}
    except (HostError, OSError) as error:
        module.fail_json(msg=str(error))
    module.exit_json(changed=False, **result)


if __name__ == "__main__":
    main()
