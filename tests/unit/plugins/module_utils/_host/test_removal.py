"""A removal takes what is ours, and nothing that is not. The host is a folder; Podman and systemd answer as recorded."""

from __future__ import annotations

import dataclasses
import json
import shutil
import typing as t
from pathlib import Path

import pytest

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._host.command import Completed, HostError
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._host.image_memory import (
    Known,
    read_memory,
    write_memory,
)
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._host.release_files import InstanceFiles
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._host.removal import look, remove_instance
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._host.removal_host import Removal, Wish, plan

IMAGE, OTHER = "a" * 64, "b" * 64
REFERENCE = "docker.io/vllm/vllm-openai:v0.26.0"
OURS = """[Container]
Image=x
Label=io.gpuops.vllm-fleet.managed=true
Label=io.gpuops.vllm-fleet.fleet={}
Label=io.gpuops.vllm-fleet.instance={}
"""


def labels(instance: str, fleet: str = "default") -> dict[str, str]:
    prefix = "io.gpuops.vllm-fleet."
    return {f"{prefix}managed": "true", f"{prefix}fleet": fleet, f"{prefix}instance": instance}


@dataclasses.dataclass
class Machine:
    """What Podman and systemd answer, and what they were asked to do."""

    root: Path
    containers: list[dict[str, t.Any]] = dataclasses.field(default_factory=list)
    secrets: dict[str, dict[str, str]] = dataclasses.field(default_factory=dict)
    images: list[dict[str, t.Any]] = dataclasses.field(default_factory=list)
    active: set[str] = dataclasses.field(default_factory=set)
    did: list[str] = dataclasses.field(default_factory=list)

    def run(self, *command: str, **_further: t.Any) -> Completed:
        answers = {
            ("podman", "--version"): "podman version 5.4.2",
            ("podman", "ps"): "\n".join(each["Id"] for each in self.containers),
            ("podman", "inspect"): json.dumps(self.containers),
            ("podman", "secret", "ls"): "\n".join(self.secrets),
            ("podman", "secret", "inspect"): json.dumps(
                [{"Spec": {"Name": name, "Labels": found}} for name, found in self.secrets.items()]
            ),
            ("podman", "images"): json.dumps(self.images),
            ("systemctl", "show"): self._state(command[-1]),
        }
        for length in (3, 2):
            if command[:length] in answers:
                return Completed(command, 0, answers[command[:length]], "")
        self.did.append(" ".join(command))
        return Completed(command, 0, "", "")

    def _state(self, unit: str) -> str:
        return f"LoadState=loaded\nActiveState={'active' if unit in self.active else 'inactive'}\n"

    @property
    def state(self) -> Path:
        return self.root / "state"

    def files(self, name: str) -> InstanceFiles:
        return InstanceFiles(name, str(self.state), str(self.root / "units"), str(self.root / "trial"))

    def release(
        self, name: str, image: str = REFERENCE, fleet: str = "default", model: str = "a/model"
    ) -> None:
        """Have a running release of ours."""
        files = self.files(name)
        folder = files.release(1)
        folder.mkdir(parents=True)
        record = {
            "schema": 1, "instance": name, "release": 1, "fleet": fleet, "intent_hash": "0", "intent": {"argv": [model]},
            "model": model, "vllm_version": "0.26.0", "image": image, "image_identity": f"sha256:{IMAGE}", "url": "u",
            "listen": "127.0.0.1", "port": 8000, "devices": [], "gate": {}, "service": files.service,
            "collection_version": "0.1.0", "made_at": "2026-11-30T00:00:00+00:00", "image_id": IMAGE,
        }  # fmt: skip
        (folder / "record.json").write_text(json.dumps(record))
        files.current.symlink_to("releases/1")
        files.unit.parent.mkdir(exist_ok=True)
        files.unit.write_text(OURS.format(fleet, name))
        self.active.add(files.service)
        self.containers.append({"Id": f"id-{name}", "Name": f"vllm-{name}", "Image": IMAGE, "Config": {"Labels": labels(name, fleet)}})  # fmt: skip
        self.secrets[f"vllm-{name}-key-11111111"] = labels(name, fleet)

    def plan(self, *names: str, **wish: t.Any) -> Removal:
        """A removal of these instances; of all without any."""
        wanted = Wish(
            names or None, str(self.state), "default", units=str(self.root / "units"),
            trial=str(self.root / "trial"), runtime=str(self.root / "run"), **wish,
        )  # fmt: skip
        return plan(look(self.run, wanted.units), wanted)

    def remove(self, *names: str, **wish: t.Any) -> Removal:
        removal = self.plan(*names, **wish)
        for step in removal.steps:
            step.act()
        return removal

    def tree(self) -> set[str]:
        return {str(path.relative_to(self.root)) for path in self.root.rglob("*")}


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def test_an_instance_goes_with_all_that_is_its_own(machine: Machine) -> None:
    machine.release("qwen")
    machine.images = [{"Id": IMAGE, "Names": ["localhost/vllm-fleet/qwen:1", REFERENCE], "RepoDigests": ["localhost/vllm-fleet/qwen@sha256:0"]}]  # fmt: skip
    done = remove_instance(machine.run, machine.files("qwen"), "default")
    assert done == [
        "stop vllm-qwen.service",
        f"remove {machine.root}/units/vllm-qwen.container",
        "daemon-reload",
        "remove container vllm-qwen",
        "remove secret vllm-qwen-key-11111111",
        "remove tag localhost/vllm-fleet/qwen:1",
        f"remove {machine.root}/state/qwen",
    ]
    assert machine.tree() == {"units", "state"}
    assert machine.did == [
        "systemctl stop -- vllm-qwen.service",
        "systemctl daemon-reload",
        "systemctl reset-failed -- vllm-qwen.service",
        "podman rm --force --ignore --time 60 id-qwen",
        "podman secret rm vllm-qwen-key-11111111",
        "podman rmi localhost/vllm-fleet/qwen:1",
    ]


