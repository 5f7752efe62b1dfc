"""Signatures of settings that vLLM refuses, and of errors that are told by the file that raised them. Data."""

from __future__ import annotations

from . import causes, remedies
from .signature import STARTING, Signature

_LINE_SAYS = (
    "Correct or leave out the setting that the line names: `--max-num-seqs` is max_num_seqs in settings."
)
_REFUSED = r"^(?:\w+\.)*(?:ValueError|AssertionError|NotImplementedError|TypeError|VLLMValidationError|RuntimeError): (?P<why>.+)"

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
            r"^(?:Value error, |(?:\w+\.)*(?:ValueError|AssertionError|NotImplementedError): )(?P<why>.*(?i:prefix caching|chunked prefill|"
            r"async scheduling|sleep mode|multi-?step|sliding window|cuda ?graph|prompt embed\w*|expert parallel\w*|data parallel\w*|"
            r"limit_mm_per_prompt|swap space|eager)\b.*(?:not (?:yet )?supported|do(?:es)? not (?:work|support)|incompatible|only supported|not allowed|"
            r"cannot be used).*)",
            r"^(?:Value error, |(?:\w+\.)*(?:ValueError|AssertionError|NotImplementedError): )(?P<why>.*(?:not (?:yet )?(?:supported|compatible|allowed)|"
            r"do(?:es)? not work|incompatible) (?:with|when|together with) (?i:prefix caching|chunked prefill|sliding window|pipeline|tensor|"
            r"data parallel|speculative|multi|async|VLLM_\w+).*)",
            r"(?P<why>CPU backend only supports V1.*)",
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
        (_REFUSED, r"^Value error, (?P<why>.*speculati.+)", r"validation errors? for SpeculativeConfig"),
        "vLLM refuses this kind of speculation for the model or the settings.",
        "Correct speculative_config, or use a method and a draft model that this release knows; the line names the reason.",
        kind="symptom",
        raised_in=r"/vllm/(?:config/speculative\.py|v1/spec_decode/|spec_decode/)",
    ),
    Signature(
        "kv_connector_failed",
        (
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
        "Leave attention_backend out; if that does not help, leave kv_cache_dtype out too. The line names the reason.",
        kind="symptom",
        raised_in=r"/vllm/(?:v1/)?attention/(?:backends|selector|layers?|ops)?",
    ),
    Signature(
        "quantization_mismatch",
        (r"^(?:\w+\.)*(?:ValueError|NotImplementedError): (?P<why>.+)",),
        "This release can't load weights that are quantized in this way.",
        "Use an image with a newer vLLM or a checkpoint in another format; leave quantization out so that vLLM reads it from the "
        "checkpoint.",
        kind="symptom",
        raised_in=r"/vllm/model_executor/layers/quantization/",
    ),
    Signature(
        "weights_do_not_fit_model",
        (r"^(?:KeyError|AssertionError|ValueError)(?:: (?P<why>.+)|$)",),
        "The checkpoint's weights do not fit what this release of vLLM builds for the model.",
        "Use an image with a newer vLLM, or a checkpoint made for this one; with quantization look at its list of "
        "unquantized modules.",
        kind="symptom",
        phases=("loading",),
        raised_in=r"/vllm/model_executor/(?:model_loader/weight_utils\.py|models/(?!registry|config)\w+\.py|parameter\.py)",
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
            r"^Value error, (?P<why>.+?)(?: \[type=.*)?$",
            r"validation errors? for (?P<part>\w*(?:Config|Args)\w*)",
        ),
        causes.setting_refused,
        _LINE_SAYS,
        kind="symptom",
        phases=("",),
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
