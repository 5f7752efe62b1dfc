"""The state directory as a module was given it, in the one spelling that plan, records and mounts have."""

from __future__ import annotations

import typing as t

from .._release.directory import normal_directory

if t.TYPE_CHECKING:
    from ansible.module_utils.basic import AnsibleModule


def normalise(module: AnsibleModule) -> None:
    """Put the ``state_dir`` of a module right; the module fails where that is no directory that it could be."""
    given = str(module.params["state_dir"])
    try:
        module.params["state_dir"] = normal_directory(given)
    except ValueError as error:
        module.fail_json(
            msg=f"vllm_state_dir: {given!r} {error}. Write an absolute path, such as /var/lib/vllm-fleet"
        )
