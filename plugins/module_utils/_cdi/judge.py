"""Whether a CDI spec is what the GPUs and the Podman of its host need. Judged by content: neither an exit code of
nvidia-ctk nor the existence of a file says it."""

from __future__ import annotations

import typing as t

from .._settings.finding import Finding, in_order
from . import reading
from .evidence import KIND, Host, SpecFile
from .finding import REGENERATE, finding
from .names import NAME_RULES, planned_devices_are_known

CONTROL_NODES = ("/dev/nvidiactl", "/dev/nvidia-uvm", "/dev/nvidia-uvm-tools")
_OTHER_PLATFORMS = ("/dev/dxg", "/dev/nvmap")  # WSL and Tegra: no control nodes there

_MODPROBE = "load the module and make its nodes, then generate the spec anew: `nvidia-modprobe -u -c 0`"

# What generating anew repairs, given that the GPUs themselves can be used.
REPAIRED_BY_GENERATING = frozenset(
    {
        "cdi_spec_missing", "cdi_spec_not_loaded", "cdi_spec_elsewhere", "cdi_spec_private", "cdi_path_missing",
        "cdi_driver_differs", "cdi_hook_missing", "cdi_node_missing", "cdi_node_differs", "cdi_node_not_in_spec",
        "cdi_gpu_not_in_spec", "cdi_gpu_gone", "cdi_index_differs", "cdi_outdated", "cdi_device_unknown", "cdi_second_spec",
    }
)  # fmt: skip


def judge(host: Host, planned: t.Sequence[str] = ()) -> list[Finding]:
    """All that is wrong with the spec of a host; ``planned`` are full names of devices that must resolve."""
    if host.trouble is not None:
        return [finding(host.trouble.code, host.trouble.message, host.trouble.fix)]
    found = [*_driver(host), *_files(host)]
    spec = spec_of(host)
    if spec is not None:
        for rule in _RULES:
            found.extend(rule(host, spec))
        found.extend(planned_devices_are_known(host, spec, planned))
    return in_order(found)


def spec_of(host: Host) -> SpecFile | None:
    """The spec that answers for the GPUs: the one at its place, else the one that Podman prefers."""
    loaded = [spec for spec in host.specs if spec.kind == KIND and not spec.problem]
    at_target = [spec for spec in loaded if spec.path == host.target]
    return at_target[0] if at_target else loaded[-1] if loaded else None


def is_improvement(now: t.Sequence[Finding], then: t.Sequence[Finding]) -> bool:
    """Whether a spec with the findings ``then`` may replace one with the findings ``now``: never a good one by a worse."""
    errors_then, errors_now = _defects_of_spec(then), _defects_of_spec(now)
    return not errors_then or errors_then < errors_now


def _defects_of_spec(findings: t.Sequence[Finding]) -> set[str]:
    """What is wrong with the spec itself; a device that the plan alone has wrong is none of its faults."""
    return {each.code for each in findings if each.severity == "error"} - {"cdi_device_unknown"}


def outdated(host: Host, generated: t.Any) -> list[Finding]:
    """The strongest cheap test: nvidia-ctk is deterministic, so a spec that it would write otherwise now is outdated."""
    spec = spec_of(host)
    if spec is None or spec.data == generated:
        return []
    return [finding("cdi_outdated", f"nvidia-ctk would write {spec.path} otherwise now", REGENERATE)]


def not_replaced(promised: t.Sequence[Finding]) -> Finding:
    """Why a spec was left as it is."""
    reasons = "; ".join(each.message for each in promised if each.severity == "error")
    message = f"the spec was left as it is: what nvidia-ctk would write now is no better ({reasons})"
    return finding("cdi_not_replaced", message, "repair that first, then run again")


def _driver(host: Host) -> t.Iterator[Finding]:
    if host.kernel_version and host.driver_version and host.kernel_version != host.driver_version:
        yield finding(
            "reboot_needed",
            f"the loaded kernel module is {host.kernel_version}, the driver's libraries are {host.driver_version}",
            "reboot the host; nothing else should be changed on it before",
        )


def _files(host: Host) -> t.Iterator[Finding]:
    """That there is one spec, that it loads, and that no other gets in its way."""
    ours = [spec for spec in host.specs if spec.kind == KIND]
    for spec in host.specs:
        if spec.path == host.target and spec.problem:
            yield finding(
                "cdi_spec_not_loaded", f"Podman does not load {spec.path}: {spec.problem}", REGENERATE
            )
        elif spec.kind is None:
            yield finding(
                "cdi_file_unreadable",
                f"{spec.path} is no CDI spec: {spec.problem}. Podman passes it over",
                "remove it, if nothing else needs it",
                "warning",
            )
        elif spec.kind == KIND and spec.path != host.target and len(ours) > 1:
            yield finding(
                "cdi_second_spec",
                f"{spec.path} defines {KIND} beside {host.target}: "
                + _effect_of_second(spec.path, host.target),
                f"keep one: move {spec.path} away, then generate {host.target} anew",
                "error" if _same_directory(spec.path, host.target) else "warning",
                value=spec.path,
            )
    if not ours and not any(spec.path == host.target for spec in host.specs):
        places = " and ".join(host.directories)
        yield finding("cdi_spec_missing", f"there is no CDI spec of {KIND} in {places}", REGENERATE)
    elif ours and not any(spec.path == host.target for spec in host.specs):
        yield finding(
            "cdi_spec_elsewhere",
            f"the CDI spec is {ours[0].path}, which nothing refreshes; it is to be {host.target}",
            f"generate {host.target}, and move {ours[0].path} away",
        )


