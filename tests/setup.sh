#!/usr/bin/env bash
# System packages, and the Python environment of the tests: made once for each content of requirements.txt, kept in the
# cache, linked as .venv.
set -euo pipefail
cd "$(dirname "$0")/.."

tests/hosts/install_packages.sh

cache=${XDG_CACHE_HOME:-$HOME/.cache}/vllm-fleet
python=${PYTHON:-python3}
key=$({ cat tests/requirements.txt; "$python" --version; } | sha256sum | cut -c1-12)
venv=$cache/venv-$key

if [ ! -e "$venv/ready" ]; then
    echo "setup: making the Python environment $venv"
    rm -rf "$venv"
    mkdir -p "$cache"
    "$python" -m venv "$venv"
    "$venv/bin/pip" install --quiet --disable-pip-version-check --requirement tests/requirements.txt
    touch "$venv/ready"
fi
ln -sfn "$venv" .venv
