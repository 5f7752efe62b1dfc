"""A host with a wrong spec becomes one with a right spec, or keeps what it has and says what is needed.

The host is a folder; its programs answer by exact command, and the refresh unit writes what nvidia-ctk generates, as the
real one does.
"""

from __future__ import annotations

import json
import lzma
import typing as t
from pathlib import Path

import pytest

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._cdi.refresh import (
    DROP_IN,
    MARK,
    OWN_UNIT,
    UNIT,
)
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._host.cdi_repair import (
    Options,
    Outcome,
    make_ready,
)
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._host.command import Completed, HostError
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._host.place import Place

_SAMPLES = json.loads(
    lzma.decompress((Path(__file__).parents[4] / "fixtures" / "nvidia_smi" / "samples.json.xz").read_bytes())
)
TARGET = "/var/run/cdi/nvidia.yaml"
UUIDS = [f"GPU-11111111-0000-4000-8000-00000000000{index}" for index in range(4)]
CONTROL = ["nvidiactl", "nvidia-uvm", "nvidia-uvm-tools"]
LIBRARY = "/usr/lib/libcuda.so.550.163.01"
HOOK = "/usr/bin/nvidia-cdi-hook"


def spec_text(version: str = "0.5.0", control: t.Sequence[str] = CONTROL, library: str = LIBRARY) -> str:
    """What nvidia-ctk generates here: every node is the null device, whose numbers are known."""

    def nodes(names: t.Iterable[str]) -> list[dict[str, t.Any]]:
        return [{"path": f"/dev/{name}", "major": 1, "minor": 3} for name in names]

    devices = [
        {"name": name, "containerEdits": {"deviceNodes": nodes([f"nvidia{index}"])}}
        for index, uuid in enumerate(UUIDS)
        for name in (str(index), uuid)
    ]
    edits = {
        "deviceNodes": nodes(control),
        "mounts": [{"hostPath": library, "containerPath": library}],
        "hooks": [{"hookName": "createContainer", "path": HOOK, "args": ["nvidia-cdi-hook", "update-ldcache"]}],
    }  # fmt: skip
    flow = json.dumps({"devices": devices, "containerEdits": edits})
    return f"cdiVersion: {version}\nkind: nvidia.com/gpu\n{_block(json.loads(flow))}"


def _block(data: dict[str, t.Any]) -> str:
    return "".join(f"{key}: {json.dumps(value)}\n" for key, value in data.items())


