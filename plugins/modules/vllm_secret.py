#!/usr/bin/python

# GNU General Public License v3.0+ (see COPYING or https://www.gnu.org/licenses/gpl-3.0.txt)

"""The Podman secrets of one instance."""

from __future__ import annotations

DOCUMENTATION = r"""
module: vllm_secret
short_description: The Podman secrets that a vLLM instance is given, one for each version of a value
version_added: 0.1.0
author:
  - The gpuops founders (@gpuops)
description:
  - Makes a Podman secret C(vllm-<instance>-<key>-<version>) for each value that this host does not hold yet.
  - The version is a short hash of the value, keyed with a salt that never leaves the host. So another value is another
    secret, the unit that names it is another unit, and the previous secret is still there for the previous unit.
  - A value that is empty, or that begins or ends with a blank or a line break, is refused. Vault blocks often end with one,
    and no client can send such an API key.
  - Values go to Podman by standard input. They never reach a command line, a unit, a log or a result.
extends_documentation_fragment:
  - gpuops.vllm_fleet.attributes
attributes:
  check_mode:
    support: full
  diff_mode:
    support: none
options:
  name:
    description: The name of the instance.
    type: str
    required: true
  values:
    description: The values by their keys in C(vllm_secrets).
    type: dict
    required: true
  state_dir:
    description: Where the collection keeps its state on the host, its salt among it.
    type: path
    default: /var/lib/vllm-fleet
"""

EXAMPLES = r"""
- name: Give qwen its token
  gpuops.vllm_fleet.vllm_secret:
    name: qwen
    values:
      hf: "{{ vllm_secrets.hf }}"
"""

RETURN = r"""
versions:
  description: The version of each value by its key; empty in check mode on a host that has no salt yet.
  type: dict
  returned: always
  sample: {hf: 1f2e3d4c}
created:
  description: The names of the secrets that were (in check mode would be) made.
  type: list
  elements: str
  returned: always
"""

from ansible.module_utils.basic import AnsibleModule

from ..module_utils._host import state_dir
from ..module_utils._host.command import HostError, runner
from ..module_utils._host.secrets import create, exists, salt_of, versions
from ..module_utils._release.secret import secret_name, why_unusable


def main() -> None:
    module = AnsibleModule(
        argument_spec={
            "name": {"type": "str", "required": True},
            "values": {"type": "dict", "required": True, "no_log": True},
            "state_dir": {"type": "path", "default": "/var/lib/vllm-fleet"},
        },
        supports_check_mode=True,
    )
    state_dir.normalise(module)
    instance, values = (
        module.params["name"],
        {key: str(text) for key, text in module.params["values"].items()},
    )
    wrong = [f"vllm_secrets.{key}: {why}" for key, text in values.items() if (why := why_unusable(text))]
    if wrong:
        module.fail_json(msg=f"{instance}: {'; '.join(wrong)}")
    run = runner(module)
    try:
        salt = salt_of(module.params["state_dir"], make=not module.check_mode)
        if salt is None:
            module.exit_json(changed=True, versions={}, created=[])
        found = versions(values, salt)
        names = {key: secret_name(instance, key, version) for key, version in found.items()}
        missing = [key for key, name in names.items() if not exists(run, name)]
        for key in missing if not module.check_mode else []:
            create(run, names[key], instance, values[key])
    except (HostError, OSError) as error:
        module.fail_json(msg=f"{instance}: {error}")
    module.exit_json(changed=bool(missing), versions=found, created=sorted(names[key] for key in missing))


if __name__ == "__main__":
    main()
