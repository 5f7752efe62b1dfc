"""The live proof: what a container that was given GPUs really has, against what the host gave it."""

from __future__ import annotations

import json
import typing as t

from .._settings.finding import Finding
from . import reading

# Runs inside the image, with whatever Python 3 it has. CUDA is asked only where the host has a driver: nvidia-smi
# says nothing of nvidia-uvm, cuInit does.
PROGRAM = """\
import ctypes, glob, json, os, subprocess, sys
seen = {"nodes": {}, "uuids": None, "cuda": None}
for path in glob.glob("/dev/nvidia*") + glob.glob("/dev/nvidia-caps/*"):
    if not os.path.isdir(path):
        try:
            info = os.stat(path)
        except OSError:
            seen["nodes"][path] = [None, None, False]
            continue
        seen["nodes"][path] = [os.major(info.st_rdev), os.minor(info.st_rdev), os.access(path, os.R_OK | os.W_OK)]
if sys.argv[1] == "driver":
    try:
        listed = subprocess.run(["nvidia-smi", "-L"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        seen["uuids"] = listed.stdout.decode("utf-8", "replace")
    except OSError as error:
        seen["uuids"] = str(error)
    try:
        seen["cuda"] = ctypes.CDLL("libcuda.so.1").cuInit(0)
    except OSError as error:
        seen["cuda"] = str(error)
print("proof:" + json.dumps(seen))
"""

_FIX = "have the spec right first (role podman_cdi), then prove again"
_DENIED = (
    "where SELinux is enforcing: `getsebool container_use_devices` (role podman switches it on), and only where that is not "
    "enough security: {label_disable: true}; else see who may open the node on the host: ls -l"
)
_CUDA = {
    3: "not initialized",
    100: "no GPU",
    802: "system not yet initialized: the fabric manager does not run, or not in the driver's version",
    803: "driver and CUDA do not fit each other: the image brings its own CUDA compatibility libraries; try "
    "podman_cdi_disabled_hooks: [enable-cuda-compat]",
    804: "forward compatibility on a GPU that does not support it; try podman_cdi_disabled_hooks: [enable-cuda-compat]",
    999: "unknown error: mostly a wrong device number of /dev/nvidia-uvm",
}


def parse(stdout: str) -> dict[str, t.Any] | None:
    """What the program printed; None where it did not come to that."""
    line = next((each for each in stdout.splitlines() if each.startswith("proof:")), None)
    return json.loads(line[len("proof:") :]) if line else None


def expected_nodes(spec: t.Any, names: t.Sequence[str]) -> set[str]:
    """The device nodes that the spec gives a container with these GPUs."""
    known = reading.devices(spec)
    edits = [reading.common(spec), *(known.get(name, {}) for name in names)]
    return {str(node.get("path")) for each in edits for node in reading.nodes(each)}


def judge(
    seen: t.Mapping[str, t.Any],
    expected: t.Collection[str],
    host_numbers: t.Mapping[str, tuple[int, int]],
    uuids: t.Collection[str],
) -> list[Finding]:
    """What the container has too much, too little, or otherwise than the host."""
    nodes = seen["nodes"]
    wanted = {path for path in expected if path.startswith("/dev/nvidia")}
    found = [
        _finding("proof_node_missing", f"the container has no {path}") for path in sorted(wanted - set(nodes))
    ]
    found += [
        _finding("proof_node_too_many", f"the container has {path}, which was not asked for")
        for path in sorted(set(nodes) - wanted)
    ]
    for path in sorted(wanted & set(nodes)):
        major, minor, may = nodes[path]
        real = host_numbers.get(path)
        if real is not None and major is not None and real != (major, minor):
            message = f"{path} is {major}:{minor} in the container and {real[0]}:{real[1]} on the host"
            found.append(_finding("proof_node_differs", message))
        elif not may:
            found.append(_finding("proof_node_denied", f"the container may not open {path}", _DENIED))
    return [*found, *_cuda(seen.get("cuda")), *_names(seen.get("uuids"), uuids)]


def _cuda(answer: t.Any) -> list[Finding]:
    if answer in (None, 0):
        return []
    why = (
        f"error {answer}, {_CUDA.get(answer, 'see the CUDA documentation')}"
        if isinstance(answer, int)
        else answer
    )
    return [_finding("proof_cuda_fails", f"CUDA cannot be used in the container: {why}")]


def _names(listed: t.Any, uuids: t.Collection[str]) -> list[Finding]:
    if not isinstance(listed, str) or not uuids:
        return []
    absent = sorted(uuid for uuid in uuids if f"UUID: {uuid})" not in listed)
    said = " ".join(listed.split())[:200]
    return [
        _finding("proof_gpu_missing", f"nvidia-smi in the container does not list {uuid}; it says: {said}")
        for uuid in absent
    ]


def _finding(code: str, message: str, fix: str = _FIX) -> Finding:
    return Finding("error", "host", code, message, fix)
