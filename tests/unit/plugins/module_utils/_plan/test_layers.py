"""Layers: which lies over which, what null removes, and that every value remembers where it was written."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._plan.layers import merge_layers

INSTANCES = {"qwen": {"model": "m", "settings": {"max_num_seqs": 32}}}


def merged(**variables: t.Any) -> t.Any:
    layers = merge_layers({"vllm_instances": INSTANCES, **variables})
    assert not layers.findings
    return layers.instances["qwen"].plain()


def codes(**variables: t.Any) -> list[str]:
    return [finding.code for finding in merge_layers({"vllm_instances": INSTANCES, **variables}).findings]


def test_each_layer_lies_over_the_one_before_it() -> None:
    order = [
        "vllm_defaults",
        "vllm_defaults__a",
        "vllm_instances",
        "vllm_instances__a",
        "vllm_overrides__a",
        "vllm_overrides__b",
        "vllm_overrides",
    ]
    for at, highest in enumerate(order):
        variables = {
            name: {"image": name} if name.startswith("vllm_defaults") else {"qwen": {"image": name}}
            for name in reversed(order[: at + 1])
        }
        layers = merge_layers({"vllm_instances": INSTANCES, **variables})
        assert layers.instances["qwen"].plain()["image"] == highest


def test_layers_of_one_prefix_are_sorted_by_name_and_not_by_the_order_of_the_variables() -> None:
    merged_image = merged(
        vllm_overrides__b={"qwen": {"image": "b"}}, vllm_overrides__a={"qwen": {"image": "a"}}
    )
    assert merged_image["image"] == "b"


def test_mappings_merge_key_by_key_to_any_depth() -> None:
    spec = {"method": "dflash", "num_speculative_tokens": 8}
    result = merged(
        vllm_defaults={"settings": {"speculative_config": spec}},
        vllm_overrides={"qwen": {"settings": {"speculative_config": {"num_speculative_tokens": 4}}}},
    )
    assert result["settings"] == {
        "speculative_config": {"method": "dflash", "num_speculative_tokens": 4},
        "max_num_seqs": 32,
    }


def test_lists_replace_each_other() -> None:
    result = merged(vllm_defaults={"gpus": ["0", "1"]}, vllm_overrides={"qwen": {"gpus": ["2"]}})
    assert result["gpus"] == ["2"]


@pytest.mark.parametrize(
    ("override", "expected"),
    [
        pytest.param({"settings": {"max_num_seqs": None}}, {"model": "m", "settings": {}}, id="one setting"),
        pytest.param({"settings": None}, {"model": "m"}, id="a whole mapping"),
        pytest.param({"model": None}, {"settings": {"max_num_seqs": 32}}, id="a single value"),
        pytest.param({"image": None}, INSTANCES["qwen"], id="what is not there"),
    ],
)
def test_null_removes_what_lies_below(override: dict[str, t.Any], expected: dict[str, t.Any]) -> None:
    assert merged(vllm_overrides={"qwen": override}) == expected


@pytest.mark.parametrize("spelling", ["max_num_seqs", "max-num-seqs", "--max-num-seqs", "--max_num_seqs"])
def test_every_spelling_of_an_option_is_the_same_setting(spelling: str) -> None:
    assert merged(vllm_overrides={"qwen": {"settings": {spelling: 8}}})["settings"] == {"max_num_seqs": 8}


def test_a_dotted_setting_is_a_key_of_its_mapping() -> None:
    result = merged(
        vllm_defaults={"settings": {"speculative_config": {"method": "eagle3"}}},
        vllm_overrides={"qwen": {"settings": {"speculative-config.num_speculative_tokens": 4}}},
    )
    assert result["settings"]["speculative_config"] == {"method": "eagle3", "num_speculative_tokens": 4}


def test_a_dotted_key_of_an_instance_is_a_path() -> None:
    result = merged(vllm_overrides={"qwen": {"limits.shm": "8g", "settings.max_num_seqs": 4}})
    assert (result["limits"], result["settings"]) == ({"shm": "8g"}, {"max_num_seqs": 4})


def test_names_of_the_environment_stay_as_they_are_written() -> None:
    assert merged(vllm_overrides={"qwen": {"env": {"A-B.C": "1"}}})["env"] == {"A-B.C": "1"}


def test_a_value_remembers_the_variable_and_the_path_it_was_written_at() -> None:
    layers = merge_layers(
        {
            "vllm_defaults": {"image": "i"},
            "vllm_instances": INSTANCES,
            "vllm_overrides__h200": {
                "qwen": {"settings": {"max-num-seqs": 8, "speculative_config.method": "x"}}
            },
        }
    )
    origins = layers.instances["qwen"].origins()
    assert origins["image"] == "vllm_defaults.image"
    assert origins["model"] == "vllm_instances.qwen.model"
    assert origins["settings"] == "vllm_instances.qwen.settings"
    assert origins["settings.speculative_config"] == "vllm_overrides__h200.qwen.settings.speculative_config"
    assert origins["settings.max_num_seqs"] == "vllm_overrides__h200.qwen.settings.max-num-seqs"
    assert (
        origins["settings.speculative_config.method"]
        == "vllm_overrides__h200.qwen.settings.speculative_config.method"
    )


def test_argv_replaces_argv_and_settings_of_the_layers_below() -> None:
    result = merged(vllm_overrides={"qwen": {"argv": "m --max-num-seqs 4"}})
    assert result == {"model": "m", "argv": "m --max-num-seqs 4"}


def test_settings_above_argv_are_kept_beside_it() -> None:
    result = merged(
        vllm_overrides__a={"qwen": {"argv": "m --max-num-seqs 4"}},
        vllm_overrides={"qwen": {"settings": {"max_num_seqs": 2}}},
    )
    assert result["argv"] == "m --max-num-seqs 4"
    assert result["settings"] == {"max_num_seqs": 2}


def test_argv_and_settings_in_one_layer_are_refused() -> None:
    assert codes(vllm_overrides={"qwen": {"argv": "m", "settings": {"a": 1}}}) == ["argv_and_settings"]


def test_null_for_argv_beside_settings_is_a_removal_and_no_contradiction() -> None:
    assert codes(vllm_overrides={"qwen": {"argv": None, "settings": {"a": 1}}}) == []


def test_an_override_of_an_instance_that_nobody_defines_names_the_nearest() -> None:
    (finding,) = merge_layers(
        {"vllm_instances": INSTANCES, "vllm_overrides": {"qwenn": {"port": 1}}}
    ).findings
    assert (finding.severity, finding.code, finding.instance) == ("error", "unknown_instance", "qwenn")
    assert finding.origin == "vllm_overrides.qwenn"
    assert finding.fix == "vllm_overrides: {qwen: …}"


def test_null_drops_an_instance_and_warns_that_its_server_stays() -> None:
    layers = merge_layers({"vllm_instances": INSTANCES, "vllm_overrides": {"qwen": None}})
    assert layers.instances == {}
    (finding,) = layers.findings
    assert (finding.severity, finding.code) == ("warning", "instance_dropped")
    assert finding.origin == "vllm_overrides.qwen"
    assert "state: absent" in (finding.fix or "")


def test_what_lies_above_a_dropped_instance_begins_with_the_defaults_again() -> None:
    result = merged(
        vllm_defaults={"image": "i"},
        vllm_overrides__a={"qwen": None},
        vllm_overrides={"qwen": {"model": "other"}},
    )
    assert result == {"image": "i", "model": "other"}


@pytest.mark.parametrize(
    ("variable", "fix"),
    [
        ("vllm_overrides_h200", "vllm_overrides__h200"),
        ("vllm_override", "vllm_overrides"),
        ("vllm_instance__a", "vllm_instances__a"),
        ("vllm_secrets__a", "write every secret into vllm_secrets, which has no layers"),
    ],
)
def test_a_variable_that_looks_like_a_layer_is_not_ignored_in_silence(variable: str, fix: str) -> None:
    (finding,) = merge_layers({"vllm_instances": INSTANCES, variable: {}}).findings
    assert (finding.severity, finding.code, finding.fix) == ("error", "unknown_variable", fix)


def test_variables_of_other_people_are_left_alone() -> None:
    assert (
        codes(vllm_server_plan={}, vllm_hosts="x", vllm_fleet_name="a", vllm_secrets={}, my_vllm_overrides={})
        == []
    )


@pytest.mark.parametrize(
    ("variables", "code", "origin"),
    [
        ({"vllm_instances": [{"name": "qwen"}]}, "layer_not_a_mapping", "vllm_instances"),
        ({"vllm_defaults": "x"}, "layer_not_a_mapping", "vllm_defaults"),
        ({"vllm_instances": {"qwen": True}}, "instance_not_a_mapping", "vllm_instances.qwen"),
        (
            {"vllm_instances": {"qwen": {"settings": {"max-num-seqs": 1, "max_num_seqs": 2}}}},
            "key_twice",
            "vllm_instances.qwen.settings.max_num_seqs",
        ),
    ],
)
def test_a_layer_of_the_wrong_shape_is_told_with_its_place(
    variables: dict[str, t.Any], code: str, origin: str
) -> None:
    (finding,) = merge_layers(variables).findings
    assert (finding.severity, finding.code, finding.origin) == ("error", code, origin)


def test_keys_that_yaml_made_numbers_of_are_texts_again() -> None:
    layers = merge_layers({"vllm_instances": {7: {"model": "m"}}, "vllm_overrides": {7: {"port": 1}}})
    assert layers.instances["7"].plain() == {"model": "m", "port": 1}
