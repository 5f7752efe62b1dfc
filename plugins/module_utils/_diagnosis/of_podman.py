"""Signatures of Podman, its runtimes, its networks and systemd: why no container came to be. Data."""

from __future__ import annotations

from . import causes
from .signature import Signature

_LOGIN = "Check image, its tag and the login to its registry; `podman pull` on the host says more."

PODMAN = (
    Signature(
        "image_access",
        (
            r"get(?:ting)? credentials: |reading JSON file \S*auth\.json",
            r"unauthorized: |unable to retrieve auth token|invalid username/password|(?<!nteractive )authentication required",
            r"requested access to the resource is denied|pull access denied for (?P<image>\S+)",
            r"manifest for (?P<image>\S+) not found|name unknown: |repository name not known to registry",
            r"Error: .*received unexpected HTTP status: \d+|Error: .*StatusCode: 50\d",
            r"short-name resolution enforced|no unqualified-search registries are defined",
            r"^Error: .*invalid reference format",
            r"^Error: (?:.*: )?(?P<image>\S+): no such image|No such image: (?P<name>\S+)",
        ),
        "Podman can't get the image.",
        _LOGIN,
    ),
    Signature(
        "image_access",
        (
            r"no image found in (?:manifest list|image index) for architecture \"?(?P<arch>[\w-]+)",
            r"no matching manifest for (?P<arch>[\w/]+)",
        ),
        "The image is not made for this host's processor ({arch}).",
        "Use an image for this processor (on ARM hosts such as GH200 and GB10 one for arm64).",
    ),
    Signature(
        "image_access",
        (r"image platform \((?P<image>[\w/]+)\) does not match the expected platform \((?P<arch>[\w/]+)\)",),
        "The image is made for {image}, and this host is {arch}.",
        "Use an image for this processor (on ARM hosts such as GH200 and GB10 one for arm64).",
        kind="hint",
    ),
    Signature(
        "image_access",
        (
            r"Source image rejected: |signature .*(?:not accepted|is not trusted)|policy .*reject",
            r"open /etc/containers/policy\.json: no such file",
        ),
        "This host's policy for images does not let the image in.",
        "Sign the image, or allow its registry in /etc/containers/policy.json.",
    ),
    Signature(
        "image_access",
        (
            r"Error: .*(?:copying|writing|reading) (?:system image|blob|layer|config).*(?:unexpected EOF|connection reset|timeout)",
            r"layer not known|Error: .*readlink /var/lib/containers/storage/overlay",
        ),
        "The image did not arrive whole, or Podman's storage has lost a part of it.",
        "Pull it again; if it stays so: `podman system check --repair` (or `podman rmi` the image, then pull).",
    ),
    Signature(
        "container_runtime_other",
        (r"container name \"(?P<name>[^\"]+)\" is already in use",),
        "A container named {name} is already there.",
        "Look whether somebody needs it (`podman ps --all`); if not: `podman rm --force {name}`, then start again.",
    ),
    Signature(
        "listen_address_invalid",
        (
            r"rootlessport cannot expose privileged port (?P<port>\d+)",
            r"attempting to bind on address \('[^']*', (?P<port>\d+)[^)]*\): (?:\[errno 13\] )?permission denied",
            r"listen (?:tcp|udp)\d? \S*?:(?P<port>\d+): bind: permission denied",
        ),
        "Port {port} is below 1024, which only root may use.",
        "Set port to one above 1023.",
    ),
    Signature(
        "port_in_use",
        (
            r"[Ff]ailed to bind (?:TCP |UDP )?port (?P<port>\d+)(?: \S+)? \((?:Address already in use|EADDRINUSE)",
            r"cannot listen on the TCP port: .*:(?P<port>\d+): ",
            r"(?:Port|port) (?P<port>\d+) is (?:already )?in use(?!,? (?:by process|trying))",
            r"proxy already running|address already in use",
        ),
        causes.port_taken,
        "Find who holds it (ss -ltnp) and stop it, or give the instance another port.",
    ),
    Signature(
        "container_runtime_other",
        (
            r"unable to find network with name or ID (?P<network>[^:\s]+)",
            r"network (?P<network>\S+): network not found",
        ),
        "Podman does not have the network {network}.",
        "Make it (`podman network create`), or take it out of the instance's container keys.",
    ),
    Signature(
        "container_runtime_other",
        (
            r"[Nn]etavark(?: failed)?: .*|netavark encountered multiple errors|aardvark-dns (?:failed|binary)",
            r"could not find \"netavark\"|(?:pasta|slirp4netns) failed(?: with exit code)?",
            r"failed to (?:setup|set up|configure) (?:the )?network|plugin type=\"bridge\" failed",
            r"iptables(?:-restore)? v\S+(?: \(\w+\))?: .*(?:can't initialize|No chain|Couldn't load)",
        ),
        "Podman could not set up the container's network.",
        "Read the line; restart the firewall and then Podman's networks (`podman network reload --all`), and see that netavark "
        "and nftables (or iptables) are installed.",
    ),
    Signature(
        "container_runtime_other",
        (
            r"error adding seccomp|(?:unable to|failed to) (?:init|load|initialize) seccomp|seccomp_load|loading seccomp",
            r"seccomp .*(?:not supported|Operation not permitted|Invalid argument|No such file)",
        ),
        "The container runtime can't apply its list of permitted system calls (seccomp).",
        "Update crun or runc, libseccomp and containers-common together; nothing of the instance is wrong.",
    ),
    Signature(
        "container_runtime_other",
        (
            r"SELinux relabeling of (?P<path>\S+) is not allowed",
            r"lsetxattr\S* (?:\S+ )?(?P<path>/\S+?):? ?(?:.*: )?(?:operation not (?:supported|permitted)|read-only file system)",
            r"lsetxattr .*(?:operation not (?:supported|permitted)|read-only file system)",
        ),
        "The filesystem of a volume takes no SELinux label.",
        "Leave :z and :Z away from that volume (network filesystems are labelled by a mount option), or use another directory.",
    ),
    Signature(
        "container_runtime_other",
        (
            r"[Aa]pp[Aa]rmor profile .*(?:not found|not loaded|specified but)|apparmor_parser.*(?:fail|not found|error)",
        ),
        "AppArmor does not have the profile that the container is to run under.",
        "Install apparmor and its parser, load the profile, or set security.apparmor_unconfined: true.",
    ),
    Signature(
        "container_runtime_other",
        (
            r"cannot set up namespace using|new[ug]idmap: |no sub[ug]id ranges found for user",
            r"potentially insufficient UIDs or GIDs available in user namespace",
            r"insufficient UIDs or GIDs|could not find enough available IDs",
        ),
        "This user has too few user and group numbers for containers.",
        "Give the user a range in /etc/subuid and /etc/subgid, then `podman system migrate`.",
    ),
    Signature(
        "container_runtime_other",
        (
            r"kernel does not support overlay fs|'?overlay'? is not supported over|unsupported graph driver|prior storage driver",
            r"volume \S+ is being used by the following container",
            r"database (?:graph|static|run|volume)\S* .*does not match|database configuration mismatch|database is locked",
            r"(?:allocating|acquiring|retrieving) lock(?: \d+)? for (?:new )?(?:container|pod|volume)|boot ID differs",
            r"XDG_RUNTIME_DIR.*(?:not set|not writable|no such)|cannot re-exec process|cannot get runtime dir",
        ),
        "Podman's own storage or state on this host is not usable.",
        "Read the line; `podman info` says the same by hand. `podman system renumber`, `podman system migrate` or a host "
        "restart mend most of it.",
    ),
    Signature(
        "container_runtime_other",
        (
            r"Error: unknown (?:shorthand )?flag: (?P<option>\S+)|Error: unknown flag: (?P<flag>--\S+)",
            r"(?:invalid|unknown|unsupported) (?:mount )?option (?:type )?\"?(?P<option>[\w=-]+)\"?: invalid|"
            r"invalid mount (?:option|type)",
            r"quadlet-generator\S*: .*(?:unsupported key|converting|error loading|encountered some errors)|not a key-value pair, group, or comment",
            r"unsupported key '(?P<option>\w+)' in group",
        ),
        "This host's Podman does not know an option of the unit.",
        "Leave the option out of the instance's container keys, or update Podman.",
    ),
    Signature(
        "container_runtime_other",
        (
            r"(?:crun|runc): .*(?:mount|mounting) .*(?:[Nn]ot a directory|vice.versa)|mount a directory onto a file",
        ),
        "A volume mounts a file where a directory is, or a directory where a file is.",
        "Correct source and target in volumes: both files or both directories.",
    ),
    Signature(
        "container_runtime_other",
        (
            r"cgroups? ?v1.*(?:not supported|deprecated|removed|no longer)|requires cgroups? ?v2",
            r"(?:crun|runc): .*(?:/sys/fs/cgroup/\S+|`(?:memory|pids|cpu)\.\w+`).*(?:No such file|Permission denied|Invalid|not permitted)",
            r"status=219/CGROUP|cannot set limits without cgroups|sd-bus call: ",
        ),
        "The host's control groups do not take the container's limits.",
        "Use cgroups version 2 (systemd.unified_cgroup_hierarchy=1 on the kernel's command line), or leave limits out.",
    ),
    Signature(
        "container_runtime_other",
        (
            r"(?:setting|set) rlimits?.*(?:not permitted|Invalid argument)|error setting rlimit|setrlimit .*not permitted",
            r"status=205/LIMITS",
        ),
        "A limit of the instance is above what this host allows.",
        "Set limits (nofile, memlock, stack) lower, or raise the host's (fs.nr_open, LimitNOFILE, LimitMEMLOCK).",
    ),
    Signature(
        "container_user_or_cache_permissions",
        (r"cannot (?:change memory protections|apply additional memory protection after relocation)",),
        "SELinux keeps the container from its own files: Podman's storage is not labelled for containers.",
        "On the host: `restorecon -R /var/lib/containers` (after `semanage fcontext` where the storage is elsewhere), and see that "
        "container-selinux is installed.",
    ),
    Signature(
        "container_runtime_other",
        (
            r"crun: (?:unknown version specified|mount_setattr|openat2|clone3|new mount API)\b.*|outdated conmon version|"
            r"[Cc]onmon at \S+ (?:is )?invalid",
        ),
        "Podman, conmon, crun or runc and the kernel of this host do not fit each other.",
        "Update podman, conmon, crun (or runc) together, and reboot where the kernel is older than they want.",
        kind="general",
    ),
    Signature(
        "container_runtime_other",
        (
            r"Unit (?P<unit>\S+) (?:not found|could not be found|is masked)\.|has a bad unit file setting|"
            r"Invalid section header|: Assignment outside of section|unit file is .*bad-setting",
            r"quadlet (?:pod|volume|network|image|build) unit \S+ does not exist",
        ),
        "systemd does not know the instance's unit, or can't read it: Quadlet's generator did not make it whole.",
        "Run `/usr/lib/systemd/system-generators/podman-system-generator --dryrun` on the host for the reason, then "
        "`systemctl daemon-reload`; a masked unit needs `systemctl unmask`.",
    ),
    Signature(
        "container_runtime_other",
        (r"Failed to load environment files|Failed with result 'resources'",),
        "systemd could not read a file that the unit or one of its drop-ins names.",
        "Look at the lines above and at drop-ins of the unit (`systemctl cat`), then start it again.",
        kind="general",
    ),
    Signature(
        "container_runtime_other",
        (r"Dependency failed for (?P<unit>.+)|Failed with result 'dependency'",),
        "Something that the unit needs (a mount, a network, another unit) did not start.",
        "`systemctl list-dependencies --failed` on the host names it; mend that first.",
        kind="symptom",
    ),
    Signature(
        "container_runtime_other",
        (r"Start request repeated too quickly|Failed with result 'start-limit-hit'",),
        "systemd gave up: the server failed several times within a short while.",
        "Look for the first failure in the journal (`journalctl -u` the unit), mend it, then `systemctl reset-failed` and start.",
        kind="hint",
    ),
    Signature(
        "container_runtime_other",
        (
            r"status=203/EXEC|Failed (?:to locate|at step EXEC spawning) (?:executable )?(?P<program>\S*podman)",
        ),
        "systemd can't run Podman where the unit names it.",
        "Install Podman (role podman), then `systemctl daemon-reload`.",
    ),
    Signature(
        "container_runtime_other",
        (r"status=(?:200/CHDIR|216/GROUP|217/USER|226/NAMESPACE|238/STATE|243/CREDENTIALS)",),
        "systemd could not make the surroundings that the unit asks for.",
        "Look at the word behind the number in the line and at drop-ins of the unit (`systemctl cat`).",
    ),
    Signature(
        "container_runtime_other",
        (
            r"inject NVIDIA hook: |nvidia-container-runtime-hook: no such file",
            r"nvidia-container-cli: (?:mount|ldcache|detection|device|container|permission|process) error",
            r"exec: \"?nvidia-container-(?:runtime|cli|toolkit)\S*: (?:executable file not found|no such file)",
        ),
        "NVIDIA's older hook for containers failed; this collection gives GPUs by CDI.",
        "Remove nvidia-container-runtime-hook's file from /usr/share/containers/oci/hooks.d and use the CDI specification.",
    ),
    Signature(
        "host_cpu_too_old",
        (
            r"status=4/ILL|Fatal Python error: Illegal instruction|[Ii]llegal instruction(?: \(core dumped\))?$",
            r"code=exited, status=132|trap invalid opcode|exit code -4\b|exitcode: -4\b|SIGILL",
        ),
        "The host's processor lacks instructions that the image's programs use (such as AVX2 or AVX-512).",
        "Look at `lscpu` on the host; in a virtual machine pass the processor through (host-passthrough), else use an image "
        "built for this processor.",
    ),
    Signature(
        "process_limit",
        (
            r"can't start new thread|pthread_create failed|pthread_create\(\) failed|blas_thread_init",
            r"(?:libgomp|fork|clone|vfork|std::system_error).*Resource temporarily unavailable|BlockingIOError: \[Errno 11\]",
            r"cgroup: fork rejected by pids controller|ThreadPoolBuildError|global thread pool has not been initialized",
        ),
        "The container may not start more processes or threads.",
        "Raise limits: {{pids: 32768}} of the instance (-1 for no limit).",
    ),
    Signature(
        "process_limit",
        (r"\[Errno 24\] Too many open files|Too many open files \(os error 24\)|Too many open files$",),
        "The server may not open more files.",
        "Raise limits: {{nofile: 1048576}} of the instance.",
        kind="general",
    ),
    Signature(
        "container_runtime_other",
        (
            r"default OCI runtime \"(?P<runtime>\w+)\" not found|no valid executable found for OCI runtime",
            r"code=exited, status=12[567]\b|^Error: (?:crun|runc|OCI runtime|preparing container|unable to start container)",
        ),
        "Podman did not bring the container to life.",
        "Read the lines above this one; `podman --log-level=debug run` on the host with the same options says more.",
        kind="symptom",
    ),
    Signature(
        "container_user_or_cache_permissions",
        (
            r"avc: +denied +\{ (?P<right>[\w ]+) \}",
            r"apparmor=\"DENIED\" operation=\"(?P<right>\w+)\"",
        ),
        "The host's security module (SELinux or AppArmor) denied the container something: {right}.",
        "Label the volumes (:Z), set the boolean container_use_devices for GPUs, and look at the whole line for the file.",
        kind="hint",
    ),
)
