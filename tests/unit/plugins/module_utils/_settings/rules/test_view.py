"""What rules are told of a case when it was written in an unusual way."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._fit.model import parse_model
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._settings.case import Case, Gpu
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._settings.rules.view import View

CONFIG = {"architectures": ["A"], "num_attention_heads": 8, "hidden_size": 512}


def view(**parts: t.Any) -> View:
    case = {"release": (0, 26, 0), "model": "m", "values": {}, "given": frozenset()}
    return View(Case(**{**case, **parts}))


@pytest.mark.parametrize("written", ["9.0", 9.0])
def test_a_compute_capability_is_read_as_text_and_as_the_number_that_yaml_makes_of_it(written: t.Any) -> None:
    assert view(gpus=(Gpu("H100", written),)).capability == 90


@pytest.mark.parametrize("written", [None, "", "nine", [9, 0], True])
def test_a_compute_capability_that_says_nothing_is_not_known(written: t.Any) -> None:
    assert view(gpus=(Gpu("H100", written),)).capability is None


@pytest.mark.parametrize(
    ("overrides", "heads", "names"),
    [
        ({"num_attention_heads": 6, "architectures": ["B"]}, 6, ("B",)),
        ({"num_attention_heads": "6"}, 8, ("A",)),
        ({"num_key_value_heads": 2, "architectures": []}, 8, ("A",)),
        ("name.of:function", 8, ("A",)),
    ],
)
def test_the_model_is_as_the_overrides_of_its_config_leave_it(
    overrides: t.Any, heads: int, names: tuple[str, ...]
) -> None:
    model = view(model_facts=parse_model(CONFIG), values={"hf_overrides": overrides}).model
    assert (model.attention_heads, model.architectures) == (heads, names)


@pytest.mark.parametrize(
    ("capability", "dtype"), [("7.5", "float16"), ("8.0", "bfloat16"), (None, "bfloat16")]
)
def test_a_model_in_bfloat16_is_computed_in_float16_where_the_gpu_has_no_bfloat16(
    capability: str | None, dtype: str
) -> None:
    facts = parse_model({**CONFIG, "torch_dtype": "bfloat16"})
    assert view(model_facts=facts, gpus=(Gpu("a GPU", capability),)).dtype == dtype
