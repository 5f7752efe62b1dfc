"""The verdict on start-up, against what the real ``create_engine_config`` of 23 releases answered."""

from __future__ import annotations

import collections
import json
import lzma
import pathlib
import re
import typing as t

import pytest

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._fit.model import parse_model
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._settings.check import check

FIXTURES = pathlib.Path(__file__).parents[4] / "fixtures" / "engine"
MODELS = {
    name: parse_model(config) for name, config in json.loads((FIXTURES / "models.json").read_text()).items()
}
# What only the host could tell: its memory, its files, its Python packages.
NOT_TO_BE_KNOWN = (
    "--nnodes 2 -tp 8",  # 4 GiB of swap space per GPU, up to 0.17.1: more than 70 % of that host's memory
    "--nnodes 2 --node-rank 1 --headless -tp 8",
    "-dcp 2 -tp 8",
    "--tokenizer /no/such",  # a path that does not exist
    "--disable-sliding-window",  # 0.11.2 with a Transformers that is newer than it
    "suffix",  # needs a package that the image may hold
    "--distributed-executor-backend ray",
)


@pytest.fixture(scope="module")
def answers() -> list[tuple[str, str, bool, bool]]:
    """Command line, release, what the real start-up said, what we say."""
    data = json.loads(lzma.decompress((FIXTURES / "engine-cases.json.xz").read_bytes()))
    gpus = [data["gpu"]] * data["gpus"]
    return [
        (" ".join(case["argv"][2:]), release, real["ok"], _valid(case, release, gpus))
        for case in data["cases"]
        for release, real in case["real"].items()
    ]


def _valid(case: dict[str, t.Any], release: str, gpus: list[dict[str, t.Any]]) -> bool:
    argv = [word.replace("MODELS/", "") for word in case["argv"]]
    draft = re.search(r'"model": "([\w-]+)"|--spec-model ([\w-]+)', " ".join(argv))
    name = next((name for name in draft.groups() if name), "") if draft else ""
    checked = check(
        vllm_version=release,
        argv=argv[1:],
        env=case["env"] or {},
        gpu_facts=gpus,
        model_facts=MODELS.get(argv[1]),
        draft_facts=MODELS.get(name),
    )
    return checked.valid


def test_nothing_that_starts_is_refused(answers: list[tuple[str, str, bool, bool]]) -> None:
    refused = [(line, release) for line, release, real, ours in answers if real and not ours]
    assert refused == []


def test_the_verdict_agrees_with_the_real_start_up(answers: list[tuple[str, str, bool, bool]]) -> None:
    agreeing = sum(real == ours for _line, _release, real, ours in answers)
    assert len(answers) > 3000
    assert agreeing / len(answers) >= 0.97


def test_only_what_the_host_alone_could_tell_is_missed(answers: list[tuple[str, str, bool, bool]]) -> None:
    missed = collections.Counter(line for line, _release, real, ours in answers if ours and not real)
    unexplained = {
        line: count for line, count in missed.items() if not any(mark in line for mark in NOT_TO_BE_KNOWN)
    }
    assert unexplained == {}
