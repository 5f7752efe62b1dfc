"""What a host itself may come to while, or before, it is released: no room on its disk, a server that ended once."""

from __future__ import annotations

import time
import typing as t

import pytest
from fleet import Load
from test_faults import broken, next_run_is_good, told
from test_interruptions import SLOW_AND_BAD

if t.TYPE_CHECKING:
    from collections.abc import Iterator

    from conftest import Fleet
    from fleet import Host
    from table import Row

TRANSACTIONS = "/var/lib/vllm-fleet/.transactions"
AGAIN_SECONDS = 120


@pytest.fixture
def small_disk(fleet: Fleet) -> Iterator[Host]:
    """The first host, whose transactions lie on a disk of a few MiB."""
    fleet.first.run(f"mount -t tmpfs -o size=4m,mode=0700 none {TRANSACTIONS}")
    yield fleet.first
    fleet.first.run(f"umount {TRANSACTIONS}")


def test_a_disk_that_is_full_after_the_stop_keeps_no_server_stopped(
    fleet: Fleet, row: Row, small_disk: Host
) -> None:
    with Load(small_disk.url()) as load:
        run = fleet.begin(broken(fleet, SLOW_AND_BAD))
        state = small_disk.wait_for_step("gate", "")
        small_disk.run(f"cat /dev/zero > {TRANSACTIONS}/{state['id']}/fill 2>/dev/null || true")
        done = run.wait()
        assert small_disk.answer() == "token", "the old release does not serve right after the run"
    assert done.rc != 0
    told(done.output, r"Undone: release \d+ serves again")
    said = small_disk.run("journalctl --no-pager --output cat --unit 'vllm-fleet-transaction-*'")
    row.told = told(said, "this cannot be written down: .*No space left on device")
    row.fault = "the disk of the host fills up in the step gate, and the release is bad"
    row.after, row.gap = "the old release serves again", load.gap
    small_disk.run(f"rm {TRANSACTIONS}/{state['id']}/fill")
    next_run_is_good(fleet)


def test_a_server_that_systemd_restarted_once_is_as_planned(fleet: Fleet, row: Row) -> None:
    host = fleet.first
    before = host.started("neighbour")
    host.run("podman kill --signal KILL vllm-neighbour")
    until = time.monotonic() + AGAIN_SECONDS
    while not (host.serves("neighbour", 8001) and host.started("neighbour") != before):
        assert time.monotonic() < until, "systemd does not start it again"
        time.sleep(0.5)
    assert host.run("systemctl show -p NRestarts --value vllm-neighbour.service") == "1"
    done = fleet.release()
    assert done.rc == 0, done.output[-6000:]
    row.fault, row.told = "a server ended, and systemd started it again, before the run", "-"
    row.after = "it serves, and nothing is done with it"
