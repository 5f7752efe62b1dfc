"""What the gate asks, and where, follows from the command line that is run."""

from __future__ import annotations

import pytest

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._plan.binding import Bound, describe
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._plan.instance import Instance


def instance(*argv: str, listen: str = "127.0.0.1") -> Instance:
    return Instance("qwen", "present", model="Qwen/Qwen3-8B", argv=("Qwen/Qwen3-8B", *argv), listen=listen)


@pytest.mark.parametrize(
    ("given", "url"),
    [
        pytest.param(instance(), "http://127.0.0.1:8000", id="loopback"),
        pytest.param(instance(listen="0.0.0.0"), "http://127.0.0.1:8000", id="every address"),
        pytest.param(instance(listen="::"), "http://[::1]:8000", id="every address of IPv6"),
        pytest.param(instance(listen="10.1.2.3"), "http://10.1.2.3:8000", id="one address"),
        pytest.param(
            instance("--ssl-certfile", "/tls/crt.pem"), "https://127.0.0.1:8000", id="with a certificate"
        ),
    ],
)
def test_the_gate_asks_where_the_server_listens(given: Instance, url: str) -> None:
    assert given.url == url
    assert describe(given, Bound())["gate"]["url"] == url


@pytest.mark.parametrize(
    ("argv", "names"),
    [
        pytest.param((), ["Qwen/Qwen3-8B"], id="the model's own name"),
        pytest.param(("--served-model-name", "a", "b"), ["a", "b"], id="served names"),
        pytest.param(("--lora-modules", "sql=/lora/sql"), ["Qwen/Qwen3-8B", "sql"], id="an adapter"),
        pytest.param(
            ("--lora-modules", '{"name":"sql","path":"/lora/sql"}', "chat=/lora/chat"),
            ["Qwen/Qwen3-8B", "sql", "chat"],
            id="an adapter as JSON, and another",
        ),
    ],
)
def test_the_gate_expects_every_name_that_the_server_lists(argv: tuple[str, ...], names: list[str]) -> None:
    assert describe(instance(*argv), Bound())["gate"]["served_names"] == names
