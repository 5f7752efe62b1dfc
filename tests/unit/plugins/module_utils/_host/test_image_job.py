from __future__ import annotations

import shlex
import subprocess
from pathlib import Path

import pytest

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._host.command import Completed, HostError
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._host.image_job import Job


class Systemd:
    """Runs a transient unit at once and to its end, or says that it goes on."""

    def __init__(self, goes_on: bool = False, fails: bool = False) -> None:
        self.goes_on, self.fails, self.told, self.mode = goes_on, fails, "", 0
        self.started = False

    def __call__(self, *command: str, env: object = None, stdin: object = None) -> Completed:
        if command[0] == "systemd-run" and self.fails:
            return Completed(command, 1, "", "Failed to start transient service unit")
        if command[0] == "systemd-run":
            self.told, self.started = " ".join(command), True
            mark = "--property=EnvironmentFile="
            (file,) = (Path(each[len(mark) :]) for each in command if each.startswith(mark))
            self.mode = file.stat().st_mode & 0o777
            # As systemd reads it: quotes, and a backslash before what has a meaning in them.
            variables = {
                line.partition("=")[0]: shlex.split(line.partition("=")[2])[0]
                for line in file.read_text().splitlines()
            }
            if not self.goes_on:
                words = [word.replace("$$", "$") for word in command[command.index("--") + 1 :]]
                subprocess.run(words, env={"PATH": "/usr/bin:/bin", **variables}, check=False)
        state = "active" if self.started and self.goes_on else "inactive"
        return Completed(command, 0, f"ActiveState={state}\nCPUUsageNSec=2500000000\n", "")


def job(tmp_path: Path, systemd: Systemd) -> Job:
    return Job(systemd, "r.test/vllm:1", str(tmp_path / "graph"), str(tmp_path / "run"))


def files(tmp_path: Path) -> list[str]:
    return sorted(path.name for path in tmp_path.rglob("*") if path.is_file())


def test_a_job_that_ends_well_has_all_its_bytes_and_leaves_no_login(tmp_path: Path) -> None:
    systemd = Systemd()
    pulled = job(tmp_path, systemd)
    pulled.start(
        ["sh", "-c", 'test -s "$REGISTRY_AUTH_FILE" && echo done'],
        1000,
        {"auths": {"r": {"auth": "c2VjcmV0"}}},
    )
    seen = pulled.look()
    assert (seen.code, seen.done_bytes, seen.total_bytes, seen.said) == (0, 1000, 1000, "done")
    assert "auth.json" not in files(tmp_path)
    assert "c2VjcmV0" not in systemd.told
    pulled.clear()
    assert files(tmp_path) == []


def test_the_password_of_a_proxy_stands_on_no_command_line_and_goes_with_the_job(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    proxy = 'http://me:s3"cr$e\\t@proxy:3128'
    monkeypatch.setenv("https_proxy", proxy)
    systemd = Systemd()
    pulled = job(tmp_path, systemd)
    pulled.start(["sh", "-c", 'printf %s "$https_proxy"'], None)
    assert "s3" not in systemd.told
    assert systemd.mode == 0o600
    assert pulled.look().said == proxy
    assert "environment" not in files(tmp_path)


def test_a_job_that_fails_tells_its_code_and_its_last_words_and_keeps_nothing_of_what_came(
    tmp_path: Path,
) -> None:
    failing = job(tmp_path, Systemd())
    failing.start(["sh", "-c", 'echo half > "$TMPDIR/blob"; echo Error: EOF >&2; exit 125'], None)
    seen = failing.look()
    assert (seen.code, seen.done_bytes, seen.said) == (125, 0, "Error: EOF")
    assert "blob" not in files(tmp_path)


def test_a_job_that_goes_on_tells_what_lies_in_its_folder(tmp_path: Path) -> None:
    going = job(tmp_path, Systemd(goes_on=True))
    going.start(["podman", "pull", "x"], 1000)
    (spool,) = (tmp_path / "graph" / "tmp").iterdir()
    (spool / "container_images_storage1").mkdir()
    (spool / "container_images_storage1" / "1").write_bytes(bytes(300))
    (spool / "container_images_storage1" / "2").write_bytes(bytes(45))
    seen = going.look()
    assert (seen.code, seen.done_bytes, seen.total_bytes, seen.busy_seconds) == (None, 345, 1000, 2.5)
    assert spool.stat().st_mode & 0o077 == 0


def test_a_job_that_vanished_says_so_and_the_next_one_begins_anew(tmp_path: Path) -> None:
    systemd = Systemd(goes_on=True)
    lost = job(tmp_path, systemd)
    lost.start(["podman", "pull", "x"], 1000)
    systemd.goes_on = False
    assert lost.look().code == -1
    lost.start(["true"], 10)
    assert lost.look().code == 0


def test_a_job_that_cannot_be_started_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(HostError, match="systemd does not start vllm-fleet-image-"):
        job(tmp_path, Systemd(fails=True)).start(["true"], None, {"auths": {}})
    assert files(tmp_path) == []


def test_what_a_reboot_left_of_another_job_goes_with_the_next_one(tmp_path: Path) -> None:
    left = tmp_path / "graph" / "tmp" / "vllm-fleet-image-0123456789ab"
    foreign = tmp_path / "graph" / "tmp" / "container_images_storage1"
    for folder in (left, foreign):
        folder.mkdir(parents=True)
    job(tmp_path, Systemd()).start(["true"], None)
    assert (left.exists(), foreign.exists()) == (False, True)


def test_two_images_have_two_jobs(tmp_path: Path) -> None:
    for image in ("a:1", "a:2", "a:1"):
        Job(Systemd(), image, str(tmp_path / "graph"), str(tmp_path / "run")).start(["true"], None)
    assert len(list((tmp_path / "run").iterdir())) == 2
