"""Whether an instance fits, as its plan says it: from the inventory alone, and with what its host tells."""

from __future__ import annotations

import json
import typing as t
from pathlib import Path

import pytest

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._plan.facts import HostFacts, read_facts
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._plan.plan import HostPlan, plan_host
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._settings.finding import Finding

CONFIGS = json.loads((Path(__file__).parents[4] / "fixtures" / "fit" / "models.json").read_text())
LLAMA = "meta-llama/Llama-3.1-8B"
FACTS = {"config": CONFIGS["Llama-3.1-8B"], "tensors": {"total_bytes": 15 << 30}}
L4: dict[str, t.Any] = {
    "index": 0,
    "uuid": "GPU-a",
    "name": "NVIDIA L4",
    "compute_capability": "8.9",
    "memory_total_mib": 23034,
}
KNOWN = {"vllm_model_facts": {LLAMA: FACTS}, "vllm_gpu_facts": [L4]}
TOO_LONG = "kv_cache_too_small_for_max_model_len"


def plan(facts: HostFacts | None = None, more: t.Any = KNOWN, **keys: t.Any) -> HostPlan:
    instance = {"model": LLAMA, "image": "docker.io/vllm/vllm-openai:v0.26.0", "gpus": ["0"], **keys}
    return plan_host({"vllm_instances": {"llama": instance}, **more}, (), facts or HostFacts(), "gpu-01")


def said(made: HostPlan) -> dict[str, Finding]:
    return {finding.code: finding for finding in made.findings}


def host(**facts: t.Any) -> HostFacts:
    return read_facts(facts)


def test_an_inventory_that_brings_facts_is_told_without_a_look_at_the_host() -> None:
    finding = said(plan(settings={"max_model_len": 120000}))[TOO_LONG]
    assert (finding.severity, finding.stage, finding.host, finding.instance) == (
        "error",
        "fit",
        "gpu-01",
        "llama",
    )
    assert (finding.setting, finding.value) == ("max_model_len", 120000)
    assert finding.origin == "vllm_instances.llama.settings.max_model_len"
    assert finding.fix is not None


def test_each_instance_gets_its_table_or_none() -> None:
    described = plan(settings={"max_model_len": 4096}).described()["llama"]
    assert described["fit"]["outcome"] == "tight"
    assert described["fit"]["gpus"][0]["gpu"] == "NVIDIA L4"
    assert plan(more={}).described()["llama"]["fit"] is None


def test_the_place_of_a_setting_that_nobody_wrote_is_the_instance() -> None:
    assert said(plan())[TOO_LONG].origin == "vllm_instances.llama.settings"
    pasted = plan(argv=f"{LLAMA} --max-model-len 120000")
    assert said(pasted)[TOO_LONG].origin == "vllm_instances.llama.argv"


def test_where_each_value_was_written_is_part_of_the_plan() -> None:
    origins = plan(settings={"max_model_len": 4096}).described()["llama"]["origins"]
    assert origins["image"] == "vllm_instances.llama.image"
    assert origins["settings.max_model_len"] == "vllm_instances.llama.settings.max_model_len"


def test_what_the_host_tells_counts_more_than_the_inventory() -> None:
    h100 = {**L4, "name": "NVIDIA H100 80GB HBM3", "compute_capability": "9.0", "memory_total_mib": 81559}
    assert TOO_LONG in said(plan())
    assert TOO_LONG not in said(plan(host(gpu_facts=[h100])))
    light = {"config": CONFIGS["Qwen3-0.6B"], "tensors": {"total_bytes": 1 << 30}}
    assert TOO_LONG not in said(plan(host(model_facts={LLAMA: light})))


def test_without_gpus_or_without_the_model_nothing_is_reckoned() -> None:
    for name in KNOWN:
        made = plan(more={key: value for key, value in KNOWN.items() if key != name})
        assert not [each for each in made.findings if each.stage == "fit"]


def test_only_the_gpus_of_the_instance_count() -> None:
    big = {**L4, "index": 1, "uuid": "GPU-b", "memory_total_mib": 81559}
    more = {**KNOWN, "vllm_gpu_facts": [L4, big]}
    assert TOO_LONG in said(plan(more=more, gpus=["0"]))
    assert TOO_LONG not in said(plan(more=more, gpus=["GPU-b"]))


