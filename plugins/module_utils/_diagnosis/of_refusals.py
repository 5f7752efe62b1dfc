"""Signatures of settings that vLLM refuses, and of errors that are told by the file that raised them. Data."""

from __future__ import annotations

from . import causes, remedies
from .of_cuda import NO_COMPILE
from .of_engine import OTHER_BACKEND
from .signature import STARTING, Signature

_ANY_ERROR = r"^(?:\w+\.)*\w*(?:Error|Exception)(?:: (?P<why>.+)|$)"
_OTHER_KERNEL = (
    "A kernel that vLLM chose does not work with this model's types on this GPU.",
    "Set moe_backend, linear_backend or quantization as the model's recipe says for this GPU, or use an image with a newer vLLM.",
)
_OTHER_FORMAT = (
    "This release can't load weights that are quantized in this way.",
    "Use an image with a newer vLLM or a checkpoint in another format; leave quantization out so that vLLM reads it from the "
    "checkpoint.",
)
_LINE_SAYS = (
    "Correct or leave out the setting that the line names: `--max-num-seqs` is max_num_seqs in settings."
)
_REFUSED = r"^(?:\w+\.)*(?:ValueError|AssertionError|NotImplementedError|TypeError|VLLMValidationError|RuntimeError): (?P<why>.+)"

_SAID = (
    r"^(?:Value error, |Assertion failed, |(?:\w+\.)*(?:ValueError|AssertionError|NotImplementedError|RuntimeError|"
    r"VLLMValidationError): )"
)
# Names that only settings of vLLM have; those that a request may have as well are left out.
_SETTING = (
    r"(?:enable_(?:auto_tool_choice|batch_sharded|chunked_prefill|cumem|dbo|elastic_ep|ep_weight|eplb|expert_parallel|fault_tol|lora|mamba|"
    r"mm_embeds|prefix_caching|prompt_embeds|return_routed|sleep_mode|tower|trace_replay)|disable_(?:cascade_attn|chunked_mm|custom_all_reduce|"
    r"hybrid_kv|sliding_window)|max_num_(?:seqs|batched_tokens|partial_prefills|active_seqs)|max_long_partial|max_cudagraph|max_cpu_loras|"
    r"(?:data|tensor|pipeline)_parallel_|(?:decode|prefill)_context_parallel|dcp_|dbo_|cudagraph_|mamba_(?:backend|block_size|cache|ssm|ssu)|"
    r"eplb_config|kv_(?:cache_dtype|cache_memory|offloading|events_config|transfer_config)|ec_(?:transfer|manager)_config|"
    r"mm_(?:processor|encoder|tensor_ipc|shm)|numa_bind|offload_(?:backend|group|num|prefetch)|cpu_offload_|num_redundant_experts|otlp_traces|"
    r"long_prefill_token|prefix_cach|all2all_backend|moe_backend|attention_config|compilation_config|kernel_config|node_rank|load_format|"
    r"pooler_config|pooling_type|use_replayssm|hf_overrides|limit_mm_per_prompt|gpu_memory_utilization|enforce_eager|"
    r"distributed_executor_backend|model_loader_extra_config|renderer_num_workers|profiler_dir|expert_placement_strategy)"
)

# What vLLM's kernels and attention backends call themselves, and how they say no.
_KERNEL = (
    r"(?:Fused)?MoE|[Ee]xperts|GEMM|CUTLASS|[Cc]utlass|[Ff]lash[Ii]nfer|DeepGEMM|DeepEP|TRTLLM|AITER|[Aa]iter|[Mm]arlin|Machete|"
    r"oneDNN|FlyDSL|b12x"
)
_ATTENTION = (
    r"FA[234]?|FlashAttention\w*|flash_attn|FlashMLA\w*|\w*MLA|[Aa]ttention|head[_ ](?:size|dim)s?|[Ss]inks?|[Ss]liding window|ALiBi|alibi\w*|"
    r"TRTLLM (?:decode|prefill)|XQA"
)
_REFUSES = r"\bonly\b|[Uu]nsupported|[Ss]upport|\brequires?\b|\bmust\b|[Cc]annot|not (?:available|compiled|found|implemented|valid)"

