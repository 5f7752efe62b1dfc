"""The info modules as a host runs them: real programs on the PATH that replay what real ones were recorded to say."""

from __future__ import annotations

import json
import lzma
import os
import typing as t
from pathlib import Path

import pytest

from .as_on_a_host import run_module, stand_in

_FIXTURES = Path(__file__).parents[3] / "fixtures"
_SAMPLES = json.loads(lzma.decompress((_FIXTURES / "nvidia_smi" / "samples.json.xz").read_bytes()))
_IMAGE = {
    "Id": "a" * 64,
    "Names": ["localhost/own:1"],
    "RepoDigests": [],
    "Digest": "sha256:" + "b" * 64,
    "Size": 1,
}


def podman(folder: Path, images: list[dict[str, t.Any]]) -> None:
    answers = {
        "podman --version": {"rc": 0, "stdout": "podman version 5.4.2\n"},
        "podman images --format json": {"rc": 0, "stdout": json.dumps(images)},
        "podman image exists localhost/lost:1": {"rc": 1, "stdout": ""},
    }
    stand_in(folder, "podman", answers)


def test_the_gpus_of_a_host_come_as_data(tmp_path: Path) -> None:
    stand_in(tmp_path, "nvidia-smi", _SAMPLES["profiles"]["a100mig"])
    answer = run_module("nvidia_gpu_info", tmp_path, required=True)
    assert answer["changed"] is False
    assert answer["problem"] is None
    assert [gpu["mig_mode"] for gpu in answer["gpus"]] == ["enabled", "disabled"]
    assert answer["gpus"][0]["mig_devices"][1]["uuid"] == "MIG-aaaaaaaa-0000-5000-8000-000000000002"


def test_a_bad_state_is_an_answer(tmp_path: Path) -> None:
    stand_in(tmp_path, "nvidia-smi", {"nvidia-smi -q -x": _SAMPLES["states"]["LIB_RM_VERSION_MISMATCH"]})
    answer = run_module("nvidia_gpu_info", tmp_path)
    assert answer["gpus"] == []
    assert answer["problem"]["code"] == "reboot_needed"
    assert not answer.get("failed")


def test_a_bad_state_fails_with_cause_and_remedy_where_gpus_are_required(tmp_path: Path) -> None:
    answer = run_module("nvidia_gpu_info", tmp_path, required=True)
    assert answer["failed"]
    assert "nvidia-smi is not on this host" in answer["msg"]
    assert answer["problem"]["code"] == "nvidia_smi_missing"


def test_a_bare_host_answers_what_it_lacks(tmp_path: Path) -> None:
    answer = run_module("vllm_host_info", tmp_path, images=["localhost/own:1"], devices=["nvidia.com/gpu=0"])
    memory = answer["host_facts"].pop("host_memory_mib")
    assert memory == os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") >> 20
    assert answer["host_facts"] == {
        "podman_version": None,
        "image_digests": {},
        "gpu_facts": None,
        "gpu_problem": answer["gpu_problem"],
        "driver_version": None,
        "model_facts": {},
        "model_revisions": {},
    }
    assert answer["missing_images"] == ["localhost/own:1"]
    lacking = answer["unresolved_devices"][0]
    assert lacking["message"].startswith("there is no Podman yet; and nvidia-smi is not on this host")
    assert lacking["fix"].startswith("first install the driver")
    assert answer["gpu_problem"]["code"] == "nvidia_smi_missing"


def test_a_host_answers_what_it_has(tmp_path: Path) -> None:
    podman(tmp_path, [_IMAGE])
    stand_in(tmp_path, "nvidia-smi", _SAMPLES["profiles"]["l4x1"])
    answer = run_module("vllm_host_info", tmp_path, images=["localhost/own:1", "localhost/lost:1"])
    assert answer["host_facts"]["podman_version"] == "5.4.2"
    assert answer["host_facts"]["image_digests"] == {"localhost/own:1": "a" * 64}
    assert answer["host_facts"]["gpu_facts"][0]["name"] == "NVIDIA L4"
    assert answer["host_facts"]["driver_version"] == "550.163.01"
    assert answer["host_facts"]["gpu_problem"] is None
    assert answer["missing_images"] == ["localhost/lost:1"]


def test_a_device_that_no_spec_names_is_told(tmp_path: Path) -> None:
    podman(tmp_path, [])
    answer = run_module("vllm_host_info", tmp_path, devices=["vllm-fleet.test/nothing=0"])
    assert [each["name"] for each in answer["unresolved_devices"]] == ["vllm-fleet.test/nothing=0"]
    assert "no CDI spec of vllm-fleet.test/nothing" in answer["unresolved_devices"][0]["message"]


