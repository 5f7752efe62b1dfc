"""Signatures of what a model is made of: its files, tokenizer, template and quantization. Data."""

from __future__ import annotations

from . import causes
from .signature import STARTING, Signature

_FETCH = "Fetch the model before the start (the vllm_model role does), or see that the host reaches the Hub (a proxy in env)."
_WHOLE = "Remove the file and fetch the model again."
_FIND = "Check model and its revision; a directory must be mounted (volumes) under the same path."

FILES = (
    Signature(
        "trust_remote_code",
        (
            r"set the option [`']trust_remote_code=True[`'] to remove this error",
            r"requires you to execute the (?:configuration|tokenizer|modeling|model|processor)\w* file in that repo",
            r"No module named 'transformers_modules",
            r"Failed to load the tokenizer\. If the tokenizer is a custom tokenizer",
        ),
        "The model brings its own Python code, and vLLM does not run it unasked or does not find it.",
        "Read that code; if you trust it, set trust_remote_code: true. A newer vLLM often knows the model without.",
    ),
    Signature(
        "trust_remote_code",
        (
            r"consider setting `trust_remote_code=True`",
            r"[Ss]et `?trust_remote_code`?(?: to |=)True",
        ),
        "The vLLM in this image does not know the model, which may bring its own Python code.",
        "Use an image with a newer vLLM; or read the model's code and, if you trust it, set trust_remote_code: true.",
        kind="general",
    ),
    Signature(
        "model_access",
        (
            r"Invalid (?:credentials in Authorization header|username or password|user token)|token seems invalid",
            r"Token is (?:required|not valid)|LocalTokenNotFoundError|hf_[A-Za-z]+ token .*(?:expired|invalid)",
        ),
        "The Hub does not accept the server's token.",
        "Make a new token, put it into vllm_secrets and give it to the instance: secrets: {{HF_TOKEN: <key of vllm_secrets>}}.",
    ),
    Signature(
        "model_access",
        (
            r"Consistency check failed: file should be of size|FileIntegrityError|integrity check failed, expected sha256|IncompleteRead|ChunkedEncodingError",
            r"(?:hf_xet|xet|CAS)\b.*(?:[Ee]rror|failed)|Data processing error: |Error while downloading from https",
            r"(?:Timeout|TimeoutError|ReadTimeout\w*|ConnectTimeout\w*|ConnectError|ConnectionError|MaxRetryError|SSLError|HTTPError)\b"
            r".*(?:huggingface|hf-mirror|hf\.co|modelscope)",
            r"(?:huggingface|hf-mirror|hf\.co|modelscope)\S*.*(?:[Tt]imed? ?out|Name or service not known|"
            r"Temporary failure in name resolution|CERTIFICATE_VERIFY_FAILED|Connection refused)",
            r"Failed to load model from (?:S3|s3|GCS|object storage)|NoCredentialsError|botocore\.exceptions\.\w+",
        ),
        "The server could not download a file of the model.",
        _FETCH,
    ),
    Signature(
        "model_access",
        (r"^Error retrieving [\w ]+: (?P<why>.+)",),
        "The server asked the Hub for a file of the model, and did not get it.",
        _FETCH,
        kind="hint",
    ),
    Signature(
        "model_access",
        (
            r"CERTIFICATE_VERIFY_FAILED|certificate verify failed",
            r"^(?:requests|urllib3|httpx|httpcore|aiohttp)\.(?:\w+\.)*\w*(?:Error|Timeout\w*)\b(?!.*stats\.vllm\.ai)",
            r"(?:socket\.)?gaierror: (?P<why>.+)",
        ),
        "The server can't reach a host on the network that it wants to load something from.",
        _FETCH,
        kind="general",
        phases=STARTING,
    ),
    Signature(
        "model_access",
        (
            r"(?:FileNotFoundError|NotADirectoryError)(?:\(2\))?: .*[`'\"](?P<model>/?\S+)/(?:\S*\.safetensors|\S+\.bin|\S+\.gguf|[\w.-]*config\.json|"
            r"tokenizer\S*|\S+\.model|\S+\.tiktoken)",
            r"No such file or directory: [`'\"]?(?P<model>/\S+?)[`'\"]?$(?<=[/\w]config\.json['\"`])",
            r"No such file or directory: \"?(?P<model>\S+)/\S+\.safetensors|Weight files referenced in index but missing",
            r"EntryNotFoundError|Entry Not Found for url|Could not detect config format|no config file found",
            r"Failed to load mistral '\S+' config for model (?P<model>\S+?)\.",
            r"Unrecognized model in (?P<model>\S+?)\. Should have a `?model_type",
            r"No (?:config|params)\.json found|Error no file named \S+.* found in directory (?P<model>\S+?)\.",
            r"ValueError: (?P<file>\S+) is not a file\.|(?:model|path) (?P<model>/\S+) does not exist|(?:tiktoken|tokenizer)\.\w+ not found at (?P<place>\S+)",
            r"No model weights found in: `?(?P<folder>[^`\s]+)|Could not find (?:checkpoint|GGUF) files?|Cannot find any \w+ model weights",
            r"FileNotFoundError: .*'(?P<model>\S*/hub/models--[^/']+)/",
            r"Unauthorized for url: https://huggingface",
        ),
        causes.model_not_found,
        _FIND,
    ),
    Signature(
        "model_access",
        (
            r"is not a valid JSON file|invalid load key|UnpicklingError: |pickle data was truncated|Weights only load failed|PytorchStreamReader failed",
            r"unexpected EOF, expected \d+ more bytes|Unable to load weights from (?:pytorch )?checkpoint",
            r"InvalidHeader|HeaderTooSmall|HeaderTooLarge|header too (?:small|large)|incomplete metadata, file not fully covered",
            r"Git LFS pointer|git-lfs|version https://git-lfs|GGUF magic invalid|failed to read gguf",
        ),
        "A file of the model is cut off or is not what its name says: a broken download or a Git LFS pointer.",
        _WHOLE,
    ),
    Signature(
        "tokenizer_unsupported",
        (
            r"data did not match any variant of untagged enum",
            r"Couldn't instantiate the backend tokenizer|Converting from (?:SentencePiece and )?[Tt]iktoken failed",
            r"Failed to load the tokenizer|Can't load tokenizer|No (?:valid )?tokenizer (?:file )?found|Unable to load (?:tokenizer|vocabulary)",
            r"AttributeError: '\w*Tokenizer\w*' object has no attribute|No tokenizer registered for tokenizer_mode",
            r"(?:Error|Exception): .*(?:tekken|MistralTokenizer|mistral_common)",
            r"Loading a multimodal GGUF model needs to use original tokenizer",
        ),
        "The image can't read the model's tokenizer.",
        "Use an image with a newer vLLM; or name another repository in settings.tokenizer, or tokenizer_mode (mistral for "
        "Mistral's own files).",
        kind="general",
        phases=STARTING,
    ),
    Signature(
        "parser_not_for_model",
        (
            r"(?i:(?P<parser>[\w.-]+) ?(?:tool|reasoning|tool call)? ?(?:parser|extractor)) could not locate .*tokenizer",
            r"does not (?:have|contain) the (?:required )?(?:tool|reasoning|think) tokens?",
        ),
        "The chosen parser is made for another model: the tokenizer lacks its marks.",
        "Choose the tool_call_parser or reasoning_parser that the model's recipe names, or leave it out.",
    ),
    Signature(
        "chat_template_invalid",
        (
            r"TemplateSyntaxError|Failed to (?:load|compile|render) (?:the )?chat template",
            r"jinja2\.exceptions\.\w+: (?P<why>.+)",
        ),
        "The chat template is no valid Jinja template for this image.",
        "Correct the file, or leave chat_template out where the model brings its own.",
        kind="general",
        phases=STARTING,
    ),
    Signature(
        "missing_package",
        (
            r"following packages that were not found in your environment: (?P<module>[\w-]+)",
            r"PackageNotFoundError: (?:No package metadata was found for )?(?:The ')?(?P<module>[\w.-]+)",
            r"but '(?P<module>hf_transfer)' package is not available",
            r"^\w*(?:Error|Exception): .*pip install (?:-U |--upgrade )?[`'\"]*(?P<module>[a-zA-Z][\w.-]*)",
            r"^\w*Error: .*(?:[Pp]lease install|requires (?:the )?installation of|needs? to be installed:?) (?!the same)[`'\"]*(?P<module>[\w.-]+)",
            r"^ImportError: (?P<module>[\w.-]+) is (?:required|needed) (?:for|to)",
            r"Error: (?P<module>Mooncake|LMCache|NIXL|lmcache|nixl) is not (?:available|installed)",
            r"^\w*Error: .*[Tt]he [`'\"]?(?P<module>[\w.-]+)[`'\"]? (?:package|library)\b.*(?:is|are) (?:required|not (?:installed|available|found))",
            r"^\w*Error: .*requires? (?:the )?[`'\"]?(?P<module>[\w.-]+)[`'\"]? (?:package|library)\b",
            r"^\w*Error: (?P<module>OpenTelemetry|DeepEP|DeepGEMM|MoRI|FlashInfer|TileLang)\b(?: \w+)? (?:(?:is|are) )?not "
            r"(?:available|found|installed)(?! for)",
            r"^\w*Error: (?:Using |Loading )?(?P<module>[\w.-]+) (?:is not installed|package is not installed|must be installed)",
        ),
        "The image lacks the package {module}.",
        "Use an image that carries it, or leave out the setting that asks for it (load_format, a connector, a tokenizer mode).",
    ),
    Signature(
        "model_arch_unsupported",
        (
            r"[Gg][Gg][Uu][Ff] model with architecture (?P<architecture>\S+) is not supported",
            r"Unknown gguf model_type: (?P<architecture>\S+)|Architecture (?P<name>\S+) not supported$|Failed to map GGUF parameters",
            r"(?P<architecture>\w+) is not (?:yet )?supported by (?:vLLM|this (?:version|release))",
            r"Unrecognized configuration class .*(?P<architecture>\w+Config)\b",
            r"rope_scaling.*(?:must|should) (?:be|have)|Unknown RoPE scaling type (?P<architecture>\w+)|KeyError: 'rope_type'",
            r"module '?transformers\S* has no attribute '?(?P<architecture>\w+)",
            r"AttributeError: '(?P<architecture>\w+Config)' object has no attribute",
            r"Unknown (?:image|video|audio) model type: (?P<architecture>\S+)|only supports versions .* Got version|(?i:failed to map GGUF parameters)",
            r"Invalid type of HuggingFace (?:config|processor|proceesor)|text_config extracted from the model config does not have|"
            r"No model architectures are specified",
            r"Model class (?P<architecture>\w+) .*(?:not found|not registered)",
        ),
        causes.architecture_unknown,
        "Use an image with a newer vLLM (or one of the time of the model), or another model.",
        kind="general",
    ),
    Signature(
        "quantization_not_supported_on_gpu",
        (
            r"Quantization scheme is not supported for",
            r"[Ii]nt8 not supported (?:on|for)",
            r"(?i:fp8|float8|nvfp4|fp4|mxfp4|mxfp8|int4|int8|marlin|awq)\w* .*(?:requires?|is only supported on|not supported on)"
            r".*(?:GPU|capability|SM\d|sm_?\d|Hopper|Blackwell|Ada|CUDA ?>=)",
            r"(?:torchao|scaled_mm|cutlass_scaled_mm)\b.*(?:capability|>= ?8\.9|SM\d+)",
        ),
        "This GPU can't compute with the checkpoint's quantized weights.",
        "Use a checkpoint in a format that this GPU has, such as AWQ or GPTQ; the line may name the capability that is missing.",
    ),
    Signature(
        "quantization_mismatch",
        (
            r"[Qq]uantization is not supported for|(?i:marlin|gptq|awq)\w*_gemm only supports",
            r"No compressed-tensors compatible scheme was found|Found different quantization schemes for the shards",
            r"Unsupported (?:num_bits|quantization config|ModelOpt|quant_algo|activation scheme|quantization scheme|bits)",
            r"ModelOpt currently only supports|(?:quant_method|quant_algo|Quantization method) \S+ is not supported|Unknown ModelOpt",
            r"in the model's quantization config|Model quantization method is not specified|Unknown (?:online )?quantization (?!method)",
            r"[Qq]uantization method \S+ is deprecated|no longer supports online quantization|Sparsity support has been removed",
            r"(?:AWQ|GPTQ|Marlin|moe_wna16|MoeWNA16|BitsAndBytes|bitsandbytes|FPQuant|GGUF|MXFP[48]|NVFP4|compressed-tensors)\b.*"
            r"(?:only supports?|does not support|is not supported|currently supports? only|requires a serialized)",
            r"Detected some but not all shards of .* are quantized|Mixed quant_algo within fused layer",
            r"quantization_config(?:\.\w+)? .*(?:only supported|mutually exclusive|conflicts)",
        ),
        "This release can't load weights that are quantized in this way, or not with these settings.",
        "Use an image with a newer vLLM or a checkpoint in another format; leave quantization out so that vLLM reads it from the "
        "checkpoint.",
        kind="general",
    ),
    Signature(
        "parallel_size_not_divisible",
        (
            r"size_[nk] (?:= \d+ is not|must(?: be)?) divisible by|Invalid thread config|not divisible by the number of tensor parallelism",
            r"(?:input|output|intermediate|hidden|head|vocab)_?\w*(?:size|dim|heads)\w*(?: ?=? ?\(?\d+\)?)? (?:is not|must be|to be) "
            r"(?:evenly )?(?:divisible by|a multiple of)",
            r"^assert .*(?:intermediate|hidden|heads|vocab|output_size|input_size|num_experts)\w* % .* == 0",
            r"[Nn]umber of (?:attention |kv |KV )?heads.*divisible",
            r"divisible by (?:the )?(?:world|TP|tp|EP)[ _]?size|cannot be (?:evenly )?(?:split|divided|sharded) (?:across|over|by)",
        ),
        "Split over so many GPUs, a part of the model is no longer whole.",
        "Use a smaller tensor_parallel_size (1, 2, 4 or 8 for nearly all models), enable_expert_parallel: true for experts, or "
        "pipeline_parallel_size.",
        kind="general",
    ),
    Signature(
        "parallel_unsupported",
        (
            r"Pipeline parallelism is not supported for this model|does not support pipeline parallel",
            r"(?:[Dd]ata|[Ee]xpert|[Tt]ensor|[Cc]ontext) parallel(?:ism)? is not supported (?:for|with|by)",
        ),
        "This model can't be split in the way that is asked for.",
        "Use tensor_parallel_size alone, on as many GPUs as divide the model's heads.",
    ),
)
