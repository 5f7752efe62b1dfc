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
    shutil.copytree(cache.RECIPES / "host/files", root, dirs_exist_ok=True)
    for leftover in (*root.glob("etc/ssh/ssh_host_*"), root / "etc/resolv.conf"):
        leftover.unlink(missing_ok=True)
    # Every host gets an identity of its own; without the file systemd would set up a first boot.
    (root / "etc/machine-id").write_text("")
    in_root(root, ["useradd", "--create-home", "--shell", "/bin/bash", "fleet"], log)
    with step("host: image"):
        cache.add_image(root, reference, ['CMD ["/sbin/init"]', "STOPSIGNAL SIGRTMIN+3"], log)
