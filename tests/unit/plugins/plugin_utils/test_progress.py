"""Lines that tell how long work goes: not too many, and with what is done and to go."""

from __future__ import annotations

import pytest

from ansible_collections.gpuops.vllm_fleet.plugins.plugin_utils import progress


@pytest.mark.parametrize(
    ("done", "total", "pace", "text"),
    [
        (0, 2_000_000_000, 0.0, "0 bytes of 2.0 GB fetched (0 %), 2.0 GB to go"),
        (
            500_000_000,
            2_000_000_000,
            50e6,
            "500.0 MB of 2.0 GB fetched (25 %), 1.5 GB to go, 50.0 MB/s, about 30 s",
        ),
        (1500, None, 0.0, "1.5 kB fetched"),
    ],
)
def test_a_line_has_what_is_done_and_what_is_to_go(
    done: int, total: int | None, pace: float, text: str
) -> None:
    assert progress.amount(done, total, pace) == text


def test_a_minute_gives_a_line_every_ten_seconds(capsys: pytest.CaptureFixture[str]) -> None:
    now = 0.0
    lines = progress.Progress("gpu-01: acme/tiny", clock=lambda: now)
    for second in range(60):
        now = float(second)
        lines.bytes(second * 1000, 60_000)
    told = capsys.readouterr().err.splitlines()
    assert len(told) == 6
    assert (
        told[1] == "gpu-01: acme/tiny: 10.0 kB of 60.0 kB fetched (16 %), 50.0 kB to go, 1.0 kB/s, about 50 s"
    )


def test_what_is_new_in_kind_is_told_at_once(capsys: pytest.CaptureFixture[str]) -> None:
    lines = progress.Progress("gpu-01", clock=lambda: 0.0)
    lines.tell("asking")
    lines.tell("again")
    lines.tell("the hub is busy", at_once=True)
    assert capsys.readouterr().err.splitlines() == ["gpu-01: asking", "gpu-01: the hub is busy"]
