#!/usr/bin/python

# GNU General Public License v3.0+ (see COPYING or https://www.gnu.org/licenses/gpl-3.0.txt)

"""The proof that the parser inside the planned image takes the planned command line."""

from __future__ import annotations

DOCUMENTATION = r"""
module: vllm_parser_proof
short_description: Have planned command lines parsed by the parser inside their images
version_added: 0.1.0
author:
  - The gpuops founders (@gpuops)
description:
  - Starts a short container of each planned image, without network and without GPUs, and has the parser of the vLLM inside read
    the planned command lines. Nothing is served, loaded or downloaded, and no server is touched.
  - Static tables make good messages, but only the image knows for certain what it takes. It may be another build than its tag
    says, or hold plug-ins that add options.
  - A refusal is a finding (C(image_refuses)) with the image's own words and what the tables of the collection know of the option,
    and the module fails. An image that cannot be asked is a warning (C(image_not_asked)).
  - Only the command line is parsed. Whether the server then starts is for its gate to see.
  - >-
    The parser of an image for GPUs needs a platform, and without a GPU it is given that of the CPU. What that one alone refuses,
    C(--mm-processor-device cuda), is let through.
  - What an image said is kept on the host, in C(parser_proof.json) below O(state_dir), and asked again only when the image, the
    command line or its environment differ. This memory is no change of the host.
extends_documentation_fragment:
  - gpuops.vllm_fleet.attributes
attributes:
  check_mode:
    support: full
    details: Images that are there are asked in check mode too, for that changes nothing. What they said is not kept.
  diff_mode:
    support: N/A
options:
  instances:
    description:
      - Instances as M(gpuops.vllm_fleet.vllm_plan) returns them. Those whose C(state) is V(present) are looked at.
    type: dict
    required: true
  host:
    description: The name of the host, for the findings.
    type: str
  timeout:
    description: How many seconds an image may take to answer.
    type: int
    default: 180
  seen:
    description:
      - What M(gpuops.vllm_fleet.vllm_host_info) told of this host a moment ago, asked for O(instances) and their images. Where it tells
        that the images took all the lines before, the host is not asked.
    type: dict
  state_dir:
    description: Where the collection keeps its state on the host.
    type: path
    default: /var/lib/vllm-fleet
"""

EXAMPLES = r"""
- name: Plan this host
  gpuops.vllm_fleet.vllm_plan:
  register: plan

- name: Have the planned command lines parsed by their images
  gpuops.vllm_fleet.vllm_parser_proof:
    instances: "{{ plan.instances }}"
    host: "{{ inventory_hostname }}"
"""

RETURN = r"""
answers:
  description: What was said of each instance, by its name.
  type: dict
  returned: always
  contains:
    verdict:
      description:
        - V(accepted), V(refused), V(not_asked) where the image could not be asked, or V(known_after_fetch) in check mode where it is
          not on the host yet.
      type: str
    message:
      description: The words of the parser, or why it could not be asked.
      type: str
    vllm_version:
      description: The vLLM that the image holds; empty where it is not known.
      type: str
    remembered:
      description: Whether the answer is one of an earlier run, so that no container was started.
      type: bool
findings:
  description: The same as findings, as M(gpuops.vllm_fleet.vllm_plan) returns them.
  type: list
  elements: dict
  returned: always
"""

import dataclasses
import typing as t

from ansible.module_utils.basic import AnsibleModule

from ..module_utils._host import state_dir
from ..module_utils._host.command import HostError, runner
from ..module_utils._host.parser_proof import Answer, lines_of, prove
from ..module_utils._plan.report import format_findings
from ..module_utils._settings.finding import Finding, has_errors, in_order
from ..module_utils._settings.image_verdict import not_asked, other_release, refusal

Planned = t.Mapping[str, t.Any]  # an instance as vllm_plan returns it


def _findings(instance: Planned, answer: Answer) -> list[Finding]:
    origins, planned = instance.get("origins") or {}, instance.get("version")
    found = []
    if answer.verdict == "refused":
        found += refusal(answer.message, instance["argv"], answer.vllm_version, planned, origins)
    if answer.verdict == "not_asked":
        found.append(not_asked(answer.message).at(value=instance["image"], origin=origins.get("image")))
    other = other_release(answer.vllm_version, planned, origins)
    return [*found, *([other] if other else [])]


def main() -> None:
    module = AnsibleModule(
        argument_spec={
            "instances": {"type": "dict", "required": True},
            "host": {"type": "str"},
            "timeout": {"type": "int", "default": 180},
            "seen": {"type": "dict"},  # of the action
            "state_dir": {"type": "path", "default": "/var/lib/vllm-fleet"},
        },
        supports_check_mode=True,
    )
    state_dir.normalise(module)
    params = module.params
    lines = lines_of(params["instances"])
    try:
        answers = prove(runner(module), lines, params["state_dir"], params["timeout"], module.check_mode)
    except HostError as error:
        module.fail_json(msg=str(error), answers={}, findings=[])
    findings = in_order(
        finding.at(host=params["host"], instance=answer.instance)
        for answer in answers
        for finding in _findings(params["instances"][answer.instance], answer)
    )
    told = {each.pop("instance"): each for each in map(dataclasses.asdict, answers)}
    result: dict[str, t.Any] = {"answers": told, "findings": [finding.as_dict() for finding in findings]}
    for finding in findings:
        if finding.severity == "warning":
            module.warn(f"{finding.host or ''} {finding.instance}: {finding.message} ({finding.fix})".strip())
    if has_errors(findings):
        errors = [finding for finding in findings if finding.severity == "error"]
        module.fail_json(msg=f"the image refuses what is planned\n{format_findings(errors)}", **result)
    module.exit_json(changed=False, **result)


if __name__ == "__main__":
    main()
