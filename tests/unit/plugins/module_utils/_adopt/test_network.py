"""Where a server is reached."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._adopt.found import Found, Option, Tool
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._adopt.network import Place, place_of


def place(
    *options: tuple[str, str],
    tool: Tool = "docker",
    host: str | None = None,
    port: t.Any = None,
    **settings: t.Any,
) -> Place:
    return place_of(
        Found("x", tool, image="i", options=tuple(Option(*each) for each in options)), host, port, settings
    )


@pytest.mark.parametrize(
    ("published", "port", "listen", "reached"),
    [
        (["8000:8000"], None, "0.0.0.0", 8000),
        (["8080:8000"], None, "0.0.0.0", 8080),
        (["127.0.0.1:8080:9000"], 9000, "127.0.0.1", 8080),
        (["[::1]:8080:8000"], None, "::1", 8080),
        (["8000"], None, "0.0.0.0", 8000),
        (["8000-8001:8000-8001"], 8001, "0.0.0.0", 8001),
        (["8000:8000/tcp"], None, "0.0.0.0", 8000),
        (["9100:9100", "80:8000"], None, "0.0.0.0", 80),
        (["8080:9999"], None, "0.0.0.0", 8080),
        ([], 9000, "127.0.0.1", 9000),
        (["x:y:z"], None, "127.0.0.1", 8000),
    ],
)
def test_the_published_port_is_where_it_is_reached(
    published: list[str], port: t.Any, listen: str, reached: int
) -> None:
    found = place(*(("--publish", each) for each in published), port=port)
    assert (found.listen, found.port) == (listen, reached)


def test_on_the_network_of_the_host_its_own_command_line_counts() -> None:
    found = place(("--network", "host"), host="10.0.0.1", port=9000)
    assert (found.listen, found.port, found.network) == ("10.0.0.1", 9000, None)
    assert place(("--network", "host")).listen == "0.0.0.0"
    assert place(("--network", "host"), data_parallel_address="10.0.0.2").network == "host"
    assert place(tool="none", host="localhost").listen == "127.0.0.1"


def test_a_network_of_podman_stays_and_one_of_docker_is_told() -> None:
    assert place(("--network", "llm"), ("--publish", "1:8000"), tool="podman").network == "llm"
    docker = place(("--network", "llm"), ("--publish", "1:8000"))
    assert (docker.network, [each.code for each in docker.findings]) == (
        None,
        ["adopted_otherwise", "adoption_loses"],
    )
