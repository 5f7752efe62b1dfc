#!/usr/bin/env python3
"""How the seconds of a run grow with hosts: the first run, the second with nothing to do, and an update of all of them.

    python bench/growth.py [--hosts 1,2,4,8] [--repeat 1]

All hosts are throw-away hosts of this machine, and share its cores.
"""

from __future__ import annotations

import argparse
import itertools

from hosts import Data, Fleet, fleet, instance
from page import Section, median, table

STEPS = ("the first", "nothing to do", "an update")


def rounds(hosts: Fleet, count: int, values: itertools.count[int]) -> list[float]:
    """Seconds of each step on the first ``count`` hosts, which have nothing before."""
    limit = ("--limit", ",".join(hosts.names[:count]))
    hosts.run("playbooks/remove.yml", {"vllm_remove": "all"}, *limit)
    value = next(values)
    ran = [hosts.run("site.yml", servers(each), *limit) for each in (value, value, next(values))]
    wrong = [
        f"{step}: {each.changed}"
        for step, each in zip(STEPS, ran)
        if (each.changed > 0) == (step == STEPS[1])
    ]
    if wrong:
        raise SystemExit(f"{count} hosts: not the changes that were expected: {', '.join(wrong)}")
    return [each.seconds for each in ran]


def servers(value: int) -> Data:
    """One server on each host; another value is another release."""
    settings = {**instance()["settings"], "max_num_seqs": value}
    return {"vllm_instances": {"chat": instance(settings=settings)}}


def main() -> None:
    """Measure, and write the section of the page."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--hosts", default="1,2,4,8")
    parser.add_argument("--repeat", type=int, default=1)
    options = parser.parse_args()
    counts = [int(count) for count in options.hosts.split(",")]
    section = Section("growth")
    values = itertools.count(5)
    rows = []
    with fleet(max(counts)) as hosts:
        for count in counts:
            seconds = zip(*(rounds(hosts, count, values) for _ in range(options.repeat)))
            rows.append([count, *(median(each) for each in seconds)])
    head = ["hosts", *(f"{step}, s" for step in STEPS)]
    times = "One run each" if options.repeat == 1 else f"Median (lowest to highest) of {options.repeat}"
    section.write(f"{times}; a server starts in about one second.", table(head, rows))


if __name__ == "__main__":
    main()
