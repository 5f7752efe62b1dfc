"""Signatures of the host and the container: what fails before vLLM has done anything. Data."""

from __future__ import annotations

from . import causes, remedies
from .signature import Signature

_REGENERATE = (
    "Regenerate the CDI specification (`nvidia-ctk cdi generate --output=/etc/cdi/nvidia.yaml`, or start "
    "nvidia-cdi-refresh.service), compare `nvidia-ctk cdi list` with `gpus`, then start the instance again."
)
_DRIVER = "Update the host's driver, or use an image built for an older CUDA (such as the `-cu126` or `-cu129` tags)."
_VISIBLE = (
    "Check `gpus` of the instance, nvidia-smi on the host and the CDI specification (`nvidia-ctk cdi list`); "
    "with SELinux also the boolean container_use_devices."
)

HOST = (
    Signature(
        "cdi_spec",
        (
            r"unresolvable CDI devices (?P<thing>\S+)",
            r'failed to stat CDI host device "?(?P<thing>[^" ]+)',
            r"(?<!\": )(?:error stat'ing file|cannot stat|statfs|lstat|stat) "
            r"`?(?P<thing>/(?!\S*container-runtime-hook)\S*(?i:nvidia|libcuda|nvoptix)[^`\s:]*)`?:",
            r"stat (?P<thing>nvidia\.com/gpu=\S+): no such file",
            r"error executing hook `(?P<thing>\S*nvidia\S*)`",
            r'default OCI runtime \\?"(?P<thing>nvidia)\\?" not found',
            r"failed to inject (?:CDI )?devices|CDI device injection failed|unresolvable CDI device|conflicting device (?P<twice>\"?nvidia\S+)",
            r"(?:failed to (?:load|read|parse)|invalid) CDI [Ss]pec(?:ification)?",
            r"executable file [`\"](?P<hook>\S*nvidia-(?:ctk|cdi)\S*)[`\"] not found|exec: \"?(?P<missing>\S*nvidia-(?:ctk|cdi-hook))",
            r"(?:crun|runc): .*(?P<node>/dev/nvidia[\w-]*).*(?:No such|not permitted|[Oo]peration not|Permission denied)",
        ),
        causes.devices_stale,
        _REGENERATE,
    ),
    Signature(
        "cdi_spec",
        (
            r"CUDA unknown error - this may be due to an incorrectly set up environment",
            r"\bError 999: unknown",
        ),
        "CUDA can't open its devices, mostly because the CDI specification names an old device number of nvidia-uvm.",
        _REGENERATE,
    ),
    Signature(
        "driver_older_than_image_cuda",
        (
            r"unsatisfied condition: (?:cuda|driver)>=(?P<cuda>[\d.]+)",
            r"driver version is insufficient for CUDA runtime",
            r"NVIDIA driver on your system is too old(?: \(found version (?P<found>\d+)\))?",
            r"provided PTX was compiled with an unsupported toolchain",
            r"cudaErrorUnsupportedPtxVersion|cudaErrorInsufficientDriver",
            r"nvidia-container-cli: requirement error",
        ),
        causes.driver_too_old,
        _DRIVER,
    ),
    Signature(
        "driver_needs_reboot",
        (r"[Dd]river/library version mismatch", r"NVMLError_LibRmVersionMismatch"),
        "The driver's packages were updated, but the old kernel module is still loaded.",
        "Reboot the host.",
    ),
    Signature(
        "cuda_compat_libs_shadow_driver",
        (
            r"\bError 80[34]: ",
            r"forward compatibility was attempted on non supported HW",
            r"system has unsupported display driver / cuda driver combination",
            r"cudaErrorSystemDriverMismatch|cudaErrorCompatNotSupportedOnDevice",
        ),
        "The image's CUDA compatibility libraries are loaded instead of the host's driver.",
        "Disable the hook (NVIDIA_CTK_CDI_GENERATE_DISABLED_HOOKS=enable-cuda-compat when the CDI specification is "
        "generated), leave VLLM_ENABLE_CUDA_COMPATIBILITY unset, or use the image of another release.",
    ),
    Signature(
        "fabric_manager",
        (r"\bError 802: ", r"cudaErrorSystemNotReady|CUDA (?:driver )?error: system not yet initialized"),
        "The NVSwitch fabric of this host is not ready.",
        "Start nvidia-fabricmanager in exactly the driver's version.",
    ),
    Signature(
        "no_gpu_visible",
        (
            r"Failed to infer device type|Device string must not be empty|Cannot access accelerator device when none is available",
            r"No supported device detected|libcuda\.so cannot (?:be )?found",
            r"No (?:CUDA|HIP) GPUs are available|No XPU devices are available|no CUDA-capable device is detected",
            r"Found no NVIDIA driver on your system|NVMLError_DriverNotLoaded|CUDA driver initialization failed",
            r"libcuda\.so\.1: cannot open shared object",
            r"unknown or invalid runtime name: nvidia",
            r"could not select device driver .*\[\[gpu\]\]",
            r"NVMLError_LibraryNotFound|NVML Shared Library Not Found|NVML returned no GPU",
            r"Failed to initialize NVML: (?!Driver/library)|NVMLError_(?:Unknown|NoPermission|NotFound)",
            r"nvidia-container-cli: initialization error|libnvidia-ml\.so\.1: cannot open shared object",
        ),
        "vLLM sees no GPU in the container.",
        _VISIBLE,
    ),
    Signature(
        "no_gpu_visible",
        (r"Unexpected error from cudaGetDeviceCount\(\)",),
        "CUDA can't count its GPUs in the container.",
        _VISIBLE,
        kind="general",
    ),
    Signature(
        "no_gpu_visible",
        (r"No platform detected, vLLM is running on UnspecifiedPlatform",),
        "vLLM found no GPU platform in the container.",
        _VISIBLE,
        kind="hint",
    ),
    Signature(
        "fewer_gpus_than_asked",
        (
            r"World size \((?P<asked>\d+)\) is larger than the number of available GPUs \((?P<gpus>\d+)\)",
            r"Tensor parallel size \((?P<asked>\d+)\) cannot be larger than the number of available GPUs \((?P<gpus>\d+)\)",
            r"Tensor parallel size \((?P<asked>\d+)\) exceeds the number of available GPUs \((?P<gpus>\d+)\)",
            r"(?:CUDA|HIP)(?: driver)? error: invalid device ordinal|device < num_gpus INTERNAL ASSERT FAILED",
            r"required GPUs exceeds the total number of available GPUs",
        ),
        "More GPUs are asked for than the container sees.",
        remedies.gpus_there,
    ),
    Signature(
        "image_lacks_gpu_arch",
        (
            r"no kernel image is available for execution on the device",
            r"GPUs with compute capability below (?P<least>[\d.]+) are not supported",
            r"Value '(?P<arch>sm_\w+)' is not defined for option 'gpu-(?:name|architecture)'",
            r"cudaErrorNoKernelImageForDevice|No compiled \w+ for a compute capability less than",
        ),
        "The image holds no code for this GPU's compute capability.",
        "Use an image whose architectures include the GPU: a newer release for a newer GPU (Blackwell needs CUDA 12.8 "
        "or later), an older one for a GPU that vLLM no longer supports.",
    ),
    Signature(
        "shm_too_small",
        (
            r"Error while creating shared memory segment (?P<path>/dev/shm/\S+)",
            r"posix_fallocate failed\s*: No space left",
            r"ncclShmOpen",
            r"insufficient shared memory \(shm\)|Insufficient space in /dev/shm",
            r"unable to (?:open|allocate|resize|mmap|write) (?:a )?(?:shared memory|to file </torch_)",
            r"/dev/shm.*No space left on device|No space left on device.*/dev/shm",
        ),
        "The container's /dev/shm is too small for the traffic between the GPUs' processes.",
        "Raise limits: {{shm: 16g}} of the instance.",
    ),
    Signature(
        "container_user_or_cache_permissions",
        (
            r"getpwuid\(\): uid not found: (?P<user>\d+)",
            # vLLM's usage statistics may fail on ~/.config without harm.
            r"Error: \[Errno 13\] Permission denied: '(?P<path>(?!\S*/\.config/)[^']+)'",
            r"PermissionError at (?P<path>\S+) when downloading",
            r"OSError: \[Errno 30\] Read-only file system: '(?P<path>[^']+)'",
            r"Permission denied \(os error 13\)|bad interpreter: Permission denied|(?P<program>\S*/bin/(?:vllm|python3?)): Permission denied",
            r"mkdir: cannot create directory \S+: (?:Permission denied|Read-only)",
            r"cannot cache function .*: no locator available for file",
        ),
        causes.no_right,
        "Let HOME, HF_HOME and VLLM_CACHE_ROOT point into a volume that the container's user may write, set USER for a "
        "user without a name, and label the volume for SELinux (:Z).",
    ),
    Signature(
        "disk_full",
        (
            r"\[Errno 28\] No space left on device|No space left on device \(os error 28\)",
            r"[Nn]o space left on device",
        ),
        "A disk of this host is full.",
        "Free space where the models, the caches and Podman's storage are (df -h), then start again.",
    ),
    Signature(
        "port_in_use",
        (
            r"attempting to bind on address \('(?P<host>[^']*)', (?P<port>\d+)[^)]*\): (?:\[errno 98\] )?address already in use",
            r"Bind for (?P<host>\S+):(?P<port>\d+) failed: port is already allocated",
            r"listen (?:tcp|udp)\d? (?P<host>\S*?):(?P<port>\d+): bind: address already in use",
            r"port: (?P<port>\d+),.*EADDRINUSE",
            r"Address already in use \(addr='tcp://(?P<host>[^']*?):(?P<port>\d+)'\)",
            r"port is already allocated|EADDRINUSE|bind: address already in use",
            r"\[Errno 98\] Address already in use|Address already in use \(os error 98\)",
        ),
        causes.port_taken,
        remedies.free_port,
    ),
    Signature(
        "listen_address_invalid",
        (
            r"attempting to bind on address \('(?P<host>[^']*)', \d+[^)]*\): (?:\[errno 99\] )?cannot assign requested address",
            r"listen tcp\d? (?P<host>\S*?):\d+: bind: cannot assign requested address",
        ),
        "This host does not have the address {host}.",
        "Set listen to an address of this host (ip -brief address), or 127.0.0.1.",
    ),
    Signature(
        "image_access",
        (
            r"(?<!\S)(?P<image>\S+): image not known",
            r"(?:reading manifest|initializing source) .*?(?P<image>docker://\S+?):? .*(?:manifest unknown|unauthorized|denied)",
            r"short-name \"(?P<image>\S+)\" did not resolve",
            r"manifest unknown|unauthorized: authentication required|denied: requested access to the resource",
            r"Error: (?:.*: )?toomanyrequests|You have reached your (?:unauthenticated )?pull rate limit",
        ),
        "Podman can't get the image.",
        "Check image, its tag and the login to its registry; `podman pull` on the host says more.",
    ),
    Signature(
        "image_access",
        (
            r"Error: .*pinging container registry (?P<registry>\S+): ",
            r"Error: .*(?:initializing source|Get \"https?://(?P<registry>[^/\"]+)).*"
            r"(?:x509:|certificate|no such host|connection refused|i/o timeout|HTTPS client)",
            r"Error: .*(?:dial tcp|lookup \S+).*(?:no such host|connection refused|i/o timeout|no route to host)",
        ),
        "Podman can't talk to the registry of the image.",
        "See that the host resolves and reaches the registry, and trusts its certificate (/etc/containers/certs.d) or may use "
        "plain HTTP (/etc/containers/registries.conf); or bring the image from an archive.",
    ),
    Signature(
        "container_runtime_other",
        (r"no secret with name or (?:id|ID) \"?(?P<secret>[\w.-]+)",),
        "The host's Podman does not have the secret {secret}, which the unit names.",
        "Run the playbook again: it makes the secrets of the plan before it starts anything.",
    ),
    Signature(
        "container_runtime_other",
        (r"Error: .*statfs (?P<path>/\S+?): no such file or directory",),
        "The host does not have {path}, which is to be mounted.",
        "Make it, or correct model or volumes of the instance.",
    ),
    Signature(
        "container_runtime_other",
        (
            r"this event loop is already running",
            r'exec: "?(?P<program>[^":]+)"?: (?:stat \S+: no such file|executable file not found|permission denied)',
            r"executable file `(?P<program>[^`]+)` not found",
            r"exec format error",
            r": stat \S+: no such file or directory$",
        ),
        "The container runtime can't run the command in this image: its entrypoint is not vLLM, or does not suit this host.",
        "Use an image whose entrypoint is vLLM's (this collection sets `vllm serve` itself), built for this host's processor.",
    ),
    Signature(
        "container_runtime_other",
        (
            r"OCI runtime attempted to invoke a command that was not found",
            r"OCI (?:runtime error|runtime command not found|permission denied|not found$)|failed to mount shm tmpfs|"
            r"error reading container .*json message|controller `\w+` is not available under|unable to find user \S+:",
            r"container create failed \(no logs from conmon\)|conmon bytes \"",
        ),
        "The container runtime refused to start the container.",
        "Read the line; `podman --log-level=debug run` on the host with the same options says more.",
        kind="general",
    ),
    Signature(
        "host_memory",
        (
            r"killed by the OOM killer|Failed with result 'oom-kill'|Out of memory: Killed process",
            r"Main process exited, code=exited, status=137",
            r"DefaultCPUAllocator: not enough memory: you tried to allocate (?P<bytes>\d+) bytes",
        ),
        "The host's memory, or the instance's limit of it, is used up: weights pass through it, and CPU offloading keeps them there.",
        "Raise limits: {{memory: …}} of the instance, lower cpu_offload_gb, or stop what else uses the host's memory.",
        kind="general",
    ),
)
