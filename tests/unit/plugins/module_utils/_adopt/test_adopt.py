"""From what somebody runs to an inventory that plans the same server."""

from __future__ import annotations

import json
import shlex
import typing as t

import pytest

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._adopt.adopt import Adopted, adopt
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._adopt.compose import read_compose
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._adopt.found import Found
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._adopt.quadlet_unit import read_unit
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._adopt.script import read_run_lines
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._quadlet.escape import words as unit_words
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._settings.parser import parse
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._settings.tables import choose

HF = "hf_0123456789abcdefghij"
RUN = f"""
docker run -d --name vllm-chat --restart always --gpus '"device=0,1"' --privileged --ipc=host --ulimit memlock=-1 \\
  -e HF_TOKEN={HF} -e VLLM_LOGGING_LEVEL=DEBUG -v /data/models:/models -v ~/.cache/huggingface:/root/.cache/huggingface \\
  -p 10.0.0.1:8080:8000 vllm/vllm-openai:v0.26.0 --model /models/qwen3 --tensor-parallel-size 2 --api-key sk-own-key-of-the-server \\
  --chat-template /models/t.jinja --override-generation-config '{{"temperature": 0.5}}'
"""


def run(line: str, **more: t.Any) -> Adopted:
    return adopt(read_run_lines(line, "run.sh"), **more)


def test_a_whole_line_becomes_an_instance(load: t.Callable[[str], t.Any]) -> None:
    adopted = run(RUN, host="gpu-01")
    assert adopted.valid
    assert adopted.instances == {
        "qwen3": {
            "model": "/data/models/qwen3",
            "image": "docker.io/vllm/vllm-openai:v0.26.0",
            "gpus": ["0", "1"],
            "listen": "10.0.0.1",
            "port": 8080,
            "settings": {
                "tensor_parallel_size": 2,
                "chat_template": "/models/t.jinja",
                "override_generation_config": {"temperature": 0.5},
                "served_model_name": "/models/qwen3",
            },
            "env": {"VLLM_LOGGING_LEVEL": "DEBUG"},
            "secrets": {"HF_TOKEN": "hf_token", "VLLM_API_KEY": "qwen3_api_key"},
            "volumes": ["/data/models:/models"],
            "limits": {"memlock": "unlimited"},
        }
    }
    assert load(adopted.snippet) == {
        "vllm_secrets": {"hf_token": "{{ vault_hf_token }}", "qwen3_api_key": "{{ vault_qwen3_api_key }}"},
        "vllm_instances": adopted.instances,
    }


def test_no_secret_is_in_anything_that_comes_out() -> None:
    line = (
        RUN.replace("--api-key sk-own", f"--hf-token {HF} --api-key sk-own")
        + f" stray={HF} --who-knows sk-own-key-of-the-server"
    )
    everything = repr(run(line)) + json.dumps([each.as_dict() for each in run(line).findings])
    assert HF not in everything
    assert "sk-own-key" not in everything
    assert {"hf_token", "qwen3_api_key"} <= {each.key for each in run(line).secrets}


@pytest.mark.parametrize("release", ["0.10.2", "0.33.0"])
def test_the_planned_command_line_means_what_the_original_meant(
    command_lines: list[dict[str, t.Any]], release: str, load: t.Callable[[str], t.Any]
) -> None:
    """Whatever the release itself takes; a path relative to a container, or with blanks in it, the inventory does not have."""
    image, looked_at = f"vllm/vllm-openai:v{release}", 0
    for case in command_lines[::2]:
        argv, model = case["argv"], model_of(case["argv"])
        if release in case["accepted"] and model and not model.startswith(".") and " " not in model:
            adopted = run(f"docker run --gpus all -p 8000:8000 {image} {shlex.join(argv)}")
            assert meaning(planned(adopted), release) == meaning([model, *without_model(argv)], release), argv
            assert load(adopted.snippet)["vllm_instances"] == adopted.instances
            looked_at += 1
    assert looked_at > 70


def test_a_compose_file_and_a_unit_say_the_same_as_a_line(command_lines: list[dict[str, t.Any]]) -> None:
    image, looked_at = "docker.io/vllm/vllm-openai:v0.26.0", 0
    for case in command_lines[1::6]:
        argv = case["argv"]
        if "0.26.0" not in case["accepted"]:
            continue
        line = planned(run(f"docker run --gpus all -p 8000:8000 {image} {shlex.join(argv)}"))
        service = {
            "image": image,
            "command": [word.replace("$", "$$") for word in argv],
            "ports": ["8000:8000"],
            "gpus": "all",
        }
        text = shlex.join(argv).replace("$", "$$")
        unit = f"[Container]\nImage={image}\nPublishPort=8000:8000\nAddDevice=nvidia.com/gpu=all\nExec={unit_words(argv)}\n"
        for found in (
            read_compose({"services": {"x": service}}, "c.yml"),
            read_compose({"services": {"x": {**service, "command": text}}}, "c.yml"),
            read_unit(unit, "x.container"),
        ):
            assert planned(adopt(found)) == line
        looked_at += 1
    assert looked_at > 40


