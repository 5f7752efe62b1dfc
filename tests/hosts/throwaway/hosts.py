"""Make hosts, find them as they are, and leave nothing of them."""

from __future__ import annotations

import hashlib
import io
import json
import os
import shutil
import tarfile
import time
import typing as t
from pathlib import Path

from . import cache, fleet, gpus, images, machine
from .fleet import Host
from .run import SandboxError, run, say, step

LABEL = "io.gpuops.vllm-fleet.sandbox"
BOOT_SECONDS = 120
STAND_INS = Path(__file__).resolve().parent.parent / "stand_ins"
# The host's own key goes to known_hosts by way of Podman, so nothing has to be trusted at first sight.
ADMIT = """
install -d -o fleet -g fleet -m 700 /home/fleet/.ssh
touch /home/fleet/.ssh/authorized_keys
grep -qxF "$1" /home/fleet/.ssh/authorized_keys || echo "$1" >> /home/fleet/.ssh/authorized_keys
cat /etc/ssh/ssh_host_ed25519_key.pub
"""


def up(hosts: t.Sequence[Host]) -> bool:
    """Bring a group to exactly these hosts; whether hosts were made or removed."""
    group = hosts[0].group
    with cache.locked(machine.STATE / group):
        _prepare()
        wanted = {host.container: _recipe(host) for host in hosts}
        there = running(group)
        odd = [name for name, recipe in there.items() if wanted.get(name) != recipe]
        new = [host for host in hosts if there.get(host.container) != wanted[host.container]]
        for name in odd:
            _remove(group, name)
        if new:
            # Podman takes a subnet that no interface has yet: two groups at once would take the same.
            with step(f"up: {', '.join(host.name for host in new)}"), cache.locked(machine.STATE):
                _start(group, new)
        for host in hosts:
            _wait_until_booted(host)
            _lay_stand_ins(host)
        _give_access(hosts)
        return bool(new or odd)


def down(group: str) -> bool:
    """Leave nothing of a group; whether there was anything."""
    if not (machine.STATE / group).exists():
        return False
    with cache.locked(machine.STATE / group):
        _prepare()
        for name in running(group):
            _remove(group, name)
        for place in (machine.STATE / group, machine.RUN / group):
            machine.unmount_below(place)
            shutil.rmtree(place, ignore_errors=True)
    shutil.rmtree(fleet.access(group), ignore_errors=True)
    leave_machine()
    return True


def leave_machine() -> None:
    """Undo what the machine was prepared with, unless a group still needs it."""
    with cache.locked(machine.STATE):
        if not groups():
            machine.unmount_below(cache.store())
            machine.tear_down()


def _prepare() -> None:
    with cache.locked(machine.STATE):
        machine.prepare()


def groups() -> list[str]:
    """The groups that have state on this machine."""
    return sorted(path.name for path in machine.STATE.glob("*"))


def running(group: str) -> dict[str, str]:
    """Container -> hash of what it was made from; empty for one that does not run, whatever Podman believes."""
    told = json.loads(_podman(group, "ps", "--all", "--format", "json").stdout or "[]")
    return {
        container["Names"][0]: container["Labels"].get(LABEL, "")
        if container["State"] == "running" and _lives(container["Pid"])
        else ""
        for container in told
    }


def _lives(process: int) -> bool:
    """Not only listed: a killed init may stay as a zombie."""
    return os.access(f"/proc/{process}/root", os.F_OK)


def _podman(group: str, *arguments: str, check: bool = True, stdin: bytes | None = None) -> t.Any:
    return run(machine.podman(group, cache.store(), *arguments), check=check, stdin=stdin)


def _recipe(host: Host) -> str:
    """Changes when the host would be made differently."""
    parts = (
        images.host_reference(host.suite),
        images.model_directory().name,
        str(cache.store()),
        repr(host),
        *_options(host),
    )
    return hashlib.sha256(json.dumps([*parts, *_files(host).items()]).encode()).hexdigest()[:12]


def _options(host: Host) -> list[str]:
    published = [f"--publish=127.0.0.1:{here}:{there}" for here, there in host.published.items()]
    return ["--privileged", "--systemd=always", "--network", host.network, *published, *machine.limits()]


def _files(host: Host) -> dict[str, str]:
    files = gpus.files(gpus.load(host.profile))
    if not machine.has_pids_controller():
        files["etc/containers/containers.conf"] = "[containers]\npids_limit = 0\n"
    return files


