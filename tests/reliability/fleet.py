"""The hosts that faults are tried on, and the runs of the collection on them."""

from __future__ import annotations

import contextlib
import dataclasses
import http.client
import json
import os
import re
import signal
import subprocess
import threading
import time
import typing as t
import urllib.parse
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[2]
SECRETS_LOOK = str(CHECKOUT / "molecule/shared/files/secrets_look.py")
SANDBOX = str(CHECKOUT / "tests/hosts/sandbox.py")
GROUP = "reliability"
FIRST_PORT = 22400
PLAYBOOK = "tests/reliability/release.yml"
# Limits for what hangs. A machine that is loaded, or slow, is given its time: what is right ends long before.
MOST_SECONDS = 1200
_STEP_SECONDS = 300
_END_SECONDS = 600
_ANSWER_SECONDS = 20
# Where no server is, packets may be lost without a word, and so is a request that the old one had not read yet: a client
# that waits for them longer than a server loads would make every gap as long as its own patience.
_IMPATIENT = (0.5, 3.0)  # seconds to be connected, and to be answered
_LAST_ANSWER_SECONDS = 30


def sandbox(*arguments: str) -> subprocess.CompletedProcess[str]:
    """One command of the sandbox."""
    return subprocess.run([SANDBOX, *arguments], capture_output=True, text=True, check=False)


@dataclasses.dataclass(frozen=True)
class Host:
    """One throw-away host, reached by its container: it works also where SSH does not."""

    name: str
    place: int  # 1 for the first

    @property
    def container(self) -> str:
        """Its name in Podman."""
        return f"vllm-fleet-sandbox-{GROUP}-{self.name}"

    def url(self, port: int = 8000) -> str:
        """Where a port of the host is reached from here."""
        return f"http://127.0.0.1:{FIRST_PORT + 10 * self.place + 1 + port - 8000}"

    def run(self, script: str, check: bool = True) -> str:
        """Run a shell script as root on the host; what it printed."""
        done = sandbox("podman", "--group", GROUP, "--", "exec", self.container, "sh", "-c", script)
        assert not check or done.returncode == 0, f"{self.name}: {script}: {done.stderr}"
        return done.stdout.strip()

    def started(self, instance: str) -> str:
        """When the container of an instance was started; empty where there is none."""
        return self.run(
            f"podman inspect --format '{{{{.State.StartedAt}}}}' vllm-{instance} || true", check=False
        )

    def serves(self, instance: str = "tiny", port: int = 8000, key: str | None = None) -> bool:
        """Whether a token comes back under the name of the instance."""
        return self.answer(instance, port, key) == "token"

    def answer(self, instance: str = "tiny", port: int = 8000, key: str | None = None) -> str:
        """``token``, or what came instead."""
        return ask(self.url(port), instance, key)

    def places_of(self, secrets: dict[str, str]) -> list[dict[str, t.Any]]:
        """Where on the host one of these values stands, but for Podman's own store."""
        sandbox("podman", "--group", GROUP, "--", "cp", SECRETS_LOOK, f"{self.container}:/root/look.py")
        self.run(f"umask 077; echo '{json.dumps(secrets)}' > /root/canaries.json; : > /root/hits.jsonl")
        found: list[dict[str, t.Any]] = json.loads(
            self.run("python3 /root/look.py host /root/canaries.json /root/hits.jsonl")
        )
        return found

    def states(self, after: str = "") -> list[dict[str, t.Any]]:
        """The states of the transactions that the host keeps, oldest first; only those ``after`` the one of this name."""
        text = self.run(
            "cd /var/lib/vllm-fleet/.transactions 2>/dev/null && for d in *; do cat $d/state.json; echo ,; done || true"
        )
        found = json.loads("[" + text.rstrip(", \n") + "]")
        return [each for each in found if each["id"] > after]

    def wait_for_step(self, step: str, known: str, seconds: float = _STEP_SECONDS) -> dict[str, t.Any]:
        """The state of the transaction after the one that is known, as soon as it is in this step, or was."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            states = self.states(known)
            if states and step in [each[0] for each in states[-1]["steps"]]:
                return states[-1]
            time.sleep(0.05)
        raise AssertionError(f"{self.name}: not in the step {step} after {seconds} s: {self.states(known)}")

    def wait_for_end(self, known: str, seconds: float = _END_SECONDS) -> dict[str, t.Any]:
        """The state of the transaction after the one that is known, when it has ended."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            states = self.states(known)
            if states and states[-1]["ended"]:
                return states[-1]
            time.sleep(0.2)
        raise AssertionError(f"{self.name}: the transaction did not end in {seconds} s: {self.states()[-1:]}")


