#!/usr/bin/env python3
"""Debian roots for the Pythons that this machine lacks: `make SUITE` makes one and keeps it, `enter SUITE COMMAND...` runs there.

Inside, the checkout, the cache and the folder of temporary files have the same paths as outside.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(CHECKOUT / "tests/hosts"))

from throwaway import cache, machine, root_directory
from throwaway.run import SandboxError, become_root, say, step

PACKAGES = ("ca-certificates", "git", "iproute2", "openssh-client", "python3", "python3-venv")


def place_of(suite: str) -> Path:
    """Where the root of a release of Debian is kept."""
    made_from = [Path(__file__), Path(root_directory.__file__)]
    return cache.directory() / f"python-{suite}-{cache.key_of(made_from, suite)}"


def make(suite: str) -> Path:
    """Make it where the cache lacks it. It gets its name only when it is whole."""
    place = place_of(suite)
    with cache.locked(cache.directory() / "roots"):
        if not place.is_dir():
            making = cache.directory() / "roots" / suite
            machine.unmount_below(making)
            shutil.rmtree(making, ignore_errors=True)
            making.mkdir(parents=True)
            with step(f"matrix: the Python of Debian's {suite}"):
                root_directory.make_debian(suite, "minbase", PACKAGES, making / "root", making / "log")
            git = "[safe]\n\tdirectory = *\n"  # the checkout is somebody else's there
            (making / "root/root/.gitconfig").write_text(git)
            (making / "root").rename(place)
            shutil.rmtree(making)
    return place


def enter(suite: str, command: list[str]) -> int:
    """Run a command there, in this folder, with pip set up as it is on this machine."""
    root = place_of(suite)
    same = (*root_directory.SURROUNDINGS, str(CHECKOUT), str(cache.directory()), tempfile.gettempdir())
    binds = {path: path for path in same} | root_directory.pip_mounts()
    binds = {source: target for source, target in binds.items() if Path(source).exists()}
    for source, target in binds.items():
        root_directory._mount_point(root, Path(source), target)
    pairs = [part for pair in binds.items() for part in pair]
    shell = [*root_directory.CONTAINED, "sh", "-c", root_directory.IN_NAMESPACE, "sh", str(root), *pairs]
    inside = {
        **root_directory._pip_environment(),
        "PATH": root_directory.PATH,
        "HOME": "/root",
        "LC_ALL": "C.UTF-8",
        "XDG_CACHE_HOME": str(cache.directory().parent),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    there = ["env", "--chdir", str(Path.cwd()), *command]
    return subprocess.run([*shell, "--", *there], env=inside, check=False).returncode


def main(arguments: list[str]) -> int:
    """Do one of the two, as root."""
    become_root()
    try:
        if arguments[0] == "make":
            print(make(arguments[1]))
            return 0
        return enter(arguments[1], arguments[2:])
    except (SandboxError, OSError) as error:
        say(f"error: {error}")
        return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