@pytest.mark.parametrize("off", [False, "false", "no"])
def test_advice_is_given_unless_a_variable_says_no(off: t.Any) -> None:
    assert "advice_context_length" in said(plan())
    assert not [each for each in plan(more={**KNOWN, "vllm_advice": off}).findings if each.stage == "advice"]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("vllm_advice", "perhaps"),
        ("vllm_gpu_facts", {"index": 0}),
        ("vllm_gpu_facts", ["L4"]),
        ("vllm_model_facts", [LLAMA]),
        ("vllm_model_facts", {LLAMA: "config.json"}),
    ],
)
def test_a_variable_of_another_type_is_told(name: str, value: t.Any) -> None:
    finding = said(plan(more={name: value}))["bad_type"]
    assert (finding.severity, finding.setting, finding.origin) == ("error", name, name)


# free memory ---------------------------------------------------------------------------------------------------------
def holder(unit: str) -> dict[str, t.Any]:
    used = {"pid": 10, "name": "python3", "used_memory_mib": 20000, "unit": unit}
    return {**L4, "memory_free_mib": 2700, "processes": [used]}


def test_the_running_release_of_the_plan_does_not_count_and_another_program_does() -> None:
    short = {"max_model_len": 4096}
    assert "free_memory_below_utilization" not in said(
        plan(host(gpu_facts=[holder("vllm-llama.service")]), settings=short)
    )
    finding = said(plan(host(gpu_facts=[holder("jupyter.service")]), settings=short))[
        "free_memory_below_utilization"
    ]
    assert "python3 (pid 10, jupyter.service, 20000 MiB)" in finding.message


def test_an_orphan_of_ours_holds_its_memory() -> None:
    made = plan(host(gpu_facts=[holder("vllm-old.service")]), settings={"max_model_len": 4096})
    assert "free_memory_below_utilization" in said(made)


# drafts and models ---------------------------------------------------------------------------------------------------
DRAFT = {"method": "dflash", "model": "z/d", "num_speculative_tokens": 4, "revision": "abc"}


@pytest.mark.parametrize(
    "keys",
    [
        {"settings": {"speculative_config": DRAFT}},
        {"argv": ["--speculative-config", json.dumps(DRAFT)]},
        {"settings": {"speculative_config": {"revision": "abc"}, "spec_model": "z/d", "spec_tokens": 4}},
    ],
)
def test_model_and_draft_are_what_a_host_is_asked_for(keys: dict[str, t.Any]) -> None:
    made = plan(model={"repo": LLAMA, "revision": "v1"}, **keys)
    assert made.models == [{"model": LLAMA, "revision": "v1"}, {"model": "z/d", "revision": "abc"}]


def test_a_draft_that_only_a_pasted_line_names_is_judged_with_its_facts() -> None:
    config = {"architectures": ["ArcticForCausalLM"], "model_type": "arctic"}
    line = [LLAMA, "--speculative-config", json.dumps({**DRAFT, "method": "eagle3"})]
    more = {**KNOWN, "vllm_model_facts": {LLAMA: FACTS, "z/d": {"config": config}}}
    made = plan(more=more, image="docker.io/vllm/vllm-openai:v0.33.0", model=None, argv=line)
    finding = said(made)["draft_model_arch_unsupported"]
    assert finding.origin == "vllm_instances.llama.argv"


def two_revisions(facts: HostFacts) -> HostPlan:
    one = {"model": {"repo": LLAMA, "revision": "1"}, "image": "a/vllm:v0.26.0", "gpus": ["0"]}
    two = {**one, "model": {"repo": LLAMA, "revision": "2"}, "port": 8001, "gpus": ["1"]}
    return plan_host({"vllm_instances": {"one": one, "two": two}}, (), facts)


def test_two_revisions_of_one_model_are_both_asked_for_and_judged_by_their_own_facts() -> None:
    wanted = [{"model": LLAMA, "revision": "1"}, {"model": LLAMA, "revision": "2"}]
    assert two_revisions(HostFacts()).models == wanted
    light = {"config": CONFIGS["Qwen3-0.6B"], "tensors": {"total_bytes": 1 << 30}}
    gpus = [L4, {**L4, "index": 1, "uuid": "GPU-b"}]
    known = host(gpu_facts=gpus, model_facts={f"{LLAMA}@1": FACTS, f"{LLAMA}@2": light})
    short = [each.instance for each in two_revisions(known).findings if each.code == TOO_LONG]
    assert short == ["one"]