def test_finding_out_what_there_is_touches_nothing(machine: Machine) -> None:
    machine.release("qwen")
    before = machine.tree()
    assert machine.plan(weights=True).steps
    assert machine.tree() == before
    assert machine.did == []


@pytest.mark.parametrize(
    ("text", "why"),
    [
        pytest.param("[Container]\nImage=x\n", "it was not written by this collection", id="somebody's own"),
        pytest.param(OURS.format("theirs", "qwen"), "belongs to the fleet theirs", id="another fleet's"),
    ],
)
def test_a_unit_that_is_not_ours_is_refused_before_anything_is_touched(
    machine: Machine, text: str, why: str
) -> None:
    unit = machine.files("qwen").unit
    unit.parent.mkdir()
    unit.write_text(text)
    with pytest.raises(HostError, match=why):
        remove_instance(machine.run, machine.files("qwen"), "default")
    assert unit.read_text() == text
    assert machine.did == []


def test_another_fleet_on_the_host_keeps_its_server_and_what_both_share(machine: Machine) -> None:
    machine.release("qwen")
    machine.release("theirs", fleet="theirs")
    (machine.state / "salt").write_text("salt")
    removal = machine.remove()
    assert removal.instances == ["qwen"]
    assert machine.files("theirs").unit.exists()
    assert (machine.state / "salt").exists()
    assert any("theirs of another fleet shares them" in each for each in removal.stays)
    assert not any("theirs" in each for each in machine.did)


def test_a_container_of_another_fleet_stays(machine: Machine) -> None:
    machine.release("qwen")
    machine.containers[0]["Config"]["Labels"] = labels("qwen", "theirs")
    remove_instance(machine.run, machine.files("qwen"), "default")
    assert not any("podman rm " in each for each in machine.did)


def test_an_instance_of_another_fleet_cannot_be_named(machine: Machine) -> None:
    machine.release("theirs", fleet="theirs")
    with pytest.raises(HostError, match="theirs is left alone"):
        machine.plan("theirs")


def test_a_container_of_our_name_without_our_labels_stays(machine: Machine) -> None:
    machine.release("qwen")
    machine.containers = [{"Id": "id-hand", "Name": "vllm-qwen", "Config": {"Labels": {}}}]
    removal = machine.remove("qwen")
    assert not any("podman rm " in each for each in machine.did)
    assert any(each.startswith("container vllm-qwen, not ours") for each in removal.stays)


