"""Keys against the table: what is accepted as it is meant, and what is refused with the right thing to write."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._plan.layers import merge_layers
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._plan.reading import Read, read_instance
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._plan.schema import BY_PATH, KEYS

GOOD = {"model": "Qwen/Qwen3-0.6B", "image": "docker.io/vllm/vllm-openai:v0.26.0"}


def read(**keys: t.Any) -> Read:
    content = {key: value for key, value in {**GOOD, **keys}.items() if value is not None}
    node = merge_layers({"vllm_instances": {"qwen": content}}).instances["qwen"]
    return read_instance(node)


def test_an_instance_of_a_model_and_an_image_is_complete() -> None:
    result = read()
    assert not result.findings
    expected = {key.path: key.default for key in KEYS if key.default is not None}
    assert result.values == {**expected, **GOOD}


@pytest.mark.parametrize(
    ("path", "given", "meant"),
    [
        (
            "gpus",
            ["0", 1, "1:0", "GPU-1d2e3f40-0000-1111-2222-333344445555"],
            ["0", "1", "1:0", "GPU-1d2e3f40-0000-1111-2222-333344445555"],
        ),
        ("gpus", "all", ["all"]),
        ("gpus", [], []),
        ("port", "8001", 8001),
        ("listen", "[::1]", "::1"),
        ("listen", "10.0.0.7", "10.0.0.7"),
        ("model", "/srv/models/qwen/", "/srv/models/qwen"),
        ("model", "unsloth/Qwen3-0.6B-GGUF:Q4_K_M", "unsloth/Qwen3-0.6B-GGUF:Q4_K_M"),
        (
            "image",
            "registry.lan:5000/v/vllm@sha256:" + "a" * 64,
            "registry.lan:5000/v/vllm@sha256:" + "a" * 64,
        ),
        ("env", {"OMP_NUM_THREADS": 4, "A": ""}, {"OMP_NUM_THREADS": "4", "A": ""}),
        ("limits.shm", "16GiB", "16g"),
        ("limits.shm", 1073741824, "1073741824"),
        ("limits.memlock", "unlimited", "unlimited"),
        ("limits.pids", -1, -1),
        ("security.sys_admin", "True", True),
        ("volumes", ["/a:/b", "cache:/c:ro,z"], ["/a:/b", "cache:/c:ro,z"]),
        (
            "container",
            {"HostName": "qwen", "AddHost": ["a:1.2.3.4"]},
            {"HostName": "qwen", "AddHost": ["a:1.2.3.4"]},
        ),
    ],
    ids=lambda value: str(value)[:30],
)
def test_a_good_value_is_read_as_it_is_meant(path: str, given: t.Any, meant: t.Any) -> None:
    result = read(**{path: given})
    assert not [finding for finding in result.findings if finding.severity == "error"]
    assert result.values[path] == meant


@pytest.mark.parametrize(
    ("key", "value", "code", "setting", "fix"),
    [
        ("version", 0.26, "not_text", "version", 'quote it: version: "0.26"'),
        ("version", 1, "not_text", "version", 'quote it: version: "1"'),
        ("gpus", [60], "sexagesimal", "gpus", 'quote it: gpus: ["1:0"]'),
        ("gpus", [3723], "sexagesimal", "gpus", 'quote it: gpus: ["62:3"]'),
        ("gpus", "0", "bad_type", "gpus", 'gpus: ["0"]'),
        ("gpus", ["0", "0"], "gpu_twice", "gpus", "name every GPU once"),
        ("gpus", ["nvidia.com/gpu=1"], "bad_gpu", "gpus", 'gpus: ["1"]'),
        ("gpus", [True], "bad_gpu", "gpus", 'gpus: ["0"]'),
        ("model", 7, "not_text", "model", 'quote it: model: "7"'),
        ("model", "./qwen", "bad_value", "model", "write the absolute directory on the host, e.g. model: /srv/models/qwen"),
        ("model", "a b", "bad_value", "model", "model: Qwen/Qwen3-0.6B; options belong into settings"),
        ("image", True, "not_text", "image", 'quote it: image: "true"'),
        ("image", "vllm openai", "bad_value", "image", "image: docker.io/vllm/vllm-openai:v0.26.0"),
        ("port", 70000, "bad_value", "port", "port: 8000"),
        ("port", "http", "bad_type", "port", "port: 8000"),
        ("port", 8000.5, "bad_type", "port", "port: 8000"),
        ("listen", "localhost", "bad_value", "listen", "listen: 127.0.0.1"),
        ("listen", "256.0.0.1", "bad_value", "listen", "listen: 127.0.0.1, an address of the host, or 0.0.0.0"),
        ("state", "presnt", "bad_value", "state", "state: present"),
        ("scope", "user", "bad_value", "scope", "scope: system"),
        ("settings", "--max-num-seqs 4", "bad_type", "settings", "write a pasted command line as argv"),
        ("argv", [], "bad_type", "argv", 'argv: "Qwen/Qwen3-0.6B --max-num-seqs 32"'),
        ("argv", ["m", True], "not_text", "argv", "quote every word"),
        ("env", ["A=1"], "bad_type", "env", 'env: {VLLM_LOGGING_LEVEL: "DEBUG"}'),
        ("env", {"A": True}, "not_text", "env.A", 'quote it: A: "true"'),
        ("env", {"A": 0.5}, "not_text", "env.A", 'quote it: A: "0.5"'),
        ("env", {"1A": "x"}, "bad_variable", "env.1A", "letters, digits and _, no digit first"),
        ("secrets", {"HF_TOKEN": True}, "bad_type", "secrets.HF_TOKEN", "secrets: {HF_TOKEN: hf}"),
        ("volumes", ["models:models"], "bad_volume", "volumes", 'volumes: ["/srv/templates:/templates:ro"]'),
        ("volumes", ["/srv/a\nb:/c"], "bad_volume", "volumes", 'volumes: ["/srv/templates:/templates:ro"]'),
        ("model", "/srv/models:qwen", "bad_directory", "model", "model: /srv/models/qwen"),
        ("model", "/", "bad_directory", "model", "model: /srv/models/qwen"),
        ("model", "/srv/../etc", "bad_directory", "model", "model: /srv/models/qwen"),
        ("limits", {"shm": "16 gigs"}, "bad_value", "limits.shm", "limits.shm: 32g"),
        ("limits", "16g", "bad_type", "limits", "limits: {memory: …}"),
        ("security", {"sys_admin": "yes please"}, "bad_type", "security.sys_admin", "security.sys_admin: true"),
        ("container", {"Image": "x"}, "bad_container_key", "container.Image", "use image"),
        ("modle", "x", "unknown_key", "modle", "model: …"),
        ("limits", {"shn": "4g"}, "unknown_key", "limits.shn", "shm: …"),
        ("shm", "4g", "unknown_key", "shm", "limits: {shm: …}"),
        ("max_num_seqs", 4, "unknown_key", "max_num_seqs", "remove it; an option of vllm serve belongs into settings: {max_num_seqs: …}"),
    ],
    ids=lambda value: str(value)[:30],
)  # fmt: skip
def test_a_bad_value_is_told_with_what_to_write_instead(
    key: str, value: t.Any, code: str, setting: str, fix: str
) -> None:
    (finding,) = read(**{key: value}).findings
    assert (finding.severity, finding.stage, finding.code) == ("error", "plan", code)
    assert (finding.setting, finding.fix) == (setting, fix)
    assert (finding.origin or "").startswith("vllm_instances.qwen." + key)


def test_a_value_that_is_wrong_is_left_out_so_that_nothing_is_built_of_it() -> None:
    assert "port" not in read(port="x").values


@pytest.mark.parametrize(("missing", "code"), [("model", "missing_model"), ("image", "missing_image")])
def test_a_required_key_that_no_layer_sets_is_told(missing: str, code: str) -> None:
    (finding,) = read(**{missing: None}).findings
    assert (finding.code, finding.origin) == (code, f"vllm_instances.qwen.{missing}")
    assert finding.fix == f"{missing}: {BY_PATH[missing].example}"


def test_a_pasted_command_line_may_name_the_model() -> None:
    assert not read(model=None, argv="m --max-num-seqs 4").findings


def test_a_model_with_a_revision_is_read_and_one_without_a_repository_is_told() -> None:
    result = read(model={"repo": "a/b", "revision": "v1"})
    assert (result.values["model.repo"], result.values["model.revision"]) == ("a/b", "v1")
    assert [finding.code for finding in read(model={"revision": "v1"}).findings] == ["missing_model"]
    assert [finding.code for finding in read(model={"repo": "a/b", "rev": "v1"}).findings] == ["unknown_key"]


def test_an_absent_instance_needs_neither_model_nor_image() -> None:
    assert not read(state="absent", model=None, image=None).findings


@pytest.mark.parametrize("key", [key for key in KEYS if key.gives_away], ids=lambda key: key.path)
def test_every_opt_out_of_security_says_what_it_gives_away(key: t.Any) -> None:
    (finding,) = read(**{key.path: True}).findings
    assert (finding.severity, finding.code, finding.setting) == ("warning", "security_opt_out", key.path)
    assert key.gives_away in finding.message
    assert not read(**{key.path: False}).findings


def test_a_secret_in_the_environment_is_told_and_not_shown() -> None:
    (finding,) = read(env={"HF_TOKEN": "hf_abc"}).findings
    assert (finding.severity, finding.code) == ("warning", "secret_in_env")
    assert "hf_abc" not in repr(finding)
    assert not read(env={"TOKENIZERS_PARALLELISM": "false", "HF_TOKEN_PATH": "/x"}).findings


def test_all_that_is_wrong_is_told_at_once() -> None:
    found = read(modle="x", version=0.26, gpus=[60], port="x", env={"A": True, "B": 1.5}, model=None).findings
    assert sorted(finding.code for finding in found) == sorted(
        ["unknown_key", "not_text", "sexagesimal", "bad_type", "not_text", "not_text", "missing_model"]
    )
