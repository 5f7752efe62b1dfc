"""What vLLM accepts without a word although it does nothing, does harm later, or fits only with care."""

from __future__ import annotations

import typing as t

from .names_data import GENERATION_KEYS
from .rule import Breach, Rule, row, rule, rules_of
from .view import View

_KNOWN_TOKENIZER_MODES = ("auto", "slow", "mistral", "custom", "hf")


def _row(
    code: str,
    about: str,
    when: t.Callable[[View], bool],
    says: t.Callable[[View], str],
    fix: str | None = None,
    since: str = "",
    until: str = "",
    source: str = "tried with the real start-up of 23 releases: not refused",
    **options: t.Any,
) -> Rule:
    options.setdefault("severity", "warning")
    return row(code, about, source, when, says, fix, since, until, stage="advice", **options)


def _backend_variable(view: View) -> str:
    """The backend that the variable asks for; 0.11.0 takes its names with the suffix that they had before."""
    name = view.env.get("VLLM_ATTENTION_BACKEND", "").upper()
    return name.removesuffix("_VLLM_V1") if view.release >= (0, 11, 0) else name


_WITHOUT_EFFECT = (
    _row(
        "more_stages_than_layers",
        "pipeline_parallel_size",
        lambda view: (view.model.layers or 10**6) < view.pp,
        lambda view: (
            f"pipeline_parallel_size {view.pp} is above the model's {view.model.layers} layers: a GPU stays"
            " empty."
        ),
        "fewer stages",
        needs=("model",),
        also=lambda view: view.pp > 1,
    ),
    _row(
        "tool_parser_without_choice",
        "tool_call_parser",
        lambda view: bool(view.text("tool_call_parser")) and not view.flag("enable_auto_tool_choice"),
        lambda view: (
            "tool_call_parser has no effect on automatic tool calls without enable_auto_tool_choice."
            + (
                f" This release has no parser {view.text('tool_call_parser')} either."
                if view.unregistered("tool_parsers", view.text("tool_call_parser"))
                and not view.given("tool_parser_plugin")
                else ""
            )
        ),
        "enable_auto_tool_choice: true",
    ),
    _row(
        "port_out_of_range",
        "port",
        lambda view: not 0 <= view.number("port") <= 65535,
        lambda view: (
            f"port {view.number('port')} is none: the server would fail when it binds, after loading."
        ),
        "a port between 1 and 65535",
    ),
    _row(
        "no_cache_blocks",
        "num_gpu_blocks_override",
        lambda view: view.given("num_gpu_blocks_override") and view.number("num_gpu_blocks_override") < 1,
        lambda view: "num_gpu_blocks_override leaves no block for the KV cache.",
        "leave it out",
    ),
    _row(
        "api_servers_negative",
        "api_server_count",
        lambda view: view.number("api_server_count") < 0,
        lambda view: "api_server_count is negative.",
        "leave it out",
    ),
    _row(
        "no_time_to_connect",
        "distributed_timeout_seconds",
        lambda view: (
            view.given("distributed_timeout_seconds") and view.number("distributed_timeout_seconds") < 1
        ),
        lambda view: "distributed_timeout_seconds gives the workers no time to find each other.",
        "leave it out",
        since="0.18.0",
    ),
    _row(
        "adapters_without_lora",
        "lora_modules",
        lambda view: view.given("lora_modules") and not view.flag("enable_lora"),
        lambda view: "lora_modules names adapters, but enable_lora is not set: they cannot be loaded.",
        "enable_lora: true",
    ),
    _row(
        "node_rank_without_nodes",
        "node_rank master_addr",
        lambda view: view.nodes <= 1 and (view.number("node_rank") > 0 or view.given("master_addr")),
        lambda view: "node_rank and master_addr do nothing while nnodes is 1.",
        "nnodes: the number of hosts, or leave them out",
        since="0.11.1",
    ),
    _row(
        "key_without_certificate",
        "ssl_keyfile ssl_certfile",
        lambda view: (
            view.given("ssl_keyfile")
            and not view.given("ssl_certfile")
            and not view.flag("data_parallel_multi_port_external_lb")
        ),
        lambda view: "ssl_keyfile without ssl_certfile: the server would fail when it binds, after loading.",
        "ssl_certfile: the certificate of the key",
    ),
    _row(
        "unknown_load_format",
        "load_format",
        lambda view: (
            bool(view.table.registry("load_formats"))
            and view.unregistered("load_formats", view.text("load_format"))
            and view.text("load_format") not in ("", "auto")
        ),
        lambda view: (
            f"This release has no load_format {view.text('load_format')}: the worker would refuse it, unless a"
            " plug-in provides it."
        ),
        "load_format: auto",
    ),
    _row(
        "executor_needs_ray",
        "distributed_executor_backend",
        lambda view: view.executor == "ray",
        lambda view: "The executor ray needs Ray in the image; not every image of vLLM holds it.",
        "distributed_executor_backend: mp on one host",
    ),
    _row(
        "length_beyond_training",
        "max_model_len",
        lambda view: (
            view.env.get("VLLM_ALLOW_LONG_MAX_MODEL_LEN", "0").lower() in ("1", "true")
            and not view.given("hf_overrides", "rope_scaling")
            and view.number("max_model_len") > (view.model.derived_max_length or 10**12)
        ),
        lambda view: (
            "VLLM_ALLOW_LONG_MAX_MODEL_LEN lets the server start, but the model reads only"
            f" {view.model.derived_max_length} tokens: the first longer prompt ends in nonsense or a crash."
        ),
        "stretch the model with hf_overrides and its rope_scaling",
        source="failures reported for several releases",
        needs=("model",),
    ),
    _row(
        "variable_without_effect",
        "",
        lambda view: "VLLM_ATTENTION_BACKEND" in view.env,
        lambda view: "VLLM_ATTENTION_BACKEND has no effect since 0.15.0.",
        "attention_backend in settings",
        since="0.15.0",
        source="envs.py (0.14.1, 0.15.0)",
    ),
    # From 0.11.1 on envs.py itself refuses it: env_invalid of _fit/rules/environment.py.
    _row(
        "unknown_backend_variable",
        "",
        lambda view: (
            bool(_backend_variable(view)) and view.unregistered("attention_backends", _backend_variable(view))
        ),
        lambda view: (
            f"This release has no attention backend {view.env['VLLM_ATTENTION_BACKEND']}"
            " (VLLM_ATTENTION_BACKEND)."
        ),
        "remove it from env",
        since="0.10.1",
        until="0.11.0",
        source="attention/selector.py:202 (0.11.0)",
    ),
)

