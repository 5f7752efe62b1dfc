"""nvidia-cdi-refresh.service, which writes the spec anew before each start of a server: what NVIDIA's unit of each
release lacks, the drop-in that adds it, and a whole unit for toolkits that bring none."""

from __future__ import annotations

import dataclasses
import typing as t

from .._settings.version import format_release
from .finding import finding

if t.TYPE_CHECKING:
    from .._settings.finding import Finding

Version = tuple[int, int, int]

UNIT = "nvidia-cdi-refresh.service"
PATH_UNIT = "nvidia-cdi-refresh.path"
DROP_IN = "/etc/systemd/system/nvidia-cdi-refresh.service.d/50-vllm-fleet.conf"
# Below NVIDIA's in systemd's order of precedence (/etc) or not read by any package (/usr/local): no conflict on upgrade.
OWN_UNIT = "/usr/local/lib/systemd/system/nvidia-cdi-refresh.service"
OLD_PLACE = "/etc/systemd/system/"  # where 1.18 and 1.19 put their units; from 1.20 on a copy there masks the newer one
MARK = "# Written by gpuops.vllm_fleet (role podman_cdi); changes are overwritten."

FIRST_WITH_UNIT: Version = (1, 18, 0)
FIRST_WITH_VENDOR_UNIT: Version = (1, 20, 0)
FIRST_WITHOUT_GIDS_IN_PODMAN: Version = (
    5,
    1,
    0,
)  # older ones refuse cdiVersion 0.7.0, which additionalGids need

_AFTER = "systemd-modules-load.service systemd-udevd.service nvidia-persistenced.service nvidia-fabricmanager.service"
_MAKE_NODES = (
    "ExecStartPre=-/usr/bin/nvidia-modprobe -u -c 0",
    "ExecStartPre=-/usr/bin/nvidia-ctk system create-device-nodes --control-devices --load-kernel-modules",
)


@dataclasses.dataclass(frozen=True)
class Defect:
    """What NVIDIA's unit of some releases does wrong; ``repaired`` tells whether a drop-in can help."""

    code: str
    since: Version
    until: Version | None  # the last release that has it; None: every known one
    text: str
    repaired: bool = True


DEFECTS: tuple[Defect, ...] = (
    Defect("module_name", (1, 18, 0), (1, 18, 0), "its ExecCondition misses Debian's nvidia-current.ko"),
    Defect("compressed_module", (1, 18, 1), (1, 18, 1), "its ExecCondition misses compressed modules (.ko.xz, .ko.zst)"),
    Defect(
        "open_module_name",
        (1, 18, 0),
        None,
        "its ExecCondition misses nvidia-current-open.ko, nvidia-tesla-535.ko and nvidia-tesla-470.ko; systemctl start "
        "ends with 0 all the same",
    ),
    Defect("no_restart", (1, 19, 0), (1, 19, 0), "it does not try again when the driver comes late"),
    Defect(
        "after_multi_user",
        (1, 19, 0),
        (1, 19, 0),
        "it waits for multi-user.target, which waits for the servers that wait for it; a drop-in cannot take an After= away",
        repaired=False,
    ),
    Defect("no_uvm_nodes", (1, 18, 0), (1, 20, 1), "it does not make /dev/nvidia-uvm: the spec lacks it, and CUDA fails"),
    Defect("no_order", (1, 18, 0), None, "it may run before nvidia-persistenced and the fabric manager, and mount what they make"),
)  # fmt: skip


def defects(version: Version) -> tuple[Defect, ...]:
    """What the unit of a release does wrong."""
    return tuple(
        each for each in DEFECTS if each.since <= version and (each.until is None or version <= each.until)
    )


@dataclasses.dataclass(frozen=True)
class Wish:
    """How the spec is to be generated."""

    target: str
    feature_flags: tuple[str, ...] = ()
    disabled_hooks: tuple[str, ...] = ()
    name_strategies: tuple[str, ...] = ()  # empty: those of nvidia-ctk, index and UUID

    def environment(self) -> dict[str, str]:
        """What nvidia-ctk reads. Variables, not options: older releases pass over what they do not know."""
        lists = {
            "NVIDIA_CTK_CDI_GENERATE_FEATURE_FLAGS": self.feature_flags,
            "NVIDIA_CTK_CDI_GENERATE_DISABLED_HOOKS": self.disabled_hooks,
            "NVIDIA_CTK_CDI_GENERATE_DEVICE_NAME_STRATEGIES": self.name_strategies,
        }
        given = {name: ",".join(values) for name, values in lists.items() if values}
        return {"NVIDIA_CTK_CDI_OUTPUT_FILE_PATH": self.target, **given}


def flags_for(podman: Version, wanted: t.Sequence[str] = ()) -> tuple[str, ...]:
    """The feature flags for a Podman: below 5.1 the spec must not need cdiVersion 0.7.0."""
    needed = ["no-additional-gids-for-device-nodes"] if podman < FIRST_WITHOUT_GIDS_IN_PODMAN else []
    return tuple(dict.fromkeys([*wanted, *needed]))


def drop_in(version: Version, wish: Wish) -> str:
    """What is added to NVIDIA's unit of a release."""
    reasons = [f"# {format_release(version)}: {each.text}" for each in defects(version) if each.repaired]
    lines = [MARK, *reasons, "[Unit]", f"After={_AFTER}", "", "[Service]"]
    lines += _environment_lines(wish)
    lines += [
        "# A host of the fleet has GPUs: a driver that is not there is a failure, nothing to skip over.",
        "ExecCondition=",
    ]
    lines += _MAKE_NODES
    if any(each.code == "no_restart" for each in defects(version)):
        lines += ["Restart=on-failure", "RestartSec=1s"]
    return "\n".join(lines) + "\n"


