#!/usr/bin/python

# GNU General Public License v3.0+ (see COPYING or https://www.gnu.org/licenses/gpl-3.0.txt)

"""The documentation of the action of the same name."""

from __future__ import annotations

DOCUMENTATION = r"""
module: vllm_gate
short_description: Wait until the vLLM servers of a host give real tokens under their planned names
version_added: 0.1.0
author:
  - The gpuops founders (@gpuops)
description:
  - With O(decisions) it follows a transaction that M(gpuops.vllm_fleet.vllm_release) began on the host, to acceptance or
    back, gates every instance that nothing was to be done with, and returns what became of each. It does not fail then.
  - With O(name) it polls M(gpuops.vllm_fleet.vllm_probe) on the host until one server gives tokens, or until waiting is of
    no use any more. It ends at once, with the last lines of the log, when the unit has failed, loops, has stopped, or
    serves other names.
  - While it waits, it tells on standard error when the state changes, with at most one line for a host in ten seconds.
  - A connection that is lost meanwhile is tried again until the time is over.
extends_documentation_fragment:
  - gpuops.vllm_fleet.attributes
attributes:
  check_mode:
    support: full
    details: In check mode it looks at a server that is to stay as it is, and is skipped where a start was only predicted.
  diff_mode:
    support: N/A
options:
  name:
    description: The name of the instance. This or O(decisions) is needed.
    type: str
  url:
    description: With O(name), where the server listens, as seen from its own host.
    type: str
  served_names:
    description: With O(name), exactly the names that the server is to serve.
    type: list
    elements: str
  kind:
    description: The kind of request that must bring something back, as for M(gpuops.vllm_fleet.vllm_probe).
    type: str
    default: auto
  timeout:
    description:
      - With O(name), seconds until the gate stays shut for good.
      - With O(address), seconds that the host waits for the control node's word. A server that does not answer the
        control node is asked again for half of them.
    type: float
    default: 1200
  restarts:
    description:
      - Automatic restarts of the unit that belong to the past.
      - By default none with O(began_at), else those that the first look finds.
    type: int
  began_at:
    description: When the start was queued, in seconds on the host's monotonic clock; absent where nothing was started.
    type: float
  stopped_at:
    description: When service ended, in seconds on the host's monotonic clock; absent where nothing was serving.
    type: float
  decisions:
    description: What M(gpuops.vllm_fleet.vllm_release) decided for each instance.
    type: list
    elements: dict
  serving:
    description: What M(gpuops.vllm_fleet.vllm_release) saw of servers that stay as they are; they are not asked again.
    type: dict
    default: {}
  transaction:
    description: The transaction that it began; absent where there was nothing to do.
    type: str
  instances:
    description: With O(decisions), the instances of the host's bound plan.
    type: dict
    default: {}
  state_dir:
    description: Where the collection keeps its state on the host.
    type: path
    default: /var/lib/vllm-fleet
  lost_seconds:
    description: How long the host may be out of reach before it is given up. It goes on by itself.
    type: float
    default: 300
  address:
    description:
      - The host as it is reached from the control node. With it the servers are also asked from here when the
        transaction waits for that.
    type: str
  validate_certs:
    description:
      - With O(address), whether the certificate of a server with TLS is held against that address. Without, whoever stands
        between could read the API key.
    type: bool
    default: true
  ca_path:
    description: With O(address), a file on the control node with further authorities that certificates may come from.
    type: path
  secrets:
    description: With O(address), the C(vllm_secrets) of the inventory, for servers that want an API key.
    type: dict
    default: {}
"""

EXAMPLES = r"""
- name: Wait for tokens
  gpuops.vllm_fleet.vllm_gate:
    name: qwen
    url: http://127.0.0.1:8000
    served_names: [Qwen/Qwen3-0.6B]
    timeout: 900

- name: Follow what the host was asked to do
  gpuops.vllm_fleet.vllm_gate:
    transaction: "{{ begun.transaction | default(omit, true) }}"
    decisions: "{{ begun.decisions }}"
    instances: "{{ plan.instances }}"
"""

RETURN = r"""
outcome:
  description:
    - By instance what was done and what became of it, as instance, action, reason, changes, pending, from, problem, gate,
      undone and actions.
  type: dict
  returned: with O(decisions)
problems:
  description: What went wrong, for people.
  type: list
  elements: str
  returned: with O(decisions)
state:
  description: The last state seen, as M(gpuops.vllm_fleet.vllm_probe) names them, or C(out of reach).
  type: str
  returned: when the server was looked at
message:
  description: The state in words.
  type: str
  returned: when the server was looked at
serving:
  description: Whether the gate has opened.
  type: bool
  returned: when the server was looked at
vllm_version:
  description: The version as the server itself says it.
  type: str
  returned: when the server was looked at
answer:
  description: The request for tokens, as kind, tokens and seconds.
  type: dict
  returned: when the server was looked at
diagnosis:
  description: What the log says of the cause, where the gate was shut at once.
  type: dict
  returned: when the server was looked at
seconds_until_ready:
  description: From the start job to the gate's opening, on the host's monotonic clock; null where nothing was started.
  type: float
  returned: when the server was looked at
seconds_without_service:
  description: From the stop job to the gate's opening, on the host's monotonic clock; null where nothing was serving before.
  type: float
  returned: when the server was looked at
"""
