#!/usr/bin/env bash
# The playbooks of this folder on the oldest ansible-core that is supported, on the one of the tests, and on the newest
# that a Python of this machine can run. Environments are kept in the cache.
set -euo pipefail
cd "$(dirname "$0")/../.."

cache=${XDG_CACHE_HOME:-$HOME/.cache}/vllm-fleet
export ANSIBLE_COLLECTIONS_PATH=$PWD/.collections ANSIBLE_CONFIG=$PWD/ansible.cfg
unset PYTHONPATH

# The first of the given versions of Python that is on this machine.
python_of() {
    local version bin
    for version in "$@"; do
        for bin in "${PYENV_ROOT:-$HOME/.pyenv}"/versions/"$version".*/bin/python /usr/bin/python"$version" /usr/local/bin/python"$version"; do
            if [ -x "$bin" ] && "$bin" -c 'import venv, ensurepip' 2> /dev/null; then
                echo "$bin"
                return
            fi
        done
    done
}

environment() { # name python requirement...
    local name=$1 python=$2 venv
    shift 2
    venv=$cache/core-$name-$(printf '%s' "$python" "$@" | sha256sum | cut -c1-12)
    if [ ! -e "$venv/ready" ]; then
        rm -rf "$venv"
        mkdir -p "$cache"
        "$python" -m venv "$venv"
        "$venv/bin/pip" install --quiet --disable-pip-version-check "$@"
        touch "$venv/ready"
    fi
    echo "$venv/bin"
}

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
ran=0

oldest=$(python_of 3.11 3.12 3.10)
if [ -n "$oldest" ]; then
    play_with "$(environment 2.16 "$oldest" 'ansible-core==2.16.19')"
    ran=$((ran + 1))
else
    echo "matrix: ansible-core 2.16 needs Python 3.10, 3.11 or 3.12: not on this machine, left out"
fi

play_with "$PWD/.venv/bin"
ran=$((ran + 1))

newest=$(python_of 3.14 3.13 3.12)
if [ -n "$newest" ]; then
    play_with "$(environment newest "$newest" 'ansible-core>=2.20')"
    ran=$((ran + 1))
else
    echo "matrix: ansible-core 2.20 and newer need Python 3.12: not on this machine, left out"
fi
echo "matrix: $ran releases of ansible-core, $(ls tests/matrix/*.yml | wc -l) playbooks each: passed"
