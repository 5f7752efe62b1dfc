#!/usr/bin/python
# GNU General Public License v3.0+ (see COPYING or https://www.gnu.org/licenses/gpl-3.0.txt)
from __future__ import annotations

DOCUMENTATION = r"""
module: vllm_diagnose
short_description: Say why an instance of vLLM does not serve, from its journal
version_added: 0.1.0
author:
  - The gpuops founders (@gpuops)
description:
  - Reads the journal of an instance's unit on the host and looks for the line that says why the server failed.
  - The newest start of the unit counts; one that has said nothing yet is passed over for the one before.
attributes:
  check_mode:
    support: full
    description: Nothing is changed in any mode.
  diff_mode:
    support: none
    description: There is nothing to compare.
options:
  instance:
    description: Name of the instance. Its unit is C(vllm-<instance>.service).
    type: str
    required: true
  lines:
    description: How many of the last lines of the journal to read.
    type: int
    default: 10000
seealso:
  - plugin: gpuops.vllm_fleet.vllm_diagnose
    plugin_type: filter
"""

EXAMPLES = r"""
- name: Why it does not serve
  gpuops.vllm_fleet.vllm_diagnose:
    instance: qwen
  register: found

- name: Say it
  ansible.builtin.debug:
    msg: "{{ found.cause }} {{ found.remedy }}"
"""

RETURN = r"""
failure_class:
  description: The kind of failure, C(unknown) when no line is known. All classes stand in docs/diagnosis.md.
  returned: success
  type: str
  sample: kv_cache_too_small_for_max_model_len
cause:
  description: Why the server failed.
  returned: success
  type: str
remedy:
  description: What to change, with figures from the line where it has any.
  returned: success
  type: str
line:
  description: The line that says so, without its prefixes; empty when there is none.
  returned: success
  type: str
unit:
  description: The unit whose journal was read.
  returned: success
  type: str
  sample: vllm-qwen.service
starts:
  description: How many starts of the unit the lines that were read belong to.
  returned: success
  type: int
"""


from ansible.module_utils.basic import AnsibleModule

from ..module_utils._diagnosis.diagnose import diagnose_starts
from ..module_utils._host.command import HostError, runner
from ..module_utils._host.journal import MOST_LINES, read_starts
from ..module_utils._release.names import NAME


def main() -> None:
    module = AnsibleModule(
        argument_spec={
            "instance": {"type": "str", "required": True},
            "lines": {"type": "int", "default": MOST_LINES},
        },
        supports_check_mode=True,
    )
    instance, lines = module.params["instance"], module.params["lines"]
    if not NAME.fullmatch(instance):
        module.fail_json(
            msg=f"instance: {instance} is no name of an instance (small letters, digits, dashes)"
        )
    if lines < 1:
        module.fail_json(msg=f"lines: {lines} is below 1")
    unit = f"vllm-{instance}.service"
    try:
        starts = read_starts(runner(module), unit, lines)
    except HostError as error:
        module.fail_json(msg=str(error))
    module.exit_json(changed=False, unit=unit, starts=len(starts), **diagnose_starts(starts).as_dict())


if __name__ == "__main__":
    main()