def test_a_secret_of_a_name_like_ours_without_our_labels_stays(machine: Machine) -> None:
    machine.release("qwen")
    machine.secrets["vllm-qwen-key-22222222"] = {}
    machine.remove("qwen")
    assert "podman secret rm vllm-qwen-key-22222222" not in machine.did


def test_all_takes_what_the_instances_shared_and_the_folder_itself(machine: Machine) -> None:
    machine.release("qwen")
    (machine.state / "salt").write_text("salt")
    (machine.state / ".transactions").mkdir()
    (machine.root / "run").mkdir()
    machine.remove()
    assert machine.tree() == {"units"}


OTHERS = (
    "shop/releases/20260101/index.html",
    "shop/shared/config",
    "browser/cache/entries",
    "mail/accepted/1",
    ".git/config",
    ".snapshots/1/info",
    "Notes/releases/1/record.json",
    "empty/releases/1/record.json",
)


def keep_others(machine: Machine) -> None:
    """Others have put their things beside ours."""
    for each in OTHERS:
        path = machine.state / each
        path.parent.mkdir(parents=True)
        path.write_text("{}")
    (machine.state / "shop" / "current").symlink_to("releases/20260101")


def test_all_leaves_what_others_keep_in_the_same_place(machine: Machine) -> None:
    keep_others(machine)
    machine.release("qwen")
    for name in (".transactions", ".jobs", ".archives"):
        (machine.state / name).mkdir()
    removal = machine.remove()
    assert removal.instances == ["qwen"]
    assert all((machine.state / each).exists() for each in OTHERS)
    assert sorted(path.name for path in machine.state.iterdir()) == sorted(
        {each.partition("/")[0] for each in OTHERS}
    )
    assert f"{machine.state}/shop: nothing tells that it is ours" in removal.stays


@pytest.mark.parametrize("name", ["shop", "browser"])
def test_a_folder_of_others_stays_when_its_name_is_given(machine: Machine, name: str) -> None:
    keep_others(machine)
    machine._state = lambda _unit: "LoadState=not-found\n"  # type: ignore[method-assign]
    assert machine.remove(name).steps == []


def test_what_an_interrupted_removal_left_goes_when_it_is_named(machine: Machine) -> None:
    (machine.state / "qwen" / "cache" / "0123456789ab").mkdir(parents=True)
    (machine.state / "qwen" / "releases" / "1").mkdir(parents=True)
    machine.remove("qwen")
    assert not (machine.state / "qwen").exists()


