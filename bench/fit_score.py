#!/usr/bin/env python3
"""Score the fit findings: public failures caught, working configurations left alone, printed figures met, time taken.

    python bench/fit_score.py [--missed]

Reads tests/fixtures/fit only. ``reports.json`` holds public start-up failures as far as they were recorded (what was not
recorded and had to be supplied stands in its notes), ``works.json`` configurations that were published as working,
``heldout.json`` and ``heldout_works.json`` more of both, written down before the rules that they were tried on,
``printed.json`` figures that servers printed, ``models.json`` the config.json of public models, cut down.
"""

from __future__ import annotations

import dataclasses
import json
import sys
import time
import typing as t
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / ".collections"))

from fit_right import RIGHT

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._fit.demand import read_demand
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._fit.judge import Known, judge_server
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._fit.kv_cache import lay_out
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._fit.layers import layers_of
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._fit.model import parse_model
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._plan.facts import HostFacts
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._plan.plan import plan_host
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._settings.case import Case
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._settings.finding import Finding
from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._settings.version import parse_release

FIXTURES = ROOT / "tests" / "fixtures" / "fit"
GIB = 1 << 30
GB10_HOST_MIB = 122_880
GPUS = {
    "RTX 3090": ("8.6", 24576), "RTX 4090": ("8.9", 24564), "RTX 5090": ("12.0", 32607), "RTX 5070 Ti": ("12.0", 16303),
    "RTX 5090 D": ("12.0", 32607), "RTX PRO 6000": ("12.0", 97887), "L4": ("8.9", 23034), "A100": ("8.0", 81920),
    "H100": ("9.0", 81559), "H200": ("9.0", 143771), "B200": ("10.0", 183359), "GB10": ("12.1", None),
    "Q6000": ("7.5", 24576),
}  # fmt: skip
_ROUNDS = ((1, ""), (2, ""), (3, "rule"), (3, "other"), (4, "rule"), (4, "other"), (5, "other"))
ELSEWHERE = {
    "host": "the host's own checks (CDI, devices, network, files)",
    "unit": "the unit that we write (user, home, entrypoint)",
    "plan": "the plan (ports)",
}


def load(name: str) -> t.Any:
    """A fixture."""
    return json.loads((FIXTURES / name).read_text(encoding="utf-8"))


def gpus_of(row: t.Mapping[str, t.Any]) -> list[dict[str, t.Any]]:
    """GPU facts by name, or as [name, capability, MiB, MiB free, holders]."""
    keys = ("name", "compute_capability", "memory_total_mib", "memory_free_mib", "used_by")
    found = []
    for each in row.get("gpus", ()):
        values = (f"NVIDIA {each}", *GPUS[each]) if isinstance(each, str) else tuple(each)
        found.append(dict(zip(keys, values)))
    return found


def tensors_of(row: t.Mapping[str, t.Any]) -> dict[str, t.Any] | None:
    """Weights as far as a report tells them: their sum, or that MTP's layers are missing."""
    if row.get("tensors") == "no_mtp":
        return {
            "groups": [
                {"name": "model.layers.*.mlp.down_proj.weight", "dtype": "BF16", "bytes": 10**9, "count": 32}
            ]
        }
    return {"total_bytes": int(row["weights_gb"] * 1e9)} if row.get("weights_gb") else None


def findings_of(row: t.Mapping[str, t.Any], models: t.Mapping[str, t.Any]) -> list[Finding]:
    """What settings and fit say together of one row."""
    model = parse_model(models[row["model"]]) if row.get("model") else None
    facts = gpus_of(row)
    host = GB10_HOST_MIB if any(each["memory_total_mib"] is None for each in facts) else row.get("host_mib")
    judged = judge_server(
        Known(tensors_of(row), host, row.get("driver"), adapters=row.get("adapters", {})),
        vllm_version=row["release"],
        argv=row["argv"],
        env=row.get("env") or {},
        gpu_facts=facts,
        model_facts=model,
        draft_facts=next((parse_model(each) for each in (row.get("draft"),) if each), None),
    )
    return list(judged.findings)


