from __future__ import annotations

from ansible_collections.gpuops.vllm_fleet.plugins.plugin_utils.image_progress import Lines


class Clock:
    """Moves when it is told to."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def lines_of_a_pull(seconds: int, total: int | None, speed: int, every: int = 5) -> list[str]:
    clock, said = Clock(), []
    lines = Lines("gpu-01 image r/a:1", said.append, clock)
    for moment in range(every, seconds, every):
        clock.now = 100.0 + moment
        lines.bytes(moment * speed, total)
    return said


def test_a_pull_of_a_minute_says_at_least_three_times_what_is_done_and_what_is_to_go() -> None:
    said = lines_of_a_pull(60, 60_000_000, 1_000_000)
    assert len(said) >= 3
    assert (
        said[1] == "gpu-01 image r/a:1: 15.0 MB of 60.0 MB pulled, 45.0 MB to go, 1.0 MB/s, about 45 s left"
    )


def test_a_pull_of_an_hour_says_it_once_in_ten_seconds() -> None:
    assert 350 <= len(lines_of_a_pull(3600, 10**13, 1_000_000)) <= 360


def test_a_size_that_is_not_known_is_said_to_be_so() -> None:
    assert lines_of_a_pull(20, None, 1_000_000)[1].endswith("15.0 MB pulled, size not known, 1.0 MB/s")


def test_when_all_bytes_are_there_the_rest_is_unpacking() -> None:
    assert lines_of_a_pull(70, 30_000_000, 1_000_000)[-1].endswith("being unpacked")
