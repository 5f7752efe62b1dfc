"""What was seen of a host serves again only as long as it holds."""

from __future__ import annotations

import typing as t

import pytest
from ansible.errors import AnsibleFilterError

from ansible_collections.gpuops.vllm_fleet.plugins.filter.vllm_host_seen import FilterModule

host_seen = FilterModule().filters()["vllm_host_seen"]

FIRST: dict[str, t.Any] = {
    "host_facts": {"podman_version": "5.4.2"}, "missing_images": [], "missing_weights": {}, "unresolved_devices": [],
}  # fmt: skip
AGAIN = {**FIRST, "host_facts": {"podman_version": "5.6.0"}}
SKIPPED = {"changed": False, "skipped": True}


@pytest.mark.parametrize(
    ("looks", "seen"),
    [
        ([FIRST, SKIPPED], FIRST),
        ([FIRST, AGAIN], AGAIN),
        ([FIRST, {}], FIRST),
        ([{}, {}], {}),
        ([{"unreachable": True, "msg": "no route"}, {}], {}),
    ],
    ids=["not looked again", "looked again", "not yet", "this playbook alone", "out of reach"],
)
def test_the_last_look_that_took_place_is_taken(
    looks: list[dict[str, t.Any]], seen: dict[str, t.Any]
) -> None:
    assert host_seen(looks) == seen


@pytest.mark.parametrize(
    ("look", "brought", "holds"),
    [
        (FIRST, [{"changed": False}, {}], True),
        (FIRST, [{"changed": True}, {}], False),
        (FIRST, [{}, {"changed": True}], False),
        ({**FIRST, "missing_images": ["r/vllm:1"]}, [{}, {}], False),
        ({**FIRST, "missing_weights": {"a/b": "it was never fetched to this host"}}, [{}, {}], False),
        ({**FIRST, "unresolved_devices": [{"name": "nvidia.com/gpu=0"}]}, [{}, {}], False),
    ],
    ids=[
        "nothing came",
        "an image came",
        "weights came",
        "no image then",
        "no weights then",
        "no device then",
    ],
)
def test_a_look_holds_until_something_comes(
    look: dict[str, t.Any], brought: list[dict[str, t.Any]], holds: bool
) -> None:
    assert host_seen([look, SKIPPED], brought) == (look if holds else {})


@pytest.mark.parametrize("looks", [None, FIRST, ["first"]])
def test_what_is_no_list_of_results_is_refused_in_words(looks: object) -> None:
    with pytest.raises(AnsibleFilterError, match="takes lists of results"):
        host_seen(looks)
