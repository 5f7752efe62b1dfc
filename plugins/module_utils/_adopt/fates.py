"""What is known of the options of `podman run`: which are needed here, which a key of Quadlet says. Data only."""

from __future__ import annotations

# Read elsewhere.
READ = frozenset(
    [
        "--device",
        "--entrypoint",
        "--env",
        "--env-file",
        "--expose",
        "--gpus",
        "--mount",
        "--network",
        "--publish",
        "--runtime",
        "--secret",
        "--tmpfs",
        "--volume",
    ]
)
# About the one call that starts a container by hand.
OF_THE_CALL = frozenset(
    [
        "--attach",
        "--cgroups",
        "--cidfile",
        "--conmon-pidfile",
        "--detach",
        "--detach-keys",
        "--disable-content-trust",
        "--help",
        "--interactive",
        "--name",
        "--pidfile",
        "--publish-all",
        "--pull",
        "--quiet",
        "--replace",
        "--restart",
        "--rm",
        "--rmi",
        "--sdnotify",
        "--sig-proxy",
        "--tls-verify",
        "--tty",
    ]
)
# Why an option is not needed, and how to have it all the same.
DROPPED: dict[str, tuple[str, str | None]] = {
    "--autoupdate": ("another image is another release here, gated and undone when it fails", "image: …"),
    "--cap-drop": ("all capabilities are dropped but what the server needs", None),
    "--env-host": ("variables of the host do not reach the server", "env: {…}"),
    "--health-cmd": (
        "the gate asks the server for tokens, and systemd watches its process",
        "container: {HealthCmd: …}",
    ),
    "--ipc": ("the processes of one server share /dev/shm of limits.shm, 16g if unset", "limits: {shm: …}"),
    "--link": ("others reach the server at its address of the host", None),
    "--log-driver": ("logs go to the journal of the host", None),
    "--log-opt": ("logs go to the journal of the host", None),
    "--memory-swap": ("limits.memory is what Podman keeps the server to", None),
    "--memory-swappiness": ("limits.memory is what Podman keeps the server to", None),
    "--network-alias": ("others reach the server at its address of the host", None),
    "--no-healthcheck": ("the gate asks the server for tokens", None),
    "--oom-kill-disable": ("a server that is killed for its memory is started again", "limits: {memory: …}"),
    "--pid": ("the server sees its own processes alone", None),
    "--platform": ("the image of the host's own architecture is taken", None),
    "--pod": ("each server has a container and a network of its own", None),
    "--privileged": (
        "no container is privileged: CDI gives the GPUs",
        "container: {AddCapability: …} for a single right that is missed",
    ),
    "--stop-timeout": (
        "the unit gives a server 60 seconds to end",
        "limits: {drain: …} where running requests are to be waited for",
    ),
    "--ulimit core": ("core files are left as Podman has them", None),
    "--uts": ("the server has its own name", None),
}
# Options that a free key of Quadlet says.
KEYS = {
    "--add-host": "AddHost",
    "--annotation": "Annotation",
    "--cap-add": "AddCapability",
    "--dns": "DNS",
    "--dns-option": "DNSOption",
    "--dns-search": "DNSSearch",
    "--group-add": "GroupAdd",
    "--hostname": "HostName",
    "--init": "RunInit",
    "--ip": "IP",
    "--label": "Label",
    "--stop-signal": "StopSignal",
    "--sysctl": "Sysctl",
    "--tz": "Timezone",
    "--user": "User",
    "--userns": "UserNS",
    "--workdir": "WorkingDir",
}
# Others of Podman's that may stay as they are.
KEPT = frozenset(
    [
        "--blkio-weight",
        "--cgroup-parent",
        "--cpu-period",
        "--cpu-quota",
        "--cpu-shares",
        "--cpus",
        "--cpuset-cpus",
        "--cpuset-mems",
        "--device-cgroup-rule",
        "--gidmap",
        "--hooks-dir",
        "--mac-address",
        "--memory-reservation",
        "--oom-score-adj",
        "--runtime-flag",
        "--uidmap",
    ]
)
SECURITY = {
    "label": (
        "SELinux keeps the container apart; role podman sets the boolean that GPUs need",
        "security: {label_disable: true}",
    ),
    "apparmor": ("Podman's AppArmor profile stays", "security: {apparmor_unconfined: true}"),
    "seccomp": ("Podman's seccomp profile stays", "container: {SeccompProfile: …}"),
    "no-new-privileges": ("no server gains privileges anyway", None),
}