def _same_directory(path: str, other: str) -> bool:
    return path.rpartition("/")[0] == other.rpartition("/")[0]


def _effect_of_second(path: str, target: str) -> str:
    if _same_directory(path, target):
        return "two specs in one directory cancel each other, and no GPU resolves"
    return "names that only it knows still answer, however old they are"


def _readable_by_all(_host: Host, spec: SpecFile) -> t.Iterator[Finding]:
    if not spec.mode & 0o004:
        yield finding(
            "cdi_spec_private",
            f"only its owner can read {spec.path}, rootless Podman cannot",
            f"chmod 0644 {spec.path}",
            "warning",
        )


def _paths_exist(host: Host, spec: SpecFile) -> t.Iterator[Finding]:
    missing = [path for path in reading.mount_paths(spec.data) if host.files.get(path) == "missing"]
    if missing:
        more = f" and {len(missing) - 1} more" if len(missing) > 1 else ""
        yield finding(
            "cdi_path_missing",
            f"{spec.path} mounts {missing[0]}{more}, which is not on the host: no container starts",
            REGENERATE,
            value=missing,
        )


def _made_for_this_driver(host: Host, spec: SpecFile) -> t.Iterator[Finding]:
    made_for = reading.driver_version(spec.data)
    if made_for and host.driver_version and made_for != host.driver_version:
        yield finding(
            "cdi_driver_differs",
            f"{spec.path} was made for driver {made_for}, the host runs {host.driver_version}",
            REGENERATE,
            value=made_for,
        )


def _hooks_run(host: Host, spec: SpecFile) -> t.Iterator[Finding]:
    for path in reading.hook_paths(spec.data):
        presence = host.files.get(path)
        if presence in ("missing", "present"):
            state = "is not on the host" if presence == "missing" else "cannot be executed"
            yield finding(
                "cdi_hook_missing",
                f"{spec.path} runs {path}, which {state}: no container starts",
                "install nvidia-container-toolkit-base again (role nvidia_container_toolkit), then generate the spec anew",
                value=path,
            )


def _nodes_are_as_said(host: Host, spec: SpecFile) -> t.Iterator[Finding]:
    seen = set()
    for node in (each for edits in reading.all_edits(spec.data) for each in reading.nodes(edits)):
        path = reading.host_path(node)
        if path not in seen and path in host.nodes:
            seen.add(path)
            yield from _node(path, node, host, spec)


def _node(path: str, said: reading.Mapping, host: Host, spec: SpecFile) -> t.Iterator[Finding]:
    real = host.nodes[path]
    if real is None or real.kind == "-":
        state = "is not on the host" if real is None else "is no device"
        yield finding(
            "cdi_node_missing",
            f"{spec.path} refers to {path}, which {state}",
            "make the node (`nvidia-smi` makes those of GPUs, `nvidia-modprobe -u -c 0` nvidia-uvm), or, if the GPU is "
            "gone for good, generate the spec anew",
            value=path,
        )
        return
    differences = _differences(said, real.major, real.minor, real.mode, real.gid)
    if differences:
        yield finding(
            "cdi_node_differs",
            f"{spec.path} and {path} differ: {', '.join(differences)}. A container would get the wrong node without a word",
            REGENERATE,
            value=path,
        )


def _differences(said: reading.Mapping, major: int, minor: int, mode: int, gid: int) -> list[str]:
    found = []
    if said.get("major") is not None:
        numbers = (said.get("major"), said.get("minor") or 0)
        if numbers != (major, minor):
            found.append(f"the spec says device {numbers[0]}:{numbers[1]}, the host has {major}:{minor}")
    if isinstance(said.get("fileMode"), int) and said["fileMode"] & 0o7777 != mode:
        found.append(f"mode {said['fileMode'] & 0o7777:04o} against {mode:04o}")
    if said.get("gid") is not None and said["gid"] != gid:
        found.append(f"group {said['gid']} against {gid}")
    return found


def _control_nodes_are_there(_host: Host, spec: SpecFile) -> t.Iterator[Finding]:
    known = {reading.host_path(node) for node in reading.nodes(reading.common(spec.data))}
    if known & set(_OTHER_PLATFORMS):
        return
    for path in CONTROL_NODES:
        if path not in known:
            yield finding(
                "cdi_node_not_in_spec",
                f"{spec.path} lacks {path}: containers start, and CUDA fails in them",
                _MODPROBE,
                value=path,
            )


_RULES: tuple[t.Callable[[Host, SpecFile], t.Iterator[Finding]], ...] = (
    _readable_by_all,
    _paths_exist,
    _made_for_this_driver,
    _hooks_run,
    _nodes_are_as_said,
    _control_nodes_are_there,
    *NAME_RULES,
)
