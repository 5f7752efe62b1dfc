"""Every way in which a spec goes stale is found by the content of the spec, with its remedy; a right one says nothing.

The specs are those that real releases of nvidia-ctk wrote for simulated GPUs.
"""

from __future__ import annotations

import copy
import dataclasses
import json
import lzma
import typing as t
from pathlib import Path

import pytest

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._cdi import reading, yaml_subset
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._cdi.evidence import (
    KIND,
    GpuNames,
    Host,
    Node,
    SpecFile,
    Trouble,
)
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._cdi.judge import (
    is_improvement,
    judge,
    outdated,
)

_TEXTS = json.loads(
    lzma.decompress((Path(__file__).parents[4] / "fixtures" / "cdi" / "specs.json.xz").read_bytes())
)
TARGET = "/var/run/cdi/nvidia.yaml"
PLAIN = "nct-v1.20.0-h100x4-debian-layout.yaml"
OLD = "nct-v1.18.2-h100x4-debian-layout.yaml"  # without numbers of device nodes
MIG = "nct-v1.20.0-a100mig.yaml"

H100X4 = tuple(GpuNames(index, f"GPU-11111111-0000-4000-8000-00000000000{index}") for index in range(4))
A100 = "GPU-99999999-0000-4000-8000-00000000000"
A100MIG = (
    GpuNames(
        0,
        A100 + "0",
        True,
        (
            ("0:0", "MIG-aaaaaaaa-0000-5000-8000-000000000001"),
            ("0:1", "MIG-aaaaaaaa-0000-5000-8000-000000000002"),
        ),
    ),
    GpuNames(1, A100 + "1"),
)


def data(name: str) -> dict[str, t.Any]:
    text = _TEXTS[name]
    return json.loads(text) if name.endswith(".json") else yaml_subset.parse(text)


def nodes_of(spec: t.Any) -> dict[str, Node | None]:
    """Device nodes that are exactly as the spec says, or as the driver makes them where it does not say."""
    found: dict[str, Node | None] = {}
    for edits in reading.all_edits(spec):
        for node in reading.nodes(edits):
            numbers = node.get("major", 195), node.get("minor", 0)
            mode = node.get("fileMode", 0o666)
            found[reading.host_path(node)] = Node("c", *numbers, mode, node.get("gid", 0))
    return found


def host(spec: dict[str, t.Any], gpus: tuple[GpuNames, ...] = H100X4, driver: str = "550.163.01") -> Host:
    """A host on which the spec is right."""
    files = dict.fromkeys(reading.mount_paths(spec), "present")
    files.update(dict.fromkeys(reading.hook_paths(spec), "program"))
    return Host(
        target=TARGET,
        directories=("/etc/cdi", "/var/run/cdi"),
        specs=(SpecFile(TARGET, KIND, None, spec),),
        gpus=gpus,
        driver_version=driver,
        kernel_version=driver,
        nodes=nodes_of(spec),
        files=files,
    )


def codes(found: t.Iterable[t.Any]) -> list[str]:
    return [finding.code for finding in found]


@pytest.mark.parametrize(
    "name", [name for name in sorted(_TEXTS) if "h100x4-debian" in name or "persistenced" in name]
)
def test_a_whole_spec_of_any_release_has_nothing_wrong(name: str) -> None:
    assert judge(host(data(name)), ["nvidia.com/gpu=0", "nvidia.com/gpu=all"]) == []


@pytest.mark.parametrize(
    ("name", "gpus", "driver"),
    [
        (MIG, A100MIG, "550.163.01"),
        ("nct-v1.20.0-h100x4-uuid-noall.yaml", H100X4, "550.163.01"),
        ("nct-v1.20.0-h100x4-type-index.json", H100X4, "550.163.01"),
        ("nct-v1.20.0-h100x4-nohooks.yaml", H100X4, "550.163.01"),
        ("nct-v1.20.0-h100x4-gid-video.yaml", H100X4, "550.163.01"),
        ("nct-v1.20.0-h100x4-580-flat-layout.yaml", H100X4, "580.95.05"),
    ],
)
def test_mig_names_other_namings_and_other_layouts_are_right_too(
    name: str, gpus: tuple[GpuNames, ...], driver: str
) -> None:
    spec = data(name)
    assert reading.driver_version(spec) == driver
    assert judge(host(spec, gpus, driver)) == []