def planned(adopted: Adopted) -> tuple[str, ...]:
    (argv,) = adopted.argv.values()
    return argv or ()


def meaning(argv: t.Sequence[str], release: str) -> tuple[str | None, str]:
    """Model and values; without what the inventory says itself, and the name that a directory gets."""
    parsed = parse(list(argv), choose(release).table)
    path = (parsed.model or "").startswith("/")
    values = {
        name: value
        for name, value in parsed.values.items()
        if name not in ("host", "port", "uds", "api_key", "model")
        and not (path and name == "served_model_name" and value == [parsed.model])
    }
    return parsed.model, json.dumps(values, sort_keys=True, default=repr)


def model_of(argv: list[str]) -> str | None:
    for word, following in zip(argv, [*argv[1:], ""]):
        if word == "--model" or word.startswith("--model="):
            return word.partition("=")[2] or following
    return argv[0] if argv and not argv[0].startswith("-") else None


def without_model(argv: list[str]) -> list[str]:
    if not argv[0].startswith("-") and "--model" not in argv:
        return argv[1:]
    place = next(
        at
        for at, word in enumerate(argv)
        if word.startswith("--model") and word.partition("=")[0] == "--model"
    )
    return argv[:place] + argv[place + (1 if "=" in argv[place] else 2) :]


def test_several_servers_of_a_host_stand_beside_one_another() -> None:
    line = "docker run -e HF_TOKEN={} --gpus device={} -p {}:8000 vllm/vllm-openai:v0.26.0 m/a\n"
    adopted = run(
        line.format("one_token", 0, 1) + line.format("another", 1, 2) + line.format("one_token", 2, 3)
    )
    assert list(adopted.instances) == ["a", "a-2", "a-3"]
    keys = [each["secrets"]["HF_TOKEN"] for each in adopted.instances.values()]
    assert keys == ["hf_token", "a_2_hf_token", "hf_token"]


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("docker run --gpus all vllm/vllm-openai:v0.26.0 m --disable-log-requests", "unknown_option"),
        ("docker run --gpus all vllm/vllm-openai:v0.26.0 m --dtype wrong", "invalid_choice"),
        ("docker run --gpus all vllm/vllm-openai:v0.26.0 $MODEL", "adoption_unresolved"),
        ("docker run --gpus all vllm/vllm-openai:v0.26.0 m --max-model-len", "missing_value"),
        ("docker run --gpus all --entrypoint /x.sh vllm/vllm-openai:v0.26.0", "adoption_unreadable"),
        ("vllm serve m", "adoption_unresolved"),
    ],
)
def test_what_has_to_be_corrected_is_an_error_with_its_fix(line: str, code: str) -> None:
    adopted = run(line)
    assert not adopted.valid
    assert code in [each.code for each in adopted.findings if each.severity == "error"]


def test_a_server_without_container_gets_the_image_it_is_given() -> None:
    adopted = run(
        "vllm serve ./m --port 9", image="docker.io/vllm/vllm-openai:v0.26.0", places={"PWD": "/srv"}
    )
    assert adopted.valid
    assert adopted.instances["m"]["model"] == "/srv/m"
    assert adopted.instances["m"]["settings"] == {"served_model_name": "./m"}


def test_nothing_is_planned_of_nothing() -> None:
    found: list[Found] = []
    assert adopt(found).instances == {}


def test_a_mount_that_a_variable_names_stays_although_the_model_lies_in_it() -> None:
    line = "docker run --gpus all -v /data:/data -e HF_HOME=/data/hf vllm/vllm-openai:v0.26.0 --model /data/m"
    assert run(line).instances["m"]["volumes"] == ["/data:/data"]


def test_weights_are_not_downloaded_into_a_cache_that_was_left_out() -> None:
    line = "docker run --gpus all -v hub:/cache -e HF_HOME=/cache vllm/vllm-openai:v0.26.0 m/m --download-dir /cache/x"
    adopted = run(line)
    assert "settings" not in adopted.instances["m"]
    assert "--download-dir /cache/x: it belongs to the cache that was left out" in [
        each.message for each in adopted.findings
    ]


def test_a_tag_of_year_and_month_tells_no_release() -> None:
    adopted = run("docker run --gpus all nvcr.io/nvidia/vllm:25.11-py3 vllm serve m/m")
    assert ("adoption_guesses", "version") in [(each.code, each.setting) for each in adopted.findings]
