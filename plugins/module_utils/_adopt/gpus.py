"""Which GPUs a server has: `--gpus`, CDI devices, device files, and variables of NVIDIA's runtime."""

from __future__ import annotations

import re

from .._settings.finding import Finding
from .found import Found, dropped, guessed, lost, otherwise

CDI = "nvidia.com/gpu="
VISIBLE = "NVIDIA_VISIBLE_DEVICES"
WITHIN = "CUDA_VISIBLE_DEVICES"
# Variables that the inventory says with `gpus`.
OWN_VARIABLES = (VISIBLE, WITHIN, "NVIDIA_DRIVER_CAPABILITIES")
_CARD = re.compile(r"/dev/nvidia(\d+)")
_HELPERS = re.compile(r"/dev/nvidia(?:ctl|-uvm|-uvm-tools|-modeset|-caps.*)")
_OTHERS = re.compile(r"/dev/(?:kfd|dri|davinci|accel|vfio).*|.*(?:amd\.com|intel\.com|habana).*")
_NAME = re.compile(r"\d+|GPU-[0-9a-fA-F-]+|MIG-[\w/-]+|\d+:\d+")


def gpus_of(found: Found) -> tuple[list[str] | str, list[str], list[Finding]]:
    """What `gpus` is to be, devices that are none of NVIDIA's, and what is to be said."""
    findings: list[Finding] = []
    asked = _devices(found, findings)
    of_cdi = [each[len(CDI) :] for each in asked if each.startswith(CDI)]
    devices = [each for each in asked if not each.startswith(CDI)]
    cards = [match[1] for match in (_CARD.fullmatch(_file(each)) for each in devices) if match]
    named = [*of_cdi, *_of_flag(found, findings), *cards, *([] if of_cdi else _of_runtime(found))]
    if cards:
        findings.append(
            otherwise("device files of GPUs become CDI devices, which bring the driver's libraries", "gpus")
        )
    others = [
        each for each in devices if not _CARD.fullmatch(_file(each)) and not _HELPERS.fullmatch(_file(each))
    ]
    foreign = [each for each in others if _OTHERS.fullmatch(_file(each))]
    if foreign:
        what = f"{', '.join(foreign)}: this collection gives GPUs of NVIDIA, by CDI, and no others"
        findings.append(lost(what, "this server cannot be taken over as it is", "gpus"))
    if found.values("--runtime") or found.env.get("NVIDIA_DRIVER_CAPABILITIES"):
        findings.append(
            dropped("NVIDIA's runtime and its variables: CDI gives the GPUs, with all that the driver offers")
        )
    gpus = _together(found, named, bool(foreign), findings)
    return _within(found, gpus, findings), [each for each in others if each not in foreign], findings


def _devices(found: Found, findings: list[Finding]) -> list[str]:
    """Quadlet takes a sign in front of a device for "if the host has it"."""
    devices = found.values("--device")
    optional = [each[1:] for each in devices if each.startswith("-")]
    foreign = [each for each in optional if _OTHERS.fullmatch(_file(each))]
    if foreign:
        what = f"{', '.join(foreign)}, where the host has it: this collection gives GPUs of NVIDIA"
        findings.append(dropped(what))
    kept = [each for each in optional if each not in foreign]
    if kept:
        setting = "gpus" if kept[0].startswith(CDI) else "container.PodmanArgs"
        what = f"{', '.join(kept)} is taken as a device that each host has"
        findings.append(guessed(what, None, setting))
    return [*(each for each in devices if not each.startswith("-")), *kept]


def _file(device: str) -> str:
    """The file of the host in ``/dev/x:/dev/y:rwm``."""
    return device.partition(":")[0]


def _of_flag(found: Found, findings: list[Finding]) -> list[str]:
    """``all``, ``2``, ``device=0,1``, ``'"device=0,1"'``, ``"device=0",capabilities=gpu``."""
    names: list[str] = []
    for each in found.values("--gpus"):
        text = each.replace("\\", "").strip("'\" ")
        devices = re.search(r"device=([^\"']+)", text)
        count = re.fullmatch(r"(?:count=)?(\d+)(?:,.*)?", text)
        if devices:
            listed = re.split(r",(?!\w+=)|,\w+=.*", devices[1])
            names += [name.strip().removeprefix(CDI) for name in listed if name and name.strip()]
        elif count:
            names += [str(index) for index in range(min(int(count[1]), 64))]
            findings.append(
                guessed(
                    f"--gpus {text} asks for that many GPUs: the first ones are taken",
                    'gpus: ["0", …]',
                    "gpus",
                )
            )
        else:
            names.append("all")
            if not re.match(r"all|-1|count=(all|-1)", text):
                findings.append(guessed(f"--gpus {each} is not understood: all GPUs are taken", None, "gpus"))
    return names


def _of_runtime(found: Found) -> list[str]:
    """NVIDIA's runtime goes by a variable."""
    value = found.env.get(VISIBLE)
    if not value or found.values("--gpus"):
        return []
    return [] if value in ("none", "void") else [name.strip() for name in value.split(",") if name.strip()]


def _together(found: Found, named: list[str], foreign: bool, findings: list[Finding]) -> list[str] | str:
    unique = list(dict.fromkeys(named))
    bad = [name for name in unique if name != "all" and not _NAME.fullmatch(name)]
    if bad:
        findings.append(
            guessed(f"{', '.join(bad)} names no GPU: all of them are taken", 'gpus: ["0"]', "gpus")
        )
        return "all"
    if "all" in unique or (not unique and found.values("--runtime")):
        return "all"
    if unique:
        return unique
    if foreign or re.search(r"cpu|tpu|rocm|xpu|hpu", found.image or ""):
        return []
    if found.tool != "none":
        findings.append(
            guessed(
                "no GPU is asked for, which may be left to the runtime's default: all are taken",
                "gpus: []",
                "gpus",
            )
        )
    return "all"


def _within(found: Found, gpus: list[str] | str, findings: list[Finding]) -> list[str] | str:
    """CUDA numbers what a container has from 0 on."""
    value = found.env.get(WITHIN)
    chosen = [name.strip() for name in (value or "").split(",") if name.strip()]
    if not chosen or not all(map(_NAME.fullmatch, chosen)):
        if chosen and chosen != ["all"]:
            what = f"{WITHIN}={value} names no GPU: it is left out"
            findings.append(guessed(what, 'gpus: ["0"]', "gpus"))
        return gpus
    names: list[str] = []
    for name in chosen:
        at = int(name) if name.isdigit() else None
        if gpus == "all" or at is None:
            names.append(name)
        elif at < len(gpus):
            names.append(gpus[at])
    if not names:
        return gpus
    findings.append(otherwise(f"{WITHIN}={value} becomes gpus, so that the server sees no others", "gpus"))
    return list(dict.fromkeys(names))
