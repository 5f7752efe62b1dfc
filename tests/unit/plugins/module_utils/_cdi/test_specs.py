"""Which devices resolve is told as Podman decides it; the versions were measured with real Podmans."""

from __future__ import annotations

import json
import lzma
import re
from pathlib import Path

import pytest

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._cdi.specs import (
    BOTH_DIRECTORIES,
    Spec,
    directories,
    newest_version,
    read_spec,
    resolve,
)

_SPECS = json.loads(
    lzma.decompress((Path(__file__).parents[4] / "fixtures" / "cdi" / "specs.json.xz").read_bytes())
)
V43, V49, V54, V551, V58 = (4, 3, 1), (4, 9, 3), (5, 4, 2), (5, 5, 1), (5, 8, 6)

SPEC = """\
cdiVersion: 0.5.0
kind: nvidia.com/gpu
devices:
  - name: "0"
    containerEdits: {deviceNodes: [{path: /dev/nvidia0}]}
"""


def spec(path: str, *names: str, problem: str | None = None) -> Spec:
    return Spec(path, "nvidia.com/gpu", "0.5.0", tuple(f"nvidia.com/gpu={name}" for name in names), problem)


@pytest.mark.parametrize("name", sorted(_SPECS))
def test_a_spec_of_a_real_toolkit_gives_a_new_podman_all_its_devices(name: str) -> None:
    read = read_spec(f"/etc/cdi/{name}", _SPECS[name], V58)
    written = re.findall(r"^\s*(?:- )?name: ", _SPECS[name], re.MULTILINE)
    assert read.problem is None
    assert (
        len(read.devices)
        == (len(json.loads(_SPECS[name])["devices"]) if name.endswith(".json") else len(written))
        > 0
    )


@pytest.mark.parametrize(
    ("name", "podman", "loads"),
    [
        ("nct-v1.18.2-h100x4-debian-layout.yaml", V43, True),
        ("nct-v1.20.0-h100x4-debian-layout.yaml", V58, True),
        ("nct-v1.20.0-h100x4-debian-layout.yaml", V54, True),
        ("nct-v1.20.0-h100x4-gid-video.yaml", V49, False),
        ("nct-v1.20.0-h100x4-gid-video.yaml", (5, 1, 0), True),
        ("nct-v1.20.0-h100x4-gid-video.yaml", V43, False),
    ],
)
def test_a_spec_that_is_too_new_for_a_podman_does_not_load(
    name: str, podman: tuple[int, int, int], loads: bool
) -> None:
    read = read_spec(name, _SPECS[name], podman)
    assert (read.problem is None) is loads, read
    if not loads:
        assert "too new" in (read.problem or "")


def test_mig_devices_keep_their_names() -> None:
    read = read_spec("x.yaml", _SPECS["nct-v1.20.0-a100mig.yaml"], V58)
    assert {"nvidia.com/gpu=0:0", "nvidia.com/gpu=1", "nvidia.com/gpu=all"} <= set(read.devices)
    assert "nvidia.com/gpu=0" not in read.devices


@pytest.mark.parametrize(
    ("podman", "version"),
    [
        ((3, 4, 4), (0, 0, 0)),
        ((4, 1, 0), (0, 4, 0)),
        ((4, 2, 1), (0, 4, 0)),
        (V43, (0, 5, 0)),
        ((4, 4, 0), (0, 5, 0)),
        ((4, 6, 2), (0, 5, 0)),
        ((4, 7, 0), (0, 6, 0)),
        (V49, (0, 6, 0)),
        ((5, 0, 3), (0, 6, 0)),
        ((5, 1, 0), (0, 7, 0)),
        ((5, 2, 0), (0, 8, 0)),
        (V54, (0, 8, 0)),
        (V551, (1, 0, 0)),
        (V58, (1, 0, 0)),
        ((6, 1, 1), (1, 0, 0)),
    ],
)
def test_the_newest_version_is_the_measured_one_or_that_of_the_library_of_the_release(
    podman: tuple[int, int, int], version: tuple[int, int, int]
) -> None:
    assert newest_version(podman) == version


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "empty"),
        ("cdiVersion: 0.5.0\nkind: nvidia.com/gpu\ndevices: []\n", "no device"),
        ("cdiVersion: 0.5.0\nkind: nvidia\ndevices: []\n", "no valid kind"),
        (SPEC.replace("cdiVersion: 0.5.0\n", ""), "None is no version"),
        (SPEC.replace("0.5.0", "9.0.0"), "too new, this Podman 5.4.2 reads up to 0.8.0"),
        (SPEC.replace('name: "0"', "label: x"), "no name"),
        (SPEC.replace("0.5.0", "0.3.0"), "uses fields of cdiVersion 0.5.0 and says 0.3.0"),
        (SPEC + "\tx", "cannot be read: line 6"),
    ],
)
def test_why_a_spec_does_not_load_is_told(text: str, problem: str) -> None:
    assert problem in (read_spec("/etc/cdi/x.yaml", text, V54).problem or "")


def test_a_spec_below_its_required_version_loads_in_the_podmans_that_do_not_look() -> None:
    assert read_spec("x.yaml", SPEC.replace("0.5.0", "0.3.0"), (4, 6, 0)).problem is None


def test_json_is_read_too() -> None:
    read = read_spec("x.json", '{"cdiVersion": "0.5.0", "kind": "a.b/c", "devices": [{"name": "x"}]}', V54)
    assert read.devices == ("a.b/c=x",)


