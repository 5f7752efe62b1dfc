"""Only a unit of ours, and of this fleet, may be replaced."""

from __future__ import annotations

import pytest

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._quadlet.container import (
    ContainerUnit,
    render_container,
)
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._release.ownership import why_not_ours

FOREIGN = "[Container]\nImage=docker.io/vllm/vllm-openai:latest\nExec=--model m\n"


def ours(fleet: str) -> str:
    labels = {"io.gpuops.vllm-fleet.managed": "true", "io.gpuops.vllm-fleet.fleet": fleet}
    return render_container(
        ContainerUnit("vllm-qwen", "localhost/i:1", ("serve", "m"), labels=labels), (5, 4, 2)
    )


@pytest.mark.parametrize(
    ("there", "fleet", "told"),
    [
        pytest.param(None, "default", None, id="nothing there"),
        pytest.param(ours("default"), "default", None, id="ours"),
        pytest.param(ours("lab"), None, None, id="ours, and nobody asks whose"),
        pytest.param(FOREIGN, "default", "not written by this collection", id="somebody's own"),
        pytest.param(
            FOREIGN, None, "not written by this collection", id="somebody's own, and nobody asks whose"
        ),
        pytest.param(ours("lab"), "office", "belongs to the fleet lab", id="another inventory's"),
        pytest.param(ours("my lab"), "office", "belongs to the fleet my lab", id="a name with a blank"),
    ],
)
def test_a_unit_is_replaced_only_when_it_is_ours(
    there: str | None, fleet: str | None, told: str | None
) -> None:
    found = why_not_ours(there, fleet)
    assert (found is None) if told is None else told in str(found)
