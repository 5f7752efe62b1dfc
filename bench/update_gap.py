#!/usr/bin/env python3
"""How long nothing gives tokens while a server is updated to another image, as a client sees it that asks all the time.

    python bench/update_gap.py [--repeat 3] [--load-seconds 10] [--image-mb 200]

By the collection, and the naive way: one task that recreates the container, which pulls as it starts. The image comes from a
registry on the host, so that the pull is as fast as it gets. Both take turns.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import tempfile
import typing as t
from pathlib import Path

from hosts import IMAGE, SERVE, Fleet, fleet, instance
from page import Section, median, table

HERE = Path(__file__).parent
REGISTRY = "127.0.0.1:5000"
CONFIGURATION = f"""\
version: 0.1
log: {{level: warn}}
storage: {{filesystem: {{rootdirectory: /srv/registry}}}}
http: {{addr: "{REGISTRY}"}}
"""
MAKE = """\
set -eu
folder=$(mktemp --directory)
head --bytes {megabytes}M /dev/urandom > "$folder/weight"
printf 'FROM {base}\\nCOPY weight /weight\\n' > "$folder/Containerfile"
podman build --quiet --tag {name} "$folder"
podman push --quiet --tls-verify=false {name}
podman rmi {name}
rm -rf "$folder"
"""


def start_registry(host: Fleet) -> None:
    """Run Debian's registry on the host. Only its program is taken: the package would start one on this machine."""
    with tempfile.TemporaryDirectory() as folder:
        for command in ("apt-get download docker-registry", "dpkg-deb --extract docker-registry_*.deb ."):
            subprocess.run(command, cwd=folder, shell=True, check=True, capture_output=True, timeout=120)
        host.copy(Path(folder, "usr/bin/docker-registry"), "/usr/local/bin/docker-registry")
    host.shell(f"cat > /srv/registry.yml << 'END'\n{CONFIGURATION}END\n")
    host.shell("systemd-run --unit=registry docker-registry serve /srv/registry.yml")


def image(host: Fleet, name: str, megabytes: int) -> str:
    """An image that the registry has and the host has not."""
    reference = f"{REGISTRY}/vllm/{name}:v0.32.0"
    host.shell(MAKE.format(base=IMAGE, name=reference, megabytes=megabytes))
    return reference


class Measured(t.NamedTuple):
    """Seconds of one update."""

    gap: float
    own_start: float | None


def by_collection(host: Fleet, reference: str, load_seconds: float) -> Measured:
    """The main job with another image."""
    server = instance(image=reference, env={"REHEARSAL": f"load_seconds={load_seconds:g}"})
    registries = {REGISTRY: {"insecure": True}}
    with host.load() as load:
        ran = host.run("site.yml", {"vllm_instances": {"chat": server}, "vllm_registries": registries})
    found = re.search(r"^gpu-01\s+chat\s.*?\s([\d.]+) s\s", ran.output, re.MULTILINE)
    assert found, ran.output[-4000:]
    return Measured(load.gap, float(found[1]))


def by_hand(host: Fleet, reference: str, load_seconds: float) -> Measured:
    """One task that recreates the container."""
    variables = {
        "bench_image": reference,
        "bench_command": f"{SERVE} 8001".split(),
        "bench_env": {"REHEARSAL": f"load_seconds={load_seconds:g}"},
    }
    with host.load(port=8001) as load:
        host.run(HERE / "recreate.yml", variables)
    return Measured(load.gap, None)


WAYS: dict[str, t.Callable[[Fleet, str, float], Measured]] = {
    "the collection": by_collection,
    "recreated in one step, by hand": by_hand,
}


def measure(host: Fleet, options: argparse.Namespace) -> dict[str, list[Measured]]:
    """Updates by both ways in turn; the first of each is the one that makes the server."""
    found: dict[str, list[Measured]] = {way: [] for way in WAYS}
    for turn in range(options.repeat + 1):
        for number, (way, update) in enumerate(WAYS.items()):
            reference = image(host, f"way-{number}-{turn}", options.image_mb if turn else 1)
            done = update(host, reference, options.load_seconds if turn else 0.5)
            if turn:
                found[way].append(done)
    return found


def main() -> None:
    """Measure, and write the section of the page."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--load-seconds", type=float, default=10)
    parser.add_argument("--image-mb", type=int, default=200)
    options = parser.parse_args()
    section = Section("update_gap")
    with fleet(1) as host:
        start_registry(host)
        found = measure(host, options)
    starts = [each.own_start for each in found["the collection"] if each.own_start is not None]
    rows = [[way, median([each.gap for each in found[way]])] for way in WAYS]
    rows.append(["the server's own start, container and all", median(starts)])
    section.write(
        f"Median (lowest to highest) of {options.repeat}; a server that loads for {options.load_seconds:g} s, an image of"
        f" {options.image_mb} MB more than the host has, from a registry on the host.",
        table(["update to another image", "seconds without a token"], rows),
    )


if __name__ == "__main__":
    main()
