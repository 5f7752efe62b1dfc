"""What a server reads from the hub, and the server that starts from the disk of its host."""

from __future__ import annotations

import json
import typing as t

import pytest

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._plan.facts import HostFacts
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._plan.plan import HostPlan, plan_host
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._quadlet.unit import parse_unit

IMAGE = "docker.io/vllm/vllm-openai:v0.26.0"
DIGEST = "sha256:" + "ab" * 32
A, B, C, D = ("a" * 40, "b" * 40, "c" * 40, "d" * 40)
EVERYTHING: dict[str, t.Any] = {
    "model": "Qwen/Qwen3-8B",
    "settings": {
        "enable_lora": True,
        "hf_config_path": "acme/config",
        "lora_modules": ["sql=acme/sql-lora", "own=/srv/lora"],
        "speculative_config": {"method": "eagle3", "model": "acme/draft", "num_speculative_tokens": 2},
        "tokenizer": "acme/tokens",
    },
    "volumes": ["/srv/lora:/srv/lora:ro"],
}
THERE = {
    "Qwen/Qwen3-8B": A,
    "acme/draft": B,
    "acme/tokens": C,
    "acme/config": D,
    "acme/sql-lora": D,
}


def planned(
    host: HostFacts | None = None, name: str = "qwen", extra: t.Any = None, **keys: t.Any
) -> HostPlan:
    instance = {"image": IMAGE, "gpus": ["0"], **keys}
    return plan_host({"vllm_instances": {name: instance}, **(extra or {})}, (), host or HostFacts())


def facts(**revisions: str) -> HostFacts:
    return HostFacts((5, 4, 2), {IMAGE: DIGEST}, model_revisions=revisions)


def described(host: HostFacts | None = None, extra: t.Any = None, **keys: t.Any) -> dict[str, t.Any]:
    return planned(host, extra=extra, **keys).described()["qwen"]


def option(argv: list[str], name: str) -> list[str]:
    words = argv[argv.index(name) + 1 :] if name in argv else []
    return words[: next((at for at, word in enumerate(words) if word.startswith("--")), len(words))]


def test_every_repository_that_the_settings_name_is_wanted_with_its_revision() -> None:
    keys = {**EVERYTHING, "model": {"repo": "Qwen/Qwen3-8B", "revision": "v2"}}
    found = {each["repo"]: (each["kinds"], each["revision"]) for each in planned(**keys).weights}
    assert found == {
        "Qwen/Qwen3-8B": (["model"], "v2"),
        "acme/draft": (["draft"], None),
        "acme/tokens": (["tokenizer"], None),
        "acme/config": (["config"], None),
        "acme/sql-lora": (["adapter"], None),
    }


@pytest.mark.parametrize(
    "keys",
    [
        pytest.param({"model": "/srv/models/tiny"}, id="a directory"),
        pytest.param({"model": "s3://bucket/model"}, id="a bucket"),
        pytest.param({"model": "a/b", "env": {"HF_HOME": "/data"}}, id="a cache of his own, by variable"),
        pytest.param(
            {"model": "a/b", "volumes": ["hf:/root/.cache/huggingface"]}, id="a cache of his own, mounted"
        ),
        pytest.param({"model": "a/b", "settings": {"download_dir": "/data"}}, id="a download directory"),
        pytest.param({"model": "a/b", "extra": {"vllm_model_fetch": False}}, id="not to be fetched"),
        pytest.param({"model": "a/b", "extra": {"vllm_model_fetch": "false"}}, id="the same as text"),
        pytest.param({"model": "a/b", "state": "absent"}, id="to be removed"),
    ],
)
def test_what_the_operator_manages_himself_is_left_alone(keys: dict[str, t.Any]) -> None:
    assert planned(**keys).weights == []
    server = described(facts(), **keys)
    assert "HF_HUB_OFFLINE" not in server["env"]
    assert "--revision" not in (server["argv"] or [])


def test_one_repository_of_two_instances_is_wanted_once_and_names_both() -> None:
    server = {"model": "a/b", "image": IMAGE}
    two = {"one": {**server, "gpus": ["0"], "port": 1}, "two": {**server, "gpus": ["1"], "port": 2}}
    wanted = plan_host({"vllm_instances": two}, (), HostFacts()).weights
    assert [each["instances"] for each in wanted] == [["one", "two"]]


def test_without_facts_the_command_line_is_what_the_inventory_says() -> None:
    server = described(**EVERYTHING)
    assert "--revision" not in server["argv"]
    assert server["env"] == {}
    assert [mount["source"] for mount in server["mounts"]] == ["/srv/lora"]


