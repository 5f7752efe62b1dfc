"""Names that vLLM looks up when it starts: parsers, backends, connectors, quantization methods."""

from __future__ import annotations

import importlib
import typing as t

from .options import Entry, _first

QUANTIZATION = "vllm.model_executor.layers.quantization"


def describe() -> Entry:
    """Every registry; one that the release does not have is an error in words, which the tables leave out."""
    found: Entry = {}
    for name, read in READERS.items():
        try:
            found[name] = read()
        except Exception as error:  # noqa: PERF203 - whatever one raises, the others count
            found[name] = {"error": repr(error)}
    return found


def _parsers(*places: tuple[str, str], attribute: str) -> list[str]:
    manager = _first(*places)
    listed = manager.list_registered() if hasattr(manager, "list_registered") else getattr(manager, attribute)
    return sorted(listed)


def _tool_parsers() -> list[str]:
    places = [
        (module, "ToolParserManager")
        for module in ("vllm.tool_parsers", "vllm.entrypoints.openai.tool_parsers")
    ]
    return _parsers(*places, attribute="tool_parsers")


def _reasoning_parsers() -> list[str]:
    return _parsers(("vllm.reasoning", "ReasoningParserManager"), attribute="reasoning_parsers")


def _attention_backends() -> list[str]:
    registry = "attention.backends.registry"
    places = [
        (f"vllm.v1.{registry}", "AttentionBackendEnum"),
        (f"vllm.{registry}", "AttentionBackendEnum"),
        (f"vllm.{registry}", "_Backend"),
        ("vllm.platforms.interface", "_Backend"),
    ]
    return list(_first(*places).__members__)


def _capabilities() -> dict[str, int]:
    module = importlib.import_module(QUANTIZATION)
    found = {}
    for method in module.QUANTIZATION_METHODS:
        try:
            found[method] = module.get_quantization_config(method).get_min_capability()
        except Exception:  # noqa: PERF203 - some need kernels
            continue
    return found


def _list(module: str, attribute: str) -> t.Callable[[], list[str]]:
    return lambda: list(getattr(importlib.import_module(module), attribute))


def _factory(attribute: str, *places: tuple[str, str]) -> t.Callable[[], list[str]]:
    return lambda: sorted(getattr(_first(*places), attribute))


_TRANSFER = "vllm.distributed.weight_transfer"
READERS: dict[str, t.Callable[[], t.Any]] = {
    "tool_parsers": _tool_parsers,
    "reasoning_parsers": _reasoning_parsers,
    "attention_backends": _attention_backends,
    "quantization": _list(QUANTIZATION, "QUANTIZATION_METHODS"),
    "quantization_deprecated": _list(QUANTIZATION, "DEPRECATED_QUANTIZATION_METHODS"),
    "quantization_min_capability": _capabilities,
    "load_formats": _list("vllm.model_executor.model_loader", "_LOAD_FORMAT_TO_MODEL_LOADER"),
    "kv_connectors": _factory(
        "_registry", ("vllm.distributed.kv_transfer.kv_connector.factory", "KVConnectorFactory")
    ),
    "ec_connectors": _factory(
        "_registry", ("vllm.distributed.ec_transfer.ec_connector.factory", "ECConnectorFactory")
    ),
    "weight_transfer": _factory(
        "_registry",
        (f"{_TRANSFER}.factory", "WeightTransferEngineFactory"),
        (_TRANSFER, "WeightTransferEngineFactory"),
    ),
}
