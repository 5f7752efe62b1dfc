#!/usr/bin/env python3
"""Writes the units of the quadlet test, and compares what arrived in their containers with what was asked for.

judge.py write FOLDER PODMAN_VERSION COUNT
judge.py compare FOLDER ANSWERS COUNT
"""

from __future__ import annotations

import json
import sys
import typing as t
from pathlib import Path

import cases

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._host.podman import parse_version
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._quadlet.container import (
    ContainerUnit,
    render_container,
)
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._quadlet.escape import split_words
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._quadlet.unit import parse_unit

BETWEEN = "=== the next command line ==="  # one container takes several: a start costs half a second
IMAGE = "localhost/vllm-fleet/argv:1"


def lines_of_units(count: int) -> list[list[list[str]]]:
    """The command lines, some for each unit. A unit ends with a trap, for a trap is worst at the end of the line."""
    known = cases.traps()
    units = [[trap] for trap in known]
    for number, line in enumerate(cases.generated(max(0, count - len(known)))):
        units[number % len(units)].insert(0, line)
    return units


def argv_of(lines: t.Sequence[list[str]]) -> list[str]:
    """The command lines of one unit, one after the other."""
    return [word for line in lines for word in (*line, BETWEEN)][:-1]


def environment_of(lines: t.Sequence[list[str]]) -> dict[str, str]:
    """The last text of each line as a variable too. Podman does not keep the line end \\r\\n there, so it is refused."""
    return {f"CASE_{number}": line[-1] for number, line in enumerate(lines) if "\r\n" not in line[-1]}


def write(folder: Path, version: str, count: int) -> None:
    """A unit for each set of command lines."""
    podman = parse_version(version)
    assert podman is not None, version
    for number, lines in enumerate(lines_of_units(count)):
        environment = environment_of(lines)
        unit = ContainerUnit(
            container_name=f"vllm-argv-{number}",
            image=IMAGE,
            exec=tuple(argv_of(lines)),
            env={**environment, "ANSWER": f"/answers/{number}.json"},
            labels={"io.gpuops.vllm-fleet.test": lines[-1][-1][:1000]},
            volumes=("/usr:/usr:ro", "/run/vllm-argv/answers:/answers"),
            network="none",
            restart="no",
            wanted_by=(),
        )
        (folder / f"vllm-argv-{number}.container").write_text(
            render_container(unit, podman), encoding="utf-8"
        )


def compare(folder: Path, answers: Path, count: int) -> int:
    """0 when everything arrived."""
    found = json.loads(answers.read_text(encoding="utf-8"))
    units = lines_of_units(count)
    wrong = [
        complaint
        for number, lines in enumerate(units)
        for complaint in _complaints(number, lines, found["generated"], found["answers"])
    ]
    for complaint in wrong[:20]:
        print(complaint)
    lines_total = sum(len(lines) for lines in units)
    print(
        f"quadlet: {lines_total} command lines in {len(units)} units, {len(wrong)} wrong; Podman {found['podman']}, "
        f"systemd {found['systemd']}; reload {found['reload_seconds']} s, starts {found['start_seconds']} s"
    )
    return 1 if wrong or not units else 0


def _complaints(
    number: int, lines: list[list[str]], generated: dict[str, str], answers: dict[str, t.Any]
) -> t.Iterator[str]:
    name, wanted = f"vllm-argv-{number}", argv_of(lines)
    service = generated.get(f"{name}.service")
    if service is None:
        yield f"{name}: the generator dropped the unit"
    elif (
        split_words(parse_unit(service).section("Service").last("ExecStart") or "")[-len(wanted) :] != wanted
    ):
        yield f"{name}: the generator changed the command line"
    answer = answers.get(str(number))
    if answer is None:
        yield f"{name}: the container did not answer"
        return
    if answer["argv"] != wanted:
        different = next((pair for pair in zip(answer["argv"], wanted) if pair[0] != pair[1]), None)
        yield f"{name}: {len(answer['argv'])} of {len(wanted)} arguments; first difference {ascii(different)[:500]}"
    for variable, text in environment_of(lines).items():
        if answer["env"].get(variable) != text:
            yield f"{name}: {variable} is {ascii(answer['env'].get(variable))[:200]}, not {ascii(text)[:200]}"


if __name__ == "__main__":
    if sys.argv[1] == "write":
        write(Path(sys.argv[2]), sys.argv[3], int(sys.argv[4]))
    else:
        sys.exit(compare(Path(sys.argv[2]), Path(sys.argv[3]), int(sys.argv[4])))
