"""What this machine can do for hosts, found by looking; where it cannot, the least that helps."""

from __future__ import annotations

import contextlib
import os
import resource
import shutil
from pathlib import Path

from .run import run, succeeds

RUN = Path("/run/vllm-fleet-sandbox")
STATE = Path("/var/lib/vllm-fleet-sandbox")
NAMESPACE = RUN / "mount-namespace"
CAP_SYS_RESOURCE = 24
PODMAN_OWN_PROCESSES = 32768  # Podman 4.3 lowers its own limit to this before it starts a container

# Containers with systemd want cgroup v2 at its usual place. Where that holds v1 or both, they get a mount namespace in
# which it is v2; it is pinned to a file, so no process has to keep it alive. New mounts of the machine still show up.
MAKE_NAMESPACE = """
set -e
mountpoint -q "$1" || mount --bind "$1" "$1"
mount --make-private "$1"
touch "$2"
unshare --mount="$2" --propagation slave sh -ec 'umount -R /sys/fs/cgroup; mount -t cgroup2 none /sys/fs/cgroup'
"""


def has_plain_cgroups() -> bool:
    """Whether /sys/fs/cgroup is cgroup v2 and nothing else."""
    return Path("/sys/fs/cgroup/cgroup.controllers").exists()


def prepare() -> None:
    """Forget what another boot left in /run, and make the namespace where one is needed."""
    boot = Path("/proc/sys/kernel/random/boot_id").read_text()
    mark = RUN / "boot_id"
    if not mark.exists() or mark.read_text() != boot:
        if mark.exists():
            tear_down()
        RUN.mkdir(parents=True, exist_ok=True)
        # In one step: who finds half of it would take it for another boot's, and everything down.
        beside = RUN / f"boot_id.{os.getpid()}"
        beside.write_text(boot)
        beside.replace(mark)
    if not has_plain_cgroups() and not succeeds([*_enter(), "true"]):
        run(["sh", "-c", MAKE_NAMESPACE, "sh", str(RUN), str(NAMESPACE)])


def tear_down() -> None:
    """Undo `prepare`: the namespace ends with its pin."""
    if succeeds(["mountpoint", "-q", str(NAMESPACE)]):
        run(["umount", str(NAMESPACE)])
    if succeeds(["mountpoint", "-q", str(RUN)]):
        run(["umount", str(RUN)])
    shutil.rmtree(RUN, ignore_errors=True)
    with contextlib.suppress(OSError):  # another run may begin a group this moment
        STATE.rmdir()


def unmount_below(place: Path) -> None:
    """Unmount what Podman or a killed run left there, where containers live and outside."""
    for prefix in ([], inside()):
        table = run(
            [*prefix, "cat", "/proc/self/mountinfo"], check=False
        ).stdout  # the namespace may not be there
        targets = [line.split()[4] for line in table.splitlines()]
        for target in reversed([target for target in targets if Path(target).is_relative_to(place)]):
            run([*prefix, "umount", "--lazy", target], check=False)


def inside() -> list[str]:
    """What comes before a command that has to do with containers."""
    return [] if has_plain_cgroups() else [*_enter(), "--"]


def _enter() -> list[str]:
    return ["nsenter", f"--mount={NAMESPACE}"]


def podman(group: str, store: Path, *arguments: str) -> list[str]:
    """Podman with containers, volumes and networks of this group alone, and the images of the cache."""
    state, runtime = STATE / group, RUN / group
    return [
        *inside(),
        *("podman", "--root", str(state / "storage"), "--runroot", str(runtime / "run")),
        *("--tmpdir", str(runtime / "tmp"), "--network-config-dir", str(state / "networks")),
        *("--storage-driver", "overlay", "--storage-opt", f"additionalimagestore={store}"),
        *([] if Path("/run/systemd/system").is_dir() else ["--cgroup-manager", "cgroupfs"]),
        *(["--runtime", "runc"] if lacks_resource_capability() else []),
        *arguments,
    ]


def lacks_resource_capability() -> bool:
    """Without it no limit can be raised, and Debian 12's crun ends because it tries."""
    status = Path("/proc/self/status").read_text()
    effective = int(status.split("CapEff:")[1].split()[0], 16)
    return not effective >> CAP_SYS_RESOURCE & 1


def has_pids_controller() -> bool:
    """Whether cgroup v2 here can limit the number of processes."""
    return "pids" in run([*inside(), "cat", "/sys/fs/cgroup/cgroup.controllers"]).stdout.split()


def limits() -> list[str]:
    """Options of `podman run` that ask for no more than this machine grants."""
    options = [] if has_pids_controller() else ["--pids-limit=0"]
    if lacks_resource_capability():
        files, processes = (
            resource.getrlimit(kind)[1] for kind in (resource.RLIMIT_NOFILE, resource.RLIMIT_NPROC)
        )
        processes = min(processes % 2**64, PODMAN_OWN_PROCESSES)  # unlimited is -1
        options += [f"--ulimit=nofile={files}:{files}", f"--ulimit=nproc={processes}:{processes}"]
    return options
