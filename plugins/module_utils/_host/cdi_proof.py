"""Starting the container that proves the GPUs, and comparing it with the host."""

from __future__ import annotations

import dataclasses
import typing as t

from .._cdi import judge as judging
from .._cdi import proof
from .._cdi.evidence import KIND, Host
from . import cdi_host, podman
from .command import HostError
from .image_memory import find, read_memory
from .nvidia_smi import gpus
from .proof_container import lacks_python, run_python, timed_out

if t.TYPE_CHECKING:
    from .._settings.finding import Finding
    from .command import Completed, Run

TIMEOUT = 120  # seconds; nvidia-smi takes its time where no persistence daemon runs


class CannotLookError(Exception):
    """Nothing can look from inside, which says nothing of the devices; the message is for the operator."""


@dataclasses.dataclass(frozen=True)
class Proof:
    """What the container had, and what is wrong with that."""

    findings: tuple[Finding, ...]
    seen: t.Mapping[str, t.Any]
    cuda_asked: bool


def prove(
    run: Run,
    image: str,
    devices: t.Sequence[str],
    podman_args: t.Sequence[str] = (),
    state: str = "/var/lib/vllm-fleet",
    root: str = "/",
) -> Proof:
    """Start a container with these devices, and look from inside."""
    version = podman.version(run)
    if version is None:
        raise HostError("there is no Podman on this host: install it first (role podman)")
    found = find(run, image, read_memory(state))
    if found is None:
        raise HostError(f"{image} is not on this host: fetch it first (role vllm_image)")
    host = cdi_host.look(gpus(run), version, root)
    has_driver = host.kernel_version is not None
    done = run_python(
        run,
        found.image_id,
        "devices",
        ("-c", proof.PROGRAM, "driver" if has_driver else "no-driver"),
        (*(word for name in devices for word in ("--device", name)), *podman_args),
        TIMEOUT,
    )
    if lacks_python(done):
        raise CannotLookError(f"{image} has no Python where images of vLLM have it")
    seen = proof.parse(done.stdout) if done.ok else None
    if seen is None:
        raise HostError(_why_not(image, devices, done), done)
    spec = judging.spec_of(host)
    names = [name.partition("=")[2] for name in devices if name.startswith(KIND + "=")]
    findings = proof.judge(
        seen,
        proof.expected_nodes(spec.data if spec else None, names),
        {path: (node.major, node.minor) for path, node in host.nodes.items() if node is not None},
        _uuids(host, names) if has_driver else (),
    )
    return Proof(tuple(findings), seen, has_driver)


def _uuids(host: Host, names: t.Sequence[str]) -> list[str]:
    """The UUIDs of whole GPUs and slices by any of their names."""
    by_name: dict[str, str] = {}
    for gpu in host.gpus:
        pairs = gpu.slices if gpu.mig_mode else ((str(gpu.index), gpu.uuid),)
        by_name.update({alias: uuid for name, uuid in pairs if uuid for alias in (name, uuid)})
    wanted = list(by_name) if "all" in names else names
    return sorted({by_name[name] for name in wanted if name in by_name})


def _why_not(image: str, devices: t.Sequence[str], done: Completed) -> str:
    said = f"no answer within {TIMEOUT} seconds" if timed_out(done) else " ".join(done.said.split())[:400]
    return f"no container of {image} starts with {', '.join(devices)}: {said}"
