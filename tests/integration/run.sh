#!/usr/bin/env bash
# What needs one real host and no server on it: 200 command lines through the real generator, systemd and Podman; the flag
# tables against the real parser in the image; what the proof of fetch.yml gets out of that parser; a container that somebody
# started by hand, taken over. Without arguments the host is a throw-away one; with arguments they go to ansible-playbook, for
# example: -i inventories/sandbox
set -euo pipefail
cd "$(dirname "$0")/../.."
group=integration

if [ $# -eq 0 ]; then
    trap 'tests/hosts/sandbox.py down --group $group' EXIT
    tests/hosts/sandbox.py up --group "$group" --first-port 22800 gpu-01=l4x1
    set -- -i ".sandbox/$group/hosts.yml"
fi
ansible-playbook "$@" tests/integration/quadlet/quadlet.yml tests/integration/flag_tables/flag_tables.yml \
    tests/integration/parser_proof/parser_proof.yml tests/integration/adopt/adopt.yml