@dataclasses.dataclass
class Score:
    """One row of the table."""

    known: int = 0
    caught: int = 0
    right: int = 0
    by_error: int = 0
    missed: list[str] = dataclasses.field(default_factory=list)
    elsewhere: list[str] = dataclasses.field(default_factory=list)
    unjudged: list[str] = dataclasses.field(default_factory=list)


def score_failures(
    models: t.Mapping[str, t.Any], rows: t.Sequence[t.Mapping[str, t.Any]]
) -> dict[str, Score]:
    """Every report that could have been told before the start, by how surely."""
    scores = {"yes": Score(), "partly": Score(), "no": Score()}
    for row in rows:
        score = scores[row["answer"]]
        if "release" not in row:
            where = ELSEWHERE.get(row.get("part", ""))
            (score.elsewhere if where else score.unjudged).append(f"{row['id']}: {where or row['skip']}")
            continue
        score.known += 1
        told = [
            each
            for each in findings_of(row, models)
            if each.severity != "info" or each.code in RIGHT.get(row["failure"], ())
        ]
        right = [each for each in told if each.code in RIGHT.get(row["failure"], ())]
        score.caught += bool(told)
        score.right += bool(right)
        score.by_error += any(each.severity == "error" for each in right)
        if not right:
            score.missed.append(
                f"{row['id']} ({row['failure']}): said {sorted({each.code for each in told}) or 'nothing'}"
            )
    return scores


def _is_of(row: t.Mapping[str, t.Any], turn: int, words: str) -> bool:
    """Whether a report is of that round; since the third they were found by the words of a rule, or by others."""
    return row.get("round", 1) == turn and row.get("words", "") == words


def print_heldout(models: t.Mapping[str, t.Any], with_missed: bool) -> None:
    """What was caught of the reports that no rule was written for, before any was changed, and now."""
    print(
        "\n| held out, round | reports | right cause at first | caught now | right cause now | by an error now |"
    )
    print("|---|--:|--:|--:|--:|--:|")
    for turn, words in _ROUNDS:
        rows = [row for row in load("heldout.json") if _is_of(row, turn, words)]
        for answer, score in score_failures(models, rows).items():
            if not score.known:
                continue
            first = sum(row["answer"] == answer and row["at_first"] == "right" for row in rows)
            found = f", found by {words} words" if words else ""
            print(
                f"| {turn}, {answer}{found} | {score.known} | {first} | {score.caught} | {score.right} | {score.by_error} |",
                *(f"- {line}" for line in score.missed if with_missed),
                sep="\n",
            )
    count, errors, warnings = score_works(models, "heldout_works.json")
    print(f"\n{count} more that work: {len(errors)} errors of stage fit, {len(warnings)} warnings")
    print(*(f"- {line}" for line in errors + warnings), sep="\n")


def score_works(models: t.Mapping[str, t.Any], name: str = "works.json") -> tuple[int, list[str], list[str]]:
    """Configurations that work: how many, and what is wrongly said of them."""
    rows = load(name)
    errors, warnings = [], []
    for row in rows:
        for each in findings_of(row, models):
            if each.stage == "fit" and each.severity == "error":
                errors.append(f"{row['id']}: {each.code}")
            if each.stage == "fit" and each.severity == "warning":
                assumed = f" (its release is not known: taken for {row['release']})" * bool(
                    row.get("release_assumed")
                )
                warnings.append(f"{row['id']}: {each.code}{assumed}")
    return len(rows), errors, warnings


