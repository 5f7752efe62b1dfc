#!/usr/bin/env bash
# The Debian and Ubuntu packages that throw-away hosts and the tests need. Asks apt only when one is missing.
set -euo pipefail

packages=(
    ca-certificates curl git iproute2 make openssh-client procps python3 python3-venv
    podman crun runc netavark iptables nftables        # hosts are containers; runc where crun lacks a capability
    binutils debian-archive-keyring mmdebstrap         # their images are made from Debian's packages
)

missing=()
for package in "${packages[@]}"; do
    # Not dpkg's exit code: a removed package whose configuration stayed is known to dpkg too.
    [[ $(dpkg-query --show --showformat '${db:Status-Status}' "$package" 2>/dev/null) == installed ]] ||
        missing+=("$package")
done
[ ${#missing[@]} -gt 0 ] || exit 0

as_root=()
[ "$(id -u)" -eq 0 ] || as_root=(sudo)
for program in apt-get "${as_root[@]}"; do
    if ! command -v "$program" > /dev/null; then
        echo "packages: there is no $program here; wanted are Debian or Ubuntu, and root or sudo. Missing: ${missing[*]}" >&2
        exit 1
    fi
done
echo "packages: installing ${missing[*]}"
# A machine that has just started may be busy with updates of its own.
apt=(env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=300)
"${as_root[@]}" "${apt[@]}" update
"${as_root[@]}" "${apt[@]}" install --no-install-recommends "${missing[@]}" > /dev/null
