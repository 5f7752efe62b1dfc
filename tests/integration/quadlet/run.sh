#!/usr/bin/env bash
# 200 command lines through the real generator, systemd and Podman of one host. Without arguments the host is a throw-away
# one; with arguments they go to ansible-playbook: -i inventories/sandbox -e quadlet_host=gpu-01
set -euo pipefail
cd "$(dirname "$0")/../../.."
group=quadlet

play() {
    ansible-playbook "$@" tests/integration/quadlet/quadlet.yml
}

if [ $# -gt 0 ]; then
    play "$@"
    exit
fi
trap 'tests/hosts/sandbox.py down --group $group' EXIT
tests/hosts/sandbox.py up --group "$group" --first-port 22800 quadlet=l4x1
play -i ".sandbox/$group/hosts.yml"