def test_the_records_go_last(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    """Else nobody knows the folder again when the removal is interrupted."""
    machine.release("qwen")
    (machine.state / "qwen" / "zz").mkdir()
    gone = []
    real = shutil.rmtree
    monkeypatch.setattr(shutil, "rmtree", lambda path: (gone.append(Path(path).name), real(path)))
    machine.remove("qwen")
    assert gone == ["zz", "releases"]


def test_the_lock_is_the_last_that_goes(machine: Machine) -> None:
    machine.release("qwen")
    (machine.root / "run").mkdir()
    assert machine.plan().steps[-1].text == f"remove {machine.root}/run"


def test_a_secret_that_a_killed_run_left_goes_with_all(machine: Machine) -> None:
    machine.secrets["vllm-gone-key-1"] = labels("gone")
    assert machine.remove().instances == ["gone"]
    assert "podman secret rm vllm-gone-key-1" in machine.did


def test_the_second_time_there_is_nothing_to_do(machine: Machine) -> None:
    (machine.state / "models").mkdir(parents=True)
    removal = machine.plan()
    assert removal.steps == []


@pytest.mark.parametrize("name", ["../etc", "models", "Qwen", ""])
def test_a_name_that_is_none_is_refused(machine: Machine, name: str) -> None:
    with pytest.raises(HostError, match="is no name of an instance"):
        machine.plan(name)


def test_a_name_that_is_not_there_is_told(machine: Machine) -> None:
    machine.release("qwen")
    machine.active = set()
    machine._state = lambda _unit: "LoadState=not-found\n"  # type: ignore[method-assign]
    removal = machine.plan("qwne")
    assert removal.steps == []
    assert "qwne: nothing of it is on this host" in removal.stays


# --- weights


def weights(machine: Machine, *repositories: str) -> None:
    for each in repositories:
        (machine.state / "models" / ("models--" + each.replace("/", "--")) / "blobs").mkdir(parents=True)


def test_weights_stay_unless_asked_for(machine: Machine) -> None:
    machine.release("qwen")
    weights(machine, "a/model")
    removal = machine.remove()
    assert (machine.state / "models" / "models--a--model").is_dir()
    assert any("vllm_remove_weights=true removes them" in each for each in removal.stays)


def test_weights_that_a_server_which_stays_names_are_kept(machine: Machine) -> None:
    machine.release("qwen")
    machine.release("other", model="b/model")
    weights(machine, "a/model", "b/model", "c/never-named")
    machine.remove("qwen", weights=True)
    kept = sorted(path.name for path in (machine.state / "models").iterdir())
    assert kept == ["models--b--model", "models--c--never-named"]


def test_all_weights_go_with_all_servers(machine: Machine) -> None:
    machine.release("qwen")
    weights(machine, "a/model", "c/never-named")
    machine.remove(weights=True)
    assert not machine.state.exists()


def test_weights_that_other_hosts_may_share_stay(machine: Machine) -> None:
    machine.release("qwen")
    shared = machine.root / "nfs"
    (shared / "models--a--model").mkdir(parents=True)
    (machine.state / "models").symlink_to(shared)
    removal = machine.remove(weights=True)
    assert (shared / "models--a--model").is_dir()
    assert any("other hosts may use it" in each for each in removal.stays)


# --- images


def remember(machine: Machine, way: str = "registry") -> None:
    write_memory(str(machine.state), {REFERENCE: Known(f"sha256:{IMAGE}", IMAGE, t.cast("t.Any", way))})
    machine.images = [{"Id": IMAGE, "Names": ["localhost/vllm-fleet/qwen:1", REFERENCE], "RepoDigests": []}]


def test_an_image_that_we_brought_goes_with_its_last_server(machine: Machine) -> None:
    machine.release("qwen")
    remember(machine)
    machine.remove("qwen")
    assert machine.did[-1] == f"podman rmi {REFERENCE}"
    assert read_memory(str(machine.state)) == {}


def test_an_image_that_was_there_before_us_stays(machine: Machine) -> None:
    machine.release("qwen")
    remember(machine, way="host")
    removal = machine.remove("qwen")
    assert f"podman rmi {REFERENCE}" not in machine.did
    assert f"image {REFERENCE}: this collection did not bring it" in removal.stays


def test_an_image_stays_when_its_keeping_is_asked_for(machine: Machine) -> None:
    machine.release("qwen")
    remember(machine)
    removal = machine.remove("qwen", images=False)
    assert f"podman rmi {REFERENCE}" not in machine.did
    assert f"image {REFERENCE}: vllm_remove_images=true removes it" in removal.stays


@pytest.mark.parametrize(
    ("change", "why"),
    [
        pytest.param(lambda machine: machine.release("other"), "another server needs it", id="our other server"),
        pytest.param(
            lambda machine: machine.containers.append({"Id": "f", "Name": "foreign", "Image": IMAGE, "Config": {}}),
            "the container foreign uses it",
            id="somebody's container",
        ),
        pytest.param(
            lambda machine: machine.images[0]["Names"].append("localhost/mine:1"),
            "it has another name, localhost/mine:1",
            id="somebody's name",
        ),
    ],
)  # fmt: skip
def test_an_image_that_somebody_else_needs_stays(
    machine: Machine, change: t.Callable[[Machine], None], why: str
) -> None:
    machine.release("qwen")
    remember(machine)
    change(machine)
    removal = machine.remove("qwen")
    assert f"image {REFERENCE}: {why}" in removal.stays
    assert f"podman rmi {REFERENCE}" not in machine.did


def test_what_made_the_host_ready_is_named_as_staying(machine: Machine) -> None:
    machine.release("qwen")
    assert any(each.startswith("Podman, the NVIDIA container toolkit") for each in machine.plan().stays)
