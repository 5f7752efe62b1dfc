"""Start the server once, ask it for tokens, stop it: proves the image, and leaves the bytecode of what it imports."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request

BASE = "http://127.0.0.1:8000"
PATIENCE_SECONDS = 300
SETTINGS = (
    *("--distributed-executor-backend=uni", "--enforce-eager", "--kv-cache-memory-bytes=67108864"),
    *("--max-model-len=256", "--max-num-seqs=4", "--served-model-name=tiny"),
)


def ask(path: str, body: dict | None = None) -> str:
    """Ask the server; what it says."""
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(BASE + path, data, {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=30) as answer:
        return answer.read().decode()


def wait_until_healthy(server: subprocess.Popen) -> None:
    """Return when the server answers; give up when it has ended or takes too long."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < deadline:
        if server.poll() is not None:
            sys.exit(f"vllm serve ended with {server.returncode}")
        try:
            ask("/health")
        except urllib.error.URLError:
            time.sleep(0.2)
        else:
            return
    sys.exit(f"vllm serve is not healthy after {PATIENCE_SECONDS} s")


def main(model: str, version: str) -> None:
    quiet = {"VLLM_ENABLE_V1_MULTIPROCESSING": "0", "VLLM_HOST_IP": "127.0.0.1", "OMP_NUM_THREADS": "1"}
    server = subprocess.Popen(["vllm", "serve", model, *SETTINGS], env={**os.environ, **quiet})
    wait_until_healthy(server)
    told = json.loads(ask("/version"))["version"]
    if told != version:
        sys.exit(f"the server says it is {told}, not {version}")
    ask("/v1/completions", {"model": "tiny", "prompt": "The quick", "max_tokens": 8})
    ask(
        "/v1/chat/completions",
        {"model": "tiny", "messages": [{"role": "user", "content": "The"}], "max_tokens": 8},
    )
    server.send_signal(signal.SIGTERM)
    server.wait()


main(*sys.argv[1:])
