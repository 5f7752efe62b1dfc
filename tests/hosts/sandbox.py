#!/usr/bin/env python3
"""Throw-away hosts with systemd and Podman on this machine, with simulated GPUs and a real vLLM for the CPU.

Needs Python 3.11 and what install_packages.sh installs; nothing else. See README.md beside it.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys

from throwaway import cache, fleet, gpus, hosts, images, machine
from throwaway.run import SandboxError, become_root, say, step


def make_images(_options: argparse.Namespace) -> int:
    """Make what is missing in the cache."""
    with step("images"):
        images.ready()
    return 0


def up(options: argparse.Namespace) -> int:
    """Make the hosts of a group that do not run yet."""
    wanted = fleet.hosts(options.group, options.host, options.first_port)
    images.ready(sorted({host.suite for host in wanted}))
    if not hosts.up(wanted):
        say(f"up: the hosts of {options.group} run already")
    return 0


def down(options: argparse.Namespace) -> int:
    """Remove a group: hosts, volumes, network, keys."""
    if not hosts.down(options.group):
        say(f"down: nothing is left of {options.group}")
    return 0


def clean(_options: argparse.Namespace) -> int:
    """Remove every group, and what killed runs left; the cache stays."""
    for group in hosts.groups():
        hosts.down(group)
    hosts.leave_machine()
    images.remove_left_overs()
    shutil.rmtree(fleet.CHECKOUT / ".sandbox", ignore_errors=True)
    return 0


def status(_options: argparse.Namespace) -> int:
    """Say which hosts there are, and how to log in."""
    for group in hosts.groups():
        ways = fleet.ssh_commands(group)
        for container, recipe in hosts.running(group).items():
            print(f"{group:8} {container:40} {'runs' if recipe else 'is down'}")
            if container in ways:
                print(f"         {ways[container]}")
    return 0


def podman(options: argparse.Namespace) -> int:
    """Run Podman as the hosts of a group need it; the way in when SSH is not."""
    machine.prepare()
    arguments = options.arguments[1:] if options.arguments[:1] == ["--"] else options.arguments
    command = machine.podman(options.group, cache.store(), *arguments)
    return subprocess.run(command, check=False).returncode


def parse() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    every = (
        ("images", make_images),
        ("up", up),
        ("down", down),
        ("clean", clean),
        ("status", status),
        ("podman", podman),
    )
    for name, function in every:
        command = commands.add_parser(name, help=function.__doc__)
        command.set_defaults(function=function)
        if function in (up, down, podman):
            command.add_argument(
                "--group", default="demo", help="hosts that come and go together (%(default)s)"
            )
        if function is up:
            command.add_argument(
                "host",
                nargs="*",
                metavar="NAME=GPUS[@SUITE]",
                help=f"GPUS: {', '.join(gpus.names())}; SUITE: {', '.join(fleet.SUITES)}",
            )
            command.add_argument("--first-port", type=int, help="for a group without ports of its own")
        if function is podman:
            command.add_argument("arguments", nargs=argparse.REMAINDER)
    return parser.parse_args()


def main() -> int:
    """Do one thing, as root."""
    options = parse()
    become_root()
    try:
        return options.function(options)
    except (SandboxError, OSError) as error:
        say(f"error: {error}")
        return 1


if __name__ == "__main__":
    sys.exit(main())
