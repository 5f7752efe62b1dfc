"""Four hosts, each with a server that gives tokens, and a table of what every fault did."""

from __future__ import annotations

import itertools
import typing as t
from pathlib import Path

import pytest
import table
from fleet import FIRST_PORT, GROUP, Done, Host, Run, sandbox

PROFILES = ("gpu-01=rtx4090x2", "gpu-02=l4x1", "gpu-03=l4x1", "gpu-04=l4x1")
HOSTS = [Host(profile.partition("=")[0], place) for place, profile in enumerate(PROFILES, start=1)]


class Fleet:
    """The hosts, and runs on them."""

    def __init__(self, folder: Path) -> None:
        self.first, *_others = self.hosts = HOSTS
        self._folder = folder
        self._numbers = itertools.count(1)
        self._values = itertools.cycle(range(5, 4000))

    def begin(self, tiny: dict[str, t.Any] | None = None, *further: str, **variables: t.Any) -> Run:
        """Start a run on the first host, with these keys of ``tiny`` over the inventory."""
        over = {**({"vllm_overrides": {"tiny": tiny}} if tiny else {}), **variables}
        return self.begin_on({"gpu-01": over}, "--limit", "gpu-01", *further)

    def begin_on(self, variables: dict[str, dict[str, t.Any]], *further: str, **options: t.Any) -> Run:
        """Start a run with these variables of hosts."""
        return Run(self._folder / f"{next(self._numbers):03}", variables, *further, **options)

    def release(self, tiny: dict[str, t.Any] | None = None, *further: str, **variables: t.Any) -> Done:
        """A run on the first host, to its end."""
        return self.begin(tiny, *further, **variables).wait()

    def kept(self) -> dict[str, str]:
        """What the runs left on the control node: their output and reports, by name; without what they were given."""
        files = (path for path in self._folder.rglob("*") if path.is_file() and path.name != "over.yml")
        return {str(path): path.read_text(encoding="utf-8", errors="replace") for path in files}

    def something_new(self) -> dict[str, t.Any]:
        """Settings that no release had before."""
        return {"settings": {"max_num_seqs": next(self._values)}}

    def known(self) -> str:
        """The newest transaction that the first host has had."""
        return max((state["id"] for state in self.first.states()), default="")


@pytest.fixture(scope="session")
def whole_fleet(tmp_path_factory: pytest.TempPathFactory) -> t.Iterator[Fleet]:
    made = sandbox("up", "--group", GROUP, "--first-port", str(FIRST_PORT), *PROFILES)
    assert made.returncode == 0, made.stderr
    fleet = Fleet(tmp_path_factory.mktemp("runs"))
    for host in fleet.hosts:
        host.run("mkdir -p /srv/rehearsal")
    first = fleet.begin_on({}).wait()
    assert first.rc == 0, first.output
    yield fleet
    sandbox("down", "--group", GROUP)


@pytest.fixture
def fleet(whole_fleet: Fleet) -> Fleet:
    """The fleet, and the first host serving what the inventory says."""
    if not (whole_fleet.first.serves() and whole_fleet.first.serves("neighbour", 8001)):
        again = whole_fleet.release()
        assert again.rc == 0, again.output
    return whole_fleet


@pytest.fixture
def row(request: pytest.FixtureRequest) -> t.Iterator[table.Row]:
    """The row of a test in the table; only what passed is written down."""
    row = table.Row()
    yield row
    report = getattr(request.node, "called", None)
    if report is not None and report.passed:
        table.add(row)


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> t.Iterator[None]:
    """Let the fixture above know how the test ended."""
    outcome = yield
    report = outcome.get_result()  # type: ignore[attr-defined]
    if report.when == "call":
        item.called = report  # type: ignore[attr-defined]


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Write the table where it was asked for."""
    path = session.config.getoption("--table")
    if path:
        table.write(Path(path))


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--table", help="write what was seen to this page")