def _start(group: str, hosts: t.Sequence[Host]) -> None:
    network = hosts[0].network
    if _podman(group, "network", "exists", network, check=False).returncode != 0:
        _podman(group, "network", "create", "--disable-dns", network)
    for host in hosts:
        # A store of its own on a volume: overlay does not stack on overlay.
        volumes = (f"{host.container}:/var/lib/containers", f"{cache.store()}:/var/lib/shared-images:ro")
        named = ["--name", host.container, "--hostname", host.name, "--label", f"{LABEL}={_recipe(host)}"]
        mounts = [f"--volume={volume}" for volume in volumes]
        _podman(
            group,
            "create",
            "--pull=never",
            *named,
            *mounts,
            *_options(host),
            images.host_reference(host.suite),
        )
        _podman(group, "cp", "-", f"{host.container}:/", stdin=_archive(host))
        _podman(group, "start", host.container)


def _archive(host: Host) -> bytes:
    """What distinguishes this host, and the tiny model, as a tar."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        for path, text in _files(host).items():
            entry = tarfile.TarInfo(path)
            entry.size, entry.mode = len(text.encode()), 0o644
            archive.addfile(entry, io.BytesIO(text.encode()))
        archive.add(images.model_directory(), "srv/models/tiny", filter=_readable)
    return buffer.getvalue()


def _readable(entry: tarfile.TarInfo) -> tarfile.TarInfo:
    entry.mode |= 0o755 if entry.isdir() else 0o644
    entry.uid = entry.gid = 0
    entry.uname = entry.gname = "root"
    return entry


def _wait_until_booted(host: Host) -> None:
    deadline = time.monotonic() + BOOT_SECONDS
    while True:
        told = _podman(
            host.group, "exec", host.container, "systemctl", "is-system-running", "--wait", check=False
        )
        state = told.stdout.strip()
        if state == "running":
            return
        if state == "degraded":
            failed = _podman(
                host.group, "exec", host.container, "systemctl", "--failed", "--no-legend", "--plain"
            ).stdout
            raise SandboxError(f"{host.name} has booted, but units failed:\n{failed}")
        if time.monotonic() > deadline:
            raise SandboxError(
                f"{host.name} has not booted after {BOOT_SECONDS} s: {state or told.stderr.strip()}"
            )
        time.sleep(0.2)


def _lay_stand_ins(host: Host) -> None:
    """Programs that may change without another image of the host; laid anew each time."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        for path in sorted(path for path in STAND_INS.rglob("*") if path.is_file()):
            archive.add(path, str(path.relative_to(STAND_INS)), filter=_executable)
    unpack = ("exec", "--interactive", host.container, "tar", "-C", "/", "-xf", "-")
    _podman(host.group, *unpack, stdin=buffer.getvalue())


def _executable(entry: tarfile.TarInfo) -> tarfile.TarInfo:
    entry = _readable(entry)
    entry.mode = 0o755
    return entry


def _give_access(hosts: t.Sequence[Host]) -> None:
    """Make this checkout's key known to the hosts, the hosts known to this checkout, and write the inventory."""
    place = fleet.access(hosts[0].group)
    place.mkdir(parents=True, exist_ok=True)
    key = place / "id_ed25519"
    if not key.exists():
        run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "vllm-fleet-sandbox", "-f", str(key)])
    public = key.with_suffix(".pub").read_text().strip()
    known = []
    for host in hosts:
        told = _podman(host.group, "exec", host.container, "sh", "-ec", ADMIT, "sh", public).stdout
        known.append(f"[127.0.0.1]:{host.port} {' '.join(told.split()[:2])}\n")
    (place / "known_hosts").write_text("".join(known))
    (place / "hosts.yml").write_text(fleet.inventory(hosts))
    _give_to_caller(place)


def _give_to_caller(place: Path) -> None:
    """Files made through sudo belong to the person who called."""
    if "SUDO_UID" in os.environ:
        for path in (place.parent, place, *place.iterdir()):
            os.chown(path, int(os.environ["SUDO_UID"]), int(os.environ["SUDO_GID"]))


def _remove(group: str, container: str) -> None:
    say(f"removing {container}")
    remove = ("rm", "--force", "--time", "0", container)
    if _podman(group, *remove, check=False).returncode != 0:
        _podman(group, *remove)  # of a host that was killed Podman learns only by trying
    _podman(group, "volume", "rm", "--force", container)
