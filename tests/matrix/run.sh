#!/usr/bin/env bash
# The playbooks of this folder on the oldest ansible-core that is supported, on the one of the tests, and on the newest
# that a Python of this machine can run. Environments are kept in the cache.
set -euo pipefail
cd "$(dirname "$0")/../.."
. tests/matrix/cores.sh

play_with() {
    local bin=$1 playbook
    "$bin/ansible" --version | sed -n 1p
    for playbook in tests/matrix/*.yml; do
        # The deprecations that a release warns of are for a person to read, not for this.
        ANSIBLE_DEPRECATION_WARNINGS=false "$bin/ansible-playbook" -i tests/matrix/inventory "$playbook" > "$log" 2>&1 || {
            cat "$log"
            echo "matrix: $playbook fails with $("$bin/ansible" --version | sed -n 1p)"
            exit 1
        }
    done
}

log=$(mktemp)
trap 'rm -f "$log"' EXIT

with_oldest play_with
play_with "$PWD/.venv/bin"
ran=$((ran + 1))
with_newest play_with
echo "matrix: $ran releases of ansible-core, $(ls tests/matrix/*.yml | wc -l) playbooks each: passed"
