"""A Debian tree in a directory: make it, run commands in it, with pip set up there as it is on this machine."""

from __future__ import annotations

import os
import re
import shutil
import typing as t
from pathlib import Path

from .run import KEPT_FOR_ROOT, run

# When this program is killed, so is all that it started here, and its mounts are gone with it.
CONTAINED = (
    *("setpriv", "--pdeathsig", "KILL", "unshare", "--pid", "--fork", "--kill-child"),
    *("--mount", "--mount-proc", "--propagation", "private"),
)
IN_NAMESPACE = """
set -e
root=$1; shift
ip link set lo up  # in a namespace of its own; elsewhere it is up
while [ "$1" != -- ]; do mount --rbind "$1" "$root$2"; shift 2; done
shift
exec chroot "$root" "$@"
"""
SURROUNDINGS = ("/proc", "/sys", "/dev", "/etc/resolv.conf", "/etc/hosts")
CERTIFICATES = ("/etc/ssl/certs", "/usr/share/ca-certificates", "/usr/local/share/ca-certificates")
PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"


def make_debian(suite: str, variant: str, packages: t.Sequence[str], root: Path, log: Path) -> None:
    """A small Debian with these packages, from the mirror and with the settings that this machine's own apt uses."""
    # Nothing of this tree has to survive a power cut: dpkg need not wait for the disk.
    options = [
        "--mode=root",
        f"--variant={variant}",
        "--dpkgopt=force-unsafe-io",
        f"--include={','.join(packages)}",
    ]
    options += [f"--aptopt={line}" for line in apt_settings()]
    run([*CONTAINED, "mmdebstrap", *options, suite, str(root), *debian_mirror()], log=log)
    (root / "etc/dpkg/dpkg.cfg.d/99mmdebstrap").unlink()
    for directory in ("doc", "man", "locale"):
        shutil.rmtree(root / "usr/share" / directory, ignore_errors=True)


def apt_settings() -> list[str]:
    """Proxies and the like: what this machine needs to reach a mirror, the tree needs too."""
    names = (
        "Acquire::http::Proxy",
        "Acquire::https::Proxy",
        "Acquire::Check-Date",
        "Acquire::Check-Valid-Until",
    )
    told = run(["apt-config", "dump", "--no-empty", "--format", '%f "%v";%n', *names]).stdout
    return [line for line in told.splitlines() if line]


def debian_mirror() -> list[str]:
    """This machine's own, when it is a Debian; nothing otherwise, and mmdebstrap takes its default."""
    form = "$(ORIGIN)|$(LABEL)|$(REPO_URI)"
    told = run(["apt-get", "indextargets", "--format", form], check=False).stdout
    uris = [line.split("|")[2] for line in told.splitlines() if line.startswith("Debian|Debian|")]
    return [uri for uri in uris if uri.startswith("http")][:1]


def in_root(
    root: Path,
    command: t.Sequence[str],
    log: Path,
    *,
    mounts: t.Mapping[str, str] | None = None,
    network: bool = False,
) -> None:
    """Run a command in the tree; without the network it has a loopback of its own."""
    binds = {path: path for path in SURROUNDINGS} | dict(mounts or {})
    binds = {source: target for source, target in binds.items() if Path(source).exists()}
    made = [place for source, target in binds.items() for place in _mount_point(root, Path(source), target)]
    contained = [*CONTAINED, *([] if network else ["--net"])]
    pairs = [part for pair in binds.items() for part in pair]
    env = {"PATH": PATH, "HOME": "/root", "LC_ALL": "C.UTF-8", **(_pip_environment() if network else {})}
    try:
        shell = [*contained, "sh", "-c", IN_NAMESPACE, "sh", str(root)]
        run([*shell, *pairs, "--", *command], env=env, log=log)
    finally:
        for place in reversed(made):
            place.rmdir() if place.is_dir() else place.unlink()


def _mount_point(root: Path, source: Path, target: str) -> list[Path]:
    """Make where to mount; what was made, outermost first, so that the image keeps no trace of it."""
    place = root / target.lstrip("/")
    if place.exists():
        return []
    missing = [parent for parent in reversed(place.parents) if not parent.exists()]
    for parent in missing:
        parent.mkdir()
    if source.is_dir():
        place.mkdir()
    else:
        place.touch()
    return [*missing, place]


def pip_mounts() -> dict[str, str]:
    """What makes pip in a tree find what pip finds here: its configuration, certificates, local indexes and wheels."""
    home = Path(os.environ.get("HOME", "/root"))
    user = Path(os.environ.get("XDG_CONFIG_HOME", home / ".config")) / "pip"
    site = [Path(base) / "pip" for base in os.environ.get("XDG_CONFIG_DIRS", "/etc/xdg").split(":") if base]
    mounts = {
        str(user): "/root/.config/pip",
        str(home / ".pip"): "/root/.pip",
        str(home / ".netrc"): "/root/.netrc",
    }
    own = ("/etc/pip.conf", *map(str, site), *CERTIFICATES)
    texts = list(_pip_environment().values())
    for place in (Path("/etc/pip.conf"), user, home / ".pip", *site):
        texts += [file.read_text(errors="replace") for file in _files(place)]
    paths = {*own, *_local_paths("\n".join(texts))}
    covered = {path for path in paths if any(path.startswith(f"{other}/") for other in paths)}
    return {path: path for path in sorted(paths - covered) if Path(path).exists()} | mounts


def _files(place: Path) -> list[Path]:
    if place.is_file():
        return [place]
    return [file for file in place.glob("*") if file.is_file()]


def _local_paths(text: str) -> list[str]:
    """Directories and files that the configuration names; of a local index the folder above, where its files lie."""
    indexes = re.findall(r"file://(?:localhost)?(/[^\s,]+)", text)
    plain = re.findall(r"(?:^|[\s=,])(/[^\s,]+)", text)
    return [str(Path(path).parent) for path in indexes if Path(path).parent != Path("/")] + plain


def _pip_environment() -> dict[str, str]:
    """Without what would move pip's own files: in the tree they are at their usual places."""
    moved = ("HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "PIP_CACHE_DIR")
    names = [
        name
        for name in os.environ
        if (name in KEPT_FOR_ROOT or name.startswith("PIP_")) and name not in moved
    ]
    return {name: os.environ[name] for name in names}
