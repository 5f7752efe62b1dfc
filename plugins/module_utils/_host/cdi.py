"""The CDI specs of this host, as its Podman sees them."""

from __future__ import annotations

import typing as t
from pathlib import Path

from .._cdi.specs import Devices, Spec, directories, read_spec, resolve

if t.TYPE_CHECKING:
    from .._cdi.specs import Version


def read_devices(podman: Version, root: str = "/") -> Devices:
    """What resolves on this host, from its files."""
    configuration = "\n".join(_read(path) or "" for path in _configuration_files(root))
    places = directories(podman, configuration)
    specs = []
    for place in places:
        for path in sorted(Path(root, place.lstrip("/")).glob("*")):
            if path.suffix in (".yaml", ".json") and not path.is_dir():
                shown = f"{place}/{path.name}"
                text = _read(path)
                specs.append(
                    read_spec(shown, text, podman)
                    if text is not None
                    else Spec(shown, problem="it cannot be opened")
                )
    return resolve(places, specs)


def _configuration_files(root: str) -> list[Path]:
    base = Path(root)
    own = sorted((base / "etc/containers/containers.conf.d").glob("*.conf"))
    return [base / "usr/share/containers/containers.conf", base / "etc/containers/containers.conf", *own]


def _read(path: Path) -> str | None:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return None
