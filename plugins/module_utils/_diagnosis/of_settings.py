"""Signatures of arguments, parsers and the environment. Data."""

from __future__ import annotations

from . import causes, remedies
from .signature import Signature

_TLS = "Mount both files with volumes and name their paths in the container: ssl_certfile and ssl_keyfile in settings."

SETTINGS = (
    Signature(
        "parser_unknown",
        (
            r"invalid (?P<kind>tool call|reasoning) parser: (?P<name>\S+) \(chose from \{(?P<choices>[^}]*)\}?",
            r"argument --(?P<kind>tool-call|reasoning)-parser\S*: invalid choice: '(?P<name>[^']*)'(?: \(choose from (?P<choices>.+)\))?",
            r"(?P<kind>[Tt]ool|[Rr]easoning) parser '(?P<name>[^']+)' not found(?:\. Available parsers: (?P<choices>.+))?",
            r"(?P<kind>tool|reasoning) helper: '(?P<name>[^']+)' not found",
            r"invalid (?P<kind>tool call|reasoning) parser: (?P<name>\S+)",
        ),
        causes.parser_missing,
        remedies.known_parser,
    ),
    Signature(
        "removed_or_unknown_argument",
        (r"error: unrecognized arguments: (?P<arguments>.+)",),
        "The vLLM in this image does not know {arguments}.",
        remedies.argument_of_release,
    ),
    Signature(
        "removed_or_unknown_argument",
        (
            r"the following arguments are required: model_tag",
            r"provide the model as a positional argument|should be provided as the first positional argument",
            r"No model specified! Please specify model",
        ),
        "The model did not arrive as the first word behind `vllm serve`.",
        "Name it as `model` of the instance, not as settings.model.",
    ),
    Signature(
        "removed_or_unknown_argument",
        (
            r"error: argument (?P<option>\S+): invalid choice: '?(?P<value>[^' ]*)'?(?: \(choose from (?P<choices>.+)\))?",
            r"(?:Invalid|Unknown) (?P<option>kv[_ ]cache[_ ]dtype): '?(?P<value>[^'. ]+)'?(?:\. Valid values are:? \W?(?P<choices>[^\])]+))?",
            r"Unknown (?P<option>quantization) method: '?(?P<value>[^'. ]+)'?\. Must be one of \W?(?P<choices>[^\]]+)",
            r"error: argument (?P<option>\S+): ",
        ),
        causes.value_refused,
        remedies.known_value,
    ),
    Signature(
        "env_invalid",
        (
            r"Invalid value '(?P<value>[^']*)' for (?P<name>VLLM_\w+)",
            r"Error: Unknown vLLM environment variable detected: (?P<name>VLLM_\w+)",
            r"Inconsistent GPU visibility env vars: (?P<name>\w+)",
            r"Error: (?P<name>VLLM_\w+) (?:should|must) be|(?P<port>VLLM_PORT) '[^']*' (?:must be|appears to be)",
        ),
        "vLLM does not accept the environment variable {name}.",
        "Correct or remove it in env of the instance; an empty value counts as a value.",
    ),
    Signature(
        "env_invalid",
        (
            r"invalid literal for int\(\) with base 10: '(?P<device>(?:GPU|MIG)-[^']*)",
            r"Non-integer device ID (?P<device>\S+) is not supported",
        ),
        "This release can't read the GPU's UUID {device} in CUDA_VISIBLE_DEVICES.",
        "Remove CUDA_VISIBLE_DEVICES from env: `gpus` of the instance selects the GPU through CDI. Or use vLLM 0.24 or later.",
    ),
    Signature(
        "env_invalid",
        (r"invalid literal for int\(\) with base 10: '(?P<value>tcp://[^']*)'",),
        "A variable that should hold a number, mostly VLLM_PORT, holds {value}.",
        "Take VLLM_PORT out of env; Kubernetes makes one of a service that is named vllm.",
    ),
    Signature(
        "env_invalid",
        (r"ValueError: Unknown level: '(?P<value>[^']*)'",),
        "VLLM_LOGGING_LEVEL is {value}, and that is no level.",
        "Set VLLM_LOGGING_LEVEL to DEBUG, INFO, WARNING or ERROR in env.",
    ),
    Signature(
        "chat_template_missing",
        (
            r"The supplied chat template string \((?P<path>[^)]+)\) (?:appears path-like|looks like a file path)",
        ),
        "There is no chat template {path} inside the container.",
        "Mount it with volumes at that path, correct the path, or remove chat_template where the model brings its own.",
    ),
    Signature(
        "tls_files",
        (
            r"ssl\.SSLError: \[(?:SSL|X509)[^\]]*\] (?:PEM lib|no start line|key values mismatch|.*KEY_VALUES_MISMATCH|no certificate)",
            r"\[X509: KEY_VALUES_MISMATCH\]|\[SSL\] PEM lib",
        ),
        "The server's certificate and its key are no PEM files, or do not belong together.",
        _TLS,
    ),
    Signature(
        "tls_files",
        (r"^(?:FileNotFoundError|PermissionError|IsADirectoryError|ssl\.SSLError): (?P<why>.+)",),
        "The server can't read its certificate or key.",
        _TLS,
        kind="general",
        raised_in=r"/uvicorn/config\.py$|/vllm/entrypoints/ssl\.py$",
    ),
    Signature(
        "allocator_env",
        (
            r"CUDA driver error: device not ready",
            r"custom_all_reduce\.cuh:\d+ '?invalid argument",
            r"is incompatible with PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True",
        ),
        "PyTorch's expandable memory segments do not work here (WSL, custom all-reduce, KV connectors).",
        "Set PYTORCH_CUDA_ALLOC_CONF=expandable_segments:False in env, or disable_custom_all_reduce: true.",
    ),
    Signature(
        "allocator_env",
        (r"Unrecognized (?:CachingAllocator option|key '[^']*' in CUDA allocator config)",),
        "PyTorch does not know an option in PYTORCH_CUDA_ALLOC_CONF.",
        "Correct or remove PYTORCH_CUDA_ALLOC_CONF in env.",
    ),
    Signature(
        "scheduler_limits_conflict",
        (
            r"max_num_batched_tokens \((?P<tokens>\d+)\) must be greater than or equal to (?P<other>max_num_seqs) \((?P<wanted>\d+)\)",
            r"(?P<other>max_tokens_per_mm_item) \((?P<wanted>\d+)\) is larger than max_num_batched_tokens \((?P<tokens>\d+)\)",
            r"max_num_batched_tokens \((?P<tokens>\d+)\) is smaller than (?P<other>max_model_len) \((?P<wanted>\d+)\)",
        ),
        "max_num_batched_tokens ({tokens}) is below {other} ({wanted}).",
        remedies.tokens_for_sequences,
    ),
    Signature(
        "env_ignored",
        (r"Unknown vLLM environment variable detected: (?P<name>VLLM_\w+)",),
        "This release ignores {name}: the variable was renamed or removed.",
        "Remove it from env; for VLLM_ATTENTION_BACKEND set attention_backend in settings.",
        kind="hint",
    ),
)
