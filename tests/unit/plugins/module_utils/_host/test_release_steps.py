"""What is not ours, or not there, is found before anything is stopped."""

from __future__ import annotations

import dataclasses
import socket
import typing as t
from pathlib import Path

import pytest

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._host.command import Completed
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._host.quadlet_generator import generated
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._host.release_files import InstanceFiles
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._host.release_steps import (
    image_of,
    make_caches,
    refusal,
)
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._release.transaction import Member

UNIT = "[Container]\nImage=sha256:aa\nLabel=io.gpuops.vllm-fleet.managed=true\n"
RECORD: dict[str, t.Any] = {
    "port": 1,
    "devices": [],
    "memory_share": None,
    "intent": {"secrets": {}, "mounts": [], "devices": []},
}
NEW = Member("qwen", "release", RECORD, UNIT, None, was_active=False)


class Host:
    """What programs answer on a host; the first pattern that begins a command counts."""

    def __init__(self, **answers: tuple[int, str]) -> None:
        self.answers = {key.replace("_", " "): answer for key, answer in answers.items()}

    def __call__(self, *command: str, **_further: t.Any) -> Completed:
        line = " ".join(command)
        for begin, (rc, out) in self.answers.items():
            if begin in line:
                return Completed(command, rc, out, "")
        raise AssertionError(f"{line} was not to be run")


GENERATOR = (0, "---vllm-qwen.service---\n[Service]\n")
READY = {
    "container_inspect": (1, ""),
    "--dryrun": GENERATOR,
    "image_exists": (0, ""),
    "image_inspect": (0, '[{"Id": "sha256:aa", "RepoDigests": []}]'),
    "--version": (0, "podman version 5.4.2"),
}


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> InstanceFiles:
    module = "ansible_collections.gpuops.vllm_fleet.plugins.module_utils._host.quadlet_generator"
    monkeypatch.setattr(f"{module}.generator", lambda: "generator")
    return InstanceFiles("qwen", str(tmp_path / "state"), str(tmp_path / "units"), str(tmp_path / "run"))


def refused(files: InstanceFiles, member: Member = NEW, **answers: tuple[int, str]) -> str | None:
    return refusal(Host(**{**READY, **answers}), [member], lambda _name: files, "default")


def test_what_is_whole_is_not_refused(files: InstanceFiles) -> None:
    assert refused(files) is None


def test_a_unit_that_somebody_else_wrote_is_left_alone(files: InstanceFiles) -> None:
    files.unit.parent.mkdir()
    files.unit.write_text("[Container]\nImage=docker.io/vllm/vllm-openai:latest\n")
    assert "is left alone: it was not written by this collection" in (refused(files) or "")


THEIRS = UNIT + "Label=io.gpuops.vllm-fleet.fleet=theirs\n"
GONE = Member("qwen", "remove", None, None, None, was_active=True)


@pytest.mark.parametrize("member", [NEW, GONE], ids=["to be replaced", "to be removed"])
def test_a_server_of_another_fleet_is_left_alone(files: InstanceFiles, member: Member) -> None:
    files.unit.parent.mkdir()
    files.unit.write_text(THEIRS)
    assert "it belongs to the fleet theirs (vllm_fleet_name), and this is default" in (
        refused(files, member) or ""
    )


@pytest.mark.parametrize("member", [NEW, GONE], ids=["to be replaced", "to be removed"])
def test_a_record_of_another_fleet_without_its_unit_is_left_alone(
    files: InstanceFiles, member: Member
) -> None:
    theirs = dataclasses.replace(member, before={**RECORD, "fleet": "theirs", "release": 1})
    assert "it belongs to the fleet theirs" in (refused(files, theirs) or "")


def test_a_container_that_somebody_else_made_is_not_replaced(files: InstanceFiles) -> None:
    said = refused(files, container_inspect=(0, "\n")) or ""
    assert "a container vllm-qwen that this collection did not make" in said


def test_a_unit_that_the_generator_drops_is_told(files: InstanceFiles) -> None:
    assert "Quadlet drops the unit of vllm-qwen" in (
        refused(files, **{"--dryrun": (0, "unsupported key")}) or ""
    )


def test_drop_ins_of_the_host_count_on_trial_as_they_do_at_boot(files: InstanceFiles) -> None:
    beside = files.unit.parent / "vllm-qwen.container.d"
    beside.mkdir(parents=True)
    (beside / "10-ours.conf").write_text("[Container]\nEnvironment=X=1\n")
    seen = []

    def generate(*command: str, env: t.Mapping[str, str], **_further: object) -> Completed:
        folder = Path(env["QUADLET_UNIT_DIRS"])
        seen.extend(str(path.relative_to(folder)) for path in folder.rglob("*.co*") if path.is_file())
        return Completed(command, *GENERATOR, "")

    generated(generate, files, UNIT)
    assert sorted(seen) == ["vllm-qwen.container", "vllm-qwen.container.d/10-ours.conf"]


def test_an_image_that_is_gone_is_told(files: InstanceFiles) -> None:
    assert "the image sha256:aa is not on this host any more" in (refused(files, image_exists=(1, "")) or "")


def with_intent(**intent: t.Any) -> Member:
    record = {**RECORD, "intent": {**RECORD["intent"], **intent}}
    return Member("qwen", "release", record, UNIT, None, was_active=False)


def test_a_secret_that_is_gone_is_told(files: InstanceFiles) -> None:
    said = refused(files, with_intent(secrets={"KEY": "vllm-qwen-k-0a0b0c0d"}), secret_inspect=(1, ""))
    assert "does not hold the secret vllm-qwen-k-0a0b0c0d" in (said or "")


def test_a_folder_that_is_gone_is_told(files: InstanceFiles) -> None:
    assert "/no/such/model is to be mounted" in (
        refused(files, with_intent(mounts=["/no/such/model:/m:ro"])) or ""
    )


def test_caches_of_a_state_directory_that_was_written_with_two_slashes_are_made(files: InstanceFiles) -> None:
    source = f"{files.home.parent}//qwen/cache/0a0b0c"
    member = with_intent(mounts=[f"{source}:/cache:Z,U"])
    assert refused(files, member) is None
    make_caches(member, files)
    assert Path(source).is_dir()


@pytest.mark.parametrize("source", ["{home}/cache/0a0b0c", "named-volume"])
def test_a_folder_that_the_release_makes_need_not_be_there(files: InstanceFiles, source: str) -> None:
    mount = source.format(home=files.home) + ":/cache"
    assert refused(files, with_intent(mounts=[mount])) is None


@pytest.fixture
def taken() -> t.Iterator[int]:
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen()
        yield server.getsockname()[1]


def test_a_port_that_a_stranger_holds_is_told_with_who(files: InstanceFiles, taken: int) -> None:
    member = Member("qwen", "release", {**RECORD, "port": taken}, UNIT, None, was_active=False)
    assert f"port {taken} is taken by process " in (refused(files, member) or "")


def test_a_port_that_the_old_server_holds_is_about_to_be_free(files: InstanceFiles, taken: int) -> None:
    record = {**RECORD, "port": taken}
    member = Member("qwen", "release", record, UNIT, {**record, "release": 1}, was_active=True)
    assert refused(files, member) is None


def test_the_image_of_a_unit() -> None:
    assert image_of(UNIT) == "sha256:aa"
