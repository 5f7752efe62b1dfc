"""SELinux on this host: its mode, and the boolean that lets containers open device nodes."""

from __future__ import annotations

import re
import typing as t
from pathlib import Path

from .._cdi.selinux import BOOLEAN, SET, Selinux, keeps_out
from . import podman
from .command import HostError

if t.TYPE_CHECKING:
    from .._cdi.selinux import Mode
    from .command import Run
    from .place import Place

_TOOLS = "install libselinux-utils and policycoreutils on the host"


def state(run: Run, root: str = "/") -> Selinux:
    """What is so now, and after the next reboot."""
    now = mode(run, root)
    if now != "enforcing":
        return Selinux(now)
    told = run("getsebool", BOOLEAN)
    found = re.search(r"--> (on|off)(?: pending: (?:on|off))?\s*$", told.stdout)
    if not found:
        if "Error getting active value" in told.stderr:
            return Selinux(now)
        raise HostError(f"SELinux is enforcing, but getsebool does not answer: {told.said}: {_TOOLS}", told)
    return Selinux(now, found[1] == "on", _lasting(root))


def mode(run: Run, root: str = "/") -> Mode:
    """Whether its rules hold here."""
    told = run("getenforce")
    if told.rc == 127 and not Path(root, "sys/fs/selinux/enforce").exists():
        return "disabled"
    modes: dict[str, Mode] = {
        "Enforcing": "enforcing",
        "Permissive": "permissive",
        "Disabled": "disabled",
    }
    if told.stdout.strip() not in modes:
        raise HostError(f"SELinux is on, but getenforce does not answer: {told.said}: {_TOOLS}", told)
    return modes[told.stdout.strip()]


def _lasting(root: str) -> bool | None:
    """setsebool -P notes what it sets in the store of the policy; getsebool only tells what holds now."""
    try:
        config = Path(root, "etc/selinux/config").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None
    kind = re.search(r"^\s*SELINUXTYPE\s*=\s*(\S+)", config, re.MULTILINE)
    store = Path(root, "var/lib/selinux", kind[1] if kind else "targeted", "active")
    try:
        if not store.is_dir():
            return None
        noted = (store / "booleans.local").read_text(encoding="utf-8", errors="replace")
    except FileNotFoundError:
        noted = ""
    except OSError:
        return None
    return re.search(rf"^{BOOLEAN}=(1|on|true)\s*$", noted, re.MULTILINE) is not None


def let_in(place: Place, before: Selinux) -> str | None:
    """Switch the boolean on, for good, where that is lacking; in check mode perhaps what has to happen before."""
    if place.check and before.mode == "enforcing" and before.active is None and not _has_podman(place.run):
        place.actions.append(f"{' '.join(SET)} (known after Podman is installed)")
        return "Podman is installed"
    if keeps_out(before):
        _switch_on(place, before)
    return None


def _has_podman(run: Run) -> bool:
    """Its package brings the part of the policy that has the boolean."""
    return podman.version(run) is not None


def _switch_on(place: Place, before: Selinux) -> None:
    place.actions.append(" ".join(SET))
    now = "on until the next reboot" if before.active else "off"
    place.show(f"SELinux boolean {BOOLEAN}", f"{now}\n", "on\n")
    if place.check:
        return
    done = place.run(*SET)
    if not done.ok:
        raise HostError(f"the SELinux boolean {BOOLEAN} cannot be set: {done.said}", done)
