#!/usr/bin/python

# GNU General Public License v3.0+ (see COPYING or https://www.gnu.org/licenses/gpl-3.0.txt)

"""One look, or a short watch, at a vLLM server from the host it runs on."""

from __future__ import annotations

DOCUMENTATION = r"""
module: vllm_probe
short_description: Look at a vLLM server from its own host, down to real tokens
version_added: 0.1.0
author:
  - The gpuops founders (@gpuops)
description:
  - Asks systemd about the unit of one instance, then C(/health), then C(/v1/models), then for a few tokens, each only when
    the one before was good.
  - With O(watch) it goes on looking until the state is another one, or final, or the time is over, so that a controller
    that polls learns of a change at once and with few connections.
  - A server that wants an API key gets the one that its own process was started with, which is read on the host and stays
    there. With C(ssl_certfile) in its settings it is asked by HTTPS.
  - It changes nothing, so it runs in check mode too.
extends_documentation_fragment:
  - gpuops.vllm_fleet.attributes
attributes:
  check_mode:
    support: full
  diff_mode:
    support: N/A
options:
  name:
    description: The name of the instance; its unit is C(vllm-<name>.service).
    type: str
    required: true
  url:
    description: Where the server listens, as seen from its own host.
    type: str
    required: true
  served_names:
    description: Exactly the names that the server is to serve.
    type: list
    elements: str
    required: true
  kind:
    description:
      - The kind of request that must bring something back.
      - V(auto) takes the first of completion, chat, embedding, score that this server has.
    type: str
    choices: [auto, completion, chat, embedding, score]
    default: auto
  restarts:
    description:
      - Automatic restarts of the unit that belong to the past; one more means that the server loops.
      - By default those that the first look finds, so that a server which ended once and serves again is not held to loop.
    type: int
  known_state:
    description: With O(watch), come back as soon as the state is not this one.
    type: str
  watch:
    description: Seconds to go on looking. V(0) looks once.
    type: float
    default: 0
  request_timeout:
    description: Seconds that one request may take.
    type: float
    default: 30
  log_lines:
    description: Lines of the unit's log that come with a state that will not get better.
    type: int
    default: 30
"""

EXAMPLES = r"""
- name: See whether the server gives tokens
  gpuops.vllm_fleet.vllm_probe:
    name: qwen
    url: http://127.0.0.1:8000
    served_names: [Qwen/Qwen3-0.6B]
"""

RETURN = r"""
state:
  description:
    - What the server is doing.
    - Final are C(serving) and, for worse, C(absent), C(failed), C(looping), C(stopped), C(wrong_model).
    - The others are C(starting), C(loading), C(unhealthy), C(no_tokens).
  type: str
  returned: always
restarts:
  description: The automatic restarts that belong to the past, to be given to the next look as O(restarts).
  type: int
  returned: always
final:
  description: Whether waiting longer is of no use.
  type: bool
  returned: always
serving:
  description: Whether the server gives tokens under exactly the planned names.
  type: bool
  returned: always
message:
  description: The state in words.
  type: str
  returned: always
vllm_version:
  description: The version as the server itself says it; null until it serves.
  type: str
  returned: always
answer:
  description: The request for tokens, as kind, tokens and seconds; null until one was made.
  type: dict
  returned: always
seen_at:
  description: When this was seen, in seconds on the host's monotonic clock.
  type: float
  returned: always
started_at:
  description: When the unit last left the state inactive, in seconds on the host's monotonic clock.
  type: float
  returned: always
diagnosis:
  description:
    - What the log says of the cause, as M(gpuops.vllm_fleet.vllm_diagnose) returns it.
    - Null where the state may still get better, or the journal has nothing of the unit.
  type: dict
  returned: always
log:
  description: The last lines of the unit's log, where the state will not get better.
  type: list
  elements: str
  returned: always
"""

from ansible.module_utils.basic import AnsibleModule

from ..module_utils._host.command import HostError, runner
from ..module_utils._host.container_process import api_key
from ..module_utils._host.gate import Probe, seen
from ..module_utils._host.http import KINDS, Server


def main() -> None:
    module = AnsibleModule(
        argument_spec={
            "name": {"type": "str", "required": True},
            "url": {"type": "str", "required": True},
            "served_names": {"type": "list", "elements": "str", "required": True},
            "kind": {"type": "str", "choices": ["auto", *KINDS], "default": "auto"},
            "restarts": {"type": "int"},
            "known_state": {"type": "str"},
            "watch": {"type": "float", "default": 0},
            "request_timeout": {"type": "float", "default": 30},
            "log_lines": {"type": "int", "default": 30},
        },
        supports_check_mode=True,
    )
    params = module.params
    if not params["served_names"]:
        module.fail_json(msg=f"{params['name']}: served_names is empty, so no answer could be right")
    run, container = runner(module), f"vllm-{params['name']}"
    probe = Probe(
        run,
        Server(params["url"], params["request_timeout"], lambda: api_key(run, container)),
        f"{container}.service",
        tuple(params["served_names"]),
        params["kind"],
        params["restarts"],
    )
    try:
        probe, look, verdict = probe.watch(params["known_state"], params["watch"])
    except HostError as error:
        module.fail_json(msg=f"{params['name']}: {error}")
    module.exit_json(changed=False, **seen(probe, look, verdict, params["log_lines"]))


if __name__ == "__main__":
    main()
