#!/usr/bin/env python3
"""What a real vLLM for the CPU needs of its container: one capability or key at a time, then together.

Runs on a throw-away host and prints a Markdown table (docs/security.md shows one):

    ssh … sudo python3 -u - < bench/least_privilege.py

Every case is a container of its own: `podman run` with the case's options, then a completion of four tokens. Nothing else
that runs on the host is touched.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import time
import urllib.error
import urllib.request

IMAGE = "localhost/vllm-cpu:v0.32.0"
MODEL = "/srv/models/tiny"
PRIVATE = "/srv/private-model"
NAME = "least-privilege"
WAIT = 150

# What Podman gives a container that asks for nothing (containers.conf(5), default_capabilities).
CAPABILITIES = (
    "CHOWN", "DAC_OVERRIDE", "FOWNER", "FSETID", "KILL", "NET_BIND_SERVICE", "SETFCAP", "SETGID", "SETPCAP", "SETUID",
    "SYS_CHROOT",
)  # fmt: skip
NONE = ["--cap-drop=all"]
READING = [*NONE, "--cap-add=DAC_OVERRIDE"]
OURS = [*READING, "--security-opt=no-new-privileges"]
HOME = ["--env=HOME=/home", "--tmpfs=/home:rw,mode=0755"]
COMPILED = {"compiled": True}

CASES: list[tuple[str, list[str], dict[str, object]]] = [
    ("as Podman gives it", [], {}),
    *((f"without {name}", [f"--cap-drop={name}"], {}) for name in CAPABILITIES),
    ("no capability", NONE, {}),
    ("no capability, port 80", NONE, {"port": 80}),
    ("NET_BIND_SERVICE alone, port 80", [*NONE, "--cap-add=NET_BIND_SERVICE"], {"port": 80}),
    ("no capability, the model's files are another user's and private", NONE, {"model": PRIVATE}),
    ("DAC_OVERRIDE alone, the model's files are another user's and private", READING, {"model": PRIVATE}),
    ("no new privileges", ["--security-opt=no-new-privileges"], {}),
    ("read-only root, tmpfs on /tmp, /run, /var/tmp", ["--read-only"], {}),
    ("read-only root, no tmpfs at all", ["--read-only", "--read-only-tmpfs=false"], {}),
    ("read-only root, HOME on a tmpfs", ["--read-only", *HOME], {}),
    ("read-only root, torch.compile", ["--read-only"], COMPILED),
    ("user 1000, no HOME", ["--user=1000:1000"], {}),
    (
        "user 1000, HOME on a tmpfs",
        ["--user=1000:1000", "--env=HOME=/home", "--tmpfs=/home:rw,mode=0777"],
        {},
    ),
    ("/dev/shm of 64 MiB", ["--shm-size=64m"], {}),
    ("/dev/shm of 1 MiB", ["--shm-size=1m"], {}),
    ("no /dev/shm (--ipc=none)", ["--ipc=none"], {}),
    ("the collection's own: DAC_OVERRIDE alone, no new privileges", OURS, {}),
]


def podman(*words: str) -> subprocess.CompletedProcess[str]:
    """What Podman says."""
    return subprocess.run(["podman", *words], check=False, capture_output=True, text=True)


def run(options: list[str], case: dict[str, object]) -> tuple[str, float]:
    """``serves`` or the reason why not, and the seconds until then."""
    port, model = case.get("port", 8000), str(case.get("model", MODEL))
    podman("rm", "-f", "-t", "2", NAME)
    began = time.monotonic()
    started = podman(
        "run", "-d", f"--name={NAME}", "--pull=never", "--entrypoint=vllm", f"--publish=127.0.0.1:18000:{port}",
        "--env=VLLM_ENABLE_V1_MULTIPROCESSING=0", f"--volume={model}:{model}:ro,z", *options, IMAGE, "serve", model,
        "--served-model-name=tiny", f"--port={port}", "--max-model-len=256", "--max-num-seqs=4",
        "--kv-cache-memory-bytes=67108864", "--distributed-executor-backend=uni",
        *([] if case.get("compiled") else ["--enforce-eager"]),
    )  # fmt: skip
    if started.returncode:
        return f"does not start: {started.stderr.strip().splitlines()[-1]}", time.monotonic() - began
    while time.monotonic() - began < WAIT:
        if tokens():
            return "serves", time.monotonic() - began
        if podman("inspect", "--format", "{{.State.Running}}", NAME).stdout.strip() != "true":
            return f"ends: {reason()}", time.monotonic() - began
        time.sleep(1)
    return f"no tokens: {reason()}", time.monotonic() - began


def tokens() -> bool:
    """Whether the server completes four tokens."""
    asked = json.dumps({"model": "tiny", "prompt": "Hello", "max_tokens": 4, "ignore_eos": True}).encode()
    request = urllib.request.Request(
        "http://127.0.0.1:18000/v1/completions", asked, {"Content-Type": "application/json"}
    )
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            return bool(json.load(answer)["usage"]["completion_tokens"] == 4)
    except (OSError, urllib.error.URLError, ValueError, KeyError):
        return False


def reason() -> str:
    """The first line of the log that is the text of an error."""
    done = podman("logs", NAME)
    lines = [
        re.sub(r"\x1b\[[\d;]*m|^\(.*?pid=\d+\) ", "", line).strip()
        for line in (done.stdout + done.stderr).splitlines()
    ]
    telling = [line for line in lines if re.match(r"[\w.]*(Error|Exception)\b", line)]
    return (telling or lines or ["nothing said"])[0][:160]


def prepare() -> None:
    """A model whose files only their owner, not root, may read."""
    subprocess.run(
        f"rm -rf {PRIVATE}; cp -r {MODEL} {PRIVATE}; chown -R 4242:4242 {PRIVATE}; chmod -R go-rwx {PRIVATE}",
        shell=True,
        check=True,
    )


def main() -> None:
    """All cases, or those whose title holds the first argument."""
    prepare()
    only = sys.argv[1] if len(sys.argv) > 1 else ""
    print("| the container has | vLLM | seconds |\n|---|---|---|", flush=True)
    for title, options, case in CASES:
        if only in title:
            found, seconds = run(options, case)
            print(f"| {title} | {found} | {seconds:.0f} |", flush=True)
    podman("rm", "-f", "-t", "2", NAME)
    subprocess.run(["rm", "-rf", PRIVATE], check=True)


if __name__ == "__main__":
    main()
