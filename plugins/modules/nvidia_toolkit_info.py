#!/usr/bin/python

# GNU General Public License v3.0+ (see COPYING or https://www.gnu.org/licenses/gpl-3.0.txt)

"""What a host has of the NVIDIA container toolkit, and what it takes to have it in one version."""

from __future__ import annotations

DOCUMENTATION = r"""
module: nvidia_toolkit_info
short_description: Tell what a host has of the NVIDIA container toolkit, and what is to be done about it
version_added: 0.1.0
author:
  - The gpuops founders (@gpuops)
description:
  - Looks at the packages of the toolkit, which must all be of one version, and at the programs that they bring.
  - A version that cannot work on this host is refused with the reason.
extends_documentation_fragment:
  - gpuops.vllm_fleet.attributes
attributes:
  check_mode:
    support: full
  diff_mode:
    support: N/A
options:
  version:
    description: The version that is wanted, such as V(1.20.0).
    type: str
    required: true
  family:
    description: The family of the distribution, as Ansible names it.
    type: str
    required: true
  distribution:
    description: The distribution, as Ansible names it.
    type: str
    default: ""
  distribution_major_version:
    description: Its major version.
    type: str
    default: "0"
  fips:
    description: Whether the host is in FIPS mode, in which rpm refuses packages without a digest.
    type: bool
    default: false
  full:
    description: Whether the whole set is wanted. Podman with CDI needs only the base package.
    type: bool
    default: false
  own_repository:
    description: Whether the repository is managed, so that files of older instructions contradict it.
    type: bool
    default: true
  keep:
    description: Files whose text is wanted, so that they can be put back when something goes wrong.
    type: list
    elements: path
    default: []
  files:
    description: Local package files that are to be installed.
    type: list
    elements: path
    default: []
"""

EXAMPLES = r"""
- name: Look at the toolkit
  gpuops.vllm_fleet.nvidia_toolkit_info:
    version: 1.20.0
    family: "{{ ansible_facts['os_family'] }}"
  register: toolkit
"""

RETURN = r"""
state:
  description: One of V(ready), V(missing), V(older), V(newer), V(mixed), V(damaged).
  type: str
  returned: success
message:
  description: The state in words.
  type: str
  returned: success
installed:
  description: The packages of the set that are installed, with their versions.
  type: dict
  returned: success
names:
  description: The packages that belong on this host.
  type: list
  elements: str
  returned: success
specs:
  description: The same with their version, as the package manager takes them.
  type: list
  elements: str
  returned: success
legacy_files:
  description: Files of older instructions that are there and are in the way.
  type: list
  elements: str
  returned: success
kept:
  description:
    - Each file of O(keep), and each repository file among RV(legacy_files), as path and text. The text is null where there is no
      such file.
  type: list
  elements: dict
  returned: success
file_command:
  description: The command that installs O(files); empty without them.
  type: list
  elements: str
  returned: success
reinstall_command:
  description: The command that brings back files of an installed package.
  type: list
  elements: str
  returned: success
"""

import typing as t

from ansible.module_utils.basic import AnsibleModule

from ..module_utils._host import toolkit
from ..module_utils._host.command import HostError, Run, runner
from ..module_utils._toolkit import packages


def _refusal(params: t.Mapping[str, t.Any]) -> str | None:
    major = params["distribution_major_version"]
    return packages.refusal(
        params["version"],
        params["family"],
        params["distribution"],
        int(major) if major.isdigit() else 0,
        params["fips"],
    )


def _packages(run: Run, params: t.Mapping[str, t.Any]) -> dict[str, t.Any]:
    """What is installed, and the commands that bring what is lacking."""
    family, files = params["family"], params["files"]
    installed = toolkit.installed(run, family)
    judgement = packages.judge(installed, toolkit.programs(), params["version"], family, params["full"])
    return {
        "state": judgement.state,
        "message": judgement.message,
        "installed": installed,
        "names": list(judgement.names),
        "specs": list(judgement.specs),
        "file_command": packages.file_command(family, files) if files else [],
        "reinstall_command": packages.reinstall_command(family, judgement.specs),
    }


def _files(params: t.Mapping[str, t.Any]) -> dict[str, t.Any]:
    """What older instructions left, and the text of what may have to be put back."""
    family, own = params["family"], params["own_repository"]
    keep = [*params["keep"], *toolkit.present(packages.legacy_repositories(family, own))]
    return {
        "legacy_files": toolkit.present(packages.legacy_files(family, own)),
        "kept": [{"path": path, "text": toolkit.text(path)} for path in keep],
    }


def main() -> None:
    module = AnsibleModule(
        argument_spec={
            "version": {"type": "str", "required": True},
            "family": {"type": "str", "required": True},
            "distribution": {"type": "str", "default": ""},
            "distribution_major_version": {"type": "str", "default": "0"},
            "fips": {"type": "bool", "default": False},
            "full": {"type": "bool", "default": False},
            "own_repository": {"type": "bool", "default": True},
            "keep": {"type": "list", "elements": "path", "default": []},
            "files": {"type": "list", "elements": "path", "default": []},
        },
        supports_check_mode=True,
    )
    reason = _refusal(module.params)
    if reason is not None:
        module.fail_json(msg=reason)
    try:
        found = _packages(runner(module), module.params)
    except HostError as error:
        module.fail_json(msg=str(error))
    module.exit_json(changed=False, **found, **_files(module.params))


if __name__ == "__main__":
    main()
