"""The server that rehearses: its command line, its scenarios, and failures that look like those of the real one."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import typing as t
from pathlib import Path
from types import ModuleType

import pytest
from rehearsal import build, failures

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._diagnosis.diagnose import diagnose

Import = t.Callable[[str], ModuleType]


def vllm(program: Path, *words: str, **environ: str) -> subprocess.CompletedProcess[str]:
    """Run the program until it ends."""
    own = {"PYTHONPATH": str(program / "program"), "REHEARSAL_CONTROL": "/nowhere", **environ}
    command = [sys.executable, str(program / "vllm"), *words]
    return subprocess.run(
        command, env={**os.environ, **own}, capture_output=True, text=True, check=False, timeout=60
    )


@pytest.mark.parametrize(
    ("words", "key", "value"),
    [
        (["serve", "m", "--max_model_len", "4k"], "max_model_len", 4000),
        (["serve", "m", "--max-model-len=4K"], "max_model_len", 4096),
        (["serve", "m", "--max-model-len", "auto"], "max_model_len", -1),
        (["serve", "m", "--no-enable-prefix-caching"], "enable_prefix_caching", False),
        (["serve", "m", "--served-model-name", "a", "b"], "served_model_name", ["a", "b"]),
        (["serve", "m", "-tp", "2"], "tensor_parallel_size", 2),
        (["serve", "m", "--compilation-config", '{"mode":3}'], "compilation_config", {"mode": 3}),
        (
            [
                "serve",
                "m",
                "--speculative-config.method",
                "mtp",
                "--speculative-config.num_speculative_tokens=2",
            ],
            "speculative_config",
            {"method": "mtp", "num_speculative_tokens": 2},
        ),
        (["serve", "m", "-O3"], "optimization_level", "3"),
        (["serve", "--tensor-parallel-size", "2", "--model", "m"], "model_tag", "m"),
        (["serve", "m", "--lora-modules", "a=/b"], "lora_modules", [{"name": "a", "path": "/b"}]),
    ],
    ids=str,
)
def test_words_are_read_as_vllm_reads_them(
    words: list[str], key: str, value: t.Any, stand_in: Import
) -> None:
    assert getattr(stand_in("parser").serve_parser().parse_args(words), key) == value


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["m", "--unknown_flag", "3"], "vllm: error: unrecognized arguments: --unknown-flag 3"),
        (["m", "--max-num-seqs", "many"], "vllm serve [model_tag] [options]"),
        (["m", "--dtype", "fp16"], "argument --dtype: invalid choice: 'fp16'"),
        (["m", "--enforce-eager", "true"], "unrecognized arguments: true"),
    ],
)
def test_what_the_release_does_not_take_is_refused_as_argparse_refuses_it(
    words: list[str], said: str, program: Path
) -> None:
    done = vllm(program, "serve", *words)
    assert (done.returncode, said in done.stderr) == (2, True), done.stderr


def test_every_option_of_the_table_can_be_told_to_argparse_for_every_release_that_has_an_image() -> None:
    for version in ("0.10.0", "0.26.0", "0.32.0", "0.33.0"):
        known = build.release(version)
        names = [name for option in known["options"] for name in option["names"]]
        assert known["version"] == version
        assert "--max-model-len" in names
        assert len(names) == len(set(names))


def test_an_option_can_be_left_out_of_an_image() -> None:
    def names(refused: tuple[str, ...]) -> set[str]:
        return {name for option in build.release("0.32.0", refused)["options"] for name in option["names"]}

    assert names(()) - names(("--seed",)) == {"--seed"}


@pytest.mark.parametrize(
    ("version", "module"), [("0.26.0", "openai"), ("0.32.0", "launchers"), ("0.33.0", "common")]
)
def test_the_parser_is_where_the_release_has_it(version: str, module: str, tmp_path: Path) -> None:
    build.write_context(tmp_path, version)
    where = [path.parent.name for path in (tmp_path / "program/vllm/entrypoints").rglob("cli_args.py")]
    assert where == [module]


TOLD = failures.data()
ENDS_WITH_LINES = [
    name
    for name, failure in TOLD.items()
    if failure["then"] == "exit" and failure["lines"] and failure["phase"] != "serving"
]


@pytest.mark.parametrize("name", ENDS_WITH_LINES)
def test_the_log_of_a_failure_is_diagnosed_as_that_failure(name: str, program: Path) -> None:
    done = vllm(program, "serve", "m", "--port=0", REHEARSAL=f"load_seconds=0,fail={name}")
    assert done.returncode == TOLD[name]["exit_code"]
    assert diagnose(done.stdout + done.stderr).failure_class == name


@pytest.mark.parametrize(
    ("scenario", "last_line", "exit_code"),
    [
        ("load_seconds=0", "Application startup complete.", 0),
        ("load_seconds=0,fail=nccl_hang_or_error", "vLLM is using nccl==", 130),
        ("load_seconds=0,hang=load", "Model loading took", 130),
    ],
    ids=["serving", "a failure that hangs", "loading for ever"],
)
def test_a_server_goes_on_until_it_is_stopped(
    scenario: str, last_line: str, exit_code: int, program: Path
) -> None:
    environ = {**os.environ, "PYTHONPATH": str(program / "program"), "REHEARSAL": scenario}
    command = [sys.executable, str(program / "vllm"), "serve", "m", "--port=0"]
    with subprocess.Popen(command, env=environ, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        seen = next((line for line in server.stdout if last_line in line), None)
        running = server.poll() is None
        server.terminate()
        rest = server.stdout.read()
    assert (seen is not None, running, server.returncode) == (True, True, exit_code)
    assert ("Application shutdown complete." in rest) == (exit_code == 0)


def test_a_death_without_a_line_has_the_exit_code_of_the_killer(program: Path) -> None:
    done = vllm(program, "serve", "m", "--port=0", REHEARSAL="load_seconds=0,fail=host_memory")
    assert (done.returncode, diagnose(done.stdout).failure_class) == (137, "unknown")


def test_a_server_that_dies_while_it_serves_was_healthy_before(program: Path) -> None:
    scenario = "load_seconds=0,fail=cuda_illegal_memory_access"
    done = vllm(program, "serve", "m", "--port=0", REHEARSAL=scenario)
    assert done.returncode == 1
    assert done.stdout.index("Application startup complete.") < done.stdout.index("illegal memory access")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("lod_seconds=1", "there is no key 'lod_seconds'; there are: load_seconds, "),
        ("load_seconds=soon", "load_seconds=soon: float is wanted"),
        ("hang=forever", "hang=forever: it is one of nothing, load, health, tokens"),
        ("fail=oom", "fail=oom: there is no such class; there are: attention_backend"),
        ("{", "no JSON"),
    ],
)
def test_a_scenario_that_cannot_be_is_refused_with_what_there_is(text: str, said: str, program: Path) -> None:
    done = vllm(program, "serve", "m", "--port=0", REHEARSAL=text)
    assert (done.returncode, said in done.stderr) == (2, True), done.stderr


def test_a_scenario_is_json_or_pairs(stand_in: Import) -> None:
    parse = stand_in("scenario").parse
    assert parse("load_seconds=2, hang=tokens") == parse('{"load_seconds": 2, "hang": "tokens"}')


def test_the_control_file_wins_while_it_is_there_and_whole(stand_in: Import, tmp_path: Path) -> None:
    file = tmp_path / "control.json"
    source = stand_in("scenario").Source({"REHEARSAL": "health=418", "REHEARSAL_CONTROL": str(file)})
    assert (source.now().health, source.now().hang) == (418, "")
    file.write_text('{"hang": "tokens"}')
    assert (source.now().health, source.now().hang) == (418, "tokens")
    file.write_text('{"hang": "tok')
    assert source.now().hang == "tokens"
    file.write_text("{}")
    assert source.now().hang == ""
    file.unlink()
    assert source.now().health == 418


def test_loading_tells_shards_and_graphs_as_vllm_does(
    stand_in: Import, capsys: pytest.CaptureFixture[str]
) -> None:
    slept: list[float] = []
    loading = stand_in("loading").Loading("m", 4096, 10.0, slept.append)
    for phase in ("load", "profile", "capture"):
        loading.run(phase)
    said = capsys.readouterr().out
    assert sum(slept) == pytest.approx(10.0)
    assert "\rLoading safetensors checkpoint shards:  33% Completed | 1/3 [00:02<00:04,  2.00s/it]\n" in said
    assert "100%|██████████| 35/35 [" in said
    assert "Maximum concurrency for 4,096 tokens per request: 16.00x" in said


@pytest.mark.parametrize(
    ("words", "environ", "key", "value"),
    [
        ([], {}, "model", "Qwen/Qwen3-0.6B"),
        (["m"], {}, "names", ("m",)),
        (["m"], {"VLLM_API_KEY": "k"}, "keys", ("k",)),
        (["m", "--api-key", "a", "b"], {"VLLM_API_KEY": "k"}, "keys", ("a", "b")),
        (["m", "--runner", "pooling"], {}, "task", "embed"),
        (["m", "--runner", "pooling", "--convert", "classify"], {}, "task", "score"),
        (["m"], {}, "context", 8192),
    ],
    ids=str,
)
def test_what_matters_of_the_command_line(
    words: list[str], environ: dict[str, str], key: str, value: t.Any, stand_in: Import
) -> None:
    args = stand_in("parser").serve_parser().parse_args(["serve", *words])
    assert getattr(stand_in("cli").read(args, environ), key) == value


def test_the_context_is_that_of_the_models_files(stand_in: Import, tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text(json.dumps({"max_position_embeddings": 512}))
    args = stand_in("parser").serve_parser().parse_args(["serve", str(tmp_path)])
    assert stand_in("cli").read(args, {}).context == 512


def test_a_directory_that_is_not_there_ends_as_in_vllm(program: Path) -> None:
    done = vllm(program, "serve", "/models/none", "--port=0")
    assert (done.returncode, diagnose(done.stdout).failure_class) == (1, "model_access")


def test_a_port_that_is_taken_ends_as_in_vllm(program: Path) -> None:
    import socket

    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = vllm(program, "serve", "m", "--host=127.0.0.1", f"--port={port}")
    assert (done.returncode, diagnose(done.stdout + done.stderr).failure_class) == (1, "port_in_use")
