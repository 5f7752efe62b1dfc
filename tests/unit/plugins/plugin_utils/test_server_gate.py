"""What the control node asks a host while it waits for tokens."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.gpuops.vllm_fleet.plugins.plugin_utils.server_gate import gate


class Progress:
    """Nobody listens."""

    def news(self, text: str) -> None:
        """Nothing is told."""


@pytest.mark.parametrize(
    ("further", "first"), [({}, None), ({"began_at": 0.0}, 0), ({"began_at": 0.0, "restarts": 3}, 3)]
)
def test_the_control_node_gives_each_look_what_the_one_before_counted_from(
    further: dict[str, t.Any], first: int | None
) -> None:
    given = []

    def execute(_module: str, args: dict[str, t.Any]) -> dict[str, t.Any]:
        given.append(args["restarts"])
        state = "loading" if len(given) == 1 else "serving"
        return {
            "state": state, "message": "", "restarts": 4, "final": state == "serving", "serving": state == "serving",
            "seen_at": 1.0, "log": [],
        }  # fmt: skip

    args = {"name": "tiny", "url": "u", "served_names": ["tiny"], "kind": "auto", "timeout": 60, **further}
    assert gate(execute, args, t.cast("t.Any", Progress()))["serving"]
    assert given == [first, 4]
