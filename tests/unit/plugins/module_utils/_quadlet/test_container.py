from __future__ import annotations

import dataclasses
import typing as t

import pytest

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._quadlet.container import (
    ContainerUnit,
    render_container,
)
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._quadlet.unit import Section, Unit, parse_unit

V44, V49, V50, V54, V58 = (4, 4, 1), (4, 9, 3), (5, 0, 3), (5, 4, 2), (5, 8, 6)
UNIT = ContainerUnit(
    container_name="vllm-qwen",
    image="docker.io/vllm/vllm-openai@sha256:0123",
    exec=("serve", "Qwen/Qwen3-0.6B"),
    devices=("nvidia.com/gpu=0",),
)


def container(version: tuple[int, int, int], **changes: t.Any) -> Section:
    text = render_container(dataclasses.replace(UNIT, **changes), version)
    return parse_unit(text).section("Container")


def unit(version: tuple[int, int, int] = V54, **changes: t.Any) -> Unit:
    return parse_unit(render_container(dataclasses.replace(UNIT, **changes), version))


WHOLE = dataclasses.replace(
    UNIT,
    comment="Written by a program.",
    description="vLLM server qwen",
    env={"HF_HOME": "/var/cache/hf"},
    secrets={"HF_TOKEN": "vllm-qwen-hf-01234567"},
    volumes=("/srv/models:/models:ro",),
    publish=("127.0.0.1:8000:8000",),
    labels={"io.gpuops.vllm-fleet.managed": "true"},
    shm_size="16g",
    memory="64g",
    pids_limit=-1,
    ulimits=("memlock=-1:-1", "stack=67108864:67108864"),
    container={"HostName": "qwen", "RunInit": True},
)
WHOLE_TEXT = """\
# Written by a program.

[Unit]
Description=vLLM server qwen
Wants=network-online.target
After=network-online.target
Wants=nvidia-cdi-refresh.service
After=nvidia-cdi-refresh.service
StartLimitIntervalSec=0

[Container]
ContainerName=vllm-qwen
Image=docker.io/vllm/vllm-openai@sha256:0123
Pull=never
Entrypoint=vllm
Exec=serve Qwen/Qwen3-0.6B
AddDevice=nvidia.com/gpu=0
Environment=HF_HOME=/var/cache/hf
Secret=vllm-qwen-hf-01234567,type=env,target=HF_TOKEN
Volume=/srv/models:/models:ro
PublishPort=127.0.0.1:8000:8000
ShmSize=16g
Memory=64g
PidsLimit=-1
StopTimeout=60
Ulimit=memlock=-1:-1
Ulimit=stack=67108864:67108864
LogDriver=journald
Label=io.gpuops.vllm-fleet.managed=true
HostName=qwen
RunInit=true

[Service]
Restart=on-failure
RestartSec=10
TimeoutStartSec=300
TimeoutStopSec=90

[Install]
WantedBy=multi-user.target
"""


def test_the_whole_unit_of_a_server() -> None:
    assert render_container(WHOLE, V58) == WHOLE_TEXT


@pytest.mark.parametrize(
    ("changes", "key", "text", "option", "since"),
    [
        ({}, "Pull", "never", "--pull never", (4, 6)),
        ({}, "Entrypoint", "vllm", "--entrypoint vllm", (5, 0)),
        ({}, "LogDriver", "journald", "--log-driver journald", (4, 5)),
        ({}, "StopTimeout", "60", "--stop-timeout 60", (5, 0)),
        ({"shm_size": "16g"}, "ShmSize", "16g", "--shm-size 16g", (4, 7)),
        ({"memory": "64g"}, "Memory", "64g", "--memory 64g", (5, 5)),
        ({"pids_limit": 0}, "PidsLimit", "0", "--pids-limit 0", (4, 7)),
        ({"ulimits": ("memlock=-1:-1",)}, "Ulimit", "memlock=-1:-1", "--ulimit memlock=-1:-1", (4, 7)),
        ({"user": "vllm"}, "User", "vllm", "--user vllm", (4, 8)),
        ({"label_disable": True}, "SecurityLabelDisable", "true", "--security-opt label=disable", (4, 5)),
        (
            {"apparmor_unconfined": True},
            "AppArmor",
            "unconfined",
            "--security-opt apparmor=unconfined",
            (5, 8),
        ),
        (
            {"secrets": {"T": "s"}},
            "Secret",
            "s,type=env,target=T",
            "--secret s,type=env,target=T",
            (4, 5),
        ),
        ({"container": {"GroupAdd": ["a"]}}, "GroupAdd", "a", '--group-add "a"', (5, 1)),
        ({"container": {"Unmask": "/sys/x"}}, "Unmask", "/sys/x", '--security-opt "unmask=/sys/x"', (4, 6)),
        (
            {"container": {"SecurityLabelNested": True}},
            "SecurityLabelNested",
            "true",
            "--security-opt label=nested",
            (4, 6),
        ),
        (
            {"container": {"ReadOnlyTmpfs": False}},
            "ReadOnlyTmpfs",
            "false",
            "--read-only-tmpfs=false",
            (4, 8),
        ),
        (
            {"container": {"HealthCmd": 'a "b" c'}},
            "HealthCmd",
            'a "b" c',
            r'--health-cmd "a \"b\" c"',
            (4, 5),
        ),
    ],
)
@pytest.mark.parametrize(
    "version", [V44, V49, V50, V54, V58], ids=lambda version: ".".join(map(str, version))
)
def test_what_a_podman_has_no_key_for_is_asked_of_podman_run(
    version: tuple[int, int, int], changes: t.Any, key: str, text: str, option: str, since: tuple[int, int]
) -> None:
    section = container(version, **changes)
    if version >= since:
        assert section.all(key) == [text]
        assert option not in section.all("PodmanArgs")
    else:
        assert section.all(key) == []
        assert option in section.all("PodmanArgs")


