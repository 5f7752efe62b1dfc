#!/usr/bin/env python3
"""What one check of settings costs inside a process, and what loading the tables costs once.

    python bench/settings_check.py [--repeat 2000] [--release 0.26.0] [--real HOME]

The start of the real parser is measured where the folder is that tools/flag_tables.py and `make fuzz` keep.
"""

from __future__ import annotations

import argparse
import json
import resource
import statistics
import sys
import time
import typing as t
from pathlib import Path

from page import ROOT, Section, median, table

PARSERS = Path.home() / ".cache" / "vllm_fleet_parsers"
STARTS = 3  # of the real parser
CORE = "ansible_collections.gpuops.vllm_fleet.plugins.module_utils._settings"
GOOD: dict[str, t.Any] = {
    "max_num_seqs": 32,
    "kv_cache_dtype": "fp8",
    "max_model_len": "32k",
    "gpu_memory_utilization": 0.9,
    "speculative_config": {"method": "dflash", "model": "z-lab/Q-DFlash", "num_speculative_tokens": 8},
    "compilation_config": {"cudagraph_mode": "FULL_AND_PIECEWISE"},
    "served_model_name": ["chat", "default"],
}
WRONG = {**GOOD, "max_num_sekqs": 1, "dtype": "fp16", "compilation_config": {"mode": 9}}
LINE = (
    "docker run --gpus all -p 8000:8000 vllm/vllm-openai --model Qwen/Q --max-model-len 32k --max-num-seqs 32"
)


def load() -> tuple[t.Callable[..., t.Any], float, int]:
    """The check, how long its import took, and how many KiB it added."""
    sys.path.insert(0, str(ROOT / ".collections"))
    before, started = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.perf_counter()
    module = __import__(f"{CORE}.check", fromlist=["check"])
    took = time.perf_counter() - started
    return module.check, took, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before


def milliseconds(call: t.Callable[[], t.Any], repeat: int) -> tuple[float, float, float]:
    """Median, the value that 95 of 100 stay below, and the mean of the processor's time."""
    times, processor = [], time.process_time()
    for _ in range(repeat):
        started = time.perf_counter()
        call()
        times.append((time.perf_counter() - started) * 1000)
    used = (time.process_time() - processor) * 1000 / repeat
    return statistics.median(times), statistics.quantiles(times, n=20)[-1], used


def real_starts(home: Path, release: str) -> list[float]:
    """Seconds until the real parser of that release has answered one line, again and again."""
    sys.path.insert(0, str(ROOT / "tools"))
    from flagtables import source

    program = ROOT / "tests" / "fuzz" / "real_parser.py"
    source.python_of(home)
    source.source_of(home, release)
    seconds = []
    for _ in range(STARTS):
        started = time.perf_counter()
        source.run(home, release, program, text=json.dumps([["m", "--max-num-seqs", "32"]]))
        seconds.append(time.perf_counter() - started)
    return seconds


def real_row(home: Path, release: str) -> list[str]:
    """The row of the real parser, or why it was not started."""
    what = f"the real parser of {release}, started for one line"
    if not (home / "venv" / "complete").exists():
        return [f"{what}: not measured, `make fuzz` makes it", "", "", ""]
    return [what, f"{median(real_starts(home, release))} s", "", ""]


def main() -> None:
    """Measure, and write the section of the page."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--repeat", type=int, default=2000)
    parser.add_argument("--release", default="0.26.0")
    parser.add_argument("--real", type=Path, default=PARSERS)
    options = parser.parse_args()
    section = Section("settings_check")
    check, imported, memory = load()
    started = time.perf_counter()
    check(vllm_version=options.release, model="m", settings=GOOD)
    first = (time.perf_counter() - started) * 1000
    cases: dict[str, dict[str, t.Any]] = {
        "settings that are right": {"model": "m", "settings": GOOD},
        "settings with three mistakes": {"model": "m", "settings": WRONG},
        "a pasted command line": {"argv": LINE},
        "the same, and what 0.33.0 makes of it": {"argv": LINE, "target_version": "0.33.0"},
    }
    rows = [
        [f"import, once in a process (+{memory / 1024:.1f} MiB)", f"{imported * 1000:.0f} ms", "", ""],
        ["first check of a release, once", f"{first:.1f} ms", "", ""],
    ]
    for name, case in cases.items():
        times = milliseconds(lambda case=case: check(vllm_version=options.release, **case), options.repeat)
        rows.append([name, *(f"{each:.2f} ms" for each in times)])
    rows.append(real_row(options.real.resolve(), options.release))
    section.write(
        f"{options.repeat} checks each, and {STARTS} starts of the real parser (lowest to highest).",
        table(["what", "median", "95 of 100 below", "processor"], rows),
    )


if __name__ == "__main__":
    main()