def own_unit(wish: Wish) -> str:
    """The whole unit, for toolkits before 1.18."""
    lines = [
        MARK,
        "[Unit]",
        "Description=Refresh the CDI spec of the NVIDIA GPUs",
        f"After={_AFTER}",
        "StartLimitBurst=5",
        "StartLimitIntervalSec=10s",
        "",
        "[Service]",
        "Type=oneshot",
        *_environment_lines(wish),
        "EnvironmentFile=-/etc/nvidia-container-toolkit/nvidia-cdi-refresh.env",
        *_MAKE_NODES,
        # nvidia-smi makes the nodes of the GPUs. Toolkits this old know no variable for the output.
        "ExecStart=/usr/bin/env nvidia-smi -L",
        f"ExecStart=/usr/bin/nvidia-ctk cdi generate --output={wish.target}",
        "Restart=on-failure",
        "RestartSec=1s",
        "",
        "[Install]",
        "WantedBy=multi-user.target",
    ]
    return "\n".join(lines) + "\n"


def _environment_lines(wish: Wish) -> list[str]:
    return [f'Environment="{name}={value}"' for name, value in wish.environment().items()]


def overridden(wish: Wish, env_file: str) -> list[Finding]:
    """What the host's own nvidia-cdi-refresh.env sets otherwise: systemd prefers it to a drop-in."""
    wanted, found = wish.environment(), parse_env(env_file)
    return [
        finding(
            "refresh_env_overrides",
            f"/etc/nvidia-container-toolkit/nvidia-cdi-refresh.env sets {name}={found[name]}, the role wants "
            f"{wanted[name]}; the file wins",
            "take the line out of the file, and use the variables of role podman_cdi",
            "warning",
        )
        for name in wanted
        if name in found and found[name] != wanted[name]
    ]


def parse_env(text: str) -> dict[str, str]:
    """The variables of an environment file."""
    lines = (line.strip() for line in text.splitlines())
    pairs = (line.partition("=") for line in lines if "=" in line and not line.startswith(("#", ";")))
    return {name.strip(): value.strip().strip("\"'") for name, _equals, value in pairs}


@dataclasses.dataclass(frozen=True)
class UnitState:
    """What systemd says of the refresh unit."""

    load_state: str = "not-found"
    result: str = "success"
    condition: bool = True
    fragment: str = ""
    path_fragment: str = ""  # of the unit that watches for another driver or toolkit
    last_words: str = ""  # of its log, when it failed


def judge_unit(state: UnitState, version: Version, vendor_unit_exists: bool = False) -> list[Finding]:
    """What is wrong with the refresh unit as it is loaded and as it ran last."""
    if state.load_state == "masked":
        return [
            finding(
                "refresh_unit_masked",
                f"{UNIT} is masked: no spec is written at boot or before a start",
                f"systemctl unmask {UNIT}",
            )
        ]
    if state.load_state != "loaded":
        return [
            finding(
                "refresh_unit_missing",
                f"there is no {UNIT}: {format_release(version)} of the toolkit brings none (1.18.0 was the first), so nothing "
                "writes the spec at boot or before a start",
                "role podman_cdi writes one; or install nvidia-container-toolkit-base 1.18.0 or newer",
            )
        ]
    found = [*_place(state, version, vendor_unit_exists), *_last_run(state)]
    found += [
        finding(
            "refresh_unit_order",
            f"{UNIT} of toolkit {format_release(version)}: {each.text}",
            "install toolkit 1.19.1 or newer, or 1.18.2",
            "warning",
        )
        for each in defects(version)
        if not each.repaired
    ]
    return found


def judge_set(toolkit: Version, hook: Version | None) -> list[Finding]:
    """Whether the program that writes specs and the one that acts on them come from one release."""
    if hook is None or hook == toolkit:
        return []
    return [
        finding(
            "toolkit_half_upgraded",
            f"nvidia-ctk is {format_release(toolkit)}, nvidia-cdi-hook is {format_release(hook)}: the toolkit is half upgraded",
            "bring the whole set to one version: role nvidia_container_toolkit",
        )
    ]


def _place(state: UnitState, version: Version, vendor_unit_exists: bool) -> t.Iterator[Finding]:
    if not vendor_unit_exists or version < FIRST_WITH_VENDOR_UNIT:
        return
    for fragment in (state.fragment, state.path_fragment):
        if fragment.startswith(OLD_PLACE):
            yield finding(
                "refresh_unit_stale_copy",
                f"{fragment} is a copy from an older toolkit and hides the unit that {format_release(version)} brings",
                f"move {fragment} away, then systemctl daemon-reload",
                value=fragment,
            )


def _last_run(state: UnitState) -> t.Iterator[Finding]:
    if state.result == "exec-condition" or not state.condition:
        why = "its ExecCondition" if state.result == "exec-condition" else "a Condition of it"
        yield finding(
            "refresh_unit_skipped",
            f"systemd skipped {UNIT} because of {why}, and calls that a success: no spec was written",
            "role podman_cdi takes the condition away by a drop-in; see `systemctl status nvidia-cdi-refresh`",
        )
    elif state.result != "success":
        words = f": {state.last_words}" if state.last_words else ""
        yield finding(
            "refresh_unit_failed",
            f"{UNIT} failed ({state.result}){words}",
            "read `journalctl -u nvidia-cdi-refresh`; the spec was left as it was",
        )
