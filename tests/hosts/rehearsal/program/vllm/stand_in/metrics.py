"""What /metrics tells."""

from __future__ import annotations

import threading
import typing as t

_BUCKETS = (0.01, 0.1, 0.5, 1.0, 5.0, 30.0)


class Metrics:
    """Requests and tokens of this server, counted as vLLM counts them."""

    def __init__(self, model: str, slots: int) -> None:
        """`slots`: requests that run at once; more of them wait."""
        self._model = model
        self._slots = slots
        self._lock = threading.Lock()
        self._open = 0
        self._counts: dict[str, float] = dict.fromkeys(("prompt", "generation", "length", "abort"), 0.0)
        self._seconds: dict[str, list[float]] = {"time_to_first_token": [], "e2e_request_latency": []}

    @property
    def open_requests(self) -> int:
        """Requests that are in the engine."""
        with self._lock:
            return self._open

    def began(self) -> None:
        """A request came in."""
        with self._lock:
            self._open += 1

    def left(self) -> None:
        """A request that came in has been answered, or never will be."""
        with self._lock:
            self._open -= 1

    def ended(self, reason: str, prompt: int, generation: int, first: float, whole: float) -> None:
        """The engine is done with a request: length, abort or error."""
        with self._lock:
            self._counts[reason] += 1
            self._counts["prompt"] += prompt
            self._counts["generation"] += generation
            self._seconds["time_to_first_token"].append(first)
            self._seconds["e2e_request_latency"].append(whole)

    def text(self, cache: t.Mapping[str, str]) -> str:
        """Prometheus' text format."""
        with self._lock:
            running = min(self._open, self._slots)
            lines = [
                *self._value("num_requests_running", "gauge", running),
                *self._value("num_requests_waiting", "gauge", self._open - running),
                *self._value("kv_cache_usage_perc", "gauge", round(running / self._slots / 2, 3)),
                *self._value("num_preemptions_total", "counter", 0),
                *self._value("prefix_cache_queries_total", "counter", self._counts["prompt"]),
                *self._value("prefix_cache_hits_total", "counter", 0),
                *self._value("prompt_tokens_total", "counter", self._counts["prompt"]),
                *self._value("generation_tokens_total", "counter", self._counts["generation"]),
                *self._finished(),
                *(line for name in self._seconds for line in self._histogram(name)),
                *self._cache(cache),
            ]
        return "\n".join([*lines, ""])

    def _labels(self, more: str = "") -> str:
        return f'{{engine="0",{more}model_name="{self._model}"}}'

    def _value(self, name: str, kind: str, value: float) -> list[str]:
        return [f"# TYPE vllm:{name} {kind}", f"vllm:{name}{self._labels()} {float(value)}"]

    def _finished(self) -> list[str]:
        lines = ["# TYPE vllm:request_success_total counter"]
        for reason in ("stop", "length", "abort", "error", "repetition"):
            labels = self._labels(f'finished_reason="{reason}",')
            lines.append(f"vllm:request_success_total{labels} {self._counts.get(reason, 0.0)}")
        return lines

    def _histogram(self, name: str) -> list[str]:
        values = self._seconds[name]
        lines = [f"# TYPE vllm:{name}_seconds histogram"]
        for bound in (*_BUCKETS, float("inf")):
            label = "+Inf" if bound == float("inf") else str(bound)
            count = sum(value <= bound for value in values)
            more = f'le="{label}",'
            lines.append(f"vllm:{name}_seconds_bucket{self._labels(more)} {float(count)}")
        lines.append(f"vllm:{name}_seconds_count{self._labels()} {float(len(values))}")
        lines.append(f"vllm:{name}_seconds_sum{self._labels()} {sum(values)}")
        return lines

    @staticmethod
    def _cache(cache: t.Mapping[str, str]) -> list[str]:
        labels = ",".join(f'{key}="{value}"' for key, value in sorted({**cache, "engine": "0"}.items()))
        return ["# TYPE vllm:cache_config_info gauge", f"vllm:cache_config_info{{{labels}}} 1.0"]