def ask(
    url: str, model: str, key: str | None = None, patience: tuple[float, float] = (_ANSWER_SECONDS,) * 2
) -> str:
    """``token`` where one came back, else what came instead; ``patience`` to be connected and to be answered, in seconds."""
    place, (connect_seconds, answer_seconds) = urllib.parse.urlsplit(url), patience
    connection = http.client.HTTPConnection(str(place.hostname), place.port, timeout=connect_seconds)
    body = json.dumps({"model": model, "prompt": "Hello", "max_tokens": 1})
    headers = {"Content-Type": "application/json", **({"Authorization": f"Bearer {key}"} if key else {})}
    try:
        connection.connect()
        connection.sock.settimeout(answer_seconds)
        connection.request("POST", "/v1/completions", body, headers)
        answer = connection.getresponse()
        if answer.status != http.HTTPStatus.OK:
            return f"HTTP {answer.status}"
        usage = json.loads(answer.read()).get("usage", {})
    except (OSError, http.client.HTTPException, ValueError) as error:
        return type(error).__name__
    finally:
        connection.close()
    return "token" if usage.get("completion_tokens") else "no token"


class Load:
    """A steady load on one server, ten requests a second and never two at once; it knows the longest gap.

    Its last answer is a good one, unless none comes any more.
    """

    def __init__(self, url: str, model: str = "tiny", most_seconds: float = MOST_SECONDS) -> None:
        """``most_seconds`` ends it in any case."""
        self._url, self._model = url, model
        self._until = time.monotonic() + most_seconds
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._work, daemon=True)
        self.answers: list[tuple[float, bool]] = []

    def __enter__(self) -> Load:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._until = min(self._until, time.monotonic() + _LAST_ANSWER_SECONDS)
        self._stop.set()
        self._thread.join()

    def _work(self) -> None:
        while time.monotonic() < self._until:
            good = ask(self._url, self._model, patience=_IMPATIENT) == "token"
            self.answers.append((time.monotonic(), good))
            if good and self._stop.is_set():
                return
            time.sleep(0.1)

    @property
    def gap(self) -> float:
        """Seconds from the last token before to the first token after the longest failure; 0 without a failure."""
        longest, last_good, failed = 0.0, None, False
        for moment, good in self.answers:
            if good:
                if failed and last_good is not None:
                    longest = max(longest, moment - last_good)
                last_good, failed = moment, False
            else:
                failed = True
        return round(longest, 1)


def kill(run: subprocess.Popen[t.Any]) -> None:
    """A run of Ansible and all its processes are gone at once.

    Ansible's workers have sessions of their own, so its process group alone is not all of it.
    """
    for pid in [run.pid, *_descendants(run.pid)]:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    run.wait()


def _descendants(pid: int) -> list[int]:
    """Every process that this one started, or one of those."""
    listed = subprocess.run(["ps", "-e", "-o", "pid=,ppid="], capture_output=True, text=True, check=True)
    pairs = [tuple(map(int, line.split())) for line in listed.stdout.splitlines()]
    found, look = [], [pid]
    while look:
        parent = look.pop()
        children = [child for child, of in pairs if of == parent]
        found += children
        look += children
    return found


@dataclasses.dataclass(frozen=True)
class Done:
    """A run of the collection that has ended."""

    rc: int
    output: str

    @property
    def changed(self) -> dict[str, int]:
        """How many tasks changed each host."""
        found = re.findall(r"^(\S+)\s+: ok=\d+\s+changed=(\d+)", self.output, re.MULTILINE)
        return {host: int(count) for host, count in found}


class Run:
    """A run of the collection that may be left alone, or killed."""

    def __init__(
        self, folder: Path, variables: dict[str, dict[str, t.Any]], *further: str, playbook: str = PLAYBOOK
    ) -> None:
        """``variables`` of hosts lie over the inventory of the group, ``further`` are options of ansible-playbook."""
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "over.yml").write_text(json.dumps({"gpu_hosts": {"hosts": variables}}))
        self._output = (folder / "output.txt").open("w+")
        self.process = subprocess.Popen(
            [
                "ansible-playbook", playbook,
                "-i", f".sandbox/{GROUP}/hosts.yml", "-i", "tests/reliability/inventory", "-i", str(folder / "over.yml"),
                "-e", f"vllm_report_dir={folder}", *further,
            ],
            cwd=CHECKOUT, stdout=self._output, stderr=subprocess.STDOUT, start_new_session=True,
            env={**os.environ, "ANSIBLE_INJECT_FACT_VARS": "false", "ANSIBLE_NOCOLOR": "1"},
        )  # fmt: skip

    def kill(self) -> None:
        """As a laptop that is closed."""
        kill(self.process)

    def wait(self) -> Done:
        """Its end."""
        try:
            self.process.wait(MOST_SECONDS)
        except subprocess.TimeoutExpired:
            self.kill()
            raise
        self._output.seek(0)
        return Done(self.process.returncode, self._output.read())
