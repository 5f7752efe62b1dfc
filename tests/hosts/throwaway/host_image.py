"""The images of hosts: a Debian with systemd, Podman and SSH, as a provider hands it over."""

from __future__ import annotations

import shutil
import typing as t
from pathlib import Path

from . import cache, root_directory
from .run import step

# Suite of Debian -> the recipe that names its packages. All else is in the recipe of the first one.
RECIPES = {"trixie": "host", "bookworm": "host-bookworm"}
_FILES = cache.RECIPES / "host/files"
_NAMES = {"trixie": "vllm-fleet-host", "bookworm": "vllm-fleet-host-bookworm"}


def references() -> dict[str, str]:
    """By suite, the image by the hash of what it is made from."""
    shared = [*_files(), Path(__file__), Path(root_directory.__file__)]
    keys = {
        suite: cache.key_of([*shared, cache.RECIPES / recipe / "packages.txt"])
        for suite, recipe in RECIPES.items()
    }
    return {suite: f"localhost/{_NAMES[suite]}:{key}" for suite, key in keys.items()}


def make(place: Path, suite: str, reference: str) -> None:
    """Make it in a directory, then put it into the store."""
    root, log = place / "root", place / "log"
    with step(f"host: {suite} with systemd and Podman"):
        root_directory.make_debian(suite, "minbase", cache.packages(RECIPES[suite]), root, log)
    _lay_files(root)
    for leftover in (*root.glob("etc/ssh/ssh_host_*"), root / "etc/resolv.conf"):
        leftover.unlink(missing_ok=True)
    # Every host gets an identity of its own; without the file systemd would set up a first boot.
    (root / "etc/machine-id").write_text("")
    root_directory.in_root(root, ["useradd", "--create-home", "--shell", "/bin/bash", "fleet"], log)
    with step(f"host: image of {suite}"):
        cache.add_image(root, reference, ['CMD ["/sbin/init"]', "STOPSIGNAL SIGRTMIN+3"], log)


def _files() -> t.Iterator[Path]:
    return (path for path in sorted(_FILES.rglob("*")) if path.is_file())


def _lay_files(root: Path) -> None:
    """Copy them with modes of a system, not those of a checkout: sudo wants nothing that a group may write."""
    for source in _files():
        target = root / source.relative_to(_FILES)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, target)
        target.chmod(0o755 if cache.is_executable(source) else 0o644)
