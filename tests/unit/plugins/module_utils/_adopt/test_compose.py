"""Services of compose files."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._adopt.compose import read_compose
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._adopt.found import Found, UnreadableError

IMAGE = "vllm/vllm-openai:v0.26.0"


def read(service: dict[str, t.Any], variables: dict[str, str] | None = None, **more: t.Any) -> Found:
    (found,) = read_compose({"services": {"llm": {"image": IMAGE, **service}}}, "c.yml", variables, **more)
    return found


def reserved(**device: t.Any) -> dict[str, t.Any]:
    return {"deploy": {"resources": {"reservations": {"devices": [device]}}}}


def options(found: Found) -> list[str]:
    return [each.text() for each in found.options]


@pytest.mark.parametrize(
    ("service", "expected"),
    [
        ({"ports": ["8000:8000"]}, ["--publish 8000:8000"]),
        ({"ports": [{"target": 8000, "published": "80", "host_ip": "10.0.0.1"}]}, ["--publish 10.0.0.1:80:8000"]),
        ({"volumes": ["/a:/b:ro"]}, ["--volume /a:/b:ro"]),
        ({"volumes": [{"type": "bind", "source": "/a", "target": "/b", "read_only": True}]}, ["--volume /a:/b:ro"]),
        ({"ulimits": {"memlock": -1, "stack": {"soft": 1, "hard": 2}}}, ["--ulimit memlock=-1", "--ulimit stack=1:2"]),
        (reserved(driver="nvidia", count=2, capabilities=["gpu"]), ["--gpus 2"]),
        (reserved(driver="nvidia", device_ids=["0", "3"], capabilities=["gpu"]), ["--gpus device=0,3"]),
        (reserved(driver="cdi", device_ids=["nvidia.com/gpu=1"]), ["--device nvidia.com/gpu=1"]),
        ({"gpus": "all"}, ["--gpus all"]),
        ({"privileged": True, "ipc": "host", "shm_size": "16gb"}, ["--ipc host", "--shm-size 16gb", "--privileged"]),
        ({"networks": ["llm", "default"]}, ["--network llm"]),
        ({"network_mode": "host", "deploy": {"resources": {"limits": {"memory": "64g"}}}}, ["--network host", "--memory 64g"]),
        ({"extra_hosts": ["a:1.2.3.4"], "cap_add": ["SYS_NICE"]}, ["--cap-add SYS_NICE", "--add-host a:1.2.3.4"]),
    ],
)  # fmt: skip
def test_each_key_becomes_the_option_that_says_the_same(
    service: dict[str, t.Any], expected: list[str]
) -> None:
    assert options(read(service)) == expected


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("--model m --served-model-name 'a b'", ("--model", "m", "--served-model-name", "a b")),
        (["--port", 8000, True], ("--port", "8000", "true")),
        (">\n", (">",)[:0]),
        (None, ()),
        ("--x '{\"a\": 1}'\n  --y", ("--x", '{"a": 1}', "--y")),
    ],
)
def test_a_command_is_a_list_or_is_split_without_a_shell(command: t.Any, words: tuple[str, ...]) -> None:
    assert read({"command": command}).command == words


def test_values_come_from_dotenv_and_what_has_none_is_told() -> None:
    found = read(
        {"command": ["${M:-m}", "${N}", "$${K}", "${L:?no}"], "environment": {"A": "$B", "C": None}},
        {"B": "b", "C": "c"},
    )
    assert found.command == ("m", "${N}", "${K}", "${L:?no}")
    assert found.env == {"A": "b", "C": "c"}
    assert found.unresolved == ("${N}", "${L:?no}")


def test_a_list_and_a_file_of_variables_are_taken() -> None:
    found = read({"environment": ["A=1=2", "B"], "env_file": "x.env"}, files={"x.env": "A=0\nD=4"}.get)
    assert found.env == {"A": "1=2", "D": "4", "B": None}
    assert [each.message for each in read({"env_file": ["x.env"]}).findings] == [
        "env_file x.env is not there, so its variables are not known"
    ]


def test_what_the_inventory_has_no_word_for_is_named() -> None:
    told = {
        each.message.split(":")[0]: each.severity
        for each in read({"depends_on": ["a"], "cgroup": "x"}).findings
    }
    assert told == {"depends_on": "info", "cgroup of the service is not taken over": "warning"}


@pytest.mark.parametrize(
    ("document", "only", "message"),
    [
        ([], None, "no compose file"),
        ({"services": {}}, None, "no compose file"),
        ({"services": {"a": 1}}, None, "is not a mapping"),
        ({"services": {"a": {"image": "nginx"}}}, None, "no service looks like vLLM among a"),
        ({"services": {"a": {"image": "vllm"}}}, "b", "there is no service b; it has a"),
    ],
)
def test_what_is_no_compose_file_is_told(document: t.Any, only: str | None, message: str) -> None:
    with pytest.raises(UnreadableError, match=message):
        read_compose(document, "c.yml", only=only)


def test_the_name_of_a_file_of_variables_may_hold_one_itself() -> None:
    service = {"env_file": [{"path": "${EF:-prod}.env", "required": False}]}
    assert read(service, files={"prod.env": "A=1"}.get).env == {"A": "1"}
    assert read(service, {"EF": "test"}, files={"test.env": "A=2"}.get).env == {"A": "2"}


def test_a_service_has_what_it_takes_from_another_one() -> None:
    base = {"image": IMAGE, "environment": {"A": "1", "B": "1"}, "volumes": ["/a:/a"], "command": "--model x"}
    own = {
        "extends": {"service": "base"},
        "environment": {"B": "2"},
        "volumes": ["/b:/b"],
        "command": "--model m",
    }
    (found,) = read_compose({"services": {"base": base, "llm": own}}, "c.yml", only="llm")
    assert (found.image, found.command, found.env) == (IMAGE, ("--model", "m"), {"A": "1", "B": "2"})
    assert found.values("--volume") == ["/a:/a", "/b:/b"]


@pytest.mark.parametrize(
    "extends",
    [{"service": "llm"}, {"service": "llm", "file": "x.yml"}, {"service": "none"}, "llm", 3, ["llm"]],
)
def test_a_service_that_extends_itself_or_what_is_not_there_is_read_as_it_stands(extends: t.Any) -> None:
    assert read({"extends": extends}).image == IMAGE


def test_an_image_that_is_built_is_known_by_the_name_of_its_service() -> None:
    (found,) = read_compose({"services": {"vllm": {"build": "."}, "vllm-proxy": {"image": "nginx"}}}, "c.yml")
    assert (found.name, found.image) == ("vllm", None)


def test_services_around_a_server_are_left_out_and_named() -> None:
    services = {
        "vllm": {"build": ".", "command": ["--model", "m"], "gpus": "all"},
        "vllm-app": {"image": "own/vllm-app", "environment": {"URL": "http://vllm:8000"}},
    }
    (found,) = read_compose({"services": services}, "c.yml")
    assert found.name == "vllm"
    assert [each.message.split(":")[0] for each in found.findings] == ["build", "vllm-app"]
    (found,) = read_compose({"services": services}, "c.yml", only="vllm-app")
    assert found.name == "vllm-app"


def test_devices_of_another_maker_are_no_gpus_of_nvidia() -> None:
    assert options(read(reserved(driver="amd", count=1, capabilities=["gpu"]))) == []
