"""The image of a host: Debian 13 with systemd, Podman and SSH, as a provider hands it over."""

from __future__ import annotations

import shutil
from pathlib import Path

from . import cache
from .root_directory import in_root, make_debian
from .run import step


def make(place: Path, reference: str) -> None:
    """Make it in a directory, then put it into the store."""
    root, log = place / "root", place / "log"
    with step("host: Debian 13 with systemd and Podman"):
        make_debian("trixie", "minbase", cache.packages("host"), root, log)
    _lay_files(cache.RECIPES / "host/files", root)
    for leftover in (*root.glob("etc/ssh/ssh_host_*"), root / "etc/resolv.conf"):
        leftover.unlink(missing_ok=True)
    # Every host gets an identity of its own; without the file systemd would set up a first boot.
    (root / "etc/machine-id").write_text("")
    in_root(root, ["useradd", "--create-home", "--shell", "/bin/bash", "fleet"], log)
    with step("host: image"):
        cache.add_image(root, reference, ['CMD ["/sbin/init"]', "STOPSIGNAL SIGRTMIN+3"], log)


def _lay_files(files: Path, root: Path) -> None:
    """Copy them with modes of a system, not those of a checkout: sudo wants nothing that a group may write."""
    for source in (path for path in files.rglob("*") if path.is_file()):
        target = root / source.relative_to(files)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, target)
        target.chmod(0o755 if cache.is_executable(source) else 0o644)