def test_of_a_revision_that_is_not_there_the_facts_of_another_do_not_count() -> None:
    gpus = [L4, {**L4, "index": 1, "uuid": "GPU-b"}]
    known = host(gpu_facts=gpus, model_facts={f"{LLAMA}@1": FACTS, f"{LLAMA}@2": {}})
    fit = two_revisions(known).described()
    assert (fit["one"]["fit"] is None, fit["two"]["fit"] is None) == (False, True)


def test_the_release_that_may_come_next_is_held_against_model_and_gpus_too() -> None:
    """0.20 takes two hundredths more of the GPU and counts CUDA graphs; its CUDA needs a newer driver."""
    keys = {"image": "docker.io/vllm/vllm-openai:v0.19.1", "settings": {"max_model_len": 8192}}
    instance = {"model": LLAMA, "gpus": ["0"], **keys}
    facts = host(driver_version="570.133.20")
    made = plan_host({"vllm_instances": {"llama": instance}, **KNOWN}, (), facts, target="0.26.0")
    upgrade = said(made)["upgrade_driver_older_than_image_cuda"]
    assert (upgrade.severity, upgrade.stage) == ("warning", "advice")
    assert "with vLLM 0.26.0" in upgrade.message
    assert "driver_older_than_image_cuda" not in said(made)


def test_an_absent_instance_wants_no_model() -> None:
    assert plan(state="absent").models == []


# adapters ------------------------------------------------------------------------------------------------------------
def with_adapters(facts: HostFacts | None = None, more: t.Any = KNOWN, **keys: t.Any) -> HostPlan:
    settings = {"enable_lora": True, "lora_modules": ["sql=/adapters/sql"], "max_model_len": 8192}
    return plan(facts, more, **{"settings": settings, "volumes": ["/srv/lora:/adapters:ro"], **keys})


@pytest.mark.parametrize(
    ("volumes", "module", "asked"),
    [
        pytest.param(["/srv/lora:/adapters:ro"], "sql=/adapters/sql", ["/srv/lora/sql"], id="below a volume"),
        pytest.param(["/srv/sql:/adapters/sql"], "sql=/adapters/sql/", ["/srv/sql"], id="a volume itself"),
        pytest.param(["/a:/x", "/b:/x/y"], {"name": "s", "path": "/x/y/z"}, ["/b/z"], id="the inner volume"),
        pytest.param(["/b:/x/y", "/a:/x"], "s=/x/y/z", ["/b/z"], id="the inner volume, first"),
        pytest.param(["/srv:/adapt"], "sql=/adapters/sql", [], id="a volume whose name begins alike"),
        pytest.param(["lora:/adapters"], "sql=/adapters/sql", [], id="a volume of Podman's"),
        pytest.param(["/srv:/adapters"], "sql=/adapters/../x", [], id="a way out of the volume"),
        pytest.param([], "sql=/adapters/sql", [], id="in the image"),
        pytest.param(["/srv:/adapters"], "sql=org/sql-lora", [], id="a repository"),
    ],
)
def test_a_host_is_asked_for_the_directories_of_adapters_as_it_has_them(
    volumes: list[str], module: t.Any, asked: list[str]
) -> None:
    made = with_adapters(settings={"enable_lora": True, "lora_modules": [module]}, volumes=volumes)
    assert made.models == [{"model": name, "revision": None} for name in (LLAMA, *asked)]


def test_an_adapter_above_the_rank_is_told_once_its_host_was_looked_at() -> None:
    assert "lora" not in said(with_adapters())
    finding = said(with_adapters(host(model_facts={"/srv/lora/sql": {"adapter_rank": 64}})))["lora"]
    assert (finding.severity, finding.instance, finding.fix) == ("error", "llama", "max_lora_rank: 64")
    assert finding.message.startswith("LoRA rank 64 is greater than max_lora_rank 16")
    assert "lora" not in said(with_adapters(host(model_facts={"/srv/lora/sql": {"adapter_rank": 16}})))


def test_a_directory_of_the_host_that_the_container_does_not_see_says_nothing() -> None:
    assert "lora" not in said(with_adapters(host(model_facts={"/adapters/sql": {"adapter_rank": 64}})))


