# GNU General Public License v3.0+ (see COPYING or https://www.gnu.org/licenses/gpl-3.0.txt)

"""Tells which servers may be sent requests again."""

from __future__ import annotations

DOCUMENTATION = r"""
name: vllm_back_in_service
short_description: Tell which servers of a host may be sent requests again after a release
positional: drained
version_added: 0.1.0
author:
  - The gpuops founders (@gpuops)
description:
  - A server may when its release was accepted, when it serves again after an undo, or when it was taken out of service and
    nothing was done with it.
options:
  _input:
    description: What the release came to, as M(gpuops.vllm_fleet.vllm_gate) returns it in C(outcome).
    type: dict
    required: true
  drained:
    description: The servers that were taken out of service before.
    type: list
    elements: str
    default: []
"""

EXAMPLES = r"""
- name: Take the servers back into service
  ansible.builtin.include_tasks: undrain.yml
  loop: "{{ gates.outcome | gpuops.vllm_fleet.vllm_back_in_service(foreseen.stops) }}"
"""

RETURN = r"""
_value:
  description: Their names.
  type: list
  elements: str
"""

import typing as t

from ansible.errors import AnsibleFilterError

from ..module_utils._release.service import back_in_service
from ..plugin_utils.plain import to_plain


def vllm_back_in_service(outcome: t.Any, drained: t.Any = ()) -> list[str]:
    if not isinstance(outcome, t.Mapping) or not all(
        isinstance(each, t.Mapping) for each in outcome.values()
    ):
        raise AnsibleFilterError("vllm_back_in_service takes the outcome as vllm_gate returns it")
    return back_in_service(to_plain(outcome), to_plain(list(drained)))


class FilterModule:
    """The filter, under its name."""

    def filters(self) -> dict[str, t.Callable[..., t.Any]]:
        return {"vllm_back_in_service": vllm_back_in_service}
