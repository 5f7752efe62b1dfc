"""What check mode can say of the CDI spec of a host while Podman or the toolkit is only going to be there."""

from __future__ import annotations

import typing as t

from .._cdi import judge as judging
from .._cdi.summary import forecast, summary
from . import cdi_host, refresh_unit
from .cdi_outcome import Outcome, wish
from .command import HostError

if t.TYPE_CHECKING:
    from .._cdi.refresh import Version
    from .cdi_outcome import Options
    from .nvidia_smi import Gpus
    from .place import Place

_PODMAN = "Podman is installed"
_TOOLKIT = "nvidia-container-toolkit-base is installed"


def without_podman(place: Place) -> Outcome:
    """Its version decides where the spec stands, and what may be in it."""
    _only_in_check_mode(place, "there is no Podman on this host: install it first (role podman)")
    place.actions.append(f"generate the CDI spec (known after {_PODMAN})")
    return Outcome(known_after=_PODMAN)


def without_toolkit(place: Place, options: Options, found: Gpus, podman: Version) -> Outcome:
    """The drop-in for the version that is going to be installed, and the names of the devices."""
    _only_in_check_mode(
        place, "nvidia-ctk is not on this host: install it first (role nvidia_container_toolkit)"
    )
    host = cdi_host.look(found, podman, place.root)
    if options.coming_toolkit:
        how = wish(host.target, podman, options)
        refresh_unit.put(place, options.coming_toolkit, how, coming=True)
    place.actions.append(f"generate the CDI spec (known after {_TOOLKIT})")
    spec = judging.spec_of(host)
    after = forecast(host.gpus, options.name_strategies, _TOOLKIT)
    place.show(host.target, summary(spec.data) if spec else None, after)
    return Outcome(known_after=_TOOLKIT)


def _only_in_check_mode(place: Place, otherwise: str) -> None:
    if not place.check:
        raise HostError(otherwise)
