from __future__ import annotations

import pytest
from ansible.errors import AnsibleFilterError

from ansible_collections.gpuops.vllm_fleet.plugins.filter.vllm_diagnose import FilterModule

LINE = "ValueError: LoRA rank 64 is greater than max_lora_rank 16."

diagnose = FilterModule().filters()["vllm_diagnose"]


@pytest.mark.parametrize("log", [LINE, ["INFO 1 [x.py:1] y", LINE], f"a\n(W pid=1) {LINE}"])
def test_text_and_lines_are_diagnosed(log: object) -> None:
    assert diagnose(log) == {
        "failure_class": "lora",
        "cause": "The adapter's rank 64 is above max_lora_rank 16.",
        "remedy": "Set max_lora_rank: 64.",
        "line": LINE,
    }


@pytest.mark.parametrize("log", [None, 3, {"a": 1}])
def test_what_is_no_log_is_refused_in_words(log: object) -> None:
    with pytest.raises(AnsibleFilterError, match="vllm_diagnose takes a log"):
        diagnose(log)
