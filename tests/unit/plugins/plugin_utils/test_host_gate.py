"""A server that was seen to serve a moment ago is not asked again; one that was not is waited for."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.gpuops.vllm_fleet.plugins.plugin_utils.host_gate import outcome_of_host
from ansible_collections.gpuops.vllm_fleet.plugins.plugin_utils.progress import Progress

SEEN = {
    "state": "serving", "final": True, "serving": True, "message": "it gives tokens", "vllm_version": "0.32.0",
    "answer": {"kind": "completion", "tokens": 8, "seconds": 0.1}, "seen_at": 9.0, "log": [], "diagnosis": None,
}  # fmt: skip
LOST = {**SEEN, "state": "failed", "serving": False, "message": "its unit has failed", "answer": None}
PLANNED = {
    "tiny": {
        "name": "tiny",
        "state": "present",
        "gate": {"url": "http://127.0.0.1:8000", "served_names": ["tiny"], "kind": "auto", "timeout": 5},
    }
}
UNCHANGED = [{"name": "tiny", "action": "none", "reason": "as planned", "changes": [], "pending": False}]


def outcome(serving: dict[str, t.Any], answer: dict[str, t.Any] | None) -> tuple[dict[str, t.Any], list[str]]:
    """What became of ``tiny``, and which modules the host was asked for."""
    asked: list[str] = []

    def execute(name: str, _args: dict[str, t.Any]) -> dict[str, t.Any]:
        asked.append(name)
        assert answer is not None
        return answer

    found = outcome_of_host(UNCHANGED, PLANNED, None, execute, Progress("gpu-01"), serving)
    return found["tiny"], asked


def test_what_was_seen_to_serve_is_not_asked_again() -> None:
    tiny, asked = outcome({"tiny": SEEN}, None)
    assert asked == []
    assert tiny["problem"] == ""
    assert (tiny["gate"]["vllm_version"], tiny["gate"]["answer"]) == ("0.32.0", SEEN["answer"])


@pytest.mark.parametrize(
    ("answer", "problem"),
    [(SEEN, ""), (LOST, "tiny: the gate stays shut: failed: its unit has failed.")],
    ids=["serves", "has failed"],
)
def test_what_was_not_seen_to_serve_is_asked(answer: dict[str, t.Any], problem: str) -> None:
    tiny, asked = outcome({}, answer)
    assert asked == ["vllm_probe"]
    assert tiny["problem"] == problem