_UNCHECKED = (
    _row(
        "unknown_tokenizer_mode",
        "tokenizer_mode",
        lambda view: (
            view.text("tokenizer_mode") not in ("", *_KNOWN_TOKENIZER_MODES)
            and view.text("tokenizer_mode") not in view.table.named("ModelConfig.tokenizer_mode")
            and not view.text("tokenizer_mode").startswith(
                ("deepseek", "kimi", "cohere", "inkling", "alpamayo")
            )
        ),
        lambda view: (
            f"tokenizer_mode {view.text('tokenizer_mode')} is accepted now and refused when the tokenizer is"
            " loaded, unless a plug-in provides it."
        ),
        "leave it out",
        since="0.12.0",
    ),
)


@rule(
    "generation_key_ignored",
    "override_generation_config",
    "config/model.py get_diff_sampling_param (0.33.0)",
    severity="warning",
    stage="advice",
)
def generation_keys_are_read(view: View) -> t.Iterator[Breach]:
    """A slip in this JSON is never told by vLLM."""
    for key in view.json("override_generation_config"):
        if key not in GENERATION_KEYS:
            path = f"override_generation_config.{key}"
            yield Breach(path, f"vLLM accepts {path} and never reads it.", "correct or remove it")


RULES = rules_of(globals())