class Host:
    """A host in a folder: its programs, and what they change."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.podman = "5.4.2"
        self.toolkit = "1.20.0"
        self.hook = "1.20.0"
        self.smi = dict(_SAMPLES["profiles"]["h100x4"])
        self.generated: str | None = spec_text()
        self.result = "success"
        self.skips = False  # a condition of the unit is not met, unless the drop-in clears it
        self.makes_nodes = True
        self.enabled = "enabled"
        self.servers: list[dict[str, t.Any]] = []
        self.asked: list[str] = []
        for name in [*CONTROL, *(f"nvidia{index}" for index in range(4))]:
            self.node(name)
        self.write(LIBRARY, "")
        self.write(HOOK, "", 0o755)
        self.write(f"/usr/lib/systemd/system/{UNIT}", "[Service]\n")

    def node(self, name: str) -> None:
        path = self.root / "dev" / name
        path.parent.mkdir(exist_ok=True)
        path.symlink_to("/dev/null")

    def write(self, path: str, text: str, mode: int = 0o644) -> Path:
        file = self.root / path.lstrip("/")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        file.chmod(mode)
        return file

    def read(self, path: str) -> str | None:
        file = self.root / path.lstrip("/")
        return file.read_text() if file.exists() else None

    def ready(self) -> Host:
        """The same host after a first run, as an earlier day left it."""
        self.make_ready()
        self.asked.clear()
        return self

    def make_ready(self, check: bool = False, **options: t.Any) -> tuple[Outcome, Place]:
        place = Place(self, check, str(self.root))
        return make_ready(place, Options(**options)), place

    def __call__(
        self, *command: str, env: t.Mapping[str, str] | None = None, stdin: str | None = None
    ) -> Completed:
        asked = " ".join(command)
        self.asked.append(asked)
        if command[0] == "nvidia-smi":
            answer = self.smi[asked] if self.smi else {"rc": 127, "stdout": ""}
            return Completed(command, answer["rc"], answer["stdout"], "")
        return self.answer(command, asked, env or {})

    def answer(self, command: tuple[str, ...], asked: str, env: t.Mapping[str, str]) -> Completed:
        simple = {
            "podman --version": (self.podman, f"podman version {self.podman}"),
            "nvidia-ctk --version": (self.toolkit, f"NVIDIA Container Toolkit CLI version {self.toolkit}\n"),
            "nvidia-cdi-hook --version": (self.hook, f"NVIDIA CDI Hook version {self.hook}\n"),
        }
        if asked in simple:
            there, text = simple[asked]
            return Completed(command, 0 if there else 127, text, "")
        if asked == "nvidia-ctk cdi generate --format=yaml":
            assert "NVIDIA_CTK_CDI_OUTPUT_FILE_PATH" not in env  # it would write the file, and print nothing
            text = self.text(env)
            log = 'level=error msg="failed to generate CDI spec: ERROR_UNKNOWN"' if text is None else ""
            return Completed(command, 0 if text is not None else 1, text or "", log)
        if command[0] == "systemctl":
            return self.systemctl(command, asked)
        if asked.startswith("podman ps --all"):
            return Completed(command, 0, "\n".join(each["Id"] for each in self.servers), "")
        if asked.startswith("podman inspect "):
            return Completed(command, 0, json.dumps(self.servers), "")
        if asked.startswith(("nvidia-modprobe -u", "nvidia-ctk system create-device-nodes")):
            return self.create_nodes(command)
        raise AssertionError(f"not expected: {asked}")

    def text(self, env: t.Mapping[str, str]) -> str | None:
        flags = env.get("NVIDIA_CTK_CDI_GENERATE_FEATURE_FLAGS", "")
        if self.generated and "no-additional-gids-for-device-nodes" in flags:
            return self.generated.replace("cdiVersion: 0.7.0", "cdiVersion: 0.5.0")
        return self.generated

    def create_nodes(self, command: tuple[str, ...]) -> Completed:
        if not self.makes_nodes:
            return Completed(command, 1, "", "modprobe: FATAL")
        for name in CONTROL:
            if not (self.root / "dev" / name).exists():
                self.node(name)
        self.generated = spec_text()
        return Completed(command, 0, "", "")

    def systemctl(self, command: tuple[str, ...], asked: str) -> Completed:
        if command[1] == "show":
            loaded = self.read(f"/usr/lib/systemd/system/{UNIT}") or self.read(OWN_UNIT)
            shown = {
                "LoadState": "loaded" if loaded else "not-found",
                "Result": self.result,
                "ConditionResult": "no" if self.result == "exec-condition" else "yes",
                "ConditionTimestampMonotonic": "1",
                "FragmentPath": f"/usr/lib/systemd/system/{UNIT}",
            }
            return Completed(command, 0, "".join(f"{key}={value}\n" for key, value in shown.items()), "")
        if command[1] == "is-enabled":
            return Completed(command, 0, self.enabled + "\n", "")
        if command[1] == "enable":
            self.enabled = "enabled"
        if asked == f"systemctl start -- {UNIT}":
            self.start()
        return Completed(command, 0, "", "")

    def start(self) -> None:
        unit = f"{self.read(DROP_IN) or ''}{self.read(OWN_UNIT) or ''}"
        if self.skips and "\nExecCondition=\n" not in unit:
            self.result = "exec-condition"
            return
        variables = dict(
            line.removeprefix('Environment="').rstrip('"').split("=", 1)
            for line in unit.splitlines()
            if line.startswith('Environment="')
        )
        text = self.text(variables)
        self.result = "success" if text else "exit-code"
        if text:
            self.write(variables["NVIDIA_CTK_CDI_OUTPUT_FILE_PATH"], text)


@pytest.fixture
def host(tmp_path: Path) -> Host:
    return Host(tmp_path)


def codes(outcome: Outcome) -> set[str]:
    return {each.code for each in outcome.defects}


def errors(outcome: Outcome) -> set[str]:
    return {each.code for each in outcome.findings if each.severity == "error"}


def test_a_fresh_host_becomes_ready_and_a_second_run_does_nothing(host: Host) -> None:
    outcome, place = host.make_ready(devices=("nvidia.com/gpu=0", f"nvidia.com/gpu={UUIDS[3]}"))
    assert outcome.ready
    assert codes(outcome) == {"cdi_spec_missing"}
    assert place.actions == [f"write {DROP_IN}", f"refresh {TARGET}"]
    assert host.read(TARGET) == spec_text()
    again, place = host.make_ready(devices=("nvidia.com/gpu=0",))
    assert again.ready
    assert again.defects == again.findings == []
    assert place.actions == place.diff == []


def test_check_mode_predicts_what_the_real_run_does(host: Host) -> None:
    predicted, would = host.make_ready(check=True)
    assert host.read(TARGET) is host.read(DROP_IN) is None
    assert not [
        each for each in host.asked if each.startswith(("systemctl start", "systemctl daemon-reload"))
    ]
    done, did = host.make_ready()
    assert would.actions == did.actions
    assert would.diff == did.diff
    assert predicted.ready
    assert predicted.defects == done.defects


def break_library(host: Host) -> None:
    """The driver was upgraded and the host rebooted: other libraries, another spec."""
    host.smi = {
        command: {**answer, "stdout": answer["stdout"].replace("550.163.01", "580.95.05")}
        for command, answer in host.smi.items()
    }
    (host.root / LIBRARY.lstrip("/")).unlink()
    new = LIBRARY.replace("550.163.01", "580.95.05")
    host.write(new, "")
    host.generated = spec_text(library=new)


def second_spec(host: Host) -> None:
    host.write("/var/run/cdi/old.yaml", spec_text())


def stale_in_etc(host: Host) -> None:
    host.write("/etc/cdi/nvidia.yaml", spec_text())


def other_major(host: Host) -> None:
    host.write(
        TARGET, spec_text().replace('"/dev/nvidia-uvm", "major": 1', '"/dev/nvidia-uvm", "major": 510')
    )


def unreadable(host: Host) -> None:
    host.write(TARGET, "kind: [nvidia.com/gpu\n")


def rebooted(host: Host) -> None:
    (host.root / TARGET.lstrip("/")).unlink()
    host.result = "exec-condition"


def without_uvm(host: Host) -> None:
    (host.root / "dev/nvidia-uvm").unlink()
    host.generated = spec_text(control=["nvidiactl", "nvidia-uvm-tools"])
    host.write(TARGET, host.generated)


def private(host: Host) -> None:
    host.write(TARGET, spec_text(), 0o600)


def edited(host: Host) -> None:
    host.write(TARGET, spec_text(version="0.6.0"))


def drop_in_gone(host: Host) -> None:
    (host.root / DROP_IN.lstrip("/")).unlink()


def disabled(host: Host) -> None:
    host.enabled = "disabled"


@pytest.mark.parametrize(
    ("break_it", "found"),
    [
        (break_library, {"cdi_path_missing", "cdi_driver_differs", "cdi_outdated"}),
        (second_spec, {"cdi_second_spec"}),
        (stale_in_etc, {"cdi_second_spec"}),
        (other_major, {"cdi_node_differs", "cdi_outdated"}),
        (unreadable, {"cdi_spec_not_loaded"}),
        (rebooted, {"cdi_spec_missing", "refresh_unit_skipped"}),
        (without_uvm, {"cdi_node_not_in_spec"}),
        (private, {"cdi_spec_private"}),
        (edited, {"cdi_outdated"}),
        (drop_in_gone, set()),
        (disabled, set()),
    ],
)
def test_what_can_be_repaired_is_named_and_repaired(
    host: Host, break_it: t.Callable[[Host], None], found: set[str]
) -> None:
    break_it(host.ready())
    outcome, place = host.make_ready()
    assert outcome.ready, outcome.findings
    assert codes(outcome) == found
    assert place.actions
    assert host.read(TARGET) == host.generated
    again, place = host.make_ready()
    assert again.ready
    assert again.defects == place.actions == []


def test_nothing_that_was_in_the_way_is_lost(host: Host) -> None:
    second_spec(host.ready())
    host.make_ready()
    assert host.read("/var/run/cdi/old.yaml") is None
    assert host.read("/var/run/cdi/old.yaml.set-aside") == spec_text()


def test_where_others_are_not_to_be_touched_they_are_told(host: Host) -> None:
    second_spec(host.ready())
    outcome, _place = host.make_ready(set_aside=False)
    assert errors(outcome) == {"cdi_second_spec"}
    assert host.read("/var/run/cdi/old.yaml") == spec_text()


@pytest.mark.parametrize("state", ["LIB_RM_VERSION_MISMATCH", "DRIVER_NOT_LOADED", "GPU_IS_LOST"])
def test_while_the_driver_cannot_be_used_the_spec_is_left_alone(host: Host, state: str) -> None:
    host.ready().smi = {"nvidia-smi -q -x": _SAMPLES["states"][state]}
    outcome, place = host.make_ready()
    assert not outcome.ready
    assert len(errors(outcome)) == 1
    assert place.actions == []
    assert host.read(TARGET) == spec_text()
    assert not [each for each in host.asked if each.startswith("nvidia-ctk cdi")]


def test_a_good_spec_is_not_replaced_by_a_worse_one(host: Host) -> None:
    host.ready().generated = spec_text(library="/usr/lib/libcuda.so.535.1.1")
    outcome, place = host.make_ready()
    assert host.read(TARGET) == spec_text()
    assert place.actions == []
    assert errors(outcome) == {"cdi_not_replaced"}
    assert "made for driver 535.1.1, the host runs 550.163.01" in outcome.findings[0].message


def test_a_device_that_only_the_plan_knows_does_not_keep_a_right_spec_from_being_written(host: Host) -> None:
    outcome, _place = host.make_ready(devices=("nvidia.com/gpu=9",))
    assert host.read(TARGET) == spec_text()
    assert errors(outcome) == {"cdi_device_unknown"}
    _again, place = host.make_ready(devices=("nvidia.com/gpu=9",))
    assert place.actions == []


def test_a_generator_that_fails_is_told_in_its_own_words(host: Host) -> None:
    host.ready().generated = None
    outcome, place = host.make_ready()
    assert errors(outcome) == {"ctk_generate_failed"}
    assert "failed to generate CDI spec: ERROR_UNKNOWN" in outcome.findings[0].message
    assert place.actions == []


def test_nodes_that_cannot_be_made_stay_an_error(host: Host) -> None:
    host.makes_nodes = False
    without_uvm(host.ready())
    outcome, _place = host.make_ready()
    assert "cdi_node_not_in_spec" in errors(outcome)


def test_a_hook_that_is_gone_is_not_repaired_by_generating(host: Host) -> None:
    (host.ready().root / HOOK.lstrip("/")).unlink()
    host.hook = ""
    outcome, place = host.make_ready()
    assert errors(outcome) == {"cdi_hook_missing"}
    assert place.actions == []


def test_a_half_upgraded_toolkit_is_told_though_the_spec_is_right(host: Host) -> None:
    host.ready().hook = "1.17.8"
    outcome, _place = host.make_ready()
    assert errors(outcome) == {"toolkit_half_upgraded"}


def test_a_unit_that_skips_itself_is_repaired_by_the_drop_in(host: Host) -> None:
    host.skips = True
    host.result = "exec-condition"
    outcome, _place = host.make_ready()
    assert outcome.ready
    assert "refresh_unit_skipped" in codes(outcome)
    assert host.read(TARGET) == spec_text()


def test_a_toolkit_without_a_unit_gets_ours_and_gives_it_up_when_it_brings_one(host: Host) -> None:
    host.toolkit = host.hook = "1.17.8"
    vendor = host.root / f"usr/lib/systemd/system/{UNIT}"
    vendor.unlink()
    outcome, _place = host.make_ready()
    assert outcome.ready
    assert (host.read(OWN_UNIT) or "").startswith(MARK)
    assert host.read(DROP_IN) is None
    host.toolkit = host.hook = "1.20.0"
    host.write(f"/usr/lib/systemd/system/{UNIT}", "[Service]\n")
    outcome, _place = host.make_ready()
    assert outcome.ready
    assert host.read(OWN_UNIT) is None
    assert host.read(DROP_IN) is not None


def test_an_old_podman_gets_a_spec_that_it_loads(host: Host) -> None:
    host.podman = "4.9.3"
    host.generated = spec_text(version="0.7.0")
    outcome, _place = host.make_ready()
    assert outcome.ready
    assert "cdiVersion: 0.5.0" in (host.read(TARGET) or "")


def test_the_podman_that_reads_etc_only_gets_its_spec_there(host: Host) -> None:
    host.podman = "5.5.2"
    outcome, _place = host.make_ready()
    assert outcome.ready
    assert outcome.spec_path == "/etc/cdi/nvidia.yaml"
    assert host.read("/etc/cdi/nvidia.yaml") == spec_text()


def test_only_looking_changes_nothing(host: Host) -> None:
    outcome, place = host.make_ready(repair=False)
    assert errors(outcome) == {"cdi_spec_missing"}
    assert place.actions == []
    assert host.read(DROP_IN) is None


def test_a_host_without_gpus_is_a_failure_only_where_gpus_are_planned(host: Host) -> None:
    host.smi = {}
    outcome, _place = host.make_ready()
    assert [each.severity for each in outcome.findings] == ["info"]
    outcome, _place = host.make_ready(devices=("nvidia.com/gpu=0",))
    assert errors(outcome) == {"nvidia_smi_missing"}


@pytest.mark.parametrize(
    ("lacks", "step"), [("podman", "Podman is installed"), ("toolkit", "base is installed")]
)
def test_a_bare_host_is_known_only_after_what_has_to_come_first(host: Host, lacks: str, step: str) -> None:
    setattr(host, lacks, "")
    outcome, place = host.make_ready(check=True)
    assert step in (outcome.known_after or "")
    assert place.actions
    with pytest.raises(HostError, match="install it first"):
        host.make_ready()


def test_check_mode_shows_the_drop_in_of_the_toolkit_that_is_to_come_and_the_names_of_the_devices(
    host: Host,
) -> None:
    host.toolkit = ""
    _outcome, would = host.make_ready(check=True, coming_toolkit=(1, 20, 0))
    host.toolkit = "1.20.0"
    _outcome, did = host.make_ready()
    assert would.actions[0] == did.actions[0] == f"write {DROP_IN}"
    assert would.diff[0] == did.diff[0]
    after = would.diff[1]["after"]
    assert after.startswith("(known after nvidia-container-toolkit-base is installed")
    promised = {line for line in after.splitlines() if line.startswith("device ")}
    made = {line.split(":")[0] for line in did.diff[1]["after"].splitlines() if line.startswith("device ")}
    assert promised == made | {"device all"}


def test_check_mode_shows_our_own_unit_for_a_toolkit_to_come_that_brings_none(host: Host) -> None:
    host.toolkit = ""
    _outcome, would = host.make_ready(check=True, coming_toolkit=(1, 17, 8))
    assert would.actions[0] == f"write {OWN_UNIT}"


@pytest.mark.parametrize(
    "broken",
    [
        pytest.param({"hook": "1.18.2"}, id="half upgraded"),
        pytest.param({"generated": None}, id="nvidia-ctk makes no spec"),
    ],
)
def test_check_mode_does_not_fail_for_what_the_coming_toolkit_may_mend(
    host: Host, broken: dict[str, t.Any]
) -> None:
    host.ready()
    for name, value in broken.items():
        setattr(host, name, value)
    assert errors(host.make_ready(check=True)[0])
    outcome, place = host.make_ready(check=True, coming_toolkit=(1, 20, 1))
    assert outcome.known_after == "nvidia-container-toolkit-base 1.20.1 is installed"
    assert outcome.defects
    assert not errors(outcome)
    assert place.actions[0] == f"write {DROP_IN}"


def test_a_difference_names_what_the_spec_gives_and_what_is_done_beside_it(host: Host) -> None:
    host.ready()
    host.write("/var/run/cdi/copy.yaml", spec_text())
    host.enabled = "disabled"
    _outcome, place = host.make_ready()
    shown = {each["after_header"]: (each["before"], each["after"]) for each in place.diff}
    assert shown["/var/run/cdi/copy.yaml"][1] == "renamed to /var/run/cdi/copy.yaml.set-aside\n"
    assert shown[UNIT] == ("disabled\n", "enabled\n")
    assert f"mount {LIBRARY}\n" in shown[TARGET][1]


def test_a_server_that_runs_with_an_older_spec_is_told_and_left_alone(host: Host) -> None:
    library = {"source": LIBRARY, "destination": LIBRARY}
    devices = [{"path": f"/dev/{name}", "major": 1, "minor": 3} for name in [*CONTROL, "nvidia0"]]
    host.write("/run/oci.json", json.dumps({"mounts": [library], "linux": {"devices": devices}}))
    labels = {
        "io.gpuops.vllm-fleet.managed": "true",
        "io.gpuops.vllm-fleet.instance": "qwen",
        "PODMAN_SYSTEMD_UNIT": "vllm-qwen.service",
    }
    command = ["podman", "run", "--device", "nvidia.com/gpu=0", "image"]
    host.servers = [
        {
            "Id": "1",
            "Name": "vllm-qwen",
            "State": {"Running": True},
            "OCIConfigPath": "/run/oci.json",
            "Config": {"CreateCommand": command, "Labels": labels},
        }
    ]
    outcome, _place = host.make_ready()
    assert outcome.outdated_servers == []
    break_library(host)
    predicted, _place = host.make_ready(check=True)
    outcome, _place = host.make_ready()
    assert [(each.instance, each.unit) for each in outcome.outdated_servers] == [
        ("qwen", "vllm-qwen.service")
    ]
    assert outcome.outdated_servers == predicted.outdated_servers
    assert "libcuda.so.580.95.05" in outcome.outdated_servers[0].reason
    assert not [each for each in host.asked if "restart" in each or "vllm-qwen" in each]
