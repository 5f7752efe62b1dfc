#!/usr/bin/python

# GNU General Public License v3.0+ (see COPYING or https://www.gnu.org/licenses/gpl-3.0.txt)

"""The key of a package repository, written only when its fingerprint is the expected one."""

from __future__ import annotations

DOCUMENTATION = r"""
module: nvidia_repository_key
short_description: Have the key of a package repository on a host, checked by its fingerprint
version_added: 0.1.0
author:
  - The gpuops founders (@gpuops)
description:
  - Fetches an armored OpenPGP key, or takes it as text, and writes it only when every key in it is an expected one.
  - Needs no C(gpg) on the host. In check mode it fetches and checks, and writes nothing.
extends_documentation_fragment:
  - gpuops.vllm_fleet.attributes
attributes:
  check_mode:
    support: full
  diff_mode:
    support: full
options:
  url:
    description: Where the key is. The host itself fetches it.
    type: str
  content:
    description: The key itself, armored.
    type: str
  fingerprints:
    description: The fingerprints that are accepted, with or without spaces.
    type: list
    elements: str
    required: true
  path:
    description: Where the key is to stand.
    type: path
    required: true
  timeout:
    description: Seconds to wait for an answer.
    type: int
    default: 30
"""

EXAMPLES = r"""
- name: Have the key of the repository
  gpuops.vllm_fleet.nvidia_repository_key:
    url: https://nvidia.github.io/libnvidia-container/gpgkey
    fingerprints: [C95B 321B 61E8 8C18 09C4 F759 DDCA E044 F796 ECB0]
    path: /etc/apt/keyrings/nvidia-container-toolkit.asc
"""

RETURN = r"""
fingerprints:
  description: The fingerprints of the keys.
  type: list
  elements: str
  returned: success
"""

import os
import tempfile
from pathlib import Path

from ansible.module_utils.basic import AnsibleModule
from ansible.module_utils.urls import fetch_url

from ..module_utils._toolkit.openpgp import fingerprints, normal


def _fetch(module: AnsibleModule, url: str) -> str:
    response, info = fetch_url(module, url, timeout=module.params["timeout"])
    if response is None or info["status"] != 200:
        module.fail_json(
            msg=f"the key of the repository cannot be fetched from {url}: {info.get('msg')}. Nothing was changed. Let the "
            "host reach that address, name a mirror, or give the key as text"
        )
    return str(response.read().decode("utf-8", "replace"))


def _checked(module: AnsibleModule, text: str, origin: str) -> list[str]:
    expected = {normal(each) for each in module.params["fingerprints"]}
    try:
        found = fingerprints(text)
    except ValueError as error:
        module.fail_json(msg=f"{origin} holds no key that can be used: {error}. Nothing was changed")
    strange = [each for each in found if each not in expected]
    if strange:
        module.fail_json(
            msg=f"{origin} holds the key {', '.join(strange)}; expected is {', '.join(sorted(expected))}. Nothing was "
            "changed. Find out from another source which one is right before you accept it"
        )
    return found


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8", errors="replace") if path.exists() else ""


def _write(module: AnsibleModule, path: Path, text: str) -> bool:
    if _text(path) == text:
        return False
    if not module.check_mode:
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor, temporary = tempfile.mkstemp(dir=module.tmpdir)
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(text)
        Path(temporary).chmod(0o644)
        module.atomic_move(temporary, str(path))
    return True


def main() -> None:
    module = AnsibleModule(
        argument_spec={
            "url": {"type": "str"},
            "content": {"type": "str"},
            "fingerprints": {"type": "list", "elements": "str", "required": True, "no_log": False},
            "path": {"type": "path", "required": True},
            "timeout": {"type": "int", "default": 30},
        },
        required_one_of=[("url", "content")],
        mutually_exclusive=[("url", "content")],
        supports_check_mode=True,
    )
    params = module.params
    text = params["content"] if params["content"] is not None else _fetch(module, params["url"])
    found = _checked(module, text, params["url"] or "the given key")
    text = text.rstrip("\n") + "\n"
    path = Path(params["path"])
    before = _text(path)
    changed = _write(module, path, text)
    diff = {
        "before_header": str(path),
        "after_header": f"{path} (key {', '.join(found)})",
        "before": before,
        "after": text,
    }
    module.exit_json(changed=changed, fingerprints=found, diff=diff if changed else {})


if __name__ == "__main__":
    main()
