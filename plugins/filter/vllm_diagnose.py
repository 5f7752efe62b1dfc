# GNU General Public License v3.0+ (see COPYING or https://www.gnu.org/licenses/gpl-3.0.txt)
from __future__ import annotations

DOCUMENTATION = r"""
name: vllm_diagnose
short_description: Say why a vLLM server did not start, from its log
version_added: 0.1.0
author:
  - The gpuops founders (@gpuops)
description:
  - Looks in the log of a vLLM server, of its container or of its unit for the line that says why it failed.
  - Prefixes of journal, compose, process, rank and time may stand in the log.
options:
  _input:
    description: The log, as text or as a list of lines.
    type: raw
    required: true
"""

EXAMPLES = r"""
- name: What went wrong
  ansible.builtin.debug:
    msg: "{{ (log | gpuops.vllm_fleet.vllm_diagnose).remedy }}"
  vars:
    log: >-
      ValueError: User-specified max_model_len (131072) is greater than the derived max_model_len
      (max_position_embeddings=8192 or model_max_length=None in model's config.json).
# => "Set max_model_len: 8192 or lower. …"
"""

RETURN = r"""
_value:
  description: The diagnosis.
  type: dict
  contains:
    failure_class:
      description: The kind of failure, C(unknown) when no line is known. All classes stand in docs/diagnosis.md.
      type: str
      sample: max_model_len_above_model
    cause:
      description: Why the server failed.
      type: str
    remedy:
      description: What to change, with figures from the line where it has any.
      type: str
    line:
      description: The line that says so, without its prefixes; empty when there is none.
      type: str
"""

import typing as t

from ansible.errors import AnsibleFilterError

from ..module_utils._diagnosis.diagnose import diagnose
from ..plugin_utils.plain import to_plain


def vllm_diagnose(log: t.Any) -> dict[str, str]:
    log = to_plain(log)
    if isinstance(log, list):
        log = "\n".join(map(str, log))
    if not isinstance(log, str):
        raise AnsibleFilterError(f"vllm_diagnose takes a log as text or as a list of lines, not {log!r}")
    return diagnose(log).as_dict()


class FilterModule:
    def filters(self) -> dict[str, t.Callable[..., t.Any]]:
        return {"vllm_diagnose": vllm_diagnose}
