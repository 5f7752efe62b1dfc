#!/usr/bin/python3
"""On a throw-away host: have the files and device nodes of a driver that is not there, as a recorded CDI spec lists them.

simulate.py PROFILE [--uvm-major N]: the profile is a folder that recordings.py made. Every library is an empty file, every
node has the numbers that the spec says; opening one fails, for there is no driver behind it.
"""

from __future__ import annotations

import argparse
import os
import pathlib
import re
import shutil

RECORDED = pathlib.Path("/usr/share/simulated-gpu")
MADE = RECORDED / "made.txt"  # files of the driver that was there before


def make_files(text: str) -> None:
    """The libraries and programs that the spec mounts, and no longer those of the driver before."""
    wanted = [path for path in re.findall(r"hostPath: (\S+)", text) if not path.startswith("/dev/")]
    before = MADE.read_text().split() if MADE.exists() else []
    for path in set(before) - set(wanted):
        pathlib.Path(path).unlink(missing_ok=True)
    made = []
    for path in map(pathlib.Path, wanted):
        if str(path) in before or not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.touch()
            made.append(str(path))
    MADE.write_text("\n".join(made) + "\n")


def make_nodes(text: str, uvm_major: int) -> None:
    """The device nodes, with the numbers and modes of the spec."""
    for node in pathlib.Path("/dev").glob("nvidia*"):
        shutil.rmtree(node) if node.is_dir() else node.unlink()
    found = re.findall(
        r"path: (/dev/\S+)\n(?:\s+hostPath: \S+\n)?\s+major: (\d+)\n(?:\s+minor: (\d+)\n)?\s+fileMode: (\d+)",
        text,
    )
    for path, major, minor, mode in found:
        number = uvm_major if "uvm" in path else int(major)
        node = pathlib.Path(path)
        node.parent.mkdir(exist_ok=True)
        if not node.exists():
            os.mknod(node, 0o20000 | int(mode), os.makedev(number, int(minor or 0)))
            node.chmod(int(mode))  # whatever the umask


def main() -> None:
    """Become a host with this driver."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("profile", type=pathlib.Path)
    parser.add_argument("--uvm-major", type=int, default=510)
    options = parser.parse_args()
    RECORDED.mkdir(parents=True, exist_ok=True)
    for old in (*RECORDED.glob("spec*.yaml"), RECORDED / "nvidia-ctk-error.txt"):
        old.unlink(missing_ok=True)
    for file in options.profile.iterdir():
        (RECORDED / file.name).write_text(file.read_text())
    (RECORDED / "uvm-major").write_text(f"{options.uvm_major}\n")
    whole = (RECORDED / "spec.yaml").read_text()
    make_files(whole)
    make_nodes(whole, options.uvm_major)


main()
