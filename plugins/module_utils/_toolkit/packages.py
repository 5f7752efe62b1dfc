"""The packages of the NVIDIA container toolkit: which belong together, in which version, and what a host lacks."""

from __future__ import annotations

import dataclasses
import re
import typing as t

Family = t.Literal["Debian", "RedHat", "Suse", "Archlinux"]
Version = tuple[int, int, int]
State = t.Literal["ready", "missing", "older", "newer", "mixed", "damaged"]

BASE = "nvidia-container-toolkit-base"  # all that Podman with CDI needs
FULL = ("libnvidia-container1", "libnvidia-container-tools", BASE, "nvidia-container-toolkit")
CTK, HOOK = "/usr/bin/nvidia-ctk", "/usr/bin/nvidia-cdi-hook"
FIRST_WITH_HOOK: Version = (1, 17, 0)
FIRST_WITH_DIGEST: Version = (1, 18, 1)
OLDEST: Version = (1, 14, 6)

# What older instructions left behind, and what contradicts the repository or CDI today.
_LEGACY_NAMES = ("libnvidia-container", "nvidia-docker", "nvidia-container-runtime")
LEGACY_HOOKS = tuple(
    f"{place}/oci-nvidia-hook.json"
    for place in ("/usr/share/containers/oci/hooks.d", "/etc/containers/oci/hooks.d")
)
_REPOSITORY_FILES = {
    "Debian": ("/etc/apt/sources.list.d", "list", ("nvidia-container-toolkit",)),
    "RedHat": ("/etc/yum.repos.d", "repo", ()),
    "Suse": ("/etc/zypp/repos.d", "repo", ()),
}


@dataclasses.dataclass(frozen=True)
class Judgement:
    """What a host has of the toolkit, and what is to be done."""

    state: State
    message: str
    names: tuple[str, ...]  # to be brought to the version, all in one transaction
    specs: tuple[str, ...]  # the same as the family's package manager takes them

    @property
    def ready(self) -> bool:
        """Whether nothing is to be done."""
        return self.state == "ready"


def full_version(version: str) -> str:
    """``1.20.0`` is ``1.20.0-1``, as NVIDIA numbers its packages."""
    return version if "-" in version else f"{version}-1"


def parse(version: str) -> Version | None:
    """(1, 20, 0) from ``1.20.0-1``, ``1:1.20.0-1`` or ``1.20.0``."""
    found = re.match(r"(?:\d+:)?(\d+)\.(\d+)\.(\d+)", version)
    return (int(found[1]), int(found[2]), int(found[3])) if found else None


def refusal(
    version: str, family: str, distribution: str = "", major: int = 0, fips: bool = False
) -> str | None:
    """Why a version is not to be installed here; None where it may."""
    found = parse(version)
    if family not in ("Debian", "RedHat", "Suse", "Archlinux"):
        return (
            f"this role knows no way to install the toolkit on {distribution or family}: install {BASE} by other means, and "
            "set nvidia_container_toolkit_install to false"
        )
    if family == "Archlinux":
        return None  # a rolling release has one version
    if found is None:
        return f"nvidia_container_toolkit_version {version!r} is no version: write it as 1.20.0"
    if found == (1, 19, 0):
        return (
            "1.19.0 of the toolkit refreshes the CDI spec only after multi-user.target, which waits for the servers: take "
            "1.19.1 or newer, or 1.18.2"
        )
    if found < OLDEST:
        return f"{version} of the toolkit is older than any that this role was checked with: take 1.14.6 or newer"
    strict = f"Fedora {major}" if distribution == "Fedora" and major >= 43 else ""
    if fips and family in ("RedHat", "Suse"):
        strict = strict or "rpm in FIPS mode"
    return _without_digest(version, found, strict)


def _without_digest(version: str, found: Version, strict: str) -> str | None:
    """The rpm files before 1.18.1 have no SHA-256 digest in their header, which is what ``strict`` asks for."""
    if not strict or found >= FIRST_WITH_DIGEST:
        return None
    return f"{strict} refuses the packages of {version} (no digest): take 1.18.1 or newer"


