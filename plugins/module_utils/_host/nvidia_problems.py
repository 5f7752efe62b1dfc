"""What nvidia-smi means when it ends with something else than data, and what to do about it."""

from __future__ import annotations

import dataclasses


@dataclasses.dataclass(frozen=True)
class Problem:
    """Why the GPUs of this host cannot be used as they are: a stable code, the cause, the remedy."""

    code: str
    message: str
    fix: str


NOT_INSTALLED = Problem(
    "nvidia_smi_missing",
    "nvidia-smi is not on this host: there is no NVIDIA driver, or its tools are a package of their own",
    "install the driver of your distribution with its nvidia-smi package (Debian: nvidia-smi, Ubuntu: nvidia-utils-*)",
)
NO_DEVICES = Problem(
    "no_devices",
    "the driver runs, but sees no GPU",
    "see whether `lspci -d 10de:` lists the GPU, whether it is bound to vfio-pci or nouveau, and `dmesg` for NVRM or Xid",
)
UNREADABLE = Problem(
    "unreadable",
    "nvidia-smi ends well, but its output is not what nvidia-smi prints",
    "run `nvidia-smi -q -x` on the host by hand",
)
FABRIC = Problem(
    "fabric_not_ready",
    "the NVSwitch fabric is not ready: nvidia-smi lists the GPUs, but CUDA ends with error 802 (system not yet initialized)",
    "start nvidia-fabricmanager in exactly the version of the driver: systemctl status nvidia-fabricmanager",
)
GPU_LOST = Problem(
    "gpu_lost",
    "a GPU has fallen off the bus",
    "look for `Xid 79` in dmesg; only a reboot, often a power cycle, brings the GPU back",
)

# Exit codes of nvidia-smi: measured with 550.163.01 for each state of NVML.
_BY_RC = {
    2: Problem(
        "bad_query", "this nvidia-smi does not know what it was asked", "update the driver to 535 or newer"
    ),
    3: Problem(
        "not_supported",
        "the NVIDIA management library does not support what this host has",
        "see whether driver and GPU fit each other, and whether this is a vGPU guest or WSL",
    ),
    4: Problem(
        "no_permission",
        "access to the GPU is denied",
        "see who may open /dev/nvidiactl and /dev/nvidia0 (ls -l); run with become, or repair the nodes' mode",
    ),
    6: NO_DEVICES,
    9: Problem(
        "driver_not_loaded",
        "the NVIDIA kernel module is not loaded",
        "run `modprobe nvidia` and read its error: not built for the running kernel (DKMS), refused by Secure Boot "
        "(Key was rejected by service), or nouveau holds the GPU; a reboot is needed after a first installation",
    ),
    12: Problem(
        "library_missing",
        "libnvidia-ml.so.1 is not on this host: the driver is only half installed",
        "install the library package of the same version as the driver (Debian: libnvidia-ml1, Ubuntu: libnvidia-compute-*)",
    ),
    13: Problem(
        "library_too_old",
        "libnvidia-ml.so.1 lacks a function that nvidia-smi needs: they come from different versions",
        "install nvidia-smi and the driver's libraries in one version",
    ),
    15: GPU_LOST,
    18: Problem(
        "reboot_needed",
        "the driver's libraries were updated while the older kernel module still runs (Driver/library version mismatch)",
        "reboot the host; nothing else should be changed on it before",
    ),
    19: Problem("in_use", "another program holds the driver", "see what holds it: fuser -v /dev/nvidia*"),
}
_BY_TEXT = {"GPU is lost": GPU_LOST, "version mismatch": _BY_RC[18], "No devices": NO_DEVICES}


def problem_of(rc: int, said: str) -> Problem:
    """The problem behind an exit code; an unknown one keeps the program's own words."""
    if rc == 127:
        return NOT_INSTALLED
    known = _BY_RC.get(rc) or next((each for text, each in _BY_TEXT.items() if text in said), None)
    if known is not None:
        return known
    words = " ".join(said.split())[:200]
    return Problem(
        "unknown",
        f"nvidia-smi fails with exit code {rc}: {words}",
        "run nvidia-smi on the host by hand; a GPU in this state often needs a reboot",
    )
