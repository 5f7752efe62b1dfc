"""The server's own words, read as the release of the image reads them."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._adopt.found import Found
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._adopt.inside import inside_of
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._adopt.serve import Served, served_by


def serve(
    words: list[str],
    image: str | None = "vllm/vllm-openai:v0.26.0",
    version: str | None = None,
    **more: t.Any,
) -> Served:
    found = Found("x", "docker", image=image, command=tuple(words), version=version, **more)
    return served_by(found, inside_of(found))


@pytest.mark.parametrize(
    "words",
    [
        ["m/x", "--max-num-seqs", "4", "--port", "9"],
        ["--model", "m/x", "--max-num-seqs=4", "--port=9"],
        ["--max-num-seqs", "4", "--port", "9", "--model=m/x"],
        ["vllm", "serve", "m/x", "--max-num-seqs", "4", "--port", "9"],
        [
            "python3",
            "-m",
            "vllm.entrypoints.openai.api_server",
            "--port",
            "9",
            "--model",
            "m/x",
            "--max_num_seqs",
            "4",
        ],
    ],
)
@pytest.mark.parametrize("release", ["0.10.2", "0.26.0", "0.33.0"])
def test_every_way_to_name_the_model_is_the_same_in_every_release(words: list[str], release: str) -> None:
    served = serve(words, f"vllm/vllm-openai:v{release}")
    assert (served.model, served.settings, served.port, served.refused) == ("m/x", {"max_num_seqs": 4}, 9, [])


def test_values_have_the_types_of_yaml() -> None:
    words = [
        "m",
        "--trust-remote-code",
        "--no-enable-prefix-caching",
        "--max-model-len",
        "32k",
        "--gpu-memory-utilization",
        "0.9",
    ]
    words += ["--served-model-name", "a", "b", "--hf-overrides", '{"a": [1]}', "-tp", "2"]
    assert serve(words).settings == {
        "trust_remote_code": True, "enable_prefix_caching": False, "max_model_len": 32000, "gpu_memory_utilization": 0.9,
        "served_model_name": ["a", "b"], "hf_overrides": {"a": [1]}, "tensor_parallel_size": 2,
    }  # fmt: skip


def test_what_a_release_refuses_is_kept_as_it_was_written() -> None:
    served = serve(["m", "--kv-cache-dtype", "bogus", "--who-knows", "3", "--max-model-len", "$LEN"])
    assert served.settings == {"kv_cache_dtype": "bogus", "who_knows": "3", "max_model_len": "$LEN"}
    stray = serve(["m", "n"])
    assert [each.code for each in stray.refused] == ["unknown_word"]


@pytest.mark.parametrize(
    ("image", "said", "version", "codes"),
    [
        ("vllm/vllm-openai:v0.26.0", "0.26.0", None, []),
        ("vllm/vllm-openai:latest", "0.26.0", "0.26.0", []),
        ("vllm/vllm-openai:latest", None, None, ["adoption_guesses"]),
        ("vllm/vllm-openai", None, None, ["adoption_guesses"]),
        (None, None, None, ["adoption_guesses"]),
    ],
)
def test_a_tag_that_tells_no_release_is_told_unless_the_server_said_it(
    image: str | None, said: str | None, version: str | None, codes: list[str]
) -> None:
    served = serve(["vllm", "serve", "m"], image, said)
    assert (served.version, [each.code for each in served.findings]) == (version, codes)
