"""Signatures of the model: where it comes from, what it is, how it is split. Data."""

from __future__ import annotations

from . import causes, remedies
from .signature import Signature

_DRAFT = r"(?i:\w*(?:draft|eagle|dflash|dspark|medusa|mtp|speculat)\w*)"
_NO_MTP = "Remove speculative_config, or use a checkpoint that ships the mtp tensors whole and in the type its config.json says."
_WITH_COMPILER = (
    "Use vLLM's own image, which brings one, or choose a backend that compiles nothing (attention_backend, "
    "VLLM_USE_FLASHINFER_SAMPLER=0 in env)."
)
_NEWER = "Use an image with a newer vLLM, or another model."

MODEL = (
    Signature(
        "max_model_len_above_model",
        (
            r"User-specified max_model_len \((?P<asked>\d+)\) is greater than the derived max_model_len \((?P<derived>[^)]*)",
            r"Assertion `index out of bounds: 0 <= .*< (?P<limit>\d+)` failed",
            r"Assertion `index out of bounds: 0 <= tl\.broadcast_to",
        ),
        "max_model_len is above what the model has positions for.",
        remedies.context_of_model,
    ),
    Signature(
        "parallel_size_not_divisible",
        (
            r"Total number of attention heads \((?P<heads>\d+)\) must be divisible by tensor parallel size \((?P<size>\d+)\)",
        ),
        "{heads} attention heads can't be spread evenly over {size} GPUs.",
        remedies.size_that_divides_heads,
    ),
    Signature(
        "parallel_size_not_divisible",
        (r"n_physical_experts=(?P<experts>\d+) must be divisible by ep_size=(?P<size>\d+)",),
        "{experts} experts can't be spread evenly over {size} GPUs.",
        remedies.size_that_divides_experts,
    ),
    Signature(
        "parallel_size_not_divisible",
        (
            r"= (?P<size>\d+) is not divisible by (?:weight quantization )?(?:block_[nk]|min_thread_[nk]|group_size) = (?P<block>\d+)",
            r"GPTQ_MARLIN_MIN_THREAD_[NK] \((?P<block>\d+)\) > (?:out|in)_features(?: \((?P<size>\d+)\))?",
            r"put_size_per_partition ?= ?(?P<size>\d+) is not divisible by \w+ ?= ?(?P<block>\d+)",
        ),
        "Split over so many GPUs, a quantized weight is no longer a whole number of its blocks.",
        remedies.blocks_that_fit,
    ),
    Signature(
        "parallel_size_not_divisible",
        (
            r"AssertionError: (?P<size>\d+) is not divisible by (?P<parts>\d+)",
            r"put size is not aligned with the quantized weight shape",
            r"^assert .* % (?:self\.)?\w*(?:tp|ep|dcp|world|tensor_(?:model_)?parallel)_?(?:world_)?size\b.* == 0",
            r"tp_size=(?P<size>\d+) must be divisible by ?dcp_size=(?P<parts>\d+)",
            r"must be (?:evenly )?divisible by (?:the )?(?:tensor|`--decode-context|`--tensor|dcp world|tp_size|ep_size|\w*parallel size)",
        ),
        "The model can't be spread evenly over so many GPUs.",
        remedies.even_split,
    ),
    Signature(
        "mtp_weights",
        (
            r"MTP speculative decoding layer (?P<layer>\d+) weights missing",
            # Which weights is told by their names; where the line does not give them, it mostly is the MTP head.
            r"[Ff]ollowing weights were not initialized? from checkpoint(?:$|: ?(?:\.\.\.|$)|.*(?i:\bmtp|draft|eagle|\.eh_proj|\.enorm|"
            r"\.hnorm|nextn))",
            # Shapes of bitsandbytes have one column: there it is the quantization.
            r"Tried to load weights of size torch\.Size\((?P<got>\[(?!\d+, 1\])[^)]*)\) ?to a parameter of size torch\.Size\(\[(?!\d+, 1\])",
            r"no module or parameter named '(?P<name>[^']+)' in \w*M[Tt][Pp]\w*",
            r"checkpoint does not contain MTP weights|has no classic-MTP draft",
            r"KeyError: '(?P<name>(?:\w+\.)*mtp\.[^']+)'",
        ),
        "The checkpoint lacks weights that vLLM expects, or has them in another shape; mostly those of the MTP head.",
        _NO_MTP,
    ),
    Signature(
        "draft_model_arch_unsupported",
        (rf"Model architectures? \[?'(?P<architecture>{_DRAFT})'\]? (?:are|is) not supported",),
        "The vLLM in this image does not know the draft model's architecture {architecture}.",
        "Use an image with a newer vLLM, another draft model, or no speculative_config.",
    ),
    Signature(
        "model_arch_unsupported",
        (
            r"has model type [`'](?P<architecture>[\w.-]+)[`'] but Transformers does not recognize",
            r"Model architectures? \[?'(?P<architecture>\w+)'.*(?:are|is) not supported",
            r"Model architecture '?(?P<architecture>\w+)'? was supported in vLLM until",
            r"\b(?P<architecture>\w+) has no vLLM implementation",
            r"[Tt]he Transformers (?:modeling )?(?:implementation|backend) .*not compatible with vLLM",
            r"cannot import name '(?P<architecture>\w+)' from 'transformers",
        ),
        causes.architecture_unknown,
        _NEWER,
    ),
    Signature(
        "model_arch_unsupported",
        (
            r"Tokenizer class (?P<architecture>\w+) does not exist or is not currently imported",
            r"KeyError: '(?P<architecture>mllama|mixtral|llama|mistral|qwen|chatglm|deepseek|gemma|phi|baichuan|internlm|falcon|bloom|mpt|cohere|"
            r"dbrx|olmo|granite|jamba|starcoder|minicpm|mamba|nemotron|exaone|solar|"
            r"(?!\S*(?:weight|scale|bias|proj|layer|expert|gate|norm|cuda|rank|gpu|block))[a-z]+[a-z_]*\d[\w.]*)'$",
        ),
        "Something in this image does not know {architecture}, mostly the Transformers the model's type.",
        _NEWER,
        kind="general",
    ),
    Signature(
        "model_arch_unsupported",
        (r"`?rope_(?:scaling|parameters)`? (?:should have|must be a dictionary|must have)",),
        "The model's config.json describes its positions in a way that this image's Transformers does not take.",
        "Use an image with a newer vLLM, or the rope parameters of the model's own config.json (hf_overrides).",
        kind="general",
    ),
    Signature(
        "trust_remote_code",
        (r"[Pp]lease pass the argument `trust_remote_code|contains custom code which must be executed",),
        "The model brings its own Python code, and vLLM does not run it unasked.",
        "Read that code; if you trust it, set trust_remote_code: true. A newer vLLM often knows the model without.",
    ),
    Signature(
        "model_access",
        (
            r"GatedRepoError|Cannot access gated repo|trying to access a gated repo|Access to model \S+ is restricted",
        ),
        "The model is gated on the Hub, and the server has no token that may read it.",
        "Accept the model's licence with the account of the token, and give the instance secrets: {{HF_TOKEN: <key of vllm_secrets>}}.",
    ),
    Signature(
        "model_access",
        (
            r"Repo id must (?:be in the form|use alphanumeric)",
            r"Invalid repository ID or local directory specified: ?'?(?P<model>[^']*)",
            r"(?<!\S)(?P<model>\S+) is not a local folder and is not a valid model identifier",
            r"(?<!\S)(?P<model>\S+) does not appear to have a file named",
            r"Can't load (?:the )?(?:configuration|config|tokenizer|image processor|feature extractor|processor|model) (?:of|for) '(?P<model>[^']+)'",
            r"Incorrect path_or_model_id:? ?'?(?P<model>[^']*)",
            r"No supported config format found in (?P<model>\S+)",
            r"Cannot find any model weights with `?(?P<model>[^`\s]+)",
            r"RepositoryNotFoundError|Repository Not Found for url|RevisionNotFoundError|Revision Not Found",
        ),
        causes.model_not_found,
        "Check model and its revision; a directory must be mounted (volumes) under the same path.",
    ),
    Signature(
        "model_access",
        (
            r"error downloading or loading vocab file",
            r"couldn't connect to '?https?://\S*huggingface|We couldn't connect to",
            r"LocalEntryNotFoundError|outgoing traffic has been disabled|OfflineModeIsEnabled",
            r"(?:HfHub)?HTTPError: [45]\d\d |(?:Error|Exception): .*40[13] Client Error|^40[13] Client Error|(?:Error|Exception): .*429 Client Error",
            r"Failed to resolve '[\w.-]*huggingface\.co'|HTTPSConnectionPool\(host='[\w.-]*huggingface\.co'",
        ),
        "The server could not download a file of the model.",
        "Fetch the model before the start (the vllm_model role does), give a token (secrets: HF_TOKEN); for gpt-oss mount "
        "the tiktoken files and set TIKTOKEN_ENCODINGS_BASE.",
    ),
    Signature(
        "model_access",
        (
            r"SafetensorError: (?P<why>.+)|(?:HeaderTooLarge|MetadataIncompleteBuffer|InvalidHeaderDeserialization)",
        ),
        "A weight file is cut off or is not a safetensors file: a broken download or a Git LFS pointer.",
        "Remove the file and fetch the model again.",
    ),
    Signature(
        "lora",
        (r"LoRA rank (?P<rank>\d+) is greater than max_lora_rank (?P<most>\d+)",),
        "The adapter's rank {rank} is above max_lora_rank {most}.",
        remedies.enough_rank,
    ),
    Signature(
        "lora",
        (
            r"max_lora_rank \(?(?P<rank>\d+)\)? must be one of",
            r"(?:LoRA|Lora|lora) (?:is|are) not (?:yet )?supported|does not support LoRA",
            r"expected target modules in .* but received",
            r"No adapter found for (?P<path>\S+)|LoRAAdapterNotFoundError|Loading lora \S+ failed",
            r"only supports modules_to_save|does not yet support DoRA|max_cpu_loras \(\d+\) must be >= max_loras|LoRA.* only supported",
        ),
        "vLLM can't use the LoRA adapter or its settings with this model.",
        "Check lora_modules (a directory in the container), enable_lora and max_lora_rank; leave the adapter out where the "
        "model does not support LoRA.",
    ),
    Signature(
        "missing_package",
        (
            r"^(?:ModuleNotFoundError|ImportError): No module named '(?!transformers_modules|vllm\.)(?P<module>[\w.-]+)'",
            r"^ImportError: (?!.*(?:undefined symbol|cannot open|not found \(required))"
            r"(?P<module>fastsafetensors|instanttensor|runai[\w-]*|lmcache|nixl|flashinfer)\b",
            r"^ImportError: .*(?:pip install|Please install) [`'\"]*(?P<module>[\w.-]+)",
            r"Error: (?P<module>Arctic Inference|ray|Ray|bitsandbytes|flashinfer|nixl|NIXL) .*(?:is required|not (?:found|installed|available))",
        ),
        "The image lacks the package {module}.",
        remedies.known_package,
    ),
    Signature(
        "missing_package",
        (r"Failed to find C compiler|(?:Error: |Exception: ).*(?:Could not find nvcc|CUDA_HOME .* not set)",),
        "The image lacks a compiler, and something in it compiles kernels while it starts.",
        _WITH_COMPILER,
        kind="general",
    ),
    Signature(
        "missing_package",
        (r"(?:nvcc|ninja|gcc|cc): (?:command )?not found$",),
        "The image lacks a compiler, and something in it compiles kernels while it starts.",
        _WITH_COMPILER,
        kind="hint",
    ),
    Signature(
        "weights_do_not_fit_model",
        (
            r"[Tt]here is no module or parameter named '?(?P<name>[^' ]+)'? in (?P<module>\w+)",
            r"Attempted to load weight \(.*\) into parameter|Tried to load weights of size torch\.Size\((?P<got>[^)]*)\)",
            r"KeyError: ['\"`](?P<name>[\w.]*\.(?:\w*weight|\w*bias|qzeros|scales|g_idx|\w*_scale(?:_\w+)?|absmax|SCB|causal_mask|inv_freq))['\"`]",
            r"Missing keys .* in loaded state|Some weights are not initialized from checkpoints|shape mismatch between model and checkpoint",
            r"assert param(?:_data)?\.(?:data\.)?shape == loaded_weight\.shape|AssertionError: param_data\.shape == loaded_weight\.shape",
            r"start \(\d+\) \+ length \(\d+\) exceeds dimension size",
            r"[Ff]ollowing weights were not initialized? from checkpoint",
            # A name that ends with the layer itself is no weight: vLLM looked a layer up and did not find it.
            r"(?:KeyError: |^)'(?P<name>[\w.]*layers\.\d+\.[\w.]+)'$(?<!attn')(?<!mixer')",
        ),
        "The checkpoint's weights do not fit what this release of vLLM builds for the model.",
        "Use an image with a newer vLLM, or a checkpoint made for this one; with quantization look at its list of "
        "unquantized modules.",
        kind="general",
    ),
)
