# Sourced by run.sh and hosts/run.sh, from the top of the checkout: releases of ansible-core, each in an environment of its own
# that is kept in the cache.

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

ran=0

with_oldest() { # command...: it is given the folder of the programs as its last argument
    local python
    python=$(python_of 3.11 3.12 3.10)
    if [ -n "$python" ]; then
        "$@" "$(environment 2.16 "$python" 'ansible-core==2.16.19')"
        ran=$((ran + 1))
    else
        echo "matrix: ansible-core 2.16 needs Python 3.10, 3.11 or 3.12: not on this machine, left out"
    fi
}

with_newest() { # command...
    local python
    python=$(python_of 3.14 3.13 3.12)
    if [ -n "$python" ]; then
        "$@" "$(environment newest "$python" 'ansible-core>=2.20')"
        ran=$((ran + 1))
    else
        echo "matrix: ansible-core 2.20 and newer need Python 3.12: not on this machine, left out"
    fi
}