def test_on_its_host_every_part_is_read_at_its_commit_from_the_disk() -> None:
    server = described(facts(**THERE), **EVERYTHING)
    argv = server["argv"]
    assert argv[0] == "Qwen/Qwen3-8B"
    assert option(argv, "--revision") == [A]
    assert json.loads(option(argv, "--speculative-config")[0])["revision"] == B
    assert option(argv, "--tokenizer-revision") == [C]
    assert option(argv, "--hf-config-path") == [f"/vllm-fleet/models/models--acme--config/snapshots/{D}"]
    assert [json.loads(word)["path"] for word in option(argv, "--lora-modules")] == [
        f"/vllm-fleet/models/models--acme--sql-lora/snapshots/{D}",
        "/srv/lora",
    ]
    assert server["env"]["HF_HUB_OFFLINE"] == "1"
    assert server["env"]["HF_HUB_CACHE"] == "/vllm-fleet/models"
    assert ("/var/lib/vllm-fleet/models", "/vllm-fleet/models", "ro,z") in [
        (mount["source"], mount["target"], mount["options"]) for mount in server["mounts"]
    ]
    assert server["intent_hash"]


def test_clients_ask_for_the_same_name_as_before() -> None:
    assert described(facts(**THERE), **EVERYTHING)["served_names"] == ["Qwen/Qwen3-8B"]
    named = described(facts(**{"a/b": A}), model="a/b", settings={"served_model_name": "b"})
    assert option(named["argv"], "--served-model-name") == ["b"]


def test_options_stay_in_alphabetical_order() -> None:
    names = [word for word in described(facts(**THERE), **EVERYTHING)["argv"] if word.startswith("--")]
    assert names == sorted(names)


def test_before_the_fetch_the_unit_says_what_is_not_known_and_there_is_no_intent() -> None:
    server = described(facts(**{"Qwen/Qwen3-8B": A}), **EVERYTHING)
    assert '"revision":"(known after fetch)"' in server["unit_text"].replace("\\", "")
    assert server["intent_hash"] is None


def test_another_commit_is_another_release() -> None:
    one, two = (described(facts(**{"a/b": commit}), model="a/b") for commit in (A, B))
    assert one["intent_hash"] != two["intent_hash"]


def test_the_servers_own_environment_is_the_last_word() -> None:
    assert (
        described(facts(**{"a/b": A}), model="a/b", env={"HF_HUB_OFFLINE": "0"})["env"]["HF_HUB_OFFLINE"]
        == "0"
    )


@pytest.mark.parametrize("state_dir", ["/data/fleet", "/data//fleet/"])
def test_caches_belong_to_one_instance_and_one_image(state_dir: str) -> None:
    server = described(facts(), model="/srv/models/tiny", extra={"vllm_state_dir": state_dir})
    container = parse_unit(server["unit_text"]).section("Container")
    assert "/data/fleet/qwen/cache/abababababab:/vllm-fleet/cache:Z,U" in container.all("Volume")
    assert server["env"]["VLLM_CACHE_ROOT"] == "/vllm-fleet/cache/vllm"
    assert server["env"]["HOME"] == "/vllm-fleet/cache/home"


@pytest.mark.parametrize("state_dir", ["data/fleet", "~/fleet", "/data:fleet", "/", 7])
def test_a_state_directory_that_is_none_is_told_before_any_host_is_touched(state_dir: object) -> None:
    (told,) = [
        finding
        for finding in planned(model="a/b", extra={"vllm_state_dir": state_dir}).findings
        if finding.code == "bad_directory"
    ]
    assert (told.severity, told.origin, told.value) == ("error", "vllm_state_dir", state_dir)
    assert told.fix == "vllm_state_dir: /var/lib/vllm-fleet"


def test_whoever_mounts_below_roots_home_keeps_that_home() -> None:
    server = described(facts(), model="/m/tiny", volumes=["/data/cfg:/root/.config/vllm"])
    assert server["env"]["HOME"] == "/root"


@pytest.mark.parametrize("name", ["models", "salt"])
def test_no_instance_may_be_called_like_a_folder_of_ours(name: str) -> None:
    codes = [finding.code for finding in planned(name=name, model="a/b").findings]
    assert "bad_name" in codes


@pytest.mark.parametrize(
    ("settings", "reads_bin"),
    [({}, False), ({"load_format": "safetensors"}, False), ({"load_format": "pt"}, True)],
)
def test_the_same_weights_in_other_formats_are_left_out_where_no_server_reads_them(
    settings: dict[str, t.Any], reads_bin: bool
) -> None:
    (wanted,) = planned(model="a/b", settings=settings).weights
    assert ("*.bin" in wanted["ignore"]) is not reads_bin