def test_a_path_is_told_with_what_is_missing_of_it(tmp_path: Path) -> None:
    whole, empty = tmp_path / "adapter", tmp_path / "model"
    whole.mkdir()
    (whole / "adapter_config.json").write_text("{}")
    empty.mkdir()
    (empty / "config.json").write_text("{}")
    wanted = [
        {"path": str(whole), "kinds": ["lora"]},
        {"path": str(empty), "kinds": ["model"]},
        {"path": "/nowhere", "kinds": ["file"]},
    ]
    looked = run_module("vllm_host_info", tmp_path, paths=wanted)["weights_look"]["paths"]
    assert looked == {
        str(whole): None,
        str(empty): f"{empty} has a config.json, but no weights",
        "/nowhere": "it is not on this host",
    }


def test_what_a_host_told_of_weights_is_what_the_module_for_weights_tells(tmp_path: Path) -> None:
    cache = tmp_path / "models"
    snapshot = cache / "models--a--tokenizer" / "snapshots" / ("c" * 40)
    snapshot.mkdir(parents=True)
    (snapshot / "tokenizer.json").write_text("{}")
    weights = [
        {"key": "a/tokenizer@c", "repo": "a/tokenizer", "revision": "c" * 40, "kinds": ["tokenizer"]},
        {"key": "a/never", "repo": "a/never", "revision": "", "kinds": ["model"]},
    ]
    host = run_module("vllm_host_info", tmp_path, weights=weights, cache=str(cache))
    alone = run_module("vllm_weights_info", tmp_path, weights=weights, state_dir=str(tmp_path))
    assert host["weights_look"]["weights"] == alone["weights"]
    assert host["host_facts"]["model_revisions"] == alone["model_revisions"] == {"a/tokenizer@c": "c" * 40}
    assert list(host["missing_weights"]) == alone["missing_weights"] == ["a/never"]


@pytest.mark.parametrize(
    ("answer", "mode"),
    [("Enforcing\n", "enforcing"), ("Permissive\n", "permissive"), ("what?\n", "unknown")],
)
def test_the_mode_of_selinux_is_told_and_never_stops_a_look(tmp_path: Path, answer: str, mode: str) -> None:
    stand_in(tmp_path, "getenforce", {"getenforce": {"rc": 0, "stdout": answer}})
    assert run_module("vllm_host_info", tmp_path)["selinux"] == mode


def test_models_are_looked_at_in_the_same_call(tmp_path: Path) -> None:
    there, cache = tmp_path / "tiny", tmp_path / "cache"
    there.mkdir()
    (there / "config.json").write_text('{"model_type": "llama"}')
    wanted = [{"model": str(there)}, {"model": "/nowhere"}, {"model": "a/never-fetched", "revision": "v1"}]
    answer = run_module("vllm_host_info", tmp_path, models=wanted, cache=str(cache))
    facts = answer["host_facts"]["model_facts"]
    assert set(facts) == {str(there), "/nowhere"}
    assert facts[str(there)]["config"] == {"model_type": "llama"}
    assert facts[str(there)]["problem"]["code"] == "weights_missing"
    assert facts["/nowhere"]["problem"]["code"] == "model_not_there"


def test_several_revisions_of_one_model_are_told_apart(tmp_path: Path) -> None:
    snapshots = tmp_path / "cache" / "models--a--b" / "snapshots"
    (snapshots / "1").mkdir(parents=True)
    (snapshots / "1" / "config.json").write_text('{"model_type": "llama"}')
    wanted = [{"model": "a/b", "revision": "1"}, {"model": "a/b", "revision": "2"}]
    answer = run_module("vllm_host_info", tmp_path, models=wanted, cache=str(tmp_path / "cache"))
    facts = answer["host_facts"]["model_facts"]
    assert facts["a/b@1"]["config"] == {"model_type": "llama"}
    assert facts["a/b@2"] == {}
    assert "a/b" not in facts


@pytest.mark.parametrize("rc", [1, 125])
def test_a_podman_that_does_not_answer_fails_with_its_own_words(tmp_path: Path, rc: int) -> None:
    stand_in(tmp_path, "podman", {"podman --version": {"rc": rc, "stdout": "cannot open the store"}})
    answer = run_module("vllm_host_info", tmp_path)
    assert answer["failed"]
    assert "cannot open the store" in answer["msg"]


def test_a_state_directory_that_is_none_is_refused_on_the_host_too(tmp_path: Path) -> None:
    answer = run_module("vllm_weights_info", tmp_path, weights=[], commits={}, state_dir="fleet")
    assert answer["failed"]
    assert answer["msg"].startswith("vllm_state_dir: 'fleet' is not absolute. Write an absolute path")