REFUSALS = (
    Signature(
        "removed_or_unknown_argument",
        (
            r"(?:Unknown|Unrecognized|Invalid|Unsupported) (?P<option>(?<=Unknown )dtype|load[ _]format|config[ _]format|tokenizer[ _]mode|runner|"
            r"kv_role|ec_role|compilation mode|distributed executor backend|connector type|Mamba SSU \w+|KV cache layout|"
            r"backend for piecewise compilation|bucket family):? [`'\"]?(?!ConfigFormat)(?P<value>[^`'\" .]+)"
            r"(?:.*(?:one of|[Vv]alid \w+ are|[Ss]upported \w+ (?:are|values are)):?\s*\W?(?P<choices>[^\])]+))?",
            r"(?P<option>Load format) [`'](?P<value>\w+)[`'] is not supported",
            r"error: argument (?P<option>--\S+?)(?:/\S+)?: (?:expected|invalid|Value)",
            r"error: (?:unrecognized|invalid|ambiguous) (?:arguments?|option): ?(?P<option>\S+)",
            r"ambiguous option: (?P<option>\S+) could match (?P<choices>.+)|cannot be converted to <function (?P<value>\w+)",
            r"No such option: (?P<option>\S+)|\b(?:Engine|AsyncEngine)Args\S* got an unexpected keyword argument '(?P<key>\w+)'",
            r"\"(?P<part>\w+Config)\" object has no field \"(?P<option>\w+)\"",
        ),
        causes.value_refused,
        remedies.known_value,
        kind="general",
    ),
    Signature(
        "removed_or_unknown_argument",
        (
            r"^Unexpected keyword argument|^Extra inputs are not permitted",
            r"is not a valid config field|has no field `\w+`|Field '\w+' not found in \w+",
        ),
        "The vLLM in this image does not know a key of one of the settings.",
        "Remove or rename the key for this release of vLLM; the line above names it.",
        kind="general",
    ),
    Signature(
        "settings_refused",
        (r"--enable-auto-tool-choice requires --tool-call-parser",),
        "enable_auto_tool_choice is set, and no tool_call_parser.",
        "Set tool_call_parser to the one that the model's recipe names, or leave enable_auto_tool_choice out.",
    ),
    Signature(
        "settings_refused",
        (
            r"does not support (?:the )?(?:`--runner (?P<runner>\w+)`|[`'](?P<task>\w+)[`'] task)|Embedding models do not support",
            r"[Tt]his model does not support `?(?P<runner>generate|pooling|embed|score)\w*`?|Unsupported task: (?P<task>\w+)",
        ),
        "The model is not made for that kind of work (generation, or embedding and scoring).",
        "Leave runner and convert out, or set runner: pooling for a model that embeds or scores, runner: generate for one that writes.",
        kind="general",
        phases=("",),
    ),
    Signature(
        "settings_refused",
        (
            r"^(?:Value error, |Assertion failed, |(?:\w+\.)*(?:ValueError|AssertionError|NotImplementedError): )(?P<why>.*(?i:prefix caching|chunked prefill|"
            r"async scheduling|sleep mode|multi-?step|sliding window|cuda ?graph|prompt embed\w*|expert parallel\w*|data parallel\w*|"
            r"limit_mm_per_prompt|swap space|eager)\b.*(?:not (?:yet )?supported|do(?:es)? not (?:work|support)|incompatible|only supported|not allowed|"
            r"cannot be used).*)",
            r"^(?:Value error, |Assertion failed, |(?:\w+\.)*(?:ValueError|AssertionError|NotImplementedError): )(?P<why>.*"
            r"(?:not (?:yet )?(?:supported|compatible|allowed)|"
            r"do(?:es)? not work|incompatible) (?:with|when|together with) (?i:prefix caching|chunked prefill|sliding window|pipeline|tensor|"
            r"data parallel|speculative|multi|async|VLLM_\w+).*)",
            r"(?P<why>CPU backend only supports V1.*|current platform \S+ does not support ray.*)",
        ),
        causes.setting_refused,
        _LINE_SAYS,
        kind="general",
        phases=("", "loading"),
    ),
    Signature(
        "settings_refused",
        (
            r"Model Runner V[12] does(?: not| not yet)? (?:yet )?(?:support|require)\w*:? (?P<why>.+)|VLLM_USE_V[12]\w*(?:=\d)? (?:does not|is not).*",
            r"(?:does not support|is not supported (?:with|by)) (?:the )?V[012]\b.*(?:engine|runner)?",
        ),
        "A setting does not go with the engine (model runner) that is chosen by the environment.",
        "Leave VLLM_USE_V1 and VLLM_USE_V2_MODEL_RUNNER out of env, or leave the setting out that the line names.",
        kind="general",
        phases=("",),
    ),
    Signature(
        "lora",
        (
            r"^(?:\w+\.)*(?:ValueError|AssertionError|RuntimeError|NotImplementedError|AttributeError): .*(?:\bLoRAs?\b|\blora_\w+|No suitable kernel\. h_in=)",
        ),
        "vLLM can't use the LoRA adapter or its settings with this model.",
        "Check lora_modules (a directory in the container), enable_lora and max_lora_rank; leave the adapter out where the "
        "model does not support LoRA.",
        kind="general",
        phases=STARTING,
    ),
    Signature(
        "lora",
        (_REFUSED,),
        "vLLM can't use the LoRA adapter or its settings with this model.",
        "Check lora_modules (a directory in the container), enable_lora and max_lora_rank; leave the adapter out where the "
        "model does not support LoRA.",
        kind="symptom",
        raised_in=r"/vllm/(?:lora/|config/lora\.py)",
    ),
    Signature(
        "speculative_config_invalid",
        (
            _REFUSED,
            r"^(?:Value error|Assertion failed), (?P<why>.*speculati.+)",
            r"validation errors? for SpeculativeConfig",
        ),
        "vLLM refuses this kind of speculation for the model or the settings.",
        "Correct speculative_config, or use a method and a draft model that this release knows; the line names the reason.",
        kind="symptom",
        raised_in=r"/vllm/(?:config/speculative\.py|v1/spec_decode/|spec_decode/)",
    ),
    Signature(
        "kv_connector_failed",
        (
            r"^\w*Error: .*\b(?:\w+Connector(?:V1)?|MoRIIO|NIXL)\b.*(?:requires?|supports?|must)\b",
            r"disaggregated KV cache transfer parallel group is not initialized",
            r"\bNIXL_ERR_\w+|\bnixl\w*Error\b|(?i:mooncake|lmcache|nixl)\S* .*(?:failed to (?:start|connect|initialize|register))",
        ),
        "The KV connector of kv_transfer_config could not start.",
        "Correct kv_transfer_config, or leave it out.",
        kind="general",
    ),
    Signature(
        "kv_connector_failed",
        (_REFUSED, r"^(?:\w+\.)*(?:ConnectionError|OSError|ImportError|KeyError): (?P<why>.+)"),
        "The KV connector of kv_transfer_config could not start.",
        "Correct kv_transfer_config, or leave it out.",
        kind="symptom",
        raised_in=r"/vllm/distributed/kv_transfer/|/lmcache/|/nixl/",
    ),
    Signature(
        "attention_backend_invalid_for_config",
        (r"^(?:\w+\.)*(?:ValueError|NotImplementedError|AssertionError): (?P<why>.+)",),
        causes.backend_refused,
        OTHER_BACKEND,
        kind="symptom",
        raised_in=r"/vllm/(?:v1/|model_executor/layers/)?attention/",
    ),
    Signature(
        "quantization_mismatch",
        (r"^(?:\w+\.)*(?:ValueError|NotImplementedError): (?P<why>.+)",),
        *_OTHER_FORMAT,
        kind="symptom",
        raised_in=r"/vllm/model_executor/layers/quantization/",
    ),
    Signature(
        "kernel_not_for_gpu",
        (
            r"^(?:\w+\.)*(?:ValueError|NotImplementedError|AssertionError|RuntimeError): (?!CUDA|HIP)(?P<why>.+)",
        ),
        *_OTHER_KERNEL,
        kind="symptom",
        phases=STARTING,
        raised_in=r"/vllm/model_executor/(?:layers/fused_moe/(?!layer\.py|routed_experts)|kernels/)|/vllm/utils/(?:flashinfer|deep_gemm)|"
        r"/deep_gemm/|/flashinfer/(?!jit/)|/triton/(?:compiler|runtime|backends)/",
    ),
    Signature(
        "compile_failed",
        (_ANY_ERROR,),
        "A kernel that is made while the server starts could not be compiled.",
        NO_COMPILE,
        kind="symptom",
        phases=STARTING,
        raised_in=r"/flashinfer/jit/|/torch/utils/cpp_extension\.py|/tilelang/|/tvm_ffi/",
    ),
    Signature(
        "tokenizer_unsupported",
        (_ANY_ERROR,),
        "The image can't read the model's tokenizer.",
        "Use an image with a newer vLLM; or name another repository in settings.tokenizer, or tokenizer_mode (mistral for "
        "Mistral's own files).",
        kind="symptom",
        phases=("",),
        raised_in=r"/vllm/(?:tokenizers/|transformers_utils/tokenizer)|/transformers/(?:tokenization_|convert_slow_tokenizer|"
        r"models/\w+/tokenization_)|/sentencepiece/|/tiktoken/|/mistral_common/tokens/",
    ),
    Signature(
        "model_arch_unsupported",
        (_ANY_ERROR,),
        "The Transformers in this image can't make sense of the model's config.json.",
        "Use an image with a newer vLLM (or one of the time of the model), or another model.",
        kind="symptom",
        phases=STARTING,
        raised_in=r"/transformers/(?:configuration_utils|modeling_rope_utils|models/\w+/configuration_\w+)\.py|"
        r"/vllm/transformers_utils/configs/",
    ),
    Signature(
        "nccl_hang_or_error",
        (_ANY_ERROR,),
        "The server's processes can't find or reach each other.",
        "Set NCCL_DEBUG=INFO in env and read on; NCCL_SOCKET_IFNAME and GLOO_SOCKET_IFNAME name the interface, VLLM_HOST_IP=127.0.0.1 "
        "keeps one host to itself.",
        kind="symptom",
        phases=("",),
        raised_in=r"/torch/distributed/(?:distributed_c10d|rendezvous)\.py",
    ),
    Signature(
        "weights_do_not_fit_model",
        (r"^(?:KeyError|AssertionError|ValueError|IndexError|RuntimeError)(?:: (?!CUDA|HIP)(?P<why>.+)|$)",),
        "The checkpoint's weights do not fit what this release of vLLM builds for the model.",
        "Use an image with a newer vLLM, or a checkpoint made for this one; with quantization look at its list of "
        "unquantized modules.",
        kind="symptom",
        phases=("loading",),
        raised_in=r"/vllm/model_executor/(?:model_loader/weight_utils\.py|models/(?!registry|config)\w+\.py|parameter\.py|"
        r"layers/(?:linear|vocab_parallel_embedding|fused_moe/(?:layer|routed_experts))\.py)",
    ),
    Signature(
        "model_access",
        (r"^(?:\w+\.)*\w*(?:Error|Exception|Timeout)(?::|$)",),
        "The server could not get a file of the model.",
        "Fetch the model before the start (the vllm_model role does), and see that the host reaches the Hub.",
        kind="symptom",
        raised_in=r"/(?:huggingface_hub|hf_transfer|modelscope|runai_model_streamer)/",
    ),
    Signature(
        "speculative_config_invalid",
        (r"validation errors? for SpeculativeConfig",),
        "vLLM refuses this kind of speculation for the model or the settings.",
        "Correct speculative_config, or use a method and a draft model that this release knows; the line names the reason.",
        kind="symptom",
    ),
    Signature(
        "lora",
        (r"validation errors? for LoRAConfig",),
        "vLLM can't use the LoRA adapter or its settings with this model.",
        "Check enable_lora, max_loras and max_lora_rank.",
        kind="symptom",
    ),
    Signature(
        "settings_refused",
        (
            r"^(?:Value error|Assertion failed), (?P<why>.+?)(?: \[type=.*)?$",
            r"validation errors? for (?P<part>\w*(?:Config|Args)\w*)",
        ),
        causes.setting_refused,
        _LINE_SAYS,
        kind="symptom",
        phases=("",),
    ),
    Signature(
        "settings_refused",
        (
            rf"{_SAID}(?P<why>(?:.*[\s`'\"(])?--(?!shm-size)[a-z][a-z0-9]+(?:-[a-z0-9]+)+.*)",
            rf"{_SAID}(?P<why>.*\b{_SETTING}.*)",
        ),
        causes.setting_refused,
        _LINE_SAYS,
        kind="symptom",
        phases=("",),
    ),
    Signature(
        "attention_backend_invalid_for_config",
        (rf"{_SAID}(?!CUDA|HIP)(?=.*\b(?:{_ATTENTION})\b)(?P<why>.*(?:{_REFUSES}).*)",),
        causes.backend_refused,
        OTHER_BACKEND,
        kind="symptom",
        phases=STARTING,
    ),
    Signature(
        "quantization_mismatch",
        (
            r"^(?:\w+\.)*\w*Error: (?=.*\b(?:[Ss]ymmetric|[Aa]symmetric|per-channel|per-tensor|group_size|desc_act|act[_-]order|zero[_-]points?|"
            r"packing_format|\w*[Ww][48][Aa](?:4|8|16)|WNA16|MXFP[48]|mxfp[48]|NVFP4|nvfp4|[Qq]uark|INC|torchao|quant(?:ization)? (?:scheme|type|config))\b)"
            r"(?P<why>.*(?:only|[Ss]upport|found|requires?|must).*)",
        ),
        *_OTHER_FORMAT,
        kind="symptom",
        phases=("", "loading"),
    ),
    Signature(
        "kernel_not_for_gpu",
        (rf"{_SAID}(?!CUDA|HIP)(?=.*\b(?:{_KERNEL})\b)(?P<why>.*(?:{_REFUSES}).*)",),
        *_OTHER_KERNEL,
        kind="symptom",
        phases=STARTING,
    ),
    Signature(
        "settings_refused",
        (r"^(?:\w+\.)*(?:ValueError|AssertionError|NotImplementedError|TypeError): (?P<why>.+)",),
        causes.setting_refused,
        _LINE_SAYS,
        kind="symptom",
        phases=("",),
        raised_in=r"/vllm/(?:config/|engine/arg_utils\.py|platforms/|entrypoints/(?:cli/|openai/cli_args))",
    ),
)
