"""What becomes of the other options."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._adopt.found import Found, Option
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._adopt.options import Rest, rest_of, size_text


def rest(*options: tuple[str, str | None], devices: tuple[str, ...] = ()) -> Rest:
    return rest_of(Found("x", "docker", options=tuple(Option(*each) for each in options)), devices, ())


@pytest.mark.parametrize(
    ("option", "part", "value"),
    [
        (("--shm-size", "16gb"), "limits", {"shm": "16g"}),
        (("--memory", "64g"), "limits", {"memory": "64g"}),
        (("--ulimit", "memlock=-1"), "limits", {"memlock": "unlimited"}),
        (("--ulimit", "memlock=-1:-1"), "limits", {"memlock": "unlimited"}),
        (("--ulimit", "stack=67108864"), "limits", {"stack": "64m"}),
        (("--ulimit", "nofile=1048576:1048576"), "limits", {"nofile": 1048576}),
        (("--ulimit", "rtprio=99"), "container", {"PodmanArgs": ["--ulimit=rtprio=99"]}),
        (("--pids-limit", "-1"), "limits", {"pids": -1}),
        (("--read-only", None), "security", {"read_only": True}),
        (("--cpus", "8"), "container", {"PodmanArgs": ["--cpus=8"]}),
        (("--user", "1000:1000"), "container", {"User": "1000:1000"}),
        (("--user", "root"), "container", {}),
        (("--cap-add", "SYS_NICE"), "container", {"AddCapability": ["SYS_NICE"]}),
        (("--hostname", "llm"), "container", {"HostName": "llm"}),
        (("--init", None), "container", {"RunInit": True}),
        (("--label", "a=b"), "container", {"Label": ["a=b"]}),
        (("--label", "com.docker.compose.project=x"), "container", {}),
        (("quadlet:Timezone", "UTC"), "container", {"Timezone": "UTC"}),
    ],
)
def test_what_the_inventory_has_a_word_for_is_said_with_it(
    option: tuple[str, str | None], part: str, value: dict[str, t.Any]
) -> None:
    assert getattr(rest(option), part) == value


@pytest.mark.parametrize(
    ("option", "code", "fix"),
    [
        (("--privileged", None), "adoption_drops", "AddCapability"),
        (("--ipc", "host"), "adoption_drops", "limits: {shm"),
        (("--cap-add", "SYS_ADMIN"), "adoption_drops", "security: {sys_admin"),
        (("--cap-add", "ALL"), "adoption_drops", "security: {all_capabilities"),
        (("--security-opt", "label=disable"), "adoption_drops", "security: {label_disable"),
        (("--security-opt", "seccomp:unconfined"), "adoption_drops", "SeccompProfile"),
        (("--security-opt", "what=ever"), "adoption_loses", "PodmanArgs"),
        (("--restart", "always"), "adoption_drops", None),
        (("-d", None), "adoption_drops", None),
        (("--health-cmd", "curl"), "adoption_drops", "HealthCmd"),
        (("--who-knows", "1"), "adoption_loses", "docs/inventory.md"),
        (("--shm-size", "lots"), "adoption_loses", "limits: {shm"),
        (("--label", "io.gpuops.x=1"), None, None),
    ],
)
def test_nothing_is_left_out_in_silence(
    option: tuple[str, str | None], code: str | None, fix: str | None
) -> None:
    findings = rest(option).findings
    assert [each.code for each in findings] == ([code] if code else [])
    assert fix is None or fix in (findings[0].fix or "")


def test_a_device_that_is_no_gpu_stays_in_podmans_own_words() -> None:
    assert rest(devices=("/dev/infiniband",)).container == {"PodmanArgs": ["--device=/dev/infiniband"]}


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("16gb", "16g"), ("16G", "16g"), ("16GiB", "16g"), ("10.24gb", "10486m"), ("17179869184", "16g"), ("1024m", "1g"), ("1000", "1000"),
        ("0", None), ("", None), ("x", None), ("1.2.3g", None), (".", None),
    ],
)  # fmt: skip
def test_a_size_is_written_as_limits_take_it(text: str, size: str | None) -> None:
    assert size_text(text) == size


def test_every_line_of_a_key_that_quadlet_takes_more_than_once_is_kept() -> None:
    found = rest(("quadlet:UIDMap", "0:100000:1000"), ("quadlet:UIDMap", "1000:1000:1"))
    assert (found.container, found.findings) == ({"UIDMap": ["0:100000:1000", "1000:1000:1"]}, [])


def test_a_switch_of_quadlet_is_read_as_one() -> None:
    found = rest(("quadlet:HttpProxy", "false"))
    assert (found.container, found.findings) == ({"HttpProxy": False}, [])