def judge(
    installed: t.Mapping[str, str], programs: t.Collection[str], version: str, family: str, full: bool = False
) -> Judgement:
    """What to do on a host with these packages of the set, and these of the programs that they bring."""
    if family == "Archlinux":
        return _judge_rolling(installed, programs)
    wanted = full_version(version)
    names = tuple(name for name in FULL if full or name == BASE or name in installed)
    state, message = _state(installed, programs, wanted, names)
    return Judgement(state, message, names, tuple(_spec(family, name, wanted) for name in names))


def _state(
    installed: t.Mapping[str, str], programs: t.Collection[str], wanted: str, names: t.Sequence[str]
) -> tuple[State, str]:
    have = {name: installed[name] for name in names if name in installed}
    lacking = [name for name in names if name not in have]
    if not have:
        return "missing", f"{', '.join(names)} {wanted} is not installed"
    if len(set(have.values())) > 1:
        listed = ", ".join(f"{name} {version}" for name, version in have.items())
        return "mixed", f"the toolkit is half upgraded: {listed}; all of it is to be {wanted}"
    present = next(iter(have.values()))
    if present != wanted:
        older = (parse(present) or (0, 0, 0)) < (parse(wanted) or (0, 0, 0))
        return ("older" if older else "newer"), f"the toolkit is {present}, it is to be {wanted}"
    if lacking:
        return "missing", f"{', '.join(lacking)} is not installed"
    return _programs(programs, wanted)


def _programs(programs: t.Collection[str], wanted: str) -> tuple[State, str]:
    needed = [CTK, HOOK] if (parse(wanted) or (0, 0, 0)) >= FIRST_WITH_HOOK else [CTK]
    lost = [path for path in needed if path not in programs]
    if lost:
        return "damaged", f"{', '.join(lost)} is gone, though {BASE} {wanted} is installed"
    return "ready", f"the toolkit is {wanted}"


def _judge_rolling(installed: t.Mapping[str, str], programs: t.Collection[str]) -> Judgement:
    name = "nvidia-container-toolkit"
    if name not in installed:
        return Judgement("missing", f"{name} is not installed", (name,), (name,))
    state, message = _programs(programs, installed[name])
    return Judgement(state, message, (name,), (name,))


def _spec(family: str, name: str, version: str) -> str:
    return f"{name}-{version}" if family == "RedHat" else f"{name}={version}"


def file_command(family: str, files: t.Sequence[str]) -> list[str]:
    """How local package files are installed, all in one transaction, older ones over newer ones too."""
    return [*_FROM_FILES[family], *files]


def reinstall_command(family: str, specs: t.Sequence[str]) -> list[str]:
    """How an installed package gets its files back."""
    return [*_AGAIN[family], *specs]


_APT = ("apt-get", "--yes", "--quiet", "-o", "Dpkg::Options::=--force-confdef", "-o", "Dpkg::Options::=--force-confold",
        "install", "--no-install-recommends", "--allow-downgrades", "--allow-change-held-packages")  # fmt: skip
_FROM_FILES: dict[str, tuple[str, ...]] = {
    "Debian": _APT,
    # The files were checked by whoever brought them here; NVIDIA signs its repository, not its rpm files.
    "RedHat": ("dnf", "--assumeyes", "--nogpgcheck", "install", "--allowerasing"),
    "Suse": (
        "zypper",
        "--non-interactive",
        "--no-gpg-checks",
        "install",
        "--oldpackage",
        "--allow-unsigned-rpm",
    ),
    "Archlinux": ("pacman", "--upgrade", "--noconfirm"),
}
_AGAIN: dict[str, tuple[str, ...]] = {
    "Debian": (*_APT, "--reinstall"),
    "RedHat": ("dnf", "--assumeyes", "--enablerepo=nvidia-container-toolkit*", "reinstall"),
    "Suse": ("zypper", "--non-interactive", "install", "--force", "--oldpackage"),
    "Archlinux": ("pacman", "--sync", "--noconfirm"),
}


def legacy_repositories(family: str, own_repository: bool) -> list[str]:
    """Repository files of older instructions; they matter only where the role brings the repository itself."""
    place, ending, more = _REPOSITORY_FILES.get(family, ("", "", ()))
    names = (*_LEGACY_NAMES, *more) if own_repository and place else ()
    return [f"{place}/{name}.{ending}" for name in names]


def legacy_files(family: str, own_repository: bool) -> list[str]:
    """All that older instructions left, the hook that fights CDI included."""
    return [*legacy_repositories(family, own_repository), *LEGACY_HOOKS]
