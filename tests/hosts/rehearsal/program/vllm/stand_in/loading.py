"""What a server writes while it loads, and how long that takes."""

from __future__ import annotations

import time
import typing as t

from . import log
from .release import VERSION

SHARDS = 3
GRAPHS = 35
GIB = 17.0
_GRAPHS = "Capturing CUDA graphs (mixed prefill-decode, PIECEWISE)"
_STEPS = 5
# Share of the whole time that each phase takes.
_SHARES = {"load": 0.6, "profile": 0.2, "capture": 0.2}
_BANNER = """
       █     █     █▄   ▄█
 ▄▄ ▄█ █     █     █ ▀▄▀ █  version {version}
  █▄█▀ █     █     █     █  model   {model}
   ▀▀  ▀▀▀▀▀ ▀▀▀▀▀ ▀     ▀
"""


def banner(model: str, changed: dict[str, t.Any]) -> None:
    """The first lines."""
    log.api("api_utils.py:347", _BANNER.format(version=VERSION, model=model))
    log.api("api_utils.py:286", f"non-default args: {changed}")


class Loading:
    """The phases after the arguments were read; each takes its share of the time."""

    def __init__(
        self, model: str, context: int, seconds: float, sleep: t.Callable[[float], None] = time.sleep
    ) -> None:
        self._model = model
        self._context = context
        self._seconds = seconds
        self._sleep = sleep

    def run(self, phase: str, whole: bool = True) -> None:
        """Write what the phase writes; only its beginning where it is to fail."""
        getattr(self, f"_{phase}")(_SHARES[phase] * self._seconds, whole)

    def _load(self, seconds: float, whole: bool) -> None:
        log.api("model.py:733", "Resolved architecture: LlamaForCausalLM")
        log.api("model.py:2152", f"Using max model len {self._context}")
        log.core(
            "core.py:133", f"Initializing a V1 LLM engine (v{VERSION}) with config: model='{self._model}'"
        )
        log.core("gpu_model_runner.py:5040", f"Starting to load model {self._model}...")
        self._bar("Loading safetensors checkpoint shards", SHARDS if whole else 1, seconds / SHARDS)
        if not whole:
            return
        log.core("default_loader.py:501", f"Loading weights took {seconds:.2f} seconds")
        log.core(
            "gpu_model_runner.py:5149", f"Model loading took {GIB:.2f} GiB memory and {seconds:.6f} seconds"
        )

    def _bar(self, name: str, until: int, pace: float) -> None:
        """vLLM's own form of tqdm: each state on a line of its own, behind a carriage return."""
        for done in range(until + 1):
            spent, left = _minutes(done * pace), _minutes((SHARDS - done) * pace) if done else "?"
            rate, share = f"{pace:5.2f}s/it" if done else "?it/s", 100 * done / SHARDS
            log.raw(f"\r{name}: {share:3.0f}% Completed | {done}/{SHARDS} [{spent}<{left}, {rate}]\n")
            if done < SHARDS:
                self._sleep(pace)
        log.raw("\n")

    def _profile(self, seconds: float, whole: bool) -> None:
        self._sleep(seconds)
        if not whole:
            return
        log.core("monitor.py:53", f"torch.compile took {seconds:.2f} s in total")
        log.core("gpu_worker.py:759", "Available KV cache memory: 3.84 GiB")
        log.core(
            "kv_cache_utils.py:2327",
            f"GPU KV cache size: 65,536 tokens, Maximum concurrency for {self._context:,} tokens per request:"
            f" {65536 / self._context:.2f}x",
        )

    def _capture(self, seconds: float, whole: bool) -> None:
        """Plain tqdm: one line that is written over until it is full."""
        pace = seconds / _STEPS
        for step in range((_STEPS if whole else 1) + 1):
            spent, left = _minutes(step * pace), _minutes((_STEPS - step) * pace)
            done, bar = GRAPHS * step // _STEPS, "█" * (2 * step)
            log.raw(f"\r{_GRAPHS}: {20 * step:3d}%|{bar:10}| {done}/{GRAPHS} [{spent}<{left}]")
            if step < _STEPS:
                self._sleep(pace)
        log.raw("\n")
        if whole:
            took = f"took {2 * seconds:.2f} s"
            log.core(
                "gpu_model_runner.py:6581", f"Graph capturing finished in {seconds:.0f} secs, took 0.51 GiB"
            )
            log.core("core.py:402", f"init engine (profile, create kv cache, warmup model) {took}")


def _minutes(seconds: float) -> str:
    return f"{int(seconds) // 60:02d}:{int(seconds) % 60:02d}"
