#!/usr/bin/env bash
# System packages, and the Python environment of the tests: made once for each content of requirements.txt, kept in the
# cache, linked as .venv.
set -euo pipefail
cd "$(dirname "$0")/.."

tests/hosts/install_packages.sh

. tests/environment.sh
python=${PYTHON:-python3}
make_environment "venv-$({ cat tests/requirements.txt; "$python" --version; } | sha256sum | cut -c1-12)" "$python" \
    --requirement tests/requirements.txt
ln -sfn "$(dirname "$bin")" .venv
