"""Signatures of CUDA, its libraries and compilers: the GPU, the driver, kernels made while the server starts. Data."""

from __future__ import annotations

from .signature import STARTING, Signature

_OTHER_IMAGE = (
    "Use the image of another release or build, and mount nothing over the image's Python packages."
)
NO_COMPILE = (
    "Read the lines below; remove the cache of this instance (vllm_state_dir/<instance>/cache), use vLLM's own image, or "
    "choose another attention_backend."
)

CUDA = (
    Signature(
        "gpu_unavailable",
        (
            r"all CUDA-capable devices are busy or unavailable|cudaErrorDevice(?:s)?(?:Already)?(?:Unavailable|InUse)",
            r"CUDA error: exclusive-thread device already in use|device\(s\) is/are busy or unavailable",
        ),
        "Another process has the GPU for itself, or the driver can't make it ready.",
        "See who holds it (nvidia-smi), set the compute mode back (`nvidia-smi -c DEFAULT`); with MIG see that the GPU has "
        "instances; if nothing holds it, reset the GPU or reboot the host.",
    ),
    Signature(
        "cuda_illegal_memory_access",
        (
            r"uncorrectable (?:NVLink|ECC) error|GPU has fallen off the bus|GPU is lost|GPU requires reset|RmInitAdapter failed",
            r"Unable to determine the device handle for (?:GPU|gpu)|NVMLError_GpuIsLost|cudaErrorECCUncorrectable",
            r"CUDA error: hardware stack error",
        ),
        "The GPU itself is faulty, or the driver has lost it.",
        "Look for Xid messages (`dmesg | grep -i xid`) and at `nvidia-smi -q`; reset the GPU or reboot the host; if it comes "
        "back, leave this GPU out of `gpus` and have it exchanged.",
        kind="general",
    ),
    Signature(
        "fewer_gpus_than_asked",
        (r"Duplicate GPU detected ?: rank \d+ and rank \d+ both on CUDA device",),
        "Two ranks were given the same GPU: the container sees fewer GPUs than ranks.",
        "Give the instance as many gpus as tensor_parallel_size x pipeline_parallel_size.",
    ),
    Signature(
        "fewer_gpus_than_asked",
        (
            r"Not enough (?:resources to allocate|total available nodes)|not included in a placement group",
            r"Current node has no GPU available|Ray does not allocate any GPUs on the driver node|No available node types can fulfill resource",
            r"is less than than max local gpu count|local_world_size must be less than or equal to the number of visible devices",
            r"Cannot provide a placement group|placement group .*(?:timed out|cannot be scheduled)",
            r"[Ll]ocal[ _]rank:? ?\d+ is out of bounds|assigned_physical_gpu_ids|device_id \d+ is out of range",
            r"required (?:number of )?(?:GPUs|devices) .*(?:exceeds|larger)|Not enough GPUs|not enough GPUs available",
            r"Error computing (?:device indices|assigned_physical_gpu_ids)|--device-ids (?:provides|index)",
        ),
        "More GPUs are asked for than the container sees.",
        "Give the instance as many gpus as tensor_parallel_size x pipeline_parallel_size x data_parallel_size, or lower these.",
    ),
    Signature(
        "fewer_gpus_than_asked",
        (r"number of required \w+ exceeds the total number of available",),
        "More GPUs are asked for than the container sees.",
        "Give the instance as many gpus as tensor_parallel_size x pipeline_parallel_size x data_parallel_size, or lower these.",
        kind="hint",
    ),
    Signature(
        "nccl_hang_or_error",
        (
            r"peer access is not supported between these two devices|cudaErrorPeerAccess\w+",
            r"peer mapping resources exhausted|'invalid resource handle'|cudaIpc(?:Open|Get)MemHandle|CUDA error: invalid (?:resource|device) handle",
        ),
        "The GPUs can't read each other's memory (peer-to-peer).",
        "Set disable_custom_all_reduce: true and NCCL_P2P_DISABLE=1 in env.",
        kind="general",
    ),
    Signature(
        "nccl_hang_or_error",
        (
            r"no socket interface found|[Uu]nable to (?:find|resolve) (?:address|hostname|interface)\b|Invalid network interface",
            r"(?:client|server) socket has (?:failed|timed out)|Timed out after \d+ seconds waiting for clients",
            r"DistStoreError|\bGloo\b.*(?:[Tt]imed? ?out|refused)|gloo/transport/.*(?:[Tt]imed? ?out|refused)",
            r"Every node should have a unique IP|Failed to connect to (?:Ray|GCS)|Could not find any running Ray instance",
        ),
        "The server's processes can't find or reach each other over the network.",
        "Set NCCL_SOCKET_IFNAME and GLOO_SOCKET_IFNAME in env to an interface that the container has (lo on one host), "
        "VLLM_HOST_IP=127.0.0.1 on one host; see that no firewall is between the hosts.",
        kind="general",
    ),
    Signature(
        "nccl_hang_or_error",
        (r"RPC call to (?P<method>\w+) timed out|Engine iteration timed out",),
        "A worker does not answer any more: the GPUs wait for one another, or one step takes too long.",
        "Try NCCL_P2P_DISABLE=1 in env and disable_custom_all_reduce: true; where steps are slow (offloading, first compilation), "
        "set VLLM_EXECUTE_MODEL_TIMEOUT_SECONDS=1200 in env.",
        kind="general",
    ),
    Signature(
        "worker_fork",
        (r"Cannot re-initialize (?:CUDA|XPU|HIP) in forked subprocess",),
        "CUDA was in use before vLLM forked its workers.",
        "Set VLLM_WORKER_MULTIPROC_METHOD=spawn in env.",
    ),
    Signature(
        "image_lacks_gpu_arch",
        (
            r"Unsupported gpu architecture '(?P<arch>compute_\w+)'|Unknown CUDA arch \((?P<number>[\d.]+\w?)\)",
            r"Unsupported \.version \d+\.\d+; current version is|ptxas (?:fatal|error).*(?:not supported|Unresolved|unknown)",
            r"too old to be supported by the triton GPU compiler|(?:CUDA|HIP) error: invalid device function|cudaErrorInvalidDeviceFunction",
            r"(?:was not compiled due to|not in the list of target arches)",
            r"sm_\d+\w? is not (?:supported|compatible)|CUBLAS_STATUS_ARCH_MISMATCH|no kernel image|cudaErrorInvalidPtx|"
            r"Feature '[^']+' (?:not supported on|requires) \.target",
        ),
        "The compiler or the kernels in the image do not know this GPU.",
        "Use an image whose architectures include the GPU: a newer release for a newer GPU, an older one for a GPU that vLLM "
        "no longer supports.",
    ),
    Signature(
        "image_lacks_gpu_arch",
        (r"with CUDA capability (?P<arch>sm_\w+) is not compatible with the current PyTorch installation",),
        "The image's PyTorch holds no code for this GPU ({arch}).",
        "Use an image whose architectures include the GPU: a newer release for a newer GPU.",
        kind="hint",
    ),
    Signature(
        "image_lacks_gpu_arch",
        (
            r"Torch not compiled with CUDA enabled|torch\.cuda.*compiled without CUDA|PyTorch was not compiled with CUDA",
        ),
        "The PyTorch in this image was built without CUDA.",
        "Use vLLM's image for NVIDIA GPUs (vllm/vllm-openai); the instance's image is one for CPUs or another platform.",
    ),
    Signature(
        "kernel_not_for_gpu",
        (
            r"out of resource: shared memory, Required: (?P<needed>\d+), Hardware limit: (?P<limit>\d+)",
            r"PassManager::run failed|LLVM ERROR: \S|Cannot select: intrinsic|while processing an MLIR pass pipeline",
            r"too many resources requested for launch|cudaErrorLaunchOutOfResources",
            r"(?:ValueError|RuntimeError|NotImplementedError|AssertionError): .*(?:requires?|needs?|only supports?|only supported on)\b"
            r".*(?:compute capability|\bSM ?\d|\bsm_?\d|Hopper|Blackwell|Ampere)",
            r"[Nn]o (?:valid|suitable|supported|available) (?:\w+ )?(?:kernel|backend) .*(?:GPU|device|capability|SM\d|sm\d)",
        ),
        "A kernel that vLLM chose does not work on this GPU.",
        "Choose another one (attention_backend, moe_backend, kv_cache_dtype or quantization, as the line names it), or use an "
        "image with a newer vLLM.",
        kind="general",
    ),
    Signature(
        "image_regression",
        (
            r"version [`'](?P<symbol>(?:GLIBC|GLIBCXX|CXXABI|NCCL)_[\w.]+)' not found",
            r"ImportError: (?P<symbol>(?!libcuda\.|libnvidia-ml)[\w./+-]+\.so[\w.]*): cannot open shared object",
            r"OSError: (?P<symbol>(?!libcuda\.|libnvidia-ml)[\w./+-]+\.so[\w.]*): cannot open shared object",
            r"'_OpNamespace' '\w+' object has no attribute '(?P<symbol>\w+)'|operator (?P<operator>\w+::\w+) does not exist",
            r"^ModuleNotFoundError: No module named '(?P<symbol>vllm\.[\w.]+)'",
            r"Could not run '(?P<symbol>_\w*C\w*::\w+)' with arguments from the '\w+' backend",
            r"\b(?P<symbol>\w+::\w+)\(\) (?:is missing value for argument|expected at most \d+ argument)",
            r"AttributeError: module '(?P<symbol>(?!transformers)[\w.]+)' has no attribute",
            r"TypeError: (?P<symbol>flash_attn\w*|BatchPrefill\w*|BatchDecode\w*|top_k_top_p\w*|top_p\w*|trtllm\w*|\w*fused_moe\w*|\w+Processor|"
            r"\w+Tokenizer\w*)[\w.]*\(\) got (?:an unexpected keyword|multiple values for) argument",
        ),
        "Something is missing in this image, or two of its parts do not fit each other ({symbol}).",
        _OTHER_IMAGE,
        kind="general",
    ),
    Signature(
        "image_regression",
        (r"Failed to load NCCL library from (?P<library>\S+?)\. ",),
        "This image's NCCL library {library} can't be loaded, and several GPUs can hardly do without.",
        _OTHER_IMAGE,
        kind="hint",
    ),
    Signature(
        "image_regression",
        (
            r"partially initialized module '(?P<module>[\w.]+)' has no attribute|numpy\.dtype size changed",
            r"Only one platform plugin can be activated|Failed to import transformers\.\S+ because of the following error|Received a \w+ for argument",
            r"Cannot find libnccl|name 'ncclGetVersion' is not defined|ImportError: cannot import name '(?P<name>\w+)'",
            r"compiled using NumPy 1\.x cannot be run|Numba needs NumPy|CUDNN_STATUS_\w*(?:VERSION|NOT_INITIALIZED)\w*",
            r"ImportError: cannot import name '(?P<symbol>\w+)' from '(?P<package>[\w.]+)'|has no attribute 'all_special_tokens_extended'",
            r"version \(?[\w.+-]+\)? does not match [\w-]+ version|RuntimeError: The detected CUDA version .* mismatches|cuDNN version incompatibility",
        ),
        "Two packages in this image do not fit each other.",
        _OTHER_IMAGE,
        kind="general",
    ),
    Signature(
        "compile_cache_stale",
        (
            r"(?:ImportError|OSError): \S*(?:\.triton|torchinductor|\.cache/flashinfer|torch_extensions)\S*: (?:undefined symbol|file too short|"
            r"invalid ELF|cannot open shared object)",
            r"(?:FileNotFoundError|No such file or directory).*(?:torchinductor|/\.?triton/|inductor_cache|torch_compile_cache)",
            r"(?:file too short|invalid ELF header)$|bad magic number in",
            r"torch_compile_cache.*(?:JSONDecodeError|UnpicklingError|EOFError)",
        ),
        "The cache of compiled kernels was made by another release or is broken.",
        "Remove the cache of this instance (vllm_state_dir/<instance>/cache) and do not share one between kinds of GPUs.",
    ),
    Signature(
        "container_user_or_cache_permissions",
        (r"failed to map segment from shared object(?:: Operation not permitted)?",),
        "The place where compiled kernels are kept is mounted noexec.",
        "Let TMPDIR, TRITON_CACHE_DIR and VLLM_CACHE_ROOT point to a directory that may hold programs.",
    ),
    Signature(
        "missing_package",
        (
            r"fatal error: (?P<module>[\w./+-]+\.(?:h|hpp|cuh)): No such file|cannot find -l(?P<library>\w+)",
            r"Ninja is required to load C\+\+ extensions|(?:Error|Exception): .*(?:nvcc|ninja|gcc|g\+\+)\b.*(?:not (?:be )?found|No such file)",
            r"FileNotFoundError: .*'\S*(?P<module>nvcc|ninja|gcc|cicc|ptxas)'",
        ),
        "The image lacks a part of a compiler, and something in it compiles kernels while it starts.",
        "Use vLLM's own image, which brings one, or choose a backend that compiles nothing (attention_backend, "
        "VLLM_USE_FLASHINFER_SAMPLER=0 in env).",
        kind="general",
    ),
    Signature(
        "compile_failed",
        (
            r"Ninja build failed|ninja: build stopped|Error building extension|nvcc fatal *: ",
            r"CalledProcessError: Command '\[?'\S*(?:nvcc|gcc|g\+\+|ninja|ptxas)\b",
            r"NVRTC_ERROR_\w+|nvrtc: error|JIT compil\w+ failed|Failed to compile \S+ kernel|^cc1(?:plus)?: (?:fatal )?error: ",
            r"^\S+\.(?:cuh?|hpp|cpp|cc|[hc])(?:\(\d+\)|:\d+:\d+): (?:fatal )?error: (?!.*No such file)",
        ),
        "A kernel that is made while the server starts could not be compiled.",
        NO_COMPILE,
        kind="general",
    ),
    Signature(
        "compile_failed",
        (
            r"expected size \d+==\d+, stride|auto_functionalized was not removed|Failed to run autotuning code block|PTXASError|"
            r"`ptxas` failed with error code|Cannot unpickle PostGradPassManager|Dynamo failed to run FX node|Data-dependent branching",
            r"Guard check failed: |Constraints violated \(L\[|marked L\[",
            r"^(?:torch\._inductor\.exc|torch\._dynamo\.exc)\.\w+: \S",
        ),
        "torch.compile can't compile this model in this release.",
        "Set enforce_eager: true, which is slower, or use the image of another release.",
        kind="general",
        phases=STARTING,
    ),
    Signature(
        "compile_failed",
        (
            r"(?:BackendCompilerFailed|InductorError|LoweringException|Unsupported|UserError|InternalTorchDynamoError|"
            r"TorchRuntimeError|ConstraintViolationError|RecompileLimitExceeded)(?::|$)",
        ),
        "torch.compile can't compile this model in this release.",
        "Set enforce_eager: true, which is slower, or use the image of another release.",
        kind="symptom",
        raised_in=r"/torch/(?:_inductor|_dynamo|_functorch|fx)/",
    ),
    Signature(
        "host_memory",
        (
            r"Memory cgroup out of memory: Killed process|oom-kill:constraint=|OOMKilled|oom_memcg",
            r"^MemoryError|std::bad_alloc|\[Errno 12\] Cannot allocate memory|Cannot allocate memory \((?:os error )?12\)",
            r"(?:exit ?code|exitcode)s?:? -9\b|died .*signal 9|terminated by signal: ?SIGKILL|\(SIGKILL\)|status=9/KILL",
            r"worker was killed due to the node running low on memory|killed due to memory pressure \(OOM\)|SYSTEM_ERROR.*OOM",
        ),
        "The host's memory, or the instance's limit of it, is used up: weights pass through it, and CPU offloading keeps them there.",
        "Raise limits: {{memory: …}} of the instance, lower cpu_offload_gb, or stop what else uses the host's memory.",
        kind="general",
    ),
    Signature(
        "shm_too_small",
        (
            r"Unexpected bus error encountered in worker|SIGBUS received|status=7/BUS|Fatal Python error: Bus error|^Bus error",
            r"(?:exit ?code|exitcode)s?:? -7\b|code=exited, status=135|died .*SIGBUS",
        ),
        "A process wrote to shared memory that was not there: /dev/shm is too small, or a mapped file was cut.",
        "Raise limits: {{shm: 16g}} of the instance.",
        kind="general",
    ),
)
