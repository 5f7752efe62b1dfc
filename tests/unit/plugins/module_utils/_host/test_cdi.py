"""The specs of a host are found where its Podman looks."""

from __future__ import annotations

import dataclasses
import json
import typing as t

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._host.cdi import read_devices

if t.TYPE_CHECKING:
    from pathlib import Path

V54, V58 = (5, 4, 2), (5, 8, 6)
SPEC = """\
cdiVersion: 0.5.0
kind: nvidia.com/gpu
devices:
  - name: "0"
    containerEdits: {deviceNodes: [{path: /dev/nvidia0}]}
"""


def test_the_specs_of_a_host_are_found_and_a_broken_other_one_does_not_hurt(tmp_path: Path) -> None:
    for path, text in {
        "etc/cdi/nvidia.yaml": SPEC,
        "etc/cdi/broken.yaml": "a: [",
        "etc/cdi/notes.txt": "no spec",
        "var/run/cdi/more.json": json.dumps(
            {"cdiVersion": "0.5.0", "kind": "x.y/z", "devices": [{"name": "a"}]}
        ),
    }.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text, encoding="utf-8")
    devices = read_devices(V54, str(tmp_path))
    assert devices.names == ("nvidia.com/gpu=0", "x.y/z=a")
    assert {each.path: bool(each.problem) for each in devices.specs} == {
        "/etc/cdi/broken.yaml": True,
        "/etc/cdi/nvidia.yaml": False,
        "/var/run/cdi/more.json": False,
    }


def test_containers_conf_is_heeded_and_its_drop_ins_come_last(tmp_path: Path) -> None:
    folder = tmp_path / "etc" / "containers"
    (folder / "containers.conf.d").mkdir(parents=True)
    (folder / "containers.conf").write_text('[engine]\ncdi_spec_dirs = ["/a"]\n', encoding="utf-8")
    (folder / "containers.conf.d" / "50.conf").write_text(
        '[engine]\ncdi_spec_dirs = ["/b"]\n', encoding="utf-8"
    )
    assert read_devices(V58, str(tmp_path)).directories == ("/b",)


def test_a_directory_with_a_slash_at_its_end_is_looked_at(tmp_path: Path) -> None:
    for folder in ("etc/cdi", "etc/containers"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "etc/containers/containers.conf").write_text('cdi_spec_dirs = ["/etc/cdi/"]\n')
    spec = 'cdiVersion: 0.5.0\nkind: nvidia.com/gpu\ndevices:\n- name: "0"\n  containerEdits: {}\n'
    (tmp_path / "etc/cdi/nvidia.yaml").write_text(spec)
    assert read_devices(V58, str(tmp_path)).names == ("nvidia.com/gpu=0",)


def test_a_file_that_is_no_text_is_a_spec_with_a_problem(tmp_path: Path) -> None:
    (tmp_path / "etc" / "cdi").mkdir(parents=True)
    (tmp_path / "etc" / "cdi" / "x.yaml").write_bytes(b"\xff\xfe")
    assert [dataclasses.astuple(each)[-1] for each in read_devices(V54, str(tmp_path)).specs] == [
        "it cannot be opened"
    ]
