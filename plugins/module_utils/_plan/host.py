"""What only shows when all instances of a host are looked at together."""

from __future__ import annotations

import itertools
import typing as t

from .._settings.finding import Finding
from .instance import Instance

ANY_ADDRESS = ("0.0.0.0", "::")
_SHARE, _BYTES = "gpu_memory_utilization", "kv_cache_memory_bytes"


def check_host(
    instances: t.Sequence[Instance], gpus: t.Sequence[t.Mapping[str, t.Any]] | None
) -> list[Finding]:
    """Findings about the instances of one host that are to be present."""
    present = [instance for instance in instances if instance.state == "present"]
    findings = []
    for first, second in itertools.combinations(present, 2):
        findings += _ports(first, second) or _served_names(first, second)
    return findings + _shared_gpus(present, gpus) + _absent_gpus(present, gpus)


def _error(code: str, message: str, fix: str, instance: Instance, setting: str, value: t.Any) -> Finding:
    return Finding(
        "error",
        "plan",
        code,
        message,
        fix=fix,
        instance=instance.name,
        setting=setting.rpartition("settings.")[2],
        value=value,
        origin=instance.origins.get(setting, f"the default of {setting}"),
    )


def _one_address(first: Instance, second: Instance) -> bool:
    return first.listen == second.listen or any(each.listen in ANY_ADDRESS for each in (first, second))


def _served_names(first: Instance, second: Instance) -> list[Finding]:
    """Who asks this address for a model by its name must get one server, not one of two."""
    both = sorted(set(first.served_names) & set(second.served_names))
    if not both or not _one_address(first, second):
        return []
    message = f"{first.name} and {second.name} both serve the name {both[0]} behind {second.listen}"
    fix = f"settings: {{served_model_name: {second.name}}} in {second.name}"
    setting = "settings.served_model_name" if "settings.served_model_name" in second.origins else "model"
    return [_error("served_name_twice", message, fix, second, setting, both[0])]


def _ports(first: Instance, second: Instance) -> list[Finding]:
    # 0 stands for a port that could not be read, which is told already.
    if not first.port or first.port != second.port or not _one_address(first, second):
        return []
    where = f"{second.listen}:{second.port}"
    message = f"{first.name} and {second.name} both listen on {where}"
    fix = f"give {second.name} another port, e.g. port: {second.port + 1}"
    return [_error("port_twice", message, fix, second, "port", second.port)]


def _uuid_of(name: str, gpus: t.Sequence[t.Mapping[str, t.Any]] | None) -> str:
    """One name per GPU, so that an index and a UUID of one GPU meet; without facts the name itself."""
    for gpu in gpus or ():
        if name in (str(gpu.get("index")), gpu.get("uuid")):
            return str(gpu.get("uuid") or name)
        slices = gpu.get("mig_devices")
        for part in slices if isinstance(slices, (list, tuple)) else ():
            if isinstance(part, dict) and name in (part.get("name"), part.get("uuid")):
                return str(part.get("uuid") or name)
    return name


def _overlap(first: Instance, second: Instance, gpus: t.Sequence[t.Mapping[str, t.Any]] | None) -> list[str]:
    """The GPUs that both name, as the second one spells them."""
    if not first.gpus or not second.gpus:
        return []
    if "all" in first.gpus:
        return list(second.gpus)
    if "all" in second.gpus:
        return list(first.gpus)
    taken = {_uuid_of(name, gpus) for name in first.gpus}
    return [name for name in second.gpus if _uuid_of(name, gpus) in taken]


def _shared_gpus(
    present: t.Sequence[Instance], gpus: t.Sequence[t.Mapping[str, t.Any]] | None
) -> list[Finding]:
    findings = []
    for group in _sharing_groups(present, gpus):
        silent = [each for each in group if not any(_own(each, name) for name in (_SHARE, _BYTES))]
        names = " and ".join(each.name for each in group)
        shared = ", ".join(sorted(set(_overlap(group[0], group[1], gpus))))
        if silent:
            message = f"{names} name the same GPU ({shared}), and {silent[0].name} does not say how much of it is its own"
            fix = "give each its own GPU, or set gpu_memory_utilization in each so that the sum is at most 1"
            findings.append(_error("gpu_shared", message, fix, silent[0], "gpus", list(silent[0].gpus)))
            continue
        total = sum(_share(each) for each in group)
        if total > 1.0000001:
            message = f"{names} share a GPU ({shared}), and together they claim {total:.4g} of its memory"
            fix = "lower gpu_memory_utilization so that the sum is at most 1"
            last = group[-1]
            value = _share(last)
            findings.append(
                _error("gpu_overcommitted", message, fix, last, "settings.gpu_memory_utilization", value)
            )
    return findings


def _own(instance: Instance, setting: str) -> bool:
    """Whether the instance's own layers set it: a share that vllm_defaults gives to everybody is no decision."""
    origin = instance.origins.get(f"settings.{setting}") or instance.origins.get("argv", "")
    return bool(_words(instance, setting)) and not origin.startswith("vllm_defaults")


def _words(instance: Instance, setting: str) -> tuple[str, ...]:
    return instance.option("--" + setting.replace("_", "-"))


def _share(instance: Instance) -> float:
    """The part of the GPU that an instance claims; one that claims bytes claims no part."""
    words = _words(instance, _SHARE)
    try:
        return float(words[0]) if words and not _words(instance, _BYTES) else 0.0
    except ValueError:
        return 0.0  # the check of the settings says so


def _sharing_groups(
    present: t.Sequence[Instance], gpus: t.Sequence[t.Mapping[str, t.Any]] | None
) -> list[list[Instance]]:
    """Per GPU that more than one instance names: those instances. Each set of instances once."""
    names = dict.fromkeys(name for each in present for name in each.gpus if name != "all")
    by_gpu: dict[str, list[Instance]] = {}
    for name in names or {"all": None}:
        users = [each for each in present if "all" in each.gpus or _uuid_of(name, gpus) in _uuids(each, gpus)]
        by_gpu[_uuid_of(name, gpus)] = users
    alls = [each for each in present if "all" in each.gpus]
    groups = [group for group in [*by_gpu.values(), alls] if len(group) > 1]
    return list({tuple(each.name for each in group): group for group in groups}.values())


def _uuids(instance: Instance, gpus: t.Sequence[t.Mapping[str, t.Any]] | None) -> set[str]:
    return {_uuid_of(name, gpus) for name in instance.gpus}


def _absent_gpus(
    present: t.Sequence[Instance], gpus: t.Sequence[t.Mapping[str, t.Any]] | None
) -> list[Finding]:
    """GPUs that the host does not have. MIG devices are the host's CDI specs' business."""
    if gpus is None:
        return []
    there = {str(gpu.get(name)) for gpu in gpus for name in ("index", "uuid")}
    findings = []
    for instance in present:
        for name in instance.gpus:
            if (name.isdigit() or name.startswith("GPU-")) and name not in there:
                have = ", ".join(sorted(str(gpu.get("index")) for gpu in gpus)) or "none"
                message = f"this host has no GPU {name}; it has {have}"
                findings.append(
                    _error("gpu_not_there", message, "name one that is there", instance, "gpus", name)
                )
    return findings