Break = t.Callable[[Host, dict[str, t.Any]], Host]


def without(path: str) -> Break:
    return lambda host, _spec: dataclasses.replace(host, nodes={**host.nodes, path: None})


def with_node(path: str, **changes: t.Any) -> Break:
    def change(host: Host, _spec: dict[str, t.Any]) -> Host:
        node = host.nodes[path]
        assert node is not None
        return dataclasses.replace(host, nodes={**host.nodes, path: dataclasses.replace(node, **changes)})

    return change


def with_file(path: str, presence: t.Any) -> Break:
    def change(host: Host, _spec: dict[str, t.Any]) -> Host:
        assert path in host.files
        return dataclasses.replace(host, files={**host.files, path: presence})

    return change


def with_specs(*specs: SpecFile) -> Break:
    return lambda host, _spec: dataclasses.replace(host, specs=specs)


def beside(path: str) -> Break:
    return lambda host, spec: dataclasses.replace(
        host, specs=(*host.specs, SpecFile(path, KIND, None, copy.deepcopy(spec)))
    )


def changed(**changes: t.Any) -> Break:
    return lambda host, _spec: dataclasses.replace(host, **changes)


HOOK = "/opt/ctk/v1.20.0/nvidia-cdi-hook"
LIBCUDA = "/usr/lib/x86_64-linux-gnu/nvidia/current/libcuda.so.550.163.01"

