"""A login out of a Podman secret, also of a Podman that does not show one."""

from __future__ import annotations

import base64
import json
import typing as t
from pathlib import Path

import pytest

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._host.command import Completed, HostError
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._host.image_auth import auth_of

LOGIN = {"location": "r.test", "username": "puller", "podman_secret": "registry"}
WANTED = base64.b64encode(b"puller:word").decode()


def podman(store: Path, shows: bool, driver: str = "file") -> t.Callable[..., Completed]:
    """``secret inspect`` of a Podman from 4.7 on, or of an older one with its store."""
    options = {"path": str(store)} if driver == "file" else {}
    described = [{"ID": "18ed3f", "Spec": {"Driver": {"Name": driver, "Options": options}}}]

    def run(*command: str, **_further: object) -> Completed:
        if "--showsecret" not in command:
            return Completed(command, 0, json.dumps(described), "")
        if shows:
            return Completed(command, 0, "word\n", "")
        return Completed(command, 125, "", "Error: unknown flag: --showsecret")

    return run


@pytest.mark.parametrize("shows", [True, False], ids=["4.7 and newer", "4.4 to 4.6"])
def test_a_podman_secret_is_a_login(tmp_path: Path, shows: bool) -> None:
    held = {"18ed3f": base64.b64encode(b"word\n").decode(), "another": ""}
    (tmp_path / "secretsdata.json").write_text(json.dumps(held))
    auth = auth_of(podman(tmp_path, shows), [LOGIN])
    assert auth is not None
    assert auth["auths"]["r.test"] == {"auth": WANTED}


@pytest.mark.parametrize("driver", ["file", "pass"])
def test_what_cannot_be_read_is_told_with_the_ways_out(tmp_path: Path, driver: str) -> None:
    with pytest.raises(
        HostError, match=r"older than 4\.7 .* Give password, a key of vllm_secrets, or an auth_file"
    ):
        auth_of(podman(tmp_path, shows=False, driver=driver), [LOGIN])


def test_a_password_that_ends_with_a_line_break_is_told(tmp_path: Path) -> None:
    login = {"location": "r.test", "username": "puller", "password": "hunter\n"}
    with pytest.raises(HostError, match=r"vllm_registries\.r\.test\.password: .* trim") as told:
        auth_of(podman(tmp_path, shows=True), [login])
    assert "hunter" not in str(told.value)
