"""The filter takes what the gate leaves, and says so where it is given something else."""

from __future__ import annotations

import pytest
from ansible.errors import AnsibleFilterError

from ansible_collections.gpuops.vllm_fleet.plugins.filter.vllm_back_in_service import FilterModule

back_in_service = FilterModule().filters()["vllm_back_in_service"]


def test_the_servers_that_may_be_asked_again_are_named() -> None:
    outcome = {"qwen": {"action": "release", "problem": ""}, "old": {"action": "remove", "problem": ""}}
    assert back_in_service(outcome, ["qwen", "old"]) == ["qwen"]


@pytest.mark.parametrize("outcome", [None, ["qwen"], {"qwen": "accepted"}])
def test_what_is_no_outcome_is_refused_in_words(outcome: object) -> None:
    with pytest.raises(AnsibleFilterError, match="takes the outcome as vllm_gate returns it"):
        back_in_service(outcome)