def test_the_inventory_may_tell_the_rank_of_an_adapter_that_the_hub_holds() -> None:
    facts = {LLAMA: FACTS, "org/sql-lora": {"adapter_rank": 64}}
    settings = {"enable_lora": True, "lora_modules": ["sql=org/sql-lora"], "max_lora_rank": 32}
    made = with_adapters(more={**KNOWN, "vllm_model_facts": facts}, settings=settings)
    finding = said(made)["lora"]
    assert finding.origin == "vllm_instances.llama.settings.max_lora_rank"


# what the host lacks -------------------------------------------------------------------------------------------------
GONE = {"code": "model_not_there", "message": "/srv/m is no directory", "fix": "the path as this host has it"}
HALF = {"code": "half_downloaded", "message": "a file is not there", "fix": "fetch it again"}


@pytest.mark.parametrize(
    ("problem", "code", "severity"),
    [(GONE, "model_not_there", "error"), (HALF, "model_incomplete", "warning")],
)
def test_a_directory_that_is_not_as_it_should_be_is_told(
    problem: dict[str, str], code: str, severity: str
) -> None:
    settings = {"served_model_name": "m"}
    facts = host(model_facts={"/srv/m": {"found": False, "config": None, "problem": problem}})
    finding = said(plan(facts, model="/srv/m", settings=settings))[code]
    assert (finding.severity, finding.stage, finding.fix) == (severity, "host", problem["fix"])
    assert finding.origin == "vllm_instances.llama.model"


def test_a_repository_that_is_half_there_will_be_fetched() -> None:
    facts = host(model_facts={LLAMA: {"found": True, "config": None, "problem": HALF}})
    assert "model_incomplete" not in said(plan(facts))


def test_facts_that_are_no_config_are_told_and_nothing_is_reckoned() -> None:
    made = plan(more={**KNOWN, "vllm_model_facts": {LLAMA: {"config": {"architectures": 3}}}})
    assert said(made)["model_facts_unreadable"].severity == "warning"
    assert made.instances["llama"].fit is None


def test_gpus_that_cannot_be_used_are_told_to_those_who_name_them() -> None:
    problem = {"code": "nvidia_smi_missing", "message": "nvidia-smi is not on this host", "fix": "install it"}
    finding = said(plan(host(gpu_problem=problem), more={}))["gpus_not_usable"]
    assert (finding.severity, finding.setting, finding.fix) == ("warning", "gpus", "install it")
    assert "was not checked" in finding.message
    assert "gpus_not_usable" not in said(plan(host(gpu_problem=problem), more={}, gpus=[]))


# images --------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("image", "told"),
    [
        ("docker.io/vllm/vllm-openai:v0.26.0", True),
        ("registry.example:5000/mirror/vllm-openai:v0.26.0", True),
        ("docker.io/vllm/vllm-openai:v0.26.0-cu129", False),
        ("localhost/own:v0.26.0", False),
    ],
)
def test_what_official_images_hold_is_said_of_them_alone(image: str, told: bool) -> None:
    found = said(plan(host(driver_version="570.86.15"), image=image))
    assert ("driver_older_than_image_cuda" in found) is told
    if told:
        assert found["driver_older_than_image_cuda"].origin == "vllm_instances.llama.image"


@pytest.mark.parametrize(
    "facts",
    [
        {"driver_version": 580.95},
        {"driver_version": "N/A"},
        {"host_memory_mib": "64000"},
        {"host_memory_mib": 0},
        {"host_memory_mib": True},
        {"gpu_problem": "no driver"},
    ],
)
def test_facts_of_the_wrong_type_are_refused_by_name(facts: dict[str, t.Any]) -> None:
    (name,) = facts
    with pytest.raises(ValueError, match=f"host_facts.{name}"):
        read_facts(facts)


def test_what_was_judged_for_one_host_serves_the_next_one_of_its_kind() -> None:
    judged: dict[str, t.Any] = {}
    variables = {"vllm_instances": {"a": {"model": LLAMA, "image": "a/vllm:v0.26.0", "gpus": ["0"]}}, **KNOWN}
    first = plan_host(variables, (), HostFacts(), "gpu-01", judged=judged)
    second = plan_host(variables, (), HostFacts(), "gpu-02", judged=judged)
    third = plan_host(variables, (), HostFacts(host_memory_mib=64000), "gpu-03", judged=judged)
    assert len(judged) == 2
    assert first.instances == second.instances == third.instances
