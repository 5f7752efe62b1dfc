"""The images of servers that only rehearse: one small Debian with Python, and on top of it one release each."""

from __future__ import annotations

import shutil
import subprocess
import typing as t
from pathlib import Path

from rehearsal import build

from . import cache
from .root_directory import in_root, make_debian
from .run import SandboxError, step

PACKAGES = ("coreutils", "dash", "python3")
# What the program imports, so that its bytecode is there: a start takes a quarter of the processor time.
IMPORTS = ("argparse", "dataclasses", "http.server", "json", "select", "signal", "ssl", "traceback", "uuid")
# Tag -> release, and the options that this image does not know although its release does.
TAGS: dict[str, tuple[str, tuple[str, ...]]] = {
    "v0.26.0": ("0.26.0", ()),
    "v0.32.0": ("0.32.0", ()),
    "v0.32.0-picky": ("0.32.0", ("--seed",)),
}


def base_key() -> str:
    """Changes when the base would be another one."""
    return cache.key_of((Path(__file__),), "\0".join(PACKAGES))


def key() -> str:
    """Changes when the program, what it is made from, or the base does."""
    files = [path for path in build.HERE.rglob("*") if path.is_file() and "__pycache__" not in path.parts]
    return cache.key_of((*sorted(files), *build.SOURCES), base_key())


def make_base(place: Path, reference: str) -> None:
    """Unpack the packages, without running what they would run: Python needs none of it."""
    root, log = place / "root", place / "log"
    with step("rehearsal: Debian 12 with Python"):
        make_debian("bookworm", "extract", PACKAGES, root, log)
    (root / "etc/passwd").write_text("root:x:0:0:root:/root:/bin/sh\n")
    (root / "etc/group").write_text("root:x:0:\n")
    for name in ("root", "proc", "sys", "dev"):
        (root / name).mkdir(exist_ok=True)
    in_root(root, ["python3", "-c", f"import {', '.join(IMPORTS)}"], log)
    cache.add_image(root, reference, (), log)


def make(place: Path, base: str, references: t.Mapping[str, str]) -> None:
    """Make the base where it is missing, then the image of each tag."""
    if not cache.has_image(base):
        make_base(place, base)
        shutil.rmtree(place / "root")
    with step("rehearsal: images"):
        for tag, reference in references.items():
            version, refused = TAGS[tag]
            try:
                build.build(cache.podman(), version, reference, base, refused)
            except subprocess.CalledProcessError as error:
                raise SandboxError(
                    f"the image {reference} cannot be built: exit code {error.returncode}"
                ) from error
