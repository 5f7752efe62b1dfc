"""The image of a host with Debian 12: a Podman without Quadlet, which the collection has to refuse."""

from __future__ import annotations

from pathlib import Path

from . import cache, host_image, root_directory
from .run import step

RECIPE = "host-bookworm"
# All but the packages is as in the image of a host, whose recipe and code therefore count too.
MADE_FROM = (
    *(__file__, host_image.__file__, root_directory.__file__),
    *sorted(str(path) for path in (cache.RECIPES / "host/files").rglob("*") if path.is_file()),
)


def make(place: Path, reference: str) -> None:
    """Make it in a directory, then put it into the store."""
    root, log = place / "root", place / "log"
    with step("host: Debian 12 with systemd and Podman 4.3"):
        root_directory.make_debian("bookworm", "minbase", cache.packages(RECIPE), root, log)
    host_image._lay_files(cache.RECIPES / "host/files", root)
    for leftover in (*root.glob("etc/ssh/ssh_host_*"), root / "etc/resolv.conf"):
        leftover.unlink(missing_ok=True)
    (root / "etc/machine-id").write_text("")
    root_directory.in_root(root, ["useradd", "--create-home", "--shell", "/bin/bash", "fleet"], log)
    with step("host: image of Debian 12"):
        cache.add_image(root, reference, ['CMD ["/sbin/init"]', "STOPSIGNAL SIGRTMIN+3"], log)
