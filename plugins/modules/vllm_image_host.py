#!/usr/bin/python

# GNU General Public License v3.0+ (see COPYING or https://www.gnu.org/licenses/gpl-3.0.txt)

"""The steps of vllm_image on the host: look, resolve, pull or load, watch, keep."""

from __future__ import annotations

DOCUMENTATION = r"""
module: vllm_image_host
short_description: One step of bringing an image to a host
version_added: 0.1.0
author:
  - The gpuops founders (@gpuops)
description:
  - What M(gpuops.vllm_fleet.vllm_image) does on a host, one step at a time. Only V(look) and V(prune) are for playbooks.
  - A pull, and the loading of an archive, is a transient unit of systemd, so that it goes on when the connection is lost.
  - Logins lie in a file in memory that only root reads, and that goes with its pull. They are never arguments of a program.
extends_documentation_fragment:
  - gpuops.vllm_fleet.attributes
attributes:
  check_mode:
    support: partial
    details: V(look) and V(watch) run in check mode; the other steps are not to be called there.
  diff_mode:
    support: partial
    details: Of the file that O(registries_conf) is.
options:
  step:
    description:
      - V(look) tells which images are there and what they are known by, and has O(registries_conf) in place.
      - V(resolve) asks for the digest of a tag.
      - V(pull) and V(load) look for room, begin, and watch as V(watch) does. One that goes on already is joined.
      - V(watch) waits O(seconds) and tells how far it is; V(stop) ends it.
      - V(keep) checks what came, gives it the name of O(image), and remembers it.
      - V(receive) appends O(piece) to a copy of an archive.
      - V(prune) removes images of ours that neither O(planned) nor any release needs.
    type: str
    choices: [look, resolve, pull, load, watch, stop, keep, receive, prune]
    required: true
  state_dir:
    description: Where the state of a host is kept.
    type: path
    default: /var/lib/vllm-fleet
  images:
    description: References, for V(look).
    type: list
    elements: str
    default: []
  image:
    description: The reference as the plan writes it.
    type: str
  digest:
    description: The digest to pull, or that came.
    type: str
  image_id:
    description: The ID that the image of an archive has.
    type: str
  archive:
    description: The path of an archive on this host.
    type: path
  piece:
    description: A file on this host that holds the next part of an archive.
    type: path
  offset:
    description: Where that part begins.
    type: int
    default: 0
  size:
    description: How large the archive is, for V(receive).
    type: int
    default: 0
  sources:
    description: Where the image may come from, in order.
    type: list
    elements: dict
    default: []
    suboptions:
      location:
        description: Registry and name.
        type: str
        required: true
      insecure:
        description: Whether it speaks plain HTTP.
        type: bool
        default: false
  logins:
    description: What the registries want to see.
    type: list
    elements: dict
    default: []
    suboptions:
      location:
        description: The registry, or a part of it.
        type: str
        required: true
      username:
        description: The user.
        type: str
      password:
        description: Its password.
        type: str
      podman_secret:
        description: A secret of Podman on this host that holds the password.
        type: str
      auth_file:
        description: An auth file on this host.
        type: path
  registries_conf:
    description:
      - The text of the drop-in for C(/etc/containers/registries.conf.d). Empty removes it; not given leaves it.
    type: str
  unpack_factor:
    description: How many times its size a packed layer is when it is unpacked.
    type: float
    default: 2.5
  seconds:
    description: How long an end is waited for.
    type: float
    default: 5
  planned:
    description: The references of the plan, for V(prune).
    type: list
    elements: str
    default: []
  kept:
    description:
      - For V(prune), by instance the numbers of the releases whose images stay.
      - The images of the other releases of these instances go. Instances that are not named keep theirs.
    type: dict
    default: {}
"""

EXAMPLES = r"""
- name: See which images are there
  gpuops.vllm_fleet.vllm_image_host:
    step: look
    images: [docker.io/vllm/vllm-openai:v0.26.0]
"""

RETURN = r"""
images:
  description: By reference, identity, image_id and way of each image that is there.
  type: dict
  returned: for V(look)
podman_version:
  description: The version of Podman; null where there is none.
  type: str
  returned: for V(look)
platform:
  description: The architecture of this host, as images name it; null where there is no Podman.
  type: str
  returned: for V(look)
remembered:
  description: By reference, the identity of each image that came here once, whether it is still here or not.
  type: dict
  returned: for V(look)
trouble:
  description: Why the step did not succeed, as code, message, fix and again; null where it did.
  type: dict
  returned: for the steps of one image
digest:
  description: What the tag names now.
  type: str
  returned: for V(resolve)
job:
  description: How far the job is, as code, done_bytes, total_bytes, busy_seconds and said.
  type: dict
  returned: for V(pull), V(load) and V(watch)
actions:
  description: What was done.
  type: list
  elements: str
  returned: for V(look) with O(registries_conf), and V(prune)
identity:
  description: What the image is known by from now on.
  type: str
  returned: for V(keep)
"""

import time
import typing as t

from ansible.module_utils.basic import AnsibleModule

from ..module_utils._host import state_dir
from ..module_utils._host.command import HostError, runner
from ..module_utils._host.image_steps import STEPS, Asked, Steps

SPEC: dict[str, t.Any] = {
    "step": {"type": "str", "choices": list(STEPS), "required": True},
    "state_dir": {"type": "path", "default": "/var/lib/vllm-fleet"},
    "images": {"type": "list", "elements": "str", "default": []},
    "image": {"type": "str"},
    "digest": {"type": "str"},
    "image_id": {"type": "str"},
    "archive": {"type": "path"},
    "piece": {"type": "path"},
    "offset": {"type": "int", "default": 0},
    "size": {"type": "int", "default": 0},
    "sources": {
        "type": "list",
        "elements": "dict",
        "default": [],
        "options": {
            "location": {"type": "str", "required": True},
            "insecure": {"type": "bool", "default": False},
        },
    },
    "logins": {
        "type": "list",
        "elements": "dict",
        "default": [],
        "options": {
            "location": {"type": "str", "required": True},
            "username": {"type": "str"},
            "password": {"type": "str", "no_log": True},
            "podman_secret": {"type": "str", "no_log": False},
            "auth_file": {"type": "path"},
        },
    },
    "registries_conf": {"type": "str"},
    "unpack_factor": {"type": "float", "default": 2.5},
    "seconds": {"type": "float", "default": 5},
    "planned": {"type": "list", "elements": "str", "default": []},
    "kept": {"type": "dict", "default": {}},
}


def main() -> None:
    module = AnsibleModule(argument_spec=SPEC, supports_check_mode=True)
    state_dir.normalise(module)
    given = {key: value for key, value in module.params.items() if key != "step"}
    run = runner(module)
    try:
        steps = Steps(run, Asked(**given), module.check_mode, time)
        result = getattr(steps, module.params["step"])()
    except HostError as error:
        module.fail_json(msg=str(error))
    module.exit_json(**{"changed": False, **result})


if __name__ == "__main__":
    main()