@pytest.mark.parametrize(
    ("key", "text", "options"),
    [
        ("Sysctl", '"net.ipv4.ip_local_port_range=1024 65535" net.core.somaxconn=9',
         ['--sysctl "net.ipv4.ip_local_port_range=1024 65535"', '--sysctl "net.core.somaxconn=9"']),
        ("Mask", '/proc/acpi "/a b"', ['--security-opt "mask=/proc/acpi"', '--security-opt "mask=/a b"']),
        ("WorkingDir", '"/srv/my models"', ['--workdir "/srv/my models"']),
        ("WorkingDir", "/srv/%H", ['--workdir "/srv/%H"']),
    ],
    ids=["words, one quoted", "words of an option's value", "quotes around all of it", "a specifier"],
)  # fmt: skip
def test_a_key_that_an_old_podman_does_not_know_says_there_what_quadlet_makes_of_it(
    key: str, text: str, options: list[str]
) -> None:
    assert container(V54, container={key: text}).all(key) == [text]
    asked = container(V44, container={key: text}).all("PodmanArgs")
    assert [each for each in asked if each.startswith(options[0].split()[0])][-len(options) :] == options


def test_several_ulimits_before_5_0_go_to_podman_run_since_only_the_last_key_would_count() -> None:
    two = ("memlock=-1:-1", "stack=1:1")
    assert container(V49, ulimits=two).all("Ulimit") == []
    assert [arg for arg in container(V49, ulimits=two).all("PodmanArgs") if "ulimit" in arg] == [
        "--ulimit memlock=-1:-1",
        "--ulimit stack=1:1",
    ]
    assert container(V50, ulimits=two).all("Ulimit") == list(two)


def test_a_unit_never_pulls_and_never_waits_for_a_health_check_to_count_as_started() -> None:
    section = container(V58)
    assert section.all("Pull") == ["never"]
    assert section.all("Notify") == []


def test_only_a_unit_with_gpus_waits_for_the_refresh_of_the_cdi_spec() -> None:
    assert "nvidia-cdi-refresh.service" in unit().section("Unit").all("Wants")
    assert "nvidia-cdi-refresh.service" in unit(devices=(), gpus="all").section("Unit").all("After")
    assert "nvidia-cdi-refresh.service" not in unit(devices=()).section("Unit").all("Wants")


def test_a_unit_that_is_not_to_start_at_boot_has_no_install_section() -> None:
    assert unit(wanted_by=()).section("Install").lines == ()
    assert unit().section("Install").all("WantedBy") == ["multi-user.target"]


def test_systemd_waits_longer_for_a_stop_than_podman_does() -> None:
    service = unit(stop_timeout=120).section("Service")
    assert service.all("TimeoutStopSec") == ["150"]


def test_starts_are_not_limited_but_paced() -> None:
    found = unit(restart_delay=30)
    assert found.section("Unit").all("StartLimitIntervalSec") == ["0"]
    assert found.section("Service").all("RestartSec") == ["30"]


def test_what_gives_something_away_is_written_only_when_asked_for() -> None:
    plain = container(V58)
    assert not {"AddCapability", "SecurityLabelDisable", "AppArmor", "PodmanArgs"} & {
        key for key, _text in plain.lines
    }
    open_ = container(V58, sys_admin=True, gpus="all", raw_devices=("/dev/nvidia0",), devices=())
    assert open_.all("AddCapability") == ["SYS_ADMIN"]
    assert open_.all("AddDevice") == ["/dev/nvidia0"]
    assert open_.all("PodmanArgs") == ["--gpus all"]


def test_values_of_further_keys_stay_in_quadlets_own_language() -> None:
    assert container(V58, container={"HostName": "%H-$x"}).all("HostName") == ["%H-$x"]


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"devices": ("-nvidia.com/gpu=0",)}, "drops the GPU silently"),
        ({"env": {"1A": "x"}}, "no name of an environment variable"),
        ({"env": {"A B": "x"}}, "no name of an environment variable"),
        ({"env": {"A": "x\r\ny"}}, r"env\.A: .*write .n alone"),
        ({"secrets": {"A": "a,b"}}, "no name of a secret"),
        ({"container_name": "-x"}, "no name of a container"),
        ({"image": "vllm.image"}, "another unit"),
        ({"image": "a b"}, "spaces"),
        ({"volumes": ("/a\n/b:/c",)}, "control characters"),
        ({"container": {"Imge": "x"}}, r"container\.Imge: .*write Image"),
        ({"container": {"Image": "x"}}, r"container\.Image: .*use image"),
        ({"container": {"HttpProxy": False, "HealthMaxLogCount": 1}}, "came with Podman 5.3"),
        ({"network": "host", "container": {"Network": "x"}}, "write it once"),
        ({"exec": tuple("x" * 100_000 for _ in range(11))}, "1 MiB"),
    ],
)
def test_what_cannot_be_written_is_refused_with_the_reason(changes: t.Any, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        render_container(dataclasses.replace(UNIT, **changes), V50)


def test_a_podman_without_quadlet_is_refused() -> None:
    with pytest.raises(ValueError, match=r"Podman 4\.3\.1 has no Quadlet"):
        render_container(UNIT, (4, 3, 1))


def test_the_order_of_mappings_does_not_show_in_the_text() -> None:
    one = dataclasses.replace(UNIT, env={"A": "1", "B": "2"}, labels={"x": "1", "y": "2"})
    other = dataclasses.replace(UNIT, env={"B": "2", "A": "1"}, labels={"y": "2", "x": "1"})
    assert render_container(one, V54) == render_container(other, V54)