CASES: list[tuple[str, Break, list[str], str]] = [
    ("no spec", with_specs(), ["cdi_spec_missing"], "no CDI spec of nvidia.com/gpu in /etc/cdi and /var/run/cdi"),
    (
        "a spec that does not parse",
        with_specs(SpecFile(TARGET, None, "it cannot be read: line 3: not a key")),
        ["cdi_spec_not_loaded"],
        "does not load /var/run/cdi/nvidia.yaml: it cannot be read: line 3",
    ),
    (
        "a version too new for this Podman",
        with_specs(SpecFile(TARGET, KIND, "cdiVersion 0.7.0 is too new, this Podman 4.9.3 reads up to 0.6.0")),
        ["cdi_spec_not_loaded"],
        "cdiVersion 0.7.0 is too new",
    ),
    ("two specs in one directory", beside("/var/run/cdi/other.yaml"), ["cdi_second_spec"], "cancel each other"),
    ("an old one in /etc/cdi", beside("/etc/cdi/nvidia.yaml"), ["cdi_second_spec"], "however old they are"),
    (
        "only one that nothing refreshes",
        lambda host, spec: dataclasses.replace(host, specs=(SpecFile("/etc/cdi/nvidia.yaml", KIND, None, spec),)),
        ["cdi_spec_elsewhere"],
        "which nothing refreshes",
    ),
    (
        "a broken file of something else",
        lambda host, _spec: dataclasses.replace(host, specs=(*host.specs, SpecFile("/etc/cdi/x.yaml", None, "broken"))),
        ["cdi_file_unreadable"],
        "Podman passes it over",
    ),
    (
        "only root may read it",
        lambda host, spec: dataclasses.replace(host, specs=(SpecFile(TARGET, KIND, None, spec, 0o600),)),
        ["cdi_spec_private"],
        "rootless Podman cannot",
    ),
    ("a library of the spec is gone", with_file(LIBCUDA, "missing"), ["cdi_path_missing"], LIBCUDA),
    ("the driver was upgraded and rebooted", changed(driver_version="570.1.1", kernel_version="570.1.1"),
     ["cdi_driver_differs"], "was made for driver 550.163.01, the host runs 570.1.1"),
    ("the driver was upgraded, not rebooted", changed(kernel_version="535.1.1"), ["reboot_needed"],
     "loaded kernel module is 535.1.1"),
    ("the hook's program is gone", with_file(HOOK, "missing"), ["cdi_hook_missing"] ,
     "is not on the host: no container starts"),
    ("the hook's program cannot run", with_file(HOOK, "present"), ["cdi_hook_missing"],
     "cannot be executed"),
    ("a GPU's node is gone", without("/dev/nvidia1"), ["cdi_node_missing"], "/dev/nvidia1, which is not on the host"),
    ("nvidia-uvm is gone", without("/dev/nvidia-uvm"), ["cdi_node_missing"], "/dev/nvidia-uvm, which is not"),
    ("a node is a file", with_node("/dev/nvidia1", kind="-"), ["cdi_node_missing"], "is no device"),
    ("another major of uvm after a reboot", with_node("/dev/nvidia-uvm", major=508), ["cdi_node_differs"],
     "the spec says device 510:0, the host has 508:0"),
    ("another minor", with_node("/dev/nvidia2", minor=7), ["cdi_node_differs"], "195:2, the host has 195:7"),
    ("another mode", with_node("/dev/nvidia2", mode=0o660), ["cdi_node_differs"], "mode 0666 against 0660"),
    ("a card more", changed(gpus=(*H100X4, GpuNames(4, "GPU-new"))), ["cdi_gpu_not_in_spec"], "does not know GPU-new"),
    ("a card less", changed(gpus=H100X4[:3]), ["cdi_gpu_gone"], "knows GPU-11111111-0000-4000-8000-000000000003"),
    ("the cards swapped places", changed(gpus=(GpuNames(0, H100X4[1].uuid), GpuNames(1, H100X4[0].uuid), *H100X4[2:])),
     ["cdi_index_differs", "cdi_index_differs"], "0 means /dev/nvidia0, but GPU 0 is GPU-11111111"),
    ("MIG switched on, with slices", changed(gpus=(GpuNames(0, H100X4[0].uuid, True, (("0:0", "MIG-1"),)), *H100X4[1:])),
     ["cdi_gpu_not_in_spec", "cdi_gpu_gone"], "does not know MIG-1"),
    ("MIG switched on, without slices", changed(gpus=(GpuNames(0, H100X4[0].uuid, True), *H100X4[1:])),
     ["cdi_gpu_gone", "mig_without_slices"], "knows GPU-11111111-0000-4000-8000-000000000000, which"),
]  # fmt: skip


@pytest.mark.parametrize(("change", "expected", "words"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])  # fmt: skip
def test_what_is_stale_is_named_with_its_remedy(change: Break, expected: list[str], words: str) -> None:
    spec = data(PLAIN)
    found = judge(change(host(spec), spec))
    assert sorted(set(codes(found))) == sorted(set(expected))
    assert words in found[0].message
    assert all(each.fix and each.stage == "host" for each in found)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("nct-v1.20.0-h100x4-NO-UVM-partial.yaml", {"cdi_node_not_in_spec"}),
        ("nct-v1.20.0-h100x4-nvidia2-missing.yaml", {"cdi_gpu_not_in_spec"}),
        ("nct-v1.20.0-h100x4-ids-1-3.yaml", {"cdi_gpu_not_in_spec"}),
        ("nct-v1.20.0-none.yaml", {"cdi_gpu_not_in_spec", "cdi_gpu_gone"}),
    ],
)
def test_a_partial_spec_that_was_written_with_exit_code_0_is_found(name: str, expected: set[str]) -> None:
    assert set(codes(judge(host(data(name))))) == expected


