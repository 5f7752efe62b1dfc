"""Throw-away hosts: simulated GPUs that agree with themselves, ports, pip as on this machine, a cache that notices."""

from __future__ import annotations

import importlib.machinery
import importlib.util
import re
import sys
from pathlib import Path
from types import ModuleType

import pytest

HOSTS = Path(__file__).parents[2] / "hosts"
sys.path.insert(0, str(HOSTS))

from throwaway import cache, fleet, gpus, images, root_directory
from throwaway.run import SandboxError, run


def stand_in() -> ModuleType:
    """Import the nvidia-smi of the hosts, which has no suffix."""
    path = HOSTS / "recipes/host/files/usr/bin/nvidia-smi"
    loader = importlib.machinery.SourceFileLoader("nvidia_smi_stand_in", str(path))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    return module


@pytest.mark.parametrize("name", gpus.names())
def test_a_profile_has_as_many_gpus_as_its_name_says(name: str) -> None:
    assert len(gpus.load(name).uuids) == int(name.rpartition("x")[2])


@pytest.mark.parametrize("name", gpus.names())
def test_the_cdi_spec_names_what_nvidia_smi_lists_and_nodes_that_the_host_makes(name: str) -> None:
    profile = gpus.load(name)
    spec = gpus.cdi_spec(profile)
    devices = [found.strip('"') for found in re.findall(r"- name: (\S+)", spec)]
    made = set(re.findall(r"^c\+ (\S+)", gpus.device_nodes(profile), re.MULTILINE))
    assert devices == [*(str(index) for index in range(len(profile.uuids))), *profile.uuids, "all"]
    assert set(re.findall(r"path: (\S+)", spec)) == made


def test_an_unknown_profile_is_refused_with_the_known_ones() -> None:
    with pytest.raises(SandboxError, match=r"'b200'.*h100x4, l4x1, rtx4090x2"):
        gpus.load("b200")


@pytest.mark.parametrize("name", gpus.names())
def test_the_stand_in_knows_the_commands_that_nvidia_gpu_info_asks(name: str) -> None:
    answers = stand_in().answers(gpus.load(name).transcript)
    output, code = answers["nvidia-smi -L"]
    assert (output.count("UUID: GPU-"), code) == (len(gpus.load(name).uuids), 0)
    assert answers["nvidia-smi -q -x"][0].endswith("</nvidia_smi_log>\n")
    table = "nvidia-smi --query-gpu=index,name,compute_cap,memory.total --format=csv,noheader,nounits"
    assert len(answers[table][0].splitlines()) == len(gpus.load(name).uuids)


def test_the_stand_in_replays_an_exit_code() -> None:
    answers = stand_in().answers("$ nvidia-smi -L\nDriver/library version mismatch\nrc=18\n")
    assert answers == {"nvidia-smi -L": ("Driver/library version mismatch\n", 18)}


def test_groups_and_hosts_never_share_a_port() -> None:
    many = [f"gpu-{index:02}=l4x1" for index in range(fleet.MOST_HOSTS)]
    ports = [
        port
        for group in fleet.FIRST_PORT
        for host in fleet.hosts(group, many, None)
        for port in host.published
    ]
    assert len(ports) == len(set(ports)) == 3 * fleet.MOST_HOSTS * 10


def test_the_sandbox_inventory_has_the_ports_of_the_demo_group() -> None:
    text = (fleet.CHECKOUT / "inventories/sandbox/hosts.yml").read_text()
    for host in fleet.hosts("demo", (), None):
        assert f"{host.name}:" in text
        assert f"ansible_port: {host.port}\n" in text
        assert f"sandbox_server_port: {host.port + 1}" in text


@pytest.mark.parametrize(
    ("group", "wanted", "told"),
    [
        pytest.param("demo", ["gpu-01"], "write NAME=PROFILE", id="no profile"),
        pytest.param("demo", ["a=l4x1", "a=h100x4"], "another name", id="one name twice"),
        pytest.param("demo", ["a=l4x1@buster"], "@bookworm for Debian 12", id="a Debian that nobody makes"),
        pytest.param("other", [], "--first-port", id="a group without ports"),
    ],
)
def test_hosts_that_cannot_be_are_refused_with_what_to_write(
    group: str, wanted: list[str], told: str
) -> None:
    with pytest.raises(SandboxError, match=told):
        fleet.hosts(group, wanted, None)


def test_a_host_with_debian_12_is_made_from_another_image() -> None:
    newer, older = fleet.hosts("demo", ["a=l4x1", "b=l4x1@bookworm"], None)
    assert (newer.suite, older.suite) == ("trixie", "bookworm")
    # What a host is made from names its image (`hosts._recipe`), which only a prepared machine can tell in full.
    assert images.host_reference(newer.suite) != images.host_reference(older.suite)


def test_pip_in_a_tree_sees_the_configuration_indexes_and_wheels_of_this_machine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for folder in ("config/pip", "index/simple", "wheels", "more"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "config/pip/pip.conf").write_text(
        f"[global]\nextra-index-url = file://{tmp_path}/index/simple\nfind-links = {tmp_path}/wheels\n"
    )
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("PIP_FIND_LINKS", f"{tmp_path}/more {tmp_path}/missing")
    mounts = root_directory.pip_mounts()
    assert mounts[str(tmp_path / "config/pip")] == "/root/.config/pip"
    assert {str(tmp_path / name) for name in ("index", "wheels", "more")} <= mounts.keys()
    assert str(tmp_path / "missing") not in mounts


def test_a_changed_recipe_is_another_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "RECIPES", tmp_path)
    file = tmp_path / "host/files/run"
    file.parent.mkdir(parents=True)
    file.write_text("a")
    before = cache.key("host")
    file.chmod(0o755)
    executable = cache.key("host")
    file.write_text("b")
    assert len({before, executable, cache.key("host")}) == 3


def test_a_failed_command_tells_its_exit_code_and_last_words() -> None:
    with pytest.raises(SandboxError, match=r"ended with 3\n    why"):
        run(["sh", "-c", "echo why >&2; exit 3"])
