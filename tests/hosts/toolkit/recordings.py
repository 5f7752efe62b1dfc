#!/usr/bin/env python3
"""Write what nvidia-smi and nvidia-ctk were recorded to say, one folder for each state of a host, for simulate.py.

recordings.py DIRECTORY. The recordings are the fixtures of the unit tests: real programs over a simulated NVML.
"""

from __future__ import annotations

import json
import lzma
import re
import sys
import typing as t
from pathlib import Path

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"
SPECS = json.loads(lzma.decompress((FIXTURES / "cdi/specs.json.xz").read_bytes()))
SMI = json.loads(lzma.decompress((FIXTURES / "nvidia_smi/samples.json.xz").read_bytes()))


def spec(name: str) -> str:
    """A spec with the hook where the package puts it; the recording machine had several releases side by side."""
    return re.sub(r"/opt/ctk/v[\d.]+/", "/usr/bin/", SPECS[f"nct-v1.20.0-{name}.yaml"])


def transcript(answers: t.Mapping[str, t.Mapping[str, t.Any]]) -> str:
    """As the stand-in for nvidia-smi reads it: `$ command`, output, `rc=`."""
    parts = (f"$ {command}\n{answer['stdout']}\nrc={answer['rc']}\n" for command, answer in answers.items())
    return "\n".join(parts)


def upgraded(text: str) -> str:
    """The same GPUs under the driver of the flat-layout recording."""
    return text.replace("550.163.01", "580.95.05")


def main() -> None:
    """Write every state."""
    whole = spec("h100x4-debian-layout")
    lost = {
        "spec-without-nvidia-uvm.yaml": spec("h100x4-NO-UVM-partial"),
        "spec-without-nvidia2.yaml": spec("h100x4-nvidia2-missing"),
    }
    h100 = transcript(SMI["profiles"]["h100x4"])
    mismatch = {"nvidia-smi -q -x": SMI["states"]["LIB_RM_VERSION_MISMATCH"]}
    states = {
        "h100x4": {"spec.yaml": whole, **lost, "nvidia-smi.txt": h100},
        "h100x4-driver-580": {"spec.yaml": spec("h100x4-580-flat-layout"), "nvidia-smi.txt": upgraded(h100)},
        "a100mig": {"spec.yaml": spec("a100mig"), "nvidia-smi.txt": transcript(SMI["profiles"]["a100mig"])},
        "mismatch": {"nvidia-smi.txt": transcript(mismatch)},
    }
    for state, files in states.items():
        for name, text in files.items():
            path = Path(sys.argv[1]) / state / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)


main()
