# GNU General Public License v3.0+ (see COPYING or https://www.gnu.org/licenses/gpl-3.0.txt)

"""Takes the last of several looks at a host."""

from __future__ import annotations

DOCUMENTATION = r"""
name: vllm_host_seen
short_description: Take the last look at a host, where it still holds
positional: brought
version_added: 0.1.0
author:
  - The gpuops founders (@gpuops)
description:
  - Of several results of M(gpuops.vllm_fleet.vllm_host_info), takes the last that told anything, so that the host is not
    asked again for what is known.
options:
  _input:
    description: The results, oldest first. Those of tasks that were skipped, or that found no host, are passed over.
    type: list
    elements: dict
    required: true
  brought:
    description:
      - Results of what has been done since to bring images and weights.
      - When it is given, a look holds only if nothing was missing then, and nothing has come since.
    type: list
    elements: dict
"""

EXAMPLES = r"""
- name: Plan with what was seen of the host
  gpuops.vllm_fleet.vllm_plan:
    host_facts: "{{ ([first, again] | gpuops.vllm_fleet.vllm_host_seen).host_facts }}"
"""

RETURN = r"""
_value:
  description: The look; empty where there is none that holds.
  type: dict
"""

import typing as t

from ansible.errors import AnsibleFilterError

from ..plugin_utils.host_look import last_look, still_holds


def vllm_host_seen(looks: t.Any, brought: t.Any = None) -> t.Any:
    if not isinstance(looks, t.Sequence) or not all(
        isinstance(each, t.Mapping) for each in [*looks, *(brought or [])]
    ):
        raise AnsibleFilterError("vllm_host_seen takes lists of results")
    seen = last_look(looks)
    return seen if brought is None or still_holds(seen, brought) else {}


class FilterModule:
    """The filter, under its name."""

    def filters(self) -> dict[str, t.Callable[..., t.Any]]:
        return {"vllm_host_seen": vllm_host_seen}
