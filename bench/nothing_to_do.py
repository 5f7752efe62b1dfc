#!/usr/bin/env python3
"""What a run costs that has nothing to do: site.yml, against what one writes by hand for the same server.

Both servers run on the same throw-away hosts, and the runs take turns, so that whatever else the machine does hits all.

    python bench/nothing_to_do.py [--hosts 2] [--repeat 5] [--system-role FOLDER]

FOLDER is a checkout of linux-system-roles/podman, which is in no package of PyPI or Debian; without it that is not measured.
"""

from __future__ import annotations

import argparse
import re
import typing as t
from pathlib import Path

from hosts import IMAGE, SERVE, Data, Fleet, fleet, instance
from page import Section, median, table

HERE = Path(__file__).parent
OURS = "`site.yml` of the collection"
BY_HAND = "by hand, `containers.podman`"
BY_ROLE = "role podman of linux-system-roles"
NO_PIPELINING = {"ANSIBLE_PIPELINING": "false", "ANSIBLE_SSH_PIPELINING": "false"}


def contenders(system_role: Path | None) -> dict[str, tuple[str | Path, Data]]:
    """Each playbook with its variables."""
    found: dict[str, tuple[str | Path, Data]] = {
        OURS: ("site.yml", {"vllm_instances": {"chat": instance()}}),
        BY_HAND: (HERE / "by_hand.yml", {"bench_image": IMAGE, "bench_command": f"{SERVE} 8001".split()}),
    }
    if system_role:
        variables = {"bench_system_role": str(system_role.resolve()), "bench_unit": unit()}
        found[BY_ROLE] = (HERE / "system_role.yml", variables)
    return found


def unit() -> str:
    """The unit of the same server for the role, which takes its text."""
    return "\n".join([
        "[Unit]", "Wants=network-online.target", "After=network-online.target",
        "[Container]", "ContainerName=by-role", f"Image={IMAGE}", "Pull=never", "Entrypoint=vllm",
        f"Exec={SERVE} 8002", "AddDevice=nvidia.com/gpu=1", "PublishPort=0.0.0.0:8002:8002",
        "Volume=/srv/models/tiny:/srv/models/tiny:ro,z", "ShmSize=16g", "StopTimeout=60", "DropCapability=all",
        "AddCapability=DAC_OVERRIDE", "NoNewPrivileges=true",
        "[Service]", "Restart=on-failure", "RestartSec=10", "TimeoutStartSec=300",
        "[Install]", "WantedBy=multi-user.target", "",
    ])  # fmt: skip


def commands(output: str) -> int:
    """How many commands were sent to the host over SSH."""
    return len(re.findall(r"^<127\.0\.0\.1> SSH: EXEC ", output, re.MULTILINE))


def measure(hosts: Fleet, of: t.Mapping[str, tuple[str | Path, Data]], repeat: int) -> list[list[object]]:
    """A row for each playbook, with pipelining and without."""
    ways = {"yes": {}, "no": NO_PIPELINING}
    seconds: dict[tuple[str, str], list[float]] = {}
    tasks, sent = {}, {}
    for name, (playbook, variables) in of.items():
        hosts.run(playbook, variables)
        tasks[name] = hosts.run(playbook, variables).tasks
        for way, environment in ways.items():
            sent[name, way] = commands(
                hosts.run(playbook, variables, "-vvv", "--limit", "gpu-01", **environment).output
            )
    for _ in range(repeat):
        for way, environment in ways.items():
            for name, (playbook, variables) in of.items():
                ran = hosts.run(playbook, variables, **environment)
                if ran.changed:
                    raise SystemExit(f"{name} changed something:\n{ran.output[-4000:]}")
                seconds.setdefault((name, way), []).append(ran.seconds)
    return [
        [name, tasks[name], way, sent[name, way], median(seconds[name, way])] for name in of for way in ways
    ]


def main() -> None:
    """Measure, and write the section of the page."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--hosts", type=int, default=2)
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--system-role", type=Path)
    options = parser.parse_args()
    section = Section("nothing_to_do")
    with fleet(options.hosts) as hosts:
        rows = measure(hosts, contenders(options.system_role), options.repeat)
    if not options.system_role:
        rows.append([BY_ROLE, "not measured: no package of PyPI or Debian has it", "", "", ""])
    head = [
        "second run",
        "tasks a host",
        "pipelining",
        "commands over SSH, one host",
        f"seconds, {options.hosts} hosts",
    ]
    section.write(f"Median (lowest to highest) of {options.repeat}.", table(head, rows))


if __name__ == "__main__":
    main()
