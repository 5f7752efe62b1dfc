"""Lines that tell how long work goes: not too many, and with what is done and to go."""

from __future__ import annotations

import threading

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
            "500 MB of 2.0 GB fetched (25 %), 1.5 GB to go, 50.0 MB/s, about 30 s left",
        ),
        (1500, None, 0.0, "1.5 kB fetched"),
        (0, 600_000, 1000.0, "0 bytes of 600 kB fetched (0 %), 600 kB to go, 1.0 kB/s, about 10 min left"),
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
        told[1]
        == "gpu-01: acme/tiny: 10.0 kB of 60.0 kB fetched (16 %), 50.0 kB to go, 1.0 kB/s, about 50 s left"
    )


def test_an_hour_gives_no_more_than_a_line_every_ten_seconds() -> None:
    now, said = 0.0, []
    lines = progress.Progress("gpu-01 image r/a:1", clock=lambda: now, show=said.append)
    for second in range(0, 3600, 5):
        now = float(second)
        lines.bytes(second * 1_000_000, 10**13, "pulled")
    assert 350 <= len(said) <= 360


def test_when_all_bytes_are_there_it_is_told_what_goes_on() -> None:
    now, said = 0.0, []
    lines = progress.Progress("gpu-01 image r/a:1", clock=lambda: now, show=said.append)
    for second in range(0, 70, 5):
        now = float(second)
        lines.bytes(min(second, 30) * 1_000_000, 30_000_000, "pulled", "being unpacked")
    assert said[-1] == "gpu-01 image r/a:1: all 30.0 MB pulled after 60 s, being unpacked"


def test_what_is_new_in_kind_is_told_at_once(capsys: pytest.CaptureFixture[str]) -> None:
    lines = progress.Progress("gpu-01", clock=lambda: 0.0)
    lines.tell("asking")
    lines.tell("again")
    lines.tell("the hub is busy", at_once=True)
    assert capsys.readouterr().err.splitlines() == ["gpu-01: asking", "gpu-01: the hub is busy"]


def test_what_stays_as_it_is_is_said_again_after_half_a_minute(capsys: pytest.CaptureFixture[str]) -> None:
    now = 0.0
    lines = progress.Progress("gpu-01", clock=lambda: now)
    for second in range(75):
        now = float(second)
        lines.news("stop: stops what runs" if second < 70 else "gate: loading")
    assert capsys.readouterr().err.splitlines() == [
        "gpu-01: stop: stops what runs",
        "gpu-01: stop: stops what runs (for 30 s)",
        "gpu-01: stop: stops what runs (for 60 s)",
        "gpu-01: gate: loading",
    ]


def test_work_that_cannot_speak_is_spoken_of_until_it_ends() -> None:
    said: list[str] = []
    enough, before = threading.Event(), threading.active_count()

    def say(text: str) -> None:
        said.append(text)
        if len(said) == 3:
            enough.set()

    with progress.beating(say, "gpu-01: installs Podman", between=0.001):
        assert enough.wait(60)
    told = len(said)
    assert said[0].startswith("gpu-01: installs Podman, for ")
    assert threading.active_count() == before
    assert len(said) == told


def test_work_that_is_quick_or_fails_at_once_is_not_spoken_of() -> None:
    said: list[str] = []
    with pytest.raises(OSError, match="no disk"), progress.beating(said.append, "works"):
        raise OSError("no disk")
    assert said == []
