"""Every option of `vllm serve` by its dest.

Generated from vLLM's own parsers by `python tools/flag_tables.py build`; do not edit. docs/add-a-vllm-release.md tells
how a release is added. Ranges are inclusive, an open one reaches the newest release.
"""

from __future__ import annotations

import typing as t

# fmt: off
Ranges = dict[str, t.Any]  # by the range of releases in which it holds

RELEASES = (
    '0.10.0', '0.10.1', '0.10.2', '0.11.0', '0.11.1', '0.11.2', '0.12.0', '0.13.0', '0.14.0', '0.14.1', '0.15.0', '0.15.1', '0.16.0', '0.17.0',
    '0.17.1', '0.18.0', '0.18.1', '0.19.0', '0.19.1', '0.20.0', '0.20.1', '0.20.2', '0.21.0', '0.22.0', '0.22.1', '0.23.0', '0.24.0', '0.25.0',
    '0.25.1', '0.26.0', '0.27.0', '0.27.1', '0.28.0', '0.29.0', '0.30.0', '0.31.0', '0.32.0', '0.33.0',
)
OPTIONS: dict[str, Ranges] = {
    'additional_config': {'0.10.0-': {'names': '--additional-config', 'type': 'dict_or_str', 'field': 'VllmConfig.additional_config', 'default': {}}},
    'aggregate_engine_logging': {'0.11.1-': {'names': '--aggregate-engine-logging', 'action': 'true', 'default': False}},
    'all2all_backend': {
        '0.11.1-0.13.0': {'names': '--all2all-backend', 'type': 'optional str', 'choices': True, 'field': 'ParallelConfig.all2all_backend'},
        '0.14.0-': {
            'names': '--all2all-backend',
            'type': 'str',
            'choices': True,
            'field': 'ParallelConfig.all2all_backend',
            'default': 'allgather_reducescatter',
        },
    },
    'allow_credentials': {'0.10.0-': {'names': '--allow-credentials', 'action': 'bool', 'default': False}},
    'allow_deprecated_quantization': {
        '0.14.0-': {'names': '--allow-deprecated-quantization', 'action': 'bool', 'field': 'ModelConfig.allow_deprecated_quantization', 'default': False},
    },
    'allowed_headers': {'0.10.0-': {'names': '--allowed-headers', 'type': 'json', 'default': ['*']}},
    'allowed_local_media_path': {
        '0.10.0-': {'names': '--allowed-local-media-path', 'type': 'str', 'field': 'ModelConfig.allowed_local_media_path', 'default': ''},
    },
    'allowed_media_domains': {
        '0.11.0-': {'names': '--allowed-media-domains', 'type': 'optional str', 'nargs': '+', 'field': 'ModelConfig.allowed_media_domains'},
    },
    'allowed_methods': {'0.10.0-': {'names': '--allowed-methods', 'type': 'json', 'default': ['*']}},
    'allowed_origins': {
        '0.10.0-0.31.0': {'names': '--allowed-origins', 'type': 'json', 'default': ['*']},
        '0.32.0-': {'names': '--allowed-origins', 'type': 'json', 'default': []},
    },
    'anthropic_disabled_thinking_effort': {
        '0.31.0-': {'names': '--anthropic-disabled-thinking-effort', 'type': 'str', 'choices': True, 'default': 'auto'},
    },
    'api_key': {
        '0.10.0-0.10.0': {'names': '--api-key', 'type': 'optional str'},
        '0.10.1-': {'names': '--api-key', 'type': 'optional str', 'nargs': '+'},
    },
    'api_server_count': {
        '0.10.0-0.14.1': {'names': '--api-server-count -asc', 'type': 'int', 'default': 1},
        '0.15.0-': {'names': '--api-server-count -asc', 'type': 'int'},
    },
    'async_scheduling': {
        '0.10.0-0.13.0': {'names': '--async-scheduling', 'action': 'bool', 'field': 'SchedulerConfig.async_scheduling', 'default': False},
        '0.14.0-': {'names': '--async-scheduling', 'action': 'bool', 'field': 'SchedulerConfig.async_scheduling'},
    },
    'attention_backend': {'0.13.0-': {'names': '--attention-backend', 'type': 'optional str', 'field': 'AttentionConfig.backend'}},
    'attention_config': {
        '0.13.0-': {'names': '--attention-config -ac', 'type': 'class AttentionConfig', 'field': 'VllmConfig.attention_config', 'default': {}},
    },
    'aux_output_config': {
        '0.31.0-': {'names': '--aux-output-config', 'type': 'class AuxOutputConfig', 'field': 'VllmConfig.aux_output_config', 'default': {}},
    },
    'block_size': {
        '0.10.0-0.17.1': {'names': '--block-size', 'type': 'int', 'choices': True, 'field': 'CacheConfig.block_size'},
        '0.18.0-0.22.1': {'names': '--block-size', 'type': 'int', 'field': 'CacheConfig.block_size'},
        '0.23.0-': {'names': '--block-size', 'type': 'int', 'field': 'CacheConfig.block_size', 'bounds': {'gt': 0}},
    },
    'calculate_kv_scales': {
        '0.10.0-0.27.1': {'names': '--calculate-kv-scales', 'action': 'bool', 'field': 'CacheConfig.calculate_kv_scales', 'default': False},
    },
    'chat_template': {'0.10.0-': {'names': '--chat-template', 'type': 'optional str'}},
    'chat_template_content_format': {'0.10.0-': {'names': '--chat-template-content-format', 'type': 'str', 'choices': True, 'default': 'auto'}},
    'code_revision': {'0.10.0-': {'names': '--code-revision', 'type': 'optional str', 'field': 'ModelConfig.code_revision'}},
    'cohere_format': {'0.27.0-': {'names': '--cohere-format', 'type': 'str', 'default': 'cmd4'}},
    'cohere_is_reasoning_model': {'0.27.0-': {'names': '--cohere-is-reasoning-model', 'action': 'bool', 'default': True}},
    'collect_detailed_traces': {
        '0.10.0-': {
            'names': '--collect-detailed-traces',
            'type': 'optional str',
            'nargs': '+',
            'choices': True,
            'field': 'ObservabilityConfig.collect_detailed_traces',
        },
    },
    'compilation_config': {
        '0.10.0-0.11.2': {'names': '--compilation-config -O', 'type': 'class CompilationConfig', 'field': 'VllmConfig.compilation_config', 'default': {}},
        '0.12.0-': {'names': '--compilation-config -cc', 'type': 'class CompilationConfig', 'field': 'VllmConfig.compilation_config', 'default': {}},
    },
    'config': {'0.10.0-': {'names': '--config'}},
    'config_format': {
        '0.10.0-0.10.1': {'names': '--config-format', 'type': 'str', 'choices': True, 'field': 'ModelConfig.config_format', 'default': 'auto'},
        '0.10.2-': {'names': '--config-format', 'type': 'str', 'field': 'ModelConfig.config_format', 'default': 'auto'},
    },
    'convert': {'0.10.1-': {'names': '--convert', 'type': 'str', 'choices': True, 'field': 'ModelConfig.convert', 'default': 'auto'}},
    'cp_kv_cache_interleave_size': {
        '0.12.0-0.29.0': {'names': '--cp-kv-cache-interleave-size', 'type': 'int', 'field': 'ParallelConfig.cp_kv_cache_interleave_size', 'default': 1},
        '0.30.0-': {'names': '--cp-kv-cache-interleave-size', 'type': 'int', 'field': 'ParallelConfig.cp_kv_cache_interleave_size'},
    },
    'cpu_distributed_timeout_seconds': {
        '0.22.0-': {'names': '--cpu-distributed-timeout-seconds', 'type': 'optional int', 'field': 'ParallelConfig.cpu_distributed_timeout_seconds'},
    },
    'cpu_offload_gb': {
        '0.10.0-0.11.0': {'names': '--cpu-offload-gb', 'type': 'float', 'field': 'CacheConfig.cpu_offload_gb', 'default': 0},
        '0.11.1-0.16.0': {'names': '--cpu-offload-gb', 'type': 'float', 'field': 'CacheConfig.cpu_offload_gb', 'bounds': {'ge': 0}, 'default': 0},
        '0.17.0-': {'names': '--cpu-offload-gb', 'type': 'float', 'field': 'UVAOffloadConfig.cpu_offload_gb', 'bounds': {'ge': 0}, 'default': 0},
    },
    'cpu_offload_params': {
        '0.17.0-': {'names': '--cpu-offload-params', 'type': 'str', 'nargs': '+', 'field': 'UVAOffloadConfig.cpu_offload_params', 'default': []},
    },
    'cuda_graph_sizes': {
        '0.10.0-0.11.0': {'names': '--cuda-graph-sizes', 'type': 'int', 'nargs': '+', 'field': 'SchedulerConfig.cuda_graph_sizes', 'default': []},
        '0.11.1-0.12.0': {
            'names': '--cuda-graph-sizes',
            'type': 'optional int',
            'nargs': '+',
            'deprecated': True,
            'field': 'CompilationConfig.cudagraph_capture_sizes',
        },
    },
    'cudagraph_capture_sizes': {
        '0.11.1-0.18.1': {
            'names': '--cudagraph-capture-sizes',
            'type': 'optional int',
            'nargs': '+',
            'field': 'CompilationConfig.cudagraph_capture_sizes',
        },
        '0.19.0-': {'names': '--cudagraph-capture-sizes', 'type': 'int', 'nargs': '+', 'field': 'CompilationConfig.cudagraph_capture_sizes'},
    },
    'cudagraph_metrics': {
        '0.13.0-': {'names': '--cudagraph-metrics', 'action': 'bool', 'field': 'ObservabilityConfig.cudagraph_metrics', 'default': False},
    },
    'custom_histogram_buckets': {
        '0.32.0-': {'names': '--custom-histogram-buckets', 'type': 'optional parsed_json', 'field': 'ObservabilityConfig.custom_histogram_buckets'},
    },
    'data_parallel_address': {'0.10.0-': {'names': '--data-parallel-address -dpa', 'type': 'str'}},
    'data_parallel_backend': {'0.10.0-': {'names': '--data-parallel-backend -dpb', 'type': 'str', 'default': 'mp'}},
    'data_parallel_external_lb': {
        '0.11.1-': {'names': '--data-parallel-external-lb -dpe', 'action': 'bool', 'field': 'ParallelConfig.data_parallel_external_lb', 'default': False},
    },
    'data_parallel_hybrid_lb': {
        '0.10.0-0.11.0': {'names': '--data-parallel-hybrid-lb', 'action': 'bool', 'field': 'ParallelConfig.data_parallel_hybrid_lb', 'default': False},
        '0.11.1-': {'names': '--data-parallel-hybrid-lb -dph', 'action': 'bool', 'field': 'ParallelConfig.data_parallel_hybrid_lb', 'default': False},
    },
    'data_parallel_multi_port_external_lb': {'0.22.0-': {'names': '--data-parallel-multi-port-external-lb -dpm', 'action': 'true', 'default': False}},
    'data_parallel_rank': {'0.10.0-': {'names': '--data-parallel-rank -dpn', 'type': 'int'}},
    'data_parallel_rpc_port': {'0.10.0-': {'names': '--data-parallel-rpc-port -dpp', 'type': 'int'}},
    'data_parallel_size': {
        '0.10.0-0.22.1': {'names': '--data-parallel-size -dp', 'type': 'int', 'field': 'ParallelConfig.data_parallel_size', 'default': 1},
        '0.23.0-': {'names': '--data-parallel-size -dp', 'type': 'int', 'field': 'ParallelConfig.data_parallel_size', 'bounds': {'ge': 1}, 'default': 1},
    },
    'data_parallel_size_local': {'0.10.0-': {'names': '--data-parallel-size-local -dpl', 'type': 'int'}},
    'data_parallel_start_rank': {'0.10.0-': {'names': '--data-parallel-start-rank -dpr', 'type': 'int'}},
    'data_parallel_supervisor_port': {'0.22.0-': {'names': '--data-parallel-supervisor-port', 'type': 'int', 'default': 9256}},
    'dbo_decode_token_threshold': {
        '0.11.0-0.22.1': {'names': '--dbo-decode-token-threshold', 'type': 'int', 'field': 'ParallelConfig.dbo_decode_token_threshold', 'default': 32},
        '0.23.0-': {
            'names': '--dbo-decode-token-threshold',
            'type': 'int',
            'field': 'ParallelConfig.dbo_decode_token_threshold',
            'bounds': {'ge': 0},
            'default': 32,
        },
    },
    'dbo_prefill_token_threshold': {
        '0.11.0-0.22.1': {'names': '--dbo-prefill-token-threshold', 'type': 'int', 'field': 'ParallelConfig.dbo_prefill_token_threshold', 'default': 512},
        '0.23.0-': {
            'names': '--dbo-prefill-token-threshold',
            'type': 'int',
            'field': 'ParallelConfig.dbo_prefill_token_threshold',
            'bounds': {'ge': 0},
            'default': 512,
        },
    },
    'dcp_comm_backend': {
        '0.18.0-0.28.0': {'names': '--dcp-comm-backend', 'type': 'str', 'choices': True, 'field': 'ParallelConfig.dcp_comm_backend', 'default': 'ag_rs'},
        '0.29.0-': {'names': '--dcp-comm-backend', 'type': 'optional str', 'choices': True, 'field': 'ParallelConfig.dcp_comm_backend'},
    },
    'dcp_kv_cache_interleave_size': {
        '0.11.1-': {'names': '--dcp-kv-cache-interleave-size', 'type': 'int', 'field': 'ParallelConfig.dcp_kv_cache_interleave_size', 'default': 1},
    },
    'dcp_q_replicate': {'0.29.0-': {'names': '--dcp-q-replicate', 'action': 'bool', 'field': 'ParallelConfig.dcp_q_replicate'}},
    'decode_context_parallel_size': {
        '0.10.2-0.22.1': {
            'names': '--decode-context-parallel-size -dcp',
            'type': 'int',
            'field': 'ParallelConfig.decode_context_parallel_size',
            'default': 1,
        },
        '0.23.0-': {
            'names': '--decode-context-parallel-size -dcp',
            'type': 'int',
            'field': 'ParallelConfig.decode_context_parallel_size',
            'bounds': {'ge': 1},
            'default': 1,
        },
    },
    'default_chat_template_kwargs': {'0.14.0-': {'names': '--default-chat-template-kwargs', 'type': 'json'}},
    'default_mm_loras': {'0.10.0-': {'names': '--default-mm-loras', 'type': 'optional parsed_json', 'field': 'LoRAConfig.default_mm_loras'}},
    'device_ids': {'0.24.0-': {'names': '--device-ids', 'type': 'device_ids'}},
    'diffusion_config': {'0.24.0-': {'names': '--diffusion-config -dc', 'type': 'optional json', 'field': 'VllmConfig.diffusion_config'}},
    'disable_access_log_for_endpoints': {'0.16.0-': {'names': '--disable-access-log-for-endpoints', 'type': 'optional str'}},
    'disable_async_output_proc': {'0.10.0-0.10.2': {'names': '--disable-async-output-proc', 'action': 'true', 'default': False}},
    'disable_cascade_attn': {
        '0.10.0-0.17.1': {'names': '--disable-cascade-attn', 'action': 'bool', 'field': 'ModelConfig.disable_cascade_attn', 'default': False},
        '0.18.0-0.31.0': {'names': '--disable-cascade-attn', 'action': 'bool', 'field': 'ModelConfig.disable_cascade_attn', 'default': True},
        '0.32.0-0.32.0': {'names': '--disable-cascade-attn', 'action': 'bool'},
        '0.33.0-': {'names': '--disable-cascade-attn', 'off': '--enable-cascade-attn --no-disable-cascade-attn', 'action': 'bool'},
    },
    'disable_chunked_mm_input': {
        '0.10.0-0.32.0': {'names': '--disable-chunked-mm-input', 'action': 'bool', 'field': 'SchedulerConfig.disable_chunked_mm_input', 'default': False},
        '0.33.0-': {
            'names': '--disable-chunked-mm-input',
            'off': '--enable-chunked-mm-input --no-disable-chunked-mm-input',
            'action': 'bool',
            'field': 'SchedulerConfig.disable_chunked_mm_input',
            'default': False,
        },
    },
    'disable_custom_all_reduce': {
        '0.10.0-0.32.0': {'names': '--disable-custom-all-reduce', 'action': 'bool', 'field': 'ParallelConfig.disable_custom_all_reduce', 'default': False},
        '0.33.0-': {
            'names': '--disable-custom-all-reduce',
            'off': '--enable-custom-all-reduce --no-disable-custom-all-reduce',
            'action': 'bool',
            'field': 'ParallelConfig.disable_custom_all_reduce',
            'default': False,
        },
    },
    'disable_fastapi_docs': {
        '0.10.0-0.32.0': {'names': '--disable-fastapi-docs', 'action': 'bool', 'default': False},
        '0.33.0-': {'names': '--disable-fastapi-docs', 'off': '--enable-fastapi-docs --no-disable-fastapi-docs', 'action': 'bool', 'default': False},
    },
    'disable_frontend_multiprocessing': {'0.10.0-0.18.1': {'names': '--disable-frontend-multiprocessing', 'action': 'bool', 'default': False}},
    'disable_hybrid_kv_cache_manager': {
        '0.10.0-0.12.0': {
            'names': '--disable-hybrid-kv-cache-manager',
            'action': 'bool',
            'field': 'SchedulerConfig.disable_hybrid_kv_cache_manager',
            'default': False,
        },
        '0.13.0-0.32.0': {'names': '--disable-hybrid-kv-cache-manager', 'action': 'bool', 'field': 'SchedulerConfig.disable_hybrid_kv_cache_manager'},
        '0.33.0-': {
            'names': '--disable-hybrid-kv-cache-manager',
            'off': '--enable-hybrid-kv-cache-manager --no-disable-hybrid-kv-cache-manager',
            'action': 'bool',
            'field': 'SchedulerConfig.disable_hybrid_kv_cache_manager',
        },
    },
    'disable_log_requests': {
        '0.10.0-0.10.0': {'names': '--disable-log-requests', 'action': 'true', 'default': False},
        '0.10.1-0.16.0': {'names': '--disable-log-requests', 'action': 'bool', 'deprecated': True, 'default': True},
    },
    'disable_log_stats': {'0.10.0-': {'names': '--disable-log-stats', 'action': 'true', 'default': False}},
    'disable_mm_preprocessor_cache': {
        '0.10.0-0.10.0': {
            'names': '--disable-mm-preprocessor-cache',
            'action': 'bool',
            'field': 'MultiModalConfig.disable_mm_preprocessor_cache',
            'default': False,
        },
        '0.10.1-0.12.0': {'names': '--disable-mm-preprocessor-cache', 'action': 'true', 'deprecated': True, 'default': False},
    },
    'disable_nccl_for_dp_synchronization': {
        '0.11.1-0.13.0': {
            'names': '--disable-nccl-for-dp-synchronization',
            'action': 'bool',
            'field': 'ParallelConfig.disable_nccl_for_dp_synchronization',
            'default': False,
        },
        '0.14.0-0.32.0': {
            'names': '--disable-nccl-for-dp-synchronization',
            'action': 'bool',
            'field': 'ParallelConfig.disable_nccl_for_dp_synchronization',
        },
        '0.33.0-': {
            'names': '--disable-nccl-for-dp-synchronization',
            'off': '--enable-nccl-for-dp-synchronization --no-disable-nccl-for-dp-synchronization',
            'action': 'bool',
            'field': 'ParallelConfig.disable_nccl_for_dp_synchronization',
        },
    },
    'disable_sliding_window': {
        '0.10.0-0.32.0': {'names': '--disable-sliding-window', 'action': 'bool', 'field': 'ModelConfig.disable_sliding_window', 'default': False},
        '0.33.0-': {
            'names': '--disable-sliding-window',
            'off': '--enable-sliding-window --no-disable-sliding-window',
            'action': 'bool',
            'field': 'ModelConfig.disable_sliding_window',
            'default': False,
        },
    },
    'disable_uvicorn_access_log': {
        '0.10.0-0.32.0': {'names': '--disable-uvicorn-access-log', 'action': 'bool', 'default': False},
        '0.33.0-': {
            'names': '--disable-uvicorn-access-log',
            'off': '--enable-uvicorn-access-log --no-disable-uvicorn-access-log',
            'action': 'bool',
            'default': False,
        },
    },
    'distributed_executor_backend': {
        '0.10.0-0.10.1': {
            'names': '--distributed-executor-backend',
            'type': 'optional str',
            'choices': True,
            'field': 'ParallelConfig.distributed_executor_backend',
        },
        '0.10.2-': {'names': '--distributed-executor-backend', 'type': 'optional str', 'field': 'ParallelConfig.distributed_executor_backend'},
    },
    'distributed_timeout_seconds': {
        '0.18.0-': {'names': '--distributed-timeout-seconds', 'type': 'optional int', 'field': 'ParallelConfig.distributed_timeout_seconds'},
    },
    'download_dir': {'0.10.0-': {'names': '--download-dir', 'type': 'optional str', 'field': 'LoadConfig.download_dir'}},
    'dp_supervisor_probe_failure_threshold': {'0.22.0-': {'names': '--dp-supervisor-probe-failure-threshold', 'type': 'int', 'default': 3}},
    'dp_supervisor_probe_interval_s': {'0.22.0-': {'names': '--dp-supervisor-probe-interval-s', 'type': 'float', 'default': 5.0}},
    'dp_supervisor_probe_timeout_s': {'0.22.0-': {'names': '--dp-supervisor-probe-timeout-s', 'type': 'float', 'default': 5.0}},
    'dp_sync_interval': {
        '0.30.0-': {'names': '--dp-sync-interval', 'type': 'int', 'field': 'ParallelConfig.dp_sync_interval', 'bounds': {'ge': 1}, 'default': 16},
    },
    'dtype': {'0.10.0-': {'names': '--dtype', 'type': 'str', 'choices': True, 'field': 'ModelConfig.dtype', 'default': 'auto'}},
    'ec_manager_config': {
        '0.28.0-': {'names': '--ec-manager-config', 'type': 'class EncoderCacheManagerConfig', 'field': 'VllmConfig.ec_manager_config', 'default': {}},
    },
    'ec_transfer_config': {
        '0.11.1-': {'names': '--ec-transfer-config', 'type': 'optional class ECTransferConfig', 'field': 'VllmConfig.ec_transfer_config'},
    },
    'elastic_ep_max_dp_size': {
        '0.30.0-': {'names': '--elastic-ep-max-dp-size', 'type': 'int', 'field': 'ParallelConfig.elastic_ep_max_dp_size', 'bounds': {'ge': 1}},
    },
    'enable_auto_tool_choice': {
        '0.10.0-0.32.0': {'names': '--enable-auto-tool-choice', 'action': 'bool', 'default': False},
        '0.33.0-': {
            'names': '--enable-auto-tool-choice',
            'off': '--disable-auto-tool-choice --no-enable-auto-tool-choice',
            'action': 'bool',
            'default': False,
        },
    },
    'enable_batch_sharded_sampling': {
        '0.29.0-0.32.0': {'names': '--enable-batch-sharded-sampling', 'action': 'bool', 'field': 'ParallelConfig.enable_batch_sharded_sampling'},
        '0.33.0-': {
            'names': '--enable-batch-sharded-sampling',
            'off': '--disable-batch-sharded-sampling --no-enable-batch-sharded-sampling',
            'action': 'bool',
            'field': 'ParallelConfig.enable_batch_sharded_sampling',
        },
    },
    'enable_bf16x3_router_gemm': {
        '0.26.0-0.29.0': {'names': '--enable-bf16x3-router-gemm', 'action': 'bool', 'field': 'KernelConfig.enable_bf16x3_router_gemm', 'default': False},
    },
    'enable_chunked_prefill': {
        '0.10.0-0.32.0': {'names': '--enable-chunked-prefill', 'action': 'bool', 'field': 'SchedulerConfig.enable_chunked_prefill'},
        '0.33.0-': {
            'names': '--enable-chunked-prefill',
            'off': '--disable-chunked-prefill --no-enable-chunked-prefill',
            'action': 'bool',
            'field': 'SchedulerConfig.enable_chunked_prefill',
        },
    },
    'enable_cumem_allocator': {
        '0.22.0-0.32.0': {'names': '--enable-cumem-allocator', 'action': 'bool', 'field': 'ModelConfig.enable_cumem_allocator', 'default': False},
        '0.33.0-': {
            'names': '--enable-cumem-allocator',
            'off': '--disable-cumem-allocator --no-enable-cumem-allocator',
            'action': 'bool',
            'field': 'ModelConfig.enable_cumem_allocator',
            'default': False,
        },
    },
    'enable_dbo': {
        '0.11.0-0.32.0': {'names': '--enable-dbo', 'action': 'bool', 'field': 'ParallelConfig.enable_dbo', 'default': False},
        '0.33.0-': {
            'names': '--enable-dbo',
            'off': '--disable-dbo --no-enable-dbo',
            'action': 'bool',
            'field': 'ParallelConfig.enable_dbo',
            'default': False,
        },
    },
    'enable_elastic_ep': {
        '0.17.0-0.32.0': {'names': '--enable-elastic-ep', 'action': 'bool', 'field': 'ParallelConfig.enable_elastic_ep', 'default': False},
        '0.33.0-': {
            'names': '--enable-elastic-ep',
            'off': '--disable-elastic-ep --no-enable-elastic-ep',
            'action': 'bool',
            'field': 'ParallelConfig.enable_elastic_ep',
            'default': False,
        },
    },
    'enable_ep_weight_filter': {
        '0.18.0-0.32.0': {'names': '--enable-ep-weight-filter', 'action': 'bool', 'field': 'ParallelConfig.enable_ep_weight_filter', 'default': False},
        '0.33.0-': {
            'names': '--enable-ep-weight-filter',
            'off': '--disable-ep-weight-filter --no-enable-ep-weight-filter',
            'action': 'bool',
            'field': 'ParallelConfig.enable_ep_weight_filter',
            'default': False,
        },
    },
    'enable_eplb': {
        '0.10.0-0.32.0': {'names': '--enable-eplb', 'action': 'bool', 'field': 'ParallelConfig.enable_eplb', 'default': False},
        '0.33.0-': {
            'names': '--enable-eplb',
            'off': '--disable-eplb --no-enable-eplb',
            'action': 'bool',
            'field': 'ParallelConfig.enable_eplb',
            'default': False,
        },
    },
    'enable_expert_parallel': {
        '0.10.0-0.13.0': {'names': '--enable-expert-parallel', 'action': 'bool', 'field': 'ParallelConfig.enable_expert_parallel', 'default': False},
        '0.14.0-0.32.0': {'names': '--enable-expert-parallel -ep', 'action': 'bool', 'field': 'ParallelConfig.enable_expert_parallel', 'default': False},
        '0.33.0-': {
            'names': '--enable-expert-parallel -ep',
            'off': '--disable-expert-parallel --no-enable-expert-parallel',
            'action': 'bool',
            'field': 'ParallelConfig.enable_expert_parallel',
            'default': False,
        },
    },
    'enable_fault_tolerance': {
        '0.27.0-0.32.0': {'names': '--enable-fault-tolerance', 'action': 'bool', 'field': 'ParallelConfig.enable_fault_tolerance', 'default': False},
        '0.33.0-': {
            'names': '--enable-fault-tolerance',
            'off': '--disable-fault-tolerance --no-enable-fault-tolerance',
            'action': 'bool',
            'field': 'ParallelConfig.enable_fault_tolerance',
            'default': False,
        },
    },
    'enable_flash_late_interaction': {
        '0.20.0-0.32.0': {'names': '--enable-flash-late-interaction', 'action': 'bool', 'default': True},
        '0.33.0-': {
            'names': '--enable-flash-late-interaction',
            'off': '--disable-flash-late-interaction --no-enable-flash-late-interaction',
            'action': 'bool',
            'default': True,
        },
    },
    'enable_flashinfer_autotune': {
        '0.16.0-0.32.0': {'names': '--enable-flashinfer-autotune', 'action': 'bool', 'field': 'KernelConfig.enable_flashinfer_autotune'},
        '0.33.0-': {
            'names': '--enable-flashinfer-autotune',
            'off': '--disable-flashinfer-autotune --no-enable-flashinfer-autotune',
            'action': 'bool',
            'field': 'KernelConfig.enable_flashinfer_autotune',
        },
    },
    'enable_force_include_usage': {
        '0.10.0-0.32.0': {'names': '--enable-force-include-usage', 'action': 'bool', 'default': False},
        '0.33.0-': {
            'names': '--enable-force-include-usage',
            'off': '--disable-force-include-usage --no-enable-force-include-usage',
            'action': 'bool',
            'default': False,
        },
    },
    'enable_hc_sp': {
        '0.32.0-0.32.0': {'names': '--enable-hc-sp', 'action': 'bool', 'field': 'ParallelConfig.enable_hc_sp', 'default': False},
        '0.33.0-': {
            'names': '--enable-hc-sp',
            'off': '--disable-hc-sp --no-enable-hc-sp',
            'action': 'bool',
            'field': 'ParallelConfig.enable_hc_sp',
            'default': False,
        },
    },
    'enable_layerwise_nvtx_tracing': {
        '0.13.0-0.32.0': {
            'names': '--enable-layerwise-nvtx-tracing',
            'action': 'bool',
            'field': 'ObservabilityConfig.enable_layerwise_nvtx_tracing',
            'default': False,
        },
        '0.33.0-': {
            'names': '--enable-layerwise-nvtx-tracing',
            'off': '--disable-layerwise-nvtx-tracing --no-enable-layerwise-nvtx-tracing',
            'action': 'bool',
            'field': 'ObservabilityConfig.enable_layerwise_nvtx_tracing',
            'default': False,
        },
    },
    'enable_log_deltas': {
        '0.14.0-0.32.0': {'names': '--enable-log-deltas', 'action': 'bool', 'default': True},
        '0.33.0-': {'names': '--enable-log-deltas', 'off': '--disable-log-deltas --no-enable-log-deltas', 'action': 'bool', 'default': True},
    },
    'enable_log_outputs': {
        '0.10.1-0.32.0': {'names': '--enable-log-outputs', 'action': 'bool', 'default': False},
        '0.33.0-': {'names': '--enable-log-outputs', 'off': '--disable-log-outputs --no-enable-log-outputs', 'action': 'bool', 'default': False},
    },
    'enable_log_requests': {
        '0.10.1-0.32.0': {'names': '--enable-log-requests', 'action': 'bool', 'default': False},
        '0.33.0-': {'names': '--enable-log-requests', 'off': '--disable-log-requests --no-enable-log-requests', 'action': 'bool', 'default': False},
    },
    'enable_logging_iteration_details': {
        '0.14.0-0.32.0': {
            'names': '--enable-logging-iteration-details',
            'action': 'bool',
            'field': 'ObservabilityConfig.enable_logging_iteration_details',
            'default': False,
        },
        '0.33.0-': {
            'names': '--enable-logging-iteration-details',
            'off': '--disable-logging-iteration-details --no-enable-logging-iteration-details',
            'action': 'bool',
            'field': 'ObservabilityConfig.enable_logging_iteration_details',
            'default': False,
        },
    },
    'enable_lora': {
        '0.10.0-0.32.0': {'names': '--enable-lora', 'action': 'bool'},
        '0.33.0-': {'names': '--enable-lora', 'off': '--disable-lora --no-enable-lora', 'action': 'bool'},
    },
    'enable_lora_bias': {'0.10.0-0.11.0': {'names': '--enable-lora-bias', 'action': 'bool', 'field': 'LoRAConfig.bias_enabled', 'default': False}},
    'enable_mamba_cache_stochastic_rounding': {
        '0.20.0-0.32.0': {
            'names': '--enable-mamba-cache-stochastic-rounding',
            'action': 'bool',
            'field': 'MambaConfig.enable_stochastic_rounding',
            'default': False,
        },
        '0.33.0-': {
            'names': '--enable-mamba-cache-stochastic-rounding',
            'off': '--disable-mamba-cache-stochastic-rounding --no-enable-mamba-cache-stochastic-rounding',
            'action': 'bool',
            'field': 'MambaConfig.enable_stochastic_rounding',
            'default': False,
        },
    },
    'enable_mamba_fine_grained_prefix_cache': {
        '0.30.0-0.30.0': {
            'names': '--enable-mamba-fine-grained-prefix-cache',
            'action': 'bool',
            'field': 'CacheConfig.enable_mamba_fine_grained_prefix_cache',
            'default': False,
        },
    },
    'enable_mamba_shared_prefix_checkpoint': {
        '0.31.0-0.32.0': {
            'names': '--enable-mamba-shared-prefix-checkpoint',
            'action': 'bool',
            'field': 'CacheConfig.enable_mamba_shared_prefix_checkpoint',
            'default': False,
        },
        '0.33.0-': {
            'names': '--enable-mamba-shared-prefix-checkpoint',
            'off': '--disable-mamba-shared-prefix-checkpoint --no-enable-mamba-shared-prefix-checkpoint',
            'action': 'bool',
            'field': 'CacheConfig.enable_mamba_shared_prefix_checkpoint',
            'default': False,
        },
    },
    'enable_mfu_metrics': {
        '0.14.0-0.32.0': {'names': '--enable-mfu-metrics', 'action': 'bool', 'field': 'ObservabilityConfig.enable_mfu_metrics', 'default': False},
        '0.33.0-': {
            'names': '--enable-mfu-metrics',
            'off': '--disable-mfu-metrics --no-enable-mfu-metrics',
            'action': 'bool',
            'field': 'ObservabilityConfig.enable_mfu_metrics',
            'default': False,
        },
    },
    'enable_mixed_moe_lora_format': {
        '0.22.0-0.32.0': {
            'names': '--enable-mixed-moe-lora-format',
            'action': 'bool',
            'field': 'LoRAConfig.enable_mixed_moe_lora_format',
            'default': False,
        },
        '0.33.0-': {
            'names': '--enable-mixed-moe-lora-format',
            'off': '--disable-mixed-moe-lora-format --no-enable-mixed-moe-lora-format',
            'action': 'bool',
            'field': 'LoRAConfig.enable_mixed_moe_lora_format',
            'default': False,
        },
    },
    'enable_mm_embeds': {
        '0.11.1-0.32.0': {'names': '--enable-mm-embeds', 'action': 'bool', 'field': 'MultiModalConfig.enable_mm_embeds', 'default': False},
        '0.33.0-': {
            'names': '--enable-mm-embeds',
            'off': '--disable-mm-embeds --no-enable-mm-embeds',
            'action': 'bool',
            'field': 'MultiModalConfig.enable_mm_embeds',
            'default': False,
        },
    },
    'enable_moe_shared_loras': {
        '0.26.0-0.32.0': {'names': '--enable-moe-shared-loras', 'action': 'bool', 'field': 'LoRAConfig.enable_moe_shared_loras', 'default': False},
        '0.33.0-': {
            'names': '--enable-moe-shared-loras',
            'off': '--disable-moe-shared-loras --no-enable-moe-shared-loras',
            'action': 'bool',
            'field': 'LoRAConfig.enable_moe_shared_loras',
            'default': False,
        },
    },
    'enable_multimodal_encoder_data_parallel': {
        '0.10.0-0.10.1': {
            'names': '--enable-multimodal-encoder-data-parallel',
            'action': 'bool',
            'field': 'ParallelConfig.enable_multimodal_encoder_data_parallel',
            'default': False,
        },
        '0.10.2-0.12.0': {'names': '--enable-multimodal-encoder-data-parallel', 'action': 'true', 'deprecated': True, 'default': False},
    },
    'enable_nccl_comm_suspend': {
        '0.30.0-0.32.0': {'names': '--enable-nccl-comm-suspend', 'action': 'bool', 'field': 'ModelConfig.enable_nccl_comm_suspend', 'default': False},
        '0.33.0-': {
            'names': '--enable-nccl-comm-suspend',
            'off': '--disable-nccl-comm-suspend --no-enable-nccl-comm-suspend',
            'action': 'bool',
            'field': 'ModelConfig.enable_nccl_comm_suspend',
            'default': False,
        },
    },
    'enable_offline_docs': {
        '0.14.0-0.32.0': {'names': '--enable-offline-docs', 'action': 'bool', 'default': False},
        '0.33.0-': {'names': '--enable-offline-docs', 'off': '--disable-offline-docs --no-enable-offline-docs', 'action': 'bool', 'default': False},
    },
    'enable_per_request_metrics': {
        '0.25.0-0.32.0': {'names': '--enable-per-request-metrics', 'action': 'bool', 'default': False},
        '0.33.0-': {
            'names': '--enable-per-request-metrics',
            'off': '--disable-per-request-metrics --no-enable-per-request-metrics',
            'action': 'bool',
            'default': False,
        },
    },
    'enable_prefix_caching': {
        '0.10.0-0.32.0': {'names': '--enable-prefix-caching', 'action': 'bool', 'field': 'CacheConfig.enable_prefix_caching'},
        '0.33.0-': {
            'names': '--enable-prefix-caching',
            'off': '--disable-prefix-caching --no-enable-prefix-caching',
            'action': 'bool',
            'field': 'CacheConfig.enable_prefix_caching',
        },
    },
    'enable_prompt_adapter': {'0.10.0-0.10.1': {'names': '--enable-prompt-adapter', 'action': 'true', 'deprecated': True, 'default': False}},
    'enable_prompt_embeds': {
        '0.10.0-0.32.0': {'names': '--enable-prompt-embeds', 'action': 'bool', 'field': 'ModelConfig.enable_prompt_embeds', 'default': False},
        '0.33.0-': {
            'names': '--enable-prompt-embeds',
            'off': '--disable-prompt-embeds --no-enable-prompt-embeds',
            'action': 'bool',
            'field': 'ModelConfig.enable_prompt_embeds',
            'default': False,
        },
    },
    'enable_prompt_tokens_details': {
        '0.10.0-0.32.0': {'names': '--enable-prompt-tokens-details', 'action': 'bool', 'default': False},
        '0.33.0-': {
            'names': '--enable-prompt-tokens-details',
            'off': '--disable-prompt-tokens-details --no-enable-prompt-tokens-details',
            'action': 'bool',
            'default': False,
        },
    },
    'enable_request_id_headers': {
        '0.10.0-0.32.0': {'names': '--enable-request-id-headers', 'action': 'bool', 'default': False},
        '0.33.0-': {
            'names': '--enable-request-id-headers',
            'off': '--disable-request-id-headers --no-enable-request-id-headers',
            'action': 'bool',
            'default': False,
        },
    },
    'enable_return_routed_experts': {
        '0.14.0-0.30.0': {
            'names': '--enable-return-routed-experts',
            'action': 'bool',
            'field': 'ModelConfig.enable_return_routed_experts',
            'default': False,
        },
        '0.31.0-0.32.0': {
            'names': '--enable-return-routed-experts',
            'action': 'bool',
            'field': 'AuxOutputConfig.enable_return_routed_experts',
            'default': False,
        },
        '0.33.0-': {
            'names': '--enable-return-routed-experts',
            'off': '--disable-return-routed-experts --no-enable-return-routed-experts',
            'action': 'bool',
            'field': 'AuxOutputConfig.enable_return_routed_experts',
            'default': False,
        },
    },
    'enable_scale_out': {
        '0.30.0-0.32.0': {'names': '--enable-scale-out', 'action': 'bool', 'default': False},
        '0.33.0-': {'names': '--enable-scale-out', 'off': '--disable-scale-out --no-enable-scale-out', 'action': 'bool', 'default': False},
    },
    'enable_server_load_tracking': {
        '0.10.0-0.32.0': {'names': '--enable-server-load-tracking', 'action': 'bool', 'default': False},
        '0.33.0-': {
            'names': '--enable-server-load-tracking',
            'off': '--disable-server-load-tracking --no-enable-server-load-tracking',
            'action': 'bool',
            'default': False,
        },
    },
    'enable_shm_tensor_arena': {
        '0.32.0-0.32.0': {'names': '--enable-shm-tensor-arena', 'action': 'bool', 'field': 'ParallelConfig.enable_shm_tensor_arena', 'default': False},
        '0.33.0-': {
            'names': '--enable-shm-tensor-arena',
            'off': '--disable-shm-tensor-arena --no-enable-shm-tensor-arena',
            'action': 'bool',
            'field': 'ParallelConfig.enable_shm_tensor_arena',
            'default': False,
        },
    },
    'enable_sleep_mode': {
        '0.10.0-0.32.0': {'names': '--enable-sleep-mode', 'action': 'bool', 'field': 'ModelConfig.enable_sleep_mode', 'default': False},
        '0.33.0-': {
            'names': '--enable-sleep-mode',
            'off': '--disable-sleep-mode --no-enable-sleep-mode',
            'action': 'bool',
            'field': 'ModelConfig.enable_sleep_mode',
            'default': False,
        },
    },
    'enable_ssl_refresh': {
        '0.10.0-0.32.0': {'names': '--enable-ssl-refresh', 'action': 'bool', 'default': False},
        '0.33.0-': {'names': '--enable-ssl-refresh', 'off': '--disable-ssl-refresh --no-enable-ssl-refresh', 'action': 'bool', 'default': False},
    },
    'enable_tokenizer_info_endpoint': {
        '0.10.0-0.32.0': {'names': '--enable-tokenizer-info-endpoint', 'action': 'bool', 'default': False},
        '0.33.0-': {
            'names': '--enable-tokenizer-info-endpoint',
            'off': '--disable-tokenizer-info-endpoint --no-enable-tokenizer-info-endpoint',
            'action': 'bool',
            'default': False,
        },
    },
    'enable_tower_connector_lora': {
        '0.14.0-0.32.0': {'names': '--enable-tower-connector-lora', 'action': 'bool', 'field': 'LoRAConfig.enable_tower_connector_lora', 'default': False},
        '0.33.0-': {
            'names': '--enable-tower-connector-lora',
            'off': '--disable-tower-connector-lora --no-enable-tower-connector-lora',
            'action': 'bool',
            'field': 'LoRAConfig.enable_tower_connector_lora',
            'default': False,
        },
    },
    'enable_trace_replay': {
        '0.29.0-0.32.0': {'names': '--enable-trace-replay', 'action': 'bool', 'field': 'ModelConfig.enable_trace_replay', 'default': False},
        '0.33.0-': {
            'names': '--enable-trace-replay',
            'off': '--disable-trace-replay --no-enable-trace-replay',
            'action': 'bool',
            'field': 'ModelConfig.enable_trace_replay',
            'default': False,
        },
    },
    'enforce_eager': {'0.10.0-': {'names': '--enforce-eager', 'action': 'bool', 'field': 'ModelConfig.enforce_eager', 'default': False}},
    'engram_config': {'0.30.0-': {'names': '--engram-config', 'type': 'optional class EngramConfig', 'field': 'VllmConfig.engram_config'}},
    'eplb_config': {'0.10.2-': {'names': '--eplb-config', 'type': 'class EPLBConfig', 'field': 'ParallelConfig.eplb_config', 'default': {}}},
    'eplb_log_balancedness': {
        '0.10.0-0.10.1': {'names': '--eplb-log-balancedness', 'action': 'bool', 'field': 'ParallelConfig.eplb_log_balancedness', 'default': False},
        '0.10.2-0.11.2': {'names': '--eplb-log-balancedness', 'action': 'bool', 'deprecated': True},
    },
    'eplb_step_interval': {
        '0.10.0-0.10.1': {'names': '--eplb-step-interval', 'type': 'int', 'field': 'ParallelConfig.eplb_step_interval', 'default': 3000},
        '0.10.2-0.11.2': {'names': '--eplb-step-interval', 'type': 'int', 'deprecated': True},
    },
    'eplb_window_size': {
        '0.10.0-0.10.1': {'names': '--eplb-window-size', 'type': 'int', 'field': 'ParallelConfig.eplb_window_size', 'default': 1000},
        '0.10.2-0.11.2': {'names': '--eplb-window-size', 'type': 'int', 'deprecated': True},
    },
    'exclude_tools_when_tool_choice_none': {'0.10.1-': {'names': '--exclude-tools-when-tool-choice-none', 'action': 'bool', 'default': False}},
    'expert_placement_strategy': {
        '0.11.0-': {
            'names': '--expert-placement-strategy',
            'type': 'str',
            'choices': True,
            'field': 'ParallelConfig.expert_placement_strategy',
            'default': 'linear',
        },
    },
    'fail_on_environ_validation': {'0.17.0-': {'names': '--fail-on-environ-validation', 'action': 'bool', 'default': False}},
    'fault_tolerance_config': {
        '0.27.0-': {
            'names': '--fault-tolerance-config',
            'type': 'class FaultToleranceConfig',
            'field': 'ParallelConfig.fault_tolerance_config',
            'default': {},
        },
    },
    'fingerprint_mode': {'0.21.0-': {'names': '--fingerprint-mode', 'type': 'str', 'choices': True, 'default': 'full'}},
    'fingerprint_value': {'0.21.0-': {'names': '--fingerprint-value', 'type': 'optional str'}},
    'fully_sharded_loras': {'0.10.0-': {'names': '--fully-sharded-loras', 'action': 'bool', 'field': 'LoRAConfig.fully_sharded_loras', 'default': False}},
    'gdn_prefill_backend': {'0.18.0-': {'names': '--gdn-prefill-backend', 'choices': True}},
    'generation_config': {'0.10.0-': {'names': '--generation-config', 'type': 'str', 'field': 'ModelConfig.generation_config', 'default': 'auto'}},
    'gpu_memory_utilization': {
        '0.10.0-0.11.0': {'names': '--gpu-memory-utilization', 'type': 'float', 'field': 'CacheConfig.gpu_memory_utilization', 'default': 0.9},
        '0.11.1-0.19.1': {
            'names': '--gpu-memory-utilization',
            'type': 'float',
            'field': 'CacheConfig.gpu_memory_utilization',
            'bounds': {'gt': 0, 'le': 1},
            'default': 0.9,
        },
        '0.20.0-0.30.0': {
            'names': '--gpu-memory-utilization',
            'type': 'float',
            'field': 'CacheConfig.gpu_memory_utilization',
            'bounds': {'gt': 0, 'le': 1},
            'default': 0.92,
        },
        '0.31.0-': {
            'names': '--gpu-memory-utilization --device-memory-utilization',
            'type': 'float',
            'field': 'CacheConfig.gpu_memory_utilization',
            'bounds': {'gt': 0, 'le': 1},
            'default': 0.92,
        },
    },
    'grpc': {'0.18.0-': {'names': '--grpc', 'action': 'true', 'default': False}},
    'grpc_port': {'0.32.0-': {'names': '--grpc-port', 'type': 'optional int'}},
    'guided_decoding_backend': {
        '0.10.0-0.10.2': {'names': '--guided-decoding-backend', 'type': 'str', 'choices': True, 'field': 'DecodingConfig.backend', 'default': 'auto'},
        '0.11.0-0.11.2': {'names': '--guided-decoding-backend', 'type': 'str', 'deprecated': True},
    },
    'guided_decoding_disable_additional_properties': {
        '0.10.0-0.10.2': {
            'names': '--guided-decoding-disable-additional-properties',
            'action': 'bool',
            'field': 'DecodingConfig.disable_additional_properties',
            'default': False,
        },
        '0.11.0-0.11.2': {'names': '--guided-decoding-disable-additional-properties', 'type': 'bool', 'deprecated': True},
    },
    'guided_decoding_disable_any_whitespace': {
        '0.10.0-0.10.2': {
            'names': '--guided-decoding-disable-any-whitespace',
            'action': 'bool',
            'field': 'DecodingConfig.disable_any_whitespace',
            'default': False,
        },
        '0.11.0-0.11.2': {'names': '--guided-decoding-disable-any-whitespace', 'type': 'bool', 'deprecated': True},
    },
    'guided_decoding_disable_fallback': {
        '0.10.0-0.10.2': {'names': '--guided-decoding-disable-fallback', 'action': 'bool', 'field': 'DecodingConfig.disable_fallback', 'default': False},
        '0.11.0-0.11.2': {'names': '--guided-decoding-disable-fallback', 'type': 'bool', 'deprecated': True},
    },
    'h11_max_header_count': {'0.10.1-': {'names': '--h11-max-header-count', 'type': 'int', 'default': 256}},
    'h11_max_incomplete_event_size': {'0.10.1-': {'names': '--h11-max-incomplete-event-size', 'type': 'int', 'default': 4194304}},
    'headless': {'0.10.0-': {'names': '--headless', 'action': 'true', 'default': False}},
    'help': {'0.10.0-': {'names': '-h --help', 'action': 'help'}},
    'hf_config_path': {'0.10.0-': {'names': '--hf-config-path', 'type': 'optional str', 'field': 'ModelConfig.hf_config_path'}},
    'hf_overrides': {'0.10.0-': {'names': '--hf-overrides', 'type': 'dict_or_str', 'field': 'ModelConfig.hf_overrides', 'default': {}}},
    'hf_token': {
        '0.10.0-0.20.2': {'names': '--hf-token', 'type': 'str', 'nargs': '?', 'const': True},
        '0.21.0-': {'names': '--hf-token', 'type': 'str', 'nargs': '?', 'const': True, 'field': 'ModelConfig.hf_token'},
    },
    'host': {'0.10.0-': {'names': '--host', 'type': 'optional str'}},
    'ignore_patterns': {
        '0.10.0-0.11.0': {'names': '--ignore-patterns', 'type': 'optional str', 'nargs': '+', 'field': 'LoadConfig.ignore_patterns'},
        '0.11.1-': {'names': '--ignore-patterns', 'type': 'str', 'nargs': '+', 'field': 'LoadConfig.ignore_patterns', 'default': ['original/**/*']},
    },
    'interleave_mm_strings': {
        '0.10.0-': {'names': '--interleave-mm-strings', 'action': 'bool', 'field': 'MultiModalConfig.interleave_mm_strings', 'default': False},
    },
    'io_processor_plugin': {'0.10.2-': {'names': '--io-processor-plugin', 'type': 'optional str', 'field': 'ModelConfig.io_processor_plugin'}},
    'ir_op_priority': {
        '0.20.0-': {'names': '--ir-op-priority', 'type': 'class IrOpPriorityConfig', 'field': 'KernelConfig.ir_op_priority', 'default': {}},
    },
    'jit_monitor_mode': {
        '0.25.0-': {'names': '--jit-monitor-mode', 'type': 'str', 'choices': True, 'field': 'ObservabilityConfig.jit_monitor_mode', 'default': 'warn'},
    },
    'jit_monitor_verbose': {
        '0.24.0-': {'names': '--jit-monitor-verbose', 'action': 'bool', 'field': 'ObservabilityConfig.jit_monitor_verbose', 'default': False},
    },
    'kda_decode_backend': {'0.30.0-': {'names': '--kda-decode-backend', 'choices': True}},
    'kda_prefill_backend': {'0.27.0-': {'names': '--kda-prefill-backend', 'choices': True}},
    'kernel_config': {'0.16.0-': {'names': '--kernel-config', 'type': 'class KernelConfig', 'field': 'VllmConfig.kernel_config', 'default': {}}},
    'kv_cache_dtype': {
        '0.10.0-0.32.0': {'names': '--kv-cache-dtype', 'type': 'str', 'choices': True, 'field': 'CacheConfig.cache_dtype', 'default': 'auto'},
        '0.33.0-': {'names': '--kv-cache-dtype', 'type': 'str', 'field': 'CacheConfig.cache_dtype', 'default': 'auto'},
    },
    'kv_cache_dtype_skip_layers': {
        '0.19.0-': {
            'names': '--kv-cache-dtype-skip-layers',
            'type': 'str',
            'nargs': '+',
            'field': 'CacheConfig.kv_cache_dtype_skip_layers',
            'default': [],
        },
    },
    'kv_cache_memory_bytes': {'0.10.2-': {'names': '--kv-cache-memory-bytes', 'type': 'optional human_int', 'field': 'CacheConfig.kv_cache_memory_bytes'}},
    'kv_cache_metrics': {'0.12.0-': {'names': '--kv-cache-metrics', 'action': 'bool', 'field': 'ObservabilityConfig.kv_cache_metrics', 'default': False}},
    'kv_cache_metrics_sample': {
        '0.12.0-': {
            'names': '--kv-cache-metrics-sample',
            'type': 'float',
            'field': 'ObservabilityConfig.kv_cache_metrics_sample',
            'bounds': {'gt': 0, 'le': 1},
            'default': 0.01,
        },
    },
    'kv_events_config': {'0.10.0-': {'names': '--kv-events-config', 'type': 'optional class KVEventsConfig', 'field': 'VllmConfig.kv_events_config'}},
    'kv_offloading_backend': {
        '0.11.1-0.13.0': {'names': '--kv-offloading-backend', 'type': 'optional str', 'choices': True, 'field': 'CacheConfig.kv_offloading_backend'},
        '0.14.0-': {'names': '--kv-offloading-backend', 'type': 'str', 'choices': True, 'field': 'CacheConfig.kv_offloading_backend', 'default': 'native'},
    },
    'kv_offloading_size': {'0.11.1-': {'names': '--kv-offloading-size', 'type': 'optional float', 'field': 'CacheConfig.kv_offloading_size'}},
    'kv_sharing_fast_prefill': {
        '0.10.1-': {'names': '--kv-sharing-fast-prefill', 'action': 'bool', 'field': 'CacheConfig.kv_sharing_fast_prefill', 'default': False},
    },
    'kv_transfer_config': {
        '0.10.0-': {'names': '--kv-transfer-config', 'type': 'optional class KVTransferConfig', 'field': 'VllmConfig.kv_transfer_config'},
    },
    'language_model_only': {
        '0.17.0-': {'names': '--language-model-only', 'action': 'bool', 'field': 'MultiModalConfig.language_model_only', 'default': False},
    },
    'limit_mm_per_prompt': {
        '0.10.0-': {'names': '--limit-mm-per-prompt', 'type': 'parsed_json', 'field': 'MultiModalConfig.limit_per_prompt', 'default': {}},
    },
    'linear_backend': {
        '0.22.0-': {'names': '--linear-backend', 'type': 'lower_underscore', 'choices': True, 'field': 'KernelConfig.linear_backend', 'default': 'auto'},
    },
    'load_format': {
        '0.10.0-0.10.0': {'names': '--load-format', 'type': 'str', 'choices': True, 'field': 'LoadConfig.load_format', 'default': 'auto'},
        '0.10.1-': {'names': '--load-format', 'type': 'str', 'field': 'LoadConfig.load_format', 'default': 'auto'},
    },
    'log_config_file': {
        '0.10.0-0.30.0': {'names': '--log-config-file', 'type': 'optional str'},
        '0.31.0-': {'names': '--log-config-file'},
    },
    'log_error_stack': {'0.10.2-': {'names': '--log-error-stack', 'action': 'bool', 'default': False}},
    'log_level': {'0.31.0-': {'names': '--log-level', 'choices': True}},
    'logging_config': {'0.31.0-': {'names': '--logging-config', 'type': 'class LoggingConfig', 'field': 'VllmConfig.logging_config'}},
    'logits_processor_pattern': {
        '0.10.0-0.16.0': {'names': '--logits-processor-pattern', 'type': 'optional str', 'field': 'ModelConfig.logits_processor_pattern'},
    },
    'logits_processors': {'0.10.1-': {'names': '--logits-processors', 'type': 'optional str', 'nargs': '+', 'field': 'ModelConfig.logits_processors'}},
    'logprobs_mode': {
        '0.10.0-': {'names': '--logprobs-mode', 'type': 'str', 'choices': True, 'field': 'ModelConfig.logprobs_mode', 'default': 'raw_logprobs'},
    },
    'long_prefill_token_threshold': {
        '0.10.0-0.24.0': {'names': '--long-prefill-token-threshold', 'type': 'int', 'field': 'SchedulerConfig.long_prefill_token_threshold', 'default': 0},
        '0.25.0-': {
            'names': '--long-prefill-token-threshold',
            'type': 'int',
            'field': 'SchedulerConfig.long_prefill_token_threshold',
            'bounds': {'ge': 0},
            'default': 0,
        },
    },
    'long_prefill_token_threshold_adaptive': {
        '0.31.0-': {
            'names': '--long-prefill-token-threshold-adaptive',
            'action': 'bool',
            'field': 'SchedulerConfig.long_prefill_token_threshold_adaptive',
            'default': False,
        },
    },
    'lora_dtype': {'0.10.0-': {'names': '--lora-dtype', 'type': 'str', 'choices': True, 'field': 'LoRAConfig.lora_dtype', 'default': 'auto'}},
    'lora_extra_vocab_size': {
        '0.10.0-0.11.0': {'names': '--lora-extra-vocab-size', 'type': 'int', 'field': 'LoRAConfig.lora_extra_vocab_size', 'default': 256},
        '0.11.1-0.11.2': {'names': '--lora-extra-vocab-size', 'type': 'int', 'choices': True, 'field': 'LoRAConfig.lora_extra_vocab_size', 'default': 256},
    },
    'lora_modules': {'0.10.0-': {'names': '--lora-modules', 'action': 'lora', 'type': 'optional str', 'nargs': '+'}},
    'lora_target_modules': {'0.19.0-': {'names': '--lora-target-modules', 'type': 'optional str', 'nargs': '+', 'field': 'LoRAConfig.target_modules'}},
    'mamba_backend': {'0.20.0-': {'names': '--mamba-backend', 'type': 'str', 'field': 'MambaConfig.backend', 'default': 'triton'}},
    'mamba_block_size': {'0.11.1-': {'names': '--mamba-block-size', 'type': 'optional int', 'field': 'CacheConfig.mamba_block_size', 'bounds': {'gt': 0}}},
    'mamba_cache_dtype': {
        '0.10.1-': {'names': '--mamba-cache-dtype', 'type': 'str', 'choices': True, 'field': 'CacheConfig.mamba_cache_dtype', 'default': 'auto'},
    },
    'mamba_cache_mode': {
        '0.15.0-0.32.0': {'names': '--mamba-cache-mode', 'type': 'str', 'choices': True, 'field': 'CacheConfig.mamba_cache_mode', 'default': 'none'},
        '0.33.0-': {'names': '--mamba-cache-mode', 'type': 'str', 'choices': True, 'field': 'CacheConfig.mamba_cache_mode'},
    },
    'mamba_cache_philox_rounds': {
        '0.20.0-': {'names': '--mamba-cache-philox-rounds', 'type': 'int', 'field': 'MambaConfig.stochastic_rounding_philox_rounds', 'default': 0},
    },
    'mamba_ssm_cache_dtype': {
        '0.10.1-': {'names': '--mamba-ssm-cache-dtype', 'type': 'str', 'choices': True, 'field': 'CacheConfig.mamba_ssm_cache_dtype', 'default': 'auto'},
    },
    'mamba_ssu_algorithm': {'0.27.0-': {'names': '--mamba-ssu-algorithm', 'type': 'optional str', 'choices': True, 'field': 'MambaConfig.ssu_algorithm'}},
    'master_addr': {'0.11.1-': {'names': '--master-addr', 'type': 'str', 'field': 'ParallelConfig.master_addr', 'default': '127.0.0.1'}},
    'master_port': {'0.11.1-': {'names': '--master-port', 'type': 'int', 'field': 'ParallelConfig.master_port', 'default': 29501}},
    'max_cpu_loras': {'0.10.0-': {'names': '--max-cpu-loras', 'type': 'optional int', 'field': 'LoRAConfig.max_cpu_loras'}},
    'max_cudagraph_capture_size': {
        '0.11.1-0.15.1': {'names': '--max-cudagraph-capture-size', 'type': 'optional int', 'field': 'CompilationConfig.max_cudagraph_capture_size'},
        '0.16.0-': {'names': '--max-cudagraph-capture-size', 'type': 'int', 'field': 'CompilationConfig.max_cudagraph_capture_size'},
    },
    'max_log_len': {'0.10.0-': {'names': '--max-log-len', 'type': 'optional int'}},
    'max_logprobs': {
        '0.10.0-0.24.0': {'names': '--max-logprobs', 'type': 'int', 'field': 'ModelConfig.max_logprobs', 'default': 20},
        '0.25.0-': {'names': '--max-logprobs', 'type': 'int', 'field': 'ModelConfig.max_logprobs', 'bounds': {'ge': -1}, 'default': 20},
    },
    'max_long_partial_prefills': {
        '0.10.0-0.11.0': {'names': '--max-long-partial-prefills', 'type': 'int', 'field': 'SchedulerConfig.max_long_partial_prefills', 'default': 1},
        '0.11.1-0.26.0': {
            'names': '--max-long-partial-prefills',
            'type': 'int',
            'field': 'SchedulerConfig.max_long_partial_prefills',
            'bounds': {'ge': 1},
            'default': 1,
        },
    },
    'max_lora_cls_labels': {
        '0.31.0-': {'names': '--max-lora-cls-labels', 'type': 'optional int', 'field': 'LoRAConfig.max_lora_cls_labels', 'bounds': {'ge': 1}},
    },
    'max_lora_rank': {
        '0.10.0-0.11.0': {'names': '--max-lora-rank', 'type': 'int', 'field': 'LoRAConfig.max_lora_rank', 'default': 16},
        '0.11.1-': {'names': '--max-lora-rank', 'type': 'int', 'choices': True, 'field': 'LoRAConfig.max_lora_rank', 'default': 16},
    },
    'max_loras': {
        '0.10.0-0.11.0': {'names': '--max-loras', 'type': 'int', 'field': 'LoRAConfig.max_loras', 'default': 1},
        '0.11.1-': {'names': '--max-loras', 'type': 'int', 'field': 'LoRAConfig.max_loras', 'bounds': {'ge': 1}, 'default': 1},
    },
    'max_model_len': {
        '0.10.0-0.12.0': {'names': '--max-model-len', 'type': 'human_int', 'field': 'ModelConfig.max_model_len'},
        '0.13.0-0.13.0': {'names': '--max-model-len', 'type': 'human_int', 'field': 'ModelConfig.max_model_len', 'bounds': {'gt': 0}},
        '0.14.0-': {'names': '--max-model-len', 'type': 'human_int_or_auto', 'field': 'ModelConfig.max_model_len', 'bounds': {'ge': -1}},
    },
    'max_num_active_seqs': {
        '0.31.0-': {'names': '--max-num-active-seqs', 'type': 'optional int', 'field': 'SchedulerConfig.max_num_active_seqs', 'bounds': {'ge': 1}},
    },
    'max_num_batched_tokens': {
        '0.10.0-0.11.0': {'names': '--max-num-batched-tokens', 'type': 'human_int', 'field': 'SchedulerConfig.max_num_batched_tokens'},
        '0.11.1-': {'names': '--max-num-batched-tokens', 'type': 'human_int', 'field': 'SchedulerConfig.max_num_batched_tokens', 'bounds': {'ge': 1}},
    },
    'max_num_partial_prefills': {
        '0.10.0-0.11.0': {'names': '--max-num-partial-prefills', 'type': 'int', 'field': 'SchedulerConfig.max_num_partial_prefills', 'default': 1},
        '0.11.1-0.26.0': {
            'names': '--max-num-partial-prefills',
            'type': 'int',
            'field': 'SchedulerConfig.max_num_partial_prefills',
            'bounds': {'ge': 1},
            'default': 1,
        },
    },
    'max_num_queued_reqs': {
        '0.29.0-': {'names': '--max-num-queued-reqs', 'type': 'optional int', 'field': 'SchedulerConfig.max_num_queued_reqs', 'bounds': {'ge': 0}},
    },
    'max_num_queued_tokens': {
        '0.29.0-': {
            'names': '--max-num-queued-tokens',
            'type': 'optional human_int',
            'field': 'SchedulerConfig.max_num_queued_tokens',
            'bounds': {'ge': 0},
        },
    },
    'max_num_scheduled_tokens': {
        '0.26.0-0.31.0': {
            'names': '--max-num-scheduled-tokens',
            'type': 'optional human_int',
            'field': 'SchedulerConfig.max_num_scheduled_tokens',
            'bounds': {'ge': 0},
        },
        '0.32.0-': {
            'names': '--max-num-scheduled-tokens',
            'type': 'optional human_int',
            'field': 'SchedulerConfig.max_num_scheduled_tokens',
            'bounds': {'ge': 1},
        },
    },
    'max_num_seqs': {
        '0.10.0-0.11.0': {'names': '--max-num-seqs', 'type': 'int', 'field': 'SchedulerConfig.max_num_seqs'},
        '0.11.1-': {'names': '--max-num-seqs', 'type': 'int', 'field': 'SchedulerConfig.max_num_seqs', 'bounds': {'ge': 1}},
    },
    'max_parallel_loading_workers': {
        '0.10.0-0.22.1': {'names': '--max-parallel-loading-workers', 'type': 'optional int', 'field': 'ParallelConfig.max_parallel_loading_workers'},
        '0.23.0-': {
            'names': '--max-parallel-loading-workers',
            'type': 'optional int',
            'field': 'ParallelConfig.max_parallel_loading_workers',
            'bounds': {'ge': 1},
        },
    },
    'max_seq_len_to_capture': {
        '0.10.0-0.10.2': {'names': '--max-seq-len-to-capture', 'type': 'int', 'field': 'ModelConfig.max_seq_len_to_capture', 'default': 8192},
    },
    'media_io_kwargs': {'0.10.0-': {'names': '--media-io-kwargs', 'type': 'parsed_json', 'field': 'MultiModalConfig.media_io_kwargs', 'default': {}}},
    'middleware': {'0.10.0-': {'names': '--middleware', 'action': 'append', 'type': 'str', 'default': []}},
    'mm_device_do_normalize': {'0.28.0-': {'names': '--mm-device-do-normalize', 'action': 'bool', 'field': 'MultiModalConfig.mm_device_do_normalize'}},
    'mm_encoder_attn_backend': {
        '0.11.1-': {'names': '--mm-encoder-attn-backend', 'type': 'optional str', 'field': 'MultiModalConfig.mm_encoder_attn_backend'},
    },
    'mm_encoder_attn_dtype': {
        '0.21.0-': {'names': '--mm-encoder-attn-dtype', 'type': 'optional str', 'choices': True, 'field': 'MultiModalConfig.mm_encoder_attn_dtype'},
    },
    'mm_encoder_fp8_scale_path': {
        '0.21.0-': {'names': '--mm-encoder-fp8-scale-path', 'type': 'optional str', 'field': 'MultiModalConfig.mm_encoder_fp8_scale_path'},
    },
    'mm_encoder_fp8_scale_save_margin': {
        '0.21.0-': {
            'names': '--mm-encoder-fp8-scale-save-margin',
            'type': 'float',
            'field': 'MultiModalConfig.mm_encoder_fp8_scale_save_margin',
            'bounds': {'gt': 0.0},
            'default': 1.5,
        },
    },
    'mm_encoder_fp8_scale_save_path': {
        '0.21.0-': {'names': '--mm-encoder-fp8-scale-save-path', 'type': 'optional str', 'field': 'MultiModalConfig.mm_encoder_fp8_scale_save_path'},
    },
    'mm_encoder_only': {'0.15.0-': {'names': '--mm-encoder-only', 'action': 'bool', 'field': 'MultiModalConfig.mm_encoder_only', 'default': False}},
    'mm_encoder_tp_mode': {
        '0.10.2-': {'names': '--mm-encoder-tp-mode', 'type': 'str', 'choices': True, 'field': 'MultiModalConfig.mm_encoder_tp_mode', 'default': 'weights'},
    },
    'mm_hasher_algorithm': {
        '0.27.0-': {
            'names': '--mm-hasher-algorithm',
            'type': 'str',
            'choices': True,
            'field': 'MultiModalConfig.mm_hasher_algorithm',
            'default': 'blake3',
        },
    },
    'mm_ipc_gpu_memory_gb': {
        '0.25.0-': {
            'names': '--mm-ipc-gpu-memory-gb',
            'type': 'float',
            'field': 'MultiModalConfig.mm_ipc_gpu_memory_gb',
            'bounds': {'ge': 0},
            'default': 0,
        },
    },
    'mm_processor_cache_gb': {
        '0.10.1-0.10.1': {'names': '--mm-processor-cache-gb', 'type': 'int', 'field': 'MultiModalConfig.mm_processor_cache_gb', 'default': 4},
        '0.10.2-0.11.0': {'names': '--mm-processor-cache-gb', 'type': 'float', 'field': 'MultiModalConfig.mm_processor_cache_gb', 'default': 4},
        '0.11.1-': {
            'names': '--mm-processor-cache-gb',
            'type': 'float',
            'field': 'MultiModalConfig.mm_processor_cache_gb',
            'bounds': {'ge': 0},
            'default': 4,
        },
    },
    'mm_processor_cache_type': {
        '0.11.0-': {
            'names': '--mm-processor-cache-type',
            'type': 'str',
            'choices': True,
            'field': 'MultiModalConfig.mm_processor_cache_type',
            'default': 'lru',
        },
    },
    'mm_processor_device': {'0.28.0-': {'names': '--mm-processor-device', 'choices': True, 'default': 'auto'}},
    'mm_processor_kwargs': {
        '0.10.0-': {'names': '--mm-processor-kwargs', 'type': 'optional parsed_json', 'field': 'MultiModalConfig.mm_processor_kwargs'},
    },
    'mm_shm_cache_max_object_size_mb': {
        '0.11.0-0.11.0': {
            'names': '--mm-shm-cache-max-object-size-mb',
            'type': 'int',
            'field': 'MultiModalConfig.mm_shm_cache_max_object_size_mb',
            'default': 128,
        },
        '0.11.1-': {
            'names': '--mm-shm-cache-max-object-size-mb',
            'type': 'int',
            'field': 'MultiModalConfig.mm_shm_cache_max_object_size_mb',
            'bounds': {'ge': 0},
            'default': 128,
        },
    },
    'mm_tensor_ipc': {
        '0.19.0-': {'names': '--mm-tensor-ipc', 'type': 'str', 'choices': True, 'field': 'MultiModalConfig.mm_tensor_ipc', 'default': 'direct_rpc'},
    },
    'model': {'0.10.0-': {'names': '--model', 'type': 'str', 'field': 'ModelConfig.model', 'default': 'Qwen/Qwen3-0.6B'}},
    'model_class_overrides': {
        '0.25.0-': {'names': '--model-class-overrides', 'type': 'parsed_json', 'field': 'ModelConfig.model_class_overrides', 'default': {}},
    },
    'model_impl': {
        '0.10.0-0.10.2': {'names': '--model-impl', 'type': 'str', 'choices': True, 'field': 'ModelConfig.model_impl', 'default': 'auto'},
        '0.11.0-': {'names': '--model-impl', 'type': 'str', 'field': 'ModelConfig.model_impl', 'default': 'auto'},
    },
    'model_loader_extra_config': {
        '0.10.0-': {'names': '--model-loader-extra-config', 'type': 'dict_or_str', 'field': 'LoadConfig.model_loader_extra_config', 'default': {}},
    },
    'model_tag': {'0.10.0-': {'names': '', 'type': 'str', 'nargs': '?'}},
    'moe_backend': {
        '0.17.0-': {'names': '--moe-backend', 'type': 'lower_underscore', 'choices': True, 'field': 'KernelConfig.moe_backend', 'default': 'auto'},
    },
    'monokernel': {'0.33.0-': {'names': '--monokernel', 'action': 'bool', 'field': 'KernelConfig.monokernel', 'default': False}},
    'multi_step_stream_outputs': {
        '0.10.0-0.10.0': {'names': '--multi-step-stream-outputs', 'action': 'bool', 'field': 'SchedulerConfig.multi_step_stream_outputs', 'default': True},
    },
    'nnodes': {
        '0.11.1-0.22.1': {'names': '--nnodes -n', 'type': 'int', 'field': 'ParallelConfig.nnodes', 'default': 1},
        '0.23.0-': {'names': '--nnodes -n', 'type': 'int', 'field': 'ParallelConfig.nnodes', 'bounds': {'ge': 1}, 'default': 1},
    },
    'node_rank': {
        '0.11.1-0.22.1': {'names': '--node-rank -r', 'type': 'int', 'field': 'ParallelConfig.node_rank', 'default': 0},
        '0.23.0-': {'names': '--node-rank -r', 'type': 'int', 'field': 'ParallelConfig.node_rank', 'bounds': {'ge': 0}, 'default': 0},
    },
    'num_gpu_blocks_override': {'0.10.0-': {'names': '--num-gpu-blocks-override', 'type': 'optional int', 'field': 'CacheConfig.num_gpu_blocks_override'}},
    'num_lookahead_slots': {
        '0.10.0-0.11.0': {'names': '--num-lookahead-slots', 'type': 'int', 'field': 'SchedulerConfig.num_lookahead_slots', 'default': 0},
        '0.11.1-0.11.2': {
            'names': '--num-lookahead-slots',
            'type': 'int',
            'field': 'SchedulerConfig.num_lookahead_slots',
            'bounds': {'ge': 0},
            'default': 0,
        },
    },
    'num_redundant_experts': {
        '0.10.0-0.10.1': {'names': '--num-redundant-experts', 'type': 'int', 'field': 'ParallelConfig.num_redundant_experts', 'default': 0},
        '0.10.2-0.11.2': {'names': '--num-redundant-experts', 'type': 'int', 'deprecated': True},
    },
    'num_scheduler_steps': {
        '0.10.0-0.10.0': {'names': '--num-scheduler-steps', 'type': 'int', 'field': 'SchedulerConfig.num_scheduler_steps', 'default': 1},
    },
    'numa_bind': {'0.20.0-': {'names': '--numa-bind', 'action': 'bool', 'field': 'ParallelConfig.numa_bind', 'default': False}},
    'numa_bind_cpus': {'0.20.0-': {'names': '--numa-bind-cpus', 'type': 'optional str', 'nargs': '+', 'field': 'ParallelConfig.numa_bind_cpus'}},
    'numa_bind_nodes': {'0.20.0-': {'names': '--numa-bind-nodes', 'type': 'optional int', 'nargs': '+', 'field': 'ParallelConfig.numa_bind_nodes'}},
    'offload_backend': {
        '0.17.0-': {'names': '--offload-backend', 'type': 'str', 'choices': True, 'field': 'OffloadConfig.offload_backend', 'default': 'auto'},
    },
    'offload_group_size': {
        '0.17.0-': {
            'names': '--offload-group-size',
            'type': 'int',
            'field': 'PrefetchOffloadConfig.offload_group_size',
            'bounds': {'ge': 0},
            'default': 0,
        },
    },
    'offload_num_in_group': {
        '0.17.0-': {
            'names': '--offload-num-in-group',
            'type': 'int',
            'field': 'PrefetchOffloadConfig.offload_num_in_group',
            'bounds': {'ge': 1},
            'default': 1,
        },
    },
    'offload_params': {
        '0.17.0-': {'names': '--offload-params', 'type': 'str', 'nargs': '+', 'field': 'PrefetchOffloadConfig.offload_params', 'default': []},
    },
    'offload_prefetch_step': {
        '0.17.0-': {
            'names': '--offload-prefetch-step',
            'type': 'int',
            'field': 'PrefetchOffloadConfig.offload_prefetch_step',
            'bounds': {'ge': 0},
            'default': 1,
        },
    },
    'optimization_level': {'0.12.0-': {'names': '--optimization-level', 'type': 'str', 'field': 'VllmConfig.optimization_level', 'default': 'O2'}},
    'otlp_traces_endpoint': {'0.10.0-': {'names': '--otlp-traces-endpoint', 'type': 'optional str', 'field': 'ObservabilityConfig.otlp_traces_endpoint'}},
    'override_attention_dtype': {
        '0.10.0-0.27.1': {'names': '--override-attention-dtype', 'type': 'optional str', 'field': 'ModelConfig.override_attention_dtype'},
    },
    'override_generation_config': {
        '0.10.0-': {'names': '--override-generation-config', 'type': 'parsed_json', 'field': 'ModelConfig.override_generation_config', 'default': {}},
    },
    'override_neuron_config': {
        '0.10.0-0.10.1': {'names': '--override-neuron-config', 'type': 'parsed_json', 'field': 'ModelConfig.override_neuron_config', 'default': {}},
    },
    'override_pooler_config': {
        '0.10.0-0.10.2': {'names': '--override-pooler-config', 'type': 'optional dict_or_str', 'field': 'ModelConfig.override_pooler_config'},
        '0.11.0-0.11.2': {
            'names': '--override-pooler-config',
            'type': 'optional class PoolerConfig',
            'deprecated': True,
            'field': 'ModelConfig.override_pooler_config',
        },
    },
    'per_request_spec_decode_metrics': {
        '0.29.0-': {
            'names': '--per-request-spec-decode-metrics',
            'type': 'str',
            'choices': True,
            'field': 'ObservabilityConfig.per_request_spec_decode_metrics',
            'default': 'none',
        },
    },
    'performance_mode': {
        '0.17.0-': {'names': '--performance-mode', 'type': 'str', 'choices': True, 'field': 'VllmConfig.performance_mode', 'default': 'balanced'},
    },
    'pipeline_parallel_size': {
        '0.10.0-0.22.1': {'names': '--pipeline-parallel-size -pp', 'type': 'int', 'field': 'ParallelConfig.pipeline_parallel_size', 'default': 1},
        '0.23.0-': {
            'names': '--pipeline-parallel-size -pp',
            'type': 'int',
            'field': 'ParallelConfig.pipeline_parallel_size',
            'bounds': {'ge': 1},
            'default': 1,
        },
    },
    'pooler_config': {'0.11.0-': {'names': '--pooler-config', 'type': 'optional class PoolerConfig', 'field': 'ModelConfig.pooler_config'}},
    'port': {'0.10.0-': {'names': '--port', 'type': 'int', 'default': 8000}},
    'preemption_mode': {
        '0.10.0-0.10.2': {'names': '--preemption-mode', 'type': 'optional str', 'choices': True, 'field': 'SchedulerConfig.preemption_mode'},
    },
    'prefill_context_parallel_size': {
        '0.12.0-0.22.1': {
            'names': '--prefill-context-parallel-size -pcp',
            'type': 'int',
            'field': 'ParallelConfig.prefill_context_parallel_size',
            'default': 1,
        },
        '0.23.0-': {
            'names': '--prefill-context-parallel-size -pcp',
            'type': 'int',
            'field': 'ParallelConfig.prefill_context_parallel_size',
            'bounds': {'ge': 1},
            'default': 1,
        },
    },
    'prefill_schedule_interval': {
        '0.24.0-': {
            'names': '--prefill-schedule-interval',
            'type': 'int',
            'field': 'SchedulerConfig.prefill_schedule_interval',
            'bounds': {'ge': 1},
            'default': 1,
        },
    },
    'prefix_cache_retention_interval': {
        '0.29.0-0.29.0': {
            'names': '--prefix-cache-retention-interval',
            'type': 'optional int',
            'field': 'CacheConfig.prefix_cache_retention_interval',
            'bounds': {'ge': 0},
        },
        '0.30.0-': {
            'names': '--prefix-cache-retention-interval',
            'type': 'optional int',
            'field': 'CacheConfig.prefix_cache_retention_interval',
            'bounds': {'ge': 0},
            'default': 0,
        },
    },
    'prefix_caching_hash_algo': {
        '0.10.0-0.10.1': {
            'names': '--prefix-caching-hash-algo',
            'type': 'str',
            'choices': True,
            'field': 'CacheConfig.prefix_caching_hash_algo',
            'default': 'builtin',
        },
        '0.10.2-': {
            'names': '--prefix-caching-hash-algo',
            'type': 'str',
            'choices': True,
            'field': 'CacheConfig.prefix_caching_hash_algo',
            'default': 'sha256',
        },
    },
    'prefix_match_unit': {
        '0.26.0-': {'names': '--prefix-match-unit', 'type': 'optional int', 'field': 'CacheConfig.prefix_match_unit', 'bounds': {'gt': 0}},
    },
    'profiler_config': {'0.13.0-': {'names': '--profiler-config', 'type': 'class ProfilerConfig', 'field': 'VllmConfig.profiler_config', 'default': {}}},
    'pt_load_map_location': {
        '0.10.0-': {'names': '--pt-load-map-location', 'type': 'dict_or_str', 'field': 'LoadConfig.pt_load_map_location', 'default': 'cpu'},
    },
    'quantization': {'0.10.0-': {'names': '--quantization -q', 'type': 'optional str', 'field': 'ModelConfig.quantization'}},
    'quantization_config': {
        '0.22.0-': {'names': '--quantization-config', 'type': 'optional class QuantizationConfigArgs', 'field': 'ModelConfig.quantization_config'},
    },
    'ray_workers_use_nsight': {
        '0.10.0-': {'names': '--ray-workers-use-nsight', 'action': 'bool', 'field': 'ParallelConfig.ray_workers_use_nsight', 'default': False},
    },
    'reasoning_config': {'0.19.0-': {'names': '--reasoning-config', 'type': 'optional class ReasoningConfig', 'field': 'VllmConfig.reasoning_config'}},
    'reasoning_effort_map': {'0.33.0-': {'names': '--reasoning-effort-map', 'type': 'json'}},
    'reasoning_parser': {
        '0.10.0-0.10.2': {'names': '--reasoning-parser', 'type': 'str', 'choices': True, 'field': 'DecodingConfig.reasoning_backend', 'default': ''},
        '0.11.0-0.11.0': {
            'names': '--reasoning-parser',
            'type': 'str',
            'choices': True,
            'field': 'StructuredOutputsConfig.reasoning_parser',
            'default': '',
        },
        '0.11.1-0.32.0': {'names': '--reasoning-parser', 'type': 'str', 'field': 'StructuredOutputsConfig.reasoning_parser', 'default': ''},
        '0.33.0-': {'names': '--reasoning-parser', 'type': 'parser_or_none', 'field': 'StructuredOutputsConfig.reasoning_parser', 'default': ''},
    },
    'reasoning_parser_plugin': {
        '0.11.1-': {'names': '--reasoning-parser-plugin', 'type': 'str', 'field': 'StructuredOutputsConfig.reasoning_parser_plugin', 'default': ''},
    },
    'renderer_num_workers': {'0.19.0-': {'names': '--renderer-num-workers', 'type': 'int', 'field': 'ModelConfig.renderer_num_workers', 'default': 1}},
    'replayssm_buffer_len': {
        '0.27.0-': {'names': '--replayssm-buffer-len', 'type': 'int', 'field': 'CacheConfig.replayssm_buffer_len', 'bounds': {'gt': 0}, 'default': 16},
    },
    'response_role': {'0.10.0-': {'names': '--response-role', 'type': 'str', 'default': 'assistant'}},
    'return_sampling_mask': {
        '0.28.0-': {'names': '--return-sampling-mask', 'action': 'bool', 'field': 'ModelConfig.return_sampling_mask', 'default': False},
    },
    'return_tokens_as_token_ids': {'0.10.0-': {'names': '--return-tokens-as-token-ids', 'action': 'bool', 'default': False}},
    'revision': {'0.10.0-': {'names': '--revision', 'type': 'optional str', 'field': 'ModelConfig.revision'}},
    'root_path': {'0.10.0-': {'names': '--root-path', 'type': 'optional str'}},
    'rope_scaling': {'0.10.0-0.11.0': {'names': '--rope-scaling', 'type': 'parsed_json', 'field': 'ModelConfig.rope_scaling', 'default': {}}},
    'rope_theta': {'0.10.0-0.11.0': {'names': '--rope-theta', 'type': 'optional float', 'field': 'ModelConfig.rope_theta'}},
    'runner': {'0.10.1-': {'names': '--runner', 'type': 'str', 'choices': True, 'field': 'ModelConfig.runner', 'default': 'auto'}},
    'safetensors_load_strategy': {
        '0.10.2-0.18.1': {'names': '--safetensors-load-strategy', 'type': 'str', 'field': 'LoadConfig.safetensors_load_strategy', 'default': 'lazy'},
        '0.19.0-0.23.0': {'names': '--safetensors-load-strategy', 'type': 'optional str', 'field': 'LoadConfig.safetensors_load_strategy'},
        '0.24.0-': {'names': '--safetensors-load-strategy', 'type': 'optional str', 'choices': True, 'field': 'LoadConfig.safetensors_load_strategy'},
    },
    'safetensors_prefetch_block_size': {
        '0.21.0-': {
            'names': '--safetensors-prefetch-block-size',
            'type': 'human_int',
            'field': 'LoadConfig.safetensors_prefetch_block_size',
            'bounds': {'ge': 1},
            'default': 16777216,
        },
    },
    'safetensors_prefetch_num_threads': {
        '0.21.0-': {
            'names': '--safetensors-prefetch-num-threads',
            'type': 'int',
            'field': 'LoadConfig.safetensors_prefetch_num_threads',
            'bounds': {'ge': 1},
            'default': 8,
        },
    },
    'scheduler_cls': {
        '0.10.0-0.11.0': {'names': '--scheduler-cls', 'type': 'str', 'field': 'SchedulerConfig.scheduler_cls', 'default': 'vllm.core.scheduler.Scheduler'},
        '0.11.1-0.16.0': {'names': '--scheduler-cls', 'type': 'str', 'field': 'SchedulerConfig.scheduler_cls'},
        '0.17.0-': {'names': '--scheduler-cls', 'type': 'optional str', 'field': 'SchedulerConfig.scheduler_cls'},
    },
    'scheduler_delay_factor': {
        '0.10.0-0.10.2': {'names': '--scheduler-delay-factor', 'type': 'float', 'field': 'SchedulerConfig.delay_factor', 'default': 0.0},
    },
    'scheduler_reserve_full_isl': {
        '0.19.0-': {'names': '--scheduler-reserve-full-isl', 'action': 'bool', 'field': 'SchedulerConfig.scheduler_reserve_full_isl', 'default': True},
    },
    'scheduling_policy': {
        '0.10.0-': {'names': '--scheduling-policy', 'type': 'str', 'choices': True, 'field': 'SchedulerConfig.policy', 'default': 'fcfs'},
    },
    'seed': {
        '0.10.0-0.11.2': {'names': '--seed', 'type': 'optional int', 'field': 'ModelConfig.seed'},
        '0.12.0-': {'names': '--seed', 'type': 'int', 'field': 'ModelConfig.seed', 'default': 0},
    },
    'served_model_name': {'0.10.0-': {'names': '--served-model-name', 'type': 'optional str', 'nargs': '+', 'field': 'ModelConfig.served_model_name'}},
    'show_hidden_metrics_for_version': {
        '0.10.0-': {'names': '--show-hidden-metrics-for-version', 'type': 'optional str', 'field': 'ObservabilityConfig.show_hidden_metrics_for_version'},
    },
    'shutdown_timeout': {'0.18.0-': {'names': '--shutdown-timeout', 'type': 'int', 'default': 0}},
    'skip_mm_profiling': {'0.10.1-': {'names': '--skip-mm-profiling', 'action': 'bool', 'field': 'MultiModalConfig.skip_mm_profiling', 'default': False}},
    'skip_tokenizer_init': {'0.10.0-': {'names': '--skip-tokenizer-init', 'action': 'bool', 'field': 'ModelConfig.skip_tokenizer_init', 'default': False}},
    'sleep_mode_backend': {'0.33.0-': {'names': '--sleep-mode-backend', 'type': 'str', 'field': 'ModelConfig.sleep_mode_backend', 'default': 'cumem'}},
    'sleep_mode_offload_cudagraph': {
        '0.32.0-': {'names': '--sleep-mode-offload-cudagraph', 'action': 'bool', 'field': 'ModelConfig.sleep_mode_offload_cudagraph', 'default': False},
    },
    'sleep_preserve_parameter_names': {
        '0.31.0-': {
            'names': '--sleep-preserve-parameter-names',
            'type': 'str',
            'nargs': '+',
            'field': 'ModelConfig.sleep_preserve_parameter_names',
            'default': [],
        },
    },
    'sparse_indexer_topk_backend': {
        '0.30.0-': {
            'names': '--sparse-indexer-topk-backend',
            'type': 'lower_underscore',
            'choices': True,
            'field': 'KernelConfig.sparse_indexer_topk_backend',
            'default': 'auto',
        },
    },
    'spec_method': {'0.22.0-': {'names': '--spec-method', 'type': 'optional str', 'choices': True, 'field': 'SpeculativeConfig.method'}},
    'spec_model': {'0.22.0-': {'names': '--spec-model', 'type': 'optional str', 'field': 'SpeculativeConfig.model'}},
    'spec_tokens': {'0.22.0-': {'names': '--spec-tokens', 'type': 'int', 'field': 'SpeculativeConfig.num_speculative_tokens', 'bounds': {'gt': 0}}},
    'specialize_active_lora': {
        '0.16.0-': {'names': '--specialize-active-lora', 'action': 'bool', 'field': 'LoRAConfig.specialize_active_lora', 'default': False},
    },
    'speculative_config': {
        '0.10.0-0.10.0': {'names': '--speculative-config', 'type': 'json'},
        '0.10.1-0.18.1': {'names': '--speculative-config', 'type': 'optional json', 'field': 'VllmConfig.speculative_config'},
        '0.19.0-': {'names': '--speculative-config -sc', 'type': 'optional json', 'field': 'VllmConfig.speculative_config'},
    },
    'sse_keep_alive_interval': {'0.29.0-': {'names': '--sse-keep-alive-interval', 'type': 'int', 'default': 0}},
    'ssl_ca_certs': {'0.10.0-': {'names': '--ssl-ca-certs', 'type': 'optional str'}},
    'ssl_cert_reqs': {'0.10.0-': {'names': '--ssl-cert-reqs', 'type': 'int', 'default': 0}},
    'ssl_certfile': {'0.10.0-': {'names': '--ssl-certfile', 'type': 'optional str'}},
    'ssl_ciphers': {'0.15.0-': {'names': '--ssl-ciphers', 'type': 'optional str'}},
    'ssl_keyfile': {'0.10.0-': {'names': '--ssl-keyfile', 'type': 'optional str'}},
    'stream_interval': {
        '0.11.1-': {'names': '--stream-interval', 'type': 'int', 'field': 'SchedulerConfig.stream_interval', 'bounds': {'ge': 1}, 'default': 1},
    },
    'structured_outputs_config': {
        '0.11.0-': {
            'names': '--structured-outputs-config',
            'type': 'class StructuredOutputsConfig',
            'field': 'VllmConfig.structured_outputs_config',
            'default': {},
        },
    },
    'swa_bounded_replay': {'0.31.0-': {'names': '--swa-bounded-replay', 'action': 'bool', 'field': 'CacheConfig.swa_bounded_replay', 'default': True}},
    'swap_space': {
        '0.10.0-0.11.0': {'names': '--swap-space', 'type': 'float', 'field': 'CacheConfig.swap_space', 'default': 4},
        '0.11.1-0.17.1': {'names': '--swap-space', 'type': 'float', 'field': 'CacheConfig.swap_space', 'bounds': {'ge': 0}, 'default': 4},
    },
    'task': {
        '0.10.0-0.10.0': {'names': '--task', 'type': 'str', 'choices': True, 'field': 'ModelConfig.task', 'default': 'auto'},
        '0.10.1-0.12.0': {'names': '--task', 'type': 'optional str', 'choices': True, 'deprecated': True, 'field': 'ModelConfig.task'},
    },
    'tensor_parallel_size': {
        '0.10.0-0.22.1': {'names': '--tensor-parallel-size -tp', 'type': 'int', 'field': 'ParallelConfig.tensor_parallel_size', 'default': 1},
        '0.23.0-': {
            'names': '--tensor-parallel-size -tp',
            'type': 'int',
            'field': 'ParallelConfig.tensor_parallel_size',
            'bounds': {'ge': 1},
            'default': 1,
        },
    },
    'tokenizer': {'0.10.0-': {'names': '--tokenizer', 'type': 'str', 'field': 'ModelConfig.tokenizer'}},
    'tokenizer_mode': {
        '0.10.0-0.11.2': {'names': '--tokenizer-mode', 'type': 'str', 'choices': True, 'field': 'ModelConfig.tokenizer_mode', 'default': 'auto'},
        '0.12.0-': {'names': '--tokenizer-mode', 'type': 'str', 'field': 'ModelConfig.tokenizer_mode', 'default': 'auto'},
    },
    'tokenizer_revision': {'0.10.0-': {'names': '--tokenizer-revision', 'type': 'optional str', 'field': 'ModelConfig.tokenizer_revision'}},
    'tokens_only': {'0.11.1-': {'names': '--tokens-only', 'action': 'bool', 'default': False}},
    'tool_call_parser': {
        '0.10.0-0.10.0': {'names': '--tool-call-parser', 'type': 'optional str', 'choices': True},
        '0.10.1-': {'names': '--tool-call-parser', 'type': 'optional str'},
    },
    'tool_parser_plugin': {'0.10.0-': {'names': '--tool-parser-plugin', 'type': 'str', 'default': ''}},
    'tool_server': {'0.10.1-': {'names': '--tool-server', 'type': 'optional str'}},
    'tool_strict_level': {
        '0.31.0-0.32.0': {'names': '--tool-strict-level', 'type': 'str', 'choices': True, 'default': 'auto'},
        '0.33.0-': {'names': '--tool-strict-level', 'type': 'optional str', 'choices': True},
    },
    'trust_remote_code': {'0.10.0-': {'names': '--trust-remote-code', 'action': 'bool', 'field': 'ModelConfig.trust_remote_code', 'default': False}},
    'trust_request_chat_template': {'0.11.0-': {'names': '--trust-request-chat-template', 'action': 'bool', 'default': False}},
    'trust_request_mm_kwargs': {'0.31.0-': {'names': '--trust-request-mm-kwargs', 'action': 'bool', 'default': False}},
    'ubatch_size': {
        '0.14.0-0.22.1': {'names': '--ubatch-size', 'type': 'int', 'field': 'ParallelConfig.ubatch_size', 'default': 0},
        '0.23.0-': {'names': '--ubatch-size', 'type': 'int', 'field': 'ParallelConfig.ubatch_size', 'bounds': {'ge': 0}, 'default': 0},
    },
    'uds': {'0.10.1-': {'names': '--uds', 'type': 'optional str'}},
    'use_fp64_gumbel': {'0.22.0-': {'names': '--use-fp64-gumbel', 'action': 'bool', 'field': 'ModelConfig.use_fp64_gumbel', 'default': False}},
    'use_gpu_for_pooling_score': {'0.17.0-0.17.1': {'names': '--use-gpu-for-pooling-score', 'action': 'bool', 'default': False}},
    'use_replayssm': {'0.27.0-': {'names': '--use-replayssm', 'action': 'bool', 'field': 'CacheConfig.use_replayssm', 'default': False}},
    'use_tqdm_on_load': {'0.10.0-': {'names': '--use-tqdm-on-load', 'action': 'bool', 'field': 'LoadConfig.use_tqdm_on_load', 'default': True}},
    'uvicorn_log_level': {'0.10.0-': {'names': '--uvicorn-log-level', 'type': 'str', 'choices': True, 'default': 'info'}},
    'video_pruning_method': {
        '0.27.0-': {'names': '--video-pruning-method', 'type': 'str', 'choices': True, 'field': 'MultiModalConfig.video_pruning_method', 'default': 'evs'},
    },
    'video_pruning_rate': {
        '0.11.0-0.11.0': {'names': '--video-pruning-rate', 'type': 'optional float', 'field': 'MultiModalConfig.video_pruning_rate'},
        '0.11.1-': {
            'names': '--video-pruning-rate',
            'type': 'optional float',
            'field': 'MultiModalConfig.video_pruning_rate',
            'bounds': {'ge': 0.0, 'lt': 1.0},
        },
    },
    'watchdog_config': {'0.33.0-': {'names': '--watchdog-config', 'type': 'class WatchdogConfig', 'field': 'VllmConfig.watchdog_config', 'default': {}}},
    'watermark': {
        '0.24.0-': {'names': '--watermark', 'type': 'float', 'field': 'SchedulerConfig.watermark', 'bounds': {'ge': 0.0, 'lt': 1.0}, 'default': 0.0},
    },
    'watermark_config': {'0.30.0-': {'names': '--watermark-config', 'type': 'optional json', 'field': 'VllmConfig.watermark_config'}},
    'weight_transfer_config': {
        '0.16.0-': {'names': '--weight-transfer-config', 'type': 'optional class WeightTransferConfig', 'field': 'VllmConfig.weight_transfer_config'},
    },
    'worker_cls': {'0.10.0-': {'names': '--worker-cls', 'type': 'str', 'field': 'ParallelConfig.worker_cls', 'default': 'auto'}},
    'worker_extension_cls': {'0.10.0-': {'names': '--worker-extension-cls', 'type': 'str', 'field': 'ParallelConfig.worker_extension_cls', 'default': ''}},
}
