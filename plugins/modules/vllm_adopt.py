#!/usr/bin/python

# GNU General Public License v3.0+ (see COPYING or https://www.gnu.org/licenses/gpl-3.0.txt)

"""The documentation of the action of the same name."""

from __future__ import annotations

DOCUMENTATION = r"""
module: vllm_adopt
short_description: Write what somebody runs already as an inventory
version_added: 0.1.0
author:
  - The gpuops founders (@gpuops)
description:
  - Turns C(podman run) and C(docker run) lines, services of compose files, units of systemd and running containers into
    instances of the inventory, and shows them as YAML with everything there is to say about them.
  - Options of vLLM become O(gpuops.vllm_fleet.vllm_plan#module:vllm_instances) settings with their types, as the parser of
    the release that the image names reads them. The result is planned, and what the plan finds is shown as well.
  - Secrets are left out and named. Their values are never shown or written.
  - What an inventory has no word for is named, with what becomes of it.
  - Runs on the controller, contacts no host, and changes nothing but O(file).
extends_documentation_fragment:
  - gpuops.vllm_fleet.attributes
attributes:
  check_mode:
    support: full
  diff_mode:
    support: N/A
options:
  path:
    description:
      - A file of the control node. A script, a pasted command line, a compose file, a C(.container) or C(.service) unit, or
        what C(podman inspect) printed; they are told apart by what is in them.
      - Files that it names for the environment, and C(.env), are read where they lie beside it.
    type: path
  service:
    description: The service of a compose file; all that run vLLM if unset.
    type: str
  variables:
    description:
      - Values for variables of the shell or of compose, such as C(MODEL). C(HOME) and C(PWD) are those of whoever starts the
        container.
    type: dict
    default: {}
  folder:
    description: The folder on the host that relative paths begin in; that of O(path) if unset.
    type: str
  image:
    description: The image for servers that run without a container.
    type: str
  containers:
    description: Containers as M(gpuops.vllm_fleet.vllm_container_info) returns them.
    type: list
    elements: dict
  host:
    description: The host they run on, for messages.
    type: str
  file:
    description: A new file on the control node for the YAML. One that is there already is not overwritten.
    type: path
"""

EXAMPLES = r"""
- name: Show a script as inventory
  gpuops.vllm_fleet.vllm_adopt:
    path: run.sh
    variables: {HOME: /home/llm}
"""

RETURN = r"""
snippet:
  description: The YAML for C(host_vars).
  type: str
  returned: always
instances:
  description: The instances by name, as in the YAML.
  type: dict
  returned: always
secrets:
  description: What was left out, as key of C(vllm_secrets), variable and the place where it stood.
  type: list
  elements: dict
  returned: always
findings:
  description: What is to be said, in the form of the findings of M(gpuops.vllm_fleet.vllm_plan).
  type: list
  elements: dict
  returned: always
valid:
  description: Whether it could be released as it stands.
  type: bool
  returned: always
"""