@pytest.mark.parametrize(
    ("podman", "configuration", "found"),
    [
        (V43, "", BOTH_DIRECTORIES),
        (V49, "", BOTH_DIRECTORIES),
        (V54, "", BOTH_DIRECTORIES),
        ((5, 5, 0), "", ("/etc/cdi",)),
        (V551, "", ("/etc/cdi",)),
        ((5, 5, 2), "", ("/etc/cdi",)),
        ((5, 6, 0), "", BOTH_DIRECTORIES),
        ((6, 1, 1), "", BOTH_DIRECTORIES),
        (V58, "", BOTH_DIRECTORIES),
        (V58, '[engine]\ncdi_spec_dirs = ["/run/a", "/b"]\n', ("/run/a", "/b")),
        (V58, 'cdi_spec_dirs = ["/run/a/", "/run//b//", "/run/a"]\n', ("/run/a", "/run//b")),
        (V58, "cdi_spec_dirs = ['/run/a', \"/b\"]\n", ("/run/a", "/b")),
        (V58, "cdi_spec_dirs = []\n", BOTH_DIRECTORIES),
        (V54, 'cdi_spec_dirs = ["/run/a"]\n', BOTH_DIRECTORIES),
        (V58, '#cdi_spec_dirs = ["/run/a"]\n', BOTH_DIRECTORIES),
        (V58, 'cdi_spec_dirs = [\n  "/a",\n  "/b",\n]\n', ("/a", "/b")),
    ],
)
def test_podman_looks_where_its_version_and_configuration_say(
    podman: tuple[int, int, int], configuration: str, found: tuple[str, ...]
) -> None:
    assert directories(podman, configuration) == found


def test_the_later_directory_wins_for_each_device_and_a_stale_spec_still_answers_for_the_others() -> None:
    devices = resolve(BOTH_DIRECTORIES, [spec("/etc/cdi/a.yaml", "0", "1"), spec("/var/run/cdi/b.yaml", "0")])
    assert set(devices.names) == {"nvidia.com/gpu=0", "nvidia.com/gpu=1"}
    assert devices.conflicts == {}


def test_two_specs_of_one_directory_make_their_common_devices_unresolvable() -> None:
    devices = resolve(BOTH_DIRECTORIES, [spec("/etc/cdi/a.yaml", "0", "1"), spec("/etc/cdi/b.yaml", "0")])
    assert devices.names == ("nvidia.com/gpu=1",)
    message, fix = devices.why_not("nvidia.com/gpu=0") or ("", "")
    assert "/etc/cdi/a.yaml and /etc/cdi/b.yaml" in message
    assert "remove" in fix


def test_a_conflict_in_a_lower_directory_does_not_hurt_what_a_higher_one_defines() -> None:
    files = [spec("/etc/cdi/a.yaml", "0"), spec("/etc/cdi/b.yaml", "0"), spec("/var/run/cdi/c.yaml", "0")]
    assert resolve(BOTH_DIRECTORIES, files).names == ("nvidia.com/gpu=0",)


@pytest.mark.parametrize(
    ("specs", "name", "message", "fix"),
    [
        ([], "nvidia.com/gpu=0", "no CDI spec of nvidia.com/gpu in /etc/cdi and /var/run/cdi", "nvidia-ctk"),
        ([spec("/etc/cdi/a.yaml", "0", "1")], "nvidia.com/gpu=9", "knows 0, 1", "choose one of those"),
        (
            [spec("/etc/cdi/a.yaml", "GPU-abcd-1", "all")],
            "nvidia.com/gpu=GPU-abcd-2",
            "knows",
            'write "GPU-abcd-1"',
        ),
        (
            [spec("/etc/cdi/a.yaml", problem="it is too new")],
            "nvidia.com/gpu=0",
            "a.yaml: it is too new",
            "anew",
        ),
    ],
)
def test_why_a_device_does_not_resolve_is_told_with_what_to_do(
    specs: list[Spec], name: str, message: str, fix: str
) -> None:
    found = resolve(BOTH_DIRECTORIES, specs).why_not(name)
    assert found is not None
    assert message in found[0]
    assert re.search(fix, found[1])


def test_a_device_that_resolves_needs_no_reason() -> None:
    assert resolve(BOTH_DIRECTORIES, [spec("/etc/cdi/a.yaml", "0")]).why_not("nvidia.com/gpu=0") is None


@pytest.mark.parametrize(
    ("changed", "problem"),
    [
        ({"containerEdits": ["a"]}, "containerEdits is no mapping"),
        ({"containerEdits": {"deviceNodes": 5}}, "deviceNodes is no list of mappings"),
        ({"containerEdits": {"hooks": ["a"]}}, "hooks is no list of mappings"),
        (
            {"devices": [{"name": "0", "containerEdits": {"mounts": {"a": 1}}}]},
            "mounts is no list of mappings",
        ),
        ({"devices": [{"name": "0", "containerEdits": "a"}]}, "containerEdits is no mapping"),
    ],
)
def test_a_spec_of_another_form_is_told_and_breaks_nothing(changed: dict[str, object], problem: str) -> None:
    whole = {"cdiVersion": "0.5.0", "kind": "x.y/z", "devices": [{"name": "0"}], **changed}
    read = read_spec("/etc/cdi/x.json", json.dumps(whole), V54)
    assert (read.problem, read.devices) == (problem, ())