def printed_rows(models: t.Mapping[str, t.Any]) -> t.Iterator[tuple[str, str, str, str]]:
    """What was printed, what we reckon, and the difference."""
    for row in load("printed.json"):
        settings, model = row["settings"], parse_model(models[row["model"]])
        case = Case(
            parse_release(row["release"]) or (0, 0, 0), "m", settings, frozenset(settings), model_facts=model
        )
        demand = read_demand(case, model)
        cache = lay_out(layers_of(model, demand) or (), demand)[0]
        available, length = row.get("available_gib", 0) * GIB, settings["max_model_len"]
        pairs = (
            ("GiB for one sequence", row.get("needed_gib"), cache.needed(length) / GIB),
            ("longest sequence", row.get("longest"), cache.longest(available, length)),
            ("block size", row.get("block"), cache.block),
            ("state page, bytes", row.get("page"), cache.page),
            ("tokens in the cache", row.get("tokens"), int(cache.concurrency(available, length) * length)),
        )
        for what, printed, ours in pairs:
            if printed is not None:
                shown = f"{ours:.2f}" if isinstance(ours, float) else f"{ours}"
                yield (
                    f"{row['source']} ({row['model']})",
                    f"{what}: {printed}",
                    shown,
                    f"{100 * (ours / printed - 1):+.2f} %",
                )


def milliseconds(models: t.Mapping[str, t.Any], utilization: float, repeats: int = 50) -> tuple[float, float]:
    """CPU time of planning a host with one instance: without facts, and with those of GPU, model and weights."""
    settings = {"gpu_memory_utilization": utilization, "kv_cache_dtype": "fp8", "max_num_seqs": 4}
    instance = {"model": "q/q", "image": "a/vllm-openai:v0.26.0", "gpus": ["0"], "settings": settings}
    known = {
        "vllm_model_facts": {
            "q/q": {"config": models["Qwen3.6-35B-A3B-NVFP4"], "tensors": {"total_bytes": int(23.4e9)}}
        },
        "vllm_gpu_facts": [{"index": 0, **gpus_of({"gpus": ["RTX 5090"]})[0]}],
    }
    return _timed({"vllm_instances": {"q": instance}}, repeats), _timed(
        {"vllm_instances": {"q": instance}, **known}, repeats
    )


def _timed(variables: dict[str, t.Any], repeats: int) -> float:
    plan_host(variables, (), HostFacts())  # what is read and expanded once
    start = time.process_time()
    for _repeat in range(repeats):
        plan_host(variables, (), HostFacts())
    return (time.process_time() - start) / repeats * 1000


def main(arguments: list[str]) -> None:
    """Print every table."""
    models = load("models.json")
    print(
        "| could be caught | reports | judged here | caught | right cause | by an error | elsewhere | not judged |"
    )
    print("|---|--:|--:|--:|--:|--:|--:|--:|")
    scores = {key: each for key, each in score_failures(models, load("reports.json")).items() if key != "no"}
    for answer, score in scores.items():
        total = score.known + len(score.elsewhere) + len(score.unjudged)
        print(
            f"| {answer} | {total} | {score.known} | {score.caught} | {score.right} | {score.by_error} | {len(score.elsewhere)} | {len(score.unjudged)} |"
        )
    if "--missed" in arguments:
        for answer, score in scores.items():
            for title, lines in (
                ("missed", score.missed),
                ("elsewhere", score.elsewhere),
                ("not judged", score.unjudged),
            ):
                print(f"\n{answer}, {title}:", *lines or ["none"], sep="\n- ")
    count, errors, warnings = score_works(models)
    print(
        f"\n{count} working configurations on known GPUs: {len(errors)} errors of stage fit, {len(warnings)} warnings"
    )
    print(*(f"- {line}" for line in errors + warnings), sep="\n")
    print_heldout(models, "--missed" in arguments)
    print("\n| printed by | figure | reckoned | difference |\n|---|---|--:|--:|")
    for line in printed_rows(models):
        print("| " + " | ".join(line) + " |")
    print("\n| planning one host | ms of CPU |\n|---|--:|")
    for what, utilization in (("that fits", 0.92), ("that does not, with the changes that would", 0.72)):
        without, with_facts = milliseconds(models, utilization)
        print(f"| with facts, {what} | {with_facts:.2f} |")
    print(f"| without facts | {without:.2f} |")


if __name__ == "__main__":
    main(sys.argv[1:])
