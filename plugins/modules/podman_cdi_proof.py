#!/usr/bin/python

# GNU General Public License v3.0+ (see COPYING or https://www.gnu.org/licenses/gpl-3.0.txt)

"""The live proof that a container gets the GPUs it asks for."""

from __future__ import annotations

DOCUMENTATION = r"""
module: podman_cdi_proof
short_description: Prove with a container that the planned GPUs really arrive in it
version_added: 0.1.0
author:
  - The gpuops founders (@gpuops)
description:
  - Starts a short container of the planned image with the planned devices, without network, and looks from inside. It must have
    exactly the device nodes that the CDI spec gives for those devices, with the numbers that they have on the host.
  - Where the host has a driver, the GPUs are listed from inside, and CUDA is initialised, for C(nvidia-smi) alone does not use
    C(nvidia-uvm). This takes no memory of a GPU, so that a server may run meanwhile.
  - The image must be on the host and have Python, as every image of vLLM does. It needs neither a shell nor any other tool.
  - An image without Python is warned of, and nothing is proven.
  - The container ends by itself after two minutes, and leaves nothing, also where the run is broken off.
extends_documentation_fragment:
  - gpuops.vllm_fleet.attributes
attributes:
  check_mode:
    support: partial
    details: In check mode no container is started, and C(proven) is false.
  diff_mode:
    support: N/A
options:
  image:
    description: The image.
    type: str
    required: true
  devices:
    description: Full names of CDI devices, such as V(nvidia.com/gpu=0).
    type: list
    elements: str
    required: true
  podman_args:
    description: Further arguments for C(podman run), such as V(--security-opt=label=disable) where the server has it.
    type: list
    elements: str
    default: []
  state_dir:
    description: Where the collection keeps its state on the host; there it remembers which image a name stands for.
    type: path
    default: /var/lib/vllm-fleet
"""

EXAMPLES = r"""
- name: Prove that the GPUs arrive
  gpuops.vllm_fleet.podman_cdi_proof:
    image: docker.io/vllm/vllm-openai:v0.26.0
    devices: [nvidia.com/gpu=0, nvidia.com/gpu=1]
"""

RETURN = r"""
proven:
  description: Whether the container was seen to have what it asked for. The module fails where it was seen not to.
  type: bool
  returned: always
findings:
  description: What is wrong, as findings.
  type: list
  elements: dict
  returned: always
seen:
  description: What the container has, as nodes, uuids and cuda; null where none came up.
  type: dict
  returned: always
cuda_asked:
  description: Whether CUDA was initialised. It is not where the host has no driver.
  type: bool
  returned: always
"""

import typing as t

from ansible.module_utils.basic import AnsibleModule

from ..module_utils._host import state_dir
from ..module_utils._host.cdi_proof import CannotLookError, prove
from ..module_utils._host.command import HostError, runner
from ..module_utils._settings.finding import Finding


def _message(findings: t.Sequence[Finding]) -> str:
    """All that is wrong, and each remedy once."""
    remedies = dict.fromkeys(finding.fix for finding in findings if finding.fix)
    return f"{'; '.join(finding.message for finding in findings)}. To repair it: {'; '.join(remedies)}."


def main() -> None:
    module = AnsibleModule(
        argument_spec={
            "image": {"type": "str", "required": True},
            "devices": {"type": "list", "elements": "str", "required": True},
            "podman_args": {"type": "list", "elements": "str", "default": []},
            "state_dir": {"type": "path", "default": "/var/lib/vllm-fleet"},
        },
        supports_check_mode=True,
    )
    state_dir.normalise(module)
    params = module.params
    if module.check_mode:
        module.exit_json(changed=False, proven=False, findings=[], seen=None, cuda_asked=False)
    try:
        proof = prove(
            runner(module), params["image"], params["devices"], params["podman_args"], params["state_dir"]
        )
    except CannotLookError as why:
        module.warn(f"whether {', '.join(params['devices'])} arrive in a container was not proven: {why}")
        module.exit_json(changed=False, proven=False, findings=[], seen=None, cuda_asked=False)
    except HostError as error:
        module.fail_json(msg=str(error), proven=False, findings=[], seen=None, cuda_asked=False)
    findings = [finding.as_dict() for finding in proof.findings]
    result = {
        "proven": not findings,
        "findings": findings,
        "seen": proof.seen,
        "cuda_asked": proof.cuda_asked,
    }
    if findings:
        module.fail_json(
            msg=f"{params['image']} with {', '.join(params['devices'])}: {_message(proof.findings)}", **result
        )
    module.exit_json(changed=False, **result)


if __name__ == "__main__":
    main()