def test_a_spec_without_numbers_cannot_disagree_with_the_nodes() -> None:
    spec = data(OLD)
    assert judge(with_node("/dev/nvidia-uvm", major=508)(host(spec), spec)) == []


@pytest.mark.parametrize(
    ("gone", "spec"),
    [
        ("/run/nvidia-persistenced/socket", "nct-v1.20.0-h100x4-with-persistenced-and-gsp.yaml"),
        ("/dev/nvidia-caps/nvidia-cap12", MIG),
    ],
)
def test_what_services_make_is_looked_at_too(gone: str, spec: str) -> None:
    content = data(spec)
    whole = host(content, A100MIG if spec == MIG else H100X4)
    broken = (
        without(gone)(whole, content)
        if gone.startswith("/dev")
        else with_file(gone, "missing")(whole, content)
    )
    found = judge(broken)
    assert len(found) == 1
    assert gone in found[0].message


def test_while_the_gpus_cannot_be_used_only_that_is_said() -> None:
    spec = data(PLAIN)
    trouble = Trouble("reboot_needed", "Driver/library version mismatch", "reboot the host")
    found = judge(dataclasses.replace(host(spec), trouble=trouble, gpus=(), specs=()))
    assert codes(found) == ["reboot_needed"]


@pytest.mark.parametrize(
    ("spec", "gpus", "planned", "message", "fix"),
    [
        (PLAIN, H100X4, "9", "the CDI spec knows 0, 1, 2, 3", "write one of those"),
        (PLAIN, H100X4, "GPU-11111111-0000-4000-8000-00000000000", "the CDI spec knows", "write GPU-1111"),
        (MIG, A100MIG, "0", "GPU 0 is in MIG mode", "0:0 (MIG-aaaaaaaa-0000-5000-8000-000000000001), 0:1 ("),
        (MIG, A100MIG, A100 + "0", "GPU 0 is in MIG mode", "write one of its slices"),
    ],
)
def test_a_planned_device_that_does_not_resolve_is_an_error_with_what_to_write(
    spec: str, gpus: tuple[GpuNames, ...], planned: str, message: str, fix: str
) -> None:
    found = judge(host(data(spec), gpus), [f"nvidia.com/gpu={planned}"])
    assert codes(found) == ["cdi_device_unknown"]
    assert message in found[0].message
    assert fix in (found[0].fix or "")


def test_a_device_of_another_vendor_is_not_ours_to_judge() -> None:
    assert judge(host(data(PLAIN)), ["amd.com/gpu=0"]) == []


def test_a_spec_that_nvidia_ctk_would_write_otherwise_is_outdated() -> None:
    spec = data(PLAIN)
    other = copy.deepcopy(spec)
    other["containerEdits"]["env"] = []
    assert outdated(host(spec), spec) == []
    assert codes(outdated(host(spec), other)) == ["cdi_outdated"]


def test_a_good_spec_is_never_replaced_by_a_worse_one() -> None:
    whole, partial = judge(host(data(PLAIN))), judge(host(data("nct-v1.20.0-h100x4-NO-UVM-partial.yaml")))
    missing = judge(dataclasses.replace(host(data(PLAIN)), specs=()))
    assert is_improvement(partial, whole)
    assert is_improvement(missing, whole)
    assert not is_improvement(whole, partial)
    assert not is_improvement(missing, partial)


@pytest.mark.parametrize(
    "spec",
    [
        {},
        {"kind": KIND, "devices": "all"},
        {"kind": KIND, "devices": [7, {"name": "0", "containerEdits": ["x"]}], "containerEdits": 1},
        {"kind": KIND, "devices": [{"name": "0", "containerEdits": {"deviceNodes": [{"path": None}], "mounts": {}}}]},
    ],
)  # fmt: skip
def test_a_spec_of_any_form_is_judged_without_a_crash(spec: dict[str, t.Any]) -> None:
    assert "cdi_gpu_not_in_spec" in codes(judge(host(spec)))
