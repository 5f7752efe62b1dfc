"""Throw-away hosts with rehearsal servers, and timed runs of playbooks on them."""

from __future__ import annotations

import contextlib
import dataclasses
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
import typing as t
from pathlib import Path

from page import ROOT

sys.path.insert(0, str(ROOT / "tests" / "reliability"))

from fleet import Load, kill

GROUP = "bench"
FIRST_PORT = 23300
MOST_SECONDS = 600  # for one run: nothing here takes that long unless it hangs
SANDBOX = str(ROOT / "tests" / "hosts" / "sandbox.py")
IMAGE = "localhost/vllm-rehearsal:v0.32.0"
# What the image is told where no unit of ours tells it; a port follows.
SERVE = "serve /srv/models/tiny --host 0.0.0.0 --max-model-len 256 --served-model-name chat --port"

Data = dict[str, t.Any]


def instance(**more: t.Any) -> Data:
    """A server that rehearses, as an inventory has it."""
    return {
        "image": IMAGE,
        "model": "/srv/models/tiny",
        "port": 8000,
        "listen": "0.0.0.0",
        "gpus": ["0"],
        "limits": {"pids": 0},
        "settings": {"served_model_name": ["chat"], "max_model_len": 256},
        **more,
    }


@dataclasses.dataclass(frozen=True)
class Ran:
    """A run of a playbook that went well."""

    seconds: float
    output: str

    @property
    def tasks(self) -> int:
        """How many tasks were looked at for the first host, those that were skipped among them."""
        found = re.search(r"^gpu-01 .* ok=(\d+) .* skipped=(\d+) ", self.output, re.MULTILINE)
        assert found, self.output[-2000:]
        return int(found[1]) + int(found[2])

    @property
    def changed(self) -> int:
        """How many tasks changed a host."""
        return sum(map(int, re.findall(r"^gpu-\d+ .* changed=(\d+) ", self.output, re.MULTILINE)))


class Fleet:
    """Hosts that run, and the folder with their inventory."""

    def __init__(self, folder: Path, hosts: int) -> None:
        """The hosts gpu-01, gpu-02, …"""
        self.folder, self.names = folder, [f"gpu-{number:02}" for number in range(1, hosts + 1)]

    def url(self, host: int = 1, port: int = 8000) -> str:
        """Where a port of a host is reached from here."""
        return f"http://127.0.0.1:{FIRST_PORT + 10 * host + 1 + port - 8000}"

    def load(self, host: int = 1, port: int = 8000) -> Load:
        """A client that asks the server at this port for tokens all the time, while it is entered."""
        return Load(self.url(host, port), "chat")

    def shell(self, script: str, host: int = 1) -> str:
        """Run a script as root on a host, past SSH; what it printed."""
        container = f"vllm-fleet-sandbox-{GROUP}-{self.names[host - 1]}"
        done = _sandbox("podman", "--group", GROUP, "--", "exec", container, "sh", "-c", script)
        return done.stdout.strip()

    def copy(self, here: Path, there: str, host: int = 1) -> None:
        """Copy a file to a host, past SSH."""
        container = f"vllm-fleet-sandbox-{GROUP}-{self.names[host - 1]}"
        _sandbox("podman", "--group", GROUP, "--", "cp", str(here), f"{container}:{there}")

    def run(self, playbook: str | Path, variables: Data, *further: str, **environment: str) -> Ran:
        """Run a playbook on the hosts with these variables; the script ends where that does not go well."""
        file = self.folder / "variables.json"
        file.write_text(json.dumps({"gpu_hosts": {"vars": {**self._common(), **variables}}}))
        command = [
            "ansible-playbook",
            "-i",
            f"{ROOT}/.sandbox/{GROUP}/hosts.yml",
            "-i",
            str(file),
            str(playbook),
        ]
        began = time.monotonic()
        process = subprocess.Popen(
            [*command, *further], cwd=ROOT, env={**_environment(), **environment}, start_new_session=True,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        )  # fmt: skip
        try:
            output, _none = process.communicate(timeout=MOST_SECONDS)
        except BaseException:
            kill(process)
            raise
        seconds = time.monotonic() - began
        if process.returncode:
            sys.exit(f"{' '.join(command)} failed:\n{output[-6000:]}")
        return Ran(seconds, output)

    def _common(self) -> Data:
        """GPUs and their toolkit are simulated on these hosts, and reports of a benchmark are of no use."""
        return {
            "nvidia_container_toolkit_install": False,
            "podman_cdi_manage": False,
            "vllm_report_dir": str(self.folder / "reports"),
        }


@contextlib.contextmanager
def fleet(hosts: int) -> t.Iterator[Fleet]:
    """Make hosts, and leave nothing of them, whatever happens. Each has a second GPU, for a server that is kept otherwise."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("ended from outside"))
    profiles = [f"gpu-{number:02}=rtx4090x2" for number in range(1, hosts + 1)]
    with tempfile.TemporaryDirectory(prefix="vllm-fleet-bench-") as folder:
        try:
            _sandbox("up", "--group", GROUP, "--first-port", str(FIRST_PORT), *profiles)
            yield Fleet(Path(folder), hosts)
        finally:
            _sandbox("down", "--group", GROUP)


def _sandbox(*arguments: str) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        [SANDBOX, *arguments], check=False, capture_output=True, text=True, timeout=MOST_SECONDS
    )
    if done.returncode:
        sys.exit(f"sandbox.py {' '.join(arguments)}: {done.stderr or done.stdout}")
    return done


def _environment() -> dict[str, str]:
    return {
        **os.environ,
        "ANSIBLE_CONFIG": str(ROOT / "ansible.cfg"),
        "ANSIBLE_COLLECTIONS_PATH": str(ROOT / ".collections"),
        "ANSIBLE_NOCOLOR": "1",
    }
