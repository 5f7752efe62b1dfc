"""nvidia-cdi-refresh on this host: its state, its files, and running it."""

from __future__ import annotations

import typing as t
from pathlib import Path

from .._cdi.refresh import (
    DROP_IN,
    FIRST_WITH_UNIT,
    MARK,
    OWN_UNIT,
    PATH_UNIT,
    UNIT,
    UnitState,
    Version,
    Wish,
    drop_in,
    own_unit,
)
from . import systemd
from .command import HostError

if t.TYPE_CHECKING:
    from .command import Run
    from .place import Place

_PROPERTIES = "LoadState,Result,ConditionResult,ConditionTimestampMonotonic,FragmentPath"
VENDOR_PLACES = ("/usr/lib/systemd/system/", "/lib/systemd/system/")
OLD_COPIES = tuple(f"/etc/systemd/system/{name}" for name in (UNIT, PATH_UNIT))


def state(run: Run) -> UnitState:
    """What systemd says of the unit."""
    done = run("systemctl", "show", "--property", _PROPERTIES, "--", UNIT)
    if not done.ok:
        raise HostError(f"systemd does not answer: {done.said}", done)
    shown = systemd.parse_show(done.stdout)
    path = systemd.parse_show(run("systemctl", "show", "--property", "FragmentPath", "--", PATH_UNIT).stdout)
    ran = shown.get("ConditionTimestampMonotonic", "0") not in ("", "0")
    result = shown.get("Result", "success")
    return UnitState(
        load_state=shown.get("LoadState", "not-found"),
        result=result,
        condition=shown.get("ConditionResult") == "yes" or not ran,
        fragment=shown.get("FragmentPath", ""),
        path_fragment=path.get("FragmentPath", ""),
        last_words=_last_words(run) if result not in ("success", "exec-condition") else "",
    )


def _last_words(run: Run) -> str:
    lines = systemd.last_lines(run, UNIT, 20)
    errors = [line for line in lines if "level=error" in line or "NVIDIA-SMI" in line or "NVML" in line]
    return (errors or lines or [""])[-1].strip()


def vendor_unit_exists(root: str = "/") -> bool:
    """Whether the package's own unit is where it belongs since 1.20."""
    return any(Path(root, place.lstrip("/"), UNIT).exists() for place in VENDOR_PLACES)


def brought_by_toolkit(root: str = "/") -> bool:
    """Whether NVIDIA's packages brought a unit, wherever they put it."""
    old = Path(root, OLD_COPIES[0].lstrip("/"))
    return vendor_unit_exists(root) or old.exists()


def put(place: Place, version: Version, wish: Wish, coming: bool = False) -> bool:
    """The drop-in for NVIDIA's unit, or a unit of our own where there is none; whether anything differed.

    ``coming``: that version of the toolkit is only going to be installed, and what it brings cannot be seen yet.
    """
    if version >= FIRST_WITH_UNIT if coming else brought_by_toolkit(place.root):
        changed = [place.write(DROP_IN, drop_in(version, wish)), place.remove(OWN_UNIT, MARK)]
    else:
        changed = [place.write(OWN_UNIT, own_unit(wish)), place.remove(DROP_IN, MARK)]
    return any(changed)


def enable(place: Place) -> None:
    """Have the spec written at boot, and when the driver or the toolkit changes."""
    for unit in (UNIT, PATH_UNIT):
        if place.run("systemctl", "is-enabled", "--", unit).stdout.strip() != "disabled":
            continue
        place.actions.append(f"enable {unit}")
        place.show(unit, "disabled\n", "enabled\n")
        if not place.check:
            enabled = place.run("systemctl", "enable", "--", unit)
            if not enabled.ok:
                raise HostError(f"{unit} cannot be enabled: {enabled.said}", enabled)


def refresh(run: Run) -> None:
    """Run the unit, and wait for it. Whether it did anything is for its state and for the spec to say."""
    run("systemctl", "reset-failed", "--", UNIT)
    run("systemctl", "start", "--", UNIT)
