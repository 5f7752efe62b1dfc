"""The API server: tools, reasoning, logs, ports, templates; adapters that it serves."""

from __future__ import annotations

import typing as t

from .rule import row, rules_of
from .view import View


def _served(view: View) -> t.Sequence[t.Any]:
    names = view.value("served_model_name")
    return names if isinstance(names, (list, tuple)) else [] if names is None else [names]


_SWITCHES = (
    row(
        "output_log_without_request_log",
        "enable_log_outputs",
        "entrypoints/common/cli_args.py:556 (0.33.0)",
        lambda view: view.flag("enable_log_outputs") and not view.flag("enable_log_requests"),
        lambda view: "enable_log_outputs needs enable_log_requests.",
        "enable_log_requests: true",
        since="0.11.0",
    ),
    row(
        "request_metrics_without_stats",
        "enable_per_request_metrics",
        "entrypoints/common/cli_args.py:568 (0.33.0)",
        lambda view: view.flag("enable_per_request_metrics") and view.flag("disable_log_stats"),
        lambda view: "enable_per_request_metrics needs the statistics that disable_log_stats turns off.",
        "leave disable_log_stats out",
        since="0.25.0",
    ),
    row(
        "keep_alive_negative",
        "sse_keep_alive_interval",
        "entrypoints/common/cli_args.py:560 (0.33.0)",
        lambda view: view.number("sse_keep_alive_interval") < 0,
        lambda view: "sse_keep_alive_interval is a number of seconds; 0 sends no comments.",
        "sse_keep_alive_interval: 0",
        since="0.29.0",
    ),
    row(
        "served_name_empty",
        "served_model_name",
        "config/model.py: ModelConfig.served_model_name",
        lambda view: any(name in (None, "") for name in _served(view)),
        lambda view: "served_model_name holds an empty name.",
        "a name, or leave it out: then it is the model's own",
    ),
    row(
        "detailed_traces_without_endpoint",
        "collect_detailed_traces",
        "config/observability.py:219 (0.33.0)",
        lambda view: view.given("collect_detailed_traces") and not view.text("otlp_traces_endpoint"),
        lambda view: "collect_detailed_traces needs otlp_traces_endpoint.",
        "otlp_traces_endpoint: where the traces go",
        since="0.11.1",
    ),
    row(
        "unknown_config_format",
        "config_format",
        "transformers_utils/config.py:543 (0.33.0)",
        lambda view: (
            view.text("config_format") not in ("", "auto", "hf", "mistral")
            and view.text("config_format") not in view.plugin_names
        ),
        lambda view: (
            f"There is no config_format {view.text('config_format')}: auto, hf or mistral; others only by a"
            " plug-in."
        ),
        "leave it out",
        since="0.10.2",
    ),
    row(
        "grpc_port_with_grpc",
        "grpc_port",
        "entrypoints/common/cli_args.py:486 (0.33.0)",
        lambda view: view.given("grpc_port") and view.flag("grpc"),
        lambda view: "grpc and grpc_port exclude each other.",
        "keep one",
        since="0.32.0",
    ),
    row(
        "grpc_port_without_frontend",
        "grpc_port",
        "entrypoints/common/cli_args.py:492 (0.33.0)",
        lambda view: (
            view.given("grpc_port")
            and not view.flag("grpc")
            and view.env.get("VLLM_USE_RUST_FRONTEND", "0") in ("", "0")
        ),
        lambda view: "grpc_port needs VLLM_USE_RUST_FRONTEND=1 in env.",
        "env: {VLLM_USE_RUST_FRONTEND: '1'}, or leave grpc_port out",
        since="0.32.0",
    ),
    row(
        "grpc_port_without_server",
        "grpc_port",
        "entrypoints/common/cli_args.py:496-501 (0.33.0)",
        lambda view: (
            view.given("grpc_port")
            and (
                view.flag("headless")
                or view.flag("data_parallel_multi_port_external_lb")
                or (view.given("api_server_count") and view.number("api_server_count") <= 0)
            )
        ),
        lambda view: "grpc_port needs one API server of this process.",
        "leave grpc_port out",
        since="0.32.0",
    ),
    row(
        "grpc_port_invalid",
        "grpc_port",
        "entrypoints/common/cli_args.py:507-509 (0.33.0)",
        lambda view: (
            view.given("grpc_port")
            and (
                not 0 <= view.number("grpc_port") <= 65535
                or (
                    view.number("grpc_port") not in (0,)
                    and view.number("grpc_port") == view.number("port", 8000)
                )
            )
        ),
        lambda view: "grpc_port is a free port between 0 and 65535, other than port.",
        "another port",
        since="0.32.0",
    ),
    row(
        "template_is_no_template",
        "chat_template",
        "entrypoints/chat_utils (0.33.0): renderers/chat_utils/chat_template.py:44",
        lambda view: (
            bool(view.text("chat_template"))
            and not any(mark in view.text("chat_template") for mark in "{}\n")
            and not view.text("chat_template").endswith((".jinja", ".jinja2", ".j2", ".tmpl"))
            and "/" not in view.text("chat_template")
        ),
        lambda view: (
            "chat_template is neither a template (it holds no braces) nor looks like the path of a file."
        ),
        "the path of a file inside the container, or the template itself",
        severity="warning",
    ),
)

_ADAPTERS = (
    row(
        "cpu_adapters_below_gpu_adapters",
        "max_cpu_loras max_loras",
        "config/lora.py:124 (0.33.0)",
        lambda view: (
            view.flag("enable_lora") and 0 < view.number("max_cpu_loras") < view.number("max_loras", 1)
        ),
        lambda view: (
            f"max_cpu_loras ({view.number('max_cpu_loras')}) is below max_loras"
            f" ({view.number('max_loras', 1)})."
        ),
        "leave max_cpu_loras out",
    ),
    row(
        "adapters_below_one",
        "max_loras",
        "config/lora.py:115 (0.11.0)",
        lambda view: view.flag("enable_lora") and view.number("max_loras", 1) < 1,
        lambda view: "max_loras must be at least 1.",
        "max_loras: 1",
        until="0.11.0",
    ),
    row(
        "adapter_rank_unsupported",
        "max_lora_rank",
        "config/lora.py:107 (0.11.0)",
        lambda view: (
            view.flag("enable_lora")
            and view.number("max_lora_rank", 16) not in (8, 16, 32, 64, 128, 256, 320, 512)
        ),
        lambda view: (
            f"max_lora_rank {view.number('max_lora_rank')} is none of 8, 16, 32, 64, 128, 256, 320, 512."
        ),
        "the next larger of them",
        until="0.11.0",
    ),
    row(
        "modality_adapters_of_text_model",
        "default_mm_loras",
        "engine/arg_utils.py:2686 (0.33.0)",
        lambda view: bool(view.json("default_mm_loras")) and view.model.is_multimodal is False,
        lambda view: "default_mm_loras names adapters by modality, but the model takes text only.",
        "leave default_mm_loras out",
        needs=("model",),
    ),
)


RULES = rules_of(globals())
